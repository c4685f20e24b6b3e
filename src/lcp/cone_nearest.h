/* lcp/cone_nearest.h: nearest point of a finitely generated cone. */
#ifndef PERP_LCP_CONE_NEAREST_H
#define PERP_LCP_CONE_NEAREST_H

#include <stddef.h>

/* Numbers of workspace for an m x n matrix, and integers. */
static inline size_t perp_cone_nearest_work(int m, int n)
{
    size_t rows = (size_t)m, columns = (size_t)n, rank = rows < columns ? rows : columns;
    return rows * columns + rows * rank + rank * rank + 2 * rows + 2 * rank + 2 * columns;
}

static inline size_t perp_cone_nearest_iwork(int m, int n)
{
    return (size_t)(m < n ? m : n) + 2 * (size_t)n;
}

/* x >= 0 that minimises |C x - b|; returns the distance |C x - b|. C is column-major with leading
 * dimension ld >= m. The columns that x uses are linearly independent. Always ends; finite data
 * wanted. When the distance is positive, y = C x - b separates b from the cone: C'y >= 0, b'y < 0,
 * up to rounding. */
double perp_cone_nearest(int m, int n, const double *C, int ld, const double *b, double *x,
                         double *work, int *iwork);

#endif
