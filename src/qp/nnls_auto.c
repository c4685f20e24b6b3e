/* qp/nnls_auto.c: the choice for who does not want to choose.
 *
 * Three plans, by what an active set would cost: a small face is walked to by nnls/wilhelmsen; a
 * dense A of few columns goes to nnls/pivot, which lives on matrix products; for the rest
 * conjugate gradients on the orthant (lcp/mprgp, on A'A as two products with A of columns scaled to
 * length 1) come before interior points and block pivots. nnls/lawson_hanson is the last, where
 * columns nearly depend on each other. A dense A of few entries is treated as sparse. Decides by
 * structure, statuses and iterations, never by the clock. Memory is that of the greediest solver
 * tried. */
#include "base/vector.h"
#include "core/internal.h"
#include "linalg/gram.h"
#include "nnls_interior.h"
#include "perp/solvers.h"

#include <limits.h>
#include <string.h>

#define WALK 3e7       /* flops of walking to the face that are not worth a thought */
#define FEW 32         /* columns of a dense A for which the same holds */
#define BLOCKS 30      /* exchanges of block pivoting before anything else: 3 to 15 are usual */
#define PRODUCTS 20000 /* with an operator's A'A; ... */
#define GRADIENTS 3000 /* ... of a matrix at most, and at least, ... */
#define SOME 200       /* ... and such as cost half of the walk's flops */
#define TIGHTER 0.01   /* the gradients' tolerance, where theirs was not the problem's */
#define ROUNDS 3       /* of that */
#define ORTHOGONAL 5e7 /* numbers of Q in nnls/lawson_hanson: 400 MB */

typedef struct chain {
    perp_run *run;
    perp_problem problem; /* the caller's, or one of the same columns in fewer numbers */
    bool same;            /* the caller's */
    double *z;
    bool begun;       /* z is the best so far */
    perp_result best; /* the most telling end so far */
} chain;

/* ---- one solver ---- */

/* A refusal tells least, but for a want of memory. */
static int weight(perp_status s)
{
    return s == PERP_E_MEMORY ? 1 : s < 0 ? 0 : s == PERP_SOLVED ? 3 : 2;
}

/* After z and its result: is there no point in going on? */
static bool is_final(chain *c, perp_status last, const perp_result *r, bool judged)
{
    if (weight(last) >= weight(c->best.status)) c->best = *r;
    if (last == PERP_CANCELLED || last == PERP_MAX_SECONDS) return true;
    c->begun |= last >= 0;
    if (judged) return last == PERP_SOLVED || perp_budget(c->run) <= 0;
    if (last < 0) return perp_budget(c->run) <= 0;
    if (perp_continue(c->run, c->z, r->residual.value)) return false;
    c->best.status = c->run->status;
    return true;
}

static bool attempt(chain *c, const perp_options *defaults, int most)
{
    union {
        perp_options base;
        perp_wilhelmsen_options wilhelmsen;
        perp_nnls_pivot_options pivot;
        perp_plain_options plain;
    } o;
    perp_result result;
    memcpy(&o, defaults, defaults->solver->options_size);
    o.base.tol = c->run->options->tol;
    o.base.threads = c->run->options->threads;
    o.base.warm_start = c->begun || c->run->options->warm_start;
    if (most > 0) o.base.max_iter = most;
    const perp_problem *p = c->same ? c->run->problem : &c->problem;
    perp_status last = perp_nested(c->run, p, &o.base, c->z, &result);
    return is_final(c, last, &result, c->same);
}

/* ---- gradients ---- */

/* 0 <= y _|_ D A'A D y - D A'b >= 0 with x = D y; a free x is the difference of two y. */
typedef struct cone {
    perp_matrix A;
    int split;         /* free x */
    const int *number; /* their columns */
    double *length;    /* D */
    double *x, *Ax;
} cone;

