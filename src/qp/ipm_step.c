/* qp/ipm_step.c: one step of a primal-dual interior point method, and where to start.
 * Mehrotra, SIAM J. Optimization 2, 1992 (predictor and corrector); Gertz, Wright, ACM TOMS 29(1)
 * 2003 (slacks of their own for every bound); Gondzio, Computational Optimization and Applications
 * 6, 1996 (correctors of centrality); Friedlander, Orban, Mathematical Programming
 * Computation 4, 2012 (regularisation as proximal terms at the iterate: rank does not matter).
 *
 * A step costs one factor and two or more solves. */
#include "ipm.h"

#include "base/vector.h"

#include <float.h>

#define NEAR 0.9995  /* at most so much of the way to the boundary, ... */
#define FAR 0.99     /* ... and at least so much while there is far to go */
#define DIRECTION 6  /* numbers of a direction for each pair */
#define CORRECTORS 2 /* of centrality */
#define LONG 0.9     /* steps that need none */
#define GAIN 0.1     /* that one is to bring, and ... */
#define ENOUGH 0.25  /* ... the part of it that is */
#define OUTLIER 10.0 /* products are to be within this factor of the target */
#define FARTHEST 2.0
#define ROUNDINGS 4
#define TOGETHER 10.0
#define LEAST_STEP 1e-10
/* Proximal terms hold multipliers back along directions in which A A' is smaller than they are. Of
 * differences of order k over n numbers (qp_liswet3) it is (pi / n)^(2 k): with 1e-14 the gap stays
 * at 1e-5 for n = 10,000, where 1e-18 ends within 1e-8. On the stored problems both take as many
 * steps. */
#define LEAST_REGULARISATION 1e-18
/* The same where the factor is in pairs of numbers: of 12 problems of qp_liswet4 with n from 3000
 * to 10,000 (seeds 2 to 4) 1e-30 takes as many steps, 1e-22 some 7 % more. */
#define LEAST_OF_PAIRS 1e-26
#define MUCH 3e-9 /* regularisation instead of which a factor with pivots is tried */
#define MOST_REGULARISATION 1e-3
#define FIRST_REGULARISATION 1e-6
/* A direction with a larger error wants more regularisation. The predictor, which gives no more
 * than a target and terms of second order, is refined to this and no further. */
#define BAD_SOLVE 1e-6
/* Accuracy of the directions that are taken. What a solve leaves is an error of the next iterate,
 * and the next step's to correct: 1e-14 costs two solves more in most steps and saves no step, with
 * 1e-6 steps are lost. */
#define ACCURACY 1e-9
#define FULL_ACCURACY 1e-14 /* of the only step of a problem without bounds */

/* dx and the others as parts of t->direction. */
static void name_parts(ipm_point *t)
{
    size_t n = (size_t)t->p->n, m = (size_t)t->p->m, pairs = n + m;
    t->dx = t->direction;
    t->dy = t->dx + n;
    t->dv = t->dy + m;
    t->dtl = t->dv + pairs;
    t->dtu = t->dtl + pairs;
    t->dzl = t->dtu + pairs;
    t->dzu = t->dzl + pairs;
}

static void exchange_directions(ipm_point *t)
{
    double *direction = t->direction;
    t->direction = t->kept;
    t->kept = direction;
    name_parts(t);
}

bool perp_ipm_point_open(ipm_point *t, const ipm_problem *p, ipm_kkt *kkt, perp_arena *a)
{
    size_t n = (size_t)p->n, m = (size_t)p->m, pairs = n + m;
    *t = (ipm_point){.p = p, .kkt = kkt, .pairs = p->n + p->m};
    double **of_pairs[] = {&t->size, &t->v,  &t->tl, &t->tu, &t->zl,
                           &t->zu,   &t->el, &t->eu, &t->d,  &t->rhs};
    for (size_t k = 0; k < sizeof of_pairs / sizeof *of_pairs; k++) {
        *of_pairs[k] = perp_alloc(a, pairs, sizeof(double));
    }
    t->x = perp_alloc(a, n, sizeof(double));
    t->y = perp_alloc(a, m, sizeof(double));
    t->gradient = perp_alloc(a, n, sizeof(double));
    t->direction = perp_alloc(a, DIRECTION * pairs, sizeof(double));
    t->kept = perp_alloc(a, DIRECTION * pairs, sizeof(double));
    if (a->failed) return false;
    name_parts(t);
    for (int k = 0; k < t->pairs; k++) t->sides += ipm_has_lo(p, k) + ipm_has_hi(p, k);
    return true;
}

