/* tests/simulate/test_scene_tippetop.c: the top turns over when it should, its energy only falls,
 * and without its stick it levels off. */
#include "sim_support.h"

/* Steps until it has turned over, a second at most; what is measured then. */
static void spin(const char *const *set, perp_rigid_form form, int facets, double *x)
{
    sim s;
    sim_begin(&s, &sim_tippetop, set);
    perp_options *o =
        perp_options_new(&s.arena, form == PERP_RIGID_FORM_FC3D_LOCAL ? "fc3d/nsgs" : "lcp/lemke");
    o->tol = 1e-12;
    o->max_iter = 10000;
    s.step.solver = o;
    s.step.form = form;
    s.step.facets = facets;
    double last = INFINITY;
    x[3] = NAN;
    for (int n = 0; n < s.steps && isnan(x[3]); n++) {
        perp_step_report r;
        ck_assert_msg(sim_step(&s, &r) == PERP_SOLVED, "%s", r.detail);
        ck_assert_double_le(sim_energy(&r), last + 1e-13 * fabs(last));
        ck_assert_int_lt(r.rounds, 5);
        last = sim_energy(&r);
        s.scene->measure(&s, x);
        const double *f = x + 4; /* normal and friction, twice: in the cone */
        for (int i = 0; i < 4; i += 2) ck_assert_double_le(f[i + 1], 0.6 * f[i] + 1e-9);
    }
    if (!isnan(x[3])) ck_assert_double_lt(x[2], x[3]); /* it gets up on its stick first */
    sim_close(&s);
}

START_TEST(it_turns_over)
{
    const char *const coarse[] = {"dt=2e-4", NULL};
    double x[SIM_MEASURES_MOST];
    spin(NULL, PERP_RIGID_FORM_FC3D_LOCAL, 0, x);
    ck_assert_double_eq_tol(x[2], 0.54, 0.01);
    ck_assert_double_eq_tol(x[3], 0.62, 0.02);
    ck_assert_double_gt(x[1], 0.03); /* it has risen */
    spin(coarse, PERP_RIGID_FORM_LCP_FACETS, 16, x);
    ck_assert_double_eq_tol(x[3], 0.6, 0.15);
}
END_TEST

/* The exact cone does not know where north is. */
START_TEST(the_cone_has_no_direction)
{
    const char *const here[] = {"seconds=0.2", NULL}, *const there[] = {"seconds=0.2", "angle=77",
                                                                        NULL};
    double x[SIM_MEASURES_MOST], y[SIM_MEASURES_MOST];
    spin(here, PERP_RIGID_FORM_FC3D_LOCAL, 0, x);
    spin(there, PERP_RIGID_FORM_FC3D_LOCAL, 0, y);
    ck_assert_double_eq_tol(x[0], y[0], 1e-9);
}
END_TEST

START_TEST(without_its_stick_it_levels_off)
{
    const char *const set[] = {"stick_radius=0", "dt=2e-4", "seconds=1", NULL};
    double x[SIM_MEASURES_MOST];
    spin(set, PERP_RIGID_FORM_FC3D_LOCAL, 0, x);
    ck_assert(isnan(x[2]) && isnan(x[3]));
    ck_assert_double_eq_tol(x[0], -0.84, 0.05);
}
END_TEST

/* After it has turned over, and not before. */
START_TEST(drag_acts_afterwards)
{
    const char *const set[] = {"rolling=1", "air=1e-4", "seconds=0.3", NULL};
    const char *const none[] = {"seconds=0.3", NULL};
    double x[SIM_MEASURES_MOST], y[SIM_MEASURES_MOST];
    spin(set, PERP_RIGID_FORM_FC3D_LOCAL, 0, x);
    spin(none, PERP_RIGID_FORM_FC3D_LOCAL, 0, y);
    ck_assert(x[0] == y[0]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_tippetop");
    TCase *c = tcase_create("tippetop");
    tcase_add_test(c, it_turns_over);
    tcase_add_test(c, the_cone_has_no_direction);
    tcase_add_test(c, without_its_stick_it_levels_off);
    tcase_add_test(c, drag_acts_afterwards);
    suite_add_tcase(s, c);
    return support_run(s);
}
