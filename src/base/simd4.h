/* base/simd4.h: four numbers at a time, in one register where the processor has such ones. They
 * are handed on by address and inlined: how they would be passed depends on the processor. */
#ifndef PERP_BASE_SIMD4_H
#define PERP_BASE_SIMD4_H

#include "clones.h"

#include <string.h>

#if defined(__GNUC__)
typedef double perp_simd4 __attribute__((vector_size(32)));
#else
typedef struct perp_simd4 {
    double x[4];
} perp_simd4;
#endif

PERP_INLINED void simd4_load(perp_simd4 *t, const double *x)
{
    memcpy(t, x, sizeof *t);
}

PERP_INLINED void simd4_store(const perp_simd4 *t, double *x)
{
    memcpy(x, t, sizeof *t);
}

/* t += a x */
PERP_INLINED void simd4_add(perp_simd4 *t, double a, const double *x)
{
#if defined(__GNUC__)
    perp_simd4 v;
    memcpy(&v, x, sizeof v);
    *t += a * v;
#else
    for (int i = 0; i < 4; i++) t->x[i] += a * x[i];
#endif
}

/* t += x y, number by number */
PERP_INLINED void simd4_add_product(perp_simd4 *t, const double *x, const double *y)
{
#if defined(__GNUC__)
    perp_simd4 u, v;
    memcpy(&u, x, sizeof u);
    memcpy(&v, y, sizeof v);
    *t += u * v;
#else
    for (int i = 0; i < 4; i++) t->x[i] += x[i] * y[i];
#endif
}

PERP_INLINED double simd4_sum(const perp_simd4 *t)
{
    double x[4];
    memcpy(x, t, sizeof x);
    return (x[0] + x[2]) + (x[1] + x[3]);
}

#endif
