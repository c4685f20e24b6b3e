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

/* f gets -sum(y+ lo - y- hi); false: a bound is infinite. */
static bool add_rows(const sample *s, const double *y, farkas *f)
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
        farkas_add(f, a, b);
    }
    mpq_clears(a, b, NULL);
    return finite;
}

/* With p = A'y, p'x - sum(y+ lo - y- hi) >= 0 at every feasible x. */
static void judge_rows(const sample *s, const double *y, farkas *f, judgement *j)
{
    mpq_t *p = exact_new(s->n), zero, size, a, b;
    mpf_t slack;
    mpq_inits(zero, size, a, b, NULL);
    mpf_init2(slack, WIDE);
    exact_mul_t(&s->A, y, p);
    for (int k = 0; k < s->n; k++) {
        mpq_set_ui(size, 0, 1);
        for (int i = 0; i < s->m; i++) {
            mpq_set_d(a, fabs(AT(&s->A, i, k)));
            mpq_set_d(b, fabs(y[i]));
            exact_add_product(size, a, b);
        }
        farkas_add_sup(f, p[k], size, zero, zero, s->xlo[k], s->xhi[k]);
    }
    judge_farkas(f, slack, s->m, j);
    mpf_clear(slack);
    mpq_clears(zero, size, a, b, NULL);
    exact_free(s->n, p);
}

void judge_infeasible_qp(const sample *s, const double *y, judgement *j)
{
    if (names_crossing(s, y)) {
        *j = (judgement){.part = "crossing"};
        return;
    }
    farkas f;
    farkas_open(&f);
    if (add_rows(s, y + s->n, &f))
        judge_rows(s, y + s->n, &f, j);
    else
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "signs"};
    farkas_close(&f);
}

/* sum = row i of A times x, and size the sizes of its terms; transposed: of A'. */
static void exact_row(const table *A, bool transposed, int i, const double *x, mpq_t sum,
                      mpq_t size)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_ui(sum, 0, 1);
    mpq_set_ui(size, 0, 1);
    for (int k = 0; k < (transposed ? A->m : A->n); k++) {
        mpq_set_d(a, transposed ? AT(A, k, i) : AT(A, i, k));
        mpq_set_d(b, x[k]);
        exact_add_product(sum, a, b);
        mpq_abs(a, a);
        mpq_abs(b, b);
        exact_add_product(size, a, b);
    }
    mpq_clears(a, b, NULL);
}

/* Is `out`, if positive, rounding of so many terms of that size together? */
static void judge_rounding(judgement *j, const char *part, const mpq_t out, const mpq_t size,
                           int terms)
{
    if (mpq_sgn(out) <= 0) return;
    mpq_t limit;
    mpq_init(limit);
    mpq_set_d(limit, (terms + 4) * UNIT_ROUNDOFF);
    mpq_mul(limit, limit, size);
    judge_values(j, part, out, limit);
    mpq_clear(limit);
}

/* d leads out of no finite bound, but for the rounding of A d. */
static void judge_recession(const sample *s, const double *d, judgement *j)
{
    mpq_t sum, size;
    mpq_inits(sum, size, NULL);
    for (int k = 0; k < s->n; k++) {
        bool out = (d[k] > 0 && isfinite(s->xhi[k])) || (d[k] < 0 && isfinite(s->xlo[k]));
        if (out) *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "recession"};
    }
    for (int i = 0; i < s->m; i++) {
        exact_row(&s->A, false, i, d, sum, size);
        bool open = mpq_sgn(sum) > 0 ? !isfinite(s->hi[i]) : !isfinite(s->lo[i]);
        mpq_abs(sum, sum);
        if (!open) judge_rounding(j, "recession", sum, size, s->n);
    }
    mpq_clears(sum, size, NULL);
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

/* c'd < 0 and (H + H')d = 0 but for its rounding, or H is symmetric and d'H d < 0. */
static void judge_descent(const sample *s, const double *d, judgement *j)
{
    mpq_t slope, curvature, sum, size, other, more, x;
    judgement flat = {0};
    mpq_inits(slope, curvature, sum, size, other, more, x, NULL);
    for (int k = 0; k < s->n; k++) {
        exact_row(&s->M, false, k, d, sum, size);
        exact_row(&s->M, true, k, d, other, more);
        mpq_set_d(x, d[k]);
        exact_add_product(curvature, x, sum);
        mpq_add(sum, sum, other);
        mpq_add(size, size, more);
        mpq_abs(sum, sum);
        judge_rounding(&flat, "curvature", sum, size, 2 * s->n);
        mpq_set_d(other, s->q[k]);
        exact_add_product(slope, x, other);
    }
    bool bends = mpq_sgn(curvature) < 0 && is_symmetric(&s->M);
    if (!bends && mpq_sgn(slope) >= 0)
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "descent"};
    else if (!bends && flat.wrong)
        *j = flat;
    mpq_clears(slope, curvature, sum, size, other, more, x, NULL);
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
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
    judge_recession(s, d, j);
    judge_descent(s, d, j);
}
