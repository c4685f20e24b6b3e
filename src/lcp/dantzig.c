/* lcp/dantzig.c: principal pivoting for symmetric positive semidefinite M, one index at a time.
 * Dantzig, Quadratic programming, a variant of the Wolfe-Markowitz algorithms (1961); van de Panne
 * & Whinston, The simplicial and the dual method for quadratic programming (1964); Cottle &
 * Dantzig (1968); Baraff, Fast contact force computation for nonpenetrating rigid bodies, SIGGRAPH
 * 1994.
 *
 * z_i of an index with w_i < 0 grows until w_i = 0; z stays nonnegative, as an index whose z
 * reaches zero on the way leaves. Two rules say which i, and what becomes of the other w:
 *   worst: the most negative w, and others may become negative meanwhile; z'Mz/2 + q'z falls.
 *   order: one index after the other, and a w that was settled before stays nonnegative: where one
 *   reaches zero its z enters (Baraff). Three to fifteen times as many pivots, each dearer.
 * The Cholesky factor of M_aa is updated (kernel/active.c): a pivot costs two triangular solves,
 * and a product with the columns a of M, shared by up to PRICED indices of rule worst. Where M is
 * singular z_i may grow without an end, and the direction proves that nothing is feasible.
 *
 * The factor is dense, also for sparse M: k^2 numbers for k = |a|. M itself is never made dense. */
#include "../core/internal.h"
#include "../kernel/active.h"
#include "../kernel/principal.h"
#include "../kernel/vector.h"
#include "perp/solvers.h"

#include <float.h>
#include <string.h>

#define SYMMETRY 1e-10          /* relative */
#define DEPENDENT 1e-12         /* what is left of a diagonal entry, over its size: nothing */
#define INDEFINITE 1e-9         /* and less than minus this: M is not semidefinite */
#define NOISE (4 * DBL_EPSILON) /* of w, over the largest q: not negative */
#define SMALL 1e-10             /* of w, over the largest q: may be rounding */
#define REFINED 1e-14           /* residual that needs no further refinement */
#define PASSES 4                /* fresh factors for an answer that the certificate refused */
#define PRICED 8                /* indices driven between two products with M */

typedef enum ending { DONE, RAY, INDEFINITE_M, STUCK, STOPPED, NO_MEMORY } ending;
typedef enum state { WAITING, SETTLED, HELD } state; /* of an index outside the set */

typedef struct dantzig {
    perp_run *run;
    const perp_dantzig_options *options;
    int n;
    perp_matrix M; /* dense, or canonical CSC */
    const double *q;
    double tiny; /* w no more negative than this is zero */
    perp_active a;
    char *state;
    double *z, *w;      /* rule order keeps w of the settled alone up to date */
    double *v, *y, *dw; /* direction, its first half, slope of w */
    double *x;          /* scratch */
    double left;        /* of the driven index: its diagonal entry less |y|^2 */
    int reach;          /* rule order: all indices met so far are below */
} dantzig;

/* ---- opening ---- */

static perp_status open_dantzig(dantzig *d, perp_run *run)
{
    const perp_lcp *p = &run->problem->as.lcp;
    perp_arena *a = run->arena;
    int n = p->n, i = 0, j = 0;
    *d = (dantzig){.run = run, .n = n, .M = p->M, .q = p->q};
    d->options = (const perp_dantzig_options *)run->options;
    d->state = PERP_ALLOC(run, char, n);
    double *vectors = PERP_ALLOC(run, double, 6 * (size_t)n);
    if (a->failed || (p->M.format == PERP_CSC && perp_sort_csc(&p->M, a, &d->M))) {
        return PERP_E_MEMORY;
    }
    double **each[] = {&d->z, &d->w, &d->v, &d->y, &d->dw, &d->x};
    for (int k = 0; k < 6; k++) *each[k] = vectors + (size_t)k * (size_t)n;
    perp_status s = perp_symmetry(&d->M, SYMMETRY, a, &i, &j);
    if (s == PERP_STALLED) {
        return perp_fail(run, PERP_E_NUMBER,
                         "M is not symmetric: M[%d][%d] and M[%d][%d] differ, see lcp/lemke", i, j,
                         j, i);
    }
    if (s || !perp_active_open(&d->a, &d->M, a)) return PERP_E_MEMORY;
    d->tiny = NOISE * vector_max(n, d->q);
    return PERP_SOLVED;
}

