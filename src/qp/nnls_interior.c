/* qp/nnls_interior.c: interior points for large sparse nonnegative least squares.
 * Portugal, Judice, Vicente, Math. Comp. 63 (1994), section 3; Mehrotra, On the implementation of a
 * primal-dual interior point method, SIAM J. Optim. 2 (1992).
 *
 * Newton's method on w = A'(A x - b), x_j w_j = mu, with a corrector, and mu towards 0. Columns are
 * scaled to length 1. A step factors A'A + D, D = w / x, once (linalg/normal_equations.c): in the
 * space of rows where columns are many, I + A D^-1 A'. Twelve to twenty steps where block pivots or
 * gradients take hundreds: many more columns than rows, on the edge of reaching b. A free x has no
 * w, and a small D that holds it where it was. */
#include "nnls_interior.h"

#include "base/vector.h"
#include "linalg/gram.h"
#include "linalg/normal_equations.h"

#include <float.h>
#include <string.h>

#define HOLD 1e-8     /* D of a free x */
#define LEAST 1e-13   /* of D, at first, ... */
#define MORE 100      /* ... times this where it was too small, ... */
#define MOST 1e-6     /* ... up to here */
#define BACK 0.9995   /* of the way to the boundary */
#define SHORT 1e-6    /* steps that lead nowhere */
#define PATIENCE 15   /* steps without a smaller residual */
#define REFINEMENTS 2 /* of a solve */

typedef struct interior {
    perp_run *run;
    const perp_nnls *p;
    int m, n, bounded; /* bounded: x that are not free */
    perp_normal_equations normal;
    int *all;
    double *length;        /* of the columns */
    double *x, *w;         /* of columns of length 1 */
    double *z;             /* x of the problem itself */
    double *dx, *dw, *g;   /* g = A'(A x - b) */
    double *D, *scale, *h; /* right-hand side */
    double *corrector, *y; /* scratch */
    double *r;             /* m */
    double best, least;    /* residual; D */
} interior;

static bool is_free(const interior *t, int j)
{
    return t->p->is_free && t->p->is_free[j];
}

static perp_status open_interior(interior *t, perp_run *run, const perp_nnls *p)
{
    int m = p->A.m, n = p->A.n;
    perp_gram gram;
    *t = (interior){.run = run, .p = p, .m = m, .n = n, .best = INFINITY, .least = LEAST};
    double **each[] = {&t->length, &t->x,     &t->w, &t->dx,        &t->dw, &t->g,
                       &t->D,      &t->scale, &t->h, &t->corrector, &t->y};
    for (int k = 0; k < 11; k++) *each[k] = PERP_ALLOC(run, double, n);
    t->r = PERP_ALLOC(run, double, m);
    t->all = PERP_ALLOC(run, int, n);
    t->z = PERP_ALLOC(run, double, n);
    if (run->arena->failed || !perp_gram_open(&gram, &p->A, run->arena)) return PERP_E_MEMORY;
    for (int j = 0; j < n; j++) {
        double square = perp_gram_square(&gram, j);
        t->length[j] = square > 0 && isfinite(square) ? sqrt(square) : 1;
        t->all[j] = j;
        t->bounded += !is_free(t, j);
    }
    return perp_normal_equations_open(&t->normal, &p->A, run->arena) ? PERP_SOLVED : PERP_E_MEMORY;
}

/* out = A'(A v - b), with b where `whole`, columns of length 1. */
static void apply(interior *t, const double *v, bool whole, double *out)
{
    for (int j = 0; j < t->n; j++) t->y[j] = v[j] / t->length[j];
    memcpy(t->r, t->p->b, (size_t)t->m * sizeof *t->r);
    perp_mul(&t->p->A, 1, t->y, whole ? -1 : 0, t->r);
    perp_mul_t(&t->p->A, 1, t->r, 0, out);
    for (int j = 0; j < t->n; j++) out[j] /= t->length[j];
}

/* x and w of the size of A'b. */
static void start(interior *t)
{
    apply(t, t->x, true, t->g);
    double size = vector_norm(t->n, t->g) / sqrt(t->n + 1.);
    size = size > 0 ? size : 1;
    for (int j = 0; j < t->n; j++) t->x[j] = is_free(t, j) ? 0 : size;
    apply(t, t->x, true, t->g);
    for (int j = 0; j < t->n; j++) t->w[j] = is_free(t, j) ? 0 : fmax(t->g[j], 0) + size;
}

static double measure_mu(const interior *t, double step)
{
    double sum = 0;
    for (int j = 0; j < t->n; j++) {
        sum += (t->x[j] + step * t->dx[j]) * (t->w[j] + step * t->dw[j]);
    }
    return t->bounded > 0 ? sum / t->bounded : 0;
}