/* ---- measuring ---- */

static double larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

/* v - lo - tl, and hi - v - tu: none where they are rounding, of which a large z / t would make
 * much. Of sums in pairs nothing is. */
static double gap(const ipm_point *t, int k, double bound, double slack, double sign)
{
    double r = sign * (t->v[k] - bound) - slack;
    if (t->kkt->pairs) return r;
    return fabs(r) > ROUNDINGS * DBL_EPSILON * (t->size[k] + fabs(bound)) ? r : 0;
}

static double gap_below(const ipm_point *t, int k)
{
    return gap(t, k, t->p->lo[k], t->tl[k], 1);
}

static double gap_above(const ipm_point *t, int k)
{
    return gap(t, k, t->p->hi[k], t->tu[k], -1);
}

/* Sizes of the sums that the values are: |x| and |A| |x|. */
static void find_sizes(ipm_point *t)
{
    const ipm_problem *p = t->p;
    const struct perp_csc_view *A = &p->A.as.csc;
    for (int i = 0; i < p->m; i++) t->size[p->n + i] = p->soft * fabs(t->y[i]);
    for (int j = 0; j < p->n; j++) {
        double x = t->size[j] = fabs(t->x[j]);
        for (int e = A->p[j]; e < A->p[j + 1]; e++) t->size[p->n + A->i[e]] += fabs(A->x[e]) * x;
    }
}

