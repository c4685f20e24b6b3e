/* tests/linalg/test_dense_small.c: factors in loops against what they are factors of, and against
 * LAPACK's. */
#include "linalg/dense_small.h"

#include "generate.h"
#include "linalg/lapack.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define LD (PERP_DENSE_SMALL + 3)

static void fill(generator *g, int n, bool definite, double *A)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            A[j * LD + i] = definite && i < j ? A[i * LD + j] : generator_uniform(g);
        }
        if (definite) A[j * LD + j] += n;
    }
}

/* b = A x, or A' x. */
static void product(int n, const double *A, bool transpose, const double *x, double *b)
{
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < n; j++) b[i] += A[transpose ? i * LD + j : j * LD + i] * x[j];
    }
}

static void check_solution(int n, const double *b)
{
    for (int i = 0; i < n; i++) ck_assert_double_eq_tol(b[i], i - 2, 1e-11);
}

START_TEST(lu_has_lapacks_pivots_and_solves)
{
    generator g = generator_start(5);
    for (int n = 1; n <= PERP_DENSE_SMALL; n++) {
        double A[LD * LD], F[LD * LD], G[LD * LD], x[LD], b[LD];
        int pivot[LD], other[LD], ld = LD, info = 0;
        fill(&g, n, false, A);
        memcpy(F, A, sizeof A);
        memcpy(G, A, sizeof A);
        perp_small_lu(n, F, LD, pivot);
        dgetrf_(&n, &n, G, &ld, other, &info);
        ck_assert_mem_eq(pivot, other, (size_t)n * sizeof *pivot);
        for (int i = 0; i < n; i++) x[i] = i - 2;
        for (int transpose = 0; transpose < 2; transpose++) {
            product(n, A, transpose, x, b);
            perp_small_lu_solve(n, F, LD, pivot, transpose, b);
            check_solution(n, b);
        }
    }
}
END_TEST

/* The pivot of 0 stays where it is, and the columns after it are still eliminated. */
START_TEST(lu_leaves_a_zero_pivot)
{
    double A[3 * LD] = {0};
    int pivot[3];
    A[LD] = 2; /* columns: 0; (2, 0, 0); (0, 3, 0) */
    A[2 * LD + 1] = 3;
    perp_small_lu(3, A, LD, pivot);
    ck_assert_double_eq(A[0], 0);
    ck_assert_double_eq(A[LD], 2);
    ck_assert_double_eq(A[LD + 1], 0);
    ck_assert_double_eq(A[2 * LD + 1], 3);
}
END_TEST

START_TEST(cholesky_solves)
{
    generator g = generator_start(6);
    for (int n = 1; n <= PERP_DENSE_SMALL; n++) {
        double A[LD * LD], L[LD * LD], x[LD], b[LD];
        fill(&g, n, true, A);
        memcpy(L, A, sizeof A);
        ck_assert_int_eq(perp_small_cholesky(n, L, LD), 0);
        for (int i = 0; i < n; i++) x[i] = i - 2;
        product(n, A, false, x, b);
        perp_small_cholesky_solve(n, L, LD, b);
        check_solution(n, b);
        for (int j = 1; j < n; j++)
            ck_assert_double_eq(L[j * LD], A[j * LD]); /* above: as it was */
    }
}
END_TEST

START_TEST(cholesky_names_the_column)
{
    double A[2 * LD] = {0};
    A[0] = 4; /* singular */
    A[1] = 2;
    A[LD + 1] = 1;
    ck_assert_int_eq(perp_small_cholesky(2, A, LD), 2);
    A[0] = -1;
    ck_assert_int_eq(perp_small_cholesky(2, A, LD), 1);
    A[0] = NAN;
    ck_assert_int_eq(perp_small_cholesky(2, A, LD), 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("linalg/dense_small");
    TCase *t = tcase_create("dense_small");
    tcase_add_test(t, lu_has_lapacks_pivots_and_solves);
    tcase_add_test(t, lu_leaves_a_zero_pivot);
    tcase_add_test(t, cholesky_solves);
    tcase_add_test(t, cholesky_names_the_column);
    suite_add_tcase(s, t);
    return support_run(s);
}
