/* lcp/pivot.c: block principal pivoting with a least-index safeguard.
 * Kostreva, Block pivot methods for solving the complementarity problem, Linear Algebra Appl. 21
 * (1978); Judice & Pires, A block principal pivoting algorithm for large-scale strictly monotone
 * LCPs, Computers Oper. Res. 21 (1994); Portugal, Judice, Vicente, Math. Comp. 63 (1994).
 *
 * All pairs with a negative member are exchanged at once while their number falls, `trials` times
 * without that; else the one of largest index alone (Murty 1974), which ends for P-matrices. Where
 * M_aa is singular, or sets come back, the method solves the proximal problems M + e I, q - e c
 * instead, c the solution before: they lead to a solution of every monotone LCP that has one, and
 * off to infinity, along a proof, where nothing is feasible.
 *
 * One factorisation of M_aa an exchange, some two to ten in all for definite M. Dense: n^2 + 8 n
 * numbers, and as many again where M is badly scaled. Sparse: the factors as well. */
#include "base/cache.h"
#include "base/clones.h"
#include "base/vector.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "linalg/equilibrate.h"
#include "linalg/principal_submatrix.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#define SYMMETRY 1e-10 /* relative: as symmetric as this is treated by Cholesky */
#define NOISE 1e-14    /* of a basic variable against the largest of its kind: not negative */
#define SMALL 48       /* sparse matrices up to here, or with this part of ... */
#define FILLED 0.25    /* ... their entries there are quicker made dense */
#define SHIFT 1e-2     /* first proximal e, against the largest entry of M */
#define SHIFT_LESS 0.1 /* times, after a proximal problem that took less than ... */
#define EASY 8         /* ... these exchanges */
#define SHIFT_MORE 10  /* times, where e was too small to help */
#define SHIFT_LEAST 1e-9
#define DROWNED 1e-6   /* rounding of M z, against q, that spoils any judgement */
#define BLOCK_STEPS 40 /* exchanges for one of them */

typedef enum ending { FEASIBLE, SINGULAR, CYCLE, STOPPED, NO_MEMORY } ending;

typedef struct pivot {
    perp_run *run;
    int n, k;
    perp_matrix M; /* dense, or canonical CSC */
    const double *q;
    double *r, *s; /* rows and columns are scaled by these; NULL: by 1 */
    bool scaled;   /* or that was found to be of no use */
    perp_principal basis;
    bool *in; /* z_i is basic */
    int *set; /* those, ascending */
    double *z, *w, *x;
    double e, *centre;  /* the proximal problem; e = 0: the problem itself */
    double size;        /* largest entry of M */
    bool found;         /* some vertex */
    bool factored;      /* for the present set and e */
    uint64_t now, seen; /* signatures of the set and of one before */
    int made;           /* exchanges for the present problem */
    int steps, next;    /* since the last fall; when `now` becomes `seen` */
    int proximal;       /* proximal problems still allowed */
} pivot;

/* ---- opening ---- */

static bool wants_dense(const perp_matrix *M)
{
    double entries = M->as.csc.p[M->n], all = (double)M->n * M->n;
    return M->n <= SMALL || entries > FILLED * all;
}

static perp_status open_matrix(pivot *p)
{
    const perp_matrix *M = &p->run->problem->as.lcp.M;
    perp_arena *a = p->run->arena;
    p->M = *M;
    if (M->format == PERP_FORMAT_DENSE) return PERP_SOLVED;
    if (wants_dense(M)) return perp_convert(M, PERP_FORMAT_DENSE, a, &p->M, NULL);
    return perp_sort_csc(M, a, &p->M);
}

static double largest_entry(const perp_matrix *M)
{
    double most = 0;
    if (M->format == PERP_FORMAT_CSC) return vector_max(M->as.csc.p[M->n], M->as.csc.x);
    for (int j = 0; j < M->n; j++) {
        most = fmax(most, vector_max(M->n, M->as.dense.x + (size_t)j * (size_t)M->as.dense.ld));
    }
    return most;
}

