/* method/extrapolate.h: the steps of slow sweeps, followed to where they lead.
 * Lyusternik (1947); Aitken (1937) for one unknown.
 *
 * Sweeps that converge slowly make steps d, d' that are nearly parallel, the later one shorter by a
 * factor lambda, and what remains is near lambda / (1 - lambda) times the last step. Every few
 * sweeps that is looked for, and added where it is so; the next sweep's step has to be no longer
 * than the last one was, otherwise all is put back.
 *
 * What a sweep keeps beside x (the slack, velocities) is affine in x and follows, so this costs a
 * few passes over vectors. Memory: three vectors like x, two like what is beside it. */
#ifndef PERP_METHOD_EXTRAPOLATE_H
#define PERP_METHOD_EXTRAPOLATE_H

#include "perp/core.h"

/* A vector that the sweep changes: x, or what is kept beside it. */
typedef struct extrapolate_part {
    size_t n;
    double *x;
    double *before; /* the last sweep */
    double *kept;   /* before x was extrapolated */
} extrapolate_part;

typedef struct extrapolation {
    extrapolate_part part[2]; /* x, and what is kept beside it */
    double *first;            /* x before the last two sweeps */
    double length;            /* squared, of the last step before x was extrapolated */
    int phase;                /* what the next call does */
    int rest;                 /* calls that do nothing before that */
} extrapolation;

/* For x of length n and m numbers beside it, which the sweep changes in place. The first `rest`
 * sweeps are left alone. False: no memory. */
bool perp_extrapolate_open(extrapolation *t, perp_arena *a, int rest, size_t n, double *x, size_t m,
                           double *beside);
/* Before each sweep. */
void perp_extrapolate_step(extrapolation *t);

#endif
