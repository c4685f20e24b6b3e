/* cone/auto.c: sweeps of cone/nsgs until they end it. */
#include "core/chain.h"
#include "core/defaults.h"

#include <limits.h>

static const perp_chain_step steps[] = {
    {.options = &perp_cone_nsgs.base, .iterations = INT_MAX},
    {0},
};

static const perp_chain_plan plan = {.steps = steps};

static perp_status solve(perp_run *run, double *z)
{
    perp_chain c = {.run = run, .z = z};
    return perp_chain_run(&c, &plan);
}

static const perp_solver solver = {
    .name = "cone/auto",
    .about = "sweeps over cones, balls and boxes",
    .kind = PERP_KIND_CONE,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
};

const perp_plain_options perp_cone_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
};
