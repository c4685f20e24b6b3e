/* qp/qp_auto.c (qp/auto): chooses solvers by the structure of the problem and by progress.
 *
 * Dense and strictly convex: dual active sets. Else, up to some dozens of unknowns, Fletcher's
 * method; beyond that interior points, and Fletcher's method for what is not convex and what they
 * leave. Convexity is not tested here: a solver that needs it finds out as soon as it starts, at
 * the cost of one factor of H. Decides by structure, statuses and iterations, never by the clock.
 * result.solver names the one that found z. Memory is that of the greediest solver tried. */
#include "core/chain.h"
#include "core/defaults.h"
#include "core/internal.h"

#define SMALL 60    /* unknowns up to which a sparse problem may as well be dense */
#define FILLED 0.25 /* or of whose entries this part is there */
#define CLOSE 1e-3  /* a residual that digits alone are missing to */
#define ACTIVE 2000 /* beyond this size no dense active sets: n^2 numbers and n^3 flops each */

/* Entries of a matrix that are stored. */
static double entries(const perp_matrix *M)
{
    if (M->format == PERP_FORMAT_DENSE) return (double)M->m * M->n;
    return M->format == PERP_FORMAT_CSC ? M->as.csc.p[M->n] : 0;
}

static bool is_small(const perp_chain *c)
{
    return c->run->problem->as.qp.n <= SMALL;
}

static bool is_dense(const perp_chain *c)
{
    const perp_qp *qp = &c->run->problem->as.qp;
    double all = (double)qp->n * ((double)qp->n + qp->m);
    bool filled = entries(&qp->H) + entries(&qp->A) > FILLED * all;
    return qp->n <= ACTIVE && (is_small(c) || filled);
}

/* Active sets have nothing for the digits that rounding takes: of qp_liswet4 with n = 1000, at
 * 1e-10, they made 6700 iterations for none. Where more is missing they may find a proof. */
static bool is_left_for_active_sets(const perp_chain *c)
{
    return perp_chain_residual(c) > CLOSE || !perp_at_floor(c->run);
}

static bool is_for_active_sets(const perp_chain *c)
{
    return !is_small(c) && c->run->problem->as.qp.n <= ACTIVE;
}

/* Fletcher's method comes before interior points, or after. */
static const perp_chain_step steps[] = {
    {.options = &perp_qp_dual.base, .from = PERP_FROM_GIVEN, .fits = is_dense},
    {.options = &perp_qp_fletcher.base, .from = PERP_FROM_GIVEN, .fits = is_small},
    {.options = &perp_qp_ipm.base, .from = PERP_FROM_ZERO},
    {.options = &perp_qp_fletcher.base,
     .from = PERP_FROM_GIVEN,
     .fits = is_for_active_sets,
     .when = is_left_for_active_sets},
    {0},
};

static const perp_chain_plan plan = {.steps = steps};

static perp_status solve(perp_run *run, double *z)
{
    perp_chain c = {.run = run, .z = z};
    return perp_chain_run(&c, &plan);
}

static const perp_solver solver = {
    .name = "qp/auto",
    .about = "chooses solvers by the structure of the problem and by progress",
    .kind = PERP_KIND_QP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC, PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_unbounded,
};

const perp_plain_options perp_qp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
