/* core/claim.c: what a solver's claim of ray, infeasible or unbounded is worth.
 *
 * It stands with a vector that the kind's check accepts, brought down to the problem as it was
 * given. `unbounded` needs a feasible point beside its direction: where the best iterate is none,
 * one is looked for, and what is found instead may be that there is none. */
#include "base/vector.h"
#include "driver.h"
#include "opened.h"
#include "proof.h"

#include <string.h>

/* Parts of the largest entry below which one may be rounding, whose absence makes a proof exact. */
static const double cuts[] = {0, 1e-14, 1e-12, 1e-10, 1e-8};

static void cut(int n, double least, double *y)
{
    for (int i = 0; i < n; i++) y[i] = fabs(y[i]) > least ? y[i] : 0;
}

perp_status perp_prove(perp_run *run, perp_status claim, double *y)
{
    const perp_kind_ops *ops = perp_kind_ops_of(run->problem->kind);
    int n = perp_size(run->problem);
    double most = vector_max(n, y);
    perp_residual r;
    perp_status s = PERP_UNCERTIFIED;
    if (run->driver->sizing) return s;
    if (ops->tidy && claim != PERP_RAY) ops->tidy(run->problem, y);
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts && s == PERP_UNCERTIFIED; k++) {
        if (k > 0) cut(n, cuts[k] * most, y);
        s = perp_check_at(run->problem, claim, y, NULL, run->options->tol, run->arena, &r);
        if (!(r.radius > 0)) break; /* not even near; and of a ray or a direction no radius */
    }
    return claim == PERP_UNBOUNDED && s == PERP_UNCERTIFIED && r.value <= 1 ? PERP_SOLVED : s;
}

/* A feasible point, judged as every other iterate, is kept as the best one. */
static perp_status keep_point(perp_driver *d, const double *z)
{
    perp_residual r;
    perp_status s = d->ops->measure(&d->problem, &d->scale, z, d->slack, 0, d->arena, &r);
    if (s) return s;
    memcpy(d->best, z, (size_t)d->size * sizeof *z);
    memcpy(d->best_slack, d->slack, (size_t)d->size * sizeof *z);
    d->best_residual = r;
    return PERP_SOLVED;
}

static perp_status refuse_claim(perp_run *run, const perp_residual *r)
{
    const char *name = run->options->solver->name, *claim = perp_status_name(run->status);
    if (run->status == PERP_INFEASIBLE && r->radius > 0) {
        return perp_fail(run, PERP_UNCERTIFIED, "%s: no solution with |z|_1 < %.1e", name,
                         r->radius);
    }
    return perp_fail(run, PERP_UNCERTIFIED, "%s ended %s, but its vector does not prove it", name,
                     claim);
}

/* The direction is right. Is there a feasible point, or a proof that there is none? */
static perp_status find_point(perp_run *run)
{
    perp_driver *d = run->driver;
    perp_problem easier;
    perp_residual r;
    if (!d->model) perp_opened_release(d->arena, d->mark); /* the solver has ended */
    double *z = perp_alloc(d->arena, (size_t)d->size, sizeof *z);
    double *proof = perp_alloc(d->arena, (size_t)d->size, sizeof *proof);
    if (d->arena->failed || !d->ops->feasibility(&d->problem, d->arena, &easier)) {
        return PERP_E_MEMORY;
    }
    perp_options *o = perp_options_copy(d->arena, perp_auto_of(easier.kind));
    if (!o) return PERP_E_MEMORY;
    o->tol = fmax(run->options->tol, PERP_PROOF_LEAST_TOL);
    perp_status s = perp_nested_proof(run, &easier, o, z, proof, NULL);
    if (s == PERP_SOLVED) {
        s = perp_check_at(&d->problem, PERP_UNBOUNDED, d->proof, z, run->options->tol, d->arena,
                          &r);
        if (s == PERP_SOLVED && keep_point(d, z) == PERP_SOLVED) return PERP_UNBOUNDED;
    } else if (s == PERP_INFEASIBLE) {
        memcpy(d->proof, proof, (size_t)d->size * sizeof *proof);
        s = perp_check_at(&d->problem, s, d->proof, NULL, run->options->tol, d->arena, &r);
        if (s == PERP_SOLVED) {
            return perp_fail(run, PERP_INFEASIBLE, "no x is within all bounds; w holds the proof");
        }
    }
    return perp_fail(run, PERP_UNCERTIFIED,
                     "no solution: dual infeasible; whether the problem is unbounded or infeasible "
                     "is open");
}

perp_status perp_claim_check(perp_run *run)
{
    perp_driver *d = run->driver;
    perp_residual r;
    perp_status claimed = run->status;
    if (!run->proof) {
        return perp_fail(run, PERP_UNCERTIFIED, "%s ended %s without a vector that proves it",
                         run->options->solver->name, perp_status_name(claimed));
    }
    double *y = run->proof;
    if (d->lift.up) {
        perp_lift_down_proof(&d->lift, y, d->down);
        y = d->down;
    }
    memmove(d->proof, y, (size_t)d->size * sizeof *y);
    if (d->ops->tidy && claimed != PERP_RAY) d->ops->tidy(&d->problem, d->proof);
    const double *best = perp_judge_of(d) == d ? d->best : NULL;
    perp_status check =
        perp_check_at(&d->problem, claimed, d->proof, best, run->options->tol, d->arena, &r);
    if (check == PERP_SOLVED) return claimed;
    if (check == PERP_E_MEMORY) return check;
    if (claimed != PERP_UNBOUNDED || !(r.value <= 1)) return refuse_claim(run, &r);
    return d->shared ? claimed : find_point(run); /* the level that judges looks for a point */
}
