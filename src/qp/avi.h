/* qp/avi.h: the part of qp/fletcher for H that is not symmetric. */
#ifndef PERP_QP_AVI_H
#define PERP_QP_AVI_H

#include "program.h"

perp_status perp_qp_avi(const perp_program *p, perp_run *run, double *z);

#endif
