/* qp/phase_one.h: a feasible x and a working set for it, by projection. */
#ifndef PERP_QP_PHASE_ONE_H
#define PERP_QP_PHASE_ONE_H

#include "dense_qp.h"

/* The first set for the dual method, whose Q is the identity: equalities, then the constraints that
 * hold z = (x, y) where it solves the problem, or, z NULL, the bounds that hold the x in s, which
 * the caller gives. x is moved to their bounds. force (n + m) and g (n) are scratch. */
void perp_phase_start(const perp_dense_qp *p, perp_dual *s, const double *z, double *force,
                      double *g, signed char *side);
/* The point of the box next to 0. */
void perp_phase_centre(const perp_dense_qp *p, double *x);
/* The same for a set that is given, list[0 .. count) at their sides; Q is the identity. */
void perp_phase_resume(const perp_dense_qp *p, perp_dual *s, int count, const int *list,
                       const signed char *side, double *g);

/* The dual method until x is feasible. PERP_SOLVED: it is; otherwise the status to end with, z the
 * point so far; w is room for a proof. */
perp_status perp_phase_one(const perp_dense_qp *p, perp_dual *s, perp_run *run, double *z,
                           double *w);

#endif
