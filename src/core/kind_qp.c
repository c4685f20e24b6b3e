/* core/kind_qp.c: lo <= A x <= hi, xlo <= x <= xhi, and (H x + c)'(s - x) >= 0 for all such s.
 *
 * Residual: the norm of the pair |x - P(x - g)| / (1 + |c|), g = H x + c - A'y, and
 * |A x - P(A x - y)| / (1 + |P(0)|). One product with H and two with A; n + m numbers of scratch.
 * proof_qp.c has the proofs. */
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
    .check = perp_qp_check,
    .refute = perp_qp_refute,
    .tidy = perp_qp_tidy,
    .feasibility = perp_qp_feasibility,
    .lift = perp_lift_qp,
    .wider = PERP_KIND_MCP,
};
