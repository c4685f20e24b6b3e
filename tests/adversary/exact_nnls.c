/* tests/adversary/exact_nnls.c: the residual of nnls, |min(x, w)| over |A'b|, and the same in units
 * of the columns, |min(|A_j|^2 x_j, w_j)| / |A_j| over |b|. */
#include "exact.h"

#include <float.h>
#include <math.h>

/* y += A'r for a rational r. */
static void mul_t(const table *A, mpq_t *r, mpq_t *y)
{
    mpq_t a;
    mpq_init(a);
    for (int j = 0; j < A->n; j++) {
        for (int i = 0; i < A->m; i++) {
            mpq_set_d(a, AT(A, i, j));
            exact_add_product(y[j], a, r[i]);
        }
    }
    mpq_clear(a);
}

/* w = A'(A x - b), square = |A'b|^2 or 1 */
static void slack_and_scale(const sample *s, const double *x, mpq_t *w, mpq_t square)
{
    mpq_t *rest = exact_new(s->m), *Atb = exact_new(s->n);
    exact_mul(&s->M, x, rest);
    exact_mul_t(&s->M, s->q, Atb);
    mul_t(&s->M, rest, w);
    for (int j = 0; j < s->n; j++) mpq_sub(w[j], w[j], Atb[j]);
    exact_squares(s->n, Atb, square);
    if (mpq_sgn(square) == 0) mpq_set_ui(square, 1, 1);
    exact_free(s->m, rest);
    exact_free(s->n, Atb);
}

/* What the rounding of an operator may leave in w: 8 (m + n + 4) (u |A'| (|A| |x| + |b|) + d), d
 * the least number. */
static void rounding(const sample *s, const double *x, mpq_t *out)
{
    double sizes[MOST];
    table size = s->M;
    mpq_t *rest = exact_new(s->m), factor, least;
    mpq_inits(factor, least, NULL);
    mpq_set_d(least, 8 * (s->m + s->n + 4) * DBL_TRUE_MIN);
    for (int k = 0; k < s->m * s->n; k++) size.x[k] = fabs(size.x[k]);
    for (int i = 0; i < s->m; i++) sizes[i] = fabs(s->q[i]);
    exact_set(s->m, sizes, rest);
    exact_sizes(&size, x, rest);
    mul_t(&size, rest, out);
    mpq_set_d(factor, 8 * (s->m + s->n + 4) * UNIT_ROUNDOFF);
    for (int j = 0; j < s->n; j++) {
        mpq_mul(out[j], out[j], factor);
        mpq_add(out[j], out[j], least);
    }
    mpq_clears(factor, least, NULL);
    exact_free(s->m, rest);
}

static void column(const sample *s, int j, exact_box *box, mpq_t d)
{
    exact_box_set(box, s->is_free[j] ? -INFINITY : 0, INFINITY);
    exact_vector_squares(s->m, s->M.x + j * s->m, d);
}

/* Square of entry j over |A_j|^2 against tol^2 |b|^2; columns of zeros count as solved. */
static void judge_columns(const sample *s, const double *x, mpq_t *w, judgement *j)
{
    mpq_t d, z, map, limit, b_square, tol;
    exact_box box;
    mpq_inits(d, z, map, limit, b_square, tol, NULL);
    exact_box_init(&box);
    exact_vector_squares(s->m, s->q, b_square);
    if (mpq_sgn(b_square) == 0) mpq_set_ui(b_square, 1, 1);
    mpq_set_d(tol, s->tol);
    mpq_mul(b_square, b_square, tol);
    mpq_mul(b_square, b_square, tol);
    for (int k = 0; k < s->n; k++) {
        column(s, k, &box, d);
        if (mpq_sgn(d) == 0) continue;
        mpq_set_d(z, x[k]);
        exact_natural(d, z, w[k], &box, map);
        mpq_mul(map, map, map);
        mpq_mul(limit, b_square, d);
        judge_squares(j, "columns", map, limit);
    }
    exact_box_clear(&box);
    mpq_clears(d, z, map, limit, b_square, tol, NULL);
}

/* Forget what rounding may have left of each entry. */
static void forgive(int n, mpq_t *map, mpq_t *allowed)
{
    for (int i = 0; i < n; i++) {
        mpq_abs(map[i], map[i]);
        mpq_sub(map[i], map[i], allowed[i]);
        if (mpq_sgn(map[i]) < 0) mpq_set_ui(map[i], 0, 1);
    }
}

void judge_solved_nnls(const sample *s, const double *x, judgement *j)
{
    mpq_t *w = exact_new(s->n), *map = exact_new(s->n), square, limit, tol, one, z;
    exact_box box;
    mpq_inits(square, limit, tol, one, z, NULL);
    exact_box_init(&box);
    mpq_set_ui(one, 1, 1);
    slack_and_scale(s, x, w, limit);
    for (int k = 0; k < s->n; k++) {
        exact_box_set(&box, s->is_free[k] ? -INFINITY : 0, INFINITY);
        mpq_set_d(z, x[k]);
        exact_natural(one, z, w[k], &box, map[k]);
    }
    if (s->operator_M) {
        mpq_t *allowed = exact_new(s->n);
        rounding(s, x, allowed);
        forgive(s->n, map, allowed);
        exact_free(s->n, allowed);
    }
    mpq_set_d(tol, s->tol);
    exact_squares(s->n, map, square);
    mpq_mul(limit, limit, tol);
    mpq_mul(limit, limit, tol);
    judge_squares(j, "natural", square, limit);
    if (!s->operator_M) judge_columns(s, x, w, j);
    exact_box_clear(&box);
    mpq_clears(square, limit, tol, one, z, NULL);
    exact_free(s->n, w);
    exact_free(s->n, map);
}
