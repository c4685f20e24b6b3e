/* qp/wilhelmsen.c: the nearest point of a polyhedral cone, from face to face.
 * Wilhelmsen, A nearest point algorithm for convex polyhedral cones and applications to positive
 * linear approximation, Math. Comp. 30 (1976); Redon, Kheddar, Coquillart, Gauss' least constraints
 * principle and rigid body simulations (2002), section 5, where the cone is in motion space.
 *
 * From the nearest point A x of one face the generator a_j at the smallest angle to the residual
 * r = b - A x joins, and x moves to the nearest point of the larger face's span; a generator whose
 * x reaches zero on the way leaves. The distance falls with each face, so that none comes back.
 * All that is kept of A'A is the Cholesky factor of the face's, updated (method/active_factor.c): a
 * pivot costs two triangular solves, and r and A'r come from A, the latter for `candidates` pivots
 * at once. Dependent generators stay out; a free x joins first and never leaves.
 *
 * Memory: k^2 numbers for a face of k generators, and 5 n + 2 m. */
#include "base/vector.h"
#include "base/watch.h"
#include "core/defaults.h"
#include "method/active_factor.h"
#include "nnls_scaled.h"
#include "perp/solver.h"

#include <float.h>

#define DEPENDENT 1e-13 /* squared distance to the face's span, over the terms it is made of */
#define ROUNDING 1e-15  /* the same, of a generator that is in the face already */
#define SUSPECT 1e-6    /* a distance that is computed once more, in motion space */
#define NOISE (16 * DBL_EPSILON) /* of a_j'r over |a_j| and the terms of r: not positive */
#define SMALL 1e-10              /* may be rounding */
#define DRIFT 1e-12              /* of a_j'r on the face, that is worth a correction */
#define REFINED 1e-14            /* residual that needs no further refinement */
#define REFUSALS 10              /* of a generator, on average: more are a circle */
#define PASSES 4                 /* fresh factors for an answer that the certificate refused */
#define MOST_CANDIDATES 64

typedef enum ending { DONE, STOPPED, NO_MEMORY } ending;

typedef struct cone {
    perp_run *run;
    const perp_nnls_wilhelmsen_options *options;
    const perp_nnls *p;
    int m, n;
    perp_gram gram;
    perp_active_factor a;
    bool *refused;      /* until x moves */
    double refusals;    /* in all */
    double *x, *g;      /* g = A'r */
    double *v, *y;      /* as x_j grows by 1, x_a falls by v; y is its first half */
    double *h;          /* scratch, n */
    double *r, *apart;  /* residual; what of a_j the face's span does not have */
    double left, terms; /* |apart|^2, and what it is made of */
    double size;        /* terms of r */
} cone;

/* ---- opening ---- */

static perp_status open_cone(cone *c, perp_run *run)
{
    const perp_nnls *p = &run->problem->as.nnls;
    int m = p->A.m, n = p->A.n;
    *c = (cone){.run = run, .p = p, .m = m, .n = n};
    c->options = (const perp_nnls_wilhelmsen_options *)run->options;
    c->refused = PERP_ALLOC(run, bool, n);
    double **each[] = {&c->x, &c->g, &c->v, &c->y, &c->h};
    for (int k = 0; k < 5; k++) *each[k] = PERP_ALLOC(run, double, n);
    c->r = PERP_ALLOC(run, double, m);
    c->apart = PERP_ALLOC(run, double, m);
    if (run->arena->failed || !perp_gram_open(&c->gram, &p->A, run->arena)) return PERP_E_MEMORY;
    if (perp_watch_stops(run->arena)) return PERP_STALLED; /* the driver says why */
    if (!perp_active_factor_open_gram(&c->a, &c->gram, run->arena)) return PERP_E_MEMORY;
    return !c->options->refactor || perp_active_factor_keep(&c->a) ? PERP_SOLVED : PERP_E_MEMORY;
}

static bool is_free(const cone *c, int j)
{
    return c->p->is_free && c->p->is_free[j];
}

/* ---- points ---- */

