/* core/kind_nnls.c: min |A x - b|^2 / 2, x >= 0 but where free.
 *
 * Residual: the larger of |min(x, w)| / |A'b|, w = A'(A x - b), and of the largest entry of
 * min(|A_j| x_j, w_j / |A_j|) over |b|; in both w_j alone where x_j is free. Two products with A
 * and m + n numbers of scratch; with the bound of its rounding four products more, or eight, and 6
 * m + 7 n numbers. The problem always has a solution: there is nothing to prove. */
#include "base/format.h"
#include "distance.h"
#include "kinds.h"
#include "scale.h"

#include <stdlib.h>

#define UNIT (DBL_EPSILON / 2)
#define EXACT 1e-12 /* relative error of |A'b| */
#define FAR 300     /* binary digits that data may be from 1 */

enum { SIZE_N, SIZE_M };

static const perp_kind_size nnls_sizes[] = {
    [SIZE_N] = {.offset = PERP_AT(nnls.A), .place = PERP_SIZE_COLUMNS},
    [SIZE_M] = {.offset = PERP_AT(nnls.A), .place = PERP_SIZE_ROWS},
    {0},
};

static const perp_field nnls_fields[] = {
    {.name = "A", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(nnls.A), .rows = SIZE_M},
    {.name = "b", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(nnls.b), .rows = SIZE_M},
    {.name = "free", .type = PERP_FIELD_MASK, .offset = PERP_AT(nnls.is_free)},
    {0},
};

static int nnls_size(const perp_problem *p)
{
    const perp_matrix *A = &p->as.nnls.A;
    return A->m < 0 || A->n < 0 ? -1 : A->n;
}

static perp_status nnls_validate(const perp_problem *p, perp_error *e)
{
    const perp_nnls *nnls = &p->as.nnls;
    int m = nnls->A.m, n = nnls->A.n;
    if (m < 0 || n < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "A is %d x %d: a size is negative", m, n);
    }
    perp_status status = perp_check_view(&nnls->A, m, n, "A", m == 0 && n == 0 && !nnls->b, e);
    return status ? status : perp_check_vector(nnls->b, m, "b", false, e);
}

/* ---- scales ---- */

/* The lengths of the columns; NULL: A shows no entries, or no memory. */
static const double *column_lengths(const perp_matrix *A, perp_arena *a)
{
    double *length = perp_has_entries(A) ? perp_alloc_unset(a, (size_t)A->n, sizeof *length) : NULL;
    if (!length) return NULL;
    perp_mark mark = perp_arena_mark(a);
    perp_matrix C = *A;
    bool dense = A->format == PERP_FORMAT_DENSE;
    if (!dense && perp_lift_csc(A, a, &C, NULL)) return NULL;
    for (int j = 0; j < A->n; j++) {
        if (dense)
            length[j] = vector_norm(A->m, C.as.dense.x + (size_t)j * (size_t)C.as.dense.ld);
        else
            length[j] = vector_norm(C.as.csc.p[j + 1] - C.as.csc.p[j], C.as.csc.x + C.as.csc.p[j]);
    }
    perp_arena_release(a, mark);
    return length;
}

static int exponent_of(double x)
{
    int e = 0;
    (void)frexp(x, &e);
    return e;
}

/* The power of two that x and b are multiplied with before anything is summed: 0, but where squares
 * of the data would overflow or vanish. Then it brings b near 1, for which A'(A x - b) is about as
 * large as A. */
static int find_power(int n, const double *length, double b)
{
    int most = b > 0 ? abs(exponent_of(b)) : 0;
    for (int j = 0; length && j < n; j++) {
        int e = length[j] > 0 ? abs(exponent_of(length[j])) : 0;
        most = e > most ? e : most;
    }
    return b > 0 && most > FAR ? -exponent_of(b) : 0;
}

/* |A'b|; NAN: it cannot be known. */
static double find_scale(const perp_matrix *A, const double *b, perp_arena *a)
{
    double norm =
        perp_scale_norm(&(perp_scale_sum){.A = A, .transposed = true, .x = b, .exact = EXACT}, a);
    return isfinite(norm) ? norm : NAN;
}

