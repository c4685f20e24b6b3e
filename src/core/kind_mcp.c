/* core/kind_mcp.c: lo <= z <= hi _|_ F(z), with bounds that may follow another unknown. kind_map.c
 * judges it.
 *
 * Proof that an affine mcp has no feasible point: Farkas' lemma over the box. */
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

/* What y'F(z) >= 0 needs at every feasible z: y_i >= 0 where F_i >= 0 there (no upper bound), <= 0
 * where F_i <= 0, any sign where F_i = 0 (free), and 0 where F_i may be anything. */
static void check_signs(const perp_problem *p, const double *y, perp_proof *proof)
{
    for (int i = 0; i < p->as.mcp.F.n; i++) {
        double lo, hi;
        perp_map_own_bounds(p, i, &lo, &hi);
        bool below = lo > -INFINITY || perp_map_follows(p, i),
             above = hi < INFINITY || perp_map_follows(p, i);
        if (below) perp_proof_violates(proof, -y[i], 1);
        if (above) perp_proof_violates(proof, y[i], 1);
    }
}

/* With g = M'y: y'F(z) = g'z + q'y, and its supremum over the box is negative. A follower i of k
 * adds mu_i |g_i| max(z_k, 0) to k's part; it is collected in e. */
static void sum_over_box(const perp_problem *p, const double *g, const double *g_size, double *e,
                         double *e_size, perp_proof *proof)
{
    const perp_mcp *mcp = &p->as.mcp;
    for (int i = 0; i < mcp->F.n; i++) {
        if (!perp_map_follows(p, i)) continue;
        e[mcp->follows[i]] += mcp->mu[i] * fabs(g[i]);
        e_size[mcp->follows[i]] += mcp->mu[i] * g_size[i];
    }
    for (int i = 0; i < mcp->F.n; i++) {
        double lo, hi;
        if (perp_map_follows(p, i)) continue;
        perp_map_own_bounds(p, i, &lo, &hi);
        perp_proof_sup(proof, g[i], g_size[i], e[i], e_size[i], lo, hi);
    }
}

static perp_status mcp_check(const perp_problem *p, perp_status status, const double *y,
                             perp_arena *a, perp_residual *r)
{
    const perp_map *F = &p->as.mcp.F;
    *r = perp_unmeasured;
    if (status != PERP_INFEASIBLE || F->eval) return PERP_E_ARGUMENT;
    size_t n = (size_t)F->n;
    perp_proof proof = {0};
    perp_mark mark = perp_arena_mark(a);
    double *unit = perp_proof_unit(a, F->n, y);
    double *g = perp_alloc_unset(a, n, sizeof *g), *g_size = perp_alloc_unset(a, n, sizeof *g);
    double *e = perp_alloc(a, n, sizeof *e), *e_size = perp_alloc(a, n, sizeof *e);
    bool room = !a->failed;
    if (room) {
        perp_mul_t(&F->M, 1, unit, 0, g);
        perp_mul_t_sizes(&F->M, unit, g, g_size);
        check_signs(p, unit, &proof);
        sum_over_box(p, g, g_size, e, e_size, &proof);
        for (int i = 0; i < F->n; i++) perp_proof_add(&proof, F->q[i] * unit[i]);
    }
    perp_arena_release(a, mark);
    return room ? perp_proof_end(F->n, perp_proof_value(&proof), proof.violation, r)
                : PERP_E_MEMORY;
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
    .undefined = perp_map_undefined,
    .suits = mcp_suits,
};
