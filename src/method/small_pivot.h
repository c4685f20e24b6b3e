/* method/small_pivot.h: block principal pivoting for a few bounded unknowns, in memory of the
 * stack. */
#ifndef PERP_METHOD_SMALL_PIVOT_H
#define PERP_METHOD_SMALL_PIVOT_H

enum { PERP_SMALL = 16 }; /* unknowns at most */

/* z in [lo, hi] _|_ M z + q for M, n x n by columns that are ld numbers apart; lo or hi NULL: no
 * such bounds. Returns the number of sets that it took. 0: M has a pivot that is not positive, or
 * the sets do not settle; then z is as it was. The caller has z certified. */
int perp_small_pivot(int n, const double *M, int ld, const double *q, const double *lo,
                     const double *hi, double *z);

#endif
