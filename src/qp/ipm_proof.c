/* qp/ipm_proof.c: vectors that prove a problem infeasible or unbounded.
 *
 * Infeasible: the least |y| with A x + y = s, x and s within their bounds, is a Farkas multiplier
 * of the rows unless it is 0. Unbounded: the point d nearest to -c among the directions in which
 * the bounds and rows end nowhere and S d = 0, S = (H + H')/2, has c'd = -|d|^2. Both are convex
 * problems that always have a solution, so the interior point method itself finds it; its finish
 * makes the equations of the proof hold to rounding, which perp_check wants. */
#include "ipm.h"

#include <float.h>

#include "base/vector.h"
#include "core/internal.h"

#define STEPS 200  /* interior ones at most */
#define CLOSE 1e-5 /* from here on the active set is worth a look, ... */
#define CLOSER 0.1 /* ... and again when so much closer */
#define EXCHANGES 10
#define ROUNDING 1e-13 /* of the largest entry */

typedef struct proof {
    perp_run *run;
    const ipm_presolved *r;
    ipm_problem p;
    ipm_kkt kkt;
    ipm_point point;
    ipm_finish finish;
    perp_status claim;
    double *vector;
} proof;

static bool open_proof(proof *f)
{
    perp_arena *a = f->run->arena;
    const perp_qp *qp = f->r->from;
    f->vector = perp_alloc(a, (size_t)qp->n + (size_t)qp->m, sizeof *f->vector);
    return !a->failed && perp_ipm_kkt_open(&f->kkt, &f->p, a) == PERP_SOLVED &&
           perp_ipm_point_open(&f->point, &f->p, &f->kkt, a) &&
           perp_ipm_finish_open(&f->finish, &f->p, &f->kkt, a);
}

/* x, but for what is rounding beside the largest: a sum of nothing but rounding proves nothing. */
static void take_vector(int n, const double *x, const double *scale, const int *to, double *vector)
{
    double least = ROUNDING * vector_max(n, x);
    for (int j = 0; j < n; j++) vector[to[j]] = fabs(x[j]) > least ? scale[j] * x[j] : 0;
}

/* The vector in the caller's terms; does it prove the claim? */
static bool is_proved(proof *f, const double *x, const double *y)
{
    const ipm_presolved *r = f->r;
    int n = r->from->n, m = r->from->m;
    memset(f->vector, 0, ((size_t)n + (size_t)m) * sizeof *f->vector);
    if (f->claim == PERP_INFEASIBLE)
        take_vector(r->p.m, y, r->row, r->row_of, f->vector + n);
    else
        take_vector(r->p.n, x, r->column, r->variable, f->vector);
    if (!vector_is_finite((size_t)n + (size_t)m, f->vector)) return false;
    return perp_prove(f->run, f->claim, f->vector) == PERP_SOLVED;
}

static bool try_finish(proof *f)
{
    perp_ipm_finish_identify(&f->finish, &f->point);
    for (int k = 0; k < EXCHANGES; k++) {
        if (!perp_ipm_finish_solve(&f->finish)) return false;
        if (is_proved(f, f->finish.x, f->finish.y)) return true;
        if (perp_ipm_finish_exchange(&f->finish) == 0) return false;
    }
    return false;
}

static perp_status search(proof *f)
{
    ipm_point *t = &f->point;
    double goal = CLOSE;
    if (!open_proof(f)) return PERP_E_MEMORY;
    if (perp_is_sizing(f->run)) return PERP_STALLED;
    if (!perp_ipm_start(t, 1)) return PERP_STALLED;
    for (int k = 0; k < STEPS && perp_continue(f->run, NULL, INFINITY); k++) {
        bool moves = perp_ipm_advance(t);
        perp_ipm_measure(t);
        double error = t->mu + t->primal + t->dual;
        if (isnan(error)) return PERP_STALLED;
        if (error < goal || !moves) {
            goal = CLOSER * error;
            if (try_finish(f)) {
                f->run->proof = f->vector;
                return f->claim;
            }
        }
        if (!moves || t->mu < DBL_MIN / DBL_EPSILON || error < DBL_EPSILON) return PERP_STALLED;
    }
    return PERP_STALLED;
}

static bool empty_matrix(perp_arena *a, int n, perp_matrix *out)
{
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), *i = perp_alloc(a, 1, sizeof *i);
    double *x = perp_alloc(a, 1, sizeof *x);
    *out = perp_csc(n, n, p, i, x);
    return !a->failed;
}

