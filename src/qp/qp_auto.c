/* qp/auto: the choice for who does not want to choose.
 *
 * Dense and strictly convex: dual active sets. Else, up to some dozens of unknowns, Fletcher's
 * method; beyond that interior points, and Fletcher's method for what is not convex and what they
 * leave. Convexity is not tested here: a solver that needs it finds out as soon as it starts, at
 * the cost of one factor of H. Decides by structure, statuses and iterations, never by the clock.
 * result.solver names the one that found z. Memory is that of the greediest solver tried. */
#include "core/outcome.h"
#include "perp/solver.h"
#include "perp/solvers.h"

#include <string.h>

#define SMALL 60    /* unknowns up to which a sparse problem may as well be dense */
#define FILLED 0.25 /* or of whose entries this part is there */
#define ACTIVE 2000 /* beyond this size no dense active sets: n^2 numbers and n^3 flops each */

typedef struct chain {
    perp_run *run;
    double *z;
    perp_status last; /* of the last solver */
    perp_result best; /* the most telling end so far */
} chain;

/* Entries of a matrix that are stored. */
static double entries(const perp_matrix *M)
{
    if (M->format == PERP_DENSE) return (double)M->m * M->n;
    return M->format == PERP_CSC ? M->as.csc.p[M->n] : 0;
}

static bool is_dense(const perp_qp *qp)
{
    double all = (double)qp->n * ((double)qp->n + qp->m);
    return qp->n <= SMALL || entries(&qp->H) + entries(&qp->A) > FILLED * all;
}

/* Is there no point in trying another solver? */
static bool is_final(const chain *c)
{
    return perp_status_rank(c->last) == PERP_RANK_FINAL || perp_budget(c->run) <= 0;
}

/* Run one solver; true when the chain ends here. */
static bool attempt(chain *c, const perp_options *solver, bool warm)
{
    union {
        perp_options base;
        perp_plain_options plain;
    } o;
    perp_result result;
    memcpy(&o, solver, solver->solver->options_size);
    o.base.tol = c->run->options->tol;
    o.base.threads = c->run->options->threads;
    o.base.warm_start = warm;
    c->last = perp_nested(c->run, c->run->problem, &o.base, c->z, &result);
    if (perp_status_rank(c->last) >= perp_status_rank(c->best.status)) c->best = result;
    return is_final(c);
}

static perp_status solve(perp_run *run, double *z)
{
    chain c = {.run = run, .z = z, .best.status = PERP_E_ARGUMENT};
    const perp_qp *qp = &run->problem->as.qp;
    bool warm = run->options->warm_start, dense = is_dense(qp), small = qp->n <= ACTIVE;
    bool first = qp->n <= SMALL; /* Fletcher's method comes before interior points, or after */
    bool done = dense && small && attempt(&c, &perp_qp_dual.base, warm);
    done = done || (first && attempt(&c, &perp_qp_fletcher.base, warm));
    done = done || attempt(&c, &perp_qp_ipm.base, false);
    if (!done && !first && small) attempt(&c, &perp_qp_fletcher.base, warm);
    if (c.best.status == PERP_MAX_ITER && perp_budget(run) > 0) {
        return perp_fail(run, PERP_STALLED, "no solver got there in its share of the iterations");
    }
    return perp_fail(run, c.best.status, "%s", c.best.detail);
}

static const perp_solver solver = {
    .name = "qp/auto",
    .about = "chooses solvers by the structure of the problem and by progress",
    .kind = PERP_QP,
    .formats = {PERP_DENSE | PERP_CSC, PERP_DENSE | PERP_CSC},
    .flags = PERP_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
};

const perp_plain_options perp_qp_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000000, .threads = 1},
};
