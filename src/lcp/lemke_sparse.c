/* lcp/lemke_sparse.c: Lemke's method on a sparse basis (method/linear_path.c).
 * Lemke 1965; Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 4.4; the
 * start: Judice, Pires, A block principal pivoting algorithm for large-scale strictly monotone
 * linear complementarity problems, Computers and Operations Research 21 (1994).
 *
 * A path from a basis that is nearly right is short, so projected Gauss-Seidel sweeps and exchanges
 * of whole blocks choose the first one; where the path from there ends on a ray, it starts again
 * from w, and only a ray of that start is shown. A pivot costs O(n) and the entries of the factors
 * that its column reaches; memory is linear in the entries of M and of the factors. */
#include "base/vector.h"
#include "base/watch.h"
#include "core/internal.h"
#include "lemke.h"
#include "linalg/equilibrate.h"
#include "linalg/principal_submatrix.h"
#include "method/linear_path.h"
#include "perp/solver.h"
#include "perp/solvers.h"

#define SWEEPS 10  /* of Gauss-Seidel before the first block exchange */
#define ROUNDS 100 /* block exchanges at most, each with fewer pairs of the wrong sign */
#define RESTARTS 1
#define PATHS 3     /* as lcp/lemke.c has them */
#define COARSER 100 /* times the noise, where the data may hide ties */
#define RAY_NOISE 1e-13
#define START_NOISE 1e-13 /* of basic values at a start, against the largest */

typedef struct sparse {
    perp_run *run;
    int n;
    perp_matrix M;           /* scaled */
    double *q, *r, *s, unit; /* diag(r) M diag(s), diag(r) q / unit */
    double *z, *w, *cover;
    bool *best;
    perp_linear_path t;
} sparse;

/* ---- opening ---- */

static bool scale_problem(sparse *l, const perp_lcp *p)
{
    perp_matrix sorted;
    perp_arena *a = l->run->arena;
    if (perp_sort_csc(&p->M, a, &sorted)) return false;
    size_t entries = (size_t)sorted.as.csc.p[l->n];
    double *x = (double *)sorted.as.csc.x; /* our own copy, unless M was sorted */
    if (x == p->M.as.csc.x) {
        x = perp_alloc_unset(a, entries, sizeof *x);
        if (!x) return false;
        if (entries) memcpy(x, sorted.as.csc.x, entries * sizeof *x);
    }
    perp_equilibrate_csc(l->n, sorted.as.csc.p, sorted.as.csc.i, x, l->r, l->s, l->t.work,
                         a->watch);
    l->M = perp_csc(l->n, l->n, sorted.as.csc.p, sorted.as.csc.i, x);
    double most = 0;
    for (int i = 0; i < l->n; i++) most = fmax(most, fabs(l->r[i] * p->q[i]));
    l->unit = most > 0 ? exp2(floor(log2(most))) : 1;
    for (int i = 0; i < l->n; i++) l->q[i] = l->r[i] * p->q[i] / l->unit;
    return true;
}

static bool open_sparse(sparse *l, perp_run *run)
{
    const perp_lcp *p = &run->problem->as.lcp;
    int n = p->n;
    *l = (sparse){.run = run, .n = n};
    double **const vectors[] = {&l->q, &l->r, &l->s, &l->z, &l->w, &l->cover};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = PERP_ALLOC(run, double, n);
    }
    l->best = PERP_ALLOC(run, bool, n);
    double *lo = PERP_ALLOC(run, double, n), *hi = PERP_ALLOC(run, double, n);
    double *work = PERP_ALLOC(run, double, 2 * (size_t)n);
    if (run->arena->failed) return false;
    for (int i = 0; i < n; i++) hi[i] = INFINITY;
    l->t.work = work;
    if (!scale_problem(l, p)) return false;
    const struct perp_csc_view *c = &l->M.as.csc;
    return perp_linear_path_open(&l->t, run->arena, n, c->p, c->i, c->x, l->q, lo, hi);
}

/* ---- a start ---- */

static void start_cold(sparse *l)
{
    memset(l->t.in, 0, (size_t)l->n * sizeof *l->t.in);
}

static void start_warm(sparse *l, const double *z)
{
    for (int i = 0; i < l->n; i++) l->t.in[i] = z[i] > 0;
}

