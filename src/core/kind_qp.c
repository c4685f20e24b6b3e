/* core/kind_qp.c: lo <= A x <= hi, xlo <= x <= xhi, and (H x + c)'(s - x) >= 0 for all such s.
 *
 * Residual: the norm of the pair |x - P(x - g)| / (1 + |c|), g = H x + c - A'y, and
 * |A x - P(A x - y)| / (1 + |P(0)|). One product with H and two with A; n + m numbers of scratch.
 * Proofs: bounds that cross, Farkas' lemma for the rows, and a direction of recession for the
 * objective. */
#include "kinds.h"
#include "proof.h"

enum { SIZE_N, SIZE_M };

static const perp_kind_size qp_sizes[] = {
    [SIZE_N] = {.offset = PERP_AT(qp.n)},
    [SIZE_M] = {.offset = PERP_AT(qp.m), .label = "constraints"},
    {0},
};

static const perp_field qp_fields[] = {
    {.name = "H", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(qp.H)},
    {.name = "c", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(qp.c)},
    {.name = "A", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(qp.A), .rows = SIZE_M, .slot = 1},
    {.name = "lo", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.lo), .rows = SIZE_M},
    {.name = "hi", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.hi), .rows = SIZE_M},
    {.name = "xlo", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.xlo), .role = PERP_ROLE_LOWER},
    {.name = "xhi", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.xhi), .role = PERP_ROLE_UPPER},
    {0},
};

static void x_bounds(const perp_qp *qp, int j, double *lo, double *hi)
{
    *lo = kind_bound(qp->xlo, j, -INFINITY);
    *hi = kind_bound(qp->xhi, j, INFINITY);
}

static void row_bounds(const perp_qp *qp, int i, double *lo, double *hi)
{
    *lo = kind_bound(qp->lo, i, -INFINITY);
    *hi = kind_bound(qp->hi, i, INFINITY);
}

static int qp_size(const perp_problem *p)
{
    return kind_sum(p->as.qp.n, p->as.qp.m);
}

static perp_status qp_validate(const perp_problem *p, perp_error *e)
{
    const perp_qp *qp = &p->as.qp;
    int n = qp->n, m = qp->m;
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "n = %d is negative", n);
    if (m < 0) return perp_refuse(e, PERP_E_ARGUMENT, "m = %d is negative", m);
    if (kind_sum(n, m) < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "n + m = %d + %d unknowns are too many", n, m);
    }
    perp_status status = perp_check_view(&qp->H, n, n, "H", true, e);
    if (!status) status = perp_check_view(&qp->A, m, n, "A", m == 0, e);
    if (!status) status = perp_check_vector(qp->c, n, "c", false, e);
    if (!status) status = perp_check_sides(qp->lo, qp->hi, m, "lo", "hi", e);
    return status ? status : perp_check_sides(qp->xlo, qp->xhi, n, "xlo", "xhi", e);
}

static void qp_scale(const perp_problem *p, perp_arena *a, perp_scales *out)
{
    const perp_qp *qp = &p->as.qp;
    double *s = out->s;
    *out = (perp_scales){.s = {NAN, 1, 1}}; /* no memory: nothing can be certified */
    perp_mark mark = perp_arena_mark(a);
    double *nearest = perp_alloc_unset(a, (size_t)qp->m, sizeof *nearest);
    if (!nearest) return;
    for (int i = 0; i < qp->m; i++) {
        double lo, hi;
        row_bounds(qp, i, &lo, &hi);
        nearest[i] = box_project(0, lo, hi);
    }
    s[0] = kind_scale(1 + vector_norm(qp->n, qp->c));
    s[1] = kind_scale(1 + vector_norm(qp->m, nearest));
    perp_arena_release(a, mark);
}

/* Slack (H x + c - A'y, A x). */
static void qp_slack(const perp_qp *qp, const double *z, double *w)
{
    const double *x = z, *y = z + qp->n;
    perp_mul(&qp->H, 1, x, 0, w);
    if (qp->m > 0) perp_mul_t(&qp->A, -1, y, 1, w);
    kind_add(qp->n, qp->c, w);
    if (qp->m > 0) perp_mul(&qp->A, 1, x, 0, w + qp->n);
}

