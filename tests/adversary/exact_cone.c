/* tests/adversary/exact_cone.c: the residual of Coulomb friction, in 8192 bits: velocities are
 * exact, the lengths of their tangential parts and the projections on cones have relative errors of
 * 2^-8000, and a verdict that depends on less than 2^-1000 is undecided. */
#include "exact.h"

#include <math.h>

enum { N, T1, T2 };

static void open3(mpf_t x[3])
{
    for (int c = 0; c < 3; c++) mpf_init2(x[c], WIDE);
}

static void close3(mpf_t x[3])
{
    for (int c = 0; c < 3; c++) mpf_clear(x[c]);
}

static void length(mpf_t x[3], mpf_t out)
{
    mpf_t square;
    mpf_init2(square, WIDE);
    mpf_mul(out, x[T1], x[T1]);
    mpf_mul(square, x[T2], x[T2]);
    mpf_add(out, out, square);
    mpf_sqrt(out, out);
    mpf_clear(square);
}

/* The nearest point of {|x_t| <= mu x_n}. */
static void project(const mpf_t mu, mpf_t x[3])
{
    mpf_t t, reach, factor;
    mpf_init2(t, WIDE);
    mpf_init2(reach, WIDE);
    mpf_init2(factor, WIDE);
    length(x, t);
    mpf_mul(reach, mu, x[N]);
    bool inside = mpf_sgn(x[N]) >= 0 && mpf_cmp(t, reach) <= 0;
    mpf_mul(reach, mu, t);
    mpf_add(reach, reach, x[N]); /* mu |x_t| + x_n */
    if (!inside && mpf_sgn(reach) <= 0) {
        for (int c = 0; c < 3; c++) mpf_set_ui(x[c], 0);
    } else if (!inside) {
        mpf_mul(factor, mu, mu);
        mpf_add_ui(factor, factor, 1);
        mpf_div(x[N], reach, factor);
        mpf_mul(factor, mu, x[N]);
        mpf_div(factor, factor, t);
        mpf_mul(x[T1], x[T1], factor);
        mpf_mul(x[T2], x[T2], factor);
    }
    mpf_clears(t, reach, factor, NULL);
}

/* sum += |D r - P(D r - v)|^2, v = u + mu |u_t| n */
static void add_contact(double friction, const mpf_t D, const double *r, mpq_t *u, mpf_t sum)
{
    mpf_t v[3], x[3], scaled[3], mu, term;
    open3(v);
    open3(x);
    open3(scaled);
    mpf_init2(mu, WIDE);
    mpf_init2(term, WIDE);
    mpf_set_d(mu, friction);
    for (int c = 0; c < 3; c++) mpf_set_q(v[c], u[c]);
    length(v, term);
    mpf_mul(term, term, mu);
    mpf_add(v[N], v[N], term);
    for (int c = 0; c < 3; c++) {
        mpf_set_d(scaled[c], r[c]);
        mpf_mul(scaled[c], scaled[c], D);
        mpf_sub(x[c], scaled[c], v[c]);
    }
    project(mu, x);
    for (int c = 0; c < 3; c++) {
        mpf_sub(term, scaled[c], x[c]);
        mpf_mul(term, term, term);
        mpf_add(sum, sum, term);
    }
    close3(v);
    close3(x);
    close3(scaled);
    mpf_clears(mu, term, NULL);
}

/* trace(W_cc) / 3 where positive, else 1 */
static void contact_unit(const sample *s, int k, mpf_t D)
{
    mpf_t term;
    mpf_init2(term, WIDE);
    mpf_set_ui(D, 0);
    for (int c = 0; c < 3; c++) {
        mpf_set_d(term, AT(&s->M, 3 * k + c, 3 * k + c));
        mpf_add(D, D, term);
    }
    mpf_div_ui(D, D, 3);
    if (mpf_sgn(D) <= 0) mpf_set_ui(D, 1);
    mpf_clear(term);
}