/* NULL: no memory, or a number is none any more. */
static double *copy_times(int n, const double *x, int power, perp_arena *a)
{
    double *y = perp_alloc_unset(a, (size_t)n, sizeof *y);
    for (int i = 0; y && i < n; i++) {
        y[i] = ldexp(x[i], power);
        if (ldexp(y[i], -power) != x[i]) return NULL;
    }
    return y;
}

/* Can |A'b| be known where b is multiplied with that power of two? */
static bool is_known_times(const perp_matrix *A, const double *b, int power, perp_arena *a)
{
    perp_mark mark = perp_arena_mark(a);
    const double *scaled = copy_times(A->m, b, power, a);
    bool known = scaled && isfinite(find_scale(A, scaled, a));
    if (!a->failed) perp_arena_release(a, mark);
    return known;
}

static void nnls_scale(const perp_problem *p, perp_arena *a, perp_scales *out)
{
    const perp_nnls *nnls = &p->as.nnls;
    const perp_matrix *A = &nnls->A;
    *out = (perp_scales){.s = {NAN, 1, 1}}; /* no memory: nothing can be certified */
    const double *length = column_lengths(A, a);
    double b = vector_norm(A->m, nnls->b), scale = a->failed ? NAN : find_scale(A, nnls->b, a);
    int power = a->failed ? 0 : find_power(A->n, length, b);
    if (a->failed || (power != 0 && !is_known_times(A, nnls->b, power, a) && isfinite(scale)))
        power = 0;
    if (a->failed) return;
    *out = (perp_scales){.s = {isnan(scale) ? NAN : kind_scale(scale), kind_scale(b), power},
                         .unit = length};
}

/* ---- the residual ---- */

typedef struct measuring {
    const perp_nnls *nnls;
    const double *x, *b; /* both by the same power of two */
    double s[2];         /* |A'b|, |b| */
    const double *unit;  /* |A_j|, or NULL */
    perp_sums rest;      /* A x - b */
    perp_sums slope;     /* A'(A x - b) */
    double *add;         /* |A|' times the error of the rest */
    double *size;        /* |A|'|A| |x| */
    double *map;
} measuring;

static bool is_free(const measuring *q, int j)
{
    return q->nnls->is_free && q->nnls->is_free[j];
}

/* The second part: in units of b, in which columns have length 1; in *off what errors change. */
static double find_units(const measuring *q, const double *error, double *off, double *floor)
{
    double worst = 0;
    for (int j = 0; q->unit && j < q->nnls->A.n; j++) {
        if (!(q->unit[j] > 0)) continue;
        double x = q->unit[j] * q->x[j], w = q->slope.w[j] / q->unit[j];
        worst = perp_worst(worst, fabs(is_free(q, j) ? w : kind_smaller(x, w)));
        if (!error) continue;
        double left = UNIT * q->size[j] / q->unit[j];
        *off = perp_worst(*off, error[j] / q->unit[j]);
        if (is_free(q, j) || x > w - left) *floor = perp_worst(*floor, left);
    }
    *off /= q->s[1];
    *floor /= q->s[1];
    return worst / q->s[1];
}

/* Both maps grow with w at most as w itself, and each has x_j or w_j but for the rounding of a few
 * operations; EXACT is the scale's. */
