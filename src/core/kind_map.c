/* core/kind_map.c: what ncp and mcp share, lo <= z <= hi _|_ F(z), the ncp with lo = 0 and hi =
 * INFINITY.
 *
 * Residual of an affine map |z - P(z - F(z))| / |F(P(0))|; one evaluation of F and n numbers of
 * scratch. Of a callback: callback.h. */
#include "base/format.h"
#include "callback.h"
#include "kinds.h"
#include "scale.h"

bool perp_map_follows(const perp_problem *p, int i)
{
    return p->kind == PERP_KIND_MCP && p->as.mcp.follows && p->as.mcp.follows[i] >= 0;
}

void perp_map_own_bounds(const perp_problem *p, int i, double *lo, double *hi)
{
    bool ncp = p->kind == PERP_KIND_NCP;
    *lo = ncp ? 0 : kind_bound(p->as.mcp.lo, i, -INFINITY);
    *hi = ncp ? INFINITY : kind_bound(p->as.mcp.hi, i, INFINITY);
}

void perp_map_bounds_at(const perp_problem *p, const double *z, int i, double *lo, double *hi)
{
    perp_map_own_bounds(p, i, lo, hi);
    if (!perp_map_follows(p, i)) return;
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

/* The start as solvers take it: z within its own bounds, followers within those they get then. */
static void bring_inside(const perp_problem *p, const double *z, double *x)
{
    int n = perp_kind_map(p)->n;
    double lo, hi;
    for (int i = 0; i < n; i++) {
        perp_map_own_bounds(p, i, &lo, &hi);
        x[i] = perp_map_follows(p, i) ? z[i] : box_project(z[i], lo, hi);
    }
    for (int i = 0; i < n; i++) {
        if (!perp_map_follows(p, i)) continue;
        perp_map_bounds_at(p, x, i, &lo, &hi);
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

bool perp_map_undefined(const perp_problem *p, const double *z, perp_arena *a, perp_error *e)
{
    const perp_map *F = perp_kind_map(p);
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

int perp_map_size(const perp_problem *p)
{
    int n = perp_kind_map(p)->n;
    return n < 0 ? -1 : n;
}

static perp_status validate_pattern(const perp_matrix *pattern, int n, perp_error *e)
{
    const perp_matrix_ops *ops = perp_format_of(pattern->format);
    if (ops && ops->check_pattern) return perp_check_pattern(pattern, n, n, "pattern", e);
    return perp_refuse(e, PERP_E_FORMAT,
                       "the pattern of the Jacobian must be dense, CSC or absent");
}

perp_status perp_map_validate(const perp_map *F, perp_error *e)
{
    int n = F->n;
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "n = %d is negative", n);
    for (int i = 0; F->typical && i < n; i++) {
        if (F->typical[i] > 0 && isfinite(F->typical[i])) continue;
        return perp_refuse(e, isfinite(F->typical[i]) ? PERP_E_ARGUMENT : PERP_E_NUMBER,
                           "typical[%d] = %g is not positive and finite", i, F->typical[i]);
    }
    if (F->eval) return validate_pattern(&F->pattern, n, e);
    if (F->jacobian) return perp_refuse(e, PERP_E_ARGUMENT, "F has a jacobian and no eval");
    perp_status status = perp_check_view(&F->M, n, n, "M", n == 0, e);
    return status ? status : perp_check_vector(F->q, n, "q", false, e);
}

void perp_map_scale(const perp_problem *p, perp_arena *a, perp_scales *s)
{
    const perp_map *F = perp_kind_map(p);
    *s = (perp_scales){.s = {NAN, 1, 1}}; /* no memory: nothing can be certified */
    if (F->eval) {
        s->callback = perp_callback_open(p, a);
        if (s->callback) s->s[0] = 1;
        return;
    }
    s->unit = perp_kind_units(&F->M, a);
    if (a->failed) return;
    perp_mark mark = perp_arena_mark(a);
    double *z = perp_alloc(a, (size_t)F->n, sizeof *z);
    if (a->failed) return;
    for (int i = 0; i < F->n; i++) {
        double lo, hi;
        perp_map_own_bounds(p, i, &lo, &hi);
        z[i] = perp_map_follows(p, i) ? 0 : box_project(0, lo, hi); /* +-mu max(z_k, 0) holds 0 */
    }
    s->s[0] = perp_scale_affine(F->n, &F->M, F->q, z, a);
    if (!a->failed) perp_arena_release(a, mark);
}

static bool map_slack(const perp_problem *p, const double *z, perp_sums *t)
{
    const perp_map *F = perp_kind_map(p);
    perp_sums_add(t, 0, 1, &F->M, z);
    perp_sums_add_vector(t, 0, t->n, 1, F->q);
    return true;
}

/* The errors of w, and the rounding of bounds that follow. */
static double find_spread(const perp_problem *p, const perp_scales *s, const double *z,
                          const double *error)
{
    int n = perp_kind_map(p)->n;
    double lo, hi, edge = 0;
    bool follow = p->kind == PERP_KIND_MCP && p->as.mcp.follows;
    for (int i = 0; follow && i < n; i++) {
        if (!perp_map_follows(p, i)) continue;
        perp_map_bounds_at(p, z, i, &lo, &hi);
        edge += DBL_EPSILON * hi * (s->unit ? s->unit[i] + 1 : 1);
    }
    return vector_norm(n, error) + edge;
}

static void map_residual(const perp_problem *p, const perp_scales *s, const double *z,
                         const double *w, const double *error, double *map, perp_residual *r)
{
    int n = perp_kind_map(p)->n;
    double lo, hi;
    *r = (perp_residual){.omega = NAN, .floor = NAN};
    for (int i = 0; i < n; i++) {
        perp_map_bounds_at(p, z, i, &lo, &hi);
        map[i] = box_units(z[i], w[i], lo, hi, s->unit ? s->unit[i] : 1);
    }
    double units = vector_norm(n, map);
    for (int i = 0; i < n; i++) {
        perp_map_bounds_at(p, z, i, &lo, &hi);
        map[i] = box_natural(z[i], w[i], lo, hi);
        box_violations(z[i], w[i], lo, hi, r);
    }
    r->absolute = vector_norm(n, map);
    kind_finish(n, s->s[0], units, error ? find_spread(p, s, z, error) : INFINITY, r);
}

static void map_bound(const perp_problem *p, const perp_scales *s, const double *z, const double *w,
                      const double *error, double *scratch, perp_residual *r)
{
    (void)w, (void)scratch;
    kind_bound_value(perp_kind_map(p)->n, s->s[0], find_spread(p, s, z, error), r);
}

perp_status perp_map_measure(const perp_problem *p, const perp_scales *s, const double *z,
                             double *w, double tol, perp_arena *a, perp_residual *r)
{
    static const perp_measuring how = {
        .slack = map_slack, .residual = map_residual, .bound = map_bound};
    if (s->callback) return perp_callback_measure(p, s->callback, z, w, tol, a, r);
    return perp_measure_sums(&how, p, s, z, w, tol, a, r);
}

bool perp_map_is_affine(const perp_problem *p)
{
    return !perp_kind_map(p)->eval;
}

perp_status perp_map_suits(const perp_problem *p, const perp_solver *s, perp_error *e)
{
    if (perp_map_is_affine(p) || (s->flags & PERP_SOLVER_READS_CALLBACK)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_FORMAT, "%s needs an affine map, this one is a callback", s->name);
}
