/* lcp/lemke.h: what Lemke's method has alike for dense and sparse matrices. */
#ifndef PERP_LCP_LEMKE_H
#define PERP_LCP_LEMKE_H

#include "perp/solver.h"

/* lcp/lemke_sparse.c; M is CSC, the arena not fixed. */
perp_status perp_lemke_sparse(perp_run *run, double *z);

/* The sentence of an end. */
static inline perp_status lemke_conclude(perp_run *run, perp_status s)
{
    switch (s) {
    case PERP_INFEASIBLE: return perp_fail(run, s, "no z >= 0 has M z + q >= 0; w holds the proof");
    case PERP_RAY:
        return perp_fail(run, s,
                         "Lemke's path ends on a ray, which proves nothing about solutions");
    case PERP_STALLED:
        return perp_fail(run, s, "rounding errors spoil the pivots: the basis is nearly singular");
    default: return run->status = s;
    }
}

#endif