/* ---- a start ---- */

static bool outside(const dantzig *d, int i)
{
    return d->a.place[i] < 0;
}

static void find_vertex(dantzig *d)
{
    memset(d->z, 0, (size_t)d->n * sizeof *d->z);
    perp_active_correct(&d->a, d->q, d->z);
    perp_active_slack(&d->a, d->q, d->z, d->w);
}

static bool take_list(dantzig *d, int count)
{
    if (!perp_active_assign(&d->a, count, d->a.list, DEPENDENT)) return false;
    find_vertex(d);
    return true;
}

/* Take negative z out until there are none; the others are settled or wait. */
static bool repair(dantzig *d)
{
    for (;;) {
        int count = 0;
        for (int p = 0; p < d->a.u.k; p++) {
            if (d->z[d->a.set[p]] >= 0) d->a.list[count++] = d->a.set[p];
        }
        if (count == d->a.u.k) break;
        if (!take_list(d, count)) return false;
    }
    for (int i = 0; i < d->n; i++) {
        d->state[i] = outside(d, i) && d->w[i] < -d->tiny ? WAITING : SETTLED;
        if (d->state[i] == SETTLED && d->w[i] < 0) d->w[i] = 0;
    }
    d->reach = d->n;
    return true;
}

/* From z = 0, where all are WAITING, or from the set of a warm z. */
static bool start(dantzig *d, const double *z)
{
    int count = 0;
    memcpy(d->w, d->q, (size_t)d->n * sizeof *d->w);
    if (!d->options->base.warm_start) return true;
    for (int i = 0; i < d->n; i++) {
        if (z[i] > 0) d->a.list[count++] = i;
    }
    return take_list(d, count) && repair(d);
}

/* ---- pivots ---- */

/* As z_i grows by 1, z_a falls by v. Returns the size of the terms that make up `left`. */
static double find_direction(dantzig *d, int i)
{
    double size = d->a.diagonal[i];
    memcpy(d->v, d->y, (size_t)d->a.u.k * sizeof *d->v);
    perp_updated_backward(&d->a.u, d->v);
    for (int p = 0; p < d->a.u.k; p++) size += d->v[p] * d->v[p] * d->a.diagonal[d->a.set[p]];
    return size;
}

/* The first z to reach zero before t, the lowest index among equals; -1: none. */
static int block_z(const dantzig *d, double *t)
{
    int at = -1;
    const int *set = d->a.set;
    for (int p = 0; p < d->a.u.k; p++) {
        if (!(d->v[p] > 0)) continue;
        double r = d->z[set[p]] / d->v[p];
        if (r < *t || (r == *t && (at < 0 || set[p] < set[at]))) {
            *t = r;
            at = p;
        }
    }
    return at;
}

static void move_z(dantzig *d, int i, double t)
{
    for (int p = 0; p < d->a.u.k; p++) {
        double *z = &d->z[d->a.set[p]], next = *z - t * d->v[p];
        *z = next > 0 ? next : 0;
    }
    d->z[i] += t;
}

/* With option refactor nothing is updated. */
static bool refactor(dantzig *d, int i)
{
    if (!d->options->refactor) return true;
    if (!perp_active_rebuild(&d->a, 0)) return false;
    if (outside(d, i)) d->left = perp_active_reduce(&d->a, i, d->y);
    return true;
}

