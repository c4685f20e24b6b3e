/* tests/fc3d/test_contact_quartic.c: one contact by enumeration, also where the block is
 * indefinite. */
#include "contact_cases.h"
#include "fc3d/contact.h"
#include "support.h"

START_TEST(known_solutions)
{
    generator g = generator_start(8);
    int tried = 0, solved = 0;
    for (int k = 0; k < 10000; k++) {
        contact_case c = contact_draw(&g);
        perp_contact_block block;
        double r[3] = {0}, before = perp_contact_error(c.W, c.q, c.mu, r);
        if (c.kappa > 1e4) continue;
        perp_contact_prepare(c.W, c.mu, &block);
        double after = perp_contact_enumerate(c.W, &block, c.q, r);
        ck_assert(after <= before);
        ck_assert_double_eq(after, perp_contact_error(c.W, c.q, c.mu, r));
        tried++;
        solved += after <= 1e-9 * contact_norm(c.q);
    }
    ck_assert_msg(tried > 1000 && solved >= 0.999 * tried, "%d of %d", solved, tried);
}
END_TEST

/* det S < 0: the secular equation has a pole, the quartic does not mind. */
START_TEST(indefinite)
{
    generator g = generator_start(9);
    for (int k = 0; k < 1000; k++) {
        double W[9] = {1, 0, 0, 0.1, 1, 0.3, 0, 0.2, -0.5}, turn = 6.28 * generator_unit(&g);
        double mu = 0.1 + generator_unit(&g), speed = 2 + generator_unit(&g), q[3];
        double r[3] = {1, mu * cos(turn), mu * sin(turn)};
        double u[3] = {0, -speed * r[1], -speed * r[2]}, x[3] = {0};
        perp_contact_block block;
        for (int i = 0; i < 3; i++) q[i] = u[i] - (W[i] * r[0] + W[i + 3] * r[1] + W[i + 6] * r[2]);
        perp_contact_prepare(W, mu, &block);
        ck_assert(!block.regular);
        ck_assert_double_le(perp_contact_enumerate(W, &block, q, x), 1e-10);
    }
}
END_TEST

/* q_N = 0 and q = 0: a solution is r = 0. */
START_TEST(grazing)
{
    const double W[9] = {1, 0.1, 0, 0.1, 1, 0, 0, 0, 1}, zero[3] = {0}, q[3] = {0, 1, 0};
    perp_contact_block block;
    double r[3] = {1, 0, 0};
    perp_contact_prepare(W, 0.5, &block);
    ck_assert(perp_contact_enumerate(W, &block, zero, r) == 0);
    r[0] = 1;
    ck_assert(perp_contact_enumerate(W, &block, q, r) == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("contact_quartic");
    TCase *t = tcase_create("contact_quartic");
    tcase_add_test(t, known_solutions);
    tcase_add_test(t, indefinite);
    tcase_add_test(t, grazing);
    suite_add_tcase(s, t);
    return support_run(s);
}
