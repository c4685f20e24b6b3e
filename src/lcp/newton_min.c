/* lcp/newton_min.c: semismooth Newton on the minimum map min(z, M z + q), globalised by the merit
 * of Fischer and Burmeister. Pang, Mathematical Programming 51 (1991) 101-131; De Luca, Facchinei,
 * Kanzow, Computational Optimization and Applications 16 (2000) 173-205. Undamped it can cycle even
 * for P-matrices: Ben Gharbia, Gilbert, Mathematical Programming 134 (2012) 349-364.
 *
 * A full step solves M_aa z_a = -q_a for the rows a with w_i < z_i, so an iteration factors that
 * block alone, and the method ends at the exact solution once a is right. Its direction need not
 * descend on any merit: it is taken while that brings new lowest merits, and a step of
 * lcp/newton_fb, which factors all of M, otherwise. Memory as there. */
#include "core/defaults.h"
#include "newton.h"

static perp_status solve(perp_run *run, double *z)
{
    return perp_lcp_newton_solve(run, z, true);
}

static const perp_solver solver = {
    .name = "lcp/newton_min",
    .about = "semismooth Newton on the minimum map, merit of Fischer-Burmeister (Pang 1991)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_lcp_newton_options),
    .options = perp_lcp_newton_table,
    .solve = solve,
    .room = perp_room_none,
};

const perp_lcp_newton_options perp_lcp_newton_min = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000, .threads = 1},
    .memory = 4,
    .halvings = 12,
    .regularisation = 1e-8,
};