/* out = |D r - P(D r - v)| over all contacts */
static void cone_part(const sample *s, const double *r, mpq_t *u, bool units, mpf_t out)
{
    mpf_t D;
    mpf_init2(D, WIDE);
    mpf_set_ui(out, 0);
    for (int k = 0; k < s->contacts; k++) {
        mpf_set_ui(D, 1);
        if (units) contact_unit(s, k, D);
        add_contact(s->mu[k], D, r + 3 * k, u + 3 * k, out);
    }
    mpf_sqrt(out, out);
    mpf_clear(D);
}

static void add_rounding(const sample *s, const table *A, const double *x, const double *q, int m,
                         mpf_t limit)
{
    double sizes[MOST];
    mpq_t *w = exact_new(m), square;
    mpf_t term;
    mpq_init(square);
    mpf_init2(term, WIDE);
    for (int i = 0; i < m; i++) sizes[i] = fabs(q[i]);
    exact_set(m, sizes, w);
    exact_sizes(A, x, w);
    exact_squares(m, w, square);
    wide_root(square, term);
    mpf_add(limit, limit, term);
    mpf_set_d(term, 16 * (s->size + 2) * UNIT_ROUNDOFF);
    mpf_mul(limit, limit, term);
    mpf_clear(term);
    mpq_clear(square);
    exact_free(m, w);
}

static void judge_local(const sample *s, const double *r, judgement *j)
{
    mpq_t *u = exact_new(s->n), square;
    mpf_t value, limit, term;
    mpq_init(square);
    mpf_init2(value, WIDE);
    mpf_init2(limit, WIDE);
    mpf_init2(term, WIDE);
    exact_set(s->n, s->q, u);
    exact_mul(&s->M, r, u);
    exact_vector_squares(s->n, s->q, square);
    if (mpq_sgn(square) == 0) mpq_set_ui(square, 1, 1);
    wide_root(square, limit);
    mpf_set_d(term, s->tol);
    mpf_mul(limit, limit, term);
    if (s->operator_M) {
        mpf_set_ui(term, 0);
        add_rounding(s, &s->M, r, s->q, s->n, term);
        for (int k = 0; k < s->contacts; k++) {
            mpf_set_d(value, 1 + s->mu[k]);
            mpf_mul(term, term, value);
        }
        mpf_add(limit, limit, term);
    }
    cone_part(s, r, u, false, value);
    judge_wide(j, "natural", value, limit);
    cone_part(s, r, u, true, value);
    if (!s->operator_M) judge_wide(j, "units", value, limit);
    mpf_clears(value, limit, term, NULL);
    mpq_clear(square);
    exact_free(s->n, u);
}

/* out = A'D^-1 f + w (w may be NULL), D the diagonal of M; entries of f that are 0 stay 0. */
static void free_motion(const sample *s, const table *A, const double *w, mpq_t *out)
{
    mpq_t a, v, d;
    mpq_inits(a, v, d, NULL);
    if (w) exact_set(A->n, w, out);
    for (int i = 0; i < s->n; i++) {
        double diagonal = AT(&s->M, i, i);
        if (!(fabs(s->q[i]) > 0 && fabs(diagonal) > 0)) continue;
        mpq_set_d(v, s->q[i]);
        mpq_set_d(d, diagonal);
        mpq_div(v, v, d);
        for (int k = 0; k < A->n; k++) {
            mpq_set_d(a, AT(A, i, k));
            exact_add_product(out[k], a, v);
        }
    }
    mpq_clears(a, v, d, NULL);
}

/* limit = tol |x|, tol where that is 0 */
static void limit_by(const sample *s, int n, mpq_t *x, mpf_t limit)
{
    mpq_t square;
    mpf_t tol;
    mpq_init(square);
    mpf_init2(tol, WIDE);
    exact_squares(n, x, square);
    if (mpq_sgn(square) == 0) mpq_set_ui(square, 1, 1);
    wide_root(square, limit);
    mpf_set_d(tol, s->tol);
    mpf_mul(limit, limit, tol);
    mpf_clear(tol);
    mpq_clear(square);
}

