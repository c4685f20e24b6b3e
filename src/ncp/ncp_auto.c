/* ncp/ncp_auto.c (ncp/auto): an affine map as an LCP, by lcp/auto; every other by mcp/auto.
 *
 * Costs what these do. */
#include "perp/solver.h"
#include "perp/solvers.h"

#include <string.h>

/* The affine problem as what it is. PERP_SOLVED: z may be a solution, and is certified. */
static perp_status solve_lcp(perp_run *run, double *z, perp_result *result)
{
    const perp_map *F = &run->problem->as.ncp.F;
    perp_problem lcp = perp_make_lcp(F->n, F->M, F->q);
    perp_plain_options o = perp_lcp_auto;
    lcp.name = run->problem->name;
    o.base.tol = run->options->tol;
    o.base.threads = run->options->threads;
    o.base.warm_start = run->options->warm_start;
    return perp_nested(run, &lcp, &o.base, z, result);
}

static perp_status solve(perp_run *run, double *z)
{
    const perp_map *F = &run->problem->as.ncp.F;
    perp_result result;
    perp_plain_options o = perp_mcp_auto;
    if (!F->eval) {
        perp_status status = solve_lcp(run, z, &result);
        if (status == PERP_SOLVED || F->M.format == PERP_OPERATOR || perp_budget(run) <= 0 ||
            status == PERP_MAX_SECONDS || status == PERP_CANCELLED) {
            return perp_fail(run, status, "%s", result.detail);
        }
    }
    o.base.tol = run->options->tol;
    o.base.threads = run->options->threads;
    o.base.warm_start = !F->eval || run->options->warm_start;
    perp_status status = perp_nested(run, run->problem, &o.base, z, &result);
    return perp_fail(run, status, "%s", result.detail);
}

static const perp_solver solver = {
    .name = "ncp/auto",
    .about = "lcp/auto of an affine map, mcp/auto of any other",
    .kind = PERP_NCP,
    .formats = {PERP_DENSE | PERP_CSC | PERP_OPERATOR},
    .flags = PERP_READS_CALLBACK | PERP_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
};

const perp_plain_options perp_ncp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