/* The index at place `at`, whose z is zero now, leaves. */
static bool leave(dantzig *d, int i, int at)
{
    int j = d->a.set[at];
    double last = perp_active_drop(&d->a, at, d->y);
    d->left += last * last;
    d->z[j] = d->w[j] = 0;
    d->state[j] = SETTLED;
    return refactor(d, i);
}

static bool settle(dantzig *d, int i)
{
    return perp_active_push(&d->a, i, d->y, d->left) && refactor(d, i);
}

/* w_i from scratch. */
static double slack(dantzig *d, int i)
{
    double w = d->q[i];
    perp_active_gather(&d->a, i, d->x);
    for (int p = 0; p < d->a.u.k; p++) w += d->x[p] * d->z[d->a.set[p]];
    return w;
}

/* ---- rule worst ---- */

static ending drive(dantzig *d, int i, double w)
{
    d->left = perp_active_reduce(&d->a, i, d->y);
    while (perp_continue(d->run, NULL, INFINITY)) {
        double size = find_direction(d, i);
        if (d->left < -INDEFINITE * size) return INDEFINITE_M;
        bool flat = d->left <= DEPENDENT * size;
        double t = flat ? INFINITY : -w / d->left;
        int at = block_z(d, &t);
        if (!(t < INFINITY)) return isnan(t) ? STUCK : RAY;
        move_z(d, i, t);
        w += flat ? 0 : t * d->left;
        if (!(at >= 0 ? leave(d, i, at) : settle(d, i))) return NO_MEMORY;
        if (!outside(d, i)) return DONE;
    }
    return STOPPED;
}

/* The indices with the most negative w against their rows, the worst first. */
static int price(const dantzig *d, int *chosen)
{
    double worst[PRICED] = {0};
    int count = 0;
    for (int i = 0; i < d->n; i++) {
        if (!outside(d, i) || !(d->w[i] < -d->tiny)) continue;
        double w = d->a.diagonal[i] > 0 ? d->w[i] / sqrt(d->a.diagonal[i]) : -INFINITY;
        if (count == PRICED && w >= worst[PRICED - 1]) continue;
        int at = count < PRICED ? count++ : PRICED - 1;
        for (; at > 0 && worst[at - 1] > w; at--) {
            worst[at] = worst[at - 1];
            chosen[at] = chosen[at - 1];
        }
        worst[at] = w;
        chosen[at] = i;
    }
    return count;
}

/* Drive the worst until none is negative; *i is where it ended. */
static ending drive_worst(dantzig *d, int *i)
{
    int chosen[PRICED], count, small = 0;
    double much = -SMALL * vector_max(d->n, d->q);
    while ((count = price(d, chosen)) > 0) {
        for (int k = 0; k < count; k++) {
            *i = chosen[k];
            double w = k > 0 ? slack(d, *i) : d->w[*i];
            if (w >= -d->tiny) continue;
            small = w < much ? 0 : small + 1;
            if (small > d->n) return DONE; /* it may be rounding that is driven in circles */
            ending e = drive(d, *i, w);
            if (e != DONE) return e;
        }
        perp_active_slack(&d->a, d->q, d->z, d->w);
    }
    return DONE;
}

/* ---- rule order ---- */

/* dw = M_.i - M_.a v for the rows in use. */
static void find_slope(dantzig *d, int i)
{
    const double whole = 1;
    perp_matrix rows = d->M;
    if (rows.format == PERP_DENSE) rows.m = d->reach;
    memset(d->dw, 0, (size_t)d->n * sizeof *d->dw);
    perp_add_columns(&rows, 1, &i, 1, &whole, d->dw);
    perp_add_columns(&rows, d->a.u.k, d->a.set, -1, d->v, d->dw);
}

