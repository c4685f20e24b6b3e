/* tests/adversary/exact_claim.c: proofs of lcp, ncp and mcp, checked exactly.
 *
 * y'F >= 0 holds at every feasible z when y has the signs of the bounds, and y'F(z) = p'z + q'y
 * with p = M'y. What p'z can be at most without going towards an infinite bound is its supremum
 * over the finite ends; slopes v_i towards infinite bounds leave solutions far away alone: every z
 * that could be certified at tol is at least R = (-q'y - sup - tol s (|y| + |p|)) / max v away. The
 * proof holds when R >= |q| / (u |M|), |M| the norm of Frobenius, the largest of those in use. */
#include "exact.h"

#include <math.h>

typedef struct farkas {
    mpq_t sum;   /* q'y + supremum over the finite ends */
    mpq_t worst; /* the largest slope towards an infinite bound */
    bool signs;  /* y has the right ones */
} farkas;

static bool follower(const sample *s, int i)
{
    return s->kind == V_FOLLOWS && s->follows[i] >= 0;
}

static bool signs_hold(const sample *s, const double *y)
{
    for (int i = 0; i < s->n; i++) {
        bool below = isfinite(s->xlo[i]) || follower(s, i),
             above = isfinite(s->xhi[i]) || follower(s, i);
        if (!isfinite(y[i]) || (below && y[i] < 0) || (above && y[i] > 0)) return false;
    }
    return true;
}

/* value = g x + e max(x, 0) */
static void convex_at(const mpq_t g, const mpq_t e, double x, mpq_t value)
{
    mpq_t at;
    mpq_init(at);
    mpq_set_d(at, x);
    mpq_mul(value, g, at);
    if (x > 0) exact_add_product(value, e, at);
    mpq_clear(at);
}

/* Add the supremum of g x + e max(x, 0) at the finite ends, and note slopes towards infinite ones.
 */
static void add_supremum(farkas *f, const mpq_t g, const mpq_t e, double lo, double hi)
{
    mpq_t low, high, slope;
    mpq_inits(low, high, slope, NULL);
    bool below = isfinite(lo), above = isfinite(hi);
    if (below) convex_at(g, e, lo, low);
    if (above) convex_at(g, e, hi, high);
    mpq_add(slope, g, e);
    if (!above && mpq_sgn(slope) > 0) exact_max(f->worst, slope);
    if (!below && mpq_sgn(g) < 0) exact_max(f->worst, g);
    if (below && above)
        mpq_add(f->sum, f->sum, mpq_cmp(low, high) > 0 ? low : high);
    else if (below)
        mpq_add(f->sum, f->sum, low);
    else if (above)
        mpq_add(f->sum, f->sum, high);
    mpq_clears(low, high, slope, NULL);
}

static void add_box(const sample *s, mpq_t *p, farkas *f)
{
    mpq_t *e = exact_new(s->n), mu, size;
    mpq_inits(mu, size, NULL);
    for (int i = 0; i < s->n; i++) {
        if (!follower(s, i)) continue;
        mpq_set_d(mu, s->mu[i]);
        mpq_abs(size, p[i]);
        exact_add_product(e[s->follows[i]], mu, size);
    }
    for (int i = 0; i < s->n; i++) {
        if (!follower(s, i)) add_supremum(f, p[i], e[i], s->xlo[i], s->xhi[i]);
    }
    mpq_clears(mu, size, NULL);
    exact_free(s->n, e);
}

/* term = tol |q| (|y| + |p|) */
static void tolerance_term(const sample *s, const double *y, mpq_t *p, mpf_t q_norm, mpf_t term)
{
    mpq_t square;
    mpf_t norm;
    mpq_init(square);
    mpf_init2(norm, WIDE);
    exact_vector_squares(s->n, y, square);
    wide_root(square, term);
    exact_squares(s->n, p, square);
    wide_root(square, norm);
    mpf_add(term, term, norm);
    mpf_mul(term, term, q_norm);
    mpf_set_d(norm, s->tol);
    mpf_mul(term, term, norm);
    mpf_clear(norm);
    mpq_clear(square);
}

/* Is (-sum - tol |q| (|y| + |p|)) u |M| >= |q| worst, and the left side positive? */
static void judge_radius(const sample *s, const double *y, mpq_t *p, const farkas *f, judgement *j)
{
    mpq_t square;
    mpf_t q_norm, room, need, term;
    mpq_init(square);
    mpf_init2(q_norm, WIDE);
    mpf_init2(room, WIDE);
    mpf_init2(need, WIDE);
    mpf_init2(term, WIDE);
    exact_vector_squares(s->n, s->q, square);
    wide_root(square, q_norm);
    tolerance_term(s, y, p, q_norm, term);
    mpf_set_q(room, f->sum);
    mpf_neg(room, room);
    judge_wide(j, "sum", term, room);
    if (mpf_cmp(room, term) <= 0 && !j->undecided) j->wrong = true;
    mpf_sub(room, room, term);
    exact_vector_squares(s->n * s->n, s->M.x, square);
    wide_root(square, term);
    mpf_mul(room, room, term);
    mpf_set_d(term, UNIT_ROUNDOFF);
    mpf_mul(room, room, term);
    mpf_set_q(need, f->worst);
    mpf_mul(need, need, q_norm);
    if (mpf_sgn(need) > 0) judge_wide(j, "radius", need, room);
    mpf_clears(q_norm, room, need, term, NULL);
    mpq_clear(square);
}

void judge_infeasible_map(const sample *s, const double *y, judgement *j)
{
    if (!signs_hold(s, y)) {
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "signs"};
        return;
    }
    farkas f;
    mpq_t *p = exact_new(s->n), a, b;
    mpq_inits(f.sum, f.worst, a, b, NULL);
    exact_mul_t(&s->M, y, p);
    add_box(s, p, &f);
    for (int i = 0; i < s->n; i++) {
        mpq_set_d(a, s->q[i]);
        mpq_set_d(b, y[i]);
        exact_add_product(f.sum, a, b);
    }
    judge_radius(s, y, p, &f, j);
    mpq_clears(f.sum, f.worst, a, b, NULL);
    exact_free(s->n, p);
}

/* y >= 0, y != 0 and (M y)_i <= (16 + 4 n) 2^-52 (|M| y)_i wherever y_i > 0: what perp_check
 * documents of a ray, which proves nothing about solutions. */
void judge_ray(const sample *s, const double *y, judgement *j)
{
    bool any = false, negative = false;
    mpq_t *My = exact_new(s->n), *size = exact_new(s->n), allowed;
    mpq_init(allowed);
    exact_mul(&s->M, y, My);
    exact_sizes(&s->M, y, size);
    mpq_set_d(allowed, (16 + 4 * s->n) * 2 * UNIT_ROUNDOFF);
    for (int i = 0; i < s->n; i++) {
        any = any || y[i] > 0;
        negative = negative || !(y[i] >= 0);
        if (!(y[i] > 0)) continue;
        mpq_mul(size[i], size[i], allowed);
        judge_values(j, "ray", My[i], size[i]);
    }
    if (!any || negative) *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "signs"};
    mpq_clear(allowed);
    exact_free(s->n, My);
    exact_free(s->n, size);
}
