/* lcp/enumerate.c: all 2^n complementary bases, n <= 20: the oracle for the other solvers.
 * Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 1.3.
 *
 * A basis alpha is a set of indices with w = 0, z = 0 outside it: M_aa z_a = -q_a, z_a >= 0,
 * w_b = q_b + M_ba z_a >= 0. Signs rule out most bases by bit operations; the others cost an
 * elimination of M_aa, of order k^3/3. Where M_aa is singular and the equations are consistent, the
 * nearest point of the cone spanned by the complementary columns decides. When no basis is a
 * solution, the nearest point of the cone of all columns may prove that no feasible point exists.
 * With `all` the search goes on after a solution, and certifies what each basis gives.
 * Memory: about 6 n^2 numbers. */
#include "base/vector.h"
#include "cone_nearest.h"
#include "core/defaults.h"
#include "linalg/equilibrate.h"
#include "perp/solver.h"

#include <float.h>
#include <stdint.h>

#define LARGEST 20

/* Relative to a column of the equilibrated block: below DEPENDENT a pivot is rounding, below
 * DOUBTFUL the solution may be. Both send the basis to the cone. */
#define DEPENDENT 1e-13
#define DOUBTFUL 1e-8
/* Slack for calling a solution negative or equations inconsistent; generous, as what passes is
 * measured anyway. */
#define CLEARLY 1e-6

typedef struct search {
    int n, ld;
    const double *M, *q; /* the caller's */
    double *A, *b;       /* equilibrated: A = diag(row) M diag(col), b = diag(row) q / size */
    double row[LARGEST], col[LARGEST], size;       /* powers of two */
    uint32_t positive[LARGEST], negative[LARGEST]; /* columns of such entries, by row */
    uint32_t below, above;                         /* rows with q clearly below or above 0 */
    double *U, *x, *cone, *work;                   /* of one basis */
    int *iwork;
    double *candidate, *w;
    double *own;        /* what one basis gives, where all are looked for */
    double scale, best; /* of the residual; of the best z so far */
    bool singular;      /* the block of the last basis was */
} search;

/* ---- equilibration ---- */

static void equilibrate(search *s)
{
    int n = s->n;
    perp_equilibrate(n, s->M, s->ld, s->row, s->col, s->work);
    for (int i = 0; i < n; i++) s->b[i] = s->row[i] * s->q[i];
    double most = vector_max(n, s->b);
    s->size = most > 0 ? scalbn(1, ilogb(most)) : 1;
    for (int i = 0; i < n; i++) s->b[i] /= s->size;
    for (int j = 0; j < n; j++) {
        const double *m = s->M + (size_t)j * (size_t)s->ld;
        for (int i = 0; i < n; i++) s->A[j * n + i] = s->row[i] * m[i] * s->col[j];
    }
}

/* ---- signs ---- */

static void read_signs(search *s, double tol)
{
    for (int i = 0; i < s->n; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if (s->q[i] < -tol * s->scale) s->below |= bit;
        if (s->q[i] > tol * s->scale) s->above |= bit;
        for (int j = 0; j < s->n; j++) {
            double a = s->M[(size_t)j * (size_t)s->ld + (size_t)i];
            if (a > 0) s->positive[i] |= UINT32_C(1) << j;
            if (a < 0) s->negative[i] |= UINT32_C(1) << j;
        }
    }
}

/* Row i of w = M z + q: where q_i < 0 some z_j > 0 with M_ij > 0 must lift it to zero, and where
 * q_i > 0 and w_i = 0 some M_ij < 0 must pull it down. */
static bool signs_allow(const search *s, uint32_t basis)
{
    for (int i = 0; i < s->n; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if ((s->below & bit) && !(s->positive[i] & basis)) return false;
        if ((s->above & basis & bit) && !(s->negative[i] & basis)) return false;
    }
    return true;
}

/* ---- one basis ---- */

typedef enum verdict { NO_SOLUTION, CANDIDATE, SINGULAR } verdict;

