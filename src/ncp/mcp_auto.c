/* ncp/mcp_auto.c (mcp/auto): chooses solvers by the structure of the problem and by progress.
 *
 * Plans are for a map that can be linearised (a matrix or a callback), and for bounds that follow
 * another unknown or an operator, few and many (core/chain.h), each with its solvers in the order
 * in which they are worth a try; the last step of the first starts from other points. Where the
 * plan ends unsolved, at a limit or not, mcp/pgs sweeps beside it: under an iteration limit z is
 * never worse than that of mcp/pgs with the same limit. Decides by structure, statuses and
 * iterations, never by the clock, but that a plan of pivots or Newton's method has half of
 * max_seconds.
 *
 * Where all is well it costs some microseconds more than the first solver. Where nothing solves the
 * problem it costs as much as all of them: limit iterations or time. Memory is that of the
 * greediest solver tried. */
#include "core/chain.h"
#include "core/defaults.h"
#include "core/jacobian.h"
#include "core/kinds.h"
#include "infeasible_lp.h"
#include "mcp_to_lcp.h"
#include "method/small_pivot.h"

#include <math.h>
#include <stdio.h>

#define QUICK 100    /* Newton steps from the given start; ten are usual */
#define SCATTERED 12 /* starts around the given one, */
#define FAR 10       /* each third of them so much further than the one before, */
#define STEPS 60     /* and Newton steps from each */
#define SWEEPS 20000
#define MANY 1000  /* unknowns beyond which friction boxes are swept before they are pivoted */
#define LEMKE 1000 /* unknowns up to which an affine problem is unfolded for Lemke's method, */
#define PER_ROW 50 /* and its pivots; a few are usual */
#define LARGE 5000 /* unknowns beyond which a scattered start costs too much */

static void stay_there(perp_options *o)
{
    ((perp_mcp_newton_fb_options *)o)->starts = 0;
}

/* Newton steps from z as it stands. */
static const perp_chain_step newton_from_z = {
    .options = &perp_mcp_newton_fb.base, .adjust = stay_there, .iterations = STEPS};

/* ---- steps of their own ---- */

static bool has_jacobian(const perp_chain *c)
{
    return c->run->problem->as.mcp.F.jacobian != NULL;
}

/* Does the callback lie about its Jacobian at the best point? Then the run has failed. */
static perp_chain_outcome check_jacobian(perp_chain *c, const perp_chain_step *s)
{
    const perp_mcp *p = &c->run->problem->as.mcp;
    perp_arena *a = c->run->arena;
    perp_jacobian k;
    perp_mark mark = perp_arena_mark(a);
    double *F = perp_alloc(a, (size_t)p->F.n, sizeof *F);
    bool there =
        F && perp_jacobian_open(&k, a, &p->F, p->lo, p->hi) && perp_jacobian_map(&k, c->z, F);
    bool lies = there && perp_jacobian_lies(c->run, &k, c->z, F);
    (void)s;
    perp_arena_release(a, mark);
    return lies ? PERP_CHAIN_SAID : PERP_CHAIN_NEXT;
}

static bool is_for_lemke(const perp_chain *c)
{
    const perp_map *F = &c->run->problem->as.mcp.F;
    return !F->eval && F->n <= LEMKE;
}

/* The LCP that the bounds unfold to (mcp_to_lcp.c), by Lemke's method; its solution is z. */
static perp_status unfold(perp_chain *c)
{
    perp_arena *a = c->run->arena;
    perp_mcp_as_lcp u;
    perp_status status = perp_mcp_to_lcp(&c->run->problem->as.mcp, a, &u);
    if (status) return status;
    perp_lcp_lemke_options o = perp_lcp_lemke;
    double *x = perp_alloc(a, (size_t)u.size, sizeof *x);
    if (!x) return PERP_E_MEMORY;
    o.base.tol = c->run->options->tol;
    o.base.max_iter = PER_ROW * u.size;
    status = perp_nested(c->run, &u.lcp, &o.base, x, NULL);
    perp_mcp_from_lcp(&u, x, c->z);
    return status;
}

/* From its one start Lemke's method solves what is copositive, where Newton's method and paths from
 * another may get stuck for long. Newton's method ends what it began. */
static perp_chain_outcome by_lemke(perp_chain *c, const perp_chain_step *s)
{
    perp_mark mark = perp_arena_mark(c->run->arena);
    perp_status status = unfold(c);
    (void)s;
    perp_arena_release(c->run->arena, mark);
    if (status < 0) return PERP_CHAIN_NEXT;
    c->begun = true;
    return perp_chain_try(c, &newton_from_z);
}

/* May the run make fewer iterations than pivots from any start would take? */
static bool is_cut_short(const perp_chain *c)
{
    return perp_budget(c->run) < perp_chain_size(c);
}

static bool is_not_large(const perp_chain *c)
{
    return perp_chain_size(c) <= LARGE;
}

/* Is there no feasible point at all? Newton's method and the paths see that of a monotone map. */
static perp_chain_outcome refute(perp_chain *c, const perp_chain_step *s)
{
    perp_status status = perp_infeasible_lp(c->run);
    (void)s;
    if (status == PERP_SOLVED) return PERP_CHAIN_NEXT;
    if (status != PERP_E_MEMORY) return PERP_CHAIN_SAID;
    c->last = (perp_result){.status = status};
    snprintf(c->last.detail, sizeof c->last.detail,
             "the arena has no room to look for a feasible point");
    return perp_chain_note(c, "mcp/auto");
}

/* xorshift64*, uniform in [-1, 1): the same points every time. */
static double draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-52 - 1;
}

