/* linalg/dense.h: dense factorisations and solves over LAPACK, arrays in, arrays out.
 *
 * Matrices are column-major with leading dimension ld >= max(1, rows). Nothing here allocates:
 * where a routine needs workspace the caller gives it, and a *_work function says how many doubles.
 * (A threaded BLAS may allocate behind its own interface.) Empty systems (n = 0) are fine: no array
 * is then touched. A factorisation returns 0, the column, from 1, at which it failed, or
 * PERP_STOPPED.
 *
 * Beyond PERP_DENSE_WHOLE columns factorisations and products are made of panels, and between two
 * of them the watch is looked at (base/watch.h; NULL: nobody asks to stop). The panels are the same
 * whoever watches, and so are the bits. */
#ifndef PERP_LINALG_DENSE_H
#define PERP_LINALG_DENSE_H

#include "base/watch.h"

#include <stdbool.h>
#include <stddef.h>

/* Columns up to which a factorisation is one call of LAPACK, 5 ms or less. */
#define PERP_DENSE_WHOLE 512

/* C = A B + beta C: A m x k, B k x n. Up to 1e6 multiplications it goes column by column, since
 * the AVX-512 kernels of OpenBLAS 0.3.21 allocate in small products of this form (dgemm "N", "N"),
 * and in this form alone. False: it was stopped, and C is of no use. */
bool perp_dense_product(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                        double beta, double *C, int ldc, const perp_watch *watch);
/* C = A' B: A k x m, B k x n. */
bool perp_dense_product_t(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                          double *C, int ldc, const perp_watch *watch);
/* C = A' A: A k x n; both triangles. n^2 k flops, half as many as of a product. */
bool perp_dense_gram(int n, int k, const double *A, int lda, double *C, int ldc,
                     const perp_watch *watch);

/* ---- P A = L U, partial pivoting ---- */

/* Overwrites A with L and U; pivot has length n, rows from 1 as LAPACK has them. Fails at a
 * column that holds NaN or Inf, or else at the first whose pivot is zero or overflows. What was
 * stopped has pivots for all columns, too. 2/3 n^3 flops. */
int perp_lu_factor(int n, double *A, int ld, int *pivot, const perp_watch *watch);
/* B = A^-1 B, or A'^-1 B when `transpose`; B is n x k with leading dimension n. 2 n^2 k flops. */
void perp_lu_solve(int n, const double *LU, int ld, const int *pivot, bool transpose, int k,
                   double *B);
/* The same of many columns. False: it was stopped, and B is of no use. */
bool perp_lu_solve_many(int n, const double *LU, int ld, const int *pivot, int k, double *B,
                        const perp_watch *watch);
/* One step of iterative refinement of x, a solution of A x = b (A' x = b): x += A^-1 (b - A x), A
 * unfactored, same ld as LU. A step that is not finite is not taken. work has length n. Returns
 * max|step| / max|x|, an estimate of the relative error x had; INFINITY when no step was taken.
 * 4 n^2 flops. */
double perp_lu_refine(int n, const double *A, const double *LU, int ld, const int *pivot,
                      bool transpose, const double *b, double *x, double *work);
/* Estimate of 1/cond in the 1-norm; norm is perp_norm1 of A before it was factored. work has
 * length 4 n, iwork n. A few solves. */
double perp_lu_rcond(int n, const double *LU, int ld, double norm, double *work, int *iwork);
/* Largest column sum of |a_ij|; NaN when there is one. */
double perp_norm1(int m, int n, const double *A, int ld);

/* ---- A = L L' ---- */

/* Reads and overwrites the lower triangle alone. Fails at a column that holds NaN or Inf, or else
 * at the first whose leading minor is not positive definite. 1/3 n^3 flops. */
int perp_cholesky_factor(int n, double *A, int ld, const perp_watch *watch);
/* B = A^-1 B; B is n x k with leading dimension n. 2 n^2 k flops. */
void perp_cholesky_solve(int n, const double *L, int ld, int k, double *B);
/* The inverse of a lower triangle, in its place: 0, the column, from 1, whose diagonal entry is
 * zero, or PERP_STOPPED. 1/3 n^3 flops. */
int perp_triangle_invert(int n, double *L, int ld, const perp_watch *watch);

#endif