perp_status perp_ipm_prove_infeasible(perp_run *run, const ipm_presolved *r)
{
    perp_arena *a = run->arena;
    proof f = {.run = run, .r = r, .p = r->p, .claim = PERP_INFEASIBLE};
    f.p.c = perp_alloc(a, (size_t)r->p.n, sizeof *f.p.c);
    f.p.soft = 1;
    f.p.symmetric = f.p.linear = true;
    if (!f.p.c || !empty_matrix(a, r->p.n, &f.p.H)) return PERP_E_MEMORY;
    return search(&f);
}

/* ---- unbounded ---- */

static bool identity(perp_arena *a, int n, perp_matrix *out)
{
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), *i = perp_alloc(a, (size_t)n, sizeof *i);
    double *x = perp_alloc(a, (size_t)n, sizeof *x);
    if (a->failed) return false;
    for (int j = 0; j < n; j++) {
        p[j + 1] = j + 1;
        i[j] = j;
        x[j] = 1;
    }
    *out = perp_csc(n, n, p, i, x);
    return true;
}

/* A direction has no room between two bounds: such a variable does not move. */
static bool is_boxed(const ipm_problem *p, int j)
{
    return p->lo[j] > -INFINITY && p->hi[j] < INFINITY;
}

/* Entries of [A; S] in each column, but for the variables that do not move. */
static void count_stack(const ipm_problem *p, int *count)
{
    const struct perp_csc_view *H = &p->H.as.csc, *A = &p->A.as.csc;
    for (int j = 0; j < p->n; j++) {
        if (is_boxed(p, j)) continue;
        count[j] += A->p[j + 1] - A->p[j] + H->p[j + 1] - H->p[j];
    }
    for (int j = 0; j < p->n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            if (H->i[k] != j && !is_boxed(p, H->i[k])) count[H->i[k]]++;
        }
    }
}

static void put(int *next, int row, double value, int *i, double *x)
{
    i[*next] = row;
    x[(*next)++] = value;
}

/* [A; S], each entry of H giving two of S, which are summed where they meet. */
static bool stack(perp_arena *a, const ipm_problem *p, perp_matrix *out)
{
    const struct perp_csc_view *H = &p->H.as.csc, *A = &p->A.as.csc;
    size_t n = (size_t)p->n, most = (size_t)A->p[p->n] + 2 * (size_t)H->p[p->n];
    int *start = perp_alloc(a, n + 2, sizeof *start), *i = perp_alloc(a, most, sizeof *i);
    double *x = perp_alloc(a, most, sizeof *x);
    if (a->failed) return false;
    count_stack(p, start + 2);
    for (int j = 0; j < p->n; j++) start[j + 2] += start[j + 1];
    int *next = start + 1;
    for (int j = 0; j < p->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1] && !is_boxed(p, j); k++) {
            put(&next[j], A->i[k], A->x[k], i, x);
        }
    }
    for (int j = 0; j < p->n; j++) {
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            int row = H->i[k];
            double value = p->symmetric || row == j ? H->x[k] : 0.5 * H->x[k];
            if (!is_boxed(p, j)) put(&next[j], p->m + row, value, i, x);
            if (row != j && !is_boxed(p, row)) put(&next[row], p->m + j, value, i, x);
        }
    }
    perp_matrix all = perp_csc(p->m + p->n, p->n, start, i, x);
    return perp_sort_csc(&all, a, out) == PERP_SOLVED;
}

perp_status perp_ipm_prove_unbounded(perp_run *run, const ipm_presolved *r)
{
    perp_arena *a = run->arena;
    const ipm_problem *p = &r->p;
    proof f = {.run = run, .r = r, .p = *p, .claim = PERP_UNBOUNDED};
    size_t n = (size_t)p->n, pairs = 2 * n + (size_t)p->m;
    double *lo = perp_alloc(a, pairs, sizeof *lo), *hi = perp_alloc(a, pairs, sizeof *hi);
    double *c = perp_alloc(a, n, sizeof *c);
    if (a->failed || !identity(a, p->n, &f.p.H) || !stack(a, p, &f.p.A)) return PERP_E_MEMORY;
    for (int k = 0; k < p->n + p->m; k++) {
        bool still = k < p->n && is_boxed(p, k); /* d'd / 2 alone keeps it at 0 */
        lo[k] = p->lo[k] > -INFINITY && !still ? 0 : -INFINITY;
        hi[k] = p->hi[k] < INFINITY && !still ? 0 : INFINITY;
        if (k < p->n) c[k] = still ? 0 : p->c[k];
    }
    f.p.m = p->m + p->n;
    f.p.c = c;
    f.p.lo = lo;
    f.p.hi = hi;
    f.p.linear = false;
    f.p.symmetric = true;
    return search(&f);
}
