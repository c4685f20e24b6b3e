/* core/at_once.c: a small problem solved before its solver is run and before the start is
 * certified, which is most of what a solve of a few unknowns costs. One certificate. */
#include "driver.h"

/* Without a clock or a monitor: who sets one wants to be asked. */
static bool is_asked(const perp_driver *d)
{
    const perp_options *o = d->options;
    if (!o->solver->at_once || d->shared || o->warm_start) return false;
    return !d->monitor && !(d->deadline < INFINITY) && !d->interrupted;
}

bool perp_solve_at_once(perp_driver *d, const perp_run *run)
{
    const perp_solver *s = d->options->solver;
    int iterations = is_asked(d) ? s->at_once(run, d->kept) : 0;
    if (iterations <= 0 || iterations > d->max_iter) return false;
    perp_judge(d, s->name, d->kept);
    if (perp_judged(&d->best_residual) <= d->options->tol) {
        d->iterations = iterations;
        return true;
    }
    d->best_residual = perp_unmeasured;
    d->best_rank = INFINITY;
    return false;
}
