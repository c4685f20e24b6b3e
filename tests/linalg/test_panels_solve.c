/* tests/linalg/test_panels_solve.c: solves with panels of every width. */
#include "ldl_support.h"

#define CLIQUES 12

/* Cliques of k + b nodes with b in common: panels of k columns with b further rows. */
static lower cliques(generator *g, int k, int b)
{
    int n = CLIQUES * k + b, count = 0;
    size_t most = (size_t)n * (size_t)n;
    lower K = {.n = n};
    K.p = calloc((size_t)n + 1, sizeof *K.p);
    K.i = malloc(most * sizeof *K.i);
    K.x = malloc(most * sizeof *K.x);
    K.negative = calloc((size_t)n, sizeof *K.negative);
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            if (i < CLIQUES * k && i / k != j / k) continue;
            K.i[count] = i;
            K.x[count++] = i == j ? (j % 3 == 0 ? -n : n) : generator_uniform(g);
        }
        K.negative[j] = j % 3 == 0;
        K.p[j + 1] = count;
    }
    return K;
}

START_TEST(solves_with_panels_of_any_width)
{
    generator g = generator_start(6);
    bool seen[10][10] = {{false}};
    for (int k = 1; k < 10; k++) {
        for (int b = 0; b < 10; b++) {
            perp_arena a = {0};
            perp_ldl f;
            lower K = cliques(&g, k, b);
            check_solve(&K, &a, &g);
            ck_assert(perp_ldl_open(&f, &a, K.n, K.p, K.i, K.negative));
            int width = perp_super_width(&f.panels.of, 0), count = f.panels.of.count[0];
            if (width < 10 && count < 10) seen[width][count] = true;
            discard_lower(K);
            perp_arena_free(&a);
        }
    }
    for (int k = 2; k < 10; k++) {
        for (int b = 1; b < 10; b++) ck_assert(seen[k][b]);
    }
}
END_TEST

/* Blocks of a wide panel, rows in several tiles, and updates that are left to BLAS. */
START_TEST(solves_with_wide_panels)
{
    static const int sizes[][2] = {{47, 3}, {48, 200}, {49, 129}, {110, 300}};
    generator g = generator_start(7);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        perp_arena a = {0};
        lower K = cliques(&g, sizes[s][0], sizes[s][1]);
        check_solve(&K, &a, &g);
        discard_lower(K);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(right_hand_side_may_be_the_solution)
{
    generator g = generator_start(8);
    perp_arena a = {0};
    perp_ldl f;
    lower K = cliques(&g, 5, 3);
    double *b = calloc((size_t)K.n, sizeof *b), *x = calloc((size_t)K.n, sizeof *x);
    for (int j = 0; j < K.n; j++) b[j] = generator_uniform(&g);
    ck_assert(perp_ldl_open(&f, &a, K.n, K.p, K.i, K.negative));
    ck_assert_int_eq(perp_ldl_compute(&f, K.x, 1e-14, 1e-7), 0);
    perp_ldl_solve(&f, b, x);
    perp_ldl_solve(&f, b, b);
    ck_assert_mem_eq(b, x, (size_t)K.n * sizeof *x);
    free(b);
    free(x);
    discard_lower(K);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("panels_solve");
    TCase *t = tcase_create("panels_solve");
    tcase_add_test(t, solves_with_panels_of_any_width);
    tcase_add_test(t, solves_with_wide_panels);
    tcase_add_test(t, right_hand_side_may_be_the_solution);
    suite_add_tcase(s, t);
    return support_run(s);
}
