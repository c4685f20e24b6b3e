/* ncp/mcp_auto.c (mcp/auto): chooses solvers by the structure of the problem and by progress.
 *
 * Plans are for a map that can be linearised (a matrix or a callback), and for bounds that follow
 * another unknown or an operator, few and many. A plan is a list of solvers in the order in which
 * they are worth a try; the last steps of the first start from other points. Where the plan ends
 * unsolved, at a limit or not, mcp/pgs sweeps beside it (core/anytime.h): under an iteration limit
 * z is never worse than that of mcp/pgs with the same limit. Decides by structure, statuses and
 * iterations, never by the clock, but that a plan of pivots or Newton's method has half of
 * max_seconds.
 *
 * Where all is well it costs some microseconds more than the first solver. Where nothing solves the
 * problem it costs as much as all of them: limit iterations or time. Memory is that of the
 * greediest solver tried. */
#include "core/anytime.h"
#include "core/jacobian.h"
#include "core/kinds.h"
#include "core/outcome.h"
#include "infeasible_lp.h"
#include "mcp_to_lcp.h"
#include "perp/solvers.h"

#include <math.h>
#include <string.h>

#define QUICK 100    /* Newton steps from the given start; ten are usual */
#define SCATTERED 12 /* starts around the given one, */
#define FAR 10       /* each third of them so much further than the one before, */
#define STEPS 60     /* and Newton steps from each */
#define SWEEPS 20000
#define MANY 1000  /* unknowns beyond which friction boxes are swept before they are pivoted */
#define LEMKE 1000 /* unknowns up to which an affine problem is unfolded for Lemke's method, */
#define PER_ROW 50 /* and its pivots; a few are usual */
#define LARGE 5000 /* unknowns beyond which a scattered start costs too much */

/* The best z so far; or that of the caller. */
typedef enum start { BEST, AS_CALLED } start;

/* A solver and what it is given; iterations 0: its own. */
typedef struct step {
    const perp_options *options;
    void (*adjust)(perp_options *o);
    int iterations;
    start from;
} step;

typedef struct chain {
    perp_run *run;
    double *z;
    const double *given; /* z as the run began */
    perp_status last;    /* of the last solver */
    perp_result best;    /* the most telling end so far */
    bool said;           /* the end is run->status, with its sentence */
} chain;

typedef union any_options {
    perp_options base;
    perp_mcp_newton_options newton;
    perp_path_options path;
    perp_josephy_options josephy;
    perp_mcp_dantzig_options dantzig;
    perp_pgs_options pgs;
    perp_mcp_nncg_options nncg;
} any_options;

/* ---- the plans ---- */

static void stay_there(perp_options *o)
{
    ((perp_mcp_newton_options *)o)->starts = 0;
}

/* Of the starts of the literature Newton's method solves 95 % by itself, in a third of the time of
 * the piecewise-linear paths, which solve the rest; on a grid it is 10 times faster. */
static const step smooth_plan[] = {
    {.options = &perp_mcp_newton_fb.base,
     .adjust = stay_there,
     .iterations = QUICK,
     .from = AS_CALLED},
    {.options = &perp_mcp_path.base, .from = AS_CALLED},
    {.options = &perp_mcp_newton_fb.base, .from = AS_CALLED},
    {.options = &perp_mcp_josephy.base, .from = AS_CALLED},
    {.options = &perp_mcp_path.base},
    {0},
};

static const step follower_plan[] = {
    {.options = &perp_mcp_dantzig.base, .from = AS_CALLED},
    {.options = &perp_mcp_nncg.base, .iterations = SWEEPS, .from = AS_CALLED},
    {.options = &perp_mcp_pgs.base, .iterations = SWEEPS},
    {0},
};

/* Pivots grow with the cube of what is between its bounds, sweeps do not. */
static const step many_followers_plan[] = {
    {.options = &perp_mcp_nncg.base, .iterations = SWEEPS, .from = AS_CALLED},
    {.options = &perp_mcp_dantzig.base, .from = AS_CALLED},
    {.options = &perp_mcp_pgs.base, .iterations = SWEEPS},
    {0},
};

static const step *choose_plan(const perp_mcp *p)
{
    if (!p->findex && (p->F.eval || p->F.M.format != PERP_OPERATOR)) return smooth_plan;
    return p->F.n > MANY ? many_followers_plan : follower_plan;
}

/* ---- following one ---- */

/* Is there no point in trying another solver? A callback that writes too much is not called again.
 */
static bool is_final(const chain *c)
{
    switch (c->last) {
    case PERP_SOLVED:
    case PERP_INFEASIBLE:
    case PERP_MAX_SECONDS:
    case PERP_CANCELLED:
    case PERP_E_ARGUMENT: return true;
    default: return perp_budget(c->run) <= 0;
    }
}

/* Run one solver from z; true when the chain ends here. */
static bool attempt(chain *c, const step *s, bool warm)
{
    any_options o;
    perp_result result;
    memcpy(&o, s->options, s->options->solver->options_size);
    if (s->adjust) s->adjust(&o.base);
    o.base.tol = c->run->options->tol;
    o.base.threads = c->run->options->threads;
    o.base.warm_start = warm;
    if (s->iterations > 0) o.base.max_iter = s->iterations;
    c->last = perp_nested(c->run, c->run->problem, &o.base, c->z, &result);
    if (c->last == PERP_E_ARGUMENT || perp_status_rank(c->last) >= perp_status_rank(c->best.status))
        c->best = result;
    return is_final(c);
}

