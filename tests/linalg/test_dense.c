/* tests/linalg/test_dense.c: LU, Cholesky and QR against worked values and random families. */
#include "linalg/dense.h"

#include "generate.h"
#include "linalg/lapack.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *fill(generator *g, int m, int n, int ld)
{
    double *A = calloc((size_t)ld * (size_t)(n + 1) + 1, sizeof *A);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) A[(size_t)i + (size_t)j * (size_t)ld] = generator_uniform(g);
    }
    return A;
}

static double *copy(const double *x, size_t count)
{
    double *y = malloc((count + 1) * sizeof *y);
    memcpy(y, x, count * sizeof *y);
    return y;
}

/* y = A x or A' x, plainly */
static void multiply(int m, int n, const double *A, int ld, int transpose, const double *x,
                     double *y)
{
    for (int i = 0; i < (transpose ? n : m); i++) y[i] = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            double a = A[(size_t)i + (size_t)j * (size_t)ld];
            if (transpose)
                y[j] += a * x[i];
            else
                y[i] += a * x[j];
        }
    }
}

START_TEST(lu_by_hand)
{
    /* [0 2; 1 3] needs a row exchange; x = (1, 2): b = (4, 7), A' x = (2, 8) */
    double A[] = {0, 1, 2, 3}, b[] = {4, 7}, c[] = {2, 8};
    int pivot[2];
    ck_assert_int_eq(perp_lu_factor(2, A, 2, pivot, NULL), 0);
    ck_assert_int_eq(pivot[0], 2);
    perp_lu_solve(2, A, 2, pivot, false, 1, b);
    ck_assert_double_eq(b[0], 1);
    ck_assert_double_eq(b[1], 2);
    perp_lu_solve(2, A, 2, pivot, true, 1, c);
    ck_assert_double_eq(c[0], 1);
    ck_assert_double_eq(c[1], 2);
}
END_TEST

START_TEST(lu_fails_where_it_must)
{
    double rank1[] = {1, 2, 2, 4}, zero[] = {0}, empty_column[] = {1, 2, 0, 0};
    double with_nan[] = {1, 2, NAN, 5}, with_inf[] = {INFINITY, 1, 1, 1};
    /* 1e200 * 1e200 overflows at the last pivot */
    double large[] = {1e-200, 0, 1, 1e200};
    double overflow[] = {1, 1, -1e308, 1e308};
    int pivot[2];
    ck_assert_int_eq(perp_lu_factor(2, rank1, 2, pivot, NULL), 2);
    ck_assert_int_eq(perp_lu_factor(1, zero, 1, pivot, NULL), 1);
    ck_assert_int_eq(perp_lu_factor(2, empty_column, 2, pivot, NULL), 2);
    ck_assert_int_eq(perp_lu_factor(2, with_nan, 2, pivot, NULL), 2);
    ck_assert_int_eq(perp_lu_factor(2, with_inf, 2, pivot, NULL), 1);
    ck_assert_int_eq(perp_lu_factor(2, large, 2, pivot, NULL), 0);
    ck_assert_int_eq(perp_lu_factor(2, overflow, 2, pivot, NULL), 2);
}
END_TEST

START_TEST(lu_random)
{
    generator g = generator_start(1);
    for (int n = 1; n < 120; n += 7) {
        int ld = n + 3;
        double *A = fill(&g, n, n, ld), *LU = copy(A, (size_t)ld * (size_t)n);
        double *x = fill(&g, n, 2, n), *B = calloc((size_t)n * 2, sizeof *B);
        int *pivot = calloc((size_t)n, sizeof *pivot);
        ck_assert_int_eq(perp_lu_factor(n, LU, ld, pivot, NULL), 0);
        for (int transpose = 0; transpose < 2; transpose++) {
            multiply(n, n, A, ld, transpose, x, B);
            multiply(n, n, A, ld, transpose, x + n, B + n);
            perp_lu_solve(n, LU, ld, pivot, transpose, 2, B);
            ck_assert_double_lt(difference(2 * n, B, x), 1e-10);
        }
        free(A);
        free(LU);
        free(x);
        free(B);
        free(pivot);
    }
}
END_TEST

static void hilbert(int n, double *A)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) A[i + j * n] = 1.0 / (i + j + 1);
    }
}

