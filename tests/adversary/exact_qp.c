/* tests/adversary/exact_qp.c: the residual of a qp: violated rows, columns and rows in units of
 * their own sizes, and the gap. All rational. */
#include "exact.h"

#include <math.h>

typedef struct parts {
    int n, m;
    mpq_t *x, *y, *Hx, *Aty, *g, *Ax;
    mpq_t tol;
    exact_box box;
} parts;

static void parts_open(parts *k, const sample *s, const double *z)
{
    k->n = s->n;
    k->m = s->m;
    k->x = exact_new(s->n);
    k->y = exact_new(s->m);
    k->Hx = exact_new(s->n);
    k->Aty = exact_new(s->n);
    k->g = exact_new(s->n);
    k->Ax = exact_new(s->m);
    mpq_init(k->tol);
    mpq_set_d(k->tol, s->tol);
    exact_box_init(&k->box);
    exact_set(s->n, z, k->x);
    exact_set(s->m, z + s->n, k->y);
    exact_mul(&s->M, z, k->Hx);
    exact_mul_t(&s->A, z + s->n, k->Aty);
    exact_mul(&s->A, z, k->Ax);
    exact_set(s->n, s->q, k->g);
    for (int j = 0; j < s->n; j++) {
        mpq_add(k->g[j], k->g[j], k->Hx[j]);
        mpq_sub(k->g[j], k->g[j], k->Aty[j]);
    }
}

static void parts_close(parts *k)
{
    exact_free(k->n, k->x);
    exact_free(k->m, k->y);
    exact_free(k->n, k->Hx);
    exact_free(k->n, k->Aty);
    exact_free(k->n, k->g);
    exact_free(k->m, k->Ax);
    mpq_clear(k->tol);
    exact_box_clear(&k->box);
}

/* out = (1 + |x|) tol factor; factor may be NULL */
static void limit_of(const parts *k, const mpq_t x, const mpq_t factor, mpq_t out)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    mpq_abs(out, x);
    mpq_add(out, out, one);
    mpq_mul(out, out, k->tol);
    if (factor) mpq_mul(out, out, factor);
    mpq_clear(one);
}

/* A violated bound b of v against tol (1 + |b|). */
static void judge_violation(const parts *k, const char *part, const mpq_t v, judgement *j)
{
    mpq_t out, limit;
    mpq_inits(out, limit, NULL);
    if (k->box.below) {
        mpq_sub(out, k->box.lo, v);
        limit_of(k, k->box.lo, NULL, limit);
        judge_values(j, part, out, limit);
    }
    if (k->box.above) {
        mpq_sub(out, v, k->box.hi);
        limit_of(k, k->box.hi, NULL, limit);
        judge_values(j, part, out, limit);
    }
    mpq_clears(out, limit, NULL);
}

/* |sigma x - P(sigma x - g)| against tol (1 + |x|) sigma. */
static void judge_pair(const parts *k, const char *part, const mpq_t sigma, const mpq_t x,
                       const mpq_t g, judgement *j)
{
    mpq_t map, limit;
    mpq_inits(map, limit, NULL);
    exact_natural(sigma, x, g, &k->box, map);
    mpq_abs(map, map);
    limit_of(k, x, sigma, limit);
    judge_values(j, part, map, limit);
    mpq_clears(map, limit, NULL);
}

static void judge_columns(const sample *s, parts *k, judgement *j)
{
    mpq_t sigma, c, one;
    mpq_inits(sigma, c, one, NULL);
    mpq_set_ui(one, 1, 1);
    for (int i = 0; i < s->n; i++) {
        mpq_set_d(c, s->q[i]);
        mpq_set_ui(sigma, 0, 1);
        exact_max(sigma, c);
        exact_max(sigma, k->Hx[i]);
        exact_max(sigma, k->Aty[i]);
        mpq_add(sigma, sigma, one);
        exact_box_set(&k->box, s->xlo[i], s->xhi[i]);
        judge_pair(k, "column", sigma, k->x[i], k->g[i], j);
    }
    mpq_clears(sigma, c, one, NULL);
}

/* The multiplier of a row: |a - P(a - y)| against tol (1 + max(|a|, |y|)), a = (A x)_i. */
static void judge_rows(const sample *s, parts *k, judgement *j)
{
    mpq_t one, map, size, limit;
    mpq_inits(one, map, size, limit, NULL);
    mpq_set_ui(one, 1, 1);
    for (int i = 0; i < s->m; i++) {
        exact_box_set(&k->box, s->lo[i], s->hi[i]);
        judge_violation(k, "row", k->Ax[i], j);
        exact_natural(one, k->Ax[i], k->y[i], &k->box, map);
        mpq_abs(map, map);
        mpq_set_ui(size, 0, 1);
        exact_max(size, k->Ax[i]);
        exact_max(size, k->y[i]);
        limit_of(k, size, NULL, limit);
        judge_values(j, "multiplier", map, limit);
    }
    mpq_clears(one, map, size, limit, NULL);
}

/* |y| |v - b|, b the bound of the multiplier's sign, 0 where that is infinite. */
static void add_gap(const exact_box *box, const mpq_t y, const mpq_t v, mpq_t gap)
{
    mpq_t distance, size;
    mpq_inits(distance, size, NULL);
    bool lower = mpq_sgn(y) > 0;
    mpq_set(distance, v);
    if (lower && box->below) mpq_sub(distance, v, box->lo);
    if (!lower && box->above) mpq_sub(distance, v, box->hi);
    mpq_abs(distance, distance);
    mpq_abs(size, y);
    exact_add_product(gap, size, distance);
    mpq_clears(distance, size, NULL);
}

static void judge_gap(const sample *s, parts *k, judgement *j)
{
    mpq_t gap, objective, half, term, limit;
    mpq_inits(gap, objective, half, term, limit, NULL);
    mpq_set_ui(half, 1, 2);
    for (int i = 0; i < s->m; i++) {
        exact_box_set(&k->box, s->lo[i], s->hi[i]);
        add_gap(&k->box, k->y[i], k->Ax[i], gap);
    }
    for (int i = 0; i < s->n; i++) {
        exact_box_set(&k->box, s->xlo[i], s->xhi[i]);
        add_gap(&k->box, k->g[i], k->x[i], gap);
        mpq_set_d(term, s->q[i]);
        mpq_mul(limit, k->Hx[i], half);
        mpq_add(term, term, limit);
        exact_add_product(objective, term, k->x[i]);
    }
    limit_of(k, objective, NULL, limit);
    judge_values(j, "gap", gap, limit);
    mpq_clears(gap, objective, half, term, limit, NULL);
}

/* An operator's products count as exact as they are returned; only what it cannot blur is judged:
 * the rows, whose matrix is stored. */
void judge_solved_qp(const sample *s, const double *z, judgement *j)
{
    parts k;
    parts_open(&k, s, z);
    judge_rows(s, &k, j);
    if (!s->operator_M) {
        judge_columns(s, &k, j);
        judge_gap(s, &k, j);
    }
    parts_close(&k);
}
