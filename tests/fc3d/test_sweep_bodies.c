/* tests/fc3d/test_sweep_bodies.c: sweeps in the velocities of bodies do what sweeps with W do. */
#include "sweep_support.h"

START_TEST(like_the_textbook)
{
    for (int v = 0; v < 6; v++) {
        perp_arena a = {0};
        generated_problem g = fc3d_generate("fc3d_body_known", NULL, 12, (uint64_t)v + 1, &a);
        sweep_test t = {plain_options, &perp_sweep_bodies, 6};
        sweep_problem(&g.p, t);
        t.o.order = PERP_ORDER_COLOURED;
        t.o.threads = 1 + v % 3;
        sweep_problem(&g.p, t);
        perp_arena_free(&a);
    }
}
END_TEST

/* Spheres on each other: every contact with the box has one body. */
START_TEST(packing)
{
    perp_arena a = {0};
    generated_problem g = fc3d_generate("packing", "fc3d_body", 20, 2, &a);
    sweep_test t = {plain_options, &perp_sweep_bodies, 4};
    sweep_problem(&g.p, t);
    t.o.order = PERP_ORDER_COLOURED;
    t.o.threads = 2;
    sweep_problem(&g.p, t);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_sweep_bodies");
    TCase *t = tcase_create("fc3d_sweep_bodies");
    tcase_add_test(t, like_the_textbook);
    tcase_add_test(t, packing);
    suite_add_tcase(s, t);
    return support_run(s);
}
