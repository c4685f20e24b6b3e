/* core/residual_qp.h: the residual of a qp, with the bound of its own rounding. */
#ifndef PERP_CORE_RESIDUAL_QP_H
#define PERP_CORE_RESIDUAL_QP_H

#include "internal.h"

/* The measure() of the qp kind. s: what the natural map's two halves are divided by. */
perp_status perp_residual_qp(const perp_problem *p, const perp_scales *s, const double *z,
                             double *w, double tol, perp_arena *a, perp_residual *r);
/* x'Hx/2 + c'x, summed in pairs; NAN: no memory. */
double perp_objective_qp(const perp_qp *qp, const double *x, perp_arena *a);

#endif