/* The first settled w to reach zero before t. */
static int block_w(const dantzig *d, double size, double *t)
{
    int at = -1;
    double unit = 16 * DBL_EPSILON * sqrt(size);
    for (int j = 0; j < d->reach; j++) {
        if (!outside(d, j) || d->state[j] != SETTLED || !(d->dw[j] < 0)) continue;
        double r = d->w[j] / -d->dw[j];
        if (r < *t && -d->dw[j] > unit * sqrt(d->a.diagonal[j])) {
            *t = r;
            at = j;
        }
    }
    return at;
}

static void move_w(dantzig *d, double t)
{
    for (int j = 0; j < d->reach; j++) {
        if (!outside(d, j) || d->state[j] == WAITING) continue;
        double next = d->w[j] + t * d->dw[j];
        d->w[j] = next > 0 ? next : 0;
    }
}

/* Index j, whose w is zero now, joins. M_jj may have nothing left but rounding: w_j is held. */
static bool enter(dantzig *d, int i, int j)
{
    int k = d->a.u.k;
    double product = 0, left = perp_active_reduce(&d->a, j, d->x);
    d->w[j] = 0;
    if (!(left > DEPENDENT * d->a.diagonal[j])) {
        d->state[j] = HELD;
        return true;
    }
    for (int p = 0; p < k; p++) product += d->x[p] * d->y[p];
    if (!perp_active_push(&d->a, j, d->x, left)) return false;
    perp_active_gather(&d->a, i, d->x);
    d->y[k] = (d->x[k] - product) / sqrt(left);
    d->left -= d->y[k] * d->y[k];
    return refactor(d, i);
}

/* Raise z_i until w_i = 0, those settled before kept complementary. */
static ending drive_keeping(dantzig *d, int i, double w)
{
    int idle = 0;
    d->left = perp_active_reduce(&d->a, i, d->y);
    while (perp_continue(d->run, NULL, INFINITY)) {
        double size = find_direction(d, i);
        if (d->left < -INDEFINITE * size) return INDEFINITE_M;
        bool flat = d->left <= DEPENDENT * size;
        double t = flat ? INFINITY : -w / d->left;
        int at = block_z(d, &t), entering = -1;
        if (!flat) {
            find_slope(d, i);
            entering = block_w(d, size, &t);
        }
        if (!(t < INFINITY)) return isnan(t) ? STUCK : RAY;
        idle = t > 0 ? 0 : idle + 1;
        if (idle > 2 * d->n) return STUCK;
        move_z(d, i, t);
        if (!flat) move_w(d, t);
        w += flat ? 0 : t * d->left;
        bool room = entering >= 0 ? enter(d, i, entering)
                    : at >= 0     ? leave(d, i, at)
                                  : settle(d, i);
        if (!room) return NO_MEMORY;
        if (!outside(d, i)) return DONE;
    }
    return STOPPED;
}

/* Settle all that wait, in order; *i is where it ended. */
static ending drive_in_order(dantzig *d, int *i)
{
    for (*i = 0; *i < d->n; ++*i) {
        int at = *i;
        if (at >= d->reach) d->reach = at + 1;
        if (!outside(d, at) || d->state[at] != WAITING) continue;
        double w = slack(d, at);
        ending e = w < -d->tiny ? drive_keeping(d, at, w) : DONE;
        if (e != DONE) return e;
        d->w[at] = w > 0 ? w : 0;
        d->state[at] = SETTLED;
        for (int j = 0; j < at; j++) d->state[j] = d->state[j] == HELD ? SETTLED : d->state[j];
    }
    return DONE;
}

/* ---- the method ---- */

/* |min(z, w)| of z's nonnegative part, scaled. */
static double measure(dantzig *d, double *z)
{
    double sum = 0;
    for (int i = 0; i < d->n; i++) z[i] = d->z[i] > 0 ? d->z[i] : 0;
    perp_active_slack(&d->a, d->q, z, d->w);
    for (int i = 0; i < d->n; i++) {
        double least = d->w[i] < z[i] ? d->w[i] : z[i];
        sum += least * least;
    }
    return sqrt(sum) / perp_scale(d->run);
}

