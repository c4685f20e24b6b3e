/* method/fischer.h: the Fischer-Burmeister function of a box.
 *
 * phi(a, b) = a + b - |(a, b)| is 0 exactly where a, b >= 0 and ab = 0. For z in [lo, hi] _|_ F
 * (Billups 1995):
 *     no bounds      F
 *     lo alone       phi(z - lo, F)
 *     hi alone       -phi(hi - z, -F)
 *     both           phi(z - lo, -phi(hi - z, -F))
 *     lo = hi        z - lo
 * Every one rises with z and with F. */
#ifndef PERP_METHOD_FISCHER_H
#define PERP_METHOD_FISCHER_H

#include <math.h>
#include <stdbool.h>

/* dG = a dz + b dF, a and b >= 0, not both 0. */
typedef struct perp_fischer_slope {
    double a, b;
} perp_fischer_slope;

/* No digits are lost where one argument is small against the other. */
double perp_fischer(double z, double F, double lo, double hi);

/* At a corner, where the function has no derivative, limits from a direction that goes inside: dz =
 * 1 at lo and -1 at hi, dF = `corner` times that. */
perp_fischer_slope perp_fischer_differentiate(double z, double F, double lo, double hi,
                                              double corner);

/* 1: z = lo and F = 0, -1: z = hi and F = 0, where the function has no derivative; else 0. */
int perp_fischer_corner(double z, double F, double lo, double hi);

#endif
