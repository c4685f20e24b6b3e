/* tests/linalg/test_principal_submatrix.c: principal submatrices: symmetry, columns, factors in
 * both formats. */
#include "linalg/principal_submatrix.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define N 40

static perp_matrix as_csc(const perp_matrix *M, perp_arena *a)
{
    perp_matrix out;
    ck_assert_int_eq(perp_convert(M, PERP_FORMAT_CSC, a, &out, NULL), PERP_SOLVED);
    return out;
}

START_TEST(symmetry)
{
    perp_arena a = {0};
    int i = -1, j = -1;
    double M[N * N];
    for (int k = 0; k < N * N; k++) M[k] = 1.0 / (1 + k / N + k % N) + (k / N == k % N);
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_matrix dense = perp_dense(N, N, M), A = sparse ? as_csc(&dense, &a) : dense;
        ck_assert_int_eq(perp_symmetry(&A, 0, &a, &i, &j), PERP_SOLVED);
        M[37 * N + 5] *= 1 + 1e-9;
        A = sparse ? as_csc(&dense, &a) : dense;
        ck_assert_int_eq(perp_symmetry(&A, 1e-8, &a, &i, &j), PERP_SOLVED);
        ck_assert_int_eq(perp_symmetry(&A, 1e-11, &a, &i, &j), PERP_STALLED);
        ck_assert((i == 37 && j == 5) || (i == 5 && j == 37));
        M[37 * N + 5] = 0; /* no entry at all on one side */
        A = sparse ? as_csc(&dense, &a) : dense;
        ck_assert_int_eq(perp_symmetry(&A, 1e-3, &a, &i, &j), PERP_STALLED);
        M[37 * N + 5] = M[5 * N + 37];
    }
    char buffer[256];
    perp_arena small;
    perp_matrix dense = perp_dense(N, N, M);
    perp_arena_fixed(&small, buffer, sizeof buffer);
    ck_assert_int_eq(perp_symmetry(&dense, 0, &small, &i, &j), PERP_E_MEMORY);
    perp_arena_free(&a);
}
END_TEST

START_TEST(columns_and_diagonal)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("random"), N, 3, &a, &g));
    perp_matrix dense = perp_dense(N, N, g.M), sparse = as_csc(&dense, &a);
    int set[] = {1, 4, 5, 20, 33, 39, 0};
    double x[] = {1, -2, 3, 0.5, 4, -1, 2}, expected[N], y[N], z[N];
    for (int k = 0; k <= 7; k++) {
        for (int i = 0; i < N; i++) {
            expected[i] = y[i] = z[i] = i;
            for (int j = 0; j < k; j++) expected[i] += -2 * g.M[set[j] * N + i] * x[j];
        }
        perp_add_columns(&dense, k, set, -2, x, y);
        perp_add_columns(&sparse, k, set, -2, x, z);
        ck_assert(difference(N, expected, y) < 1e-13 && difference(N, expected, z) < 1e-13);
    }
    for (int j = 0; j < N; j++) {
        ck_assert(perp_diagonal(&dense, j) == g.M[j * N + j]);
        ck_assert(perp_diagonal(&sparse, j) == g.M[j * N + j]);
    }
    perp_arena_free(&a);
}
END_TEST

/* Residual of the system of the set, whoever solved it. */
static double error_of(const double *M, int k, const int *set, double shift, const double *b,
                       const double *x)
{
    double worst = 0;
    for (int i = 0; i < k; i++) {
        double sum = shift * x[i] - b[i];
        for (int j = 0; j < k; j++) sum += M[set[j] * N + set[i]] * x[j];
        worst = fmax(worst, isnan(sum) ? INFINITY : fabs(sum));
    }
    return worst;
}

