/* core/kind_map.c: ncp and mcp, lo <= z <= hi _|_ F(z), the ncp with lo = 0 and hi = INFINITY.
 *
 * Residual |z - P(z - F(z))| / |F(P(0))|; one evaluation of F and n numbers of scratch. Proof that
 * an affine mcp has no feasible point: Farkas' lemma over the box. */
#include "base/format.h"
#include "kinds.h"
#include "proof.h"

static const perp_map *map_of(const perp_problem *p)
{
    return p->kind == PERP_KIND_NCP ? &p->as.ncp.F : &p->as.mcp.F;
}

static bool follows(const perp_problem *p, int i)
{
    return p->kind == PERP_KIND_MCP && p->as.mcp.follows && p->as.mcp.follows[i] >= 0;
}

static void own_bounds(const perp_problem *p, int i, double *lo, double *hi)
{
    bool ncp = p->kind == PERP_KIND_NCP;
    *lo = ncp ? 0 : kind_bound(p->as.mcp.lo, i, -INFINITY);
    *hi = ncp ? INFINITY : kind_bound(p->as.mcp.hi, i, INFINITY);
}

static void bounds_at(const perp_problem *p, const double *z, int i, double *lo, double *hi)
{
    own_bounds(p, i, lo, hi);
    if (!follows(p, i)) return;
    *hi = p->as.mcp.mu[i] * kind_positive(z[p->as.mcp.follows[i]]);
    *lo = -*hi;
}

/* w = F(z), finite or not. False: the callback says that it is undefined. */
static bool call(const perp_map *F, const double *z, double *w)
{
    if (F->eval) return F->eval(F->ctx, z, w);
    perp_mul(&F->M, 1, z, 0, w);
    kind_add(F->n, F->q, w);
    return true;
}

/* False: undefined at z. */
static bool evaluate(const perp_map *F, const double *z, double *w)
{
    return call(F, z, w) && vector_is_finite(F->n, w);
}

/* The start as solvers take it: z within its own bounds, followers within those they get then. */
static void bring_inside(const perp_problem *p, const double *z, double *x)
{
    int n = map_of(p)->n;
    double lo, hi;
    for (int i = 0; i < n; i++) {
        own_bounds(p, i, &lo, &hi);
        x[i] = follows(p, i) ? z[i] : box_project(z[i], lo, hi);
    }
    for (int i = 0; i < n; i++) {
        if (!follows(p, i)) continue;
        bounds_at(p, x, i, &lo, &hi);
        x[i] = box_project(z[i], lo, hi);
    }
}

/* Why F has no value at x; false: it has one. */
static bool explain_undefined(const perp_map *F, const double *x, double *w, perp_error *e)
{
    static const char advice[] =
        "no point nearby led to a solution; give another start in z, with warm_start";
    if (!call(F, x, w)) {
        perp_refuse(e, PERP_E_NUMBER, "F is undefined at the start point: eval returned false; %s",
                    advice);
        return true;
    }
    int i = 0;
    while (i < F->n && isfinite(w[i])) i++;
    if (i == F->n) return false;
    perp_refuse(e, PERP_E_NUMBER, "F is undefined at the start point: F[%d] = %g; %s", i, w[i],
                advice);
    return true;
}

static bool map_undefined(const perp_problem *p, const double *z, perp_arena *a, perp_error *e)
{
    const perp_map *F = map_of(p);
    perp_mark mark = perp_arena_mark(a);
    double *x = perp_alloc(a, (size_t)F->n, sizeof *x), *w = perp_alloc(a, (size_t)F->n, sizeof *w);
    bool undefined = false;
    if (!a->failed) {
        bring_inside(p, z, x);
        undefined = explain_undefined(F, x, w, e);
    }
    perp_arena_release(a, mark);
    return undefined;
}

static int map_size(const perp_problem *p)
{
    int n = map_of(p)->n;
    return n < 0 ? -1 : n;
}

static perp_status validate_pattern(const perp_matrix *pattern, int n, perp_error *e)
{
    const perp_matrix_ops *ops = perp_format_of(pattern->format);
    if (ops && ops->check_pattern) return perp_check_pattern(pattern, n, n, "pattern", e);
    return perp_refuse(e, PERP_E_FORMAT,
                       "the pattern of the Jacobian must be dense, CSC or absent");
}

static perp_status validate_map(const perp_map *F, perp_error *e)
{
    int n = F->n;
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "n = %d is negative", n);
    if (F->eval) return validate_pattern(&F->pattern, n, e);
    if (F->jacobian) return perp_refuse(e, PERP_E_ARGUMENT, "F has a jacobian and no eval");
    perp_status status = perp_check_view(&F->M, n, n, "M", n == 0, e);
    return status ? status : perp_check_vector(F->q, n, "q", false, e);
}

