/* core/residual_qp.c: the residual of a qp, with the bound of its own rounding.
 *
 * With g = H x + c - A'y its value is the largest of
 *     rows     (lo_i - (A x)_i) / (1 + |lo_i|) and ((A x)_i - hi_i) / (1 + |hi_i|),
 *     columns  |x_j - P(x_j - g_j / sigma_j)| / (1 + |x_j|),
 *              sigma_j = 1 + max(|c_j|, |(H x)_j|, |(A'y)_j|),
 *     pairs    |(A x)_i - P((A x)_i - y_i)| / (1 + max(|(A x)_i|, |y_i|)),
 *     the gap  (sum |y_i| |(A x)_i - b_i| + sum |g_j| |x_j - b_j|) / (1 + |x'Hx/2 + c'x|),
 * b the bound on the side of the multiplier's sign, 0 where that is infinite. For convex H and
 * feasible x the sum is at least what the objective lies above its minimum.
 *
 * All follow from the sums H x, A'y and A x, of which each is known as a pair of numbers (hi, lo)
 * to within `error` (sums.h; lo = 0 for plain sums). What that leaves open is added up beside each
 * part; a result of few operations is relatively exact to within OWN besides:
 * - g is a sum of three pairs: the errors add.
 * - t = g / sigma: |t - t*| <= (error of g + |t| error of sigma) / sigma*, sigma* at least 1. Both
 *   clipping t to [x - hi, x - lo] and the maximum in sigma make no error larger; the differences
 *   x - hi, x - lo are relatively exact, and so is the result where it is one of them.
 * - (A x)_i - b = (hi - b) + lo is relatively exact but for the error of A x.
 * - |g| |x - b| grows with g as |x - b|, or as the larger of both bounds' where the sign is open.
 * - a quotient v / d with errors e and f, d* at least 1: (e + f v / d) / d*.
 * One product with H and two with A, and two more of each for a bound. Scratch: 3 n + 2 m numbers,
 * with a bound 11 n + 6 m. */
#include "residual_qp.h"

#include "base/pair.h"
#include "kinds.h"

#define UNIT (DBL_EPSILON / 2)
#define OWN (16 * DBL_EPSILON)         /* relative error of a few operations */
#define OUTWARD (1 + 64 * DBL_EPSILON) /* bounds are computed, too */

typedef struct number {
    double hi, lo; /* their sum */
    double error;  /* of that, at most */
    double size;   /* of all terms together */
} number;

/* Sums that grow over columns and rows. */
typedef struct parts {
    double worst, worst_error; /* the largest of rows, columns and pairs, and of their errors */
    double floor;              /* and of what the rounding of z leaves in them */
    double omega;
    double gap, gap_error, gap_floor; /* unscaled */
    number objective;
} parts;

typedef struct measuring {
    const perp_qp *qp;
    const double *x, *y;
    perp_sums t;  /* H x, A'y, A x */
    bool bounded; /* errors are known */
    double *map;  /* the natural map, n + m */
    double *w;    /* the slack, n + m */
} measuring;

static double larger(double a, double b)
{
    return perp_worst(a, b);
}

static number sum_of(const measuring *q, int i)
{
    const perp_sums *t = &q->t;
    if (!q->bounded) return (number){.hi = t->w[i]};
    double lo = t->mode == PERP_SUMS_PAIRS ? t->low[i] : 0;
    return (number){.hi = t->w[i], .lo = lo, .error = t->error[i], .size = t->size[i]};
}

static double value_of(const number *a)
{
    return a->hi + a->lo;
}

/* h + c - a */
static number find_gradient(const number *h, double c, const number *a)
{
    number g = {.hi = h->hi, .lo = h->lo - a->lo, .size = h->size + a->size};
    pair_add(-a->hi, &g.hi, &g.lo);
    pair_add(c, &g.hi, &g.lo);
    double terms = fabs(h->hi) + fabs(a->hi) + fabs(c), small = fabs(h->lo) + fabs(a->lo);
    g.error = h->error + a->error + OWN * (small + OWN * terms);
    return g;
}

static void take_worst(parts *p, double part, double error)
{
    p->worst = larger(p->worst, part);
    p->worst_error = larger(p->worst_error, error);
}

/* Distance of v from a bound, from 0 where that is infinite. */
static double finite_bound(double bound)
{
    return isfinite(bound) ? bound : 0;
}

static void add_objective(const measuring *q, double x, double c, const number *h, parts *p)
{
    number *f = &p->objective;
    if (!q->bounded) {
        f->hi += x * (0.5 * h->hi + c);
        return;
    }
    pair_add_product(0.5 * x, h->hi, &f->hi, &f->lo);
    pair_add_product(x, c, &f->hi, &f->lo);
    f->lo += 0.5 * x * h->lo;
    f->error += 0.5 * fabs(x) * h->error;
    f->size += fabs(x) * (0.5 * (fabs(h->hi) + fabs(h->lo)) + fabs(c));
}

