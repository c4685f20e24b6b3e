/* kernel/vector.h: norms and tests that neither overflow nor lose a NaN. */
#ifndef PERP_VECTOR_H
#define PERP_VECTOR_H

#include <math.h>
#include <stdbool.h>

static inline bool vector_is_finite(int n, const double *x)
{
    double zero =
        0; /* 0 * x is NaN for NaN and Inf; one test for the lot, and the loop vectorises */
    for (int i = 0; i < n; i++) zero += 0 * x[i];
    return zero == 0;
}

/* Largest |x_i|; NaN when there is one. */
static inline double vector_max(int n, const double *x)
{
    double m = 0;
    for (int i = 0; i < n; i++) {
        double a = fabs(x[i]);
        m = a > m || isnan(a) ? a : m;
    }
    return m;
}

/* |x|, scaled by the largest entry where squares would overflow or vanish. */
static inline double vector_norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    if (sum > 1e-200 && sum < 1e200) return sqrt(sum);
    double m = vector_max(n, x);
    if (m == 0 || !isfinite(m)) return m;
    sum = 0;
    for (int i = 0; i < n; i++) sum += (x[i] / m) * (x[i] / m);
    return m * sqrt(sum);
}

#endif
