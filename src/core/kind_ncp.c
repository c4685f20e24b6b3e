/* core/kind_ncp.c: 0 <= z _|_ F(z) >= 0. kind_map.c judges it, proof_map.c its proofs. */
#include "kinds.h"
#include "proof.h"

static const perp_kind_size ncp_sizes[] = {{.offset = PERP_AT(ncp.F.n)}, {0}};

static const perp_field ncp_fields[] = {
    {.name = "M",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(ncp.F.M),
     .applies = perp_map_is_affine},
    {.name = "q", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(ncp.F.q)},
    {0},
};

static perp_status ncp_validate(const perp_problem *p, perp_error *e)
{
    return perp_map_validate(&p->as.ncp.F, e);
}

static perp_status ncp_check(const perp_problem *p, perp_status status, const double *y,
                             const double *z, double tol, perp_arena *a, perp_residual *r)
{
    (void)z;
    return perp_map_check(p, status, y, tol, a, r);
}

/* The same map, with the lower bounds 0. */
static perp_status ncp_lift(const perp_problem *p, perp_arena *a, perp_lift *lift, perp_error *e)
{
    const perp_map *F = &p->as.ncp.F;
    double *lo = perp_alloc(a, (size_t)F->n, sizeof *lo);
    if (a->failed) return perp_lift_refuse_memory(e);
    lift->problem.as.mcp = (perp_mcp){.F = *F, .lo = lo};
    return PERP_SOLVED;
}

const perp_kind_ops perp_ops_ncp = {
    .sizes = ncp_sizes,
    .fields = ncp_fields,
    .map = PERP_AT(ncp.F),
    .size = perp_map_size,
    .validate = ncp_validate,
    .scale = perp_map_scale,
    .measure = perp_map_measure,
    .check = ncp_check,
    .tidy = perp_map_tidy,
    .undefined = perp_map_undefined,
    .suits = perp_map_suits,
    .lift = ncp_lift,
    .wider = PERP_KIND_MCP,
};