START_TEST(lu_refines)
{
    /* An LU of a perturbed matrix: each step must gain what the perturbation lost. */
    enum { n = 30 };
    generator g = generator_start(2);
    double *A = fill(&g, n, n, n), *x = fill(&g, n, 1, n), b[n], y[n], work[n];
    for (int i = 0; i < n; i++) A[i + i * n] += 8;
    double *LU = copy(A, n * n);
    for (int k = 0; k < n * n; k++) LU[k] *= 1 + 1e-5 * generator_uniform(&g);
    int pivot[n];
    ck_assert_int_eq(perp_lu_factor(n, LU, n, pivot, NULL), 0);
    for (int transpose = 0; transpose < 2; transpose++) {
        multiply(n, n, A, n, transpose, x, b);
        memcpy(y, b, sizeof y);
        perp_lu_solve(n, LU, n, pivot, transpose, 1, y);
        double before = difference(n, y, x);
        ck_assert_double_gt(before, 1e-7);
        double estimate = perp_lu_refine(n, A, LU, n, pivot, transpose, b, y, work);
        ck_assert_double_gt(estimate, 0.1 * before);
        ck_assert_double_lt(estimate, 10 * before);
        ck_assert_double_lt(difference(n, y, x), 1e-4 * before);
        perp_lu_refine(n, A, LU, n, pivot, transpose, b, y, work);
        ck_assert_double_lt(perp_lu_refine(n, A, LU, n, pivot, transpose, b, y, work), 1e-14);
        ck_assert_double_lt(difference(n, y, x), 1e-14);
    }
    b[0] = NAN;
    memcpy(y, x, sizeof y);
    ck_assert(isinf(perp_lu_refine(n, A, LU, n, pivot, false, b, y, work)));
    ck_assert_double_eq(difference(n, y, x), 0);
    free(A);
    free(LU);
    free(x);
}
END_TEST

START_TEST(lu_rcond)
{
    /* cond_1 of the Hilbert matrix of order 5 is 943656 exactly */
    double A[25], work[20];
    int pivot[5], iwork[5];
    hilbert(5, A);
    double size = perp_norm1(5, 5, A, 5);
    ck_assert_double_eq_tol(size, 137.0 / 60, 1e-15);
    ck_assert_int_eq(perp_lu_factor(5, A, 5, pivot, NULL), 0);
    ck_assert_double_eq_tol(1 / perp_lu_rcond(5, A, 5, size, work, iwork), 943656, 1);
    ck_assert_double_eq(perp_lu_rcond(5, A, 5, NAN, work, iwork), 0);
    A[24] = 0;
    ck_assert_double_eq(perp_lu_rcond(5, A, 5, size, work, iwork), 0);
    double with_nan[] = {1, NAN, 5, 5};
    ck_assert(isnan(perp_norm1(2, 2, with_nan, 2)));
}
END_TEST

START_TEST(cholesky_by_hand)
{
    /* A = L L' with L = [2 . ; 1 3]; the upper triangle must not be read */
    double A[] = {4, 2, NAN, 10}, B[] = {4, 2, 0, 9};
    ck_assert_int_eq(perp_cholesky_factor(2, A, 2, NULL), 0);
    ck_assert_double_eq(A[0], 2);
    ck_assert_double_eq(A[1], 1);
    ck_assert_double_eq(A[3], 3);
    perp_cholesky_solve(2, A, 2, 2, B); /* columns A e1 and 9 e2 */
    ck_assert_double_eq_tol(B[0], 1, 1e-15);
    ck_assert_double_eq_tol(B[1], 0, 1e-15);
    ck_assert_double_eq_tol(B[2], -0.5, 1e-15);
    ck_assert_double_eq_tol(B[3], 1, 1e-15);
}
END_TEST

START_TEST(cholesky_fails_where_it_must)
{
    double indefinite[] = {1, 2, 2, 1}, negative[] = {-1}, singular[] = {1, 1, 1, 1};
    double with_nan[] = {1, 0, 0, NAN}, with_inf[] = {INFINITY, 0, 0, 1};
    ck_assert_int_eq(perp_cholesky_factor(2, indefinite, 2, NULL), 2);
    ck_assert_int_eq(perp_cholesky_factor(1, negative, 1, NULL), 1);
    ck_assert_int_eq(perp_cholesky_factor(2, singular, 2, NULL), 2);
    ck_assert_int_eq(perp_cholesky_factor(2, with_nan, 2, NULL), 2);
    ck_assert_int_eq(perp_cholesky_factor(2, with_inf, 2, NULL), 1);
}
END_TEST

