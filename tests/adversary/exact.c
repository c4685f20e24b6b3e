/* tests/adversary/exact.c: vectors, products and projections of rational numbers, and how a part of
 * a residual is held against its limit. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>

mpq_t *exact_new(int n)
{
    mpq_t *x = malloc((size_t)(n > 0 ? n : 1) * sizeof *x);
    if (!x) abort();
    for (int i = 0; i < n; i++) mpq_init(x[i]);
    return x;
}

void exact_free(int n, mpq_t *x)
{
    for (int i = 0; i < n; i++) mpq_clear(x[i]);
    free(x);
}

void exact_set(int n, const double *x, mpq_t *y)
{
    for (int i = 0; i < n; i++) mpq_set_d(y[i], x[i]);
}

void exact_add_product(mpq_t sum, const mpq_t a, const mpq_t b)
{
    mpq_t product;
    mpq_init(product);
    mpq_mul(product, a, b);
    mpq_add(sum, sum, product);
    mpq_clear(product);
}

static void add_entry(double a, double x, mpq_t sum)
{
    if (!(fabs(a) > 0 && fabs(x) > 0)) return;
    mpq_t p, r;
    mpq_init(p);
    mpq_init(r);
    mpq_set_d(p, a);
    mpq_set_d(r, x);
    exact_add_product(sum, p, r);
    mpq_clear(p);
    mpq_clear(r);
}

void exact_mul(const table *A, const double *x, mpq_t *y)
{
    for (int j = 0; j < A->n; j++) {
        for (int i = 0; i < A->m; i++) add_entry(AT(A, i, j), x[j], y[i]);
    }
}

void exact_mul_t(const table *A, const double *x, mpq_t *y)
{
    for (int j = 0; j < A->n; j++) {
        for (int i = 0; i < A->m; i++) add_entry(AT(A, i, j), x[i], y[j]);
    }
}

void exact_sizes(const table *A, const double *x, mpq_t *y)
{
    for (int j = 0; j < A->n; j++) {
        for (int i = 0; i < A->m; i++) add_entry(fabs(AT(A, i, j)), fabs(x[j]), y[i]);
    }
}

void exact_squares(int n, mpq_t *x, mpq_t sum)
{
    mpq_set_ui(sum, 0, 1);
    for (int i = 0; i < n; i++) exact_add_product(sum, x[i], x[i]);
}

void exact_vector_squares(int n, const double *x, mpq_t sum)
{
    mpq_set_ui(sum, 0, 1);
    for (int i = 0; i < n; i++) add_entry(x[i], x[i], sum);
}

void exact_max(mpq_t worst, const mpq_t x)
{
    mpq_t size;
    mpq_init(size);
    mpq_abs(size, x);
    if (mpq_cmp(size, worst) > 0) mpq_set(worst, size);
    mpq_clear(size);
}

void exact_box_init(exact_box *box)
{
    mpq_init(box->lo);
    mpq_init(box->hi);
    box->below = box->above = false;
}

void exact_box_clear(exact_box *box)
{
    mpq_clear(box->lo);
    mpq_clear(box->hi);
}

void exact_box_set(exact_box *box, double lo, double hi)
{
    box->below = isfinite(lo);
    box->above = isfinite(hi);
    if (box->below) mpq_set_d(box->lo, lo);
    if (box->above) mpq_set_d(box->hi, hi);
}

void exact_natural(const mpq_t d, const mpq_t z, const mpq_t w, const exact_box *box, mpq_t out)
{
    mpq_t point, bound, scaled;
    mpq_inits(point, bound, scaled, NULL);
    mpq_mul(scaled, d, z);
    mpq_sub(point, scaled, w);
    if (box->above) {
        mpq_mul(bound, d, box->hi);
        if (mpq_cmp(point, bound) > 0) mpq_set(point, bound);
    }
    if (box->below) {
        mpq_mul(bound, d, box->lo);
        if (mpq_cmp(point, bound) < 0) mpq_set(point, bound);
    }
    mpq_sub(out, scaled, point);
    mpq_clears(point, bound, scaled, NULL);
}

double exact_project(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* The ratio as a double, by exponents where numerator and denominator are far from 1. */
static double about(const mpq_t x, const mpq_t y)
{
    if (mpq_sgn(x) == 0) return 0;
    if (mpq_sgn(y) == 0) return INFINITY;
    mpf_t a, b;
    mpf_init2(a, 64);
    mpf_init2(b, 64);
    mpf_set_q(a, x);
    mpf_set_q(b, y);
    mpf_div(a, a, b);
    long exponent;
    double mantissa = mpf_get_d_2exp(&exponent, a);
    mpf_clear(a);
    mpf_clear(b);
    return exponent > 1000 ? INFINITY : exponent < -1000 ? 0 : ldexp(mantissa, (int)exponent);
}

static void record(judgement *j, const char *part, bool wrong, double ratio)
{
    if (wrong) j->undecided = false;
    j->wrong = j->wrong || wrong;
    if (j->part && !(ratio > j->ratio)) return;
    j->ratio = ratio;
    j->part = part;
}

void judge_squares(judgement *j, const char *part, const mpq_t square, const mpq_t limit)
{
    record(j, part, mpq_cmp(square, limit) > 0, sqrt(about(square, limit)));
}

void judge_values(judgement *j, const char *part, const mpq_t value, const mpq_t limit)
{
    record(j, part, mpq_cmp(value, limit) > 0, about(value, limit));
}

void judge_wide(judgement *j, const char *part, const mpf_t value, const mpf_t limit)
{
    mpf_t difference, margin;
    mpf_init2(difference, WIDE);
    mpf_init2(margin, WIDE);
    mpf_sub(difference, value, limit);
    mpf_abs(margin, limit);
    mpf_div_2exp(margin, margin, 1000);
    bool above = mpf_sgn(difference) > 0;
    mpf_abs(difference, difference);
    bool close = mpf_sgn(difference) != 0 && mpf_cmp(difference, margin) <= 0;
    if (mpf_sgn(limit) > 0) mpf_div(difference, value, limit);
    double ratio = mpf_sgn(limit) > 0 ? mpf_get_d(difference) : above ? INFINITY : 0;
    mpf_clear(difference);
    mpf_clear(margin);
    if (close && !j->wrong) j->undecided = true;
    record(j, part, above && !close, ratio);
}

void wide_root(const mpq_t square, mpf_t root)
{
    mpf_set_q(root, square);
    mpf_sqrt(root, root);
}
