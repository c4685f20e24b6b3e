/* tests/test_fc3d_columns.c: sweeps in local form, by columns and by coloured rows. */
#include "sweep_support.h"

START_TEST(like_the_textbook)
{
    for (int v = 0; v < 6; v++) {
        perp_arena a = {0};
        generated_problem g =
            fc3d_generate(v % 2 ? "fc3d_edge" : "fc3d_known", NULL, 12, (uint64_t)v + 1, &a);
        sweep_test t = {plain_options, PERP_SWEEP_COLUMNS, 6};
        sweep_problem(&g.p, t);
        t.o.order = PERP_ORDER_COLOURED;
        t.kind = PERP_SWEEP_ROWS;
        t.o.threads = 1 + v % 3;
        sweep_problem(&g.p, t);
        perp_arena_free(&a);
    }
}
END_TEST

/* A full, nonsymmetric W, which is where rows and columns differ. */
START_TEST(nonsymmetric)
{
    enum { N = 12 };
    generator g = generator_start(3);
    double W[N * N], q[N], mu[N / 3];
    for (int k = 0; k < N * N; k++) W[k] = 0.1 * generator_uniform(&g) + (k % (N + 1) == 0);
    for (int k = 0; k < N; k++) q[k] = generator_uniform(&g) - (k % 3 == 0);
    for (int k = 0; k < N / 3; k++) mu[k] = 0.3;
    for (int format = 0; format < 3; format++) {
        perp_arena a = {0};
        perp_matrix dense = perp_dense(N, N, W);
        perp_problem p = perp_make_fc3d(N / 3, in_format(format, &dense, &a), q, mu);
        sweep_test t = {plain_options, PERP_SWEEP_COLUMNS, 5};
        sweep_problem(&p, t);
        t.o.order = PERP_ORDER_COLOURED;
        t.kind = PERP_SWEEP_ROWS;
        sweep_problem(&p, t);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_columns");
    TCase *t = tcase_create("fc3d_columns");
    tcase_add_test(t, like_the_textbook);
    tcase_add_test(t, nonsymmetric);
    suite_add_tcase(s, t);
    return support_run(s);
}
