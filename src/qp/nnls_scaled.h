/* qp/nnls_scaled.h: nonnegative least squares whose data are far from 1. */
#ifndef PERP_QP_NNLS_SCALED_H
#define PERP_QP_NNLS_SCALED_H

#include "perp/solver.h"

#define NNLS_ANY_SPREAD 10000 /* columns may be of any lengths */

/* Where lengths of columns of A, or of b, are so far from 1 that their squares overflow or vanish,
 * or where the lengths differ by more than `spread` binary digits: the run's solver solves the
 * problem with columns of length near 1 instead, and z is its solution, with the run's status in
 * *status. False: nothing of the kind, and nothing was done. */
bool perp_nnls_scaled(perp_run *run, int spread, double *z, perp_status *status);

#endif
