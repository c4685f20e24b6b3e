/* qp/nnls_interior.h: interior points for large sparse nonnegative least squares. */
#ifndef PERP_QP_NNLS_INTERIOR_H
#define PERP_QP_NNLS_INTERIOR_H

#include "perp/solver.h"

/* Bring x, of which nothing is read, towards the solution of p, which is run->problem but for the
 * format: its A is CSC in canonical form. PERP_SOLVED, or why perp_continue ended the run;
 * PERP_STALLED: no step lowers the residual, x is the best so far; PERP_E_MEMORY, also on a fixed
 * arena.
 */
perp_status perp_nnls_interior(perp_run *run, const perp_nnls *p, double *x);

#endif
