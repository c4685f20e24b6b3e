/* cone/jacobian.h: J = D_z + D_u (W + alpha I) of a scaled cone problem, and its factors; D_z and
 * D_u are block diagonal, the derivatives of a map (method/cone_set.h).
 *
 * Where W has few entries J is sparse, its pattern that of W with whole blocks, analysed once; else
 * dense: 2/3 n^3 flops and n^2 numbers. */
#ifndef PERP_CONE_JACOBIAN_H
#define PERP_CONE_JACOBIAN_H

#include "linalg/sparse.h"
#include "system.h"

#define PERP_CONE_JACOBIAN_ROWS 6000 /* of a dense one at most: it has 8 n^2 bytes */

typedef struct perp_cone_jacobian {
    const perp_cone_system *s;
    size_t *at;          /* where each block's derivatives begin */
    size_t entries;      /* of all derivatives by one vector */
    int *block, *local;  /* of each row: its block, and its place there */
    double *column, *x;  /* a column of W + alpha I; J, all of it or the pattern's values */
    int *pivot;          /* of a dense J */
    int *p, *i;          /* the pattern of a sparse one; NULL: it is dense */
    perp_factor *factor; /* its factors */
} perp_cone_jacobian;

/* A status < 0 refuses. */
perp_status perp_cone_jacobian_open(perp_cone_jacobian *j, const perp_cone_system *s);
/* False: singular, or the watch asks to stop. */
bool perp_cone_jacobian_factor(perp_cone_jacobian *j, const double *by_z, const double *by_u,
                               double alpha);
/* x <- J^-1 x. False: it is not finite. */
bool perp_cone_jacobian_solve(perp_cone_jacobian *j, double *x);

#endif
