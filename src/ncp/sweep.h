/* ncp/sweep.h: one sweep of projected Gauss-Seidel over an affine MCP, friction boxes included.
 *
 * z_i <- P_i(z_i - omega w_i / M_ii), one i after the other, P_i on the bounds that hold at that
 * moment. What a sweep keeps beside z, its state, is w = M z + q (dense, CSC), or the velocities
 * M^-1 J' z of the bodies where M is J M^-1 J' in factors (method/velocity.h). */
#ifndef PERP_NCP_SWEEP_H
#define PERP_NCP_SWEEP_H

#include "method/velocity.h"
#include "perp/solver.h"

#include <math.h>

#define PERP_BOX_REFRESH 32 /* sweeps between fresh states: rounding has no time to build up */

typedef struct perp_box_sweep {
    const perp_mcp *p;
    double scale;
    double *lo, *hi; /* own bounds; a follower's are not read */
    double *step;    /* omega / M_ii; 0 where lo = hi */
    double *state;
    size_t state_size;
    const velocity_factors *factors; /* NULL: w is kept */
    double *B;                       /* 12 a row: M^-1 J' */
    int *slot;                       /* 2 a row: bodies, or one that never moves */
} perp_box_sweep;

/* Room and checks; z is brought into its bounds. */
perp_status perp_box_open(perp_run *run, double omega, double *z, perp_box_sweep *s);
/* The same, but that rows without a positive diagonal are left as they are. */
perp_status perp_box_open_any(perp_run *run, double *z, perp_box_sweep *s);
/* The state from z. */
void perp_box_refresh(perp_box_sweep *s, const double *z);
/* One sweep. Returns an estimate of the scaled residual: of z afterwards where w is kept, otherwise
 * of each z_i as the sweep came to it. *square: |step|^2, the |grad f|^2 of Silcowitz-Hansen, Niebe
 * and Erleben (2010). */
double perp_box_run(perp_box_sweep *s, double *z, double *square);

/* The scaled residual of z, where w is kept and up to date. */
double perp_box_residual(const perp_box_sweep *s, const double *z);

/* Bounds of i at z. */
static inline void perp_box_bounds_at(const perp_box_sweep *s, const double *z, int i, double *lo,
                                      double *hi)
{
    *lo = s->lo[i];
    *hi = s->hi[i];
    if (!s->p->follows || s->p->follows[i] < 0) return;
    double normal = z[s->p->follows[i]];
    *hi = normal < 0 ? 0 : s->p->mu[i] * normal; /* a NaN stays */
    *lo = -*hi;
}

#endif
