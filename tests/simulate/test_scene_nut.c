/* tests/simulate/test_scene_nut.c: the floor goes its way, the spheres stay in the box, the share
 * of the small ones below the nut is counted. */
#include "sim_support.h"

static void begin(sim *s, const char *const *set)
{
    sim_begin(s, &sim_nut, set);
    perp_options *o = perp_options_new(&s->arena, "fc3d/nsgs");
    o->tol = s->scene->tol;
    o->max_iter = 30;
    s->step.solver = o;
}

START_TEST(nothing_overlaps_at_the_start)
{
    static const char *const set[] = {"spheres=200", "width=11", NULL};
    double x[SIM_MEASURES_MOST];
    sim s;
    begin(&s, set);
    ck_assert_int_eq(s.world.bodies, 202);
    for (int j = 0; j < 201; j++) {
        const double *p = s.world.body[j].position;
        double size = s.shape[j].size[0];
        ck_assert_double_ge(p[2], size - 1e-12);
        for (int i = 0; i < 2; i++) ck_assert_double_le(fabs(p[i]), 5.5 - size);
        for (int k = 0; k < j; k++) {
            const double *q = s.world.body[k].position;
            double away = hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
            ck_assert_double_ge(away, size + s.shape[k].size[0] - 1e-12);
        }
    }
    s.scene->measure(&s, x);
    ck_assert_double_le(x[0], 0.15);
    ck_assert(x[2] == -1 && x[3] == 2);
    sim_close(&s);
}
END_TEST

START_TEST(the_floor_goes_up_and_down)
{
    static const char *const set[] = {"spheres=30", "width=8", "seconds=2", NULL};
    double low = INFINITY, high = -INFINITY, x[SIM_MEASURES_MOST];
    sim s;
    begin(&s, set);
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_msg(sim_step(&s, &r) >= 0, "%s", r.detail);
        double floor = s.world.body[31].position[2];
        low = fmin(low, floor);
        high = fmax(high, floor);
        for (int k = 0; k < 31; k++) {
            const double *p = s.world.body[k].position;
            ck_assert_double_ge(p[2], floor + 0.7 * s.shape[k].size[0]);
            ck_assert_double_le(fmax(fabs(p[0]), fabs(p[1])), 4 - 0.7 * s.shape[k].size[0]);
        }
    }
    ck_assert_double_eq_tol(low, 0, 1e-9);
    ck_assert_double_eq_tol(high, 2.5, 1e-9);
    s.world.body[30].position[2] = 1e3; /* above all */
    s.scene->measure(&s, x);
    ck_assert(x[0] == 1 && x[1] == 1);
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_nut");
    TCase *c = tcase_create("nut");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, nothing_overlaps_at_the_start);
    tcase_add_test(c, the_floor_goes_up_and_down);
    suite_add_tcase(s, c);
    return support_run(s);
}
