/* tests/adversary/exact_groups.c: the residual of the kind cone in 8192 bits, as exact_cone.c has
 * that of friction: boxes, balls, and cones with groups of any size. A cone's projection takes the
 * largest root over all sets of its groups. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>

/* Rows of one set: of a cone the normal first, then its groups; of others one group. */
typedef struct block {
    bool is_box, is_cone;
    int rows, row[MOST];
    int groups, first[MOST + 1]; /* entries of row; the last is the end */
} block;

static int leader_of(const sample *s, int i)
{
    return s->group[i] >= 0 ? s->group[i] : i;
}

static void add_group(const sample *s, int leader, block *k)
{
    k->first[k->groups++] = k->rows;
    for (int i = 0; i < s->n; i++) {
        if (i == leader || s->group[i] == leader) k->row[k->rows++] = i;
    }
    k->first[k->groups] = k->rows;
}

/* The block that begins with row i. False: i is in the block of another. */
static bool find_block(const sample *s, int i, block *k)
{
    *k = (block){0};
    if (s->follows[i] >= 0 || leader_of(s, i) != i) return false;
    for (int j = 0; j < s->n; j++) {
        if (s->follows[j] != i || leader_of(s, j) != j) continue;
        if (k->rows == 0) k->row[k->rows++] = i;
        k->is_cone = true;
        add_group(s, j, k);
    }
    k->is_box = !k->is_cone && s->group[i] < 0;
    if (!k->is_cone) add_group(s, i, k);
    return true;
}

static mpf_t *wide_new(int n)
{
    mpf_t *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) mpf_init2(x[i], WIDE);
    return x;
}

static void wide_free(int n, mpf_t *x)
{
    for (int i = 0; i < n; i++) mpf_clear(x[i]);
    free(x);
}

static void length(int n, mpf_t *x, mpf_t out)
{
    mpf_t square;
    mpf_init2(square, WIDE);
    mpf_set_ui(out, 0);
    for (int i = 0; i < n; i++) {
        mpf_mul(square, x[i], x[i]);
        mpf_add(out, out, square);
    }
    mpf_sqrt(out, out);
    mpf_clear(square);
}

/* x of one group becomes no longer than `most`. */
static void shorten(int n, mpf_t *x, const mpf_t most)
{
    mpf_t size;
    mpf_init2(size, WIDE);
    length(n, x, size);
    if (mpf_cmp(size, most) > 0) {
        for (int i = 0; i < n; i++) {
            mpf_mul(x[i], x[i], most);
            mpf_div(x[i], x[i], size);
        }
    }
    mpf_clear(size);
}

static void friction(const sample *s, const block *k, int g, const double *of, mpf_t out)
{
    mpf_set_d(out, of[leader_of(s, k->row[k->first[g]])]);
}

/* The largest of 0 and (x_n + sum_A mu_g |x_g|) / (1 + sum_A mu_g^2) over all sets A of groups. */
static void project_normal(const sample *s, const block *k, mpf_t *x, mpf_t out)
{
    mpf_t *w = wide_new(4);
    mpf_set_ui(out, 0);
    for (int set = 0; set < 1 << k->groups; set++) {
        mpf_set(w[0], x[0]);
        mpf_set_ui(w[1], 1);
        for (int g = 0; g < k->groups; g++) {
            if (!(set >> g & 1)) continue;
            friction(s, k, g, s->mu, w[2]);
            length(k->first[g + 1] - k->first[g], x + k->first[g], w[3]);
            mpf_mul(w[3], w[3], w[2]);
            mpf_add(w[0], w[0], w[3]);
            mpf_mul(w[2], w[2], w[2]);
            mpf_add(w[1], w[1], w[2]);
        }
        mpf_div(w[0], w[0], w[1]);
        if (mpf_cmp(w[0], out) > 0) mpf_set(out, w[0]);
    }
    wide_free(4, w);
}