/* |min(x, g)| of the problem itself, scaled; z is its x. */
static double measure(interior *t)
{
    double sum = 0;
    for (int j = 0; j < t->n; j++) {
        double w = t->g[j] * t->length[j];
        t->z[j] = t->x[j] / t->length[j];
        w = is_free(t, j) || w < t->z[j] ? w : t->z[j];
        sum += w * w;
    }
    return sqrt(sum) / perp_scale(t->run);
}

/* ---- one step ---- */

/* Where rounding hides that the matrix is definite, a larger least D shows it. */
static perp_status factor(interior *t)
{
    t->normal.scale = t->scale;
    for (;; t->least *= MORE) {
        for (int j = 0; j < t->n; j++) {
            t->D[j] = is_free(t, j) ? fmax(HOLD, t->least) : fmax(t->w[j] / t->x[j], t->least);
            t->scale[j] = 1 / (t->length[j] * sqrt(t->D[j]));
        }
        perp_status s = perp_normal_equations_factor(&t->normal, t->n, t->all, 1);
        if (s == PERP_STALLED && t->normal.factor) s = PERP_SOLVED; /* D's range is no trouble */
        if (s != PERP_STALLED || !(t->least < MOST)) return s;
    }
}

/* dx += (A'A + D)^-1 h */
static bool add_solution(interior *t)
{
    for (int j = 0; j < t->n; j++) t->y[j] = t->h[j] / sqrt(t->D[j]);
    if (!perp_normal_equations_solve(&t->normal, t->y)) return false;
    for (int j = 0; j < t->n; j++) t->dx[j] += t->y[j] / sqrt(t->D[j]);
    return true;
}

/* (A'A + D) dx = w - g + c / x, dw = (c - w dx) / x, for the target c of x dw + w dx. */
static bool solve(interior *t, const double *c)
{
    memset(t->dx, 0, (size_t)t->n * sizeof *t->dx);
    for (int k = 0; k <= REFINEMENTS; k++) {
        if (k > 0)
            apply(t, t->dx, false, t->h);
        else
            memset(t->h, 0, (size_t)t->n * sizeof *t->h);
        for (int j = 0; j < t->n; j++) {
            double target = is_free(t, j) ? 0 : c[j] / t->x[j];
            t->h[j] = t->w[j] - t->g[j] + target - t->h[j] - t->D[j] * t->dx[j];
        }
        if (!add_solution(t)) return false;
    }
    for (int j = 0; j < t->n; j++) {
        t->dw[j] = is_free(t, j) ? 0 : (c[j] - t->w[j] * t->dx[j]) / t->x[j];
    }
    return vector_is_finite((size_t)t->n, t->dx) && vector_is_finite((size_t)t->n, t->dw);
}

/* How far x and w stay positive, at most 1. */
static double find_step(const interior *t)
{
    double step = 1;
    for (int j = 0; j < t->n; j++) {
        if (is_free(t, j)) continue;
        if (t->dx[j] < 0) step = fmin(step, -t->x[j] / t->dx[j]);
        if (t->dw[j] < 0) step = fmin(step, -t->w[j] / t->dw[j]);
    }
    return step;
}

/* Predictor, corrector, move. PERP_STALLED: it leads nowhere. */
static perp_status advance(interior *t)
{
    perp_status s = factor(t);
    if (s) return s;
    for (int j = 0; j < t->n; j++) t->corrector[j] = -t->x[j] * t->w[j];
    if (!solve(t, t->corrector)) return PERP_STALLED;
    double step = find_step(t), mu = 0, ahead = measure_mu(t, step);
    for (int j = 0; j < t->n; j++) mu += t->x[j] * t->w[j];
    mu /= t->bounded > 0 ? t->bounded : 1;
    double ratio = mu > 0 ? ahead / mu : 0, target = ratio * ratio * ratio * mu;
    for (int j = 0; j < t->n; j++) t->corrector[j] += target - t->dx[j] * t->dw[j];
    if (!solve(t, t->corrector)) return PERP_STALLED;
    step = find_step(t);
    step = step < 1 ? BACK * step : 1;
    for (int j = 0; j < t->n; j++) {
        t->x[j] += step * t->dx[j];
        t->w[j] += step * t->dw[j];
    }
    apply(t, t->x, true, t->g);
    return step > SHORT ? PERP_SOLVED : PERP_STALLED;
}

perp_status perp_nnls_interior(perp_run *run, const perp_nnls *p, double *x)
{
    interior t;
    perp_status s = open_interior(&t, run, p);
    if (s) return s;
    start(&t);
    for (int idle = 0; idle < PATIENCE; idle++) {
        double estimate = measure(&t);
        if (estimate < t.best) {
            idle = estimate < 0.9 * t.best ? 0 : idle;
            t.best = estimate;
            memcpy(x, t.z, (size_t)t.n * sizeof *x);
        }
        if (!perp_continue(run, x, t.best)) return run->status;
        s = advance(&t);
        if (s) return s;
    }
    return PERP_STALLED;
}
