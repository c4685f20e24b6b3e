/* ncp/pgs.c: projected Gauss-Seidel (SOR) for affine MCPs, friction boxes by findex included.
 * Silcowitz-Hansen, Niebe, Erleben (2010), section 3; Cottle, Pang, Stone (1992), chapter 5.
 *
 * What interactive simulation runs: a sweep costs at most one product with M, or 24 multiplications
 * a row where M is left in factors; it converges linearly, slowly on stacks and chains. Memory: see
 * sweep.c. */
#include "core/defaults.h"
#include "sweep.h"

static perp_status pgs(perp_run *run, double *z)
{
    const perp_mcp_pgs_options *o = (const perp_mcp_pgs_options *)run->options;
    perp_box_sweep s;
    perp_status status = perp_box_open(run, o->omega, z, &s);
    if (status) return status;
    double estimate = INFINITY;
    for (int k = 0; perp_continue(run, z, estimate); k++) {
        /* Going on below tol means that the certificate saw more than the state does. */
        bool doubtful = estimate <= o->base.tol;
        if (k > 0 && (k % PERP_BOX_REFRESH == 0 || doubtful)) perp_box_refresh(&s, z);
        estimate = perp_box_run(&s, z, &run->merit);
        if (!isfinite(estimate))
            return perp_fail(run, PERP_STALLED, "PGS diverges: overflow in sweep %d", k + 1);
    }
    return run->status;
}

static const perp_option options[] = {
    PERP_OPTION(perp_mcp_pgs_options, omega, 1e-6, 1.999999, "relaxation; 1 is Gauss-Seidel"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/pgs",
    .about = "projected Gauss-Seidel, also on friction boxes (Silcowitz-Hansen, Niebe, Erleben "
             "2010, section 3)",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_READS_FOLLOWS | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_mcp_pgs_options),
    .options = options,
    .solve = pgs,
    .room = perp_room_none,
};

const perp_mcp_pgs_options perp_mcp_pgs = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
    .omega = 1,
};
