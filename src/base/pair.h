/* base/pair.h: sums of products in pairs of numbers, as if with twice the digits. Ogita, Rump and
 * Oishi, "Accurate sum and dot product" (2005).
 *
 * With u = DBL_EPSILON / 2 a sum of k products comes out within u |sum| + g^2 (the sum of their
 * sizes), g = k u / (1 - k u). fma() is exact wherever it runs, so that the bits do not depend on
 * the processor; without an instruction for it, it is a call, so that hot loops are cloned. */
#ifndef PERP_BASE_PAIR_H
#define PERP_BASE_PAIR_H

#include "clones.h"

#include <math.h>

/* (hi, lo) += x */
PERP_INLINED void pair_add(double x, double *hi, double *lo)
{
    double sum = *hi + x, part = sum - *hi;
    *lo += (*hi - (sum - part)) + (x - part);
    *hi = sum;
}

/* (hi, lo) += a b */
PERP_INLINED void pair_add_product(double a, double b, double *hi, double *lo)
{
    double product = a * b;
    *lo += fma(a, b, -product);
    pair_add(product, hi, lo);
}

#endif
