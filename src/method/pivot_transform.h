/* method/pivot_transform.h: the principal pivot transform of a linear complementarity problem. */
#ifndef PERP_METHOD_PIVOT_TRANSFORM_H
#define PERP_METHOD_PIVOT_TRANSFORM_H

#include "base/watch.h"

#include <stdbool.h>
#include <stddef.h>

/* Doubles and ints of workspace for n variables. */
size_t perp_pivot_transform_doubles(int n);
size_t perp_pivot_transform_ints(int n);

/* With a = {i: in[i]}, exchange w_a and z_a in w = M z + q: D (n x n, ldd) and x such that
 *     (z_a, w_b) = D (w_a, z_b) + x,
 * row and column i belonging to the pair i. False when M_aa is singular to working precision, or
 * the watch asked to stop; D and x are then undefined. About 2 n^2 |a| flops. */
bool perp_pivot_transform(int n, const double *M, int ldm, const double *q, const bool *in,
                          double *D, int ldd, double *x, double *work, int *iwork,
                          const perp_watch *watch);

#endif
