/* core/sums.c: sums of products, plain, with a bound of their error, and in pairs of numbers. One
 * pass over each matrix for every way; 4 numbers of scratch an entry of w. */
#include "sums.h"

#include "base/format.h"
#include "base/pair.h"
#include "base/vector.h"

#include <float.h>

#define UNIT (DBL_EPSILON / 2)
#define OUTWARD (1 + 8 * DBL_EPSILON) /* a bound is a sum and a product of its own */

bool perp_sums_open(perp_sums *t, perp_arena *a, int n, double *w)
{
    *t = (perp_sums){.n = n, .arena = a, .w = w};
    t->low = perp_alloc_unset(a, (size_t)n, sizeof *t->low);
    t->size = perp_alloc_unset(a, (size_t)n, sizeof *t->size);
    t->count = perp_alloc_unset(a, (size_t)n, sizeof *t->count);
    t->error = perp_alloc_unset(a, (size_t)n, sizeof *t->error);
    return !a->failed;
}

void perp_sums_start(perp_sums *t, perp_sums_mode mode)
{
    t->mode = mode;
    for (int i = 0; i < t->n; i++) {
        if (mode != PERP_SUMS_SIZES) t->w[i] = 0;
        if (mode == PERP_SUMS_PAIRS) t->low[i] = 0;
        if (mode == PERP_SUMS_SIZES) t->size[i] = t->count[i] = 0;
    }
}

/* ---- terms ---- */

static void negate(int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = -x[i];
}

static void add_pairs(perp_sums *t, int at, int n, double sign, const double *x)
{
    for (int i = 0; i < n; i++) pair_add(sign * x[i], t->w + at + i, t->low + at + i);
}

static void add_sizes(perp_sums *t, int at, int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        t->size[at + i] += fabs(x[i]);
        t->count[at + i]++;
    }
}

void perp_sums_add_vector(perp_sums *t, int at, int n, double sign, const double *x)
{
    if (!x) return;
    if (t->mode == PERP_SUMS_PAIRS) {
        add_pairs(t, at, n, sign, x);
    } else if (t->mode == PERP_SUMS_SIZES) {
        add_sizes(t, at, n, x);
    } else {
        for (int i = 0; i < n; i++) t->w[at + i] += sign * x[i];
    }
}

/* The product of an operator, one number, in w that is added. */
static void add_opaque(perp_sums *t, int at, int n, double sign, bool transposed,
                       const perp_matrix *A, const double *x)
{
    perp_mark mark = perp_arena_mark(t->arena);
    double *product = perp_alloc_unset(t->arena, (size_t)n, sizeof *product);
    if (!product) return;
    (transposed ? perp_mul_t : perp_mul)(A, 1, x, 0, product);
    perp_sums_add_vector(t, at, n, sign, product);
    perp_arena_release(t->arena, mark);
}

/* Both halves of the pairs. */
static void negate_pairs(perp_sums *t, int at, int n)
{
    negate(n, t->w + at);
    negate(n, t->low + at);
}

static void add_product(perp_sums *t, int at, double sign, bool transposed, const perp_matrix *A,
                        const double *x)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    int n = transposed ? A->n : A->m;
    if (t->mode == PERP_SUMS_PLAIN) {
        (transposed ? perp_mul_t : perp_mul)(A, sign, x, 1, t->w + at);
    } else if (!ops->add_pairs) {
        add_opaque(t, at, n, sign, transposed, A, x);
    } else if (t->mode == PERP_SUMS_SIZES) {
        (transposed ? ops->add_sizes_t : ops->add_sizes)(A, x, t->size + at);
        (transposed ? ops->add_counts_t : ops->add_counts)(A, t->count + at);
    } else {
        if (sign < 0) negate_pairs(t, at, n);
        (transposed ? ops->add_pairs_t : ops->add_pairs)(A, x, t->w + at, t->low + at);
        if (sign < 0) negate_pairs(t, at, n);
    }
}

void perp_sums_add(perp_sums *t, int at, double sign, const perp_matrix *A, const double *x)
{
    add_product(t, at, sign, false, A, x);
}

void perp_sums_add_t(perp_sums *t, int at, double sign, const perp_matrix *A, const double *x)
{
    add_product(t, at, sign, true, A, x);
}

