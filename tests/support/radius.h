/* tests/support/radius.h: proofs of infeasibility in long double: within which radius they hold. */
#ifndef SUPPORT_RADIUS_H
#define SUPPORT_RADIUS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* R >= R_0 for the proof y >= 0 of an LCP, M column by column: every z >= 0 with M z + q >= 0 has
 * |z|_1 >= R. */
static inline bool radius_proves_lcp(int n, const double *M, const double *q, const double *y)
{
    long double slope = 0, gain = 0, norm = 0, scale = 0;
    for (int i = 0; i < n; i++) {
        long double p = 0;
        if (y[i] < 0) return false;
        for (int j = 0; j < n; j++) {
            p += (long double)M[i * n + j] * y[j];
            norm += fabsl((long double)M[i * n + j]);
        }
        slope = fmaxl(slope, p);
        gain -= (long double)q[i] * y[i];
        scale += (long double)q[i] * q[i];
    }
    if (!(gain > 0)) return false;
    long double least = sqrtl(scale) / ((n + 4) * DBL_EPSILON / 2 * norm);
    return slope <= 0 || gain / slope >= 0.99L * least;
}

#endif
