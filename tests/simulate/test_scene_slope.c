/* tests/simulate/test_scene_slope.c: the constrained motion is the projection of the free one. */
#include "sim_support.h"

static void slide(const char *angle, const char *order, double out[SIM_MEASURES_MOST])
{
    const char *const set[] = {angle, order, NULL};
    sim s;
    sim_begin(&s, &sim_slope, set);
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_int_eq(sim_step(&s, &r), 0);
        ck_assert_int_eq(r.contacts, 1);
        ck_assert_double_le(r.overlap, 1e-12);
    }
    s.scene->measure(&s, out);
    sim_close(&s);
}

START_TEST(second_order)
{
    double x[SIM_MEASURES_MOST];
    slide("angle=30", "order=2", x);
    ck_assert_double_eq_tol(x[0], SIM_GRAVITY / 2, 1e-9);
    ck_assert_double_le(x[2], 1e-9);
    slide("angle=0", "order=2", x);
    ck_assert_double_le(x[0], 1e-12);
    slide("angle=80", "order=2", x);
    ck_assert_double_le(x[2], 1e-9);
}
END_TEST

START_TEST(first_order)
{
    double x[SIM_MEASURES_MOST];
    slide("angle=30", "order=1", x);
    ck_assert_double_eq_tol(x[0], SIM_GRAVITY / 2, 1e-9);
    ck_assert_double_le(x[2], 1e-9);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_slope");
    TCase *c = tcase_create("slope");
    tcase_add_test(c, second_order);
    tcase_add_test(c, first_order);
    suite_add_tcase(s, c);
    return support_run(s);
}
