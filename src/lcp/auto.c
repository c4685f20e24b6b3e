/* lcp/auto.c: the choice for who does not want to choose.
 *
 * Dense or of moderate size: Lemke, which takes a few n pivots where it works well; where it ends
 * on a ray, again with another covering vector, which is another path; then PSOR from the best
 * iterate, then, for small n, every basis. Lemke is cut short at first, as there are problems on
 * which it takes 2^n pivots, and has its full time at the end. Large and sparse: PSOR first, then
 * Lemke where a dense matrix is affordable. Decides by structure, statuses and iterations, never by
 * the clock. */
#include "perp/solver.h"
#include "perp/solvers.h"

#include <limits.h>

#define LEMKE_FIRST 3000   /* sparse problems up to here start with Lemke */
#define LEMKE_AT_ALL 5000  /* and beyond this size do not get a dense matrix: 200 MB */
#define ENUMERATE 14       /* 16384 bases: some ten milliseconds */
#define POLISH_SWEEPS 1000 /* PSOR after Lemke: if it helps, it helps soon */
#define PIVOTS_PER_ROW 50  /* of a first attempt */

typedef struct chain {
    perp_run *run;
    double *z;
    perp_status last; /* of the last solver */
    perp_result best; /* the most telling end so far */
} chain;

/* Is there no point in trying another solver? */
static bool is_final(const chain *c)
{
    switch (c->last) {
    case PERP_SOLVED:
    case PERP_INFEASIBLE:
    case PERP_MAX_SECONDS:
    case PERP_CANCELLED: return true;
    default: return perp_budget(c->run) <= 0;
    }
}

/* An end with a proof tells most, a refusal least but for a want of memory, which hides what might
 * have been; among equals the later one. */
static int weight(perp_status s)
{
    switch (s) {
    case PERP_RAY: return 3;
    case PERP_E_MEMORY: return 2;
    case PERP_STALLED:
    case PERP_MAX_ITER:
    case PERP_UNCERTIFIED: return 1;
    default: return s < 0 ? 0 : 4;
    }
}

/* Run one solver; true when the chain ends here. */
static bool attempt(chain *c, perp_options *o, int max_iter, bool warm)
{
    perp_result result;
    o->tol = c->run->options->tol;
    o->warm_start = warm;
    o->max_iter = max_iter;
    c->last = perp_nested(c->run, c->run->problem, o, c->z, &result);
    if (weight(c->last) >= weight(c->best.status)) c->best = result;
    return is_final(c);
}

static bool lemke(chain *c, perp_cover cover, int max_iter, bool warm)
{
    perp_lemke_options o = perp_lcp_lemke;
    o.cover = cover;
    return attempt(c, &o.base, max_iter, warm);
}

static bool psor(chain *c, int max_iter, bool warm)
{
    perp_psor_options o = perp_lcp_psor;
    return attempt(c, &o.base, max_iter, warm);
}

static bool enumerate(chain *c)
{
    perp_plain_options o = perp_lcp_enumerate;
    return attempt(c, &o.base, INT_MAX, true);
}

static void solve_pivoting_first(chain *c, int n)
{
    int pivots = n < INT_MAX / PIVOTS_PER_ROW ? PIVOTS_PER_ROW * n : INT_MAX;
    if (lemke(c, PERP_COVER_ONES, pivots, c->run->options->warm_start)) return;
    bool cut = c->last == PERP_MAX_ITER;
    if (c->last == PERP_RAY && lemke(c, PERP_COVER_ROWS, pivots, false)) return;
    if (psor(c, POLISH_SWEEPS, true)) return;
    if (n <= ENUMERATE)
        enumerate(c);
    else if (cut)
        lemke(c, PERP_COVER_ONES, INT_MAX, false);
}

static void solve_sweeping_first(chain *c, int n)
{
    if (psor(c, INT_MAX, c->run->options->warm_start)) return;
    if (n <= LEMKE_AT_ALL) lemke(c, PERP_COVER_ONES, INT_MAX, true);
}

static perp_status solve(perp_run *run, double *z)
{
    const perp_lcp *p = &run->problem->as.lcp;
    chain c = {.run = run, .z = z, .best.status = PERP_E_ARGUMENT};
    if (p->M.format == PERP_DENSE || p->n <= LEMKE_FIRST)
        solve_pivoting_first(&c, p->n);
    else
        solve_sweeping_first(&c, p->n);
    if (c.best.status == PERP_MAX_ITER && perp_budget(run) > 0) {
        return perp_fail(run, PERP_STALLED, "no solver got there in its share of the iterations");
    }
    return perp_fail(run, c.best.status, "%s", c.best.detail);
}

static const perp_solver solver = {
    .name = "lcp/auto",
    .about = "Lemke, PSOR or enumeration, by structure and progress",
    .kind = PERP_LCP,
    .formats = {PERP_DENSE | PERP_CSC},
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
};

const perp_plain_options perp_lcp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
