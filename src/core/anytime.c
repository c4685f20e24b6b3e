/* core/anytime.c: sweeps beside the plan of an auto; anytime.h has the rule.
 *
 * Costs nothing where neither a clock nor a monitor is set and the plan solves the problem, nor
 * where a small problem has a monitor alone, 3 to 32 sweeps where one of both is set otherwise and
 * the plan does not itself begin with sweeps, and as many sweeps as the run
 * may make iterations, at most as many as their solver makes by itself, where the plan does not.
 * Memory: two vectors, and that of the sweeps. */
#include "anytime.h"

#include "driver.h"
#include "outcome.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sweeps before the plan: one for so many unknowns, within these limits. A plan of n pivots costs
 * n^3 and these sweeps an eighth of that at most. Three sweeps alone left a wall of n = 504 under
 * max_seconds = 0.001 at a residual of 0.55, where mcp/pgs had 0.012. */
#define PER_SWEEP 8
#define FIRST_LEAST 3
#define FIRST_MOST 32
/* A scaled residual of so many roundings of the data is not worth a sweep. Without this bound
 * stacks at a tolerance of 1e-18, which nothing reaches, took 5 times as long. */
#define ROUNDING (64 * DBL_EPSILON)

/* Unknowns up to which the first sweeps wait until a monitor cancels: they take some 20 us, dense.
 */
#define SMALL 64

static perp_status sweep(perp_anytime *t, int max_iter, bool judged, double *z, perp_result *r)
{
    perp_options *o = t->sweeps;
    int most = o->max_iter;
    o->tol = t->run->options->tol;
    o->threads = t->run->options->threads;
    o->warm_start = t->run->options->warm_start;
    if (max_iter < most) o->max_iter = max_iter;
    perp_status s = perp_nested_beside(t->run, o, judged, z, r);
    o->max_iter = most;
    return s;
}

static bool is_cut(perp_status s)
{
    return s == PERP_MAX_SECONDS || s == PERP_CANCELLED;
}

static int first_sweeps(const perp_problem *p)
{
    int count = perp_size(p) / PER_SWEEP;
    return count < FIRST_LEAST ? FIRST_LEAST : count > FIRST_MOST ? FIRST_MOST : count;
}

/* The first sweeps of a small problem, made when they are asked for: nobody ends them. */
static void sweep_late(perp_anytime *t)
{
    perp_driver *d = t->run->driver;
    perp_result r;
    bool cancelled = d->cancelled;
    perp_status interrupted = d->interrupted;
    d->cancelled = false;
    d->interrupted = PERP_SOLVED;
    perp_status s = sweep(t, first_sweeps(t->run->problem), false, t->first, &r);
    d->cancelled = cancelled;
    d->interrupted = interrupted;
    t->count = r.iterations;
    t->waits = false;
    if (s < 0) t->first = NULL;
}

/* The run has been cut: what the first sweeps found counts, too. */
static perp_status end_cut(perp_anytime *t, perp_status status)
{
    perp_driver *d = t->run->driver;
    if (t->waits) sweep_late(t);
    if (t->first) {
        perp_judge(d, t->sweeps->solver->name, t->first);
        perp_count_beside(d, t->count);
    }
    return t->run->status = status;
}

/* A plan that does not end in time leaves the rest of it to the sweeps. */
static void halve_time(perp_driver *d)
{
    double now = perp_now();
    if (now < d->deadline) d->deadline = now + 0.5 * (d->deadline - now);
}

static bool begin_with_sweeps(perp_anytime *t, bool halve)
{
    perp_driver *d = t->run->driver;
    perp_result r;
    double start = perp_judge_of(d)->best_residual.value;
    perp_status s = sweep(t, first_sweeps(t->run->problem), false, t->first, &r);
    t->count = r.iterations;
    if (is_cut(s)) {
        end_cut(t, s);
        return false;
    }
    bool helps = s >= 0 && r.residual.value < start;
    if (s < 0) t->first = NULL;
    if (halve && helps && d->deadline < INFINITY) halve_time(d);
    return true;
}

bool perp_anytime_begin(perp_anytime *t, perp_run *run, perp_options *sweeps,
                        perp_anytime_rule rule, const double *z)
{
    perp_driver *d = run->driver;
    size_t n = (size_t)perp_size(run->problem);
    bool may_be_cut = n > 0 && rule != PERP_SWEEPS_LAST && (d->deadline < INFINITY || d->monitor);
    *t = (perp_anytime){.run = run, .sweeps = sweeps, .deadline = d->deadline};
    t->given = PERP_ALLOC(run, double, n);
    if (may_be_cut) t->first = PERP_ALLOC(run, double, n);
    if (run->arena->failed) {
        run->status = PERP_E_MEMORY;
        return false;
    }
    if (n > 0) memcpy(t->given, z, n * sizeof *z);
    if (!may_be_cut) return true;
    memcpy(t->first, z, n * sizeof *z);
    t->waits = n <= SMALL && d->deadline == INFINITY && !d->sizing;
    if (t->waits) return true;
    return begin_with_sweeps(t, rule == PERP_SWEEPS_HALVE);
}

perp_status perp_anytime_end(perp_anytime *t, double *z)
{
    perp_run *run = t->run;
    perp_driver *d = run->driver;
    perp_result r;
    size_t n = (size_t)perp_size(run->problem);
    perp_status end = run->status;
    d->deadline = t->deadline;
    if (end == PERP_SOLVED || end == PERP_INFEASIBLE || end == PERP_UNBOUNDED || n == 0) return end;
    if (perp_judge_of(d)->best_residual.value <= ROUNDING) return end;
    if (end == PERP_CANCELLED) return end_cut(t, end);
    if (end == PERP_MAX_SECONDS && perp_now() >= d->deadline) return end_cut(t, end);
    memcpy(z, t->given, n * sizeof *z);
    perp_status s = sweep(t, d->max_iter, true, z, &r);
    t->swept = s >= 0;
    if (is_cut(s)) end_cut(t, s);
    if (s == PERP_SOLVED || is_cut(s) || perp_status_rank(s) > perp_status_rank(end)) {
        return perp_end_with(run, s, r.detail);
    }
    return end;
}
