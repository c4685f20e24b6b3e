/* base/vector.h: norms and tests that neither overflow nor lose a NaN. */
#ifndef PERP_BASE_VECTOR_H
#define PERP_BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Adding 1 to the exponent field of |x| reaches the sign bit exactly for Inf and NaN. Integer OR
 * may be reordered, so this vectorises where a sum of doubles would not. */
static inline uint64_t vector_overflow_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & UINT64_C(0x7fffffffffffffff)) + UINT64_C(0x0010000000000000);
}

static inline bool vector_is_finite(size_t n, const double *x)
{
    uint64_t seen[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t k = 0; k < 4; k++) seen[k] |= vector_overflow_bits(x[i + k]);
    }
    for (; i < n; i++) seen[0] |= vector_overflow_bits(x[i]);
    return (seen[0] | seen[1] | seen[2] | seen[3]) >> 63 == 0;
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

/* |x| from the sum of its squares, scaled by the largest entry where they overflow or vanish. */
static inline double vector_norm_from(double sum, int n, const double *x)
{
    if (sum > 1e-200 && sum < 1e200) return sqrt(sum);
    double m = vector_max(n, x);
    if (m == 0 || !isfinite(m)) return m;
    sum = 0;
    for (int i = 0; i < n; i++) sum += (x[i] / m) * (x[i] / m);
    return m * sqrt(sum);
}

static inline double vector_norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return vector_norm_from(sum, n, x);
}

#endif