static int members(uint32_t basis, int index[LARGEST])
{
    int k = 0;
    for (int i = 0; basis; i++, basis >>= 1) {
        if (basis & 1) index[k++] = i;
    }
    return k;
}

/* U = (A_aa, -b_a), k x (k + 1) by columns; returns the rows' scales in `weight`. */
static void load_block(const search *s, int k, const int *index, double *weight)
{
    for (int i = 0; i < k; i++) weight[i] = 0;
    for (int j = 0; j < k; j++) {
        const double *a = s->A + index[j] * s->n;
        double *u = s->U + j * k;
        for (int i = 0; i < k; i++) {
            u[i] = a[index[i]];
            if (fabs(u[i]) > weight[i]) weight[i] = fabs(u[i]);
        }
    }
    for (int i = 0; i < k; i++) {
        s->U[k * k + i] = -s->b[index[i]];
        weight[i] = weight[i] > 0 ? 1 / weight[i] : 0;
    }
}

static void swap_rows(double *U, int k, int from, double *weight, int a, int b)
{
    for (int j = from; j <= k; j++) {
        double t = U[j * k + a];
        U[j * k + a] = U[j * k + b];
        U[j * k + b] = t;
    }
    double t = weight[a];
    weight[a] = weight[b];
    weight[b] = t;
}

static int find_pivot(const double *u, int k, int rank, const double *weight)
{
    int p = rank;
    double best = -1;
    for (int i = rank; i < k; i++) {
        double a = fabs(u[i]) * weight[i];
        if (a > best) {
            best = a;
            p = i;
        }
    }
    return p;
}

static void eliminate_below(double *U, int k, int j, int rank)
{
    double *u = U + j * k;
    for (int i = rank + 1; i < k; i++) u[i] /= u[rank];
    for (int c = j + 1; c <= k; c++) {
        double *v = U + c * k, t = v[rank];
        if (t == 0) continue;
        for (int i = rank + 1; i < k; i++) v[i] -= u[i] * t;
    }
}

/* Row echelon form of (A_aa, -b_a), pivots chosen relative to the rows. Returns the rank;
 * `smallest` is the smallest pivot relative to its column. */
static int eliminate(const search *s, int k, double *weight, double *smallest)
{
    double *U = s->U, size[LARGEST];
    int rank = 0;
    *smallest = 1;
    for (int j = 0; j < k; j++) {
        size[j] = 0;
        for (int i = 0; i < k; i++) {
            double a = fabs(U[j * k + i]) * weight[i];
            if (a > size[j]) size[j] = a;
        }
    }
    for (int j = 0; j < k && rank < k; j++) {
        double *u = U + j * k;
        int p = find_pivot(u, k, rank, weight);
        double relative = size[j] > 0 ? fabs(u[p]) * weight[p] / size[j] : 0;
        if (!(relative > DEPENDENT)) continue;
        if (relative < *smallest) *smallest = relative;
        if (p != rank) swap_rows(U, k, j, weight, p, rank);
        eliminate_below(U, k, j, rank++);
    }
    return rank;
}

/* Back substitution into x; false as soon as a component is clearly negative. */
static bool substitute(const search *s, int k)
{
    const double *U = s->U;
    double *x = s->x, size = 0;
    for (int i = 0; i < k; i++) x[i] = U[k * k + i];
    for (int j = k - 1; j >= 0; j--) {
        x[j] /= U[j * k + j];
        if (fabs(x[j]) > size) size = fabs(x[j]);
        if (x[j] < -CLEARLY * size) return false;
        for (int i = 0; i < j; i++) x[i] -= U[j * k + i] * x[j];
    }
    return true;
}

/* What the rows beyond the rank say: 0 = rest, so the rest must be nothing. */
static bool consistent(const search *s, int k, int rank)
{
    const double *rest = s->U + k * k;
    double size = vector_max(k, rest);
    return vector_max(k - rank, rest + rank) <= CLEARLY * (size > 1 ? size : 1);
}

