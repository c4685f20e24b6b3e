/* qp/nnls_pivot.c: nonnegative least squares by block principal pivoting.
 * Portugal, Judice, Vicente, A comparison of block pivoting and interior-point algorithms for
 * linear least squares problems with nonnegative variables, Math. Comp. 63 (1994); the proximal
 * problems as in Rockafellar, Augmented Lagrangians and applications of the proximal point
 * algorithm, Math. Oper. Res. 1 (1976), their dual's line search as in Li, Sun, Toh, A highly
 * efficient semismooth Newton augmented Lagrangian method, SIAM J. Optim. 28 (2018).
 *
 * A set of columns is guessed, its least squares solved, and all columns with the wrong sign of x
 * or of w = A'(A x - b) change sides at once, `trials` times without a fall of their number; then
 * the one of largest index alone (Murty). Where columns of the set depend on each other, or sets
 * come back, |x - c|^2 e/2 is added, c the solution before. That problem has a smooth dual,
 *     min |r|^2/2 - b'r + |max(0, e c + A'r)|^2 / (2 e),
 * in which an exchange of all is a Newton step, made to descend by a search along it.
 *
 * Where A'A is formed, exchanges read slopes from it, and the last set is refined with A itself.
 *
 * One factorisation an exchange: of A_a'A_a, dense for a dense A that is not wide, else sparse; or,
 * for a set of many columns and e > 0, of A_a A_a' + e I (linalg/normal_equations.c). Memory: n^2
 * numbers twice when dense, else that of such a matrix and of its factor. */
#include "base/vector.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "linalg/gram.h"
#include "linalg/normal_equations.h"
#include "linalg/principal_submatrix.h"
#include "nnls_line.h"
#include "nnls_scaled.h"

#include <float.h>
#include <string.h>

#define NOISE 1e-14      /* of x or w against the largest of its kind: not negative */
#define SMALL 48         /* columns: A'A is made dense up to here, ... */
#define DENSE 3000       /* ... or here, with this part of ... */
#define FILLED 0.25      /* ... its entries there */
#define SHIFT 1e-2       /* first e, against the largest |a_j|^2 */
#define SHIFT_WARM 1e-4  /* with a start */
#define SHIFT_LESS 0.1   /* times, after a proximal problem */
#define SHIFT_MORE 10    /* times, where e is too small for the factor */
#define SHIFT_LEAST 1e-9 /* against the largest |a_j|^2 */
#define REFINEMENTS 3    /* solves for one set at most */
#define STEPS 60         /* exchanges for one proximal problem at most */
#define PATIENCE 8       /* proximal problems without a smaller residual */
#define UNEVEN 10        /* binary digits by which lengths of columns may differ */

typedef enum ending { FEASIBLE, SINGULAR, CYCLE, STOPPED, NO_MEMORY } ending;

typedef struct pivot {
    perp_run *run;
    const perp_nnls_pivot_options *options;
    const perp_nnls *p;
    int m, n, k;
    bool sparse;
    perp_matrix A, M;             /* dense or canonical CSC; M = A'A, where it is formed */
    perp_principal basis;         /* of M, or ... */
    perp_normal_equations normal; /* ... of a sparse A */
    perp_gram gram;
    bool *in, *was;
    int *set;
    double *x, *g, *y;    /* g = A'r; scratch, n */
    double *load;         /* A'b */
    bool quick;           /* is g = A'b - M x, without r? */
    double *r;            /* b - A x */
    double *c, e;         /* centre; e = 0: the problem itself */
    double *from, *slope; /* a point of the dual, m, and A' of it, n */
    double size;          /* largest |a_j|^2 */
    double least;         /* e that has not been too small */
    uint64_t now, seen;   /* signatures of the set and of one before */
    int steps, next;      /* since the last fall; when `now` becomes `seen` */
} pivot;

/* ---- opening ---- */

static bool is_free(const pivot *v, int j)
{
    return v->p->is_free && v->p->is_free[j];
}

