/* qp/nnls_scaled.c: columns of A to lengths near 1, and b where that is far from 1, by powers of
 * two: A x = A D y, x = D y, so that y >= 0 where x is, and no digit is lost.
 *
 * One pass over A to see whether it is needed; then a copy of the values of A. The scaled problem's
 * residual has other units than the problem's: where that asks for more it is solved again, more
 * tightly. */
#include "nnls_scaled.h"

#include "base/vector.h"
#include "core/internal.h"

#include <stdlib.h>

#define FAR 300      /* binary digits from 1: the squares of squares are still there */
#define TIGHTER 1e-3 /* of the tolerance, each time */
#define ROUNDS 3

typedef struct scaled {
    perp_problem problem;
    int *column, b; /* exponents of what the data were divided by */
    double *y;
} scaled;

static int exponent_of(double x)
{
    int e = 0;
    if (x > 0) (void)frexp(x, &e);
    return e;
}

static double column_length(const perp_matrix *A, int j)
{
    if (A->format == PERP_FORMAT_DENSE) {
        return vector_norm(A->m, A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld);
    }
    const struct perp_csc_view *v = &A->as.csc;
    return vector_norm(v->p[j + 1] - v->p[j], v->x + v->p[j]);
}

static bool is_needed(const perp_nnls *p, int spread, scaled *s)
{
    int least = 0, most = 0;
    bool first = true;
    s->b = exponent_of(vector_norm(p->A.m, p->b));
    for (int j = 0; j < p->A.n; j++) {
        double length = column_length(&p->A, j);
        int e = s->column[j] = exponent_of(length);
        if (!(length > 0)) continue;
        least = first || e < least ? e : least;
        most = first || e > most ? e : most;
        first = false;
    }
    bool far = abs(s->b) > FAR || abs(least) > FAR || abs(most) > FAR;
    if (!far) s->b = 0;
    return far || most - least > spread;
}

static void scale_values(int n, int exponent, const double *from, double *to)
{
    for (int i = 0; i < n; i++) to[i] = ldexp(from[i], -exponent);
}

static bool scale_data(perp_run *run, scaled *s)
{
    const perp_nnls *p = &run->problem->as.nnls;
    const perp_matrix *A = &p->A;
    bool dense = A->format == PERP_FORMAT_DENSE;
    size_t m = (size_t)A->m, count = dense ? m * (size_t)A->n : (size_t)A->as.csc.p[A->n];
    double *x = PERP_ALLOC(run, double, count), *b = PERP_ALLOC(run, double, m);
    s->y = PERP_ALLOC(run, double, A->n);
    if (run->arena->failed) return false;
    for (int j = 0; j < A->n; j++) {
        size_t at = dense ? (size_t)j * m : (size_t)A->as.csc.p[j];
        const double *from =
            dense ? A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld : A->as.csc.x + at;
        int length = dense ? A->m : A->as.csc.p[j + 1] - A->as.csc.p[j];
        scale_values(length, s->column[j], from, x + at);
    }
    scale_values(A->m, s->b, p->b, b);
    s->problem = perp_make_nnls(
        dense ? perp_dense(A->m, A->n, x) : perp_csc(A->m, A->n, A->as.csc.p, A->as.csc.i, x), b);
    s->problem.as.nnls.is_free = p->is_free;
    return true;
}

/* Solve and bring back until the problem's own certificate is content, or the solver is not. */
static perp_status solve(perp_run *run, scaled *s, double *z)
{
    int n = s->problem.as.nnls.A.n;
    perp_options *o = perp_options_copy(run->arena, run->options);
    if (!o) return PERP_E_MEMORY;
    if (!o->warm_start) memset(z, 0, (size_t)n * sizeof *z);
    for (int j = 0; j < n; j++) s->y[j] = ldexp(z[j], s->column[j] - s->b);
    o->warm_start &= vector_is_finite((size_t)n, s->y);
    for (int round = 0; round < ROUNDS; round++) {
        perp_result r;
        perp_status status = perp_nested(run, &s->problem, o, s->y, &r);
        if (status < 0) return perp_fail(run, status, "%s", r.detail);
        for (int j = 0; j < n; j++) z[j] = ldexp(s->y[j], s->b - s->column[j]);
        if (!vector_is_finite((size_t)n, z)) {
            memset(z, 0, (size_t)n * sizeof *z);
            return perp_fail(run, PERP_STALLED, "x is too large for its numbers");
        }
        if (!perp_continue(run, z, 0)) return run->status;
        if (status != PERP_SOLVED) return perp_fail(run, status, "%s", r.detail);
        o->tol *= TIGHTER;
        o->warm_start = true;
    }
    return perp_fail(run, PERP_STALLED, "columns of A have lengths that differ too much");
}

bool perp_nnls_scaled(perp_run *run, int spread, double *z, perp_status *status)
{
    const perp_nnls *p = &run->problem->as.nnls;
    scaled s = {.column = NULL};
    if (p->A.format != PERP_FORMAT_DENSE && p->A.format != PERP_FORMAT_CSC) return false;
    perp_mark mark = perp_arena_mark(run->arena);
    s.column = PERP_ALLOC(run, int, p->A.n);
    bool needed = s.column && is_needed(p, spread, &s);
    *status = PERP_E_MEMORY;
    if (needed && scale_data(run, &s)) *status = solve(run, &s, z);
    if (!run->arena->failed) perp_arena_release(run->arena, mark);
    return needed || run->arena->failed;
}