/* z_a of the equilibrated problem in s->x, or why there is none. */
static verdict solve_block(const search *s, int k, const int *index, bool *doubtful)
{
    double weight[LARGEST], smallest;
    *doubtful = false;
    load_block(s, k, index, weight);
    int rank = eliminate(s, k, weight, &smallest);
    if (rank < k) return consistent(s, k, rank) ? SINGULAR : NO_SOLUTION;
    *doubtful = smallest < DOUBTFUL;
    if (substitute(s, k)) return CANDIDATE;
    return *doubtful ? SINGULAR : NO_SOLUTION;
}

/* ---- candidates ---- */

/* |min(z, M z + q)| over the scale, from the caller's data. */
static double measure(const search *s, const double *z)
{
    for (int i = 0; i < s->n; i++) s->w[i] = s->q[i];
    for (int j = 0; j < s->n; j++) {
        if (z[j] == 0) continue;
        const double *m = s->M + (size_t)j * (size_t)s->ld;
        for (int i = 0; i < s->n; i++) s->w[i] += m[i] * z[j];
    }
    for (int i = 0; i < s->n; i++) s->w[i] = s->w[i] < z[i] || isnan(s->w[i]) ? s->w[i] : z[i];
    return vector_norm(s->n, s->w) / s->scale;
}

/* Measure z with z_a = x, clipped at 0; keep it when it is the best. */
static bool improve(search *s, int k, const int *index, const double *x, double *z)
{
    for (int i = 0; i < s->n; i++) s->candidate[i] = 0;
    for (int i = 0; i < k; i++) {
        int j = index[i];
        s->candidate[j] = x[i] > 0 ? x[i] * s->col[j] * s->size : 0;
    }
    double residual = measure(s, s->candidate);
    if (!(residual < s->best)) return false;
    s->best = residual;
    for (int i = 0; i < s->n; i++) z[i] = s->candidate[i];
    return true;
}

/* One step of refinement: the equations' residual in the caller's data would be as good, but the
 * equilibrated data are the same numbers. Uses U as a fresh block with the residual as its
 * right-hand side. */
static void refine(search *s, int k, const int *index)
{
    double x[LARGEST], weight[LARGEST], smallest;
    load_block(s, k, index, weight);
    for (int i = 0; i < k; i++) x[i] = s->x[i];
    for (int i = 0; i < k; i++) {
        long double r = s->U[k * k + i];
        for (int j = 0; j < k; j++) r -= (long double)s->U[j * k + i] * x[j];
        s->U[k * k + i] = (double)r;
    }
    if (eliminate(s, k, weight, &smallest) < k) return;
    double *d = s->U + k * k;
    for (int j = k - 1; j >= 0; j--) {
        d[j] /= s->U[j * k + j];
        for (int i = 0; i < j; i++) d[i] -= s->U[j * k + i] * d[j];
        s->x[j] = x[j] + d[j];
    }
}

/* Columns of the cone: e_i outside the basis, -A_i inside. */
static void load_cone(const search *s, uint32_t basis)
{
    for (int j = 0; j < s->n; j++) {
        double *c = s->cone + j * s->n;
        bool inside = basis >> j & 1;
        for (int i = 0; i < s->n; i++) c[i] = inside ? -s->A[j * s->n + i] : i == j;
    }
}

static bool improve_by_cone(search *s, uint32_t basis, int k, const int *index, double *z)
{
    double x[LARGEST];
    load_cone(s, basis);
    double distance =
        perp_cone_nearest(s->n, s->n, s->cone, s->n, s->b, s->candidate, s->work, s->iwork);
    if (distance > CLEARLY * s->n) return false;
    for (int i = 0; i < k; i++) x[i] = s->candidate[index[i]];
    return improve(s, k, index, x, z);
}

