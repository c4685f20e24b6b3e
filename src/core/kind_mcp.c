/* core/kind_mcp.c: lo <= z <= hi _|_ F(z), with bounds that may follow another unknown. kind_map.c
 * judges it,
 * and proof_map.c its proofs. */
#include "distance.h"
#include "kinds.h"
#include "proof.h"

static bool has_followers(const perp_problem *p)
{
    return p->as.mcp.follows != NULL;
}

static const perp_kind_size mcp_sizes[] = {{.offset = PERP_AT(mcp.F.n)}, {0}};

static const perp_field mcp_fields[] = {
    {.name = "M",
     .type = PERP_FIELD_MATRIX,
     .offset = PERP_AT(mcp.F.M),
     .applies = perp_map_is_affine},
    {.name = "q", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(mcp.F.q)},
    {.name = "lo", .type = PERP_FIELD_BOUND, .offset = PERP_AT(mcp.lo), .role = PERP_ROLE_LOWER},
    {.name = "hi", .type = PERP_FIELD_BOUND, .offset = PERP_AT(mcp.hi), .role = PERP_ROLE_UPPER},
    {.name = "findex",
     .type = PERP_FIELD_INDEX,
     .offset = PERP_AT(mcp.follows),
     .role = PERP_ROLE_FOLLOWS},
    {.name = "mu",
     .type = PERP_FIELD_VECTOR,
     .offset = PERP_AT(mcp.mu),
     .role = PERP_ROLE_FRICTION,
     .applies = has_followers},
    {0},
};

static perp_status validate_follower(const perp_mcp *mcp, int i, perp_error *e)
{
    int k = mcp->follows[i];
    if (k == -1) return PERP_SOLVED;
    if (k < 0 || k >= mcp->F.n) {
        return perp_refuse(e, PERP_E_ARGUMENT, "findex[%d] = %d is not in -1 .. %d", i, k,
                           mcp->F.n - 1);
    }
    if (k == i) return perp_refuse(e, PERP_E_ARGUMENT, "findex[%d] points at itself", i);
    if (mcp->follows[k] >= 0) {
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "findex[%d] = %d points at a variable that follows another", i, k);
    }
    if (!mcp->mu) return perp_refuse(e, PERP_E_ARGUMENT, "mu must not be NULL with findex");
    if (!isfinite(mcp->mu[i])) {
        return perp_refuse(e, PERP_E_NUMBER, "mu[%d] = %g is not finite", i, mcp->mu[i]);
    }
    if (mcp->mu[i] < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "mu[%d] = %g is negative", i, mcp->mu[i]);
    }
    return PERP_SOLVED;
}

static perp_status mcp_validate(const perp_problem *p, perp_error *e)
{
    const perp_mcp *mcp = &p->as.mcp;
    perp_status status = perp_map_validate(&mcp->F, e);
    if (!status) status = perp_check_bounds(mcp->lo, mcp->hi, mcp->F.n, "lo", "hi", e);
    for (int i = 0; mcp->follows && i < mcp->F.n && !status; i++) {
        status = validate_follower(mcp, i, e);
    }
    return status;
}

static perp_status mcp_check(const perp_problem *p, perp_status status, const double *y,
                             const double *z, double tol, perp_arena *a, perp_residual *r)
{
    (void)z;
    return perp_map_check(p, status, y, tol, a, r);
}

static perp_status mcp_suits(const perp_problem *p, const perp_solver *s, perp_error *e)
{
    if (has_followers(p) && !(s->flags & PERP_SOLVER_READS_FOLLOWS)) {
        return perp_refuse(e, PERP_E_FORMAT, "%s does not read findex bounds", s->name);
    }
    return perp_map_suits(p, s, e);
}

const perp_kind_ops perp_ops_mcp = {
    .sizes = mcp_sizes,
    .fields = mcp_fields,
    .map = PERP_AT(mcp.F),
    .size = perp_map_size,
    .validate = mcp_validate,
    .scale = perp_map_scale,
    .measure = perp_map_measure,
    .check = mcp_check,
    .tidy = perp_map_tidy,
    .undefined = perp_map_undefined,
    .box_map = perp_distance_affine,
    .suits = mcp_suits,
};
