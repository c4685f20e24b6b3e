/* core/progress.c: perp_continue and the certificates along the way.
 *
 * A certificate costs about one product with the matrix, an iteration of a sweep method about as
 * much: regular ones are at least SPACING iterations apart, so that they cost at most a tenth. All
 * decisions but the deadline follow from iterations and residuals, so the same input gives the same
 * bits. */
#include "base/system.h"
#include "base/vector.h"
#include "callback.h"
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SPACING 10          /* iterations between regular certificates */
#define BETTER 0.9          /* times the estimate of the kept iterate: then another is kept */
#define WORTH_IT 0.5        /* a regular certificate is due when the estimate fell by this */
#define TRUST 0.95          /* of what a pessimistic estimate was too large by, and at most */
#define TRUST_MOST 4.0      /* so much */
#define FLOOR_SPACING 8     /* certificates before that is looked at, and half of those between */
#define AT_FLOOR 0.25       /* of what the rounding of z leaves at worst: nobody does better */
#define FLOOR_NEAR 100      /* times that: a run that gets no further is held up by it */
#define WATCH_SECONDS 0.02  /* between two questions to the monitor within an iteration */
#define LONG_DENSE 1000     /* unknowns from which on the sweeps of anytime.h take 20 ms, and */
#define LONG_SPARSE 100000  /* those where no matrix is dense */
#define STALL_PROGRESS 1e-4 /* relative fall of the estimate that counts as progress */
#define STALL_WINDOW 100    /* iterations without progress, plus a quarter of those made */
#define PATIENCE 1000       /* the same of a solver that is PERP_SOLVER_PATIENT, plus half */

perp_status perp_fail(perp_run *run, perp_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    perp_vprint(run->driver->result->detail, sizeof run->driver->result->detail, format, args);
    va_end(args);
    return run->status = status;
}

perp_status perp_end_with(perp_run *run, perp_status status, const char *text)
{
    perp_append(run->driver->result->detail, sizeof run->driver->result->detail, 0, text);
    return run->status = status;
}

int perp_budget(const perp_run *run)
{
    return run->driver->max_iter - run->driver->iterations;
}

perp_driver *perp_judge_of(perp_driver *d)
{
    while (d->shared) d = d->parent;
    return d;
}

double perp_scale(const perp_run *run)
{
    return perp_judge_of(run->driver)->scale.s[0];
}

/* The residual by which the solver of a level is judged: r, of z and the slack w, or its model's.
 */
static double rank(const perp_driver *level, const double scale[3], const perp_residual *r,
                   const double *z, const double *w)
{
    const perp_model *m = level->model;
    if (!m) return perp_judged(r);
    double value = m->measure(m->ctx, scale, z, w);
    return isnan(value) ? INFINITY : value;
}

double perp_model_residual(perp_driver *d)
{
    const perp_driver *judge = perp_judge_of(d);
    if (!d->model || !(judge->best_residual.value < INFINITY)) return NAN;
    return rank(d, judge->scale.s, &judge->best_residual, judge->best, judge->best_slack);
}

bool perp_approximate(perp_run *run, const perp_model *model)
{
    perp_driver *d = run->driver;
    d->model = model;
    double value = perp_model_residual(d);
    if (!d->shared) d->best_rank = isnan(value) ? INFINITY : value;
    return value <= d->options->tol;
}

/* Near the tolerance the plain sums of a certificate may be what keeps it from being reached. Then
 * it is measured in pairs, now and then, and tells whether z could be rounded any better. `late`:
 * the time is over, and so much is left out; of a callback also the noise. */
static perp_status measure(perp_driver *d, const double *z, bool late, perp_residual *r)
{
    double tol = d->options->tol, enough = late && d->scale.callback ? INFINITY : tol;
    perp_status s = d->ops->measure(&d->problem, &d->scale, z, d->slack, enough, d->arena, r);
    if (!s && r->value <= tol) perp_keep_bound(r);
    if (late) return s;
    if (s || r->value > PERP_NEAR * tol || r->bound < INFINITY) return s;
    if (d->result->certificates < d->next_floor) return s;
    d->next_floor = 2 * d->result->certificates + FLOOR_SPACING;
    s = d->ops->measure(&d->problem, &d->scale, z, d->slack, -1, d->arena, r);
    perp_keep_bound(r);
    return s;
}

/* Is the time of a level over? The monitor is not asked. */
static bool is_late(const perp_driver *d)
{
    if (d->interrupted || d->cancelled) return true;
    return d->deadline < INFINITY && perp_now() >= d->deadline;
}

