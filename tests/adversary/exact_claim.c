/* tests/adversary/exact_claim.c: proofs of lcp, ncp and mcp, checked exactly.
 *
 * y'F >= 0 holds at every feasible z when y has the signs of the bounds, and y'F(z) = p'z + q'y
 * with p = M'y. Every z that could be certified at tol has p'z + q'y + tol s (|y| + |p|) >= 0, s
 * the scale of its residual. exact_farkas.h has what counts as a proof. */
#include "exact_farkas.h"

#include <math.h>

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

/* size = |M|'|y| */
static void column_sizes(const sample *s, const double *y, mpq_t *size)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->n; k++) {
            mpq_set_d(a, fabs(AT(&s->M, k, i)));
            mpq_set_d(b, fabs(y[k]));
            exact_add_product(size[i], a, b);
        }
    }
    mpq_clears(a, b, NULL);
}

static void add_box(const sample *s, const double *y, mpq_t *p, farkas *f)
{
    mpq_t *e = exact_new(s->n), *size = exact_new(s->n), *e_size = exact_new(s->n), mu, part;
    mpq_inits(mu, part, NULL);
    column_sizes(s, y, size);
    for (int i = 0; i < s->n; i++) {
        if (!follower(s, i)) continue;
        mpq_set_d(mu, s->mu[i]);
        mpq_abs(part, p[i]);
        exact_add_product(e[s->follows[i]], mu, part);
        exact_add_product(e_size[s->follows[i]], mu, size[i]);
    }
    for (int i = 0; i < s->n; i++) {
        if (follower(s, i)) continue;
        farkas_add_sup(f, p[i], size[i], e[i], e_size[i], s->xlo[i], s->xhi[i]);
    }
    mpq_clears(mu, part, NULL);
    exact_free(s->n, e);
    exact_free(s->n, e_size);
    exact_free(s->n, size);
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

void judge_infeasible_map(const sample *s, const double *y, judgement *j)
{
    if (!signs_hold(s, y)) {
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "signs"};
        return;
    }
    farkas f;
    mpq_t *p = exact_new(s->n), a, b;
    mpf_t q_norm, slack;
    mpq_inits(a, b, NULL);
    mpf_init2(q_norm, WIDE);
    mpf_init2(slack, WIDE);
    farkas_open(&f);
    exact_mul_t(&s->M, y, p);
    add_box(s, y, p, &f);
    for (int i = 0; i < s->n; i++) {
        mpq_set_d(a, s->q[i]);
        mpq_set_d(b, y[i]);
        farkas_add(&f, a, b);
    }
    exact_scale_square(s, a);
    wide_root(a, q_norm);
    tolerance_term(s, y, p, q_norm, slack);
    judge_farkas(&f, slack, s->n, j);
    farkas_close(&f);
    mpf_clears(q_norm, slack, NULL);
    mpq_clears(a, b, NULL);
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
