/* tests/fc3d/test_contact_newton.c: Alart-Curnier and Jean-Moreau Newton for one contact. */
#include "contact_cases.h"
#include "fc3d/contact.h"
#include "support.h"

/* Near a solution it converges on definite blocks of moderate condition, nearly always. */
START_TEST(converges_nearby)
{
    for (int map = 0; map < 2; map++) {
        generator g = generator_start(3);
        int tried = 0, solved = 0;
        for (int k = 0; k < 4000; k++) {
            contact_case c = contact_draw(&g);
            double r[3], q = contact_norm(c.q);
            if (!c.definite || c.kappa > 100) continue;
            for (int i = 0; i < 3; i++) r[i] = c.solution[i] * (1 + 1e-3 * generator_uniform(&g));
            double before = perp_contact_error(c.W, c.q, c.mu, r);
            double after = perp_contact_newton(c.W, c.q, c.mu, (perp_contact_map)map, 20, r);
            ck_assert(after <= before);
            ck_assert_double_eq(after, perp_contact_error(c.W, c.q, c.mu, r));
            tried++;
            solved += after <= 1e-12 * q;
        }
        ck_assert_msg(tried > 300 && solved >= 0.98 * tried, "map %d: %d of %d", map, solved,
                      tried);
    }
}
END_TEST

/* One step solves what is linear: sticking from inside, taking off. */
START_TEST(one_step)
{
    const double W[9] = {2, 0.1, 0, 0.2, 1, 0.1, 0, 0.3, 1.5}, up[3] = {1, 2, 3};
    double r[3] = {1, 0, 0}, q[3] = {-2, -0.1, 0};
    for (int i = 0; i < 3; i++) q[i] = -(W[i] * 1.5 + W[i + 3] * 0.2 + W[i + 6] * -0.1);
    for (int map = 0; map < 2; map++) {
        r[0] = 1;
        r[1] = r[2] = 0;
        ck_assert(perp_contact_newton(W, q, 0.8, (perp_contact_map)map, 1, r) < 1e-15);
        ck_assert(fabs(r[0] - 1.5) < 1e-15 && fabs(r[1] - 0.2) < 1e-15);
        r[0] = 0.1;
        r[1] = r[2] = 0;
        ck_assert(perp_contact_newton(W, up, 0.8, (perp_contact_map)map, 2, r) == 0 && r[0] == 0);
    }
}
END_TEST

START_TEST(never_worse)
{
    const double W[9] = {1, 0, 0, 0, 0, 0, 0, 0, 0}, q[3] = {-1, 1, 1}; /* a singular Jacobian */
    double r[3] = {0.3, 0, 0}, before = perp_contact_error(W, q, 0.1, r);
    ck_assert(perp_contact_newton(W, q, 0.1, PERP_ALART_CURNIER, 10, r) <= before);
    ck_assert(isfinite(r[0]) && isfinite(r[1]));
    r[0] = 0.3;
    r[1] = r[2] = 0;
    ck_assert(perp_contact_newton(W, q, 0.1, PERP_ALART_CURNIER, 0, r) == before && r[0] == 0.3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("contact_newton");
    TCase *t = tcase_create("contact_newton");
    tcase_add_test(t, converges_nearby);
    tcase_add_test(t, one_step);
    tcase_add_test(t, never_worse);
    suite_add_tcase(s, t);
    return support_run(s);
}