/* Is a dense A'A the better one? The sum of squared lengths of rows bounds its entries. */
static bool wants_dense(const perp_matrix *A, int *count)
{
    const struct perp_csc_view *c = &A->as.csc;
    double entries = 0, all = (double)A->n * A->n;
    if (A->n <= SMALL) return true;
    if (A->n > DENSE || A->n > A->m) return false;
    for (int e = 0; e < c->p[A->n]; e++) count[c->i[e]]++;
    for (int i = 0; i < A->m; i++) entries += (double)count[i] * count[i];
    return entries > FILLED * all;
}

/* M = A'A and its factors. */
static perp_status open_dense(pivot *v)
{
    perp_lift lift;
    perp_error e = {0};
    perp_problem p = *v->run->problem;
    perp_arena *a = v->run->arena;
    p.as.nnls.A = v->A;
    perp_status s = perp_lift_problem(&p, PERP_KIND_QP, a, &lift, &e);
    if (s) return s == PERP_E_MEMORY ? s : perp_fail(v->run, s, "%s", e.text);
    s = perp_convert(&lift.problem.as.qp.H, PERP_FORMAT_DENSE, a, &v->M, NULL);
    if (s) return s;
    if (!perp_principal_open(&v->basis, &v->M, true, a)) return PERP_E_MEMORY;
    v->basis.definite = true;
    return PERP_SOLVED;
}

static perp_status open_matrices(pivot *v)
{
    perp_arena *a = v->run->arena;
    bool wide = v->n > SMALL && v->n > v->m;
    perp_status s = wide ? perp_convert(&v->p->A, PERP_FORMAT_CSC, a, &v->A, NULL)
                         : perp_gram_thin(&v->p->A, a, &v->A);
    if (s || v->A.format == PERP_FORMAT_DENSE) return s ? s : open_dense(v);
    s = perp_sort_csc(&v->A, a, &v->A);
    int *count = PERP_ALLOC(v->run, int, v->m);
    if (s || a->failed) return PERP_E_MEMORY;
    v->sparse = !wants_dense(&v->A, count);
    return v->sparse ? PERP_SOLVED : open_dense(v);
}

static perp_status open_pivot(pivot *v, perp_run *run)
{
    const perp_nnls *p = &run->problem->as.nnls;
    int m = p->A.m, n = p->A.n;
    *v = (pivot){.run = run, .p = p, .m = m, .n = n};
    v->options = (const perp_nnls_pivot_options *)run->options;
    v->in = PERP_ALLOC(run, bool, n);
    v->was = PERP_ALLOC(run, bool, n);
    v->set = PERP_ALLOC(run, int, n);
    double **each[] = {&v->x, &v->g, &v->y, &v->c, &v->slope, &v->load, &v->r, &v->from};
    for (int k = 0; k < 8; k++) *each[k] = PERP_ALLOC(run, double, k < 6 ? n : m);
    perp_status s = run->arena->failed ? PERP_E_MEMORY : open_matrices(v);
    if (s) return s;
    if (!perp_gram_open(&v->gram, &v->A, run->arena)) return PERP_E_MEMORY;
    for (int j = 0; j < n; j++) {
        v->y[j] = perp_gram_square(&v->gram, j);
        v->size = fmax(v->size, v->y[j]);
    }
    /* The last to be opened: its factors come and go at the arena's end. */
    return !v->sparse || perp_normal_equations_open(&v->normal, &v->A, run->arena) ? PERP_SOLVED
                                                                                   : PERP_E_MEMORY;
}

/* ---- a start ---- */

static double slope_at(pivot *v, int j)
{
    return v->sparse ? perp_gram_dot(&v->gram, j, v->r) : v->g[j];
}

/* x_j += t, and what slopes are read from. */
static void shift(pivot *v, int j, double t)
{
    v->x[j] += t;
    if (v->sparse)
        perp_gram_add(&v->gram, 1, &j, -1, &t, v->r);
    else
        perp_add_columns(&v->M, 1, &j, -1, &t, v->g);
}

/* One projected Gauss-Seidel step for x_j; |a_j|^2 is in y. */
static void relax(pivot *v, int j)
{
    double old = v->x[j], next = old + slope_at(v, j) / v->y[j];
    if (!(v->y[j] > 0) || !isfinite(next)) return;
    next = next > 0 || is_free(v, j) ? next : 0;
    if (next != old) shift(v, j, next - old);
}