static perp_status open_pivot(pivot *p, perp_run *run)
{
    int n = run->problem->as.lcp.n, i, j;
    *p = (pivot){.run = run, .n = n, .q = run->problem->as.lcp.q};
    p->proximal = ((const perp_lcp_pivot_options *)run->options)->proximal;
    p->in = PERP_ALLOC(run, bool, n);
    p->set = PERP_ALLOC(run, int, n);
    p->z = PERP_ALLOC(run, double, n);
    p->w = PERP_ALLOC(run, double, n);
    p->x = PERP_ALLOC(run, double, n);
    p->centre = PERP_ALLOC(run, double, n);
    perp_status s = run->arena->failed ? PERP_E_MEMORY : open_matrix(p);
    if (s) return s;
    s = perp_symmetry(&p->M, SYMMETRY, run->arena, &i, &j);
    if (s == PERP_E_MEMORY) return s;
    if (!perp_principal_open(&p->basis, &p->M, s == PERP_SOLVED, run->arena)) return PERP_E_MEMORY;
    p->basis.definite = p->proximal == 0; /* a symmetric M that is not shall end soon */
    return PERP_SOLVED;
}

/* ---- a start ---- */

PERP_CLONED_VOID(add_column, (int n, const double *restrict m, double t, double *restrict y),
                 (n, m, t, y))
{
    for (int i = 0; i < n; i++) y[i] += t * m[i];
}

/* One projected Gauss-Seidel step for index i. */
static void relax(pivot *p, int i)
{
    double d = perp_diagonal(&p->M, i), old = p->z[i], next = old - p->w[i] / d;
    if (!(d > 0) || !isfinite(next)) return;
    next = next > 0 ? next : 0;
    p->z[i] = next;
    if (next == old) return;
    if (p->M.format == PERP_FORMAT_DENSE) {
        const struct perp_dense_view *v = &p->M.as.dense;
        add_column(p->n, v->x + (size_t)i * (size_t)v->ld, next - old, p->w);
    } else {
        double t = next - old;
        perp_add_columns(&p->M, 1, &i, 1, &t, p->w);
    }
}

static void start(pivot *p, const double *z)
{
    const perp_lcp_pivot_options *o = (const perp_lcp_pivot_options *)p->run->options;
    bool warm = o->base.warm_start;
    for (int i = 0; i < p->n; i++) p->z[i] = warm && z[i] > 0 ? z[i] : 0;
    memcpy(p->w, p->q, (size_t)p->n * sizeof *p->w);
    for (int sweep = 0; !warm && sweep < o->sweeps; sweep++) {
        for (int i = 0; i < p->n; i++) relax(p, i);
    }
    for (int i = 0; i < p->n; i++) {
        p->in[i] = warm || o->sweeps > 0 ? p->z[i] > 0 : p->q[i] < 0;
    }
}

/* ---- one vertex ---- */

static uint64_t mark_of(int i)
{
    uint64_t h = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 32;
}

static void collect(pivot *p)
{
    p->k = 0;
    p->now = 0;
    for (int i = 0; i < p->n; i++) {
        if (!p->in[i]) continue;
        p->set[p->k++] = i;
        p->now ^= mark_of(i);
    }
}

/* w = M z + q, and of the proximal problem where e > 0. */
static void find_slack(pivot *p)
{
    for (int i = 0; i < p->n; i++) p->w[i] = p->q[i] + p->e * (p->z[i] - p->centre[i]);
    for (int j = 0; j < p->k; j++) p->x[j] = p->z[p->set[j]];
    perp_add_columns(&p->M, p->k, p->set, 1, p->x, p->w);
}