/* A row is a pair A x in [lo, hi] _|_ y, as a variable is x in [xlo, xhi] _|_ g. */
static void qp_residual(const perp_qp *qp, const double *z, const double *w, double *map,
                        const double s[3], perp_residual *r)
{
    int n = qp->n, m = qp->m;
    double lo, hi;
    *r = (perp_residual){0};
    for (int j = 0; j < n; j++) {
        x_bounds(qp, j, &lo, &hi);
        map[j] = box_natural(z[j], w[j], lo, hi);
        box_violations(z[j], w[j], lo, hi, r);
    }
    for (int i = n; i < n + m; i++) {
        row_bounds(qp, i - n, &lo, &hi);
        map[i] = box_natural(w[i], z[i], lo, hi);
        box_violations(w[i], z[i], lo, hi, r);
    }
    double stationarity = vector_norm(n, map), rows = vector_norm(m, map + n);
    r->absolute = hypot(stationarity, rows);
    r->value = hypot(stationarity / s[0], rows / s[1]);
}

static perp_status qp_measure(const perp_problem *p, const perp_scales *s, const double *z,
                              double *w, double tol, perp_arena *a, perp_residual *r)
{
    (void)tol;
    const perp_qp *qp = &p->as.qp;
    int size = qp_size(p);
    *r = perp_unmeasured;
    if (!vector_is_finite((size_t)size, z)) return PERP_E_NUMBER;
    qp_slack(qp, z, w);
    if (!vector_is_finite((size_t)size, w)) return PERP_E_NUMBER;
    perp_mark mark = perp_arena_mark(a);
    double *map = perp_alloc_unset(a, (size_t)size, sizeof *map);
    if (map) qp_residual(qp, z, w, map, s->s, r);
    perp_arena_release(a, mark);
    return map ? PERP_SOLVED : PERP_E_MEMORY;
}

/* Entry i of (x, A x) whose bounds cross, from `first` on; n + m: there is none. */
static int find_crossing(const perp_qp *qp, int first)
{
    double lo, hi;
    for (int i = first; i < qp->n + qp->m; i++) {
        if (i < qp->n)
            x_bounds(qp, i, &lo, &hi);
        else
            row_bounds(qp, i - qp->n, &lo, &hi);
        if (lo > hi) return i;
    }
    return qp->n + qp->m;
}

static bool qp_refute(const perp_problem *p, double *y, perp_error *e)
{
    const perp_qp *qp = &p->as.qp;
    int i = find_crossing(qp, 0), size = qp->n + qp->m;
    if (i == size) return false;
    for (int k = 0; k < size; k++) y[k] = k == i;
    double lo, hi;
    if (i < qp->n)
        x_bounds(qp, i, &lo, &hi);
    else
        row_bounds(qp, i - qp->n, &lo, &hi);
    const char *x = i < qp->n ? "x" : "";
    i -= i < qp->n ? 0 : qp->n;
    perp_refuse(e, PERP_INFEASIBLE, "%slo[%d] = %.17g is above %shi[%d] = %.17g: no x is between",
                x, i, lo, x, i, hi);
    return true;
}

/* An entry of y that is not zero where the bounds cross. */
static bool names_crossing(const perp_qp *qp, const double *y)
{
    for (int i = find_crossing(qp, 0); i < qp->n + qp->m; i = find_crossing(qp, i + 1)) {
        if (fabs(y[i]) > 0) return true;
    }
    return false;
}

/* y, the last m entries: at a feasible x, y'A x >= sum(y+ lo - y- hi), and that is more than the
 * supremum of (A'y)'x over the box of x. */
static perp_status check_infeasible(const perp_qp *qp, const double *y, perp_arena *a,
                                    perp_residual *r)
{
    double *unit = perp_proof_unit(a, qp->m, y), lo, hi;
    double *g = perp_alloc_unset(a, (size_t)qp->n, sizeof *g);
    double *size = perp_alloc_unset(a, (size_t)qp->n, sizeof *size);
    perp_proof proof = {0};
    if (a->failed) return PERP_E_MEMORY;
    perp_mul_t(&qp->A, 1, unit, 0, g);
    perp_mul_t_sizes(&qp->A, unit, g, size);
    for (int i = 0; i < qp->m; i++) {
        row_bounds(qp, i, &lo, &hi);
        double bound = unit[i] > 0 ? lo : hi;
        if (isinf(bound))
            perp_proof_violates(&proof, fabs(unit[i]), 1);
        else
            perp_proof_add(&proof, -unit[i] * bound);
    }
    for (int j = 0; j < qp->n; j++) {
        x_bounds(qp, j, &lo, &hi);
        perp_proof_sup(&proof, g[j], size[j], 0, 0, lo, hi);
    }
    return perp_proof_end(qp->n + qp->m, perp_proof_value(&proof), proof.violation, r);
}

/* d may move x for ever only where no finite bound is in the way. */
static void check_recession(double d, double size, double lo, double hi, perp_proof *proof)
{
    if (isfinite(lo)) perp_proof_violates(proof, -d, size);
    if (isfinite(hi)) perp_proof_violates(proof, d, size);
}