double perp_judge_at(perp_driver *d, const perp_driver *from, const char *solver, const double *z)
{
    perp_residual r = perp_unmeasured;
    d->result->certificates++;
    d->latest = false;
    if (!vector_is_finite((size_t)d->size, z)) return INFINITY;
    perp_arena *a = d->arena;
    const perp_watch *watch = a->watch;
    bool late = is_late(from), failed = a->failed; /* who was stopped has found no memory */
    a->failed = false;
    a->watch = NULL; /* a certificate that was begun is ended, without the floor of a callback */
    if (d->scale.callback) d->scale.callback->watch = watch;
    perp_status s = measure(d, z, late, &r);
    if (d->scale.callback) d->scale.callback->watch = NULL;
    a->watch = watch;
    a->failed |= failed;
    d->starved |= s == PERP_E_MEMORY;
    if (s) return INFINITY;
    d->at_floor |= perp_judged(&r) > d->options->tol && r.floor > d->options->tol &&
                   r.value <= AT_FLOOR * r.floor;
    double value = rank(from, d->scale.s, &r, z, d->slack);
    double mine = from == d ? value : rank(d, d->scale.s, &r, z, d->slack);
    if (mine < d->best_rank) {
        d->best_rank = mine;
        d->latest = true;
        memcpy(d->best, z, (size_t)d->size * sizeof *z);
        d->best_residual = r;
        d->best_solver = solver;
        double *slack = d->best_slack;
        d->best_slack = d->slack;
        d->slack = slack;
    }
    return value;
}

double perp_judge(perp_driver *d, const char *solver, const double *z)
{
    if (d->unjudged || d->sizing) return INFINITY;
    for (const perp_driver *from = d;;) {
        if (d->lift.up) {
            perp_lift_down(&d->lift, z, d->down);
            z = d->down;
        }
        if (!d->shared) return perp_judge_at(d, from, solver, z);
        d->result->certificates++;
        d = d->parent;
    }
}

/* The residual of the best iterate in pairs of numbers. False: there is none, or no memory. */
static bool measure_closely(perp_driver *d, perp_residual *r)
{
    *r = d->best_residual;
    if (r->bound < INFINITY || !(r->value < INFINITY)) return r->value < INFINITY;
    d->result->certificates++;
    if (d->ops->measure(&d->problem, &d->scale, d->best, d->slack, -1, d->arena, r)) return false;
    perp_keep_bound(r);
    return true;
}

static void keep_measured(perp_driver *d, const perp_residual *r)
{
    if (d->best_residual.bound < INFINITY) return;
    d->best_residual = *r;
    memcpy(d->best_slack, d->slack, (size_t)d->size * sizeof *d->slack);
}

void perp_judge_closely(perp_driver *d)
{
    perp_residual r;
    if (d->best_residual.value > PERP_NEAR * d->options->tol || !measure_closely(d, &r)) return;
    keep_measured(d, &r);
}

/* Is the best iterate above the tolerance, but within `times` a floor that is above it, too? */
static bool is_near_floor(perp_run *run, double times)
{
    perp_driver *judge = perp_judge_of(run->driver);
    double tol = judge->options->tol;
    perp_residual r;
    if (run->driver->model || run->driver->unjudged || judge->sizing) return false;
    if (!measure_closely(judge, &r)) return false;
    bool near = perp_judged(&r) > tol && r.floor > tol && r.value <= times * r.floor;
    if (near) keep_measured(judge, &r);
    return near;
}

bool perp_at_floor(perp_run *run)
{
    return is_near_floor(run, FLOOR_NEAR);
}

bool perp_below_floor(perp_run *run)
{
    return is_near_floor(run, AT_FLOOR);
}

void perp_start_progress(perp_driver *d)
{
    d->claim = d->options->tol;
    d->last_estimate = INFINITY;
    d->next = 0;
    d->gap = 1;
    d->kept_estimate = INFINITY;
    d->progress = INFINITY;
    d->progress_at = 0;
}

/* Does a certificate cost much less than an iteration? That of a callback takes a Jacobian. */
static bool is_cheap(perp_driver *d)
{
    return (d->options->solver->flags & PERP_SOLVER_CHEAP_CERTIFICATE) &&
           !perp_judge_of(d)->scale.callback;
}

/* Is this iterate worth a certificate now? */
static bool certificate_due(perp_driver *d, double estimate)
{
    if (d->iterations < d->next) return false;
    if (estimate <= d->claim) return true;
    if (!is_cheap(d) && d->iterations % SPACING != SPACING - 1) return false;
    return estimate < WORTH_IT * d->last_estimate;
}

/* An estimate that proved optimistic has to fall further before it is believed again, one that
 * proved pessimistic less far. */
static void reschedule(perp_driver *d, double estimate, double value)
{
    double tol = d->options->tol;
    double trust = estimate < INFINITY ? TRUST * estimate / value : 1;
    if (estimate > d->claim && trust > 1) {
        d->claim = tol * (trust < TRUST_MOST ? trust : TRUST_MOST);
    } else if (estimate <= d->claim) {
        double shrink = tol / value, most = estimate > tol ? TRUST : 0.5;
        shrink = shrink > 0.01 ? shrink : 0.01;
        d->claim = estimate * (shrink < most ? shrink : most);
        d->next = d->iterations + d->gap;
        d->gap = is_cheap(d) ? 1 : d->gap < SPACING / 2 ? 2 * d->gap : SPACING;
    }
    d->last_estimate = estimate;
}