static void find_residual(measuring *q, const double *error, perp_residual *r)
{
    int n = q->nnls->A.n;
    const double *x = q->x, *w = q->slope.w;
    double off = 0, floor = 0, own = EXACT + (n + q->nnls->A.m + 16.0) * 2 * DBL_EPSILON;
    *r = (perp_residual){.omega = NAN, .floor = NAN, .bound = INFINITY};
    r->units = find_units(q, error, &off, &floor);
    for (int j = 0; j < n; j++) {
        q->map[j] = is_free(q, j) ? w[j] : kind_smaller(x[j], w[j]);
        r->dual = perp_worst(r->dual, is_free(q, j) ? fabs(w[j]) : -w[j]);
        if (is_free(q, j)) continue;
        r->primal = perp_worst(r->primal, -x[j]);
        r->complementarity = perp_worst(r->complementarity, fabs(x[j] * w[j]));
    }
    r->absolute = vector_norm(n, q->map);
    r->natural = r->absolute / q->s[0];
    r->value = perp_worst(r->natural, r->units);
    if (!error) return;
    off = perp_worst(off, vector_norm(n, error) / q->s[0]);
    r->bound = off * (1 + own) + own * r->value + DBL_MIN;
    r->omega = 0;
    for (int j = 0; j < n; j++) {
        if (q->map[j] != 0) r->omega = perp_worst(r->omega, fabs(q->map[j]) / q->size[j]);
        bool held = !is_free(q, j) && x[j] < w[j] - UNIT * q->size[j];
        q->map[j] = held ? 0 : UNIT * q->size[j];
    }
    r->floor = perp_worst(floor, vector_norm(n, q->map) / q->s[0]);
}

static void add_rest(measuring *q, perp_sums_mode mode)
{
    perp_sums_start(&q->rest, mode);
    perp_sums_add(&q->rest, 0, 1, &q->nnls->A, q->x);
    perp_sums_add_vector(&q->rest, 0, q->nnls->A.m, -1, q->b);
}

static void add_slope(measuring *q, perp_sums_mode mode, bool pairs)
{
    perp_sums_start(&q->slope, mode);
    perp_sums_add_t(&q->slope, 0, 1, &q->nnls->A, q->rest.w);
    if (pairs) perp_sums_add_t(&q->slope, 0, 1, &q->nnls->A, q->rest.low);
}

/* out = |A|'x, x >= 0; 0 where A shows no entries: what it returns counts as exact. */
static void multiply_sizes(const perp_matrix *A, const double *x, double *out)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    for (int j = 0; j < A->n; j++) out[j] = 0;
    if (ops->add_sizes_t) ops->add_sizes_t(A, x, out);
}

/* A x - b is known to within rest.error, which |A|' carries to the slope. */
static void bound_slope(measuring *q, perp_residual *r)
{
    perp_sums_bound(&q->slope);
    multiply_sizes(&q->nnls->A, q->rest.error, q->add);
    for (int j = 0; j < q->nnls->A.n; j++) {
        q->add[j] = (q->slope.error[j] + q->add[j]) * (1 + (q->nnls->A.m + 8.0) * DBL_EPSILON);
    }
    find_residual(q, q->add, r);
}

/* With the bound of the plain sums; in pairs where that does not decide. */
static void decide(measuring *q, double tol, perp_residual *r)
{
    int m = q->nnls->A.m;
    add_rest(q, PERP_SUMS_SIZES);
    perp_sums_spread(&q->rest);
    for (int i = 0; i < m; i++) q->rest.low[i] = q->rest.size[i] - fabs(q->b[i]);
    multiply_sizes(&q->nnls->A, q->rest.low, q->size);
    add_slope(q, PERP_SUMS_SIZES, false);
    bound_slope(q, r);
    if (r->value + r->bound <= tol) return;
    add_rest(q, PERP_SUMS_PAIRS);
    perp_sums_spread(&q->rest);
    add_slope(q, PERP_SUMS_SIZES, true);
    add_slope(q, PERP_SUMS_PAIRS, true);
    bound_slope(q, r);
}

static bool open_bounds(measuring *q, perp_arena *a)
{
    size_t n = (size_t)q->nnls->A.n;
    q->add = perp_alloc_unset(a, n, sizeof *q->add);
    q->size = perp_alloc_unset(a, n, sizeof *q->size);
    return perp_sums_open(&q->rest, a, q->rest.n, q->rest.w) &&
           perp_sums_open(&q->slope, a, q->slope.n, q->slope.w);
}