/* r = b - A x, g = A'r */
static void find_residual(cone *c)
{
    c->size = vector_norm(c->m, c->p->b);
    memcpy(c->r, c->p->b, (size_t)c->m * sizeof *c->r);
    for (int p = 0; p < c->a.u.k; p++) {
        int j = c->a.set[p];
        c->a.x[p] = c->x[j];
        c->size += fabs(c->x[j]) * sqrt(c->a.diagonal[j]);
    }
    perp_gram_add(&c->gram, c->a.u.k, c->a.set, -1, c->a.x, c->r);
}

static void find_slopes(cone *c)
{
    find_residual(c);
    perp_mul_t(&c->p->A, 1, c->r, 0, c->g);
}

/* x_a += (A_a'A_a)^-1 g_a */
static void correct(cone *c)
{
    for (int p = 0; p < c->a.u.k; p++) c->h[c->a.set[p]] = -c->g[c->a.set[p]];
    perp_active_factor_correct(&c->a, c->h, c->x);
}

/* The nearest point of the face's span. */
static void find_nearest(cone *c)
{
    memset(c->x, 0, (size_t)c->n * sizeof *c->x);
    perp_mul_t(&c->p->A, 1, c->p->b, 0, c->g);
    correct(c);
}

static bool take_list(cone *c, int count)
{
    if (!perp_active_factor_assign(&c->a, count, c->a.list, DEPENDENT)) return false;
    find_nearest(c);
    return true;
}

/* Take negative x out until there are none. */
static bool repair(cone *c)
{
    for (;;) {
        int count = 0;
        for (int p = 0; p < c->a.u.k; p++) {
            int j = c->a.set[p];
            if (is_free(c, j) || c->x[j] >= 0) c->a.list[count++] = j;
        }
        if (count == c->a.u.k) return true;
        if (!take_list(c, count)) return false;
    }
}

/* All free x, and the positive ones of a warm start. */
static bool start(cone *c, const double *z)
{
    int count = 0;
    bool warm = c->options->base.warm_start;
    for (int j = 0; j < c->n; j++) {
        if (is_free(c, j)) c->a.list[count++] = j;
    }
    for (int j = 0; warm && j < c->n; j++) {
        if (!is_free(c, j) && z[j] > 0) c->a.list[count++] = j;
    }
    return count == 0 || (take_list(c, count) && repair(c));
}

/* ---- pivots ---- */

/* apart = a_j - A_a v, and its square. */
static void find_apart(cone *c, int j)
{
    const double one = 1;
    memset(c->apart, 0, (size_t)c->m * sizeof *c->apart);
    perp_gram_add(&c->gram, 1, &j, 1, &one, c->apart);
    perp_gram_add(&c->gram, c->a.u.k, c->a.set, -1, c->v, c->apart);
    double norm = vector_norm(c->m, c->apart);
    c->left = norm * norm;
}

/* A difference of squares leaves nothing right of a small distance; the vector itself does. */
static void sharpen(cone *c, int j)
{
    find_apart(c, j);
    perp_mul_t(&c->p->A, 1, c->apart, 0, c->h);
    for (int p = 0; p < c->a.u.k; p++) c->a.x[p] = c->h[c->a.set[p]];
    perp_updated_forward(&c->a.u, c->a.x);
    perp_updated_backward(&c->a.u, c->a.x);
    for (int p = 0; p < c->a.u.k; p++) c->v[p] += c->a.x[p];
    find_apart(c, j);
}

static void find_direction(cone *c, int j)
{
    c->terms = c->a.diagonal[j];
    memcpy(c->v, c->y, (size_t)c->a.u.k * sizeof *c->v);
    perp_updated_backward(&c->a.u, c->v);
    for (int p = 0; p < c->a.u.k; p++) c->terms += c->v[p] * c->v[p] * c->a.diagonal[c->a.set[p]];
    if (!(c->left > SUSPECT * c->terms)) sharpen(c, j);
}

/* The first x to reach zero before t, the lowest index among equals; -1: none. */
static int find_block(const cone *c, double *t)
{
    int at = -1;
    const int *set = c->a.set;
    for (int p = 0; p < c->a.u.k; p++) {
        if (!(c->v[p] > 0) || is_free(c, set[p])) continue;
        double limit = c->x[set[p]] / c->v[p];
        if (limit < *t || (limit == *t && (at < 0 || set[p] < set[at]))) {
            *t = limit;
            at = p;
        }
    }
    return at;
}

