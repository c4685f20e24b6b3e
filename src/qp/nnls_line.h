/* qp/nnls_line.h: a search on a line in the dual of a proximal problem of nnls/pivot,
 *     min |r|^2/2 - b'r + |max(0, e c + A'r)|^2 / (2 e),   without the maximum where x is free. */
#ifndef PERP_QP_NNLS_LINE_H
#define PERP_QP_NNLS_LINE_H

#include "perp/problem.h"

/* From one r to another. */
typedef struct perp_nnls_line {
    const perp_nnls *p;
    const double *c; /* the centre, n */
    double e;
    const double *from, *to;             /* m */
    const double *from_slope, *to_slope; /* A' of them, n */
} perp_nnls_line;

/* x_j = max(0, c + A'r / e) at r = from + t (to - from); a free one has no maximum. */
double perp_nnls_dual_x(const perp_nnls_line *l, double t, int j);
/* The t in (0, 1] at which the slope of the objective, which rises, is about zero; 1 where it is
 * not positive there, or not negative at 0. At most 32 slopes of m + n terms. */
double perp_nnls_search(const perp_nnls_line *l);

#endif
