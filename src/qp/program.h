/* qp/program.h: a QP as the dense active-set kernels want it: normals of length 1, one in each
 * column, and all bounds in one array. */
#ifndef PERP_QP_PROGRAM_H
#define PERP_QP_PROGRAM_H

#include "../kernel/rows.h"
#include "perp/solver.h"

typedef struct perp_program {
    const perp_qp *qp; /* with H and A dense */
    perp_rows rows;
    double *norm; /* m: lengths of the rows of A, 1 for a row of zeros */
} perp_program;

/* In the arena; n m + 2 (n + m) + m numbers. False: no memory. */
bool perp_program_open(perp_program *p, const perp_qp *qp, perp_arena *a);

/* g = H x + c */
void perp_program_gradient(const perp_program *p, const double *x, double *g);
/* z = (x, y) of the QP from values and multipliers of the scaled constraints; x is clipped to its
 * bounds. */
void perp_program_write(const perp_program *p, const double *value, const double *y, double *z);
/* A proof of infeasibility as perp_check wants it, from one of the scaled constraints. */
void perp_program_prove(const perp_program *p, const double *proof, double *w);

/* Which side constraint i stands at where (x, y) is a solution: 1 lo, -1 hi, 0 neither. g is
 * H x + c - A'y. Ax is scaled; y is not. */
int perp_program_side(const perp_program *p, int i, double value, double force);

#endif