static void move(cone *c, int j, double t)
{
    for (int p = 0; p < c->a.u.k; p++) {
        int i = c->a.set[p];
        double next = c->x[i] - t * c->v[p];
        c->x[i] = next > 0 || is_free(c, i) ? next : 0;
    }
    c->x[j] += t;
}

/* With option refactor nothing is updated. */
static bool refactor(cone *c, int j)
{
    if (!c->options->refactor) return true;
    if (!perp_active_factor_rebuild(&c->a, -ROUNDING)) return false;
    if (c->a.place[j] < 0) c->left = perp_active_factor_reduce_again(&c->a, c->y);
    return true;
}

static bool leave(cone *c, int j, int at)
{
    int i = c->a.set[at];
    double last = perp_active_factor_drop(&c->a, at, c->y);
    c->left += last * last;
    c->x[i] = 0;
    return refactor(c, j);
}

/* Generator j came near enough to the face's span for a_j'r > 0 to be rounding. */
static ending refuse(cone *c, int j)
{
    c->refused[j] = true;
    c->refusals++;
    if (c->x[j] == 0) return DONE;
    c->x[j] = 0; /* others left on the way: the point is not their nearest any more */
    find_slopes(c);
    correct(c);
    return repair(c) ? DONE : NO_MEMORY;
}

static ending settle(cone *c, int j)
{
    if (!perp_active_factor_push(&c->a, j, c->y, c->left) || !refactor(c, j)) return NO_MEMORY;
    memset(c->refused, 0, (size_t)c->n * sizeof *c->refused);
    return DONE;
}

/* Raise x_j until a_j'r, which is `slope`, is zero. */
static ending join(cone *c, int j, double slope)
{
    c->left = perp_active_factor_reduce(&c->a, j, c->y);
    while (perp_continue(c->run, NULL, INFINITY)) {
        find_direction(c, j);
        bool flat = !(c->left > DEPENDENT * c->terms);
        double t = flat ? INFINITY : slope / c->left;
        int at = find_block(c, &t);
        if (!(t < INFINITY)) return refuse(c, j);
        move(c, j, t);
        slope -= flat ? 0 : t * c->left;
        if (at < 0) return settle(c, j);
        if (!leave(c, j, at)) return NO_MEMORY;
    }
    c->x[j] = 0;
    return STOPPED;
}

/* ---- the method ---- */

/* x_a by one step of refinement where rounding has moved it off the face's nearest point. */
static void correct_drift(cone *c)
{
    double worst = 0;
    bool inside = true;
    for (int p = 0; p < c->a.u.k; p++) {
        int j = c->a.set[p];
        worst = fmax(worst, fabs(c->g[j]) / sqrt(c->a.diagonal[j]));
        c->v[p] = c->x[j];
    }
    if (!(worst > DRIFT * c->size)) return;
    correct(c);
    for (int p = 0; p < c->a.u.k; p++) {
        inside &= is_free(c, c->a.set[p]) || c->x[c->a.set[p]] > 0;
    }
    for (int p = 0; !inside && p < c->a.u.k; p++) c->x[c->a.set[p]] = c->v[p];
    if (inside) find_slopes(c);
}

static double norm_of(const cone *c, int j)
{
    return c->a.diagonal[j] > 0 ? sqrt(c->a.diagonal[j]) : c->p->A.format == PERP_FORMAT_OPERATOR;
}

/* The generators at the smallest angles to r, the smallest first. */
static int find_candidates(const cone *c, int *chosen)
{
    double best[MOST_CANDIDATES], least = NOISE * c->size;
    int count = 0, most = c->options->candidates;
    for (int j = 0; j < c->n; j++) {
        if (!(c->g[j] > 0) || c->a.place[j] >= 0 || c->refused[j] || is_free(c, j)) continue;
        double slope = c->g[j] / norm_of(c, j);
        if (!(slope > least) || (count == most && slope <= best[most - 1])) continue;
        int at = count < most ? count++ : most - 1;
        for (; at > 0 && best[at - 1] < slope; at--) {
            best[at] = best[at - 1];
            chosen[at] = chosen[at - 1];
        }
        best[at] = slope;
        chosen[at] = j;
    }
    return count;
}

