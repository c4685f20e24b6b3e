/* tests/rigid/test_step_drift.c: free motion keeps energy, angular momentum and unit quaternions.
 */
#include "step_support.h"

static perp_body tumbler(generator *g)
{
    perp_body b = perp_body_make(1 + generator_unit(g), 1, 2, 2.9);
    for (int i = 0; i < 3; i++) {
        b.velocity[i] = generator_uniform(g);
        b.spin[i] = 3 * generator_uniform(g);
    }
    b.spin[0] += 5;
    return b;
}

START_TEST(a_tumbling_body_keeps_its_invariants)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_body b = tumbler(&g);
    double p[3], L[3], p_end[3], L_end[3], energy = perp_body_kinetic(&b);
    momentum(&b, 1, p, L);
    double t = _i % 2 ? 0.1 : 1.7; /* a long step is made of parts */
    for (int k = 0; k < 200; k++) perp_body_drift(&b, t, true);
    for (int i = 0; i < 3; i++) b.position[i] = 0;
    momentum(&b, 1, p_end, L_end);
    ck_assert_double_le(fabs(perp_body_kinetic(&b) - energy), 1e-11 * energy);
    ck_assert_double_le(difference(3, L, L_end), 1e-11 * plain_norm(3, L));
    ck_assert_double_le(fabs(plain_norm(4, b.rotation) - 1), 1e-14);
}
END_TEST

/* About a principal axis the exponential is exact, whatever the step. */
START_TEST(a_turn_about_an_axis_is_exact)
{
    for (int gyroscopic = 0; gyroscopic < 2; gyroscopic++) {
        perp_body b = perp_body_make(1, 1, 2, 3);
        b.spin[2] = 2;
        b.velocity[0] = 3;
        for (int k = 0; k < 10; k++) perp_body_drift(&b, 0.25, gyroscopic);
        const double want[4] = {cos(2.5), 0, 0, sin(2.5)};
        ck_assert_double_le(difference(4, b.rotation, want), 1e-14);
        ck_assert_double_eq_tol(b.position[0], 7.5, 1e-14);
        ck_assert_double_eq_tol(b.spin[2], 2, 1e-14);
    }
}
END_TEST

/* Second order: Euler's equations, finely. */
START_TEST(tumbling_converges)
{
    generator g = generator_start(5);
    perp_body fine = tumbler(&g), start = fine;
    double error[2];
    for (int k = 0; k < 100000; k++) perp_body_drift(&fine, 1e-5, true);
    for (int k = 0; k < 2; k++) {
        perp_body b = start;
        int steps = 50 << k;
        for (int n = 0; n < steps; n++) perp_body_drift(&b, 1.0 / steps, true);
        error[k] = difference(4, b.rotation, fine.rotation);
    }
    ck_assert_double_le(error[1], 0.3 * error[0]);
    ck_assert_double_le(error[0], 1e-2);
}
END_TEST

START_TEST(who_does_not_move_stays)
{
    perp_body b = perp_body_make(1, 1, 1, 1), before = b;
    perp_body_drift(&b, 1, true);
    ck_assert_mem_eq(&b, &before, sizeof b);
    b.kind = PERP_BODY_FIXED;
    b.velocity[0] = 1;
    before = b;
    perp_body_drift(&b, 1, true);
    ck_assert_mem_eq(&b, &before, sizeof b);
    ck_assert(perp_body_kinetic(&b) == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step_drift");
    TCase *c = tcase_create("drift");
    tcase_add_loop_test(c, a_tumbling_body_keeps_its_invariants, 0, 10);
    tcase_add_test(c, a_turn_about_an_axis_is_exact);
    tcase_add_test(c, tumbling_converges);
    tcase_add_test(c, who_does_not_move_stays);
    suite_add_tcase(s, c);
    return support_run(s);
}
