/* core/lift.c: a problem as one of a wider kind, exactly. Each kind names the next wider one and
 * how it is restated: lcp in ncp in mcp, nnls in qp in mcp. */
#include "kinds.h"

bool perp_can_lift(perp_kind from, perp_kind to)
{
    const perp_kind_ops *ops = perp_kind_ops_of(from);
    for (; ops && from != to; ops = perp_kind_ops_of(from)) {
        if (!ops->lift) return false;
        from = ops->wider;
    }
    return ops != NULL;
}

perp_status perp_lift_problem(const perp_problem *p, perp_kind to, perp_arena *a, perp_lift *lift,
                              perp_error *e)
{
    *lift = (perp_lift){.problem = *p};
    if (!perp_can_lift(p->kind, to)) {
        const char *from = perp_kind_name(p->kind), *wide = perp_kind_name(to);
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "a problem of kind %s cannot be restated as one of kind %s",
                           from ? from : "unknown", wide ? wide : "unknown");
    }
    while (lift->problem.kind != to) {
        const perp_problem narrow = lift->problem;
        const perp_kind_ops *ops = perp_kind_ops_of(narrow.kind);
        lift->problem = (perp_problem){.kind = ops->wider, .name = p->name};
        perp_status status = ops->lift(&narrow, a, lift, e);
        if (status) return status;
    }
    return PERP_SOLVED;
}

void perp_lift_up(const perp_lift *lift, const double *z, double *lifted)
{
    if (lift->up)
        lift->up(lift->ctx, z, lifted);
    else
        kind_copy(perp_size(&lift->problem), z, lifted);
}

void perp_lift_down_proof(const perp_lift *lift, const double *lifted, double *z)
{
    if (lift->down_proof)
        lift->down_proof(lift->ctx, lifted, z);
    else
        perp_lift_down(lift, lifted, z);
}

void perp_lift_down(const perp_lift *lift, const double *lifted, double *z)
{
    if (lift->down)
        lift->down(lift->ctx, lifted, z);
    else
        kind_copy(perp_size(&lift->problem), lifted, z);
}
