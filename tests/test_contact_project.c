/* tests/test_contact_project.c: the projected fixed point, and the explicit resolution. */
#include "contact_cases.h"
#include "kernel/contact.h"
#include "support.h"

START_TEST(fixed_point)
{
    generator g = generator_start(4);
    int tried = 0, solved = 0;
    for (int k = 0; k < 4000; k++) {
        contact_case c = contact_draw(&g);
        double r[3] = {c.start[0], c.start[1], c.start[2]};
        double before = perp_contact_error(c.W, c.q, c.mu, r);
        if (!c.definite || c.kappa > 10 || c.mu > 1) continue;
        double after = perp_contact_project(c.W, c.q, c.mu, 1000, r);
        ck_assert(after <= before);
        ck_assert_double_eq(after, perp_contact_error(c.W, c.q, c.mu, r));
        tried++;
        solved += after <= 1e-9 * contact_norm(c.q);
    }
    ck_assert_msg(tried > 50 && solved >= 0.95 * tried, "%d of %d", solved, tried);
}
END_TEST

/* Spheres: W_TN = 0, W_TT = w I; the sticking force scaled back is the solution. */
START_TEST(explicit_for_spheres)
{
    generator g = generator_start(2);
    for (int k = 0; k < 1000; k++) {
        double n = 0.1 + generator_unit(&g), w = 0.1 + generator_unit(&g), r[3], q[3];
        const double W[9] = {n, 0, 0, 0, w, 0, 0, 0, w};
        perp_contact_block block;
        for (int i = 0; i < 3; i++) q[i] = generator_uniform(&g);
        perp_contact_prepare(W, 0.4, &block);
        perp_contact_explicit(&block, q, r);
        ck_assert_double_le(perp_contact_error(W, q, 0.4, r), 1e-14);
    }
}
END_TEST

/* On a full block it is not: sliding keeps u_T parallel to r_T only by chance. */
START_TEST(explicit_elsewhere)
{
    const double W[9] = {1, 0.2, 0, 0.2, 1, 0, 0, 0, 3}, q[3] = {-1, 2, 2}, away[3] = {0.5, 1, 1};
    double r[3];
    perp_contact_block block;
    perp_contact_prepare(W, 0.3, &block);
    perp_contact_explicit(&block, q, r);
    ck_assert_double_eq_tol(perp_contact_error(W, q, 0.3, r), 0.1, 0.5); /* finite, */
    ck_assert_double_ge(perp_contact_error(W, q, 0.3, r), 0.01);         /* and no solution */
    ck_assert_double_le(hypot(r[1], r[2]), 0.3 * r[0] * (1 + 1e-15));
    perp_contact_explicit(&block, away, r);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("contact_project");
    TCase *t = tcase_create("contact_project");
    tcase_add_test(t, fixed_point);
    tcase_add_test(t, explicit_for_spheres);
    tcase_add_test(t, explicit_elsewhere);
    suite_add_tcase(s, t);
    return support_run(s);
}
