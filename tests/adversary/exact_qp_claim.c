/* tests/adversary/exact_qp_claim.c: proofs of a qp: Farkas vectors of its rows, directions without
 * end. */
#include "exact_farkas.h"

#include <math.h>

static bool crosses(double lo, double hi)
{
    return lo > hi;
}

/* An entry of y that is not zero where bounds cross proves by itself. */
static bool names_crossing(const sample *s, const double *y)
{
    for (int j = 0; j < s->n; j++) {
        if (fabs(y[j]) > 0 && crosses(s->xlo[j], s->xhi[j])) return true;
    }
    for (int i = 0; i < s->m; i++) {
        if (fabs(y[s->n + i]) > 0 && crosses(s->lo[i], s->hi[i])) return true;
    }
    return false;
}

/* sum = -sum(y+ lo - y- hi), square = the squares of the bounds used; false: one is infinite. */
static bool rows_sum(const sample *s, const double *y, mpq_t sum, mpq_t square)
{
    mpq_t a, b;
    bool finite = true;
    mpq_inits(a, b, NULL);
    for (int i = 0; i < s->m && finite; i++) {
        double bound = y[i] > 0 ? s->lo[i] : s->hi[i];
        if (isfinite(y[i]) && !(fabs(y[i]) > 0)) continue;
        finite = isfinite(bound) && isfinite(y[i]);
        if (!finite) break;
        mpq_set_d(a, -y[i]);
        mpq_set_d(b, bound);
        exact_add_product(sum, a, b);
        exact_add_product(square, b, b);
    }
    mpq_clears(a, b, NULL);
    return finite;
}

/* |P(0)|^2 of the columns: 0 may be outside of their bounds. */
static void nearest_square(const sample *s, mpq_t square)
{
    double x[MOST];
    for (int j = 0; j < s->n; j++) x[j] = exact_project(0, s->xlo[j], s->xhi[j]);
    exact_vector_squares(s->n, x, square);
}

/* With p = A'y, p'x - sum(y+ lo - y- hi) >= 0 at every feasible x; the proof holds when that needs
 * |x|_1 >= (|bounds of the rows| + |A| |P(0)|) / (u |A|). */
static void judge_rows(const sample *s, const double *y, farkas *f, mpq_t square, judgement *j)
{
    mpq_t *p = exact_new(s->n), zero;
    mpf_t size, norm, term, margin;
    mpq_init(zero);
    mpf_init2(size, WIDE);
    mpf_init2(norm, WIDE);
    mpf_init2(term, WIDE);
    mpf_init2(margin, WIDE);
    exact_mul_t(&s->A, y, p);
    for (int k = 0; k < s->n; k++) farkas_set(f, k, p[k], zero, s->xlo[k], s->xhi[k]);
    wide_root(square, size);
    exact_vector_squares(s->m * s->n, s->A.x, square);
    wide_root(square, norm);
    nearest_square(s, square);
    wide_root(square, term);
    mpf_mul(term, term, norm);
    mpf_add(size, size, term);
    judge_farkas(f, margin, size, norm, j);
    mpf_clears(size, norm, term, margin, NULL);
    mpq_clear(zero);
    exact_free(s->n, p);
}

void judge_infeasible_qp(const sample *s, const double *y, judgement *j)
{
    if (names_crossing(s, y)) {
        *j = (judgement){.part = "crossing"};
        return;
    }
    farkas f;
    mpq_t square;
    farkas_open(&f, s->n);
    mpq_init(square);
    if (rows_sum(s, y + s->n, f.sum, square))
        judge_rows(s, y + s->n, &f, square, j);
    else
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "signs"};
    mpq_clear(square);
    farkas_close(&f);
}

/* The rate at which v + t d leaves [lo, hi], in units of tol (1 + |bound|). */
static void add_rate(const mpq_t d, double lo, double hi, double tol, mpq_t rate)
{
    double bound = mpq_sgn(d) > 0 ? hi : lo;
    if (mpq_sgn(d) == 0 || !isfinite(bound)) return;
    mpq_t unit, size;
    mpq_inits(unit, size, NULL);
    mpq_set_d(unit, tol);
    mpq_set_d(size, fabs(bound));
    exact_add_product(unit, unit, size); /* tol (1 + |bound|) */
    mpq_div(size, d, unit);
    exact_max(rate, size);
    mpq_clears(unit, size, NULL);
}

