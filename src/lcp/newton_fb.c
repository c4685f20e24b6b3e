/* lcp/newton_fb.c: semismooth Newton on the Fischer-Burmeister map, globalised by its merit.
 * De Luca, Facchinei, Kanzow, Mathematical Programming 75 (1996) 407-439, and Computational
 * Optimization and Applications 16 (2000) 173-205; nonmonotone line search of Grippo, Lampariello,
 * Lucidi, SIAM Journal on Numerical Analysis 23 (1986).
 *
 * For P0 matrices every stationary point of the merit is a solution. An iteration factors one n x n
 * matrix, dense or in the pattern of M, by Cholesky where M is symmetric and positive definite, by
 * LU otherwise (linalg/newton_system.c). Memory: n^2 + 29 n numbers when dense, n^2 more where M is
 * badly scaled. */
#include "core/defaults.h"
#include "newton.h"

static perp_status solve(perp_run *run, double *z)
{
    return perp_lcp_newton_solve(run, z, false);
}

static const perp_solver solver = {
    .name = "lcp/newton_fb",
    .about = "semismooth Newton on the Fischer-Burmeister map (De Luca, Facchinei, Kanzow 1996)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_lcp_newton_options),
    .options = perp_lcp_newton_table,
    .solve = solve,
    .room = perp_room_none,
};

const perp_lcp_newton_options perp_lcp_newton_fb = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000, .threads = 1},
    .memory = 4,
    .halvings = 12,
    .regularisation = 1e-8,
};