/* sum += |x| / limit */
static void add_norm(int n, mpq_t *x, const mpf_t limit, mpf_t sum)
{
    mpq_t square;
    mpf_t value;
    mpq_init(square);
    mpf_init2(value, WIDE);
    exact_squares(n, x, square);
    wide_root(square, value);
    mpf_div(value, value, limit);
    mpf_add(sum, sum, value);
    mpf_clear(value);
    mpq_clear(square);
}

/* |M v - f - H r - G l| over tol |f| */
static void add_momentum(const sample *s, const double *z, mpf_t sum)
{
    const double *r = z, *v = z + 3 * s->contacts, *l = v + s->n;
    mpq_t *rest = exact_new(s->n), *Mv = exact_new(s->n);
    mpf_t limit;
    mpf_init2(limit, WIDE);
    exact_set(s->n, s->q, rest);
    limit_by(s, s->n, rest, limit);
    exact_mul(&s->A, r, rest);
    exact_mul(&s->G, l, rest);
    exact_mul(&s->M, v, Mv);
    for (int i = 0; i < s->n; i++) mpq_sub(rest[i], Mv[i], rest[i]);
    add_norm(s->n, rest, limit, sum);
    mpf_clear(limit);
    exact_free(s->n, rest);
    exact_free(s->n, Mv);
}

/* |G'v + b| over tol (|G'D^-1 f| + |b|) */
static void add_joints(const sample *s, const double *z, mpf_t sum)
{
    const double *v = z + 3 * s->contacts;
    mpq_t *rest = exact_new(s->joints), *motion = exact_new(s->joints), square;
    mpf_t limit, term;
    mpq_init(square);
    mpf_init2(limit, WIDE);
    mpf_init2(term, WIDE);
    exact_set(s->joints, s->b, rest);
    free_motion(s, &s->G, NULL, motion);
    exact_squares(s->joints, rest, square);
    wide_root(square, limit);
    exact_squares(s->joints, motion, square);
    wide_root(square, term);
    mpf_add(limit, limit, term);
    if (mpf_sgn(limit) == 0) mpf_set_ui(limit, 1);
    mpf_set_d(term, s->tol);
    mpf_mul(limit, limit, term);
    exact_mul_t(&s->G, v, rest);
    add_norm(s->joints, rest, limit, sum);
    mpf_clears(limit, term, NULL);
    mpq_clear(square);
    exact_free(s->joints, rest);
    exact_free(s->joints, motion);
}

/* The sum of the cones' part and of both equations'. With M given by its products the scale of the
 * cones is the library's own choice, and nothing is judged. */
static void judge_body(const sample *s, const double *z, judgement *j)
{
    if (s->operator_M) return;
    int n = 3 * s->contacts;
    mpq_t *u = exact_new(n), *q = exact_new(n);
    mpf_t sum, limit;
    mpf_init2(sum, WIDE);
    mpf_init2(limit, WIDE);
    exact_set(n, s->w, u);
    exact_mul_t(&s->A, z + n, u);
    free_motion(s, &s->A, s->w, q);
    limit_by(s, n, q, limit);
    cone_part(s, z, u, false, sum);
    mpf_div(sum, sum, limit);
    mpf_set_ui(limit, 1);
    judge_wide(j, "cones", sum, limit);
    add_momentum(s, z, sum);
    judge_wide(j, "momentum", sum, limit);
    if (s->joints > 0) add_joints(s, z, sum);
    if (s->joints > 0) judge_wide(j, "joints", sum, limit);
    mpf_clears(sum, limit, NULL);
    exact_free(n, u);
    exact_free(n, q);
}

void judge_solved_fc3d(const sample *s, const double *z, judgement *j)
{
    if (s->kind == V_FC3D)
        judge_local(s, z, j);
    else
        judge_body(s, z, j);
}
