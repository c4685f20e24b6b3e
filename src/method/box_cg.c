/* method/box_cg.c: modified proportioning with reduced gradient projections, for boxes.
 * Dostal, Optimal Quadratic Programming Algorithms, Springer (2009), chapter 5; expansion by the
 * projected conjugate step: Kruzik, Horak, Cermak, Pospisil, Pecha, Advances in Engineering
 * Software 113 (2020). Works in y = x / s with s = diag(A)^-1/2, so that the diagonal is 1. */
#include "box_cg.h"

#include "base/box.h"
#include "base/vector.h"

#include <float.h>

typedef struct cg {
    int n;
    const perp_matrix *A;
    const double *lo, *hi;
    double *x, *s, *g, *p, *Ap, *free, *chopped, *t, *old;
    double step; /* of a gradient step: 1 / |A| */
    double free_free, reduced_free, chopped_chopped;
} cg;

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* y = s A (s v): the gradient is with respect to y. */
static void mul_scaled(const cg *c, const double *v, double *y)
{
    for (int i = 0; i < c->n; i++) c->t[i] = c->s[i] * v[i];
    perp_mul(c->A, 1, c->t, 0, y);
    for (int i = 0; i < c->n; i++) y[i] *= c->s[i];
}

static void find_gradient(cg *c, const double *b)
{
    perp_mul(c->A, 1, c->x, 0, c->g);
    for (int i = 0; i < c->n; i++) c->g[i] = c->s[i] * (c->g[i] - b[i]);
}

/* The gradient on the face, what of it a short step can use, and what pulls off the bounds. */
static void split_gradient(cg *c)
{
    c->free_free = c->reduced_free = c->chopped_chopped = 0;
    for (int i = 0; i < c->n; i++) {
        double g = c->g[i], below = (c->x[i] - c->lo[i]) / c->s[i],
               above = (c->x[i] - c->hi[i]) / c->s[i];
        bool at_lo = below <= 0, at_hi = above >= 0;
        double reduced = g > 0 ? fmin(below / c->step, g) : fmax(above / c->step, g);
        c->free[i] = at_lo || at_hi ? 0 : g;
        c->chopped[i] = at_lo && at_hi ? 0 : at_lo ? fmin(g, 0) : at_hi ? fmax(g, 0) : 0;
        c->free_free += c->free[i] * c->free[i];
        c->reduced_free += at_lo || at_hi ? 0 : reduced * g;
        c->chopped_chopped += c->chopped[i] * c->chopped[i];
    }
}

/* The longest step along -d that stays inside. */
static double feasible_step(const cg *c, const double *d)
{
    double most = INFINITY;
    for (int i = 0; i < c->n; i++) {
        if (d[i] == 0) continue;
        double room = d[i] > 0 ? c->x[i] - c->lo[i] : c->x[i] - c->hi[i];
        double t = room / (c->s[i] * d[i]);
        if (t < most) most = t;
    }
    return most;
}

/* x = P(x - t d), inside but for rounding where t is a feasible step. */
static void move(cg *c, double t, const double *d)
{
    for (int i = 0; i < c->n; i++) {
        c->x[i] = box_project(c->x[i] - t * c->s[i] * d[i], c->lo[i], c->hi[i]);
    }
}

/* Loosen bounds: a step along the chopped gradient. False: A is not definite along it. */
static bool proportion(cg *c)
{
    mul_scaled(c, c->chopped, c->Ap);
    double curvature = dot(c->n, c->chopped, c->Ap), most = feasible_step(c, c->chopped);
    if (!(curvature > 0)) return false;
    double t = fmin(c->chopped_chopped / curvature, most);
    move(c, t, c->chopped);
    for (int i = 0; i < c->n; i++) c->g[i] -= t * c->Ap[i];
    split_gradient(c);
    for (int i = 0; i < c->n; i++) c->p[i] = c->free[i];
    return true;
}

/* The whole conjugate step, projected, where that lessens the energy by at least what a gradient
 * step on the reduced gradient would; else the step to the nearest bound and that gradient step. */