void perp_ipm_measure(ipm_point *t)
{
    const ipm_problem *p = t->p;
    double sum = 0;
    t->primal = t->dual = 0;
    perp_ipm_kkt_evaluate(t->kkt, t->x, t->y, t->v, t->gradient);
    find_sizes(t);
    for (int k = 0; k < t->pairs; k++) {
        double v = t->v[k];
        sum += t->tl[k] * t->zl[k] + t->tu[k] * t->zu[k];
        if (k < p->n) t->dual = larger(t->dual, fabs(t->gradient[k] - t->zl[k] + t->zu[k]));
        if (ipm_is_equal(p, k)) t->primal = larger(t->primal, fabs(v - p->lo[k]));
        if (ipm_has_lo(p, k)) t->primal = larger(t->primal, fabs(gap_below(t, k)));
        if (ipm_has_hi(p, k)) t->primal = larger(t->primal, fabs(gap_above(t, k)));
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
    if (!perp_ipm_kkt_factor(t->kkt, t->d, NULL)) return false;
    perp_ipm_kkt_solve(t->kkt, t->rhs, t->rhs, ACCURACY);
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

/* The force, but such that products of slack and multiplier stay together: a far bound that is
 * pushed at would outweigh all others. */
static double near_product(double force, double z)
{
    return force < z ? z : force > TOGETHER * z ? TOGETHER * z : force;
}

bool perp_ipm_start(ipm_point *t, double caution)
{
    const ipm_problem *p = t->p;
    if (!solve_springs(t)) return false;
    perp_ipm_measure(t);
    double room = 1, force = 1;
    for (int k = 0; k < t->pairs; k++) {
        if (ipm_has_lo(p, k)) room = larger(room, p->lo[k] - t->v[k]);
        if (ipm_has_hi(p, k)) room = larger(room, t->v[k] - p->hi[k]);
        if (!ipm_is_equal(p, k)) force = larger(force, 0.1 * fabs(spring_force(t, k)));
    }
    room *= caution;
    force *= caution;
    for (int k = 0; k < t->pairs; k++) {
        double f = spring_force(t, k), product = room * force;
        if (ipm_has_lo(p, k)) {
            t->tl[k] = larger(t->v[k] - p->lo[k], room);
            t->zl[k] = near_product(f, product / t->tl[k]);
        }
        if (ipm_has_hi(p, k)) {
            t->tu[k] = larger(p->hi[k] - t->v[k], room);
            t->zu[k] = near_product(-f, product / t->tu[k]);
        }
        if (k >= p->n && !ipm_is_equal(p, k)) t->y[k - p->n] = t->zl[k] - t->zu[k];
    }
    t->regularisation = FIRST_REGULARISATION;
    t->raised = false;
    t->step = 1;
    perp_ipm_measure(t);
    return true;
}

/* ---- a step ---- */

/* z / t of a pair's bounds. */
static double weight_of(const ipm_point *t, int k)
{
    double weight = 0;
    if (ipm_has_lo(t->p, k)) weight += t->zl[k] / t->tl[k];
    if (ipm_has_hi(t->p, k)) weight += t->zu[k] / t->tu[k];
    return weight;
}

/* Weights of the bounds on the diagonal: D of variables, 1 / D of rows. */
static bool factor(ipm_point *t)
{
    const ipm_problem *p = t->p;
    for (int k = 0; k < t->pairs; k++) {
        if (k < p->n)
            t->d[k] = weight_of(t, k) + t->regularisation;
        else
            t->d[k] = (ipm_is_equal(p, k) ? 0 : 1 / weight_of(t, k)) + t->regularisation + p->soft;
    }
    return perp_ipm_kkt_factor(t->kkt, t->d, NULL);
}

/* dzl = cl - (zl / tl) dtl, dtl = dv + rl, and the same above: both sides' part without dv. */
static double constant_part(const ipm_point *t, int k, double target)
{
    const ipm_problem *p = t->p;
    double q = 0;
    if (ipm_has_lo(p, k)) {
        double r = gap_below(t, k);
        q += (target - t->el[k] - t->zl[k] * r) / t->tl[k] - t->zl[k];
    }
    if (ipm_has_hi(p, k)) {
        double r = gap_above(t, k);
        q -= (target - t->eu[k] - t->zu[k] * r) / t->tu[k] - t->zu[k];
    }
    return q;
}

/* Slack and multiplier of one side from dv: exact where z < t. */
static void step_by_value(double target, double second, double t, double z, double dt,
                          double *dt_out, double *dz)
{
    *dt_out = dt;
    *dz = (target - second - z * dt) / t - z;
}

/* The same from the multiplier's step: where z > t, an error of dv would be magnified by z / t. */
static void step_by_force(double target, double second, double t, double z, double dz, double *dt)
{
    *dt = (target - second - t * dz) / z - t;
}

/* force[k] = dzl - dzu, as the equations of the variables and the multipliers of the rows have it.
 */
static void find_slack_steps(ipm_point *t, double target, const double *force)
{
    const ipm_problem *p = t->p;
    for (int k = 0; k < t->pairs; k++) {
        double tl = t->tl[k], zl = t->zl[k], tu = t->tu[k], zu = t->zu[k];
        bool low = ipm_has_lo(p, k), high = ipm_has_hi(p, k);
        if (low) {
            step_by_value(target, t->el[k], tl, zl, t->dv[k] + gap_below(t, k), &t->dtl[k],
                          &t->dzl[k]);
        }
        if (high) {
            step_by_value(target, t->eu[k], tu, zu, gap_above(t, k) - t->dv[k], &t->dtu[k],
                          &t->dzu[k]);
        }
        if (low && zl > tl && !(high && zu * tl > zl * tu)) {
            t->dzl[k] = force[k] + t->dzu[k];
            step_by_force(target, t->el[k], tl, zl, t->dzl[k], &t->dtl[k]);
        } else if (high && zu > tu) {
            t->dzu[k] = t->dzl[k] - force[k];
            step_by_force(target, t->eu[k], tu, zu, t->dzu[k], &t->dtu[k]);
        }
    }
}

/* The Newton direction for products `target` less the second order; `accuracy`: of its system. */
static bool find_direction(ipm_point *t, double target, double accuracy)
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
            t->rhs[k] = q / weight_of(t, k);
        }
    }
    double error = perp_ipm_kkt_solve(t->kkt, t->rhs, t->rhs, accuracy);
    t->solve_error = larger(t->solve_error, error);
    if (!vector_is_finite((size_t)t->pairs, t->rhs)) return false;
    memcpy(t->dx, t->rhs, (size_t)n * sizeof *t->dx);
    for (int i = 0; i < p->m; i++) t->dy[i] = -t->rhs[n + i];
    double *force = t->rhs;
    perp_ipm_multiply(p, t->dx, t->dy, t->dv, force);
    /* as the system has it: or z / t would make much of a little */
    for (int i = 0; i < p->m; i++) t->dv[n + i] += t->regularisation * t->dy[i];
    for (int j = 0; j < n; j++) force[j] += t->gradient[j] - t->zl[j] + t->zu[j];
    memcpy(force + n, t->dy, (size_t)p->m * sizeof *force);
    find_slack_steps(t, target, force);
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

