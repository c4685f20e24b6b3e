/* method/reduced_hessian.h: the Cholesky factor of the reduced Hessian, kept while the null space
 * turns.
 *
 *     R'R = Zf'H Zf,   Zf the last nz columns of Q (working_set.h), in reverse order:
 *
 * column j of R stands for column n - 1 - j of Q. A constraint that leaves the working set puts a
 * new column in front of Zf and at the end of R; one that joins takes the first of Zf, the last of
 * R, once rotations have brought its normal there. */
#ifndef PERP_METHOD_REDUCED_HESSIAN_H
#define PERP_METHOD_REDUCED_HESSIAN_H

#include "working_set.h"

/* y = Zf'x in R's order, and x += Zf y. Zf has R.k columns. */
void perp_reduced_hessian_split(const perp_working_set *w, const perp_updated *R, const double *x,
                                double *y);
void perp_reduced_hessian_lift(const perp_working_set *w, const perp_updated *R, const double *y,
                               double *x);

/* Rotate Zf until the normal whose products with it, d = Q'a, are in d[n - R.k ..) has one with the
 * first column alone, which then leaves R: it is no longer counted to Zf, and d holds the product.
 * `carry` is scratch of R.k numbers. 3 n nz + 3 nz^2 flops. */
void perp_reduced_hessian_push(perp_working_set *w, perp_updated *R, double *d, double *carry);

#endif
