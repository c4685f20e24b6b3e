/* tests/simulate/test_scene_wall.c: the wall stands on ground that holds; where the ground gives
 * way blocks detach and the others stay. */
#include "sim_support.h"

static void run(sim *s, const char *const *set, const char *solver, double tol, double *out)
{
    sim_begin(s, &sim_wall, set);
    perp_options *o = perp_options_new(&s->arena, solver);
    o->tol = tol;
    o->max_iter = 1000;
    s->step.solver = o;
    for (int n = 0; n < s->steps; n++) {
        perp_step_report r;
        ck_assert_int_ge(sim_step(s, &r), 0);
    }
    s->scene->measure(s, out);
}

/* Half blocks end every other course. */
START_TEST(courses_are_of_one_length)
{
    static const char *const set[] = {"courses=5", "blocks=3", NULL};
    sim s;
    double mass = 0, x[SIM_MEASURES_MOST];
    sim_begin(&s, &sim_wall, set);
    ck_assert_int_eq(s.world.bodies, 17 + 1);
    for (int k = 0; k < 17; k++) mass += s.world.body[k].mass;
    ck_assert_double_eq_tol(mass, 15 * 0.4 * 0.2 * 0.2 * 2000, 1e-9);
    s.scene->measure(&s, x);
    ck_assert(x[0] == 0 && x[1] == 0 && x[2] == 17);
    sim_close(&s);
}
END_TEST

START_TEST(stands)
{
    static const char *const set[] = {"courses=4", "blocks=4", "seconds=1", NULL};
    double x[SIM_MEASURES_MOST];
    sim s;
    run(&s, set, "fc3d/auto", 1e-8, x);
    ck_assert_double_le(x[0], 1e-6);
    ck_assert_double_eq(x[2], 18);
    sim_close(&s);
}
END_TEST

/* 27 bricks on friction boxes. So few iterations do not end the pivots of many steps; by the sweeps
 * beside them the bricks rest on each other and do not fall through the floor. */
START_TEST(stands_under_a_limit)
{
    static const char *const set[] = {"courses=5", "blocks=5", "seconds=0.4", NULL};
    double x[SIM_MEASURES_MOST], overlap = 0;
    int unsolved = 0;
    sim s;
    sim_begin(&s, &sim_wall, set);
    perp_options *o = perp_options_new(&s.arena, "mcp/auto");
    o->max_iter = 20;
    s.step.solver = o;
    s.step.form = PERP_RIGID_FORM_MCP;
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        unsolved += sim_step(&s, &r) > 0;
        overlap = fmax(overlap, r.overlap);
    }
    s.scene->measure(&s, x);
    ck_assert_int_gt(unsolved, s.steps / 4);
    ck_assert_double_le(overlap, 1e-4);
    ck_assert_double_le(x[0], 1e-3);
    ck_assert_double_eq(x[2], 27);
    sim_close(&s);
}
END_TEST

START_TEST(detaches_where_the_ground_sinks)
{
    static const char *const set[] = {"courses=4", "blocks=4",   "seconds=1", "sink=1",
                                      "start=0",   "during=0.6", "dt=0.02",   NULL};
    double x[SIM_MEASURES_MOST];
    sim s;
    run(&s, set, "fc3d/nncg", 1e-3, x);
    ck_assert_double_ge(x[1], 4);
    ck_assert_double_ge(x[2], 4);
    ck_assert_double_ge(x[0], 0.9);
    ck_assert_double_eq_tol(s.world.body[s.world.bodies - 1].position[2], -0.4, 1e-9);
    sim_close(&s);
}
END_TEST

/* Ground that moves has a solver and a tolerance of its own. */
START_TEST(chooses_its_solver)
{
    static const char *const set[] = {"courses=1", "blocks=1", "sink=1", NULL};
    sim s;
    sim_begin(&s, &sim_wall, set + 3);
    ck_assert_ptr_null(s.solver);
    ck_assert_double_eq(s.tol, 1e-8);
    sim_close(&s);
    sim_begin(&s, &sim_wall, set);
    ck_assert_str_eq(s.solver, "fc3d/nncg:max_iter=2000");
    ck_assert_double_eq(s.tol, 1e-3);
    sim_close(&s);
}
END_TEST

START_TEST(refuses_a_stretch_without_length)
{
    perp_error e = {.status = PERP_SOLVED};
    sim s;
    sim_open(&s, &sim_wall);
    ck_assert_int_eq(sim_set(&s, "to", "0.2", &e), PERP_SOLVED);
    ck_assert_int_eq(sim_build(&s, &e), PERP_E_OPTION);
    ck_assert_str_eq(e.text, "from must be less than to");
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_wall");
    TCase *c = tcase_create("wall");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, courses_are_of_one_length);
    tcase_add_test(c, stands);
    tcase_add_test(c, stands_under_a_limit);
    tcase_add_test(c, detaches_where_the_ground_sinks);
    tcase_add_test(c, chooses_its_solver);
    tcase_add_test(c, refuses_a_stretch_without_length);
    suite_add_tcase(s, c);
    return support_run(s);
}