static void add_column(const measuring *q, int j, double lo, double hi, parts *p)
{
    double x = q->x[j], c = q->qp->c[j];
    number h = sum_of(q, j), a = sum_of(q, q->qp->n + j), g = find_gradient(&h, c, &a);
    double w = value_of(&g), error = g.error + UNIT * fabs(w);
    double sigma = 1 + larger(fabs(c), larger(fabs(value_of(&h)), fabs(value_of(&a))));
    double sigma_error = larger(h.error, a.error) + OWN * sigma;
    double least = larger(1, sigma - sigma_error), t = w / sigma, scale = 1 + fabs(x);
    double map = box_natural(x, t, lo, hi), part = fabs(map) / scale;
    take_worst(p, part, (error + fabs(t) * sigma_error) / least / scale + OWN * part);
    if (lo > hi) { /* P has no box to project on: the map misses that x is beyond one of them */
        double miss = larger(lo - x, x - hi) / scale;
        take_worst(p, miss, OWN * miss);
    }
    double below = fabs(x - finite_bound(lo)), above = fabs(x - finite_bound(hi));
    double reach = w > 0 ? below : above;
    p->gap += fabs(w) * reach;
    p->gap_error += error * (fabs(w) > error ? reach : larger(below, above));
    add_objective(q, x, c, &h, p);
    q->w[j] = w;
    q->map[j] = box_natural(x, w, lo, hi);
    if (!q->bounded) return;
    double left = UNIT * g.size;
    bool held = w > sigma * (x - lo) + left || w < sigma * (x - hi) - left;
    if (!held) p->floor = larger(p->floor, left / sigma / scale);
    p->gap_floor += left * reach;
    if (q->map[j] != 0) p->omega = larger(p->omega, fabs(q->map[j]) / (g.size + fabs(c)));
}

/* v + distance is the bound: by how much it is violated. */
static void add_violation(const number *v, double bound, double distance, parts *p)
{
    if (isinf(bound)) return;
    double scale = 1 + fabs(bound), part = kind_positive(distance) / scale;
    take_worst(p, part, v->error / scale + OWN * part);
}

static void add_row(const measuring *q, int i, double lo, double hi, parts *p)
{
    int k = q->qp->n + i;
    double y = q->y[i];
    number v = sum_of(q, q->qp->n + k);
    double value = value_of(&v), below = (v.hi - lo) + v.lo, above = (v.hi - hi) + v.lo;
    v.error += 2 * UNIT * fabs(v.lo);
    add_violation(&v, lo, -below, p);
    add_violation(&v, hi, above, p);
    double scale = 1 + larger(fabs(value), fabs(y)), least = larger(1, scale - v.error);
    double map = box_project(y, above, below), part = fabs(map) / scale;
    take_worst(p, part, (v.error + part * (v.error + OWN * scale)) / least + OWN * part);
    double bound = finite_bound(y > 0 ? lo : hi), reach = fabs((v.hi - bound) + v.lo);
    p->gap += fabs(y) * reach;
    p->gap_error += fabs(y) * v.error;
    q->w[k] = value;
    q->map[k] = map;
    if (!q->bounded) return;
    double left = UNIT * v.size;
    if (y > 0 ? lo > -INFINITY : y < 0 && hi < INFINITY)
        p->floor = larger(p->floor, left / (1 + fabs(bound)));
    p->gap_floor += fabs(y) * (left + UNIT * fabs(bound));
    if (map != 0) p->omega = larger(p->omega, fabs(map) / (v.size + fabs(bound)));
}

/* The objective's sum of 2 n products, in pairs where there is a bound, and the quotient. */
static void finish_gap(const measuring *q, const parts *p, perp_residual *r)
{
    double count = q->qp->n + (double)q->qp->m + 16, g = 4 * count * UNIT;
    const number *f = &p->objective;
    double value = fabs(value_of(f)), scale = 1 + value;
    r->gap = p->gap / scale;
    r->value = larger(r->value, r->gap);
    if (!isfinite(value)) r->value = r->gap = INFINITY;
    if (!q->bounded) return;
    double f_error = f->error + g * g * f->size + OWN * scale, least = larger(1, scale - f_error);
    double error = p->gap_error + g * (p->gap + p->gap_error);
    r->bound = larger(r->bound, (error + r->gap * f_error) / least);
    r->floor = larger(r->floor, p->gap_floor / scale);
}

