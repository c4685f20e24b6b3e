/* kernel/four.h: four numbers at a time, in one register where the processor has such ones. They
 * are handed on by address and inlined: how they would be passed depends on the processor. */
#ifndef PERP_KERNEL_FOUR_H
#define PERP_KERNEL_FOUR_H

#include "clones.h"

#include <string.h>

#if defined(__GNUC__)
typedef double perp_four __attribute__((vector_size(32)));
#else
typedef struct perp_four {
    double x[4];
} perp_four;
#endif

PERP_INLINED void four_load(perp_four *t, const double *x)
{
    memcpy(t, x, sizeof *t);
}

PERP_INLINED void four_store(const perp_four *t, double *x)
{
    memcpy(x, t, sizeof *t);
}

/* t += a x */
PERP_INLINED void four_add(perp_four *t, double a, const double *x)
{
#if defined(__GNUC__)
    perp_four v;
    memcpy(&v, x, sizeof v);
    *t += a * v;
#else
    for (int i = 0; i < 4; i++) t->x[i] += a * x[i];
#endif
}

#endif