/* rate = 1/t, t the step after which x + t d is no longer feasible to tol */
static void leaving_rate(const sample *s, const double *d, mpq_t rate)
{
    mpq_t *Ad = exact_new(s->m), x;
    mpq_init(x);
    exact_mul(&s->A, d, Ad);
    for (int j = 0; j < s->n; j++) {
        mpq_set_d(x, d[j]);
        add_rate(x, s->xlo[j], s->xhi[j], s->tol, rate);
    }
    for (int i = 0; i < s->m; i++) add_rate(Ad[i], s->lo[i], s->hi[i], s->tol, rate);
    mpq_clear(x);
    exact_free(s->m, Ad);
}

static bool is_symmetric(const table *H)
{
    for (int i = 0; i < H->n; i++) {
        for (int j = 0; j < i; j++) {
            if (fabs(AT(H, i, j) - AT(H, j, i)) > 0) return false;
        }
    }
    return true;
}

/* Of the objective: slope = (S x + c)'d, curvature = d'S d, S = (H + H')/2. Negative curvature says
 * nothing where H is not symmetric, and is left out there. */
static void descent(const sample *s, const double *x, const double *d, mpq_t slope, mpq_t curvature)
{
    mpq_t *g = exact_new(s->n), *Hd = exact_new(s->n), a, half;
    mpq_inits(a, half, NULL);
    mpq_set_ui(half, 1, 2);
    exact_mul(&s->M, x, g);
    exact_mul_t(&s->M, x, g);
    exact_mul(&s->M, d, Hd);
    for (int j = 0; j < s->n; j++) {
        mpq_mul(g[j], g[j], half);
        mpq_set_d(a, s->q[j]);
        mpq_add(g[j], g[j], a);
        mpq_set_d(a, d[j]);
        exact_add_product(slope, a, g[j]);
        exact_add_product(curvature, a, Hd[j]);
    }
    if (mpq_sgn(curvature) < 0 && !is_symmetric(&s->M)) mpq_set_ui(curvature, 0, 1);
    mpq_clears(a, half, NULL);
    exact_free(s->n, g);
    exact_free(s->n, Hd);
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

/* x0 + t d stays feasible to tol and the objective falls until |t d| = (1 + |x0|) / sqrt(u). */
static void judge_reach(const sample *s, const double *x, const double *d, judgement *j)
{
    mpq_t slope, curvature, rate, step, limit;
    mpq_inits(slope, curvature, rate, step, limit, NULL);
    leaving_rate(s, d, rate);
    descent(s, x, d, slope, curvature);
    mpq_set_d(step, largest(s->n, x) + 1);
    mpq_set_d(limit, ldexp(1, 26));
    mpq_mul(step, step, limit);
    mpq_set_d(limit, largest(s->n, d));
    mpq_div(step, step, limit); /* the t that is needed */
    mpq_mul(rate, rate, step);
    mpq_set_ui(limit, 1, 1);
    judge_values(j, "recession", rate, limit);
    mpq_mul(curvature, curvature, step);
    mpq_neg(slope, slope);
    if (mpq_sgn(curvature) >= 0 && mpq_sgn(slope) <= 0)
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "descent"};
    else if (mpq_sgn(curvature) > 0)
        judge_values(j, "curvature", curvature, slope);
    mpq_clears(slope, curvature, rate, step, limit, NULL);
}

static void judge_feasible(const sample *s, const double *x, judgement *j)
{
    mpq_t *Ax = exact_new(s->m), v, limit, tol;
    mpq_inits(v, limit, tol, NULL);
    exact_mul(&s->A, x, Ax);
    for (int k = 0; k < s->n + s->m; k++) {
        double lo = k < s->n ? s->xlo[k] : s->lo[k - s->n],
               hi = k < s->n ? s->xhi[k] : s->hi[k - s->n];
        for (int side = 0; side < 2; side++) {
            double bound = side ? hi : lo;
            if (!isfinite(bound)) continue;
            mpq_set_d(v, bound);
            mpq_set_d(tol, k < s->n ? x[k] : 0);
            mpq_sub(v, v, k < s->n ? tol : Ax[k - s->n]);
            if (side) mpq_neg(v, v);
            mpq_set_d(tol, s->tol);
            mpq_set_d(limit, fabs(bound));
            mpq_mul(limit, limit, tol);
            mpq_add(limit, limit, tol);
            judge_values(j, "feasible point", v, limit);
        }
    }
    mpq_clears(v, limit, tol, NULL);
    exact_free(s->m, Ax);
}

void judge_unbounded_qp(const sample *s, const double *z, const double *d, judgement *j)
{
    bool finite = true;
    for (int i = 0; i < s->n; i++) finite = finite && isfinite(d[i]);
    if (!finite || !(largest(s->n, d) > 0)) {
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "direction"};
        return;
    }
    judge_feasible(s, z, j);
    judge_reach(s, z, d, j);
}