static bool stalled(perp_driver *d, double estimate)
{
    if (!(estimate < INFINITY)) return false;
    if (estimate < d->progress * (1 - STALL_PROGRESS)) {
        d->progress = estimate;
        d->progress_at = d->iterations;
    }
    bool patient = d->options->solver->flags & PERP_SOLVER_PATIENT;
    int window = patient ? PATIENCE + d->iterations / 2 : STALL_WINDOW + d->iterations / 4;
    return d->iterations - d->progress_at > window;
}

static bool monitor_stops(const perp_run *run, double estimate, double now)
{
    perp_driver *d = run->driver;
    if (!d->monitor) return false;
    d->shown = now;
    int made = d->before + d->iterations;
    perp_progress p = {.iteration = made > d->told ? made : d->told,
                       .seconds = now - d->began,
                       .estimate = estimate,
                       .residual = perp_judge_of(d)->best_residual.value,
                       .merit = run->merit,
                       .solver = d->options->solver->name};
    return !d->monitor(d->monitor_ctx, &p);
}

bool perp_takes_long(perp_driver *d)
{
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    if (d->size >= LONG_SPARSE || d->size < LONG_DENSE) return d->size >= LONG_SPARSE;
    int count = perp_kind_matrices(&d->problem, list, field);
    for (int k = 0; k < count; k++) {
        if (list[k]->format & (PERP_FORMAT_DENSE | PERP_FORMAT_DENSE_ROWS)) return true;
    }
    return false;
}

/* What no monitor is told of still ends with the level above, where it may take long. */
static bool above_stops(perp_driver *d)
{
    if (!d->unjudged || !perp_takes_long(d) || !d->above || !d->above->stop(d->above->ctx))
        return false;
    d->interrupted = d->parent->interrupted;
    return true;
}

static bool stop(perp_run *run, perp_status status)
{
    run->status = status;
    return false;
}

/* The limits, in the order in which a user would want to hear of them. */
static bool within_limits(perp_run *run, double estimate)
{
    perp_driver *d = run->driver;
    bool timed = d->deadline < INFINITY || d->monitor;
    double now = timed ? perp_now() : 0;
    if (d->cancelled || monitor_stops(run, estimate, now)) {
        d->cancelled = true;
        return stop(run, PERP_CANCELLED);
    }
    if (d->interrupted || above_stops(d)) return stop(run, d->interrupted);
    if (d->iterations >= d->max_iter) return stop(run, PERP_MAX_ITER);
    if (now >= d->deadline) return stop(run, PERP_MAX_SECONDS);
    return true;
}

/* The limits that hold within an iteration too. */
static bool watch_stops(void *ctx)
{
    perp_run *run = ctx;
    perp_driver *d = run->driver;
    if (d->interrupted || above_stops(d)) return true;
    double now = perp_now();
    if (!d->cancelled && now - d->shown >= WATCH_SECONDS)
        d->cancelled = monitor_stops(run, INFINITY, now);
    if (d->cancelled)
        d->interrupted = PERP_CANCELLED;
    else if (now >= d->deadline)
        d->interrupted = PERP_MAX_SECONDS;
    return d->interrupted;
}

static double watch_left(void *ctx)
{
    const perp_run *run = ctx;
    return run->driver->deadline - perp_now();
}

/* A call that is not made ends the run: there is nothing to go on with. */
static void watch_call(void *ctx, const perp_call *call)
{
    const perp_run *run = ctx;
    perp_driver *d = run->driver;
    d->call = *call;
    if (call->refused && !d->interrupted) d->interrupted = PERP_MAX_SECONDS;
}

bool perp_watch_run(perp_run *run, perp_watch *watch)
{
    perp_driver *d = run->driver;
    *watch = (perp_watch){.stop = watch_stops,
                          .ctx = run,
                          .left = watch_left,
                          .report = watch_call,
                          .rates = d->arena->rates};
    d->shown = d->start;
    return d->monitor || d->deadline < INFINITY;
}

/* When the clock stops a run, its most promising iterate is judged and not the last, so that a
 * longer run, which has met it too, returns nothing worse. */
static void keep(perp_driver *d, const double *z, double estimate)
{
    if (d->fresh || !(estimate < BETTER * d->kept_estimate)) return;
    d->kept_estimate = estimate;
    memcpy(d->kept, z, (size_t)perp_size(&d->lift.problem) * sizeof *z);
}

bool perp_continue(perp_run *run, const double *z, double estimate)
{
    perp_driver *d = run->driver;
    if (d->sizing) return stop(run, PERP_MAX_ITER);
    d->fresh = false;
    if (z && isnan(estimate)) {
        perp_fail(run, PERP_STALLED, "the iterates overflowed in iteration %d", d->iterations);
        return false;
    }
    if (z && certificate_due(d, estimate)) {
        double value = perp_judge(d, d->options->solver->name, z);
        d->fresh = true;
        if (value <= d->options->tol) return stop(run, PERP_SOLVED);
        if (perp_judge_of(d)->at_floor) return stop(run, PERP_STALLED);
        reschedule(d, estimate, value);
    }
    if (z) keep(d, z, estimate);
    if (!within_limits(run, z ? estimate : INFINITY)) return false;
    if (z && stalled(d, estimate)) return stop(run, PERP_STALLED);
    d->iterations++;
    d->fresh = false;
    return true;
}