/* P(x) of a block whose lengths are D times those of the problem. */
static void project(const sample *s, const block *k, const mpf_t D, mpf_t *x)
{
    mpf_t *w = wide_new(2);
    if (k->is_cone) {
        project_normal(s, k, x, w[0]);
        mpf_set(x[0], w[0]);
        for (int g = 0; g < k->groups; g++) {
            friction(s, k, g, s->mu, w[1]);
            mpf_mul(w[1], w[1], w[0]);
            shorten(k->first[g + 1] - k->first[g], x + k->first[g], w[1]);
        }
    } else if (!k->is_box) {
        mpf_set_d(w[0], s->xhi[k->row[0]]);
        mpf_mul(w[0], w[0], D);
        shorten(k->rows, x, w[0]);
    } else {
        double lo = s->xlo[k->row[0]], hi = s->xhi[k->row[0]];
        if (isfinite(hi)) mpf_set_d(w[0], hi);
        if (isfinite(hi)) mpf_mul(w[0], w[0], D);
        if (isfinite(hi) && mpf_cmp(x[0], w[0]) > 0) mpf_set(x[0], w[0]);
        if (isfinite(lo)) mpf_set_d(w[1], lo);
        if (isfinite(lo)) mpf_mul(w[1], w[1], D);
        if (isfinite(lo) && mpf_cmp(x[0], w[1]) < 0) mpf_set(x[0], w[1]);
    }
    wide_free(2, w);
}

/* v = u + (sum_g s_g |u_g|) n of a cone */
static void add_slip(const sample *s, const block *k, mpf_t *v)
{
    mpf_t *w = wide_new(2);
    for (int g = 0; k->is_cone && g < k->groups; g++) {
        friction(s, k, g, s->slip, w[0]);
        length(k->first[g + 1] - k->first[g], v + k->first[g], w[1]);
        mpf_mul(w[1], w[1], w[0]);
        mpf_add(v[0], v[0], w[1]);
    }
    wide_free(2, w);
}

/* The mean of the diagonal where positive, else 1. */
static void block_unit(const sample *s, const block *k, mpf_t D)
{
    mpf_t term;
    mpf_init2(term, WIDE);
    mpf_set_ui(D, 0);
    for (int i = 0; i < k->rows; i++) {
        mpf_set_d(term, AT(&s->M, k->row[i], k->row[i]));
        mpf_add(D, D, term);
    }
    mpf_div_ui(D, D, (unsigned long)k->rows);
    if (mpf_sgn(D) <= 0) mpf_set_ui(D, 1);
    mpf_clear(term);
}

/* sum += |D z - P(D z - v)|^2 */
static void add_block(const sample *s, const block *k, const mpf_t D, const double *z, mpq_t *u,
                      mpf_t sum)
{
    mpf_t *v = wide_new(k->rows), *x = wide_new(k->rows), *scaled = wide_new(k->rows);
    for (int i = 0; i < k->rows; i++) mpf_set_q(v[i], u[k->row[i]]);
    add_slip(s, k, v);
    for (int i = 0; i < k->rows; i++) {
        mpf_set_d(scaled[i], z[k->row[i]]);
        mpf_mul(scaled[i], scaled[i], D);
        mpf_sub(x[i], scaled[i], v[i]);
    }
    project(s, k, D, x);
    for (int i = 0; i < k->rows; i++) {
        mpf_sub(x[i], scaled[i], x[i]);
        mpf_mul(x[i], x[i], x[i]);
        mpf_add(sum, sum, x[i]);
    }
    wide_free(k->rows, v);
    wide_free(k->rows, x);
    wide_free(k->rows, scaled);
}

void judge_solved_cone(const sample *s, const double *z, judgement *j)
{
    mpq_t *u = exact_new(s->n), square;
    mpf_t *w = wide_new(4); /* limit, D, the sums in plain numbers and in units */
    mpq_init(square);
    exact_set(s->n, s->q, u);
    exact_mul(&s->M, z, u);
    exact_scale_square(s, square);
    wide_root(square, w[0]);
    mpf_set_d(w[1], s->tol);
    mpf_mul(w[0], w[0], w[1]);
    for (int i = 0; i < s->n; i++) {
        block k;
        if (!find_block(s, i, &k)) continue;
        mpf_set_ui(w[1], 1);
        add_block(s, &k, w[1], z, u, w[2]);
        block_unit(s, &k, w[1]);
        add_block(s, &k, w[1], z, u, w[3]);
    }
    mpf_sqrt(w[2], w[2]);
    mpf_sqrt(w[3], w[3]);
    judge_wide(j, "natural", w[2], w[0]);
    judge_wide(j, "units", w[3], w[0]);
    wide_free(4, w);
    mpq_clear(square);
    exact_free(s->n, u);
}