static perp_status ncp_validate(const perp_problem *p, perp_error *e)
{
    return validate_map(&p->as.ncp.F, e);
}

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
    perp_status status = validate_map(&mcp->F, e);
    if (!status) status = perp_check_bounds(mcp->lo, mcp->hi, mcp->F.n, "lo", "hi", e);
    for (int i = 0; mcp->follows && i < mcp->F.n && !status; i++) {
        status = validate_follower(mcp, i, e);
    }
    return status;
}

static int map_matrices(perp_problem *p, perp_matrix *list[4], int slot[4])
{
    perp_map *F = p->kind == PERP_KIND_NCP ? &p->as.ncp.F : &p->as.mcp.F;
    if (F->eval) {
        kind_give_size(&F->pattern, F->n, F->n);
        return 0;
    }
    kind_give_size(&F->M, F->n, F->n);
    list[0] = &F->M;
    slot[0] = 0;
    return 1;
}

static void map_scale(const perp_problem *p, perp_arena *a, double s[3])
{
    const perp_map *F = map_of(p);
    size_t n = (size_t)F->n;
    perp_mark mark = perp_arena_mark(a);
    double *z = perp_alloc(a, n, sizeof *z), *w = perp_alloc(a, n, sizeof *w);
    s[0] = NAN; /* no memory: nothing can be certified; the arena says why */
    s[1] = s[2] = 1;
    if (a->failed) return;
    for (int i = 0; i < F->n; i++) {
        double lo, hi;
        own_bounds(p, i, &lo, &hi);
        z[i] = follows(p, i) ? 0 : box_project(0, lo, hi); /* +-mu max(z_k, 0) holds 0 */
    }
    s[0] = evaluate(F, z, w) ? kind_scale(vector_norm(F->n, w)) : 1;
    perp_arena_release(a, mark);
}

static void map_residual(const perp_problem *p, const double *z, const double *w, double *map,
                         perp_residual *r)
{
    int n = map_of(p)->n;
    *r = (perp_residual){0};
    for (int i = 0; i < n; i++) {
        double lo, hi;
        bounds_at(p, z, i, &lo, &hi);
        map[i] = box_natural(z[i], w[i], lo, hi);
        box_violations(z[i], w[i], lo, hi, r);
    }
    r->absolute = vector_norm(n, map);
}

static perp_status map_measure(const perp_problem *p, const double s[3], const double *z, double *w,
                               perp_arena *a, perp_residual *r)
{
    const perp_map *F = map_of(p);
    *r = perp_unmeasured;
    if (!vector_is_finite(F->n, z) || !evaluate(F, z, w)) return PERP_E_NUMBER;
    perp_mark mark = perp_arena_mark(a);
    double *map = perp_alloc_unset(a, (size_t)F->n, sizeof *map);
    if (map) map_residual(p, z, w, map, r);
    perp_arena_release(a, mark);
    if (!map) return PERP_E_MEMORY;
    r->value = r->absolute / s[0];
    return kind_judge(r);
}

/* What y'F(z) >= 0 needs at every feasible z: y_i >= 0 where F_i >= 0 there (no upper bound), <= 0
 * where F_i <= 0, any sign where F_i = 0 (free), and 0 where F_i may be anything. */
static void check_signs(const perp_problem *p, const double *y, perp_proof *proof)
{
    for (int i = 0; i < p->as.mcp.F.n; i++) {
        double lo, hi;
        own_bounds(p, i, &lo, &hi);
        bool below = lo > -INFINITY || follows(p, i), above = hi < INFINITY || follows(p, i);
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
        if (!follows(p, i)) continue;
        e[mcp->follows[i]] += mcp->mu[i] * fabs(g[i]);
        e_size[mcp->follows[i]] += mcp->mu[i] * g_size[i];
    }
    for (int i = 0; i < mcp->F.n; i++) {
        double lo, hi;
        if (follows(p, i)) continue;
        own_bounds(p, i, &lo, &hi);
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

const perp_kind_ops perp_ops_ncp = {.name = "ncp",
                                    .size = map_size,
                                    .validate = ncp_validate,
                                    .matrices = map_matrices,
                                    .scale = map_scale,
                                    .measure = map_measure,
                                    .undefined = map_undefined};

const perp_kind_ops perp_ops_mcp = {.name = "mcp",
                                    .size = map_size,
                                    .validate = mcp_validate,
                                    .matrices = map_matrices,
                                    .scale = map_scale,
                                    .measure = map_measure,
                                    .check = mcp_check,
                                    .undefined = map_undefined};