static void scatter(perp_chain *c, int k, uint64_t *state)
{
    const perp_mcp *p = &c->run->problem->as.mcp;
    double radius = pow(FAR, k / 3);
    for (int i = 0; i < p->F.n; i++) {
        double lo = kind_bound(p->lo, i, -INFINITY), hi = kind_bound(p->hi, i, INFINITY);
        double size = kind_typical(&p->F, i) + 0.1 * fabs(c->given[i]);
        double z = c->given[i] + radius * draw(state) * size;
        if (z < lo && isfinite(lo)) z = 2 * lo - z; /* back inside, and not all on the bounds */
        if (z > hi && isfinite(hi)) z = 2 * hi - z;
        c->z[i] = box_project(z, lo, hi);
    }
    c->begun = true;
}

static perp_chain_outcome start_elsewhere(perp_chain *c, const perp_chain_step *s)
{
    uint64_t state = UINT64_C(88172645463325252);
    (void)s;
    for (int k = 0; k < SCATTERED; k++) {
        scatter(c, k, &state);
        if (perp_chain_try(c, &newton_from_z)) return PERP_CHAIN_END;
    }
    return PERP_CHAIN_NEXT;
}

/* ---- the plans ---- */

/* Of the starts of the literature Newton's method solves 95 % by itself, in a third of the time of
 * the piecewise-linear paths, which solve the rest; on a grid it is 10 times faster
 * (build/tests/sweep_literature mcp/newton_fb mcp/path mcp/josephy mcp/auto). */
static const perp_chain_step smooth_steps[] = {
    {.options = &perp_mcp_newton_fb.base,
     .adjust = stay_there,
     .iterations = QUICK,
     .from = PERP_FROM_GIVEN},
    {.run = check_jacobian, .fits = has_jacobian},
    {.run = by_lemke, .fits = is_for_lemke},
    {.options = &perp_mcp_path.base, .from = PERP_FROM_GIVEN},
    {.run = refute, .fits = is_not_large},
    {.options = &perp_mcp_newton_fb.base, .from = PERP_FROM_GIVEN},
    {.options = &perp_mcp_josephy.base, .from = PERP_FROM_GIVEN},
    {.options = &perp_mcp_path.base},
    {.run = start_elsewhere, .fits = is_not_large},
    {0},
};

/* Pivots have nothing to show until they end: under a limit below their number Newton steps between
 * sweeps come first. With 20 iterations a step they let a wall of 27 bricks move by 0.0085 % of an
 * edge, in 7.8 ms, and mcp/pgs alone by 1.3 %, in 0.95 ms
 * (build/tests/example_bullet_double --scene=wall --solver=perp_20). They also read what pivots
 * refuse, M that is not symmetric or has zeros on its diagonal. */
static const perp_chain_step follower_steps[] = {
    {.options = &perp_mcp_pgs_sm.base, .from = PERP_FROM_GIVEN, .fits = is_cut_short},
    {.options = &perp_mcp_dantzig.base, .from = PERP_FROM_GIVEN},
    {.options = &perp_mcp_pgs_sm.base, .from = PERP_FROM_GIVEN},
    {.options = &perp_mcp_nncg.base, .iterations = SWEEPS, .from = PERP_FROM_GIVEN},
    {.options = &perp_mcp_pgs.base, .iterations = SWEEPS},
    {0},
};

/* Pivots grow with the cube of what is between its bounds, sweeps do not. */
static const perp_chain_step many_followers_steps[] = {
    {.options = &perp_mcp_nncg.base, .iterations = SWEEPS, .from = PERP_FROM_GIVEN},
    {.options = &perp_mcp_dantzig.base, .from = PERP_FROM_GIVEN},
    {.options = &perp_mcp_pgs.base, .iterations = SWEEPS},
    {0},
};

static const perp_chain_plan smooth_plan = {
    .steps = smooth_steps, .sweeps = &perp_mcp_pgs.base, .rule = PERP_SWEEPS_HALVE};
static const perp_chain_plan follower_plan = {
    .steps = follower_steps, .sweeps = &perp_mcp_pgs.base, .rule = PERP_SWEEPS_HALVE};
static const perp_chain_plan many_followers_plan = {.steps = many_followers_steps,
                                                    .sweeps = &perp_mcp_pgs.base};

static const perp_chain_plan *choose_plan(const perp_mcp *p)
{
    if (!p->follows && (p->F.eval || p->F.M.format != PERP_FORMAT_OPERATOR)) return &smooth_plan;
    return p->F.n > MANY ? &many_followers_plan : &follower_plan;
}

static perp_status solve(perp_run *run, double *z)
{
    perp_chain c = {.run = run, .z = z};
    return perp_chain_run(&c, choose_plan(&run->problem->as.mcp));
}

static int solve_small(const perp_run *run, double *z)
{
    const perp_mcp *p = &run->problem->as.mcp;
    const struct perp_dense_view *M = &p->F.M.as.dense;
    int n = p->F.n;
    if (n == 0 || n > PERP_SMALL || p->follows || p->F.eval) return 0;
    if (p->F.M.format != PERP_FORMAT_DENSE) return 0;
    return perp_small_pivot(n, M->x, M->ld, p->F.q, p->lo, p->hi, z);
}

static const perp_solver solver = {
    .name = "mcp/auto",
    .about = "chooses solvers by the structure of the problem and by progress",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_READS_CALLBACK | PERP_SOLVER_READS_FOLLOWS | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
    .at_once = solve_small,
};

const perp_plain_options perp_mcp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