/* A predictor that solves its system, with as little regularisation as it takes. What had to be
 * raised in the last step is not lowered in this one: that would cost a factor to find out again.
 */
static bool predict(ipm_point *t)
{
    size_t bytes = (size_t)t->pairs * sizeof *t->el;
    double accuracy = t->sides > 0 ? BAD_SOLVE : FULL_ACCURACY;
    double reg = t->raised ? t->regularisation : 0.1 * t->regularisation;
    if (reg > FIRST_REGULARISATION) reg = FIRST_REGULARISATION;
    double least = t->kkt->pairs ? LEAST_OF_PAIRS : LEAST_REGULARISATION;
    if (reg < least) reg = least;
    t->raised = false;
    memset(t->el, 0, bytes);
    memset(t->eu, 0, bytes);
    for (;;) {
        t->regularisation = reg;
        t->solve_error = 0;
        bool found = factor(t) && find_direction(t, 0, accuracy);
        if (found && t->solve_error <= BAD_SOLVE) return true;
        if (reg >= MOST_REGULARISATION) return found;
        reg *= 10;
        t->raised = true;
        if (reg > MUCH && perp_ipm_kkt_pivot(t->kkt)) reg = LEAST_REGULARISATION;
    }
}

/* What a product after the step lacks to be near the target. */
static double outlies(double t, double dt, double z, double dz, double primal, double dual,
                      double target)
{
    double product = (t + primal * dt) * (z + dual * dz);
    double least = target / OUTLIER, most = target * OUTLIER;
    if (product < least) return least - product;
    return product > most ? larger(most - product, -most) : 0;
}

/* Aim at products near the target after longer steps (Gondzio 1996), and keep the direction if the
 * steps do get longer. */
static bool recentre(ipm_point *t, double target, double *primal, double *dual)
{
    const ipm_problem *p = t->p;
    double old = *primal, old_dual = *dual;
    double far = smaller(1, old + GAIN), far_dual = smaller(1, old_dual + GAIN);
    for (int k = 0; k < t->pairs; k++) {
        if (ipm_has_lo(p, k))
            t->el[k] -= outlies(t->tl[k], t->dtl[k], t->zl[k], t->dzl[k], far, far_dual, target);
        if (ipm_has_hi(p, k))
            t->eu[k] -= outlies(t->tu[k], t->dtu[k], t->zu[k], t->dzu[k], far, far_dual, target);
    }
    exchange_directions(t);
    if (find_direction(t, target, ACCURACY)) {
        find_steps(t, primal, dual);
        if (*primal + *dual >= old + old_dual + ENOUGH * GAIN) return true;
    }
    exchange_directions(t);
    *primal = old;
    *dual = old_dual;
    return false;
}

bool perp_ipm_advance(ipm_point *t)
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
    if (!find_direction(t, sigma * t->mu, ACCURACY)) return false;
    find_steps(t, &primal, &dual);
    for (int k = 0; k < CORRECTORS && smaller(primal, dual) < LONG; k++) {
        if (!recentre(t, sigma * t->mu, &primal, &dual)) break;
    }
    double keep = larger(FAR, smaller(NEAR, 1 - t->mu));
    t->step = smaller(primal, dual);
    take_steps(t, smaller(keep * primal, 1), smaller(keep * dual, 1));
    return t->step > LEAST_STEP;
}
