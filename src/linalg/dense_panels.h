/* linalg/dense_panels.h: large dense factorisations, a panel of columns at a time. For dense.c,
 * which checks the arguments; n is at least 1. */
#ifndef PERP_LINALG_DENSE_PANELS_H
#define PERP_LINALG_DENSE_PANELS_H

#include "base/watch.h"

/* Multiplications of one call of the BLAS, 10 to 20 ms on one thread: as PERP_PANEL_MOST. */
#define PERP_DENSE_MOST 1e8

/* False: it was stopped; pivot names rows of the matrix for all columns. */
bool perp_dense_lu_panels(int n, double *A, int ld, int *pivot, const perp_watch *watch);
/* 0, the column, from 1, whose leading minor is not positive definite, or PERP_STOPPED. */
int perp_dense_cholesky_panels(int n, double *A, int ld, const perp_watch *watch);
/* 0, the column, from 1, of a zero on the diagonal, or PERP_STOPPED. */
int perp_dense_invert_panels(int n, double *L, int ld, const perp_watch *watch);

#endif
