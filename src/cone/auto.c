/* cone/auto.c: a few sweeps, then factorisations.
 *
 * cone/nsgs ends the easy problems and gives the others a start; cone/newton has its try from there
 * and from the given start; cone/prox follows, which is slower and gives up on less; then cone/ipm,
 * which ends what W of low rank with a skew part leaves; last the sweeps, for as long as the run
 * allows. Decides by iterations and residuals, never by the clock. */
#include "core/chain.h"
#include "core/defaults.h"

#include <limits.h>

#define SWEEPS 20 /* before factorisations */
#define NEWTON_STEPS 150
#define PROX_STEPS 600
#define IPM_STEPS 300 /* sweep_cone 3400 900001 leaves nothing by so many */

static const perp_chain_step steps[] = {
    {.options = &perp_cone_nsgs.base, .iterations = SWEEPS},
    {.options = &perp_cone_newton.base, .iterations = NEWTON_STEPS},
    {.options = &perp_cone_prox.base, .iterations = PROX_STEPS},
    {.options = &perp_cone_newton.base, .iterations = NEWTON_STEPS, .from = PERP_FROM_GIVEN},
    {.options = &perp_cone_prox.base, .iterations = PROX_STEPS, .from = PERP_FROM_GIVEN},
    {.options = &perp_cone_ipm.base, .iterations = IPM_STEPS, .from = PERP_FROM_ZERO},
    {.options = &perp_cone_nsgs.base, .iterations = INT_MAX},
    {0},
};

static const perp_chain_plan plan = {.steps = steps, .sweeps = &perp_cone_nsgs.base};

static perp_status solve(perp_run *run, double *z)
{
    perp_chain c = {.run = run, .z = z};
    return perp_chain_run(&c, &plan);
}

static const perp_solver solver = {
    .name = "cone/auto",
    .about = "sweeps, then factorisations",
    .kind = PERP_KIND_CONE,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
};

const perp_plain_options perp_cone_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
};
