/* linalg/dense_small.h: LU and Cholesky of a few columns, where a call of LAPACK costs more than
 * what it computes: of n = 1, a solve by dpotrs takes 3600 instructions. */
#ifndef PERP_LINALG_DENSE_SMALL_H
#define PERP_LINALG_DENSE_SMALL_H

#include <stdbool.h>

/* Columns up to which these are used: from there on LAPACK is as fast. */
#define PERP_DENSE_SMALL 12

/* All as LAPACK's dgetrf, dgetrs, dpotrf and dpotrs have it, by columns, pivots from 1 on. A pivot
 * of 0 is left for the caller to find; perp_small_cholesky returns the column, from 1, whose pivot
 * is not positive, or 0. */
void perp_small_lu(int n, double *A, int ld, int *pivot);
void perp_small_lu_solve(int n, const double *LU, int ld, const int *pivot, bool transpose,
                         double *b);
int perp_small_cholesky(int n, double *A, int ld);
void perp_small_cholesky_solve(int n, const double *L, int ld, double *b);

#endif
