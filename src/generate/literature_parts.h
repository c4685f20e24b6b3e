/* generate/literature_parts.h: how the problems of the literature are written down.
 *
 * A small map is written once, for complex numbers: with a tiny imaginary part in z_j the imaginary
 * part of F is the j-th column of the Jacobian, with all its digits (Squire, Trapp, SIAM Review 40
 * (1998)). Maps on grids have sparse Jacobians of their own. */
#ifndef PERP_GENERATE_LITERATURE_PARTS_H
#define PERP_GENERATE_LITERATURE_PARTS_H

#include "literature.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double _Complex number;

typedef struct literature_row {
    const char *name, *about;
    int n;
    void (*map)(const number *z, number *F);
    bool (*defined)(const double *z); /* NULL: everywhere */
    const double *lo, *hi;            /* NULL: none; `ncp`: 0 and none */
    bool ncp;
    int starts;
    const double *start; /* one after the other */
    const double *solution;
    double accuracy; /* 0: 1e-9 */
    bool unique, none;
    /* instead of all that: a problem of this size; starts are made by it too */
    bool (*make)(int size, perp_arena *a, literature *out);
} literature_row;

/* One table a file, each ends with a row whose name is NULL. */
extern const literature_row literature_classic[], literature_programs[], literature_economy[],
    literature_network[], literature_grid[], literature_other[], literature_hard[];

#define NO INFINITY /* bounds that are not there */
#define ROWS(x) (int)(sizeof(x) / sizeof *(x))
#define STARTS(x) .starts = ROWS(x), .start = &(x)[0][0]

static inline number square(number x)
{
    return x * x;
}

#endif