static void start(pivot *v, const double *z)
{
    bool warm = v->options->base.warm_start;
    memcpy(v->r, v->p->b, (size_t)v->m * sizeof *v->r);
    perp_mul_t(&v->A, 1, v->p->b, 0, v->load);
    memcpy(v->g, v->load, (size_t)v->n * sizeof *v->g);
    for (int j = 0; warm && j < v->n; j++) v->x[j] = z[j] > 0 || is_free(v, j) ? z[j] : 0;
    for (int sweep = 0; !warm && sweep < v->options->sweeps; sweep++) {
        for (int j = 0; j < v->n; j++) relax(v, j);
    }
    for (int j = 0; j < v->n; j++) {
        bool some = warm || v->options->sweeps > 0;
        v->in[j] = is_free(v, j) || (some ? v->x[j] > 0 : v->load[j] > 0);
    }
}

/* ---- one set ---- */

static uint64_t mark_of(int i)
{
    uint64_t h = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return h ^ h >> 32;
}

static void collect(pivot *v)
{
    v->k = 0;
    v->now = 0;
    for (int j = 0; j < v->n; j++) {
        if (!v->in[j]) {
            v->x[j] = 0;
            continue;
        }
        v->set[v->k++] = j;
        v->now ^= mark_of(j);
    }
}

/* g = A'b - M x: n k products, where r takes m (n + k). */
static void find_quick_slopes(pivot *v)
{
    memcpy(v->g, v->load, (size_t)v->n * sizeof *v->g);
    for (int k = 0; k < v->k; k++) v->y[k] = v->x[v->set[k]];
    perp_add_columns(&v->M, v->k, v->set, -1, v->y, v->g);
}

/* r = b - A x, g = A'r */
static void find_slopes(pivot *v)
{
    if (v->quick) {
        find_quick_slopes(v);
        return;
    }
    memcpy(v->r, v->p->b, (size_t)v->m * sizeof *v->r);
    for (int k = 0; k < v->k; k++) v->y[k] = v->x[v->set[k]];
    perp_add_columns(&v->A, v->k, v->set, -1, v->y, v->r);
    perp_mul_t(&v->A, 1, v->r, 0, v->g);
}

/* y = (g - e (x - c))_a, zero at the least squares of the set; returns its norm. */
static double find_gap(pivot *v)
{
    for (int k = 0; k < v->k; k++) {
        int j = v->set[k];
        v->y[k] = v->g[j] - v->e * (v->x[j] - v->c[j]);
    }
    return vector_norm(v->k, v->y);
}

/* x_a += (A_a'A_a + e I)^-1 y: the least squares of the set, wherever x was. */
static bool add_correction(pivot *v)
{
    bool solved = v->sparse ? perp_normal_equations_solve(&v->normal, v->y)
                            : perp_principal_solve(&v->basis, v->y);
    for (int k = 0; solved && k < v->k; k++) v->x[v->set[k]] += v->y[k];
    return solved;
}

/* x of the set that is factored. */
static ending approach_vertex(pivot *v)
{
    find_slopes(v);
    double gap = find_gap(v), before = INFINITY;
    for (int k = 0; k < REFINEMENTS && gap > 0 && gap < before / 2; k++) {
        before = gap;
        if (!add_correction(v)) return SINGULAR;
        find_slopes(v);
        gap = find_gap(v);
    }
    return vector_is_finite((size_t)v->n, v->g) ? FEASIBLE : SINGULAR;
}

static ending find_vertex(pivot *v)
{
    collect(v);
    if (v->e == 0 && v->k > v->m) return SINGULAR;
    perp_status s = v->sparse ? perp_normal_equations_factor(&v->normal, v->k, v->set, v->e)
                              : perp_principal_factor(&v->basis, v->k, v->set, v->e);
    if (s) return s == PERP_E_MEMORY ? NO_MEMORY : SINGULAR;
    return approach_vertex(v);
}

/* ---- the problem itself: exchanges by the signs of x and w ---- */

