/* lcp/auto.c: chooses solvers by the structure of the problem and by progress.
 *
 * Three plans, for a matrix that is dense (or so small or full that it may as well be), sparse, or
 * an operator (core/chain.h), each with its solvers in the order in which they are worth a try.
 * Symmetry, definiteness and a positive diagonal are not tested here: a solver that needs them
 * finds out as soon as it starts, and its refusal costs at most a few products with M. Where the
 * plan ends unsolved, at a limit or not, lcp/psor sweeps beside it: under an iteration limit z is
 * never worse than that of lcp/psor with the same limit. Decides by structure, statuses and
 * iterations, never by the clock, but that the plan for dense matrices has half of max_seconds.
 *
 * The order comes from times of src/generate's families (benchmarks/bench) on one BLAS thread.
 * Where all is well auto costs some microseconds more than the first solver of its plan. Where
 * nothing solves the problem it costs as much as all of them and mcp/auto, which comes last,
 * Newton's a thousand factors of M: limit iterations or time. Memory is that of the greediest
 * solver tried: twice n^2 numbers when dense. */
#include "base/vector.h"
#include "core/chain.h"
#include "core/defaults.h"
#include "core/proof.h"
#include "method/small_pivot.h"

#include <float.h>

#define SMALL 100        /* sparse matrices up to here, or with this part of ... */
#define FILLED 0.25      /* ... their entries there follow the plan for dense ones */
#define LEMKE 20000      /* sparse ones beyond this size: a pivot looks at every row */
#define ENUMERATE 14     /* 16384 bases: some ten milliseconds */
#define DENSE_BLOCKS 15  /* exchanges of block pivoting: a definite M takes 2 to 10, ... */
#define SPARSE_BLOCKS 40 /* ... and more on a grid, where the set may move a layer at a time */
#define SWEEPS 500       /* a sweep costs a product; where they diverge, a hundred show it */
#define POLISH 1000      /* sweeps on what pivoting left behind */
#define GRADIENTS 20000  /* products; a few hundred are usual */
#define ALL_BASIC 3      /* exchanges from the basis in which w = 0 */
#define PER_ROW 50       /* pivots; a few are usual, 2^n possible */
#define SPARSE_PER_ROW 10
#define PROVABLE 300    /* unknowns up to which lcp/nsqp is asked for a proof after a ray */
#define STARTS_MOST 100 /* other starts of lcp/nsqp, as many as ... */
#define STARTS_LEAST 4  /* ... n^3 times their number is STARTS_WORK, within these limits: */
#define STARTS_WORK 6e7 /* 60 for n = 100, of 10 ms each */
#define ROUNDING 0.05   /* of DBL_EPSILON |M| z: what the rounding of z alone leaves, on average */
#define NEAR 100        /* a residual less than this times that is as good as rounding */

static void give_up_where_singular(perp_options *o)
{
    ((perp_lcp_pivot_options *)o)->proximal = 0;
}

static void cover_rows(perp_options *o)
{
    ((perp_lcp_lemke_options *)o)->cover = PERP_COVER_ROWS;
}

static bool is_after_ray(const perp_chain *c)
{
    return c->last.status == PERP_RAY;
}

static bool is_enumerable(const perp_chain *c)
{
    return perp_chain_size(c) <= ENUMERATE;
}

static bool is_not_enumerable(const perp_chain *c)
{
    return !is_enumerable(c);
}

static bool is_for_lemke(const perp_chain *c)
{
    return perp_chain_size(c) <= LEMKE;
}

/* A ray says that the path ended, no more. Phase one of lcp/nsqp finds a feasible point, or proves
 * that there is none: 14 n^2 flops for each of a few steps a row. */
static bool may_be_infeasible(const perp_chain *c)
{
    return c->best.status == PERP_RAY;
}

static bool is_provable(const perp_chain *c)
{
    return perp_chain_size(c) <= PROVABLE;
}

static bool is_for_starts(const perp_chain *c)
{
    return is_provable(c) && is_not_enumerable(c);
}

/* ---- steps of their own ---- */

/* The basis in which w = 0, one factorisation of M, and an exchange or two from there. */
static perp_chain_outcome from_all_basic(perp_chain *c, const perp_chain_step *s)
{
    static const perp_chain_step pivots = {.options = &perp_lcp_pivot.base,
                                           .iterations = ALL_BASIC};
    (void)s;
    for (int i = 0; i < perp_chain_size(c); i++) c->z[i] = 1;
    c->begun = true;
    return perp_chain_try(c, &pivots);
}

/* xorshift64*, uniform in [0, 1): the same points every time. */
static double draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

