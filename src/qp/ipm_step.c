/* qp/ipm_step.c: one step of a primal-dual interior point method, and where to start.
 * Mehrotra, SIAM J. Optimization 2, 1992 (predictor and corrector); Gertz, Wright, ACM TOMS 29(1)
 * 2003 (slacks of their own for every bound); Friedlander, Orban, Mathematical Programming
 * Computation 4, 2012 (regularisation as proximal terms at the iterate: rank does not matter).
 *
 * A step costs one factor and two or more solves. */
#include "ipm.h"

#include "../kernel/vector.h"

#include <float.h>

#define NEAR 0.9995 /* at most so much of the way to the boundary, ... */
#define FAR 0.99    /* ... and at least so much while there is far to go */
#define FARTHEST 2.0
#define ROUNDINGS 4
#define LEAST_STEP 1e-10
#define LEAST_REGULARISATION 1e-11
#define MOST_REGULARISATION 1e-3
#define FIRST_REGULARISATION 1e-6
#define BAD_SOLVE 1e-6 /* a direction with a larger error wants more regularisation */

bool ipm_point_open(ipm_point *t, const ipm_problem *p, ipm_kkt *kkt, perp_arena *a)
{
    size_t n = (size_t)p->n, m = (size_t)p->m, pairs = n + m;
    *t = (ipm_point){.p = p, .kkt = kkt, .pairs = p->n + p->m};
    double **of_pairs[] = {&t->v,   &t->tl,  &t->tu,  &t->zl, &t->zu, &t->dv, &t->dtl,
                           &t->dtu, &t->dzl, &t->dzu, &t->el, &t->eu, &t->d,  &t->rhs};
    for (size_t k = 0; k < sizeof of_pairs / sizeof *of_pairs; k++) {
        *of_pairs[k] = perp_alloc(a, pairs, sizeof(double));
    }
    t->x = perp_alloc(a, n, sizeof(double));
    t->dx = perp_alloc(a, n, sizeof(double));
    t->gradient = perp_alloc(a, n, sizeof(double));
    t->y = perp_alloc(a, m, sizeof(double));
    t->dy = perp_alloc(a, m, sizeof(double));
    for (int k = 0; k < t->pairs; k++) t->sides += ipm_has_lo(p, k) + ipm_has_hi(p, k);
    return !a->failed;
}

/* ---- measuring ---- */

/* y = H x */
static void multiply_H(const ipm_problem *p, const double *x, double *y)
{
    const struct perp_csc_view *H = &p->H.as.csc;
    for (int j = 0; j < p->n; j++) y[j] = 0;
    if (p->linear) return;
    for (int j = 0; j < p->n; j++) {
        double by = x[j], sum = 0;
        for (int e = H->p[j]; e < H->p[j + 1]; e++) {
            y[H->i[e]] += H->x[e] * by;
            if (p->symmetric && H->i[e] != j) sum += H->x[e] * x[H->i[e]];
        }
        y[j] += sum;
    }
}

void ipm_values(const ipm_problem *p, const double *x, const double *y, double *v)
{
    memcpy(v, x, (size_t)p->n * sizeof *v);
    perp_mul(&p->A, 1, x, 0, v + p->n);
    for (int i = 0; i < p->m; i++) v[p->n + i] += p->soft * y[i];
}

void ipm_gradient(const ipm_problem *p, const double *x, const double *y, double *g)
{
    multiply_H(p, x, g);
    perp_mul_t(&p->A, -1, y, 1, g);
    for (int j = 0; j < p->n; j++) g[j] += p->c[j];
}

static double larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

void ipm_measure(ipm_point *t)
{
    const ipm_problem *p = t->p;
    double sum = 0;
    t->primal = t->dual = 0;
    ipm_values(p, t->x, t->y, t->v);
    ipm_gradient(p, t->x, t->y, t->gradient);
    for (int k = 0; k < t->pairs; k++) {
        double v = t->v[k];
        sum += t->tl[k] * t->zl[k] + t->tu[k] * t->zu[k];
        if (k < p->n) t->dual = larger(t->dual, fabs(t->gradient[k] - t->zl[k] + t->zu[k]));
        if (ipm_is_equal(p, k)) t->primal = larger(t->primal, fabs(v - p->lo[k]));
        if (ipm_has_lo(p, k)) t->primal = larger(t->primal, fabs(v - p->lo[k] - t->tl[k]));
        if (ipm_has_hi(p, k)) t->primal = larger(t->primal, fabs(p->hi[k] - v - t->tu[k]));
    }
    t->mu = t->sides > 0 ? sum / t->sides : 0;
}

/* ---- the start ---- */

static double nearest_to_zero(double lo, double hi)
{
    return lo > 0 ? lo : hi < 0 ? hi : 0;
}