/* ---- bounds ---- */

/* k u / (1 - k u), with room for the rounding of the sizes themselves. */
static double gamma_of(double count)
{
    double g = (count + 4) * UNIT;
    return g / (1 - 4 * g) * OUTWARD;
}

/* A pair's second half is a plain sum of two terms for each of its own, all errors of the first:
 * hence g of twice the number times g, at most. */
void perp_sums_spread(perp_sums *t)
{
    for (int i = 0; i < t->n; i++) {
        double g = gamma_of(t->count[i]), lost = t->count[i] * DBL_TRUE_MIN;
        if (t->mode == PERP_SUMS_PAIRS)
            t->error[i] = 2 * g * g * t->size[i] * OUTWARD + 2 * lost;
        else
            t->error[i] = g * t->size[i] * OUTWARD + lost;
    }
}

void perp_sums_bound(perp_sums *t)
{
    perp_sums_spread(t);
    for (int i = 0; t->mode == PERP_SUMS_PAIRS && i < t->n; i++) {
        double rest = 0;
        pair_add(t->low[i], t->w + i, &rest); /* what w cannot hold, and often nothing */
        t->error[i] += fabs(rest) * OUTWARD;
    }
}

/* ---- measuring ---- */

/* Oettli and Prager (1964): w is that of data that differ by omega, relatively. */
static double find_omega(const perp_sums *t, const double *map)
{
    double omega = 0;
    for (int i = 0; i < t->n; i++) {
        if (map[i] != 0) omega = perp_worst(omega, fabs(map[i]) / t->size[i]);
    }
    return omega;
}

static perp_status plain(const perp_measuring *how, const perp_problem *p, const perp_scales *s,
                         const double *z, perp_sums *t, double *map, perp_residual *r)
{
    size_t n = (size_t)t->n;
    perp_sums_start(t, PERP_SUMS_PLAIN);
    bool defined = vector_is_finite(n, z) && how->slack(p, z, t) && vector_is_finite(n, t->w);
    if (!defined) return PERP_E_NUMBER;
    how->residual(p, s, z, t->w, NULL, map, r);
    r->bound = INFINITY;
    return isfinite(r->value) ? PERP_SOLVED : PERP_E_NUMBER;
}

/* With the bound of its rounding; in pairs where that does not decide. */
static void with_bound(const perp_measuring *how, const perp_problem *p, const perp_scales *s,
                       const double *z, double tol, perp_sums *t, double *map, perp_residual *r)
{
    perp_sums_start(t, PERP_SUMS_SIZES);
    how->slack(p, z, t);
    perp_sums_bound(t);
    if (how->bound)
        how->bound(p, s, z, t->w, t->error, t->low, r);
    else
        how->residual(p, s, z, t->w, t->error, map, r);
    if (!(r->value + r->bound <= tol)) {
        perp_sums_start(t, PERP_SUMS_PAIRS);
        how->slack(p, z, t);
        perp_sums_bound(t);
        how->residual(p, s, z, t->w, t->error, map, r);
    }
    r->omega = find_omega(t, map);
    r->floor = UNIT * vector_norm(t->n, t->size) / s->s[0];
}

perp_status perp_measure_sums(const perp_measuring *how, const perp_problem *p,
                              const perp_scales *s, const double *z, double *w, double tol,
                              perp_arena *a, perp_residual *r)
{
    int n = perp_size(p);
    perp_sums t = {.n = n, .arena = a, .w = w};
    perp_mark mark = perp_arena_mark(a);
    double *map = perp_alloc_unset(a, (size_t)n, sizeof *map);
    perp_status status = map ? plain(how, p, s, z, &t, map, r) : PERP_E_MEMORY;
    if (!status && (r->value <= tol || tol < 0)) {
        if (perp_sums_open(&t, a, n, w))
            with_bound(how, p, s, z, tol, &t, map, r);
        else
            status = PERP_E_MEMORY;
        if (a->failed) status = PERP_E_MEMORY;
        if (!status && !isfinite(r->value)) status = PERP_E_NUMBER;
    }
    perp_arena_release(a, mark);
    if (status) *r = perp_unmeasured;
    return status;
}