static void expand(cg *c, const double *b, double t, double most)
{
    memcpy(c->old, c->x, (size_t)c->n * sizeof *c->x);
    double before = 0, after = 0;
    for (int i = 0; i < c->n; i++) before += c->x[i] * (c->g[i] / c->s[i] - b[i]);
    move(c, t, c->p);
    find_gradient(c, b);
    for (int i = 0; i < c->n; i++) after += c->x[i] * (c->g[i] / c->s[i] - b[i]);
    if (!(after <= before)) {
        memcpy(c->x, c->old, (size_t)c->n * sizeof *c->x);
        move(c, most, c->p);
        find_gradient(c, b);
        split_gradient(c);
        move(c, c->step, c->free);
        find_gradient(c, b);
    }
    split_gradient(c);
    for (int i = 0; i < c->n; i++) c->p[i] = c->free[i];
}

/* A step on the face. False: A is not definite along p. */
static bool step_on_face(cg *c, const double *b)
{
    mul_scaled(c, c->p, c->Ap);
    double curvature = dot(c->n, c->p, c->Ap), most = feasible_step(c, c->p);
    if (!(curvature > 0)) return false;
    double t = dot(c->n, c->g, c->p) / curvature;
    if (t > most) {
        expand(c, b, t, most);
        return true;
    }
    move(c, t, c->p);
    for (int i = 0; i < c->n; i++) c->g[i] -= t * c->Ap[i];
    split_gradient(c);
    double part = dot(c->n, c->free, c->Ap) / curvature;
    for (int i = 0; i < c->n; i++) c->p[i] = c->free[i] - part * c->p[i];
    return true;
}

/* s, and the reciprocal of the norm of s A s, the largest sum of a row. */
static void scale(cg *c)
{
    double most = 0;
    const perp_matrix *A = c->A;
    for (int i = 0; i < c->n; i++) c->s[i] = c->t[i] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < c->n; j++) {
            bool dense = A->format == PERP_FORMAT_DENSE;
            int from = dense ? 0 : A->as.csc.p[j], to = dense ? c->n : A->as.csc.p[j + 1];
            for (int k = from; k < to; k++) {
                int i = dense ? k : A->as.csc.i[k];
                double x = dense ? A->as.dense.x[(size_t)j * (size_t)A->as.dense.ld + (size_t)k]
                                 : A->as.csc.x[k];
                if (pass == 0 && i == j) c->s[j] += x;
                if (pass == 1) c->t[i] += fabs(x) * c->s[i] * c->s[j];
            }
        }
        for (int i = 0; pass == 0 && i < c->n; i++) c->s[i] = 1 / sqrt(c->s[i]);
    }
    for (int i = 0; i < c->n; i++) most = fmax(most, c->t[i]);
    c->step = most > 0 ? 1 / most : 1;
}

perp_box_cg_end perp_box_cg(const perp_matrix *A, const double *b, const double *lo,
                            const double *hi, double accuracy, int *steps, double *x, double *work,
                            const perp_watch *watch)
{
    size_t n = (size_t)A->n;
    cg c = {.n = A->n, .A = A, .lo = lo, .hi = hi, .x = x};
    double **const vectors[PERP_BOX_CG_WORK] = {&c.s,    &c.g,       &c.p, &c.Ap,
                                                &c.free, &c.chopped, &c.t, &c.old};
    for (size_t v = 0; v < PERP_BOX_CG_WORK; v++) *vectors[v] = work + v * n;
    int most = *steps;
    *steps = 0;
    scale(&c);
    for (int i = 0; i < c.n; i++) x[i] = box_project(x[i], lo[i], hi[i]);
    find_gradient(&c, b);
    split_gradient(&c);
    memcpy(c.p, c.free, n * sizeof *c.p);
    double enough = accuracy * accuracy * (c.free_free + c.chopped_chopped);
    while (c.free_free + c.chopped_chopped > enough) {
        if (*steps == most || perp_watch_asks(watch)) return PERP_BOX_CG_STEPS;
        (*steps)++;
        bool definite = c.chopped_chopped <= c.reduced_free ? step_on_face(&c, b) : proportion(&c);
        if (!definite) return PERP_BOX_CG_INDEFINITE;
    }
    return PERP_BOX_CG_DONE;
}
