/* linalg/equilibrate.h: row and column scaling by powers of two, which rounds nothing. */
#ifndef PERP_LINALG_EQUILIBRATE_H
#define PERP_LINALG_EQUILIBRATE_H

#include "base/watch.h"

#include <stdbool.h>

/* Find r, s > 0 (powers of two, lengths n) such that the largest entries of the rows and columns of
 * diag(r) M diag(s) are within a small factor of 1. False, and all ones, when M is well scaled as
 * it is. work has length 2 n. 0 <= z _|_ Mz + q >= 0 becomes the LCP of the scaled matrix and
 * diag(r) q, z = diag(s) z'. */
bool perp_equilibrate(int n, const double *M, int ld, double *r, double *s, double *work);

/* The same of a sparse matrix in compressed columns, whose values x are scaled in place; one pass
 * at least, and no further one after the watch asks to stop. work has length 2 n. */
void perp_equilibrate_csc(int n, const int *p, const int *i, double *x, double *r, double *s,
                          double *work, const perp_watch *watch);

#endif
