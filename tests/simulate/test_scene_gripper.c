/* tests/simulate/test_scene_gripper.c: a block sticks without creep below the limit of friction,
 * and falls above. */
#include "sim_support.h"

static void hold(const char *load, double out[SIM_MEASURES_MOST])
{
    const char *const set[] = {load, "seconds=0.5", NULL};
    sim s;
    sim_begin(&s, &sim_gripper, set);
    perp_options *o = perp_options_new(&s.arena, "fc3d/auto");
    o->tol = s.scene->tol;
    s.step.solver = o;
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_int_ge(sim_step(&s, &r), 0);
    }
    s.scene->measure(&s, out);
    sim_close(&s);
}

START_TEST(sticks)
{
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    hold("load=0.8", x);
    ck_assert_double_le(fabs(x[0]), 1e-14);
    hold("load=0.9", x);
    ck_assert_double_le(fabs(x[0]), 1e-14);
}
END_TEST

START_TEST(falls)
{
    double x[SIM_MEASURES_MOST], a = SIM_GRAVITY * (1 - 1 / 1.5);
    if (!sim_has_ode()) return;
    hold("load=1.5", x);
    ck_assert_double_ge(x[1], 0.9 * a * 0.5);
    ck_assert_double_ge(x[0], 0.9 * a * 0.125);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_gripper");
    TCase *c = tcase_create("gripper");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, sticks);
    tcase_add_test(c, falls);
    suite_add_tcase(s, c);
    return support_run(s);
}
