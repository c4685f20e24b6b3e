/* tests/simulate/test_scene_erleben.c: the nine configurations have about as many constraints as
 * the paper's Table 1 says, what should stand stands, and friction is what holds it. */
#include "sim_support.h"

/* A case after some steps of NNCG; what is measured then. */
static void run(const char *const *set, int steps, double x[SIM_MEASURES_MOST])
{
    sim s;
    sim_begin(&s, &sim_erleben, set);
    perp_options *o = perp_options_new(&s.arena, "mcp/nncg");
    o->max_iter = 500;
    s.step.solver = o;
    for (int n = 0; n < steps; n++) {
        perp_step_report r;
        ck_assert_msg(sim_step(&s, &r) >= 0, "%s", r.detail);
    }
    s.scene->measure(&s, x);
    sim_close(&s);
}

START_TEST(counts_are_the_papers)
{
    static const struct {
        const char *name;
        int bodies, rows;
    } table[] = {{"case=a", 14, 171}, {"case=b", 30, 519}, {"case=c", 14, 156}, {"case=f", 9, 51},
                 {"case=g", 11, 42},  {"case=h", 15, 168}, {"case=i", 11, 30}};
    if (!sim_has_ode()) return;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const char *const set[] = {table[k].name, NULL};
        double x[SIM_MEASURES_MOST];
        run(set, 2, x);
        ck_assert_double_eq(x[0] + x[1], table[k].bodies);
        ck_assert_msg(fabs(x[2] - table[k].rows) <= 0.1 * table[k].rows, "%s: %g rows",
                      table[k].name, x[2]);
        if (strcmp(table[k].name, "case=i")) ck_assert_double_le(x[3], 1e-6); /* it stands */
    }
}
END_TEST

START_TEST(gears_come_to_rest)
{
    const char *const set[] = {"case=4", NULL};
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    run(set, 50, x);
    ck_assert_double_eq(x[0], 6);
    ck_assert_double_ge(x[2], 0.8 * 216);
    ck_assert_double_le(x[2], 1.2 * 216);
    ck_assert_double_le(x[3], 0.5);
}
END_TEST

START_TEST(friction_holds_the_boxes)
{
    const char *const little[] = {"case=a", "mu=0.2", NULL}, *const enough[] = {"case=a", "mu=0.3",
                                                                                NULL};
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    run(enough, 20, x);
    ck_assert_double_le(x[3], 1e-6);
    run(little, 20, x);
    double fall = 0.5 * SIM_GRAVITY * (sin(SIM_PI / 12) - 0.2 * cos(SIM_PI / 12)) * 0.2 * 0.2;
    ck_assert_double_eq_tol(x[3], fall, 0.1 * fall);
}
END_TEST

START_TEST(the_loop_of_hinges_is_rigid)
{
    const char *const sticks[] = {"case=g", NULL}, *const slips[] = {"case=g", "mu=0.05", NULL};
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    run(sticks, 50, x);
    ck_assert_double_le(x[3], 1e-6);
    run(slips, 50, x);
    ck_assert_double_ge(x[3], 0.05);
}
END_TEST

START_TEST(odd_teeth_are_refused)
{
    sim s;
    perp_error e = {.status = PERP_SOLVED};
    if (!sim_has_ode()) return;
    sim_open(&s, &sim_erleben);
    ck_assert_int_eq(sim_set(&s, "teeth", "7", &e), PERP_SOLVED);
    ck_assert_int_eq(sim_build(&s, &e), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(e.text, "even"));
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_erleben");
    TCase *c = tcase_create("erleben");
    tcase_add_test(c, counts_are_the_papers);
    tcase_add_test(c, gears_come_to_rest);
    tcase_add_test(c, friction_holds_the_boxes);
    tcase_add_test(c, the_loop_of_hinges_is_rigid);
    tcase_add_test(c, odd_teeth_are_refused);
    suite_add_tcase(s, c);
    return support_run(s);
}
