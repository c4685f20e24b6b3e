/* kernel/conjugate.h: nonsmooth nonlinear conjugate gradients around a sweep.
 * Silcowitz-Hansen, Niebe and Erleben (2010).
 *
 * The step of a sweep, d = sweep(x) - x, stands for minus the gradient of f = |d|^2 / 2:
 *     x <- sweep(x) + beta p,    p <- d + beta p,    beta = |d|^2 / |d_old|^2,
 * with a restart, p = 0, where f rises. What a sweep keeps beside x (the slack, velocities) is
 * affine in x and follows p, so an iteration costs one sweep and a few passes over vectors. */
#ifndef PERP_CONJUGATE_H
#define PERP_CONJUGATE_H

#include <stdbool.h>
#include <stddef.h>

/* A vector that the sweep changes: x, or what is kept beside it. */
typedef struct conjugate_part {
    size_t n;
    double *x;     /* as the sweep left it */
    double *from;  /* as the sweep found it */
    double *p;     /* the direction, 0 at the start */
    double *extra; /* what of p was added before the sweep; NULL: no line search */
} conjugate_part;

typedef struct conjugate {
    conjugate_part part[2]; /* x, and what is kept beside it */
    double *d;              /* the step before the last, length of x: Polak-Ribiere; else NULL */
    int restart;            /* forget p after so many iterations; 0: only where f rises */
    double old;             /* |d|^2 there; 0: none */
    bool extended;          /* the last sweep started from a point with some of p added */
    int halvings, kept;     /* halvings of this step; iterations since the last restart */
} conjugate;

/* The sweep will start from what the parts hold now. */
void conjugate_start(conjugate *c);
/* The same for what is kept beside x alone, which was computed anew. */
void conjugate_refresh(conjugate *c);
/* Between two sweeps; 2 f, the square of the last one's step. */
double conjugate_step(conjugate *c);

#endif
