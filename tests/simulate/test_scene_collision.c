/* tests/simulate/test_scene_collision.c: the velocity after a collision, for every restitution. */
#include "sim_support.h"

static void collide(const char *e, double out[SIM_MEASURES_MOST])
{
    const char *const set[] = {e, NULL};
    sim s;
    sim_begin(&s, &sim_collision, set);
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_int_eq(sim_step(&s, &r), 0);
        s.scene->measure(&s, out);
        ck_assert_double_le(out[2], 1e-10); /* before or after, and nothing else */
    }
    sim_close(&s);
}

START_TEST(restitution)
{
    double x[SIM_MEASURES_MOST];
    collide("e=0.5", x);
    ck_assert(fabs(x[0] - 1) <= 1e-12 && fabs(x[1] - 1) <= 1e-10);
    collide("e=0", x);
    ck_assert_double_le(fabs(x[1]), 1e-10);
    collide("e=1", x);
    ck_assert_double_le(fabs(x[1] - 2), 1e-10);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_collision");
    TCase *c = tcase_create("collision");
    tcase_add_test(c, restitution);
    suite_add_tcase(s, c);
    return support_run(s);
}