static int count_starts(int n)
{
    double count = STARTS_WORK / ((double)n * n * n);
    return count > STARTS_MOST ? STARTS_MOST : count < STARTS_LEAST ? STARTS_LEAST : (int)count;
}

/* Where M is not row sufficient lcp/nsqp ends at a stationary point, of which there are many; which
 * one depends on the first set. Of LCPs with n = 100 and a planted solution, half of w positive, it
 * solves one in ten from any start. */
static perp_chain_outcome start_elsewhere(perp_chain *c, const perp_chain_step *s)
{
    uint64_t state = UINT64_C(88172645463325252);
    int n = perp_chain_size(c), starts = count_starts(n);
    for (int k = 0; k < starts; k++) {
        for (int i = 0; i < n; i++) {
            double z = draw(&state);
            c->z[i] = draw(&state) < 0.5 ? z : 0;
        }
        c->begun = true;
        if (perp_chain_try(c, s)) return PERP_CHAIN_END;
        if (c->last.status < 0) break;
    }
    return PERP_CHAIN_NEXT;
}

/* Is z as near to a solution as its own rounding lets it be, and tol out of reach? A long chain of
 * unknowns that hang on each other has z of the size n^2 |q|, and then tol is. */
static bool is_at_rounding(perp_chain *c)
{
    const perp_lcp *p = &c->run->problem->as.lcp;
    perp_arena *a = c->run->arena;
    perp_mark mark = perp_arena_mark(a);
    if (c->last.status != PERP_STALLED) return false;
    double *size = perp_alloc_unset(a, (size_t)p->n, sizeof *size);
    if (size) perp_mul_sizes(&p->M, c->z, size, size);
    double left = size ? ROUNDING * DBL_EPSILON * vector_norm(p->n, size) / perp_scale(c->run) : 0;
    perp_arena_release(a, mark);
    if (!(c->run->options->tol < left && perp_chain_residual(c) < NEAR * left)) return false;
    perp_fail(c->run, PERP_STALLED,
              "the rounding of z alone leaves a residual of about %.1e, more than the tolerance",
              left);
    return true;
}

/* On pd, psd, nonsymmetric and skew problems of n = 500 block pivoting took 1.5, 125, 2.6 and 316
 * ms, Dantzig 2.3, 8.8, -, -, Lemke 4.5, 9.7, 4.5, 66. So block pivoting as long as M is not
 * singular on its sets, else Dantzig if M is symmetric, else Lemke, whose second covering vector is
 * another path; the last two also prove infeasibility. Beyond that no method is sure of itself: of
 * solutions planted in random problems of n = 20, Newton's found 60 %, proximal pivots 25 %, Lemke
 * 16 %. Of n = 100 (build/tests/sweep_planted): where w = 0 the basis of that finds all, Newton's
 * 45 %, mcp/auto 95 % in 0.6 s each; where half of w is positive other starts of lcp/nsqp find 80 %
 * in 1 s each, Newton's none, mcp/auto 20 %. mcp/auto comes last so that nothing which it solves or
 * proves is left. */
static const perp_chain_step dense_steps[] = {
    {.options = &perp_lcp_pivot.base,
     .adjust = give_up_where_singular,
     .iterations = DENSE_BLOCKS,
     .from = PERP_FROM_GIVEN},
    {.options = &perp_lcp_dantzig.base, .per_row = PER_ROW, .from = PERP_FROM_GIVEN},
    {.options = &perp_lcp_lemke.base, .per_row = PER_ROW, .from = PERP_FROM_GIVEN},
    {.options = &perp_lcp_lemke.base,
     .adjust = cover_rows,
     .per_row = PER_ROW,
     .from = PERP_FROM_ZERO,
     .when = is_after_ray},
    {.options = &perp_lcp_nsqp.base,
     .per_row = SPARSE_PER_ROW,
     .from = PERP_FROM_ZERO,
     .fits = is_provable,
     .when = may_be_infeasible},
    {.options = &perp_lcp_psor.base, .iterations = POLISH},
    {.run = from_all_basic},
    {.options = &perp_lcp_pivot.base, .from = PERP_FROM_ZERO},
    {.options = &perp_lcp_enumerate.base, .fits = is_enumerable},
    {.options = &perp_lcp_nsqp.base,
     .per_row = SPARSE_PER_ROW,
     .fits = is_for_starts,
     .run = start_elsewhere},
    {.options = &perp_lcp_newton_fb.base, .from = PERP_FROM_ZERO, .fits = is_not_enumerable},
    {.options = &perp_lcp_newton_min.base, .from = PERP_FROM_ZERO, .fits = is_not_enumerable},
    {.options = &perp_mcp_auto.base, .from = PERP_FROM_GIVEN, .fits = is_not_enumerable},
    {0},
};

