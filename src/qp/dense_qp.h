/* qp/dense_qp.h: a QP as the dense active-set kernels want it: columns of like size, normals of
 * length 1, one in each column of an array, and all bounds in one array. */
#ifndef PERP_QP_DENSE_QP_H
#define PERP_QP_DENSE_QP_H

#include "method/dual_set.h"
#include "perp/solver.h"

typedef struct perp_dense_qp {
    const perp_qp *qp; /* H, A and c in the kernels' scale, dense; A is not scaled */
    perp_qp scaled;    /* what qp points to where columns are scaled */
    perp_constraint_rows rows;
    double *column; /* n: x_j is column_j times that of the kernels, a power of two; NULL: all 1 */
    double *norm;   /* m: lengths of the scaled rows of A, 1 for a row of zeros */
} perp_dense_qp;

/* In the arena; n m + 3 (n + m) numbers, and n^2 where columns are scaled. False: no memory. The
 * program must stay where it is. */
bool perp_dense_qp_open(perp_dense_qp *p, const perp_qp *qp, perp_arena *a);

/* The kernels' x from that of z. */
void perp_dense_qp_read(const perp_dense_qp *p, const double *z, double *x);
/* g = H x + c */
void perp_dense_qp_gradient(const perp_dense_qp *p, const double *x, double *g);
/* z = (x, y) of the QP from values and multipliers of the scaled constraints; x is clipped to its
 * bounds. */
void perp_dense_qp_write(const perp_dense_qp *p, const double *value, const double *y, double *z);
/* End with a proof that perp_check accepts: n + m multipliers of the scaled constraints for
 * PERP_INFEASIBLE, a direction, n numbers, for PERP_UNBOUNDED. Entries that only rounding keeps
 * from zero are found by trial. PERP_STALLED: no proof. The proof is overwritten. */
perp_status perp_dense_qp_prove(const perp_dense_qp *p, perp_run *run, perp_status claim,
                                double *proof);
/* Counts what it takes, in a run of perp_bytes. */
void perp_dense_qp_prove_room(perp_run *run);

/* The constraints that hold x where z = (x, y) solves the problem: side 1 at lo, -1 at hi, 0
 * neither, and the force that each is held with. value is the kernels' x and A'x; g is scratch, n.
 */
void perp_dense_qp_guess(const perp_dense_qp *p, const double *z, const double *value, double *g,
                         signed char *side, double *force);
/* Let them join the set, the strong before the weak, unless a normal depends on those before but
 * for `tol` of its length. */
void perp_dense_qp_join(perp_dual *s, const signed char *side, const double *force, double tol);

#endif
