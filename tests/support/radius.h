/* tests/support/radius.h: proofs of infeasibility in long double. */
#ifndef SUPPORT_RADIUS_H
#define SUPPORT_RADIUS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Is y >= 0 a proof for the LCP, M column by column: are the slopes of y'M z, relative to the sizes
 * of their terms, rounding beside what q'y is negative by? */
static inline bool radius_proves_lcp(int n, const double *M, const double *q, const double *y)
{
    long double slope = 0, gain = 0, terms = 0;
    for (int i = 0; i < n; i++) {
        long double p = 0, size = 0, t = (long double)q[i] * y[i];
        if (y[i] < 0) return false;
        for (int j = 0; j < n; j++) {
            p += (long double)M[i * n + j] * y[j];
            size += fabsl((long double)M[i * n + j] * y[j]);
        }
        if (p > 0) slope = fmaxl(slope, p / size);
        gain -= t;
        terms += fabsl(t);
    }
    return gain > 0 && slope <= (16 + 4 * n) * DBL_EPSILON * (gain / terms) * 1.01L;
}

#endif