START_TEST(factors)
{
    static const char *const names[] = {"pd", "nonsymmetric", "obstacle", "random"};
    for (int v = 0; v < 16; v++) {
        perp_arena a = {0};
        generated g;
        ck_assert(lcp_generate(lcp_family_find(names[v % 4]), N, 3, &a, &g));
        perp_matrix M = lcp_generated_problem(&g).as.lcp.M, dense;
        ck_assert_int_eq(perp_convert(&M, PERP_FORMAT_DENSE, &a, &dense, NULL), PERP_SOLVED);
        bool sparse = v / 4 % 2, symmetric = v % 4 == 0 || v % 4 == 2;
        double shift = v / 8 ? 0.5 : 0;
        M = sparse ? as_csc(&dense, &a) : dense;
        perp_principal p;
        ck_assert(perp_principal_open(&p, &M, symmetric, &a));
        for (int k = 0; k <= N; k += 8) {
            int set[N];
            double b[N], x[N];
            for (int j = 0; j < k; j++) {
                set[j] = N - k + j;
                x[j] = b[j] = 1 + j % 3;
            }
            ck_assert_int_eq(perp_principal_factor(&p, k, set, shift), PERP_SOLVED);
            ck_assert(k == 0 || p.cholesky == symmetric);
            ck_assert(perp_principal_solve(&p, x));
            ck_assert_double_lt(error_of(dense.as.dense.x, k, set, shift, b, x), 1e-10);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* Singular, and mended by a shift that also makes the missing diagonal entries; indefinite. */
START_TEST(singular_and_indefinite)
{
    const double zero_row[] = {1, 0, 0, 0, 0, 0, 0, 0, 2}, swap[] = {0, 1, 1, 0};
    const int all[] = {0, 1, 2};
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_arena a = {0};
        perp_principal p;
        perp_matrix dense = perp_dense(3, 3, zero_row), M = sparse ? as_csc(&dense, &a) : dense;
        double x[] = {3, 1, 5};
        ck_assert(perp_principal_open(&p, &M, true, &a));
        ck_assert_int_eq(perp_principal_factor(&p, 3, all, 0), PERP_STALLED);
        ck_assert_int_eq(perp_principal_factor(&p, 3, all, 0.5), PERP_SOLVED);
        ck_assert(perp_principal_solve(&p, x));
        ck_assert(fabs(x[0] - 2) < 1e-15 && fabs(x[1] - 2) < 1e-15 && fabs(x[2] - 2) < 1e-15);

        dense = perp_dense(2, 2, swap);
        M = sparse ? as_csc(&dense, &a) : dense;
        x[0] = 3;
        x[1] = 7;
        ck_assert(perp_principal_open(&p, &M, true, &a));
        ck_assert_int_eq(perp_principal_factor(&p, 2, all, 0), PERP_SOLVED);
        ck_assert(!p.cholesky && perp_principal_solve(&p, x));
        ck_assert(x[0] == 7 && x[1] == 3);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(fixed_arena)
{
    static char buffer[100000];
    const double M[] = {2, 1, 1, 2};
    const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1}, all[] = {0, 1};
    perp_arena a;
    perp_principal s;
    perp_matrix C = perp_csc(2, 2, p, i, M), D = perp_dense(2, 2, M);
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert(perp_principal_open(&s, &C, true, &a));
    ck_assert_int_eq(perp_principal_factor(&s, 2, all, 0), PERP_SOLVED);
    ck_assert(perp_principal_open(&s, &D, true, &a));
    ck_assert_int_eq(perp_principal_factor(&s, 2, all, 0), PERP_SOLVED);
    perp_arena_fixed(&a, buffer, 64);
    ck_assert(!perp_principal_open(&s, &D, true, &a));
}
END_TEST

/* [0 1; 1 0] has an LU factor and no Cholesky one. */
START_TEST(definite_or_nothing)
{
    const double M[] = {0, 1, 1, 0};
    const int set[] = {0, 1};
    perp_arena a = {0};
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_matrix dense = perp_dense(2, 2, M), A = sparse ? as_csc(&dense, &a) : dense;
        perp_principal p;
        ck_assert(perp_principal_open(&p, &A, true, &a));
        ck_assert_int_eq(perp_principal_factor(&p, 2, set, 0), PERP_SOLVED);
        p.definite = true;
        ck_assert_int_eq(perp_principal_factor(&p, 2, set, 0), PERP_STALLED);
        ck_assert_int_eq(perp_principal_factor(&p, 2, set, 2), PERP_SOLVED);
        ck_assert(perp_principal_open(&p, &A, false, &a)); /* it is about symmetric ones */
        p.definite = true;
        ck_assert_int_eq(perp_principal_factor(&p, 2, set, 0), PERP_SOLVED);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("principal");
    TCase *t = tcase_create("principal");
    tcase_add_test(t, symmetry);
    tcase_add_test(t, columns_and_diagonal);
    tcase_add_test(t, factors);
    tcase_add_test(t, singular_and_indefinite);
    tcase_add_test(t, definite_or_nothing);
    tcase_add_test(t, fixed_arena);
    suite_add_tcase(s, t);
    return support_run(s);
}