/* z_a += s (M_aa + e I)^-1 r_a. */
static bool add_solution(pivot *p, double s, const double *r)
{
    for (int j = 0; j < p->k; j++) p->x[j] = r[p->set[j]];
    if (!perp_principal_solve(&p->basis, p->x)) return false;
    for (int j = 0; j < p->k; j++) p->z[p->set[j]] += s * p->x[j];
    return true;
}

/* z and w of the set. */
static ending find_vertex(pivot *p)
{
    collect(p);
    if (!p->factored) {
        perp_status s = perp_principal_factor(&p->basis, p->k, p->set, p->e);
        if (s) return s == PERP_E_MEMORY ? NO_MEMORY : SINGULAR;
        p->factored = true;
    }
    memset(p->z, 0, (size_t)p->n * sizeof *p->z);
    for (int i = 0; i < p->n; i++) p->w[i] = p->q[i] - p->e * p->centre[i];
    if (!add_solution(p, -1, p->w)) return SINGULAR;
    find_slack(p);
    p->found = true;
    return vector_is_finite((size_t)p->n, p->w) ? FEASIBLE : SINGULAR;
}

/* ---- exchanges ---- */

/* The pairs with a negative member: their number, and the largest of them. */
static int find_negative(const pivot *p, int *last)
{
    double least_z = -NOISE * vector_max(p->n, p->z);
    double least_w = -NOISE * fmax(vector_max(p->n, p->q), vector_max(p->n, p->w));
    int count = 0;
    *last = -1;
    for (int i = 0; i < p->n; i++) {
        if (p->in[i] ? p->z[i] >= least_z : p->w[i] >= least_w) continue;
        count++;
        *last = i;
    }
    return count;
}

static void exchange_all(pivot *p)
{
    double least_z = -NOISE * vector_max(p->n, p->z);
    double least_w = -NOISE * fmax(vector_max(p->n, p->q), vector_max(p->n, p->w));
    for (int i = 0; i < p->n; i++) {
        if (p->in[i] ? p->z[i] < least_z : p->w[i] < least_w) p->in[i] = !p->in[i];
    }
    p->factored = false;
}

/* Single exchanges never bring a set back, but for rounding or where M is no P-matrix (Brent 1980:
 * compare with the set at the last power of two). */
static bool came_back(pivot *p)
{
    if (p->steps > 0 && p->now == p->seen) return true;
    if (p->steps == p->next) {
        p->seen = p->now;
        p->next = 2 * p->next + 1;
    }
    p->steps++;
    return false;
}

/* Solve the LCP of M + e I; `most` exchanges. */
static ending exchange(pivot *p, int most)
{
    const perp_lcp_pivot_options *o = (const perp_lcp_pivot_options *)p->run->options;
    int fewest = p->n + 1, trials = 0, last;
    p->steps = p->next = 0;
    for (p->made = 0;; p->made++) {
        if (!perp_continue(p->run, NULL, INFINITY)) return STOPPED;
        ending e = find_vertex(p);
        if (e != FEASIBLE) return e;
        int count = find_negative(p, &last);
        if (count == 0) return FEASIBLE;
        if (p->made >= most) return CYCLE;
        if (count < fewest) {
            fewest = count;
            trials = o->trials;
            p->steps = p->next = 0;
        }
        if (trials-- > 0) {
            exchange_all(p);
        } else if (came_back(p)) {
            return CYCLE;
        } else {
            p->in[last] = !p->in[last];
            p->factored = false;
        }
    }
}

/* ---- proximal problems ---- */

/* One step of refinement, then z >= 0 and its residual in the problem itself. */
static double polish(pivot *p, double *z)
{
    double e = p->e, sum = 0;
    add_solution(p, -1, p->w);
    for (int i = 0; i < p->n; i++) p->z[i] = p->z[i] > 0 ? p->z[i] : 0;
    p->e = 0;
    find_slack(p);
    p->e = e;
    for (int i = 0; i < p->n; i++) {
        double w = p->r ? p->w[i] / p->r[i] : p->w[i];
        z[i] = p->s ? p->z[i] * p->s[i] : p->z[i];
        w = w < z[i] ? w : z[i];
        sum += w * w;
    }
    return sqrt(sum) / perp_scale(p->run);
}