/* The problem with its bounds softened to springs. */
static bool solve_springs(ipm_point *t)
{
    const ipm_problem *p = t->p;
    for (int k = 0; k < t->pairs; k++) {
        bool bounded = ipm_has_lo(p, k) || ipm_has_hi(p, k);
        double at = nearest_to_zero(p->lo[k], p->hi[k]);
        if (k < p->n) {
            t->d[k] = bounded ? 1 : FIRST_REGULARISATION;
            t->rhs[k] = (bounded ? at : 0) - p->c[k];
        } else {
            t->d[k] = (bounded ? 1 : FIRST_REGULARISATION) + p->soft;
            t->rhs[k] = at;
        }
    }
    if (!ipm_kkt_factor(t->kkt, t->d, NULL)) return false;
    ipm_kkt_solve(t->kkt, t->rhs, t->rhs);
    if (!vector_is_finite((size_t)t->pairs, t->rhs)) return false;
    memcpy(t->x, t->rhs, (size_t)p->n * sizeof *t->x);
    for (int i = 0; i < p->m; i++) t->y[i] = -t->rhs[p->n + i];
    return true;
}

/* The multiplier that the springs give a pair. */
static double spring_force(const ipm_point *t, int k)
{
    return k < t->p->n ? t->gradient[k] : t->y[k - t->p->n];
}

bool ipm_start(ipm_point *t)
{
    const ipm_problem *p = t->p;
    if (!solve_springs(t)) return false;
    ipm_measure(t);
    double room = 1, force = 1;
    for (int k = 0; k < t->pairs; k++) {
        if (ipm_has_lo(p, k)) room = larger(room, p->lo[k] - t->v[k]);
        if (ipm_has_hi(p, k)) room = larger(room, t->v[k] - p->hi[k]);
        if (!ipm_is_equal(p, k)) force = larger(force, 0.1 * fabs(spring_force(t, k)));
    }
    for (int k = 0; k < t->pairs; k++) {
        double f = spring_force(t, k), product = room * force;
        if (ipm_has_lo(p, k)) {
            t->tl[k] = larger(t->v[k] - p->lo[k], room);
            t->zl[k] = larger(f, product / t->tl[k]);
        }
        if (ipm_has_hi(p, k)) {
            t->tu[k] = larger(p->hi[k] - t->v[k], room);
            t->zu[k] = larger(-f, product / t->tu[k]);
        }
        if (k >= p->n && !ipm_is_equal(p, k)) t->y[k - p->n] = t->zl[k] - t->zu[k];
    }
    t->regularisation = FIRST_REGULARISATION;
    t->step = 1;
    ipm_measure(t);
    return true;
}

/* ---- a step ---- */

/* Weights z / t of the bounds on the diagonal: D of variables, 1 / D of rows. */
static bool factor(ipm_point *t)
{
    const ipm_problem *p = t->p;
    for (int k = 0; k < t->pairs; k++) {
        double weight = 0;
        if (ipm_has_lo(p, k)) weight += t->zl[k] / t->tl[k];
        if (ipm_has_hi(p, k)) weight += t->zu[k] / t->tu[k];
        if (k < p->n)
            t->d[k] = weight + t->regularisation;
        else
            t->d[k] = (ipm_is_equal(p, k) ? 0 : 1 / weight) + t->regularisation + p->soft;
    }
    return ipm_kkt_factor(t->kkt, t->d, NULL);
}

/* v - lo - tl, or hi - v - tu with sign = -1: none where it is rounding, of which a large z / t
 * would make much. */
static double gap(double v, double bound, double slack, double sign)
{
    double r = sign * (v - bound) - slack;
    return fabs(r) > ROUNDINGS * DBL_EPSILON * (fabs(v) + fabs(bound)) ? r : 0;
}

/* dzl = cl - (zl / tl) dtl, dtl = dv + rl, and the same above: both sides' part without dv. */
static double constant_part(const ipm_point *t, int k, double target)
{
    const ipm_problem *p = t->p;
    double q = 0;
    if (ipm_has_lo(p, k)) {
        double r = gap(t->v[k], p->lo[k], t->tl[k], 1);
        q += (target - t->el[k] - t->zl[k] * r) / t->tl[k] - t->zl[k];
    }
    if (ipm_has_hi(p, k)) {
        double r = gap(t->v[k], p->hi[k], t->tu[k], -1);
        q -= (target - t->eu[k] - t->zu[k] * r) / t->tu[k] - t->zu[k];
    }
    return q;
}

static void find_slack_steps(ipm_point *t, double target)
{
    const ipm_problem *p = t->p;
    for (int k = 0; k < t->pairs; k++) {
        if (ipm_has_lo(p, k)) {
            double tl = t->tl[k], zl = t->zl[k];
            t->dtl[k] = t->dv[k] + gap(t->v[k], p->lo[k], tl, 1);
            t->dzl[k] = (target - t->el[k] - zl * t->dtl[k]) / tl - zl;
        }
        if (ipm_has_hi(p, k)) {
            double tu = t->tu[k], zu = t->zu[k];
            t->dtu[k] = gap(t->v[k], p->hi[k], tu, -1) - t->dv[k];
            t->dzu[k] = (target - t->eu[k] - zu * t->dtu[k]) / tu - zu;
        }
    }
}

