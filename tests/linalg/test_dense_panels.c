/* tests/linalg/test_dense_panels.c: factorisations by panels against what they are factors of, and
 * where they stop. */
#include "linalg/dense_panels.h"

#include "factor_support.h"
#include "generate.h"
#include "linalg/dense.h"

#define N 700 /* two panels and a last one; more than one call of LAPACK would take */

static double *matrix_of(generator *g, int n, double diagonal)
{
    size_t size = (size_t)n;
    double *A = malloc(size * size * sizeof *A);
    for (size_t k = 0; k < size * size; k++) A[k] = generator_uniform(g);
    for (size_t j = 0; j < size; j++) {
        for (size_t i = 0; i < j && diagonal > 0; i++) A[j * size + i] = A[i * size + j];
        A[j * (size + 1)] += diagonal;
    }
    return A;
}

static double *copy_of(const double *A, int n)
{
    size_t bytes = (size_t)n * (size_t)n * sizeof *A;
    return memcpy(malloc(bytes), A, bytes);
}

/* b = A x, plainly. */
static void product(int n, const double *A, const double *x, double *b)
{
    for (int i = 0; i < n; i++) b[i] = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) b[i] += A[(size_t)j * (size_t)n + (size_t)i] * x[j];
    }
}

static double largest_difference(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* Whoever watches, the bits are the same. */
START_TEST(lu_solves)
{
    generator g = generator_start(3);
    for (int n = PERP_DENSE_WHOLE - 1; n <= N; n += n < 513 ? 1 : 187) {
        double *A = matrix_of(&g, n, 0), *F = copy_of(A, n), *G = copy_of(A, n);
        double x[N], b[N];
        int pivot[N], other[N];
        countdown c = {.left = 1 << 30};
        perp_watch watch = {.stop = count_down, .ctx = &c};
        for (int i = 0; i < n; i++) x[i] = 1 + i % 7;
        product(n, A, x, b);
        ck_assert_int_eq(perp_lu_factor(n, F, n, pivot, NULL), 0);
        ck_assert_int_eq(perp_lu_factor(n, G, n, other, &watch), 0);
        ck_assert_int_eq(memcmp(F, G, (size_t)n * (size_t)n * sizeof *F), 0);
        ck_assert_int_eq(memcmp(pivot, other, (size_t)n * sizeof *pivot), 0);
        perp_lu_solve(n, F, n, pivot, false, 1, b);
        ck_assert_double_lt(largest_difference(n, x, b), 1e-8);
        free(A);
        free(F);
        free(G);
    }
}
END_TEST

START_TEST(lu_finds_what_is_singular)
{
    generator g = generator_start(4);
    double *A = matrix_of(&g, N, 0);
    int pivot[N];
    for (int i = 0; i < N; i++) A[(size_t)N * 600 + (size_t)i] = 0;
    ck_assert_int_eq(perp_lu_factor(N, A, N, pivot, NULL), 601);
    A[5] = NAN;
    ck_assert_int_eq(perp_lu_factor(N, A, N, pivot, NULL), 1);
    free(A);
}
END_TEST

/* What is done between two looks is at most what one call of the BLAS may take, and a stopped
 * factorisation does not look again. */
START_TEST(lu_stops_at_each_look)
{
    generator g = generator_start(5);
    double *A = matrix_of(&g, N, 0), *F = malloc((size_t)N * N * sizeof *F);
    int pivot[N];
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    memcpy(F, A, (size_t)N * N * sizeof *F);
    ck_assert_int_eq(perp_lu_factor(N, F, N, pivot, &watch), 0);
    int looks = c.looks;
    ck_assert_double_ge(looks, (double)N * N * N / 3 / PERP_DENSE_MOST);
    ck_assert_int_ge(looks, 4);
    for (int left = 0; left < looks; left++) {
        c = (countdown){.left = left};
        memcpy(F, A, (size_t)N * N * sizeof *F);
        for (int j = 0; j < N; j++) pivot[j] = -1;
        ck_assert_int_eq(perp_lu_factor(N, F, N, pivot, &watch), PERP_STOPPED);
        ck_assert_int_eq(c.looks, left + 1);
        for (int j = 0; j < N; j++) ck_assert(pivot[j] > j && pivot[j] <= N);
    }
    free(A);
    free(F);
}
END_TEST

START_TEST(cholesky_solves_and_stops)
{
    generator g = generator_start(6);
    double *A = matrix_of(&g, N, N), *F = copy_of(A, N), *G = copy_of(A, N), x[N], b[N];
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    for (int i = 0; i < N; i++) x[i] = 1 + i % 7;
    product(N, A, x, b);
    ck_assert_int_eq(perp_cholesky_factor(N, F, N, NULL), 0);
    ck_assert_int_eq(perp_cholesky_factor(N, G, N, &watch), 0);
    ck_assert_int_eq(memcmp(F, G, (size_t)N * N * sizeof *F), 0);
    perp_cholesky_solve(N, F, N, 1, b);
    ck_assert_double_lt(largest_difference(N, x, b), 1e-12);
    int looks = c.looks;
    ck_assert_int_ge(looks, 3);
    for (int left = 0; left < looks; left++) {
        c = (countdown){.left = left};
        memcpy(F, A, (size_t)N * N * sizeof *F);
        ck_assert_int_eq(perp_cholesky_factor(N, F, N, &watch), PERP_STOPPED);
        ck_assert_int_eq(c.looks, left + 1);
    }
    memcpy(F, A, (size_t)N * N * sizeof *F);
    F[(size_t)N * 300 + 300] = -1; /* in the third panel */
    ck_assert_int_eq(perp_cholesky_factor(N, F, N, NULL), 301);
    free(A);
    free(F);
    free(G);
}
END_TEST

START_TEST(a_triangle_is_inverted)
{
    generator g = generator_start(7);
    double *L = matrix_of(&g, N, N), *inverse = copy_of(L, N), x[N], b[N], y[N];
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    for (size_t j = 0; j < N; j++) {
        for (size_t i = 0; i < j; i++) L[j * N + i] = inverse[j * N + i] = 0;
    }
    for (int i = 0; i < N; i++) x[i] = 1 + i % 7;
    ck_assert_int_eq(perp_triangle_invert(N, inverse, N, &watch), 0);
    product(N, L, x, b);
    product(N, inverse, b, y);
    ck_assert_double_lt(largest_difference(N, x, y), 1e-12);
    ck_assert_int_ge(c.looks, 2);
    c = (countdown){.left = 1};
    ck_assert_int_eq(perp_triangle_invert(N, L, N, &watch), PERP_STOPPED);
    ck_assert_int_eq(c.looks, 2);
    L[(size_t)N * 100 + 100] = 0;
    ck_assert_int_eq(perp_triangle_invert(N, L, N, NULL), 101);
    free(L);
    free(inverse);
}
END_TEST

/* Products and solves of many columns are made in slabs. */
START_TEST(products_stop)
{
    generator g = generator_start(8);
    double *A = matrix_of(&g, N, N), *B = matrix_of(&g, N, 0), *C = copy_of(A, N);
    double *D = copy_of(B, N);
    int pivot[N];
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    ck_assert(perp_dense_product(N, N, N, A, N, B, N, 0, C, N, &watch));
    ck_assert_double_ge(c.looks, (double)N * N * N / PERP_DENSE_MOST - 1);
    ck_assert(perp_dense_product_t(N, N, N, A, N, B, N, D, N, NULL)); /* A = A' */
    ck_assert_double_lt(largest_difference(N * N, C, D), 1e-9);
    ck_assert_int_eq(perp_lu_factor(N, A, N, pivot, NULL), 0);
    ck_assert(perp_lu_solve_many(N, A, N, pivot, N, C, NULL));
    ck_assert_double_lt(largest_difference(N * N, B, C), 1e-12);
    c = (countdown){.left = 1};
    ck_assert(!perp_dense_product(N, N, N, A, N, B, N, 0, C, N, &watch));
    c = (countdown){.left = 1};
    ck_assert(!perp_dense_product_t(N, N, N, A, N, B, N, C, N, &watch));
    c = (countdown){.left = 1};
    ck_assert(!perp_lu_solve_many(N, A, N, pivot, N, B, &watch));
    ck_assert_int_eq(c.looks, 2);
    free(A);
    free(B);
    free(C);
    free(D);
}
END_TEST

/* Slabs of both triangles, held against the product; a column count that no slab divides. */
START_TEST(gram)
{
    enum { ROWS = N - 3 };
    generator g = generator_start(9);
    double *A = matrix_of(&g, N, 0), *C = copy_of(A, N), *D = copy_of(A, N);
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    ck_assert(perp_dense_gram(N, ROWS, A, N, C, N, &watch));
    ck_assert_double_ge(c.looks, (double)N * N * ROWS / PERP_DENSE_MOST - 1);
    ck_assert(perp_dense_product_t(N, N, ROWS, A, N, A, N, D, N, NULL));
    ck_assert_double_lt(largest_difference(N * N, C, D), 1e-9);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < j; i++) ck_assert(C[i * N + j] == C[j * N + i]);
    }
    c = (countdown){.left = 1};
    ck_assert(!perp_dense_gram(N, ROWS, A, N, C, N, &watch));
    free(A);
    free(C);
    free(D);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dense_panels");
    TCase *t = tcase_create("dense_panels");
    tcase_add_test(t, lu_solves);
    tcase_add_test(t, lu_finds_what_is_singular);
    tcase_add_test(t, lu_stops_at_each_look);
    tcase_add_test(t, cholesky_solves_and_stops);
    tcase_add_test(t, a_triangle_is_inverted);
    tcase_add_test(t, products_stop);
    tcase_add_test(t, gram);
    suite_add_tcase(s, t);
    return support_run(s);
}
