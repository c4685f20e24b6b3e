/* tests/simulate/test_scene_column.c: the energy of the elastic column stays, whichever solver;
 * with theta = 1 or e < 1 it falls. */
#include "sim_support.h"

START_TEST(the_energy_stays)
{
    const struct {
        const char *solver;
        perp_rigid_form form;
    } row[] = {{"fc3d/nsgs", PERP_RIGID_FORM_FC3D_LOCAL}, {"lcp/lemke", PERP_RIGID_FORM_LCP}};
    static double kinetic[2][600];
    for (int k = 0; k < 2; k++) {
        sim s;
        perp_step_report r;
        sim_begin(&s, &sim_column, NULL);
        perp_options *o = perp_options_new(&s.arena, row[k].solver);
        o->tol = 1e-13;
        o->max_iter = 100000;
        s.step.solver = o;
        s.step.form = row[k].form;
        double first = 0, met = 0;
        for (int n = 0; n < 600; n++) {
            ck_assert_int_eq(sim_step(&s, &r), PERP_SOLVED);
            if (n == 0) first = sim_energy(&r);
            ck_assert_double_le(fabs(sim_energy(&r) - first), 1e-12 * first);
            kinetic[k][n] = r.kinetic;
            met += r.contacts;
        }
        ck_assert_double_gt(met, 50);
        sim_close(&s);
    }
    ck_assert_double_le(difference(600, kinetic[0], kinetic[1]), 1e-9);
}
END_TEST

START_TEST(soft_impacts_take_energy)
{
    const char *const soft[] = {"restitution=0.9", NULL};
    sim s;
    perp_step_report r;
    sim_begin(&s, &sim_column, soft);
    double first = 0;
    for (int n = 0; n < 600; n++) {
        ck_assert_int_eq(sim_step(&s, &r), PERP_SOLVED);
        if (n == 0) first = sim_energy(&r);
    }
    ck_assert_double_le(sim_energy(&r), 0.9 * first);
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_column");
    TCase *c = tcase_create("column");
    tcase_add_test(c, the_energy_stays);
    tcase_add_test(c, soft_impacts_take_energy);
    suite_add_tcase(s, c);
    return support_run(s);
}