/* Columns on the wrong side: their number, and the largest of them. With `all` they change. */
static int find_wrong(pivot *v, bool all, int *last)
{
    double least = -NOISE * vector_max(v->n, v->x), most = 0;
    int count = 0;
    for (int j = 0; j < v->n; j++) most = fmax(most, fabs(v->g[j]));
    *last = -1;
    for (int j = 0; j < v->n; j++) {
        if (is_free(v, j) || (v->in[j] ? v->x[j] >= least : v->g[j] <= NOISE * most)) continue;
        if (all) v->in[j] = !v->in[j];
        count++;
        *last = j;
    }
    return count;
}

/* Compare with the set at the last power of two (Brent 1980). */
static bool came_back(pivot *v)
{
    if (v->steps > 0 && v->now == v->seen) return true;
    if (v->steps == v->next) {
        v->seen = v->now;
        v->next = 2 * v->next + 1;
    }
    v->steps++;
    return false;
}

/* Slopes by M have lost as many digits again as M has: a set without a wrong column is looked at
 * once more with r, and from there on all are. */
static ending look_again(pivot *v, int *count, int *last)
{
    v->quick = false;
    ending e = approach_vertex(v);
    if (e == FEASIBLE) *count = find_wrong(v, false, last);
    return e;
}

static ending exchange(pivot *v)
{
    int fewest = v->n + 1, trials = 0, last;
    v->steps = v->next = 0;
    for (;;) {
        if (!perp_continue(v->run, NULL, INFINITY)) return STOPPED;
        ending e = find_vertex(v);
        int count = e == FEASIBLE ? find_wrong(v, false, &last) : 0;
        if (e == FEASIBLE && count == 0 && v->quick) e = look_again(v, &count, &last);
        if (e != FEASIBLE) return e;
        if (count == 0) return FEASIBLE;
        if (count < fewest) {
            fewest = count;
            trials = v->options->trials;
            v->steps = v->next = 0;
        }
        if (trials-- > 0)
            find_wrong(v, true, &last);
        else if (came_back(v) || v->steps > v->n)
            return CYCLE;
        else
            v->in[last] = !v->in[last];
    }
}

/* ---- proximal problems: Newton's method on the dual ---- */

/* From the dual's point to that of the set. */
static perp_nnls_line line_of(const pivot *v)
{
    return (perp_nnls_line){v->p, v->c, v->e, v->from, v->r, v->slope, v->g};
}

/* from += t (r - from), and the set of its x. Did the set change? */
static bool move(pivot *v, double t)
{
    bool changed = false;
    for (int i = 0; i < v->m; i++) v->from[i] += t * (v->r[i] - v->from[i]);
    for (int j = 0; j < v->n; j++) {
        v->slope[j] += t * (v->g[j] - v->slope[j]);
        bool in = is_free(v, j) || v->c[j] + v->slope[j] / v->e > 0;
        changed |= in != v->in[j];
        v->in[j] = in;
    }
    return changed;
}

/* x of the dual's point. */
static void take_dual_x(pivot *v)
{
    const perp_nnls_line line = line_of(v);
    for (int j = 0; j < v->n; j++) v->x[j] = perp_nnls_dual_x(&line, 0, j);
}

/* The proximal problem of c and e; x near its solution. The dual's first point is that of the set
 * of c, often the right one: from the residual of c itself the first steps would be tiny. */
static ending descend(pivot *v)
{
    for (int made = 0; made < STEPS; made++) {
        if (!perp_continue(v->run, NULL, INFINITY)) return STOPPED;
        ending e = find_vertex(v);
        if (e != FEASIBLE) return e;
        if (made == 0) {
            memcpy(v->from, v->r, (size_t)v->m * sizeof *v->from);
            memcpy(v->slope, v->g, (size_t)v->n * sizeof *v->slope);
        }
        const perp_nnls_line line = line_of(v);
        double t = made > 0 ? perp_nnls_search(&line) : 1;
        if (!move(v, t) && t == 1) return FEASIBLE;
        take_dual_x(v);
    }
    return CYCLE;
}

/* ---- the method ---- */