/* Where nothing is feasible the centres run away along a proof of that: PERP_SOLVED when y is one.
 */
static perp_status prove_infeasible(pivot *p, double *y)
{
    double most = 0;
    for (int i = 0; i < p->n; i++) {
        y[i] = p->z[i] - p->centre[i];
        most = fmax(most, y[i]);
    }
    if (!(most > 0)) return PERP_UNCERTIFIED;
    for (int i = 0; i < p->n; i++) {
        y[i] = y[i] > DBL_EPSILON * most ? y[i] / most : 0;
        if (p->r) y[i] *= p->r[i];
    }
    return perp_prove(p->run, PERP_INFEASIBLE, y);
}

static perp_status stall(pivot *p)
{
    return perp_fail(p->run, PERP_STALLED,
                     p->e > 0
                         ? "M is singular on the active set, and proximal problems did not converge"
                         : "M is singular on the set, or sets come back");
}

/* The next proximal problem: easier after one that failed, closer to the problem after one that
 * was easy. False: e is as large as M. */
static bool change_shift(pivot *p, bool solved, int exchanges)
{
    double e = p->e;
    if (p->size == 0) p->size = largest_entry(&p->M);
    if (p->size == 0) p->size = 1; /* M = 0 */
    if (e == 0)
        p->e = SHIFT * p->size;
    else if (!solved)
        p->e = SHIFT_MORE * e;
    else if (exchanges < EASY && e > SHIFT_LEAST * p->size)
        p->e = SHIFT_LESS * e;
    p->factored &= p->e == e;
    for (int i = 0; !solved && i < p->n; i++) p->in[i] = p->centre[i] > 0;
    p->factored &= solved;
    return p->e > 0 && p->e <= 2 * p->size;
}

/* One factor for all rows and columns changes no judgement of a factor or a sign. */
static bool is_uniform(int n, const double *r, const double *s)
{
    for (int i = 1; i < n; i++) {
        if (r[i] != r[0] || s[i] != s[0]) return false;
    }
    return true;
}

/* A dense matrix that is badly scaled looks singular: PERP_SOLVED when it has been scaled, and is
 * to be tried again. */
static perp_status scale(pivot *p)
{
    perp_arena *a = p->run->arena;
    size_t n = (size_t)p->n;
    if (p->scaled || p->M.format != PERP_FORMAT_DENSE) return PERP_STALLED;
    p->scaled = true;
    double *r = PERP_ALLOC(p->run, double, n), *s = PERP_ALLOC(p->run, double, n);
    double *work = PERP_ALLOC(p->run, double, 2 * n), *q = PERP_ALLOC(p->run, double, n);
    if (a->failed) return PERP_E_MEMORY;
    const struct perp_dense_view *v = &p->M.as.dense;
    bool bad = perp_equilibrate(p->n, v->x, v->ld, r, s, work);
    if (!bad || is_uniform(p->n, r, s)) return PERP_STALLED;
    double *x = perp_alloc_unset(a, n * n, sizeof *x);
    if (!x) return PERP_E_MEMORY;
    for (size_t j = 0; j < n; j++) {
        const double *from = v->x + j * (size_t)v->ld;
        for (size_t i = 0; i < n; i++) x[j * n + i] = r[i] * from[i] * s[j];
        q[j] = r[j] * p->q[j];
    }
    p->M = perp_dense(p->n, p->n, x);
    p->q = q;
    p->r = r;
    p->s = s;
    p->basis.symmetric &= memcmp(r, s, n * sizeof *r) == 0;
    p->factored = false;
    start(p, p->z);
    return PERP_SOLVED;
}

