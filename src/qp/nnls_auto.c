/* qp/nnls_auto.c (nnls/auto): chooses solvers by the structure of the problem and by progress.
 *
 * Two plans (core/chain.h), by what an active set would cost: a small face is walked to by
 * nnls/wilhelmsen, and a dense A of few columns goes to nnls/pivot, which lives on matrix products;
 * for the rest conjugate gradients on the orthant (lcp/mprgp, on A'A as two products with A of
 * columns scaled to length 1) come before interior points and block pivots. nnls/lawson_hanson is
 * the last, where columns nearly depend on each other. A dense A of few entries is treated as
 * sparse. Decides by structure, statuses and iterations, never by the clock. Memory is that of the
 * greediest solver tried. */
#include "base/vector.h"
#include "core/chain.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "linalg/gram.h"
#include "nnls_interior.h"
#include "nnls_scaled.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#define WALK 3e7       /* flops of walking to the face that are not worth a thought */
#define FEW 32         /* columns of a dense A for which the same holds */
#define BLOCKS 30      /* exchanges of block pivoting before anything else: 3 to 15 are usual */
#define PRODUCTS 20000 /* with an operator's A'A; ... */
#define GRADIENTS 3000 /* ... of a matrix at most, and at least, ... */
#define SOME 200       /* ... and such as cost half of the walk's flops */
#define TIGHTER 0.01   /* the gradients' tolerance, where theirs was not the problem's */
#define ROUNDS 3       /* of that */
#define ORTHOGONAL 5e7 /* numbers of Q in nnls/lawson_hanson: 400 MB */

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

static void cone_mul(void *ctx, double s, const double *y, double t, double *out)
{
    const cone *c = ctx;
    cone_x(c, y, c->x);
    perp_mul(&c->A, 1, c->x, 0, c->Ax);
    cone_add(c, s, c->Ax, t, out);
}

static bool open_lcp(perp_chain *c, cone *k, perp_problem *lcp, double **y)
{
    const perp_nnls *p = &c->problem->as.nnls;
    perp_arena *a = c->run->arena;
    int n = p->A.n, *number = PERP_ALLOC(c->run, int, n);
    perp_gram gram;
    *k = (cone){.A = p->A, .number = number};
    for (int j = 0; !a->failed && p->is_free && j < n; j++) {
        if (p->is_free[j]) number[k->split++] = j;
    }
    size_t size = (size_t)n + (size_t)k->split;
    k->length = PERP_ALLOC(c->run, double, n);
    k->x = PERP_ALLOC(c->run, double, n);
    k->Ax = PERP_ALLOC(c->run, double, p->A.m);
    double *q = PERP_ALLOC(c->run, double, size);
    *y = PERP_ALLOC(c->run, double, size);
    if (a->failed || size > INT_MAX || !perp_gram_open(&gram, &p->A, a)) return false;
    for (int j = 0; j < n; j++) {
        double square = p->A.format == PERP_FORMAT_OPERATOR ? 1 : perp_gram_square(&gram, j);
        k->length[j] = square > 0 && isfinite(square) ? 1 / sqrt(square) : 1;
    }
    cone_add(k, -1, p->b, 0, q);
    perp_matrix M = {.format = PERP_FORMAT_OPERATOR, .m = (int)size, .n = (int)size};
    M.as.op = (struct perp_operator){.mul = cone_mul, .mul_t = cone_mul, .ctx = k};
    *lcp = perp_make_lcp((int)size, M, q);
    return true;
}

static void set_start(const perp_chain *c, const cone *k, double *y)
{
    bool some = c->begun || c->run->options->warm_start;
    for (int j = 0; j < k->A.n; j++) y[j] = some ? fmax(c->z[j] / k->length[j], 0) : 0;
    for (int s = 0; s < k->split; s++) {
        int j = k->number[s];
        y[k->A.n + s] = some ? fmax(-c->z[j] / k->length[j], 0) : 0;
    }
}

/* Flops of walking to a face of half of the columns, or of as many as there are rows. */
static double walk(const perp_matrix *A)
{
    double k = fmin(A->m, 0.5 * A->n);
    return 4. / 3 * k * k * k;
}

static double entries(const perp_matrix *A)
{
    return A->format == PERP_FORMAT_CSC ? A->as.csc.p[A->n] : (double)A->m * A->n;
}

static int gradients(const perp_matrix *A)
{
    if (A->format == PERP_FORMAT_OPERATOR) return PRODUCTS;
    double most = 0.5 * walk(A) / (4 * entries(A) + 1);
    return (int)fmin(fmax(most, SOME), GRADIENTS);
}

static perp_chain_outcome end_without_room(perp_chain *c, const char *name)
{
    c->last = (perp_result){.status = PERP_E_MEMORY};
    snprintf(c->last.detail, sizeof c->last.detail, "the arena has no room for %s", name);
    return perp_chain_note(c, name);
}