/* z and w after some sweeps, w += M_i (change of z_i); false: they diverge. */
static bool sweep(sparse *l)
{
    const struct perp_csc_view *c = &l->M.as.csc;
    memcpy(l->w, l->q, (size_t)l->n * sizeof *l->w);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 0; i < l->n; i++) {
            double m = perp_diagonal(&l->M, i), old = l->z[i], next = old - l->w[i] / m;
            if (!(m > 0)) continue;
            next = next > 0 ? next : 0;
            l->z[i] = next;
            if (next == old) continue;
            for (int e = c->p[i]; e < c->p[i + 1]; e++) l->w[c->i[e]] += c->x[e] * (next - old);
        }
    }
    return vector_is_finite((size_t)l->n, l->z) && vector_is_finite((size_t)l->n, l->w);
}

static bool is_wrong(const perp_linear_path *t, int slot, double noise)
{
    return t->x[slot] < t->low[slot] - noise || t->x[slot] > t->high[slot] + noise;
}

/* Exchange all pairs of the wrong sign, while they get fewer. True: t->in is a start. */
static perp_status exchange_blocks(sparse *l)
{
    perp_linear_path *t = &l->t;
    int least = l->n + 1;
    for (int round = 0; round < ROUNDS && perp_continue(l->run, NULL, INFINITY); round++) {
        perp_basis_status status = perp_linear_path_factor(t);
        if (status == PERP_BASIS_MEMORY) return PERP_E_MEMORY;
        if (status) break;
        int wrong = 0;
        double noise = START_NOISE * vector_max(l->n, t->x);
        for (int s = 0; s < l->n; s++) wrong += is_wrong(t, s, noise);
        if (wrong >= least) break;
        least = wrong;
        memcpy(l->best, t->in, (size_t)l->n * sizeof *l->best);
        if (wrong == 0) break;
        for (int s = 0; s < l->n; s++) {
            int v = t->basis.head[s], i = v < l->n ? v : v - l->n;
            if (is_wrong(t, s, noise)) t->in[i] = !t->in[i];
        }
    }
    if (least <= l->n) memcpy(t->in, l->best, (size_t)l->n * sizeof *l->best);
    return least <= l->n ? PERP_SOLVED : PERP_STALLED;
}

/* PERP_STALLED: no better than a cold start. */
static perp_status start_crash(sparse *l)
{
    if (!sweep(l)) return PERP_STALLED;
    start_warm(l, l->z);
    return exchange_blocks(l);
}

/* ---- a path ---- */

static void fill_cover(sparse *l)
{
    const perp_lcp_lemke_options *o = (const perp_lcp_lemke_options *)l->run->options;
    const struct perp_csc_view *c = &l->M.as.csc;
    if (o->cover == PERP_COVER_ONES) {
        for (int s = 0; s < l->n; s++) l->cover[s] = 1;
        return;
    }
    memset(l->w, 0, (size_t)l->n * sizeof *l->w);
    for (int e = 0; e < c->p[l->n]; e++) l->w[c->i[e]] += fabs(c->x[e]);
    for (int i = 0; i < l->n; i++) {
        l->cover[l->t.basis.slot[i]] = l->w[i] > 0 ? l->w[i] : 1;
    }
}

/* Pivot from the basis t->in to a solution, a ray, a cycle or a limit. */
static perp_linear_path_step follow(sparse *l)
{
    perp_linear_path *t = &l->t;
    perp_basis_status status = perp_linear_path_factor(t);
    if (status)
        return status == PERP_BASIS_MEMORY ? PERP_LINEAR_PATH_MEMORY : PERP_LINEAR_PATH_SINGULAR;
    double noise = START_NOISE * vector_max(l->n, t->x);
    for (int s = 0; s < l->n; s++) {
        if (!is_wrong(t, s, noise)) t->x[s] = fmin(fmax(t->x[s], t->low[s]), t->high[s]);
    }
    fill_cover(l);
    double t0 = perp_linear_path_cover(t, l->cover);
    if (t0 == 0) return PERP_LINEAR_PATH_SOLUTION;
    perp_linear_path_begin(t, t0);
    perp_linear_path_step step = PERP_LINEAR_PATH_PIVOTED;
    while (step == PERP_LINEAR_PATH_PIVOTED && perp_continue(l->run, NULL, INFINITY)) {
        step = perp_linear_path_pivot(t);
    }
    return step;
}

static void read_vertex(const sparse *l, double *z)
{
    for (int i = 0; i < l->n; i++) {
        double value = perp_linear_path_value(&l->t, l->n + i);
        z[i] = value > 0 ? l->unit * l->s[i] * value : 0;
    }
}