/* With S = (H + H')/2: d'S d < 0, or S d = 0 and c'd < 0; the better of the two values. */
static double descent_value(const perp_qp *qp, const double *d, const double *Sd,
                            const double *size, const perp_proof *recession, double *violation)
{
    perp_proof curved = *recession, linear = *recession;
    for (int j = 0; j < qp->n; j++) {
        curved.sum += d[j] * Sd[j];
        curved.size += fabs(d[j]) * size[j];
        perp_proof_violates(&linear, fabs(Sd[j]), size[j]);
        perp_proof_add(&linear, qp->c[j] * d[j]);
    }
    double by_curve = perp_proof_value(&curved), by_line = perp_proof_value(&linear);
    *violation = by_curve < by_line ? curved.violation : linear.violation;
    return by_curve < by_line ? by_curve : by_line;
}

static void half_sum(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = 0.5 * (x[i] + y[i]);
}

/* d, the first n entries. */
static perp_status check_unbounded(const perp_qp *qp, const double *y, perp_arena *a,
                                   perp_residual *r)
{
    size_t n = (size_t)qp->n, m = (size_t)qp->m;
    double *d = perp_proof_unit(a, qp->n, y), lo, hi;
    double *Ad = perp_alloc(a, m, sizeof *Ad), *Ad_size = perp_alloc(a, m, sizeof *Ad);
    double *Sd = perp_alloc(a, n, sizeof *Sd), *S_size = perp_alloc(a, n, sizeof *Sd);
    double *td = perp_alloc(a, n, sizeof *td), *t_size = perp_alloc(a, n, sizeof *td);
    if (a->failed) return PERP_E_MEMORY;
    perp_mul(&qp->A, 1, d, 0, Ad);
    perp_mul_sizes(&qp->A, d, Ad, Ad_size);
    perp_mul(&qp->H, 1, d, 0, Sd);
    perp_mul_t(&qp->H, 1, d, 0, td);
    perp_mul_sizes(&qp->H, d, Sd, S_size);
    perp_mul_t_sizes(&qp->H, d, td, t_size);
    half_sum(qp->n, td, Sd);
    half_sum(qp->n, t_size, S_size);
    perp_proof recession = {0};
    for (int j = 0; j < qp->n; j++) {
        x_bounds(qp, j, &lo, &hi);
        check_recession(d[j], 1, lo, hi, &recession);
    }
    for (int i = 0; i < qp->m; i++) {
        row_bounds(qp, i, &lo, &hi);
        check_recession(Ad[i], Ad_size[i], lo, hi, &recession);
    }
    double violation, value = descent_value(qp, d, Sd, S_size, &recession, &violation);
    return perp_proof_end(qp->n + qp->m, value, violation, r);
}

static perp_status qp_check(const perp_problem *p, perp_status status, const double *y,
                            perp_arena *a, perp_residual *r)
{
    const perp_qp *qp = &p->as.qp;
    *r = perp_unmeasured;
    if (status != PERP_INFEASIBLE && status != PERP_UNBOUNDED) return PERP_E_ARGUMENT;
    if (status == PERP_INFEASIBLE && names_crossing(qp, y)) {
        *r = (perp_residual){0};
        return PERP_SOLVED;
    }
    perp_mark mark = perp_arena_mark(a);
    perp_status result = status == PERP_INFEASIBLE ? check_infeasible(qp, y + qp->n, a, r)
                                                   : check_unbounded(qp, y, a, r);
    perp_arena_release(a, mark);
    return result;
}

/* x'Hx/2 + c'x */
static double qp_objective(const perp_problem *p, const double *x, perp_arena *a)
{
    const perp_qp *qp = &p->as.qp;
    double linear = kind_dot(qp->n, qp->c, x), value = NAN;
    if (qp->H.format == PERP_FORMAT_ABSENT) return linear;
    perp_mark mark = perp_arena_mark(a);
    double *Hx = perp_alloc_unset(a, (size_t)qp->n, sizeof *Hx);
    if (Hx) {
        perp_mul(&qp->H, 1, x, 0, Hx);
        value = 0.5 * kind_dot(qp->n, x, Hx) + linear;
    }
    perp_arena_release(a, mark);
    return value;
}

const perp_kind_ops perp_ops_qp = {
    .sizes = qp_sizes,
    .fields = qp_fields,
    .size = qp_size,
    .validate = qp_validate,
    .scale = qp_scale,
    .measure = qp_measure,
    .objective = qp_objective,
    .check = qp_check,
    .refute = qp_refute,
    .lift = perp_lift_qp,
    .wider = PERP_KIND_MCP,
};
