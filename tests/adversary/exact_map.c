/* tests/adversary/exact_map.c: the residual of lcp, ncp and mcp: |D z - P(D z - w)| over the scale,
 * with D = 1 and with the positive diagonal of M; and of maps by callback, with D = the scale of
 * each equation. */
#include "exact.h"

#include <math.h>

/* The box of unknown i at z; what follows has +-mu max(z_k, 0). */
static void box_at(const sample *s, const double *z, int i, exact_box *box)
{
    exact_box_set(box, s->xlo[i], s->xhi[i]);
    int k = s->follows[i];
    if (s->kind != V_FOLLOWS || k < 0) return;
    mpq_t reach;
    mpq_init(reach);
    mpq_set_d(reach, s->mu[i]);
    mpq_set_d(box->hi, z[k] > 0 ? z[k] : 0);
    mpq_mul(box->hi, box->hi, reach);
    mpq_neg(box->lo, box->hi);
    box->below = box->above = true;
    mpq_clear(reach);
}

/* The smallest point of the box; bounds that follow contain 0. */
static void nearest(const sample *s, double *x)
{
    for (int i = 0; i < s->n; i++) {
        bool follows = s->kind == V_FOLLOWS && s->follows[i] >= 0;
        x[i] = follows ? 0 : exact_project(0, s->xlo[i], s->xhi[i]);
    }
}

static void slack_at(const sample *s, const double *z, mpq_t *w)
{
    exact_set(s->n, s->q, w);
    exact_mul(&s->M, z, w);
}

void exact_scale_square(const sample *s, mpq_t square)
{
    double x[MOST];
    mpq_t *w = exact_new(s->n);
    nearest(s, x);
    slack_at(s, x, w);
    exact_squares(s->n, w, square);
    if (mpq_sgn(square) == 0) mpq_set_ui(square, 1, 1);
    exact_free(s->n, w);
}

/* |.|^2 of what the rounding of an operator may leave in M z + q. */
static void rounding_square(const sample *s, const double *z, mpq_t square)
{
    double sizes[MOST];
    mpq_t *w = exact_new(s->n), factor;
    mpq_init(factor);
    for (int i = 0; i < s->n; i++) sizes[i] = fabs(s->q[i]);
    exact_set(s->n, sizes, w);
    exact_sizes(&s->M, z, w);
    exact_squares(s->n, w, square);
    mpq_set_d(factor, 4 * (s->n + 2) * UNIT_ROUNDOFF);
    mpq_mul(square, square, factor);
    mpq_mul(square, square, factor);
    mpq_clear(factor);
    exact_free(s->n, w);
}

/* What an operator returns counts as exact, whoever calls it and however he adds q: the limit is
 * tol (s + rounding at the smallest point) + rounding at z. */
static void judge_operator(const sample *s, const double *z, const mpq_t square, judgement *j)
{
    mpq_t part;
    mpf_t value, limit, term;
    double x[MOST];
    mpq_init(part);
    mpf_init2(value, WIDE);
    mpf_init2(limit, WIDE);
    mpf_init2(term, WIDE);
    wide_root(square, value);
    exact_scale_square(s, part);
    wide_root(part, limit);
    nearest(s, x);
    rounding_square(s, x, part);
    wide_root(part, term);
    mpf_add(limit, limit, term);
    mpf_set_d(term, s->tol);
    mpf_mul(limit, limit, term);
    rounding_square(s, z, part);
    wide_root(part, term);
    mpf_add(limit, limit, term);
    judge_wide(j, "natural", value, limit);
    mpf_clears(value, limit, term, NULL);
    mpq_clear(part);
}

/* |D z - P(D z - w)|^2 */
static void natural_square(const sample *s, const double *z, mpq_t *w, bool units, mpq_t square)
{
    mpq_t d, x, *map = exact_new(s->n);
    exact_box box;
    mpq_inits(d, x, NULL);
    exact_box_init(&box);
    for (int i = 0; i < s->n; i++) {
        double diagonal = AT(&s->M, i, i);
        mpq_set_d(d, units && diagonal > 0 ? diagonal : 1);
        mpq_set_d(x, z[i]);
        box_at(s, z, i, &box);
        exact_natural(d, x, w[i], &box, map[i]);
    }
    exact_squares(s->n, map, square);
    exact_box_clear(&box);
    mpq_clears(d, x, NULL);
    exact_free(s->n, map);
}

