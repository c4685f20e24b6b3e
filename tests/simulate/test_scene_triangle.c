/* tests/simulate/test_scene_triangle.c: the exact cone closes the triangle at every angle; inner
 * pyramids do so where the legs are aligned with them, and better with more facets. */
#include "sim_support.h"

/* The closing error, or the mean distance from the exact ball; by `solver` with local = lemke where
 * that is not NULL. */
static double round_trip_by(const char *solver, const char *angle, perp_rigid_form form, int facets,
                            int which)
{
    const char *const set[] = {angle, "dt=0.05", NULL};
    sim s;
    double x[SIM_MEASURES_MOST];
    sim_begin(&s, &sim_triangle, set);
    bool cones = form == PERP_RIGID_FORM_FC3D_LOCAL;
    perp_options *o = perp_options_new(&s.arena, solver  ? solver
                                                 : cones ? "fc3d/nsgs"
                                                         : "lcp/lemke");
    if (solver) perp_options_set(o, "local", "lemke", NULL); /* fc3d/facets has none */
    o->tol = 1e-14;
    s.step.solver = o;
    s.step.form = form;
    s.step.facets = facets;
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_int_ge(sim_step(&s, &r), 0);
        if (solver) ck_assert_double_le(r.model_residual, 1e-13);
        if (!solver) ck_assert(isnan(r.model_residual));
    }
    s.scene->measure(&s, x);
    sim_close(&s);
    return x[which];
}

static double round_trip(const char *angle, perp_rigid_form form, int facets, int which)
{
    return round_trip_by(NULL, angle, form, facets, which);
}

START_TEST(the_cone_closes_it)
{
    ck_assert_double_le(round_trip("angle=0", PERP_RIGID_FORM_FC3D_LOCAL, 0, 0), 1e-12);
    ck_assert_double_le(round_trip("angle=17", PERP_RIGID_FORM_FC3D_LOCAL, 0, 0), 1e-12);
    ck_assert_double_le(round_trip("angle=17", PERP_RIGID_FORM_FC3D_LOCAL, 0, 1), 1e-12);
}
END_TEST

START_TEST(pyramids_close_it_when_aligned)
{
    ck_assert_double_le(round_trip("angle=0", PERP_RIGID_FORM_LCP_FACETS, 6, 0), 1e-12);
    ck_assert_double_le(round_trip("angle=0", PERP_RIGID_FORM_LCP_FACETS, 12, 0), 1e-12);
    double last = INFINITY;
    for (int facets = 4; facets <= 16; facets *= 2) {
        double error = round_trip("angle=17", PERP_RIGID_FORM_LCP_FACETS, facets, 1);
        ck_assert_double_lt(error, last);
        last = error;
    }
    ck_assert_double_gt(last, 0.02);
}
END_TEST

/* One contact: sweeps with Lemke's method in each contact, and facets, move the ball as Lemke's
 * method on the whole does, step by step from the impulse of the last. */
START_TEST(pyramids_agree)
{
    static const char *const solvers[] = {"fc3d/nsgs", "fc3d/nncg", "fc3d/facets"};
    for (int which = 0; which < 2; which++) {
        double lemke = round_trip("angle=10", PERP_RIGID_FORM_LCP_FACETS, 8, which);
        for (int k = 0; k < 3; k++) {
            double own =
                round_trip_by(solvers[k], "angle=10", PERP_RIGID_FORM_FC3D_LOCAL, 0, which);
            ck_assert_double_eq_tol(own, lemke, 1e-10);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_triangle");
    TCase *c = tcase_create("triangle");
    tcase_add_test(c, the_cone_closes_it);
    tcase_add_test(c, pyramids_close_it_when_aligned);
    tcase_add_test(c, pyramids_agree);
    suite_add_tcase(s, c);
    return support_run(s);
}
