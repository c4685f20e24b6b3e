/* tests/support/factor_support.h: families of square matrices that are hard on a sparse LU, and
 * what LAPACK says about them. */
#ifndef PERP_FACTOR_SUPPORT_H
#define PERP_FACTOR_SUPPORT_H

#include "countdown.h"
#include "generate.h"
#include "linalg/dense.h"
#include "sparse_support.h"

enum { FAMILIES_LU = 10 };
static const char *const family_names[FAMILIES_LU] = {"sparse",       "symmetric pattern",
                                                      "badly scaled", "permuted triangle",
                                                      "arrow",        "dense column",
                                                      "dense row",    "zero diagonal",
                                                      "kkt",          "full"};

static inline void permute_rows(generator *g, int n, double *A)
{
    for (int k = n - 1; k > 0; k--) {
        int with = generator_below(g, k + 1);
        for (int j = 0; j < n; j++) {
            double x = A[k + j * n];
            A[k + j * n] = A[with + j * n];
            A[with + j * n] = x;
        }
    }
}

/* Entries where `share` says so. */
static inline void scatter_entries(generator *g, int n, double share, bool mirrored, double *A)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (i == j || generator_unit(g) >= share) continue;
            A[i + j * n] = generator_uniform(g);
            if (mirrored) A[j + i * n] = generator_uniform(g);
        }
    }
}

/* A column-major n x n matrix of a family, nonsingular as a rule. */
static inline double *make_family(generator *g, int family, int n)
{
    double *A = calloc((size_t)(n * n) + 1, sizeof *A);
    for (int j = 0; j < n; j++) A[j + j * n] = 1 + generator_unit(g);
    if (family == 0) scatter_entries(g, n, 3.0 / (n + 1), false, A);
    if (family == 1) scatter_entries(g, n, 2.0 / (n + 1), true, A);
    if (family == 2) {
        scatter_entries(g, n, 3.0 / (n + 1), true, A);
        for (int i = 0; i < n; i++) {
            double by = pow(10, 40 * generator_uniform(g));
            for (int j = 0; j < n; j++) A[i + j * n] *= by;
        }
    }
    if (family == 3) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < j; i++) A[i + j * n] = generator_unit(g) < 0.2;
        }
        permute_rows(g, n, A);
    }
    for (int j = 0; family == 4 && j < n; j++) {
        A[j] = generator_uniform(g);
        A[j * n] = generator_uniform(g);
    }
    if (family == 5 || family == 6) scatter_entries(g, n, 2.0 / (n + 1), false, A);
    for (int j = 0; family == 5 && j < n; j++) A[j + n / 2 * n] = 2 * generator_uniform(g);
    for (int j = 0; family == 6 && j < n; j++) A[n / 2 + j * n] = 2 * generator_uniform(g);
    if (family == 7) {
        scatter_entries(g, n, 3.0 / (n + 1), false, A);
        permute_rows(g, n, A);
    }
    if (family == 8) { /* [H B'; B 0], more columns than rows of B */
        for (int j = n - n / 3; j < n; j++) {
            A[j + j * n] = 0;
            for (int k = 0; k < 3; k++) {
                int i = k == 0 ? j - (n - n / 3) : generator_below(g, n - n / 3);
                A[i + j * n] = A[j + i * n] = 1 + generator_unit(g);
            }
        }
    }
    if (family == 9) scatter_entries(g, n, 2, false, A);
    return A;
}

/* A x = b by LAPACK, rows scaled by their largest entries; 1/cond of that. */
static inline double solve_by_lapack(int n, const double *A, bool transpose, const double *b,
                                     double *x)
{
    double *F = calloc((size_t)(n * n) + 1, sizeof *F), *r = calloc((size_t)n + 1, sizeof *r);
    double *work = calloc(4 * (size_t)n + 1, sizeof *work), rcond = 0;
    int *pivot = calloc(2 * (size_t)n + 1, sizeof *pivot);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) r[i] = fmax(r[i], fabs(A[i + j * n]));
        r[i] = r[i] > 0 ? 1 / r[i] : 1;
        for (int j = 0; j < n; j++) F[i + j * n] = A[i + j * n] * r[i];
        x[i] = transpose ? b[i] : b[i] * r[i];
    }
    double norm = perp_norm1(n, n, F, n > 0 ? n : 1);
    if (perp_lu_factor(n, F, n > 0 ? n : 1, pivot, NULL) == 0) {
        rcond = perp_lu_rcond(n, F, n > 0 ? n : 1, norm, work, pivot + n);
        perp_lu_solve(n, F, n > 0 ? n : 1, pivot, transpose, 1, x);
    }
    for (int i = 0; transpose && i < n; i++) x[i] *= r[i];
    free(F);
    free(r);
    free(work);
    free(pivot);
    return rcond;
}

/* |x - y| over |x|, in the largest entries. */
static inline double relative_difference(int n, const double *x, const double *y)
{
    double size = 0, most = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i]));
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most > 0 ? most / size : 0;
}

#endif
