/* method/conjugate.h: nonsmooth nonlinear conjugate gradients around a sweep.
 * Silcowitz-Hansen, Niebe and Erleben (2010).
 *
 * The step of a sweep, d = sweep(x) - x, stands for minus the gradient of f = |d|^2 / 2. Fletcher
 * and Reeves, with steps of length 1 as the paper has them:
 *     x <- sweep(x) + beta p,    p <- d + beta p,    beta = |d|^2 / |d_old|^2,
 * and a restart, p = 0, where f rises. Polak's and Ribiere's beta = d.(d - d_old) / |d_old|^2 needs
 * steps that end where the gradient is orthogonal to p: after steps of length 1 slow sweeps have d
 * nearly parallel to d_old, beta vanishes, and what is left is the sweep itself. The length t that
 * it needs follows from d at both ends of the last step, as d is affine in x where nothing changes
 * its state:
 *     t = d_old.p / (d_old - d).p,   x <- x_old + t p,   d <- d_old + t (d - d_old),
 * no further sweep is made, and a restart begins with p = d.
 *
 * What a sweep keeps beside x (the slack, velocities) is affine in x and follows, so an iteration
 * costs one sweep and a few passes over vectors. */
#ifndef PERP_METHOD_CONJUGATE_H
#define PERP_METHOD_CONJUGATE_H

#include "perp/core.h"

/* A vector that the sweep changes: x, or what is kept beside it. */
typedef struct conjugate_part {
    size_t n;
    double *x;     /* as the sweep left it */
    double *from;  /* as the sweep found it */
    double *p;     /* the direction; of Polak and Ribiere, the whole of the last step */
    double *d;     /* the step before the last, of Polak and Ribiere; NULL: Fletcher and Reeves */
    double *extra; /* what was added to a sweep before the last one; NULL: no line search */
} conjugate_part;

typedef struct conjugate {
    conjugate_part part[2]; /* x, and what is kept beside it */
    int restart;            /* forget p after so many iterations; 0: only where f rises */
    double old;             /* |d|^2 of the step before; 0: none */
    bool extended;          /* the last sweep did not start where the one before it ended */
    int halvings, kept;     /* halvings of this step; iterations since the last restart */
} conjugate;

/* For x of length n and m numbers beside it, which the sweep changes in place. False: no memory. */
bool perp_conjugate_open(conjugate *c, perp_arena *a, bool ribiere, bool line_search, size_t n,
                         double *x, size_t m, double *beside);
/* The sweep will start from what x and its like hold now. */
void perp_conjugate_start(conjugate *c);
/* The same for what is kept beside x alone, which was computed anew. */
void perp_conjugate_refresh(conjugate *c);
/* Between two sweeps; 2 f, the square of the last one's step. */
double perp_conjugate_step(conjugate *c);

#endif
