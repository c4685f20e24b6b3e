/* tests/linalg/test_gram.c: entries of A'A and products with columns, against loops, in every
 * format. */
#include "linalg/gram.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double entry(generator *g)
{
    return generator_uniform(g);
}

static double column_dot(const random_matrix *R, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < R->A.m; k++) sum += R->full[k][i] * R->full[k][j];
    return sum;
}

static void compare(const random_matrix *R, const perp_matrix *A)
{
    int m = A->m, n = A->n, set[3] = {n - 1, 0, n / 2}, k = n > 2 ? 3 : n;
    perp_arena a = {0};
    perp_gram g;
    double b[3], r[RANDOM_MOST], y[RANDOM_MOST], x[3] = {1, -2, 0.5};
    ck_assert(perp_gram_open(&g, A, &a));
    for (int i = 0; i < m; i++) r[i] = y[i] = i + 1;
    for (int j = n - 1; j >= 0; j--) {
        double sum = 0;
        perp_gram_gather(&g, j, k, set, b);
        for (int p = 0; p < k; p++) ck_assert(fabs(b[p] - column_dot(R, set[p], j)) < 1e-12);
        ck_assert(fabs(perp_gram_square(&g, j) - column_dot(R, j, j)) < 1e-12);
        for (int i = 0; i < m; i++) sum += R->full[i][j] * r[i];
        ck_assert(fabs(perp_gram_dot(&g, j, r) - sum) < 1e-11);
    }
    perp_gram_add(&g, k, set, -2, x, y);
    for (int i = 0; i < m; i++) {
        for (int p = 0; p < k; p++) y[i] += 2 * R->full[i][set[p]] * x[p];
        ck_assert(fabs(y[i] - r[i]) < 1e-11);
    }
    perp_arena_free(&a);
}

START_TEST(against_loops)
{
    static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC};
    static const int sizes[][2] = {{1, 1}, {2, 5}, {7, 3}, {16, 16}, {32, 20}, {0, 4}};
    const random_entries e = {.draw = entry, .zeros = 0.3, .padding = NAN};
    generator g = generator_start(8);
    for (int k = 0; k < 12; k++) {
        const int *size = sizes[k / 2];
        random_matrix *R = random_matrix_new(formats[k % 2], size[0], size[1], &e, &g);
        perp_matrix op = as_operator(&R->A);
        compare(R, &R->A);
        compare(R, &op);
        free(R);
    }
}
END_TEST

/* One entry in sixteen makes a matrix thin, one in two does not, and a small one stays. */
START_TEST(thin)
{
    enum { N = 80 };
    perp_arena a = {0};
    double *x = perp_alloc(&a, N * N, sizeof *x);
    perp_matrix A = perp_dense(N, N, x), out;
    for (int step = 2; step <= 16; step *= 8) {
        for (int k = 0; k < N * N; k++) x[k] = k % step == 0;
        ck_assert(!perp_gram_thin(&A, &a, &out));
        ck_assert_int_eq(out.format, step == 2 ? PERP_FORMAT_DENSE : PERP_FORMAT_CSC);
    }
    ck_assert_int_eq(out.as.csc.p[N], N * N / 16);
    A = perp_dense(20, 20, x);
    ck_assert(!perp_gram_thin(&A, &a, &out) && out.format == PERP_FORMAT_DENSE);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    const double x[2] = {1, 2};
    perp_matrix A = perp_dense(2, 1, x), op = as_operator(&A);
    perp_gram g;
    supply c = {.left = 0};
    perp_arena a = {.resize = scarce, .ctx = &c};
    ck_assert(!perp_gram_open(&g, &op, &a));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gram");
    TCase *t = tcase_create("gram");
    tcase_add_test(t, against_loops);
    tcase_add_test(t, thin);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