/* Is the solve over with this z? Not for a want of progress: each vertex is a new proposal. */
static bool ends(sparse *l, const double *z)
{
    return !perp_continue(l->run, z, 0) && l->run->status != PERP_STALLED;
}

static bool accepted(sparse *l, double *z)
{
    if (perp_linear_path_polish(&l->t)) {
        read_vertex(l, z);
        if (ends(l, z)) return true;
    }
    read_vertex(l, z);
    return ends(l, z);
}

/* A ray that also proves infeasibility is reported as that. PERP_STALLED: rounding spoilt it. */
static perp_status end_on_ray(sparse *l)
{
    double *y = PERP_ALLOC(l->run, double, l->n), most = 0;
    if (!y) return PERP_E_MEMORY;
    if (!perp_linear_path_polish_ray(&l->t)) return PERP_STALLED;
    for (int i = 0; i < l->n; i++) {
        y[i] = perp_linear_path_rate(&l->t, l->n + i);
        most = fmax(most, y[i]);
    }
    for (int i = 0; i < l->n; i++) {
        y[i] = y[i] > RAY_NOISE * most ? l->s[i] * (y[i] / most) : 0;
    }
    static const perp_status claims[] = {PERP_INFEASIBLE, PERP_RAY};
    for (int k = 0; k < 2; k++) {
        perp_status s = perp_prove(l->run, claims[k], y);
        if (s == PERP_E_MEMORY) return s;
        if (s) continue;
        l->run->proof = y;
        return claims[k];
    }
    return PERP_STALLED;
}

static void take_basis(sparse *l)
{
    for (int i = 0; i < l->n; i++) l->t.in[i] = l->t.place[l->n + i] >= 0;
}

/* From t->in, with fresh starts from the bases that come of it. PERP_STALLED: no certified end. */
static perp_status follow_path(sparse *l, bool cold, double *z)
{
    for (int start = 0; start <= RESTARTS; start++) {
        perp_linear_path_step step = follow(l);
        if (step == PERP_LINEAR_PATH_MEMORY) return PERP_E_MEMORY;
        if (step == PERP_LINEAR_PATH_PIVOTED) {
            read_vertex(l, z);
            return l->run->status;
        }
        if (step == PERP_LINEAR_PATH_SOLUTION && accepted(l, z)) return l->run->status;
        if (step == PERP_LINEAR_PATH_RAY && cold) {
            perp_status s = end_on_ray(l);
            if (s != PERP_STALLED) return s;
        }
        if (step == PERP_LINEAR_PATH_RAY || step == PERP_LINEAR_PATH_SINGULAR) break;
        take_basis(l);
        cold = false;
    }
    return PERP_STALLED;
}

/* The first basis: the caller's, that of a crash, or w. False: it is w. */
static perp_status choose_start(sparse *l, const double *z, bool *cold)
{
    const perp_lcp_lemke_options *o = (const perp_lcp_lemke_options *)l->run->options;
    perp_status s = PERP_SOLVED;
    *cold = false;
    if (o->base.warm_start)
        start_warm(l, z);
    else if (o->crash)
        s = start_crash(l);
    else
        *cold = true;
    if (s == PERP_STALLED) *cold = true;
    return s == PERP_E_MEMORY ? s : PERP_SOLVED;
}

perp_status perp_lemke_sparse(perp_run *run, double *z)
{
    sparse l;
    bool cold;
    if (!open_sparse(&l, run)) return PERP_E_MEMORY;
    if (perp_watch_stops(run->arena)) return PERP_STALLED; /* the driver says why */
    if (choose_start(&l, z, &cold)) return PERP_E_MEMORY;
    perp_status s = PERP_STALLED, proven = s;
    double *proof = NULL; /* of the more telling of the ends that have one */
    for (int path = 0; path < PATHS; path++) {
        l.t.doubtful = false;
        if (cold) start_cold(&l);
        s = follow_path(&l, cold, z);
        if (s == PERP_INFEASIBLE || (s == PERP_RAY && proven != PERP_INFEASIBLE)) {
            proven = s;
            proof = run->proof;
        }
        if ((s != proven && s != PERP_STALLED) || (cold && !l.t.doubtful)) break;
        if (cold) l.t.noise *= COARSER;
        cold = true;
    }
    if (s != PERP_SOLVED && proof) s = proven;
    run->proof = proof;
    return lemke_conclude(run, s);
}
