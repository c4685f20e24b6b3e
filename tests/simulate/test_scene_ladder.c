/* tests/simulate/test_scene_ladder.c: a ladder between floor and wall, against its equations. */
#include "sim_support.h"

#define DEGREE (SIM_PI / 180)

/* At the wall, with length 2 and mass 1: spin^2 = 3 g / L (sin a0 - sin a), and the forces
 * m g / 4 (1 + 9 sin^2 a - 6 sin a0 sin a) of the floor, 3 m g / 4 cos a (3 sin a - 2 sin a0). */
static void expect_at_wall(const double x[5], double before)
{
    double a0 = sin(70 * DEGREE), a = sin(x[0] * DEGREE), b = sin(before * DEGREE);
    ck_assert_double_eq_tol(x[1], -sqrt(1.5 * SIM_GRAVITY * (a0 - a)), 1e-9);
    ck_assert_double_eq_tol(x[2], SIM_GRAVITY / 4 * (1 + 9 * b * b - 6 * a0 * b), 1e-7);
    ck_assert_double_eq_tol(x[3], 0.75 * SIM_GRAVITY * cos(before * DEGREE) * (3 * b - 2 * a0),
                            1e-7);
    ck_assert_double_le(fabs(x[4]), 1e-10);
}

START_TEST(it_slides_and_leaves_the_wall)
{
    sim s;
    double x[SIM_MEASURES_MOST], before = 70, left = 0, energy = NAN;
    sim_begin(&s, &sim_ladder, NULL);
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_int_eq(sim_step(&s, &r), PERP_SOLVED);
        s.scene->measure(&s, x);
        if (n == 0) energy = sim_energy(&r);
        ck_assert_double_eq_tol(sim_energy(&r), energy, 1e-11);
        ck_assert_double_le(r.overlap, 1e-10);
        if (x[3] > 0.1) expect_at_wall(x, before);
        if (left == 0 && x[3] == 0) left = before;
        ck_assert(left == 0 || x[3] == 0);
        before = x[0];
    }
    ck_assert_double_eq_tol(sin(left * DEGREE), 2.0 / 3 * sin(70 * DEGREE), 5e-3);
    ck_assert_double_ge(x[4], 0.05);
    sim_close(&s);
}
END_TEST

/* Half the step, a sixteenth of the error while it is at the wall. */
START_TEST(order)
{
    const char *const h[3][3] = {{"dt=0.04", "seconds=0.4", NULL},
                                 {"dt=0.02", "seconds=0.4", NULL},
                                 {"dt=0.0005", "seconds=0.4", NULL}};
    double angle[3];
    for (int k = 0; k < 3; k++) {
        sim s;
        double x[SIM_MEASURES_MOST];
        perp_step_report r;
        sim_begin(&s, &sim_ladder, h[k]);
        for (int n = 0; n < s.steps; n++) ck_assert_int_eq(sim_step(&s, &r), PERP_SOLVED);
        s.scene->measure(&s, x);
        angle[k] = x[0];
        sim_close(&s);
    }
    double ratio = (angle[0] - angle[2]) / (angle[1] - angle[2]);
    ck_assert_msg(ratio > 12 && ratio < 21, "%g", ratio);
}
END_TEST

START_TEST(refusals)
{
    const char *const set[] = {"seconds=2", NULL};
    sim s;
    perp_step_report r = {.status = PERP_SOLVED};
    sim_begin(&s, &sim_ladder, set);
    while (r.status == PERP_SOLVED && s.world.steps < s.steps) sim_step(&s, &r);
    ck_assert_int_eq(r.status, PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(r.detail, "floor"));
    ck_assert_double_eq_tol(s.world.time, 0.838, 0.002);
    s.step.form = PERP_RIGID_FORM_LCP;
    ck_assert_int_eq(sim_step(&s, &r), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(r.detail, "nnls"));
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_ladder");
    TCase *c = tcase_create("ladder");
    tcase_add_test(c, it_slides_and_leaves_the_wall);
    tcase_add_test(c, order);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
