/* method/cone_interior_parts.h: what the files of interior points share (cone_interior.h). */
#ifndef PERP_METHOD_CONE_INTERIOR_PARTS_H
#define PERP_METHOD_CONE_INTERIOR_PARTS_H

#include "cone_interior.h"
#include "lorentz.h"

static inline const int *rows_of(const perp_interior *t, int b)
{
    return t->set->row + t->set->block[b].first;
}

/* |y_t|^2 / y_0 */
static inline double smooth(const perp_interior_part *k, const double *y)
{
    return lorentz_tail(k->count, y) / y[0];
}

/* The derivatives of |y_t|^2 / y_0, by y_0 and by y_i. */
static inline double head_slope(const perp_interior_part *k, const double *y)
{
    return -smooth(k, y) / y[0];
}

static inline double slope(const double *y, int i)
{
    return 2 * (y[i] / y[0]);
}

/* B or B^-1 of every block at the scalings (cone_interior_blocks.c). */
void perp_interior_fill_blocks(perp_interior *t);

#endif