static void find_residual(const measuring *q, const perp_scales *s, perp_residual *r)
{
    const perp_qp *qp = q->qp;
    parts p = {0};
    *r = (perp_residual){.omega = NAN, .floor = NAN, .bound = INFINITY};
    for (int j = 0; j < qp->n; j++) {
        double lo = kind_bound(qp->xlo, j, -INFINITY), hi = kind_bound(qp->xhi, j, INFINITY);
        add_column(q, j, lo, hi, &p);
        box_violations(q->x[j], q->w[j], lo, hi, r);
    }
    for (int i = 0; i < qp->m; i++) {
        double lo = kind_bound(qp->lo, i, -INFINITY), hi = kind_bound(qp->hi, i, INFINITY);
        add_row(q, i, lo, hi, &p);
        box_violations(q->w[qp->n + i], q->y[i], lo, hi, r);
    }
    double columns = vector_norm(qp->n, q->map), rows = vector_norm(qp->m, q->map + qp->n);
    r->absolute = hypot(columns, rows);
    r->natural = hypot(columns / s->s[0], rows / s->s[1]);
    r->value = r->units = p.worst;
    if (q->bounded) {
        r->bound = p.worst_error;
        r->floor = p.floor;
        r->omega = p.omega;
    }
    finish_gap(q, &p, r);
    r->bound = r->bound * OUTWARD + DBL_MIN; /* underflows lose less */
}

static void add_terms(measuring *q, perp_sums_mode mode)
{
    const perp_qp *qp = q->qp;
    perp_sums_start(&q->t, mode);
    perp_sums_add(&q->t, 0, 1, &qp->H, q->x);
    if (qp->m == 0) return;
    perp_sums_add_t(&q->t, qp->n, 1, &qp->A, q->y);
    perp_sums_add(&q->t, 2 * qp->n, 1, &qp->A, q->x);
}

/* With the bound of the plain sums; in pairs where that does not decide. */
static void decide(measuring *q, const perp_scales *s, double tol, perp_residual *r)
{
    q->bounded = true;
    add_terms(q, PERP_SUMS_SIZES);
    perp_sums_spread(&q->t);
    find_residual(q, s, r);
    if (r->value + r->bound <= tol) return;
    add_terms(q, PERP_SUMS_PAIRS);
    perp_sums_spread(&q->t);
    find_residual(q, s, r);
}

static perp_status measure(measuring *q, const perp_scales *s, double tol, perp_arena *a,
                           perp_residual *r)
{
    int count = q->t.n;
    double *sums = perp_alloc_unset(a, (size_t)count, sizeof *sums);
    q->map = perp_alloc_unset(a, (size_t)(q->qp->n + q->qp->m), sizeof *q->map);
    if (a->failed) return PERP_E_MEMORY;
    q->t = (perp_sums){.n = count, .arena = a, .w = sums};
    add_terms(q, PERP_SUMS_PLAIN);
    find_residual(q, s, r);
    if (!isfinite(r->value)) return PERP_E_NUMBER;
    if (r->value > tol && tol >= 0) return PERP_SOLVED;
    if (!perp_sums_open(&q->t, a, count, sums)) return PERP_E_MEMORY;
    decide(q, s, tol, r);
    if (a->failed) return PERP_E_MEMORY;
    return isfinite(r->value) ? PERP_SOLVED : PERP_E_NUMBER;
}

perp_status perp_residual_qp(const perp_problem *p, const perp_scales *s, const double *z,
                             double *w, double tol, perp_arena *a, perp_residual *r)
{
    const perp_qp *qp = &p->as.qp;
    int count = kind_sum(qp->n, qp->n + qp->m);
    measuring q = {.qp = qp, .x = z, .y = z + qp->n, .w = w, .t.n = count};
    perp_mark mark = perp_arena_mark(a);
    bool finite = vector_is_finite((size_t)qp->n + (size_t)qp->m, z);
    perp_status status = !finite     ? PERP_E_NUMBER
                         : count < 0 ? PERP_E_MEMORY
                                     : measure(&q, s, tol, a, r);
    perp_arena_release(a, mark);
    if (status) *r = perp_unmeasured;
    return status;
}

double perp_objective_qp(const perp_qp *qp, const double *x, perp_arena *a)
{
    perp_mark mark = perp_arena_mark(a);
    double *Hx = perp_alloc_unset(a, (size_t)qp->n, sizeof *Hx), value = NAN;
    measuring q = {.qp = qp, .x = x, .bounded = true};
    if (Hx && perp_sums_open(&q.t, a, qp->n, Hx)) {
        parts p = {0};
        perp_sums_start(&q.t, PERP_SUMS_PAIRS);
        perp_sums_add(&q.t, 0, 1, &qp->H, x);
        for (int j = 0; j < qp->n; j++) {
            number h = {.hi = q.t.w[j], .lo = q.t.low[j]};
            add_objective(&q, x[j], qp->c[j], &h, &p);
        }
        if (!a->failed) value = value_of(&p.objective);
    }
    perp_arena_release(a, mark);
    return value;
}