/* z of the set, refined while that helps, and its residual. */
static double finish(dantzig *d, double *z)
{
    double before, estimate = INFINITY;
    find_vertex(d);
    do {
        before = estimate;
        perp_active_correct(&d->a, d->w, d->z);
        estimate = measure(d, z);
    } while (estimate > REFINED && estimate < before / 2);
    return estimate;
}

/* The direction along which z_i grows for ever, as a proof. */
static perp_status end_on_ray(dantzig *d, int i)
{
    double *y = PERP_ALLOC(d->run, double, d->n), *v = PERP_ALLOC(d->run, double, d->n);
    perp_residual r;
    if (d->run->arena->failed) return PERP_E_MEMORY;
    d->reach = d->n;
    find_slope(d, i); /* M_.i - M_.a v: zero on a, but for rounding that one step takes away */
    for (int p = 0; p < d->a.u.k; p++) v[d->a.set[p]] = -d->v[p];
    perp_active_correct(&d->a, d->dw, v);
    for (int j = 0; j < d->n; j++) y[j] = v[j] > 0 ? v[j] : 0;
    y[i] = 1;
    perp_status s = perp_check(d->run->problem, PERP_INFEASIBLE, y, d->run->arena, &r);
    if (s == PERP_E_MEMORY) return s;
    if (s) {
        return perp_fail(d->run, PERP_STALLED,
                         "z[%d] grows without an end, which proves nothing: M is nearly singular",
                         i);
    }
    d->run->certificate = y;
    return perp_fail(d->run, PERP_INFEASIBLE, "no z >= 0 has M z + q >= 0; w holds the proof");
}

static perp_status conclude(dantzig *d, ending e, int i, double *z)
{
    for (int j = 0; j < d->n; j++) z[j] = d->z[j] > 0 ? d->z[j] : 0;
    switch (e) {
    case RAY: return end_on_ray(d, i);
    case INDEFINITE_M:
        return perp_fail(d->run, PERP_E_NUMBER,
                         "M is not positive semidefinite, as index %d shows; see lcp/lemke", i);
    case STOPPED: return d->run->status;
    case NO_MEMORY: return PERP_E_MEMORY;
    default: return perp_fail(d->run, PERP_STALLED, "the pivots for index %d lead nowhere", i);
    }
}

static perp_status solve(perp_run *run, double *z)
{
    dantzig d;
    int i = 0;
    perp_status s = open_dantzig(&d, run);
    if (s) return s;
    if (!start(&d, z)) return PERP_E_MEMORY;
    for (int pass = 0; pass < PASSES; pass++) {
        bool order = d.options->rule == PERP_DRIVE_ORDER;
        ending e = order ? drive_in_order(&d, &i) : drive_worst(&d, &i);
        if (e != DONE) return conclude(&d, e, i, z);
        if (!perp_continue(run, z, finish(&d, z))) return run->status;
        if (!perp_active_rebuild(&d.a, DEPENDENT)) return PERP_E_MEMORY;
        find_vertex(&d);
        if (!repair(&d)) return PERP_E_MEMORY;
    }
    return perp_fail(run, PERP_STALLED, "rounding spoils the pivots: M is nearly singular");
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_dantzig_options, rule, "worst|order",
                       "drive the most negative w, or one index after the other (Baraff)"),
    PERP_OPTION(perp_dantzig_options, refactor, 0, 1,
                "factor anew after each pivot instead of updating"),
    {0},
};

static const perp_solver solver = {
    .name = "lcp/dantzig",
    .about = "principal pivoting for symmetric semidefinite M (Dantzig 1961; Baraff 1994)",
    .kind = PERP_LCP,
    .formats = {PERP_DENSE | PERP_CSC},
    .flags = PERP_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_dantzig_options),
    .options = options,
    .solve = solve,
};

const perp_dantzig_options perp_lcp_dantzig = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .rule = PERP_DRIVE_WORST,
};
