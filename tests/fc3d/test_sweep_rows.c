/* tests/fc3d/test_sweep_rows.c: sweeps in local form by rows of W, coloured, on several threads. */
#include "sweep_support.h"

START_TEST(like_the_textbook)
{
    for (int v = 0; v < 6; v++) {
        perp_arena a = {0};
        generated_problem g =
            fc3d_generate(v % 2 ? "fc3d_edge" : "fc3d_known", NULL, 12, (uint64_t)v + 1, &a);
        sweep_test t = {plain_options, &perp_sweep_rows, 6};
        t.o.order = PERP_ORDER_COLOURED;
        t.o.threads = 1 + v % 3;
        sweep_problem(&g.p, t);
        perp_arena_free(&a);
    }
}
END_TEST

/* Enough contacts for several parts, in an order that is not the given one. */
START_TEST(packing)
{
    perp_arena a = {0};
    generated_problem g = fc3d_generate("packing", "fc3d", 60, 2, &a);
    sweep_test t = {plain_options, &perp_sweep_rows, 4};
    t.o.order = PERP_ORDER_COLOURED;
    t.o.threads = 2;
    sweep_problem(&g.p, t);
    perp_arena_free(&a);
}
END_TEST

/* A full, nonsymmetric W, which is where rows and columns differ. */
START_TEST(nonsymmetric)
{
    sweep_test t = {plain_options, &perp_sweep_rows, 5};
    t.o.order = PERP_ORDER_COLOURED;
    sweep_nonsymmetric(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_sweep_rows");
    TCase *t = tcase_create("fc3d_sweep_rows");
    tcase_add_test(t, like_the_textbook);
    tcase_add_test(t, packing);
    tcase_add_test(t, nonsymmetric);
    suite_add_tcase(s, t);
    return support_run(s);
}
