/* qp/affine_vi.h: the part of qp/fletcher for H that is not symmetric. */
#ifndef PERP_QP_AFFINE_VI_H
#define PERP_QP_AFFINE_VI_H

#include "dense_qp.h"

perp_status perp_affine_vi(const perp_dense_qp *p, perp_run *run, double *z);

#endif