/* From face to face until no generator is at an acute angle to r. */
static ending walk(cone *c)
{
    int chosen[MOST_CANDIDATES], count, small = 0;
    for (;;) {
        find_slopes(c);
        correct_drift(c);
        if ((count = find_candidates(c, chosen)) == 0) return DONE;
        bool joined = false;
        for (int k = 0; k < count; k++) {
            int j = chosen[k];
            double slope = k > 0 ? perp_gram_dot(&c->gram, j, c->r) : c->g[j];
            if (!(slope > NOISE * c->size * norm_of(c, j))) continue;
            small = slope > SMALL * c->size * norm_of(c, j) ? 0 : small + 1;
            /* It may be rounding that goes in circles. */
            if (small > c->n || c->refusals > REFUSALS * (c->n + 1.)) return DONE;
            ending e = join(c, j, slope);
            joined = true;
            if (e != DONE) return e;
            if (k + 1 < count) find_residual(c);
        }
        if (!joined) return DONE; /* angles that are no numbers any more */
    }
}

/* |min(x, w)| of x's nonnegative part, scaled. */
static double measure(cone *c)
{
    double sum = 0;
    for (int p = 0; p < c->a.u.k; p++) {
        int j = c->a.set[p];
        if (!is_free(c, j) && !(c->x[j] > 0)) c->x[j] = 0;
    }
    find_slopes(c);
    for (int j = 0; j < c->n; j++) {
        double w = -c->g[j], least = is_free(c, j) || w < c->x[j] ? w : c->x[j];
        sum += least * least;
    }
    return sqrt(sum) / perp_scale(c->run);
}

/* x refined while that helps; the best is in z. Returns its residual. */
static double finish(cone *c, double *z)
{
    double best = INFINITY;
    for (;; correct(c)) {
        double before = best, estimate = measure(c);
        if (estimate < best) {
            best = estimate;
            memcpy(z, c->x, (size_t)c->n * sizeof *z);
        }
        if (!(best > REFINED && best < before / 2)) return best;
    }
}

static perp_status solve(perp_run *run, double *z)
{
    cone c;
    perp_status s;
    if (perp_nnls_scaled(run, NNLS_ANY_SPREAD, z, &s)) return s;
    s = open_cone(&c, run);
    if (s) return s;
    if (!start(&c, z)) return PERP_E_MEMORY;
    for (int pass = 0; pass < PASSES; pass++) {
        ending e = walk(&c);
        if (e == NO_MEMORY) return PERP_E_MEMORY;
        double estimate = finish(&c, z);
        if (e == STOPPED) return run->status;
        if (!perp_continue(run, z, estimate)) return run->status;
        if (!perp_active_factor_rebuild(&c.a, DEPENDENT)) return PERP_E_MEMORY;
        find_nearest(&c);
        if (!repair(&c)) return PERP_E_MEMORY;
    }
    return perp_fail(run, PERP_STALLED,
                     "rounding errors spoil the pivots: columns of A are nearly dependent");
}

static const perp_option options[] = {
    PERP_OPTION(perp_nnls_wilhelmsen_options, candidates, 1, MOST_CANDIDATES,
                "generators that may join after one product with A'; 1: the best alone"),
    PERP_OPTION(perp_nnls_wilhelmsen_options, refactor, 0, 1,
                "factor anew after each pivot instead of updating"),
    {0},
};

static const perp_solver solver = {
    .name = "nnls/wilhelmsen",
    .about = "nearest point of a polyhedral cone, face by face (Wilhelmsen 1976)",
    .kind = PERP_KIND_NNLS,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_nnls_wilhelmsen_options),
    .options = options,
    .solve = solve,
    .room = perp_room_none,
};

const perp_nnls_wilhelmsen_options perp_nnls_wilhelmsen = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .candidates = 8,
};