static perp_status measure(measuring *q, double tol, perp_arena *a, perp_residual *r)
{
    q->rest.w = perp_alloc_unset(a, (size_t)q->rest.n, sizeof *q->rest.w);
    q->map = perp_alloc_unset(a, (size_t)q->slope.n, sizeof *q->map);
    if (a->failed) return PERP_E_MEMORY;
    add_rest(q, PERP_SUMS_PLAIN);
    add_slope(q, PERP_SUMS_PLAIN, false);
    find_residual(q, NULL, r);
    if (!isfinite(r->value)) return PERP_E_NUMBER;
    if (r->value > tol && tol >= 0) return PERP_SOLVED;
    if (!open_bounds(q, a)) return PERP_E_MEMORY;
    decide(q, tol, r);
    if (a->failed) return PERP_E_MEMORY;
    return isfinite(r->value) ? PERP_SOLVED : PERP_E_NUMBER;
}

/* Everything by a power of two: all ratios stay. */
static bool scale_data(measuring *q, int power, perp_arena *a)
{
    int m = q->nnls->A.m, n = q->nnls->A.n;
    q->x = copy_times(n, q->x, power, a);
    q->b = copy_times(m, q->b, power, a);
    if (!q->x || !q->b) return false;
    q->s[0] = find_scale(&q->nnls->A, q->b, a);
    if (q->s[0] == 0) q->s[0] = ldexp(1, power); /* in place of 0 stands 1 */
    q->s[1] = kind_scale(vector_norm(m, q->b));
    return !a->failed && vector_is_finite((size_t)n, q->x);
}

static perp_status nnls_measure(const perp_problem *p, const perp_scales *s, const double *x,
                                double *w, double tol, perp_arena *a, perp_residual *r)
{
    const perp_nnls *nnls = &p->as.nnls;
    int m = nnls->A.m, n = nnls->A.n, power = (int)s->s[2];
    measuring q = {.nnls = nnls, .x = x, .b = nnls->b, .s = {s->s[0], s->s[1]}, .unit = s->unit};
    q.rest = (perp_sums){.n = m, .arena = a};
    q.slope = (perp_sums){.n = n, .arena = a, .w = w};
    perp_status status = vector_is_finite((size_t)n, x) ? PERP_SOLVED : PERP_E_NUMBER;
    perp_mark mark = perp_arena_mark(a);
    if (!status && power != 0 && !scale_data(&q, power, a)) {
        status = a->failed ? PERP_E_MEMORY : PERP_E_NUMBER;
    }
    if (!status) status = measure(&q, tol, a, r);
    perp_arena_release(a, mark);
    if (status) *r = perp_unmeasured;
    if (status || power == 0) return status;
    for (int j = 0; j < n; j++) { /* w may be beyond all numbers where its ratios are not */
        double back = ldexp(w[j], -power);
        w[j] = fabs(back) < DBL_MAX ? back : copysign(DBL_MAX, back);
    }
    r->absolute = ldexp(r->absolute, -power);
    r->primal = ldexp(r->primal, -power);
    r->dual = ldexp(r->dual, -power);
    r->complementarity = ldexp(r->complementarity, -2 * power);
    return status;
}

/* |A x - b|^2 / 2 */
static double nnls_objective(const perp_problem *p, const double *x, perp_arena *a)
{
    const perp_nnls *nnls = &p->as.nnls;
    int m = nnls->A.m;
    perp_mark mark = perp_arena_mark(a);
    double *rest = perp_alloc_unset(a, (size_t)m, sizeof *rest), value = NAN;
    if (rest) {
        for (int i = 0; i < m; i++) rest[i] = -nnls->b[i];
        perp_mul(&nnls->A, 1, x, 1, rest);
        value = 0.5 * kind_dot(m, rest, rest);
    }
    perp_arena_release(a, mark);
    return value;
}

const perp_kind_ops perp_ops_nnls = {
    .sizes = nnls_sizes,
    .fields = nnls_fields,
    .size = nnls_size,
    .validate = nnls_validate,
    .scale = nnls_scale,
    .measure = nnls_measure,
    .objective = nnls_objective,
    .least_squares = true,
    .box_map = perp_distance_nnls,
    .lift = perp_lift_nnls,
    .wider = PERP_KIND_QP,
};
