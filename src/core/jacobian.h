/* core/jacobian.h: F and its Jacobian at z, whoever supplies them: an affine map, a callback, or
 * differences of one.
 *
 * Open it once per solve, then ask for F and for J at as many z as you like. Callbacks are not
 * trusted: "undefined here", NaN and Inf all read as undefined, values that jacobian() leaves
 * unwritten too, and what it writes beyond the end of its pattern is noticed (perp_jacobian_fail
 * says so). */
#ifndef PERP_JACOBIAN_H
#define PERP_JACOBIAN_H

#include "internal.h"

typedef struct perp_jacobian {
    const perp_map *map;
    int n;
    perp_matrix J;         /* at the z last asked for: dense, or CSC in canonical form, with every
                              diagonal entry there, as linalg/sparse.h and linalg/newton_system.h want it */
    bool constant;         /* the map is affine: J is there from the start */
    bool differences;      /* J comes from differences of F, as there is no jacobian() */
    bool differenced;      /* the last J did, also one where jacobian() was undefined */
    bool overrun;          /* a callback wrote beyond its array: see perp_jacobian_fail */
    int evaluations;       /* of F so far, */
    int jacobians;         /* and of J */
    const double *lo, *hi; /* differences stay in between; NULL: no such bounds, */
    double least;          /* but this one for all, in place of lo */

    double *x;                /* J's values, ours to write; NULL where J is the caller's own M */
    double *values;           /* what jacobian() writes, guarded; may be x itself */
    int count, guard;         /* values it may write, and sentinels behind them */
    const int *place;         /* values[k] is a part of x[place[k]]; NULL: of x[k] */
    int colours;              /* evaluations that a Jacobian by differences takes */
    const int *colour;        /* of each column */
    double *F, *there, *step; /* F guarded; the point of a difference, and how far it is */
} perp_jacobian;

/* The map must be valid, its M dense or CSC. The map and the bounds stay the caller's. False: no
 * memory. Dense: n^2 numbers but for an affine map, sparse: at most twice the pattern's. */
bool perp_jacobian_open(perp_jacobian *k, perp_arena *a, const perp_map *map, const double *lo,
                        const double *hi);

/* F = F(z), n finite numbers, or false: undefined. F is unchanged then. */
bool perp_jacobian_map(perp_jacobian *k, const double *z, double *F);

/* k->J = F'(z); F is F(z), which differences need. False: undefined there. By differences the
 * columns of variables with lo = hi are zero. */
bool perp_jacobian_at(perp_jacobian *k, const double *z, const double *F);

/* The same where jacobian() says that it is undefined: by differences of F all the same. False
 * also where k->J came from differences already, and without memory. Takes 3 n numbers of the arena
 * and gives them back. */
bool perp_jacobian_by_differences(perp_jacobian *k, perp_arena *a, const double *z,
                                  const double *F);

/* ---- for the checker ---- */

/* Give the columns their colours; perp_jacobian_open does it where there is no jacobian(). False:
 * no memory. */
bool perp_jacobian_colour(perp_jacobian *k, perp_arena *a);

/* k->F = F at z plus k->step on the columns of colour c, a step of the square root of DBL_EPSILON
 * times |part|, away from where it would go where part < 0 and there is room. False: undefined. */
bool perp_jacobian_difference(perp_jacobian *k, const double *z, int c, double part);

/* Compare jacobian() at z, where F is F(z), with differences; report->error is what differences
 * cannot explain. PERP_SOLVED: they agree. PERP_UNCERTIFIED: they do not. Refusals: no memory,
 * undefined at z, an overrun. Two evaluations of F a colour. */
perp_status perp_jacobian_compare(perp_jacobian *k, perp_arena *a, const double *z, const double *F,
                                  perp_jacobian_report *report);

/* ---- ends ---- */

/* At the end of a run that got stuck at z: was it because the callback lies about its Jacobian?
 * Then the run fails with a sentence that names the entry, and this is true. */
bool perp_jacobian_lies(perp_run *run, perp_jacobian *k, const double *z, const double *F);
/* Counts what it takes, in a run of perp_bytes. */
void perp_jacobian_lies_room(const perp_jacobian *k, perp_arena *a);

/* End a run whose callback misbehaved (k->overrun): a refusal and one sentence. */
perp_status perp_jacobian_fail(perp_run *run, const perp_jacobian *k);

#endif
