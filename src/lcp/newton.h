/* lcp/newton.h: what lcp/newton_min and lcp/newton_fb share: the loop around their step, the
 * directions to fall back on, the honest ends, and the option table. */
#ifndef PERP_LCP_NEWTON_H
#define PERP_LCP_NEWTON_H

#include "base/vector.h"
#include "method/newton.h"
#include "perp/solver.h"
#include "perp/solvers.h"

#define REGULARISED 3 /* attempts with M + e I, */
#define CLEANINGS 4   /* of a proof from what the slow end of a descent left in it */
#define DAMPING 0.1   /* of Levenberg and Marquardt, times |G|, */
#define SHORTEST 60   /* halvings of such a step, which descends: enough to reach rounding */
#define STARTS 3      /* tried where the way down ends short of a solution */
#define DIVERGED 1e6  /* of iterates, where q has the size of 1 */
#define STRONGER 1e3  /* each with so much more of it */

/* A Newton step on the Fischer-Burmeister map; with M + e I where G' is singular, or the step leads
 * nowhere; else by Levenberg-Marquardt, which descends wherever the merit is not stationary. */
static bool step_fb(perp_newton *k, const perp_lcp_newton_options *o)
{
    if (perp_newton_direct_fb(k, 0) && perp_newton_search(k, o->halvings)) return true;
    double e = o->regularisation;
    for (int attempt = 0; attempt < REGULARISED && e > 0; attempt++, e *= STRONGER) {
        if (perp_newton_direct_fb(k, e) && perp_newton_search(k, o->halvings)) return true;
    }
    return perp_newton_direct_descent(k, DAMPING) && perp_newton_search(k, SHORTEST);
}

static perp_status open_newton(perp_newton *k, perp_run *run)
{
    const perp_lcp_newton_options *o = (const perp_lcp_newton_options *)run->options;
    const perp_lcp *p = &run->problem->as.lcp;
    if (p->M.format != PERP_FORMAT_DENSE && run->arena->fixed) {
        return perp_fail(run, PERP_E_MEMORY,
                         "%s factors a sparse M in memory that SuiteSparse allocates, which a "
                         "fixed arena does not allow; use an arena that grows",
                         o->base.solver->name);
    }
    return perp_newton_open(k, run->arena, &p->M, p->q, o->memory) ? PERP_SOLVED : PERP_E_MEMORY;
}

/* Where the iterates run off, or the merit has no way down, the gradient may be a proof that
 * nothing is feasible. PERP_STALLED: it is not. */
static perp_status claim(const perp_newton *k, perp_run *run, double *y)
{
    static const double noise[CLEANINGS] = {0, 1e-8, 1e-4, 1e-2};
    perp_residual r;
    for (int t = 0; t < CLEANINGS; t++) {
        perp_newton_proof(k, noise[t], y);
        perp_status check = perp_check(run->problem, PERP_INFEASIBLE, y, run->arena, &r);
        if (check == PERP_E_MEMORY) return check;
        if (check != PERP_SOLVED) continue;
        run->proof = y;
        return perp_fail(run, PERP_INFEASIBLE, "no z >= 0 has M z + q >= 0; w holds the proof");
    }
    return PERP_STALLED;
}

/* The end, unless there is another start to try: PERP_SOLVED. */
static perp_status end_or_restart(perp_newton *k, perp_run *run, double *y, int *again)
{
    static const double starts[STARTS] = {0, 1, 100};
    if (k->starved) return PERP_E_MEMORY;
    perp_status status = claim(k, run, y);
    if (status != PERP_STALLED) return status;
    if (*again < STARTS && perp_newton_start_at(k, starts[(*again)++])) return PERP_SOLVED;
    return perp_fail(run, PERP_STALLED,
                     "the merit function is stationary at a point that is no solution; try another "
                     "start, in z with warm_start");
}

static perp_status run_newton(perp_run *run, double *z,
                              bool (*step)(perp_newton *k, const perp_lcp_newton_options *o))
{
    const perp_lcp_newton_options *o = (const perp_lcp_newton_options *)run->options;
    perp_newton k;
    perp_status status = open_newton(&k, run);
    double *y = PERP_ALLOC(run, double, run->problem->as.lcp.n);
    if (status || !y) return status ? status : PERP_E_MEMORY;
    if (!perp_newton_start(&k, z)) perp_newton_start_at(&k, 0); /* z is too far off to work with */
    double scale = perp_scale(run);
    int again = o->base.warm_start ? 0 : 1;
    while (perp_continue(run, z, perp_newton_read(&k, z) / scale)) {
        status = vector_max(k.n, k.z) > DIVERGED ? claim(&k, run, y) : PERP_STALLED;
        if (status != PERP_STALLED) return status;
        if (!perp_newton_is_stuck(&k) && step(&k, o)) continue;
        status = end_or_restart(&k, run, y, &again);
        if (status) return status;
    }
    again = STARTS; /* the driver has seen enough */
    return run->status == PERP_STALLED ? end_or_restart(&k, run, y, &again) : run->status;
}

static const perp_option newton_options[] = {
    PERP_OPTION(perp_lcp_newton_options, memory, 1, 1000,
                "merits the line search looks back to; 1: each has to be smaller"),
    PERP_OPTION(perp_lcp_newton_options, halvings, 0, 1000,
                "of a step in one line search, before another direction is tried"),
    PERP_OPTION(perp_lcp_newton_options, regularisation, 0, 1,
                "added to M's diagonal where a Jacobian is singular; 0: gradients only"),
    {0},
};

#endif