/* A membrane on an obstacle, n = 22500: proportioning took 0.13 s, pivots and Newton's method 2.1.
 * Convection with diffusion, n = 22500 and not symmetric: sweeps 0.03 s, pivots 0.8, Newton's 3;
 * with central differences sweeps diverge, and pivots are best. Linear programs and whatever else
 * is singular on most sets are Lemke's: 2 ms for one of n = 200 that Newton's method gave up after
 * 5 s.
 */
static const perp_chain_step sparse_steps[] = {
    {.options = &perp_lcp_mprgp.base, .iterations = GRADIENTS, .from = PERP_FROM_GIVEN},
    {.options = &perp_lcp_psor.base, .iterations = SWEEPS},
    {.options = &perp_lcp_pivot.base,
     .adjust = give_up_where_singular,
     .iterations = SPARSE_BLOCKS,
     .from = PERP_FROM_GIVEN},
    {.options = &perp_lcp_lemke.base,
     .per_row = SPARSE_PER_ROW,
     .from = PERP_FROM_ZERO,
     .fits = is_for_lemke},
    {.options = &perp_lcp_lemke.base,
     .adjust = cover_rows,
     .per_row = SPARSE_PER_ROW,
     .from = PERP_FROM_ZERO,
     .fits = is_for_lemke,
     .when = is_after_ray},
    {.options = &perp_lcp_nsqp.base,
     .per_row = SPARSE_PER_ROW,
     .from = PERP_FROM_ZERO,
     .fits = is_provable,
     .when = may_be_infeasible},
    {.run = from_all_basic},
    {.options = &perp_lcp_newton_min.base, .from = PERP_FROM_GIVEN},
    {.options = &perp_lcp_pivot.base, .from = PERP_FROM_ZERO},
    {.options = &perp_lcp_newton_fb.base, .from = PERP_FROM_ZERO},
    {.options = &perp_lcp_cpg.base},
    {.options = &perp_lcp_psor.base},
    {.options = &perp_lcp_nsqp.base,
     .per_row = SPARSE_PER_ROW,
     .fits = is_for_starts,
     .run = start_elsewhere},
    {.options = &perp_mcp_auto.base, .from = PERP_FROM_GIVEN},
    {0},
};

/* Nothing else works with products alone; both need symmetry. */
static const perp_chain_step operator_steps[] = {
    {.options = &perp_lcp_mprgp.base, .from = PERP_FROM_GIVEN},
    {.options = &perp_lcp_cpg.base},
    {0},
};

static const perp_chain_plan dense_plan = {
    .steps = dense_steps, .sweeps = &perp_lcp_psor.base, .rule = PERP_SWEEPS_HALVE};
static const perp_chain_plan sparse_plan = {
    .steps = sparse_steps, .sweeps = &perp_lcp_psor.base, .settled = is_at_rounding};
static const perp_chain_plan operator_plan = {.steps = operator_steps,
                                              .sweeps = &perp_lcp_psor.base};

static const perp_chain_plan *choose_plan(const perp_matrix *M)
{
    if (M->format == PERP_FORMAT_OPERATOR) return &operator_plan;
    if (M->format == PERP_FORMAT_DENSE || M->n <= SMALL) return &dense_plan;
    double all = (double)M->n * M->n;
    return M->as.csc.p[M->n] > FILLED * all ? &dense_plan : &sparse_plan;
}

static perp_status solve(perp_run *run, double *z)
{
    perp_chain c = {.run = run, .z = z};
    return perp_chain_run(&c, choose_plan(&run->problem->as.lcp.M));
}

static int solve_small(const perp_run *run, double *z)
{
    static const double lo[PERP_SMALL];
    const perp_lcp *p = &run->problem->as.lcp;
    const struct perp_dense_view *M = &p->M.as.dense;
    if (p->n == 0 || p->n > PERP_SMALL || p->M.format != PERP_FORMAT_DENSE) return 0;
    return perp_small_pivot(p->n, M->x, M->ld, p->q, lo, NULL, z);
}

/* The rounding of z, looked at between steps. */
static void room(perp_run *run)
{
    perp_count(run->arena, (size_t)run->problem->as.lcp.n, sizeof(double));
}

static const perp_solver solver = {
    .name = "lcp/auto",
    .about = "chooses solvers by the structure of the problem and by progress",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = room,
    .at_once = solve_small,
};

const perp_plain_options perp_lcp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
