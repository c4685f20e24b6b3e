/* core/scale.h: norms of the data that residuals are divided by. */
#ifndef PERP_CORE_SCALE_H
#define PERP_CORE_SCALE_H

#include "internal.h"

typedef struct perp_scale_sum {
    const perp_matrix *A;
    bool transposed; /* A'x in place of A x */
    const double *x;
    const double *q; /* NULL: 0 */
    double exact;    /* the relative error that the norm may have */
} perp_scale_sum;

/* |A x + q|: in pairs of numbers where plain sums are not exact enough, without error where those
 * are not. 0 only where the exact sum is 0. INFINITY: beyond numbers; NAN: it cannot be known, or
 * no memory. */
double perp_scale_norm(const perp_scale_sum *sum, perp_arena *a);

/* The divisor of the residual of an affine map, |M z + q| at the smallest point z of its set: 1
 * where that is 0 or beyond numbers, the smallest number where it is below them. NAN: it cannot be
 * known, or no memory. */
double perp_scale_affine(int n, const perp_matrix *M, const double *q, const double *z,
                         perp_arena *a);

#endif