/* Write the last vertex where the run was stopped. */
static perp_status stop(pivot *p, double *z)
{
    for (int i = 0; p->found && i < p->n; i++) {
        z[i] = p->z[i] > 0 ? p->z[i] * (p->s ? p->s[i] : 1) : 0;
    }
    return p->run->status;
}

/* Is a proximal solution so large that q is lost in the rounding of M z, and with it all meaning of
 * a residual? */
static bool drowns(const pivot *p)
{
    double rounding = DBL_EPSILON * p->size * vector_max(p->n, p->z);
    return p->e > 0 && !(rounding <= DROWNED * vector_max(p->n, p->q));
}

/* After a problem that could not be solved, or whose solution does not do: another one.
 * PERP_SOLVED: go on. */
static perp_status prepare_next(pivot *p, bool solved, double *y)
{
    perp_status s = p->e > 0 && solved ? prove_infeasible(p, y) : PERP_UNCERTIFIED;
    if (s == PERP_E_MEMORY) return s;
    if (s == PERP_SOLVED) {
        p->run->proof = y;
        return perp_fail(p->run, PERP_INFEASIBLE, "no z >= 0 has M z + q >= 0; w holds the proof");
    }
    if (solved) memcpy(p->centre, p->z, (size_t)p->n * sizeof *p->z);
    if (p->e == 0) {
        s = scale(p);
        if (s != PERP_STALLED) return s;
    }
    if (p->proximal-- <= 0) return stall(p);
    return change_shift(p, solved, p->made) ? PERP_SOLVED : stall(p);
}

static perp_status follow(pivot *p, double *z, double *y)
{
    for (;;) {
        ending e = exchange(p, p->e > 0 ? BLOCK_STEPS : INT_MAX);
        if (e == NO_MEMORY) return PERP_E_MEMORY;
        if (e == STOPPED) return stop(p, z);
        double estimate = e == FEASIBLE ? polish(p, z) : INFINITY;
        bool lost = e == FEASIBLE && drowns(p);
        if (e == FEASIBLE && !lost && !perp_continue(p->run, z, estimate)) return p->run->status;
        perp_status s = prepare_next(p, e == FEASIBLE, y);
        if (s || lost) return s ? s : stall(p);
    }
}

static perp_status solve(perp_run *run, double *z)
{
    pivot p;
    double *y = PERP_ALLOC(run, double, run->problem->as.lcp.n);
    perp_status s = open_pivot(&p, run);
    if (s) return s;
    start(&p, z);
    return follow(&p, z, y);
}

/* scale() of a dense M. */
static void room(perp_run *run)
{
    size_t n = (size_t)run->problem->as.lcp.n;
    const perp_matrix *M = &run->problem->as.lcp.M;
    if (M->format != PERP_FORMAT_DENSE && !wants_dense(M)) return;
    for (int k = 0; k < 5; k++) perp_count(run->arena, n, sizeof(double));
    perp_count(run->arena, perp_count_product(n, n), sizeof(double));
}

static const perp_option options[] = {
    PERP_OPTION(perp_lcp_pivot_options, trials, 0, 1000,
                "block exchanges that need not lower the number of negative pairs"),
    PERP_OPTION(perp_lcp_pivot_options, sweeps, 0, 1000,
                "projected Gauss-Seidel sweeps that choose the first set"),
    PERP_OPTION(perp_lcp_pivot_options, proximal, 0, 100000,
                "proximal problems at most, where M is singular; 0: end there"),
    {0},
};

static const perp_solver solver = {
    .name = "lcp/pivot",
    .about = "block principal pivoting with Murty's safeguard (Judice, Pires 1994)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_lcp_pivot_options),
    .options = options,
    .solve = solve,
    .room = room,
};

const perp_lcp_pivot_options perp_lcp_pivot = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000, .threads = 1},
    .trials = 10,
    .sweeps = 3,
    .proximal = 200,
};