/* The residual of z when this basis made it a solution, INFINITY otherwise. */
static double try_basis(search *s, uint32_t basis, double tol, double *z)
{
    int index[LARGEST] = {0};
    bool doubtful, better = false;
    if (!signs_allow(s, basis)) return INFINITY;
    int k = members(basis, index);
    verdict v = solve_block(s, k, index, &doubtful);
    s->singular = v == SINGULAR;
    if (v == CANDIDATE) {
        better = improve(s, k, index, s->x, z);
        if ((better || doubtful) && s->best > 0) {
            refine(s, k, index);
            better |= improve(s, k, index, s->x, z);
        }
    }
    if (s->best > tol && (v == SINGULAR || doubtful)) {
        better |= improve_by_cone(s, basis, k, index, z);
    }
    return better && s->best <= tol ? s->best : INFINITY;
}

/* ---- no solution ---- */

/* q outside the cone of (I, -M), that is no z >= 0 with M z + q >= 0: the way from q to its nearest
 * point there is the proof y >= 0, M'y <= 0, q'y < 0. */
static perp_status prove_infeasible(search *s, perp_run *run, double *y)
{
    double x[2 * LARGEST];
    load_cone(s, 0);
    for (int k = 0; k < s->n * s->n; k++) s->cone[s->n * s->n + k] = -s->A[k];
    double distance = perp_cone_nearest(s->n, 2 * s->n, s->cone, s->n, s->b, x, s->work, s->iwork);
    if (distance <= 64 * s->n * DBL_EPSILON) return PERP_UNCERTIFIED; /* of |b| about 1 */
    for (int i = 0; i < s->n; i++) y[i] = x[i] - s->b[i];
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < s->n; i++) y[i] -= s->A[j * s->n + i] * x[s->n + j];
    }
    /* The nearest point is orthogonal to y, so y_i = 0 where its part of e_i is not. Rounding left
     * there would drown a column of M that has nothing but zeros against the rest of y. */
    double noise = 64 * s->n * DBL_EPSILON * vector_max(s->n, y);
    for (int i = 0; i < s->n; i++) y[i] = x[i] > 0 || y[i] <= noise ? 0 : y[i] * s->row[i];
    if (!vector_is_finite((size_t)s->n, y)) return PERP_UNCERTIFIED;
    return perp_prove(run, PERP_INFEASIBLE, y);
}

static perp_status give_up(search *s, perp_run *run)
{
    double *y = PERP_ALLOC(run, double, s->n);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_status proof = prove_infeasible(s, run, y);
    if (proof == PERP_E_MEMORY) return proof;
    if (proof == PERP_SOLVED) {
        run->proof = y;
        return perp_fail(run, PERP_INFEASIBLE, "no z >= 0 has M z + q >= 0; w holds the proof");
    }
    return perp_fail(run, PERP_STALLED, "none of the %d complementary bases meets the tolerance",
                     1 << s->n);
}

/* ---- the search ---- */

static const perp_lcp_enumerate_options *own_options(const perp_run *run)
{
    return (const perp_lcp_enumerate_options *)(const void *)run->options;
}

/* Does this basis solve? Its z is in s->own then, with its certificate. */
static bool certify_basis(search *s, perp_run *run, uint32_t basis, perp_lcp_solution *found)
{
    double tol = run->options->tol;
    s->best = INFINITY;
    if (!(try_basis(s, basis, tol, s->own) <= tol)) return false;
    *found = (perp_lcp_solution){.z = s->own, .n = s->n, .basis = basis, .face = s->singular};
    if (perp_certify(run->problem, s->own, run->arena, &found->residual)) return false;
    return found->residual.value + found->residual.bound <= tol;
}

