/* tests/adversary/exact_judge.c: which oracle judges what. */
#include "exact.h"

#include <math.h>

void judge_solved(const sample *s, const double *z, judgement *j)
{
    *j = (judgement){0};
    switch (s->kind) {
    case V_NNLS: judge_solved_nnls(s, z, j); break;
    case V_QP: judge_solved_qp(s, z, j); break;
    case V_FC3D:
    case V_BODY: judge_solved_fc3d(s, z, j); break;
    case V_CONE: judge_solved_cone(s, z, j); break;
    case V_MCP_MAP:
    case V_NCP_MAP: judge_solved_callback(s, z, j); break;
    default: judge_solved_map(s, z, j);
    }
    if (!j->part) j->part = "none";
}

static bool affine_map(const sample *s)
{
    return s->kind == V_LCP || s->kind == V_NCP || s->kind == V_MCP || s->kind == V_FOLLOWS;
}

void judge_claim(const sample *s, perp_status claim, const double *z, const double *w, judgement *j)
{
    *j = (judgement){0};
    if (claim == PERP_INFEASIBLE && affine_map(s))
        judge_infeasible_map(s, w, j);
    else if (claim == PERP_INFEASIBLE && s->kind == V_QP)
        judge_infeasible_qp(s, w, j);
    else if (claim == PERP_UNBOUNDED && s->kind == V_QP)
        judge_unbounded_qp(s, z, w, j);
    else if (claim == PERP_RAY && (s->kind == V_LCP || s->kind == V_NCP))
        judge_ray(s, w, j);
    else
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "no proof exists"};
    if (!j->part) j->part = "none";
}