/* The solution of the LCP is certified on the problem, whose residual has another scale: where that
 * asks for more the LCP is solved more tightly. */
static perp_chain_outcome follow_gradients(perp_chain *c, const perp_chain_step *s)
{
    perp_lcp_mprgp_options o = perp_lcp_mprgp;
    perp_problem lcp;
    cone k;
    double *y;
    perp_chain_outcome next = PERP_CHAIN_NEXT;
    perp_mark mark = perp_arena_mark(c->run->arena);
    bool room = open_lcp(c, &k, &lcp, &y);
    (void)s;
    o.base.tol = c->run->options->tol;
    o.base.max_iter = gradients(&c->problem->as.nnls.A);
    o.base.warm_start = true;
    if (room) set_start(c, &k, y);
    for (int round = 0; room && round < ROUNDS && next == PERP_CHAIN_NEXT; round++) {
        perp_status status = perp_nested(c->run, &lcp, &o.base, y, &c->last);
        if (status >= 0) cone_x(&k, y, c->z);
        next = perp_chain_certify(c, o.base.solver->name);
        if (status != PERP_SOLVED) break;
        o.base.tol *= TIGHTER;
    }
    perp_arena_release(c->run->arena, mark);
    return room ? next : end_without_room(c, o.base.solver->name);
}

/* ---- interior points ---- */

static bool is_for_interior(const perp_chain *c)
{
    return c->problem->as.nnls.A.format == PERP_FORMAT_CSC;
}

static perp_chain_outcome follow_interior(perp_chain *c, const perp_chain_step *s)
{
    perp_nnls p = c->problem->as.nnls;
    perp_arena *a = c->run->arena;
    perp_mark mark = perp_arena_mark(a);
    perp_status status = perp_sort_csc(&p.A, a, &p.A);
    (void)s;
    if (!status) status = perp_nnls_interior(c->run, &p, c->z);
    perp_arena_release(a, mark);
    if (status == PERP_E_MEMORY) return end_without_room(c, "the interior points of nnls/auto");
    c->last = (perp_result){.status = status, .solver = "nnls/auto"};
    return perp_chain_note(c, "the interior points of nnls/auto");
}

/* ---- the plans ---- */

/* Is A a dense matrix with more than a few columns, and at least as many rows? */
static bool is_tall(const perp_chain *c)
{
    const perp_matrix *A = &c->problem->as.nnls.A;
    return A->format == PERP_FORMAT_DENSE && A->n <= A->m && A->n > FEW;
}

static bool is_small(const perp_chain *c)
{
    const perp_matrix *A = &c->problem->as.nnls.A;
    return A->format != PERP_FORMAT_OPERATOR && (walk(A) <= WALK || A->n <= FEW);
}

static bool has_entries(const perp_chain *c)
{
    return c->problem->as.nnls.A.format != PERP_FORMAT_OPERATOR;
}

static bool has_room_for_q(const perp_chain *c)
{
    const perp_matrix *A = &c->problem->as.nnls.A;
    return (double)A->m * fmin(A->m, A->n) <= ORTHOGONAL;
}

/* nnls/lawson_hanson is for columns that nearly depend on each other. */
static const perp_chain_step active_steps[] = {
    {.options = &perp_nnls_pivot.base, .iterations = BLOCKS, .fits = is_tall},
    {.options = &perp_nnls_wilhelmsen.base},
    {.options = &perp_nnls_lawson_hanson.base, .fits = has_room_for_q},
    {.options = &perp_nnls_pivot.base},
    {0},
};

static const perp_chain_step gradient_steps[] = {
    {.run = follow_gradients},
    {.run = follow_interior, .fits = is_for_interior},
    {.options = &perp_nnls_pivot.base, .fits = has_entries},
    {.options = &perp_nnls_wilhelmsen.base},
    {.options = &perp_nnls_lawson_hanson.base, .fits = has_room_for_q},
    {0},
};

static const perp_chain_plan active_plan = {.steps = active_steps};
static const perp_chain_plan gradient_plan = {.steps = gradient_steps};

/* A dense A of few entries is solved with its columns compressed. */
static perp_status solve(perp_run *run, double *z)
{
    perp_problem thin = *run->problem;
    const perp_matrix *given = &run->problem->as.nnls.A;
    perp_status status;
    if (perp_nnls_scaled(run, NNLS_ANY_SPREAD, z, &status)) return status;
    status = perp_gram_thin(given, run->arena, &thin.as.nnls.A);
    if (status) return status;
    bool same = thin.as.nnls.A.format == given->format;
    perp_chain c = {.run = run, .z = z, .problem = same ? run->problem : &thin};
    return perp_chain_run(&c, is_small(&c) || is_tall(&c) ? &active_plan : &gradient_plan);
}

static const perp_solver solver = {
    .name = "nnls/auto",
    .about = "chooses solvers by the structure of the problem and by progress",
    .kind = PERP_KIND_NNLS,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
};

const perp_plain_options perp_nnls_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