/* |min(x, w)| of x's nonnegative part, scaled; x is that part afterwards. */
static double measure(pivot *v)
{
    double sum = 0;
    for (int j = 0; j < v->n; j++) {
        if (!is_free(v, j) && !(v->x[j] > 0)) v->x[j] = 0;
        v->in[j] = is_free(v, j) || v->x[j] > 0;
    }
    collect(v);
    find_slopes(v);
    for (int j = 0; j < v->n; j++) {
        double w = -v->g[j], least = is_free(v, j) || w < v->x[j] ? w : v->x[j];
        sum += least * least;
    }
    return sqrt(sum) / perp_scale(v->run);
}

static void write(const pivot *v, double *z)
{
    memcpy(z, v->x, (size_t)v->n * sizeof *z);
}

/* True: it is over, with *s. */
static bool solve_itself(pivot *v, double *z, perp_status *s)
{
    v->quick = !v->sparse;
    ending e = exchange(v);
    v->quick = false;
    *s = PERP_E_MEMORY;
    if (e == NO_MEMORY) return true;
    double estimate = e == FEASIBLE || e == STOPPED ? measure(v) : INFINITY;
    if (isfinite(estimate)) write(v, z);
    bool over = e == STOPPED || (isfinite(estimate) && !perp_continue(v->run, z, estimate));
    *s = v->run->status;
    return over;
}

/* x of the proximal problem of c and e. Where it is not found, e was too small: the next one is
 * larger. FEASIBLE: go on. */
static ending step(pivot *v)
{
    memcpy(v->x, v->c, (size_t)v->n * sizeof *v->x);
    for (int j = 0; j < v->n; j++) v->in[j] = is_free(v, j) || v->x[j] > 0;
    ending e = descend(v);
    if (e == SINGULAR || e == CYCLE) {
        memcpy(v->x, v->c, (size_t)v->n * sizeof *v->x);
        v->least = v->e = SHIFT_MORE * v->e;
        return FEASIBLE;
    }
    if (e == FEASIBLE) v->e = fmax(SHIFT_LESS * v->e, v->least);
    return e;
}

static perp_status follow_centres(pivot *v, double *z)
{
    double best = INFINITY;
    if (v->size == 0) v->size = 1;
    v->e = (v->options->base.warm_start ? SHIFT_WARM : SHIFT) * v->size;
    v->least = SHIFT_LEAST * v->size;
    for (int idle = 0; idle < PATIENCE && v->e <= v->size;) {
        ending e = step(v);
        if (e == NO_MEMORY) return PERP_E_MEMORY;
        double estimate = measure(v);
        idle = estimate < best / 2 ? 0 : idle + 1;
        if (estimate < best) {
            best = estimate;
            write(v, z);
        }
        if (e == STOPPED || !perp_continue(v->run, z, best)) return v->run->status;
        memcpy(v->c, v->x, (size_t)v->n * sizeof *v->c);
    }
    return perp_fail(v->run, PERP_STALLED, "the proximal problems make no further progress");
}

static perp_status solve(perp_run *run, double *z)
{
    pivot v;
    perp_status s;
    if (perp_nnls_scaled(run, UNEVEN, z, &s)) return s;
    s = open_pivot(&v, run);
    if (s) return s;
    start(&v, z);
    memcpy(v.c, v.x, (size_t)v.n * sizeof *v.c);
    return solve_itself(&v, z, &s) ? s : follow_centres(&v, z);
}

static const perp_option options[] = {
    PERP_OPTION(perp_nnls_pivot_options, trials, 0, 1000,
                "block exchanges that need not lower the number of wrong columns"),
    PERP_OPTION(perp_nnls_pivot_options, sweeps, 0, 1000,
                "projected Gauss-Seidel sweeps that choose the first set"),
    {0},
};

static const perp_solver solver = {
    .name = "nnls/pivot",
    .about = "block principal pivoting, sparse Cholesky (Portugal, Judice, Vicente 1994)",
    .kind = PERP_KIND_NNLS,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_nnls_pivot_options),
    .options = options,
    .solve = solve,
    .room = perp_room_none,
};

const perp_nnls_pivot_options perp_nnls_pivot = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000, .threads = 1},
    .trials = 3,
    .sweeps = 3,
};