static void cone_x(const cone *c, const double *y, double *x)
{
    for (int j = 0; j < c->A.n; j++) x[j] = y[j];
    for (int k = 0; k < c->split; k++) x[c->number[k]] -= y[c->A.n + k];
    for (int j = 0; j < c->A.n; j++) x[j] *= c->length[j];
}

/* y = s D A' r + t y */
static void cone_add(const cone *c, double s, const double *r, double t, double *y)
{
    perp_mul_t(&c->A, s, r, 0, c->x);
    for (int j = 0; j < c->A.n; j++) {
        c->x[j] *= c->length[j];
        y[j] = t == 0 ? c->x[j] : c->x[j] + t * y[j];
    }
    for (int k = 0; k < c->split; k++) {
        double *to = &y[c->A.n + k], g = -c->x[c->number[k]];
        *to = t == 0 ? g : g + t * *to;
    }
}

static void cone_mul(const void *ctx, double s, const double *y, double t, double *out)
{
    const cone *c = ctx;
    cone_x(c, y, c->x);
    perp_mul(&c->A, 1, c->x, 0, c->Ax);
    cone_add(c, s, c->Ax, t, out);
}

static bool open_lcp(chain *c, cone *k, perp_problem *lcp, double **y)
{
    const perp_nnls *p = &c->problem.as.nnls;
    perp_arena *a = c->run->arena;
    int n = p->A.n, *number = PERP_ALLOC(c->run, int, n);
    perp_gram gram;
    *k = (cone){.A = p->A, .number = number};
    for (int j = 0; !a->failed && p->free && j < n; j++) {
        if (p->free[j]) number[k->split++] = j;
    }
    size_t size = (size_t)n + (size_t)k->split;
    k->length = PERP_ALLOC(c->run, double, n);
    k->x = PERP_ALLOC(c->run, double, n);
    k->Ax = PERP_ALLOC(c->run, double, p->A.m);
    double *q = PERP_ALLOC(c->run, double, size);
    *y = PERP_ALLOC(c->run, double, size);
    if (a->failed || size > INT_MAX || !perp_gram_open(&gram, &p->A, a)) return false;
    for (int j = 0; j < n; j++) {
        double square = p->A.format == PERP_OPERATOR ? 1 : perp_gram_square(&gram, j);
        k->length[j] = square > 0 && isfinite(square) ? 1 / sqrt(square) : 1;
    }
    cone_add(k, -1, p->b, 0, q);
    perp_matrix M = {.format = PERP_OPERATOR, .m = (int)size, .n = (int)size};
    M.as.op = (struct perp_operator){.mul = cone_mul, .mul_t = cone_mul, .ctx = k};
    *lcp = perp_make_lcp((int)size, M, q);
    return true;
}

static void set_start(const chain *c, const cone *k, double *y)
{
    bool some = c->begun || c->run->options->warm_start;
    for (int j = 0; j < k->A.n; j++) y[j] = some ? fmax(c->z[j] / k->length[j], 0) : 0;
    for (int s = 0; s < k->split; s++) {
        int j = k->number[s];
        y[k->A.n + s] = some ? fmax(-c->z[j] / k->length[j], 0) : 0;
    }
}

static bool follow_gradients(chain *c, int most)
{
    perp_mprgp_options o = perp_lcp_mprgp;
    perp_result r;
    perp_problem lcp;
    cone k;
    double *y;
    bool last = false;
    perp_mark mark = perp_arena_mark(c->run->arena);
    if (!open_lcp(c, &k, &lcp, &y)) {
        c->best.status = PERP_E_MEMORY;
        return true;
    }
    o.base.tol = c->run->options->tol;
    o.base.max_iter = most;
    set_start(c, &k, y);
    o.base.warm_start = true;
    for (int round = 0; round < ROUNDS && !last; round++) {
        perp_status s = perp_nested(c->run, &lcp, &o.base, y, &r);
        if (s >= 0) cone_x(&k, y, c->z);
        last = is_final(c, s, &r, false);
        if (s != PERP_SOLVED) break;
        o.base.tol *= TIGHTER;
    }
    perp_arena_release(c->run->arena, mark);
    return last;
}

