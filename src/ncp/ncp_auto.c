/* ncp/ncp_auto.c (ncp/auto): an affine map as an LCP, by lcp/auto; every other, and what lcp/auto
 * leaves, by mcp/auto.
 *
 * Costs what these do. */
#include "core/chain.h"
#include "core/defaults.h"
#include "core/internal.h"

static bool is_affine(const perp_chain *c)
{
    return !c->run->problem->as.ncp.F.eval;
}

/* mcp/auto knows no more than lcp/auto about an operator. */
static bool has_entries(const perp_chain *c)
{
    const perp_map *F = &c->run->problem->as.ncp.F;
    return F->eval || F->M.format != PERP_FORMAT_OPERATOR;
}

/* The affine problem as what it is. A solution is certified when the run ends, and what proves that
 * the LCP is infeasible proves it of this. A ray is one of the LCP alone. */
static perp_chain_outcome by_lcp(perp_chain *c, const perp_chain_step *s)
{
    const perp_map *F = &c->run->problem->as.ncp.F;
    perp_problem lcp = perp_make_lcp(F->n, F->M, F->q);
    perp_plain_options o = perp_lcp_auto;
    double *proof = perp_alloc(c->run->arena, (size_t)F->n, sizeof *proof);
    (void)s;
    if (!proof) {
        perp_fail(c->run, PERP_E_MEMORY, "the arena has no room for a proof");
        return PERP_CHAIN_SAID;
    }
    lcp.name = c->run->problem->name;
    o.base.tol = c->run->options->tol;
    o.base.threads = c->run->options->threads;
    o.base.warm_start = c->run->options->warm_start;
    perp_status status = perp_nested_proof(c->run, &lcp, &o.base, c->z, proof, &c->last);
    if (status == PERP_INFEASIBLE) c->run->proof = proof;
    if (status == PERP_RAY) c->last.status = PERP_STALLED;
    return perp_chain_note(c, o.base.solver->name);
}

static const perp_chain_step steps[] = {
    {.run = by_lcp, .fits = is_affine},
    {.options = &perp_mcp_auto.base, .fits = has_entries},
    {0},
};

static const perp_chain_plan plan = {.steps = steps};

static perp_status solve(perp_run *run, double *z)
{
    perp_chain c = {.run = run, .z = z};
    return perp_chain_run(&c, &plan);
}

static const perp_solver solver = {
    .name = "ncp/auto",
    .about = "lcp/auto of an affine map, mcp/auto of any other",
    .kind = PERP_KIND_NCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_READS_CALLBACK | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
};

const perp_plain_options perp_ncp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