START_TEST(cholesky_random)
{
    generator g = generator_start(3);
    for (int n = 1; n < 120; n += 9) {
        int ld = n + 2;
        double *C = fill(&g, n, n, n), *A = calloc((size_t)ld * (size_t)n, sizeof *A);
        const double alpha = 1, zero = 0;
        dgemm_("N", "T", &n, &n, &n, &alpha, C, &n, C, &n, &zero, A, &ld, 1, 1);
        for (int i = 0; i < n; i++) A[(size_t)i * (size_t)(ld + 1)] += 1;
        double *L = copy(A, (size_t)ld * (size_t)n), *x = fill(&g, n, 1, n);
        double *b = calloc((size_t)n, sizeof *b);
        multiply(n, n, A, ld, 0, x, b);
        ck_assert_int_eq(perp_cholesky_factor(n, L, ld, NULL), 0);
        perp_cholesky_solve(n, L, ld, 1, b);
        ck_assert_double_lt(difference(n, b, x), 1e-11);
        int k = n / 2; /* a negative diagonal entry fails there at the latest */
        memcpy(L, A, (size_t)ld * (size_t)n * sizeof *L);
        L[(size_t)k * (size_t)(ld + 1)] = -1;
        ck_assert_int_eq(perp_cholesky_factor(n, L, ld, NULL), k + 1);
        free(C);
        free(A);
        free(L);
        free(x);
        free(b);
    }
}
END_TEST

/* Column by column and by dgemm, C kept or overwritten. */
START_TEST(product)
{
    const int m = _i ? 120 : 5, k = _i ? 110 : 3, n = _i ? 90 : 4, ld = 121;
    static double A[121 * 110], B[121 * 90], C[121 * 90], D[121 * 90];
    for (int i = 0; i < ld * k; i++) A[i] = (i * 7) % 11 - 5;
    for (int i = 0; i < ld * n; i++) {
        B[i] = (i * 5) % 13 - 6;
        C[i] = D[i] = i % 3;
    }
    perp_dense_product(m, n, k, A, ld, B, ld, 1, C, ld, NULL);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int h = 0; h < k; h++) sum += A[h * ld + i] * B[j * ld + h];
            ck_assert_double_eq(C[j * ld + i], D[j * ld + i] + sum); /* whole numbers */
            D[j * ld + i] = sum;
        }
    }
    C[0] = NAN;
    perp_dense_product(m, n, k, A, ld, B, ld, 0, C, ld, NULL);
    for (int i = 0; i < ld * n; i++) ck_assert_double_eq(C[i], D[i]);
}
END_TEST

START_TEST(nothing_is_fine)
{
    ck_assert_int_eq(perp_lu_factor(0, NULL, 1, NULL, NULL), 0);
    perp_lu_solve(0, NULL, 1, NULL, false, 1, NULL);
    ck_assert_double_eq(perp_lu_refine(0, NULL, NULL, 1, NULL, false, NULL, NULL, NULL), 0);
    ck_assert_double_eq(perp_lu_rcond(0, NULL, 1, 0, NULL, NULL), 1);
    ck_assert_int_eq(perp_cholesky_factor(0, NULL, 1, NULL), 0);
    perp_cholesky_solve(0, NULL, 1, 1, NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dense");
    TCase *t = tcase_create("dense");
    tcase_add_test(t, lu_by_hand);
    tcase_add_test(t, lu_fails_where_it_must);
    tcase_add_test(t, lu_random);
    tcase_add_test(t, lu_refines);
    tcase_add_test(t, lu_rcond);
    tcase_add_test(t, cholesky_by_hand);
    tcase_add_test(t, cholesky_fails_where_it_must);
    tcase_add_test(t, cholesky_random);
    tcase_add_loop_test(t, product, 0, 2);
    tcase_add_test(t, nothing_is_fine);
    suite_add_tcase(s, t);
    return support_run(s);
}
