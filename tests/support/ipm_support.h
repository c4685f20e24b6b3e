/* tests/support/ipm_support.h: reduced problems for the tests of qp/ipm's parts. */
#ifndef PERP_IPM_SUPPORT_H
#define PERP_IPM_SUPPORT_H

#include "generate_support.h"
#include "qp/ipm.h"

/* A problem of a family as qp/ipm reads it: both matrices in compressed columns. */
static inline perp_problem sparse_problem(const char *family, int size, uint64_t seed,
                                          perp_arena *a)
{
    perp_problem p = problem_make(family, NULL, size, seed, a).p;
    perp_qp *qp = &p.as.qp;
    if (!qp->H.format) qp->H.m = qp->H.n = qp->n;
    if (!qp->A.format) {
        qp->A.m = qp->m;
        qp->A.n = qp->n;
    }
    ck_assert_int_eq(perp_convert(&qp->H, PERP_FORMAT_CSC, a, &qp->H, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_convert(&qp->A, PERP_FORMAT_CSC, a, &qp->A, NULL), PERP_SOLVED);
    return p;
}

static inline ipm_presolved reduce_problem(const perp_problem *p, perp_arena *a)
{
    ipm_presolved r;
    ck_assert_int_eq(perp_ipm_presolve(&p->as.qp, a, &r), PERP_SOLVED);
    return r;
}

#endif