/* ---- interior points ---- */

static bool follow_interior(chain *c)
{
    perp_nnls p = c->problem.as.nnls;
    perp_result r = {.residual.value = INFINITY, .solver = "nnls/auto"};
    perp_arena *a = c->run->arena;
    perp_mark mark = perp_arena_mark(a);
    perp_status s = perp_sort_csc(&p.A, a, &p.A);
    if (!s) s = perp_nnls_interior(c->run, &p, c->z);
    perp_arena_release(a, mark);
    r.status = s;
    if (weight(s) >= weight(c->best.status)) c->best = r;
    c->begun |= s >= 0;
    return s != PERP_STALLED && s != PERP_E_MEMORY;
}

/* ---- the plans ---- */

/* Flops of walking to a face of half of the columns, or of as many as there are rows. */
static double walk(const perp_matrix *A)
{
    double k = fmin(A->m, 0.5 * A->n);
    return 4. / 3 * k * k * k;
}

static double entries(const perp_matrix *A)
{
    return A->format == PERP_CSC ? A->as.csc.p[A->n] : (double)A->m * A->n;
}

static int gradients(const perp_matrix *A)
{
    if (A->format == PERP_OPERATOR) return PRODUCTS;
    double most = 0.5 * walk(A) / (4 * entries(A) + 1);
    return (int)fmin(fmax(most, SOME), GRADIENTS);
}

static void follow(chain *c)
{
    const perp_matrix *A = &c->problem.as.nnls.A;
    bool as_operator = A->format == PERP_OPERATOR;
    bool small = !as_operator && (walk(A) <= WALK || A->n <= FEW);
    bool tall = A->format == PERP_DENSE && A->n <= A->m && A->n > FEW;
    if (tall && attempt(c, &perp_nnls_pivot.base, BLOCKS)) return;
    if (small && attempt(c, &perp_nnls_wilhelmsen.base, 0)) return;
    if (!small && !tall) {
        if (follow_gradients(c, gradients(A))) return;
        if (A->format == PERP_CSC && !c->run->arena->fixed && follow_interior(c)) return;
        if (!as_operator && attempt(c, &perp_nnls_pivot.base, 0)) return;
    }
    if (!small && attempt(c, &perp_nnls_wilhelmsen.base, 0)) return;
    double Q = (double)A->m * fmin(A->m, A->n);
    if (Q <= ORTHOGONAL && attempt(c, &perp_nnls_lawson_hanson.base, 0)) return;
    if (!as_operator && (small || tall)) attempt(c, &perp_nnls_pivot.base, 0);
}

static perp_status solve(perp_run *run, double *z)
{
    chain c = {.run = run, .problem = *run->problem, .z = z, .best.status = PERP_E_ARGUMENT};
    const perp_matrix *given = &run->problem->as.nnls.A;
    perp_status s = perp_gram_thin(given, run->arena, &c.problem.as.nnls.A);
    if (s) return s;
    c.same = c.problem.as.nnls.A.format == given->format;
    follow(&c);
    if (c.best.status == PERP_MAX_ITER && perp_budget(run) > 0) {
        return perp_fail(run, PERP_STALLED, "no solver got there in its share of the iterations");
    }
    if (c.best.status == PERP_SOLVED) return run->status = PERP_SOLVED;
    return perp_fail(run, c.best.status, "%s", c.best.detail);
}

static const perp_solver solver = {
    .name = "nnls/auto",
    .about = "chooses solvers by the structure of the problem and by progress",
    .kind = PERP_NNLS,
    .formats = {PERP_DENSE | PERP_CSC | PERP_OPERATOR},
    .flags = PERP_CHEAP_CERTIFICATE | PERP_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
};

const perp_plain_options perp_nnls_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