/* The Newton direction for products `target` less the second order. */
static bool find_direction(ipm_point *t, double target)
{
    const ipm_problem *p = t->p;
    int n = p->n;
    for (int k = 0; k < t->pairs; k++) {
        double q = constant_part(t, k, target);
        if (k < n) {
            t->rhs[k] = q - (t->gradient[k] - t->zl[k] + t->zu[k]);
        } else if (ipm_is_equal(p, k)) {
            t->rhs[k] = p->lo[k] - t->v[k];
        } else {
            t->rhs[k] = q * (t->d[k] - t->regularisation - p->soft);
        }
    }
    t->solve_error = larger(t->solve_error, ipm_kkt_solve(t->kkt, t->rhs, t->rhs));
    if (!vector_is_finite((size_t)t->pairs, t->rhs)) return false;
    memcpy(t->dx, t->rhs, (size_t)n * sizeof *t->dx);
    for (int i = 0; i < p->m; i++) t->dy[i] = -t->rhs[n + i];
    ipm_values(p, t->dx, t->dy, t->dv);
    /* as the system has it: or z / t would make much of a little */
    for (int i = 0; i < p->m; i++) t->dv[n + i] += t->regularisation * t->dy[i];
    find_slack_steps(t, target);
    return true;
}

/* How far t + step dt stays >= 0, up to FARTHEST. */
static double longest(int n, const double *t, const double *dt)
{
    double step = FARTHEST;
    for (int k = 0; k < n; k++) {
        if (t[k] + step * dt[k] < 0) step = t[k] / -dt[k];
    }
    return step;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void find_steps(const ipm_point *t, double *primal, double *dual)
{
    *primal = smaller(longest(t->pairs, t->tl, t->dtl), longest(t->pairs, t->tu, t->dtu));
    *dual = smaller(longest(t->pairs, t->zl, t->dzl), longest(t->pairs, t->zu, t->dzu));
    bool apart = t->p->linear && t->p->soft == 0;
    if (!apart) *primal = *dual = smaller(*primal, *dual);
}

/* Mean product after the steps, over the one now. */
static double foresee(const ipm_point *t, double primal, double dual)
{
    double sum = 0;
    for (int k = 0; k < t->pairs; k++) {
        sum += (t->tl[k] + primal * t->dtl[k]) * (t->zl[k] + dual * t->dzl[k]);
        sum += (t->tu[k] + primal * t->dtu[k]) * (t->zu[k] + dual * t->dzu[k]);
    }
    return sum / t->sides / t->mu;
}

static void take_steps(ipm_point *t, double primal, double dual)
{
    const ipm_problem *p = t->p;
    for (int j = 0; j < p->n; j++) t->x[j] += primal * t->dx[j];
    for (int i = 0; i < p->m; i++) t->y[i] += dual * t->dy[i];
    for (int k = 0; k < t->pairs; k++) {
        t->tl[k] += primal * t->dtl[k];
        t->tu[k] += primal * t->dtu[k];
        t->zl[k] += dual * t->dzl[k];
        t->zu[k] += dual * t->dzu[k];
        if (k >= p->n && !ipm_is_equal(p, k)) t->y[k - p->n] = t->zl[k] - t->zu[k];
    }
}

/* A predictor that solves its system, with as little regularisation as it takes. */
static bool predict(ipm_point *t)
{
    size_t bytes = (size_t)t->pairs * sizeof *t->el;
    double reg = 0.1 * t->regularisation;
    if (reg > FIRST_REGULARISATION) reg = FIRST_REGULARISATION;
    if (reg < LEAST_REGULARISATION) reg = LEAST_REGULARISATION;
    memset(t->el, 0, bytes);
    memset(t->eu, 0, bytes);
    for (;; reg *= 10) {
        t->regularisation = reg;
        t->solve_error = 0;
        bool found = factor(t) && find_direction(t, 0);
        if (found && t->solve_error < BAD_SOLVE) return true;
        if (reg >= MOST_REGULARISATION) return found;
    }
}

bool ipm_advance(ipm_point *t)
{
    double primal, dual;
    if (!predict(t)) return false;
    if (t->sides == 0) {
        take_steps(t, 1, 1); /* no bounds: Newton's step is the whole way */
        return true;
    }
    find_steps(t, &primal, &dual);
    double left = foresee(t, smaller(primal, 1), smaller(dual, 1)), sigma = left * left * left;
    sigma = sigma > 1e-6 ? smaller(sigma, 1) : 1e-6;
    for (int k = 0; k < t->pairs; k++) {
        t->el[k] = t->dtl[k] * t->dzl[k];
        t->eu[k] = t->dtu[k] * t->dzu[k];
    }
    if (!find_direction(t, sigma * t->mu)) return false;
    find_steps(t, &primal, &dual);
    double keep = larger(FAR, smaller(NEAR, 1 - t->mu));
    t->step = smaller(primal, dual);
    take_steps(t, smaller(keep * primal, 1), smaller(keep * dual, 1));
    return t->step > LEAST_STEP;
}