void judge_solved_map(const sample *s, const double *z, judgement *j)
{
    mpq_t square, limit, tol, *w = exact_new(s->n);
    mpq_inits(square, limit, tol, NULL);
    slack_at(s, z, w);
    natural_square(s, z, w, false, square);
    if (s->operator_M) {
        judge_operator(s, z, square, j);
    } else {
        exact_scale_square(s, limit);
        mpq_set_d(tol, s->tol);
        mpq_mul(limit, limit, tol);
        mpq_mul(limit, limit, tol);
        judge_squares(j, "natural", square, limit);
        natural_square(s, z, w, true, square);
        judge_squares(j, "units", square, limit);
    }
    mpq_clears(square, limit, tol, NULL);
    exact_free(s->n, w);
}

/* s_i = sum_j |J_ij| max(|z_j|, 1) + |F - J z|_i */
static void equation_scale(const sample *s, const double *J, const double *z, const double *F,
                           int i, mpq_t scale)
{
    mpq_t rest, a, x;
    mpq_inits(rest, a, x, NULL);
    mpq_set_d(rest, F[i]);
    mpq_set_ui(scale, 0, 1);
    for (int j = 0; j < s->n; j++) {
        mpq_set_d(a, -J[j * s->n + i]);
        mpq_set_d(x, z[j]);
        exact_add_product(rest, a, x);
        mpq_abs(a, a);
        mpq_set_d(x, fabs(z[j]) > 1 ? fabs(z[j]) : 1);
        exact_add_product(scale, a, x);
    }
    mpq_abs(rest, rest);
    mpq_add(scale, scale, rest);
    mpq_clears(rest, a, x, NULL);
}

/* The larger of J and differences of F as the library takes them, where it is given no Jacobian: at
 * a double root J is 0 and these are not. */
static void widen_by_differences(const sample *s, const double *z, const double *F, double *J)
{
    static const double parts[] = {1, -1, 0.015625, -0.015625}; /* until F is defined there */
    double x[MOST], there[MOST];
    for (int j = 0; j < s->n; j++) {
        bool defined = false;
        for (int t = 0; t < 4 && !defined; t++) {
            for (int i = 0; i < s->n; i++) x[i] = z[i];
            double step = parts[t] * 1.5e-8 * (fabs(z[j]) > 1 ? fabs(z[j]) : 1);
            if (x[j] + step > s->xhi[j] || x[j] + step < s->xlo[j]) step = -step;
            x[j] += step;
            defined = sample_eval((void *)(uintptr_t)s, x, there);
        }
        for (int i = 0; i < s->n && defined; i++) {
            double slope = (there[i] - F[i]) / (x[j] - z[j]), *e = &J[j * s->n + i];
            if (fabs(slope) > fabs(*e)) *e = slope;
        }
    }
}

/* F and J as returned. The value is computed in doubles by definition: eight roundings of z are
 * allowed beside tol, and a hundredth of it where the library's Jacobian is one of differences. */
void judge_solved_callback(const sample *s, const double *z, judgement *j)
{
    double F[MOST], J[MOST * MOST];
    if (!sample_eval((void *)(uintptr_t)s, z, F) || !sample_jacobian((void *)(uintptr_t)s, z, J)) {
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "F is undefined"};
        return;
    }
    if (!s->has_jacobian) widen_by_differences(s, z, F, J);
    mpq_t scale, x, w, phi, limit, size;
    exact_box box;
    mpq_inits(scale, x, w, phi, limit, size, NULL);
    exact_box_init(&box);
    for (int i = 0; i < s->n; i++) {
        equation_scale(s, J, z, F, i, scale);
        if (mpq_sgn(scale) == 0) mpq_set_ui(scale, 1, 1);
        mpq_set_d(x, z[i]);
        mpq_set_d(w, F[i]);
        exact_box_set(&box, s->xlo[i], s->xhi[i]);
        exact_natural(scale, x, w, &box, phi);
        mpq_abs(phi, phi);
        mpq_set_d(limit, s->tol * (s->has_jacobian ? 1 + 1e-9 : 1.01) + 8 * UNIT_ROUNDOFF);
        mpq_set_d(size, fabs(z[i]) > 1 ? fabs(z[i]) : 1);
        mpq_mul(limit, limit, size);
        mpq_mul(limit, limit, scale);
        judge_values(j, "equation", phi, limit);
    }
    exact_box_clear(&box);
    mpq_clears(scale, x, w, phi, limit, size, NULL);
}