/* Every basis; z is the solution with the smallest residual. */
static perp_status search_all(search *s, perp_run *run, double *z)
{
    const perp_lcp_enumerate_options *o = own_options(run);
    uint32_t basis = 0, end = UINT32_C(1) << s->n;
    double least = INFINITY;
    bool more = true;
    for (;;) {
        bool last = basis == end || !more;
        bool solved = last && least < INFINITY;
        if (!perp_continue(run, solved ? z : NULL, solved ? least : INFINITY)) return run->status;
        if (last) return give_up(s, run);
        perp_lcp_solution found;
        if (!certify_basis(s, run, basis++, &found)) continue;
        if (found.residual.value < least) {
            least = found.residual.value;
            for (int i = 0; i < s->n; i++) z[i] = s->own[i];
        }
        more = !o->found || o->found(o->found_ctx, &found);
    }
}

/* Bases in their order until one solves, beginning with the start. */
static perp_status search_first(search *s, perp_run *run, double *z)
{
    s->best = measure(s, z);
    double tol = run->options->tol, estimate = s->best <= tol ? s->best : INFINITY;
    uint32_t basis = 0, end = UINT32_C(1) << s->n;
    while (perp_continue(run, estimate <= tol ? z : NULL, estimate)) {
        if (basis == end) return give_up(s, run);
        estimate = try_basis(s, basis++, tol, z);
    }
    return run->status;
}

static void allocate(search *s, perp_run *run)
{
    int n = s->n;
    s->A = PERP_ALLOC(run, double, n *n);
    s->U = PERP_ALLOC(run, double, n *(n + 1));
    s->cone = PERP_ALLOC(run, double, 2 * n * n);
    s->work = PERP_ALLOC(run, double, perp_cone_nearest_work(n, 2 * n));
    s->iwork = PERP_ALLOC(run, int, perp_cone_nearest_iwork(n, 2 * n));
    s->b = PERP_ALLOC(run, double, n);
    s->x = PERP_ALLOC(run, double, n);
    s->candidate = PERP_ALLOC(run, double, n);
    s->w = PERP_ALLOC(run, double, n);
    s->own = PERP_ALLOC(run, double, n);
}

static perp_status enumerate(perp_run *run, double *z)
{
    const perp_lcp *p = &run->problem->as.lcp;
    int n = p->n;
    if (n > LARGEST) {
        return perp_fail(run, PERP_E_ARGUMENT,
                         "n = %d: enumeration looks at 2^n bases and stops at n = %d", n, LARGEST);
    }
    search s = {.n = n, .ld = p->M.as.dense.ld, .M = p->M.as.dense.x, .q = p->q};
    allocate(&s, run);
    if (run->arena->failed) return PERP_E_MEMORY;
    s.scale = perp_scale(run);
    equilibrate(&s);
    read_signs(&s, run->options->tol);
    for (int i = 0; i < n; i++) z[i] = z[i] > 0 ? z[i] : 0;
    return own_options(run)->all ? search_all(&s, run, z) : search_first(&s, run, z);
}

/* A proof; and with `all` the certificate of what each basis gives. */
static void room(perp_run *run)
{
    const perp_problem *p = run->problem;
    perp_mark mark = perp_arena_mark(run->arena);
    if (own_options(run)->all && p->as.lcp.n <= LARGEST) {
        const double zero[LARGEST] = {0};
        perp_residual unused;
        perp_certify(p, zero, run->arena, &unused);
    }
    perp_arena_release(run->arena, mark);
    perp_count(run->arena, (size_t)p->as.lcp.n, sizeof(double));
}

static bool looks_for_all(const perp_options *o)
{
    return ((const perp_lcp_enumerate_options *)(const void *)o)->all;
}

static const perp_option table[] = {
    PERP_OPTION(perp_lcp_enumerate_options, all, 0, 1,
                "look at all bases, also after the first that solves"),
    {0},
};

static const perp_solver solver = {
    .name = "lcp/enumerate",
    .about = "every complementary basis, n <= 20 (Cottle, Pang, Stone 1992)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_lcp_enumerate_options),
    .options = table,
    .solve = enumerate,
    .room = room,
    .runs_from_solution = looks_for_all,
};

const perp_lcp_enumerate_options perp_lcp_enumerate = {
    .base = {.solver = &solver, .tol = 1e-10, .max_iter = 2000000, .threads = 1},
};
