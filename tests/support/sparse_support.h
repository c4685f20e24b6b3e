/* tests/support/sparse_support.h: small CSC matrices and a checked solve, for the tests of
 * linalg/sparse.c.
 */
#ifndef PERP_SPARSE_SUPPORT_H
#define PERP_SPARSE_SUPPORT_H

#include "linalg/sparse.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct csc {
    int n, *p, *i;
    double *x;
} csc;

/* From a dense column-major array; zeros are left out. */
static inline csc compress(int n, const double *A)
{
    csc C = {n, calloc((size_t)n + 1, sizeof(int)), calloc((size_t)(n * n) + 1, sizeof(int)),
             calloc((size_t)(n * n) + 1, sizeof(double))};
    for (int j = 0; j < n; j++) {
        C.p[j + 1] = C.p[j];
        for (int i = 0; i < n; i++) {
            if (A[i + j * n] == 0) continue;
            C.i[C.p[j + 1]] = i;
            C.x[C.p[j + 1]++] = A[i + j * n];
        }
    }
    return C;
}

static inline void discard(csc C)
{
    free(C.p);
    free(C.i);
    free(C.x);
}

/* The 5-point Laplacian on a k x k grid. */
static inline csc laplacian(int k)
{
    int n = k * k;
    csc C = {n, calloc((size_t)n + 1, sizeof(int)), calloc((size_t)n * 5, sizeof(int)),
             calloc((size_t)n * 5, sizeof(double))};
    const int step[] = {-k, -1, 0, 1, k};
    for (int j = 0, nnz = 0; j < n; j++) {
        for (int s = 0; s < 5; s++) {
            int i = j + step[s];
            bool wraps = (s == 1 && j % k == 0) || (s == 3 && j % k == k - 1);
            if (i < 0 || i >= n || wraps) continue;
            C.i[nnz] = i;
            C.x[nnz++] = s == 2 ? 4 : -1;
        }
        C.p[j + 1] = nnz;
    }
    return C;
}

/* Every entry there and far from the diagonal small: dense enough for wide panels. */
static inline csc full(int n)
{
    double *A = calloc((size_t)(n * n), sizeof *A);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) A[i + j * n] = i == j ? 2 : 1 / (1.0 + n + abs(i - j));
    }
    csc C = compress(n, A);
    free(A);
    return C;
}

static inline void multiply(csc A, bool transpose, const double *x, double *y)
{
    for (int j = 0; j < A.n; j++) y[j] = 0;
    for (int j = 0; j < A.n; j++) {
        for (int k = A.p[j]; k < A.p[j + 1]; k++) {
            if (transpose)
                y[j] += A.x[k] * x[A.i[k]];
            else
                y[A.i[k]] += A.x[k] * x[j];
        }
    }
}

/* Solve for a known x; the error. */
static inline double solve_error(perp_factor *f, csc A, bool transpose)
{
    double *x = calloc((size_t)A.n + 1, sizeof *x), *b = calloc((size_t)A.n + 1, sizeof *b);
    for (int i = 0; i < A.n; i++) x[i] = 1 + i % 7;
    multiply(A, transpose, x, b);
    double *y = calloc((size_t)A.n + 1, sizeof *y);
    ck_assert_int_eq(perp_factor_solve(f, transpose, b, y), 0);
    double error = difference(A.n, x, y);
    ck_assert_int_eq(perp_factor_solve(f, transpose, b, b), 0); /* in place: the same bits */
    ck_assert_int_eq(memcmp(b, y, (size_t)A.n * sizeof *b), 0);
    free(x);
    free(b);
    free(y);
    return error;
}

static inline perp_factor *open_csc(perp_arena *a, perp_factor_kind kind, csc A)
{
    perp_factor *f = perp_factor_open(a, kind, A.n, A.p, A.i);
    ck_assert_ptr_nonnull(f);
    return f;
}

#endif
