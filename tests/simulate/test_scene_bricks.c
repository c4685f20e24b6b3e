/* tests/simulate/test_scene_bricks.c: the wall has as many bricks as the paper's, and a small one
 * falls, is thrown up by the shock and comes to rest in its order. */
#include "sim_support.h"

START_TEST(there_are_174_bricks)
{
    sim s;
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    sim_begin(&s, &sim_bricks, NULL);
    ck_assert_int_eq(s.world.bodies, 174);
    s.scene->measure(&s, x);
    ck_assert_double_eq(x[0], 0);
    ck_assert_double_eq_tol(x[4], 0.2 + 11 * 0.02, 1e-12); /* as it starts: drop and rooms */
    sim_close(&s);
}
END_TEST

static void fall(const char *courses, const char *solver, perp_rigid_form form, double *rise,
                 double *x)
{
    const char *const set[] = {courses, "bricks=1", "drop=0.2", "restitution=0.5", NULL};
    sim s;
    double last = INFINITY, lowest = INFINITY; /* of the top course */
    sim_begin(&s, &sim_bricks, set);
    perp_options *o = perp_options_new(&s.arena, solver);
    o->max_iter = form == PERP_RIGID_FORM_MCP ? 100 : o->max_iter;
    s.step.solver = o;
    s.step.form = form;
    *rise = 0;
    for (int n = 0; n < 120; n++) {
        perp_step_report r;
        ck_assert_msg(sim_step(&s, &r) >= 0, "%s", r.detail);
        s.scene->measure(&s, x);
        lowest = fmin(lowest, x[4]);
        *rise = fmax(*rise, x[4] - lowest);
        ck_assert_double_le(sim_energy(&r), last * (1 + 1e-4));
        last = sim_energy(&r);
    }
    sim_close(&s);
}

START_TEST(it_falls_and_settles)
{
    double x[SIM_MEASURES_MOST], rise;
    if (!sim_has_ode()) return;
    fall("courses=8", "mcp/nncg", PERP_RIGID_FORM_MCP, &rise, x);
    ck_assert_double_le(x[1], 1e-3); /* at rest, */
    ck_assert_double_eq(x[2], 12);   /* all in their places */
    ck_assert_double_ge(rise, 5e-3); /* after the shock */
    fall("courses=3", "fc3d/auto", PERP_RIGID_FORM_FC3D_LOCAL, &rise, x);
    ck_assert_double_le(x[1], 1e-3);
    ck_assert_double_eq(x[2], 4);
}
END_TEST

START_TEST(seeds_differ)
{
    const char *const set[2][4] = {{"loose=0.01", "seed=1", NULL}, {"loose=0.01", "seed=2", NULL}};
    sim s[2];
    if (!sim_has_ode()) return;
    for (int k = 0; k < 2; k++) sim_begin(&s[k], &sim_bricks, set[k]);
    ck_assert(s[0].world.body[3].position[2] != s[1].world.body[3].position[2]);
    for (int k = 0; k < 2; k++) sim_close(&s[k]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_bricks");
    TCase *c = tcase_create("bricks");
    tcase_add_test(c, there_are_174_bricks);
    tcase_add_test(c, it_falls_and_settles);
    tcase_add_test(c, seeds_differ);
    suite_add_tcase(s, c);
    return support_run(s);
}
