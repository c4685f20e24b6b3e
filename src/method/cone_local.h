/* method/cone_local.h: one block of a product of cones, whatever its size and rank; arrays in,
 * arrays out.
 *
 * Given B (count x count, column-major) and q, find z with u = B z + q and the law of the block. A
 * box is a quotient, a cone of two rows a closed form. Other blocks: Newton's method on the disc
 * map; where that does not end in a few steps proximal points around it, z+ solving the block with
 * B + alpha I and q - alpha z, which is regular for B of any rank that is monotone (Rockafellar
 * 1976); where these fail and s > 0, the number sigma = sum s_g |u_g| as the fixed point of convex
 * blocks, by bisection, and where their u jumps on the segment across (Acary, Cadoux, Lemarechal,
 * Malick 2011); then regularised steps from several starts and on either map, and at last projected
 * ones. What comes out is never worse than what went in. */
#ifndef PERP_METHOD_CONE_LOCAL_H
#define PERP_METHOD_CONE_LOCAL_H

#include "cone_set.h"

typedef struct perp_cone_local {
    double *u, *F, *x, *best, *trial, *shift, *scratch, *q, *z, *low, *high; /* count each */
    double *by_z, *by_u, *J;                                                 /* count^2 each */
    perp_cone_group *group;                                                  /* count */
    int *pivot;
    int steps; /* of Newton's method that are left to a solve */
} perp_cone_local;

#define PERP_CONE_LOCAL_STEPS 20000 /* enough for all but 2 blocks of a trial of 29 10^6 */

/* Room for blocks of up to so many rows. False: no memory. */
bool perp_cone_local_open(perp_cone_local *l, perp_arena *a, int most);

/* |z - P(z - v)| at u = B z + q. */
double perp_cone_local_error(const perp_cone_set *t, int b, const double *B, const double *q,
                             const double *z, perp_cone_local *l);
/* From z to a solution, in z, by at most so many steps; returns the error there. */
double perp_cone_local_solve(const perp_cone_set *t, int b, const double *B, const double *q,
                             int steps, double *z, perp_cone_local *l);
/* Whether that error is what rounding leaves. */
bool perp_cone_local_ends(const perp_cone_set *t, int b, const double *B, const double *q,
                          const double *z, double error);

#endif
