/* base/box.h: the nearest point of an interval, and the natural map of complementarity on it. */
#ifndef PERP_BASE_BOX_H
#define PERP_BASE_BOX_H

static inline double box_project(double x, double lo, double hi)
{
    double above = x < lo ? lo : x; /* two instructions without a branch */
    return above > hi ? hi : above;
}

/* z - P(z - w) on [lo, hi], written so that a large z does not round a small w away. */
static inline double box_natural(double z, double w, double lo, double hi)
{
    return box_project(w, z - hi, z - lo);
}

#endif