/* Does the callback lie about its Jacobian at the best point? Then the run has failed. */
static bool is_misled(chain *c)
{
    const perp_mcp *p = &c->run->problem->as.mcp;
    perp_arena *a = c->run->arena;
    perp_jacobian k;
    perp_mark mark = perp_arena_mark(a);
    if (!p->F.jacobian) return false;
    double *F = perp_alloc(a, (size_t)p->F.n, sizeof *F);
    bool there =
        F && perp_jacobian_open(&k, a, &p->F, p->lo, p->hi) && perp_jacobian_map(&k, c->z, F);
    bool lies = there && perp_jacobian_lies(c->run, &k, c->z, F);
    perp_arena_release(a, mark);
    return c->said = lies;
}

/* Is there no feasible point at all? Newton's method and the paths see that of a monotone map. */
static bool is_refuted(chain *c)
{
    if (c->run->problem->as.mcp.F.n > LARGE) return false;
    perp_status status = perp_infeasible_lp(c->run);
    if (status == PERP_E_MEMORY) c->run->status = status;
    return c->said = status != PERP_SOLVED;
}

/* Lemke's method on the LCP that the bounds unfold to (mcp_to_lcp.c). From its one start it solves
 * what is copositive, where Newton's method and paths from another may get stuck for long. */
static bool by_lemke(chain *c)
{
    static const step finish = {
        .options = &perp_mcp_newton_fb.base, .adjust = stay_there, .iterations = STEPS};
    const perp_mcp *p = &c->run->problem->as.mcp;
    perp_arena *a = c->run->arena;
    perp_mark mark = perp_arena_mark(a);
    perp_mcp_as_lcp u;
    if (p->F.eval || p->F.n > LEMKE || perp_mcp_to_lcp(p, a, &u)) return false;
    perp_lemke_options o = perp_lcp_lemke;
    double *x = perp_alloc(a, (size_t)u.size, sizeof *x);
    if (!x) return false;
    o.base.tol = c->run->options->tol;
    o.base.max_iter = PER_ROW * u.size;
    perp_status status = perp_nested(c->run, &u.lcp, &o.base, x, NULL);
    perp_mcp_from_lcp(&u, x, c->z);
    perp_arena_release(a, mark);
    return status >= 0 && attempt(c, &finish, true);
}

static bool follow(chain *c, const step *plan)
{
    size_t bytes = (size_t)c->run->problem->as.mcp.F.n * sizeof *c->z;
    bool warm = c->run->options->warm_start;
    for (const step *s = plan; s->options; s++) {
        if (s->from == AS_CALLED) memcpy(c->z, c->given, bytes);
        if (attempt(c, s, s->from == BEST || warm)) return true;
        if (s == plan && plan == smooth_plan && (is_misled(c) || by_lemke(c))) return true;
        if (s == plan + 1 && plan == smooth_plan && is_refuted(c)) return true;
    }
    return false;
}

/* ---- other starts ---- */

/* xorshift64*, uniform in [-1, 1): the same points every time. */
static double draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-52 - 1;
}

static void scatter(const chain *c, int k, uint64_t *state)
{
    const perp_mcp *p = &c->run->problem->as.mcp;
    double radius = pow(FAR, k / 3);
    for (int i = 0; i < p->F.n; i++) {
        double lo = kind_bound(p->lo, i, -INFINITY), hi = kind_bound(p->hi, i, INFINITY);
        double z = c->given[i] + radius * draw(state) * (1 + 0.1 * fabs(c->given[i]));
        if (z < lo && isfinite(lo)) z = 2 * lo - z; /* back inside, and not all on the bounds */
        if (z > hi && isfinite(hi)) z = 2 * hi - z;
        c->z[i] = box_project(z, lo, hi);
    }
}

static bool start_elsewhere(chain *c)
{
    static const step newton = {
        .options = &perp_mcp_newton_fb.base, .adjust = stay_there, .iterations = STEPS};
    uint64_t state = UINT64_C(88172645463325252);
    if (c->run->problem->as.mcp.F.n > LARGE) return false;
    for (int k = 0; k < SCATTERED; k++) {
        scatter(c, k, &state);
        if (attempt(c, &newton, true)) return true;
    }
    return false;
}

/* The end of the plan, with its sentence. */
static perp_status run_plan(perp_run *run, const step *plan, const double *given, double *z)
{
    chain c = {.run = run, .z = z, .given = given, .best.status = PERP_E_FORMAT};
    bool ended = follow(&c, plan);
    if (ended && c.said) return run->status;
    if (!ended && plan == smooth_plan) start_elsewhere(&c);
    if (c.best.status == PERP_MAX_ITER && perp_budget(run) > 0) {
        return perp_fail(run, PERP_STALLED, "no solver got there in its share of the iterations");
    }
    return perp_fail(run, c.best.status, "%s", c.best.detail);
}

static perp_status solve(perp_run *run, double *z)
{
    const step *plan = choose_plan(&run->problem->as.mcp);
    perp_pgs_options sweeps = perp_mcp_pgs;
    perp_anytime t;
    if (!perp_anytime_begin(&t, run, &sweeps.base, plan != many_followers_plan, z))
        return run->status;
    run_plan(run, plan, t.given, z);
    return perp_anytime_end(&t, z);
}

static const perp_solver solver = {
    .name = "mcp/auto",
    .about = "chooses solvers by the structure of the problem and by progress",
    .kind = PERP_MCP,
    .formats = {PERP_DENSE | PERP_CSC | PERP_OPERATOR},
    .flags = PERP_READS_CALLBACK | PERP_READS_FINDEX | PERP_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
};

const perp_plain_options perp_mcp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
