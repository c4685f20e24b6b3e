/* tests/simulate/test_sim.c: parameters, bodies and shapes of a scene. */
#include "sim_support.h"

START_TEST(parameters_are_checked)
{
    sim s;
    perp_error e;
    sim_open(&s, &sim_settling);
    ck_assert_double_eq(sim_get(&s, "spheres"), 320);
    ck_assert(isnan(sim_get(&s, "nothing")));
    ck_assert_int_eq(sim_set(&s, "spheres", "80", &e), PERP_SOLVED);
    ck_assert_double_eq(sim_get(&s, "spheres"), 80);
    ck_assert_int_eq(sim_set(&s, "sphere", "80", &e), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(e.text, "sphere"));
    const char *const bad[] = {"80.5", "0", "-3", "x", "", "8x", "nan", "1e99"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        ck_assert_int_eq(sim_set(&s, "spheres", bad[k], &e), PERP_E_OPTION);
    ck_assert_double_eq(sim_get(&s, "spheres"), 80);
    ck_assert_int_eq(sim_set(&s, "spheres", "x", NULL), PERP_E_OPTION);
    sim_close(&s);
    sim_open(&s, &sim_erleben);
    ck_assert_int_eq(sim_set(&s, "case", "c", &e), PERP_SOLVED);
    ck_assert_double_eq(sim_get(&s, "case"), 3);
    ck_assert_int_eq(sim_set(&s, "case", "j", &e), PERP_E_OPTION);
    ck_assert_int_eq(sim_set(&s, "case", "cc", &e), PERP_E_OPTION);
    ck_assert_int_eq(sim_set(&s, "teeth", "h", &e), PERP_E_OPTION);
    sim_close(&s);
}
END_TEST

START_TEST(shapes_are_numbered_within_their_body)
{
    sim s;
    sim_open(&s, &sim_column);
    ck_assert(sim_room(&s, 2, 6));
    const double at[3] = {1, 2, 3}, half[3] = {1, 2, 3}, down[3] = {0, 0, -2};
    int ball = sim_add_sphere(&s, 2, 0.5, at), box = sim_add_box(&s, 6, half, at);
    ck_assert_int_eq(sim_add_body(&s, s.world.body[0]), -1); /* full */
    ck_assert_double_eq_tol(s.world.body[ball].inertia[4], 0.2, 1e-15);
    ck_assert_double_eq_tol(s.world.body[box].inertia[0], 2 * 13, 1e-13);
    sim_add_shape(&s, (sim_shape){.kind = SIM_SPHERE, .body = box, .size = {1}});
    ck_assert_int_eq(s.shape[2].part, 1);
    int plane = sim_add_plane(&s, at, down);
    double x[3], R[9];
    sim_shape_pose(s.shape + plane, s.world.body, x, R);
    const double want[3] = {0, 0, -1};
    ck_assert_double_le(difference(3, R + 6, want), 1e-15);
    const double slanted[3] = {3, -4, 12};
    plane = sim_add_plane(&s, at, slanted);
    sim_shape_pose(s.shape + plane, s.world.body, x, R);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(R[6 + i], slanted[i] / 13, 1e-15);
    ck_assert_int_ne(s.shape[plane].part, s.shape[plane - 1].part);
    sim_set_contact(&s, 0.3, 0.7);
    ck_assert(s.shape[0].mu == 0.3 && s.shape[4].restitution == 0.7);
    sim_close(&s);
}
END_TEST

static bool build_nothing(sim *s, perp_error *e)
{
    (void)s, (void)e;
    return false;
}

START_TEST(a_scene_that_cannot_be_built_says_why)
{
    sim_scene none = sim_column;
    none.build = build_nothing;
    sim s;
    perp_error e;
    sim_open(&s, &none);
    ck_assert_int_eq(sim_build(&s, &e), PERP_E_MEMORY);
    ck_assert_ptr_nonnull(strstr(e.text, "column"));
    sim_close(&s);
    none.ode = true;
    sim_open(&s, &none);
    ck_assert_int_eq(sim_build(&s, NULL), sim_has_ode() ? PERP_E_MEMORY : PERP_E_FORMAT);
    sim_close(&s);
}
END_TEST

START_TEST(random_numbers_are_in_range)
{
    uint64_t state = 1;
    double sum = 0;
    for (int k = 0; k < 10000; k++) {
        double x = sim_random(&state);
        ck_assert(x >= 0 && x < 1);
        sum += x;
    }
    ck_assert_double_eq_tol(sum / 10000, 0.5, 0.02);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_sim");
    TCase *c = tcase_create("sim");
    tcase_add_test(c, parameters_are_checked);
    tcase_add_test(c, shapes_are_numbered_within_their_body);
    tcase_add_test(c, a_scene_that_cannot_be_built_says_why);
    tcase_add_test(c, random_numbers_are_in_range);
    suite_add_tcase(s, c);
    return support_run(s);
}
