/* tests/simulate/test_scene_arch.c: the arch stands with enough friction and thickness, and falls
 * without. */
#include "sim_support.h"

static double moved(const char *mu, const char *thickness, const char *seconds)
{
    const char *const set[] = {mu, thickness, seconds, "voussoirs=9", "dt=0.01", NULL};
    double x[SIM_MEASURES_MOST];
    sim s;
    sim_begin(&s, &sim_arch, set);
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_int_ge(sim_step(&s, &r), 0);
    }
    s.scene->measure(&s, x);
    sim_close(&s);
    return x[0];
}

START_TEST(stands)
{
    ck_assert_double_le(moved("mu=0.6", "thickness=0.25", "seconds=1"), 1e-6);
}
END_TEST

START_TEST(slides)
{
    ck_assert_double_ge(moved("mu=0.15", "thickness=0.25", "seconds=0.6"), 0.1);
}
END_TEST

/* Thinner than the thrust line allows, whatever the friction. */
START_TEST(hinges)
{
    ck_assert_double_ge(moved("mu=2", "thickness=0.08", "seconds=0.8"), 0.05);
}
END_TEST

/* The symmetric ring: its moments are those of the whole, by the parallel axes. */
START_TEST(ring)
{
    static const char *const set[] = {"voussoirs=7", NULL};
    sim s;
    sim_begin(&s, &sim_arch, set);
    double mass = 0, about = 0;
    for (int k = 0; k < 7; k++) {
        const perp_body *b = s.world.body + k;
        mass += b->mass;
        about += b->inertia[4] +
                 b->mass * (pow(b->position[0], 2) + pow(b->position[2], 2)); /* about y */
    }
    double outer = pow(1.125, 2), inner = pow(0.875, 2);
    ck_assert_double_eq_tol(mass, 2400 * SIM_PI / 2 * (outer - inner) * 0.4, 1e-9 * mass);
    ck_assert_double_eq_tol(about, mass * (outer + inner) / 2, 1e-9 * about);
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_arch");
    TCase *c = tcase_create("arch");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, stands);
    tcase_add_test(c, slides);
    tcase_add_test(c, hinges);
    tcase_add_test(c, ring);
    suite_add_tcase(s, c);
    return support_run(s);
}
