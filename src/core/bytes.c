/* core/bytes.c: how large a buffer a solve needs.
 *
 * The solve itself is made up to its first iteration, in scratch memory: what it lifts, converts,
 * orders and allocates until then is counted by the arena that it does so in, with the peak that it
 * will have. A fixed arena keeps nothing from before, so neither is anything found here. What comes
 * after, at most, the solver's `room` counts in the same arena (perp_count); where it solves
 * further problems inside, it calls perp_nested, which counts down the tree. An auto makes every
 * step that fits. So bound and allocation are one code but for what follows the first iteration.
 *
 * Costs what a solver does before its first iteration: passes over the data, and an analysis of
 * each sparse factor. */
#include "base/cache.h"
#include "callback.h"
#include "driver.h"
#include "opened.h"

#include <stdint.h>
#include <string.h>

#define HEADER 128 /* bytes: the header of a fixed buffer in arena.c, and two alignments */

void perp_room_none(perp_run *run)
{
    (void)run;
}

bool perp_is_sizing(const perp_run *run)
{
    return run->driver->sizing;
}

/* ---- certificates and proofs ---- */

/* The bytes that the arena had at most above `used` since `before` was its peak. */
static size_t end_peak(perp_arena *a, size_t before)
{
    size_t bytes = a->peak > a->used ? a->peak - a->used : 0;
    if (before > a->peak) a->peak = before;
    return bytes;
}

/* What checks of proofs take, by those of y = 0; `unbounded`: of that claim, too. */
static size_t size_checks(const perp_problem *p, bool unbounded, double tol, perp_arena *a)
{
    static const perp_status claims[] = {PERP_RAY, PERP_INFEASIBLE, PERP_UNBOUNDED};
    int count = unbounded ? 3 : 2;
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    perp_mark mark = perp_arena_mark(a);
    const double *y = perp_alloc(a, (size_t)perp_size(p), sizeof *y);
    size_t before = a->peak, bytes;
    perp_residual r;
    a->peak = a->used;
    for (int k = 0; y && ops->check && k < count; k++)
        perp_check_at(p, claims[k], y, NULL, tol, a, &r);
    if (unbounded && ops->check_room) ops->check_room(p, a);
    a->used = mark.used; /* the peak counts from here, with y in place of what is checked */
    bytes = end_peak(a, before);
    perp_arena_release(a, mark);
    return bytes;
}

/* A certificate of z in pairs of numbers; that of a callback, which may be undefined at z, is
 * counted. */
static size_t size_certificate(perp_driver *d, const double *z)
{
    perp_arena *a = d->arena;
    size_t before = a->peak;
    perp_residual r;
    a->peak = a->used;
    if (d->scale.callback)
        perp_callback_room(d->scale.callback, a);
    else
        d->ops->measure(&d->problem, &d->scale, z, d->slack, -1, a, &r);
    return end_peak(a, before);
}

/* Certificates and proofs lie above everything else; they are counted below it. */
static void count_judgement(perp_driver *d, const double *z)
{
    size_t bytes = 0, more;
    const perp_problem *seen = &d->lift.problem;
    bool other = seen->kind != d->problem.kind;
    bool unbounded = perp_kind_ops_of(seen->kind)->feasibility; /* solvers of its kind may end so */
    if (!d->shared) {
        bytes = size_certificate(d, z);
        more = size_checks(&d->problem, unbounded, d->options->tol, d->arena);
        bytes = more > bytes ? more : bytes;
    }
    if (other) {
        more = size_checks(seen, unbounded, d->options->tol, d->arena);
        bytes = more > bytes ? more : bytes;
    }
    perp_count(d->arena, 1, bytes);
}

/* ---- one level ---- */

static perp_status end_level(perp_driver *d, perp_status status, const perp_error *e)
{
    d->result->status = status;
    d->result->solver = d->options->solver->name;
    if (e->text[0]) memcpy(d->result->detail, e->text, sizeof d->result->detail);
    return status;
}

static perp_status size_solver(perp_driver *d, perp_run *run, double *z)
{
    const perp_solver *s = d->options->solver;
    double *seen = z;
    if (d->lift.up) {
        seen = perp_alloc(d->arena, (size_t)perp_size(&d->lift.problem), sizeof *seen);
        if (!seen) return PERP_E_MEMORY;
        perp_lift_up(&d->lift, z, seen);
    }
    perp_status status = s->solve(run, seen); /* which may refuse this start, and not another */
    if (!s->room) perp_count(d->arena, SIZE_MAX, 1); /* nobody knows */
    if (s->room && !d->arena->starved) s->room(run);
    return status < 0 ? status : PERP_MAX_ITER;
}

perp_status perp_size_level(perp_driver *d, double *z)
{
    perp_error e = {0};
    perp_run run = {.options = d->options, .arena = d->arena, .merit = NAN, .driver = d};
    d->best_residual = perp_unmeasured;
    d->best_rank = INFINITY;
    d->best_solver = d->options->solver->name;
    perp_status status = perp_fit(d, &e);
    if (!status) status = perp_allocate(d);
    if (status) return end_level(d, status, &e);
    if (!d->shared) {
        if (d->size > 0) memcpy(d->best, z, (size_t)d->size * sizeof *z);
        d->ops->scale(&d->problem, d->arena, &d->scale);
    }
    if (d->arena->failed) return end_level(d, PERP_E_MEMORY, &e);
    count_judgement(d, z);
    run.problem = &d->lift.problem;
    d->mark = perp_arena_mark(d->arena);
    perp_start_progress(d);
    status = size_solver(d, &run, z);
    if (!d->shared && !d->arena->starved) {
        perp_opened_release(d->arena, d->mark); /* the solver has ended */
        perp_refine_room(d);
    }
    return end_level(d, status, &e);
}

/* ---- a point beside a direction ---- */

void perp_room_unbounded(perp_run *run)
{
    perp_driver *d = run->driver;
    perp_arena *a = d->arena;
    perp_problem easier;
    if (d->shared || d->easier || !d->ops->feasibility) return;
    perp_opened_release(a, d->mark); /* the solver has ended */
    double *z = perp_alloc(a, (size_t)d->size, sizeof *z);
    perp_count(a, (size_t)d->size, sizeof *z);
    if (!z || !d->ops->feasibility(&d->problem, a, &easier)) return;
    perp_options *o = perp_options_copy(a, perp_auto_of(easier.kind));
    d->easier = true;
    if (o) perp_nested(run, &easier, o, z, NULL);
    d->easier = false;
}

/* ---- the call ---- */

/* The level of the solve; its peak is that of the arena. False: the solver does not read it. */
static bool size_solve(const perp_problem *p, const perp_options *o, perp_arena *a, double *z,
                       perp_result *result, perp_error *e)
{
    if (o->size && o->size != o->solver->options_size && !(o = perp_options_copy(a, o)))
        return true;
    perp_driver d = {.problem = perp_complete(p),
                     .ops = perp_kind_ops_of(p->kind),
                     .size = perp_size(p),
                     .options = o,
                     .arena = a,
                     .result = result,
                     .sizing = true,
                     .deadline = o->max_seconds > 0 ? DBL_MAX : INFINITY,
                     .monitor = o->monitor,
                     .monitor_ctx = o->monitor_ctx,
                     .max_iter = o->max_iter};
    perp_status status = perp_by_columns(&d.problem, a, e);
    if (status)
        end_level(&d, status, e);
    else
        perp_size_level(&d, z);
    return d.kept || a->starved;
}

static size_t refuse_scratch(perp_error *e)
{
    perp_refuse(e, PERP_E_MEMORY, "the scratch arena has no room to count the bytes of this solve");
    return 0;
}

static size_t refuse_with(const perp_result *r, perp_error *e)
{
    perp_refuse(e, r->status, "%s", r->detail);
    return 0;
}

/* A solver that refuses what it has read is not a refusal here: it needs memory to do so. */
static size_t count_bytes(const perp_problem *p, const perp_options *o, perp_arena *a,
                          perp_error *e)
{
    perp_result r = {.residual = perp_unmeasured, .model_residual = NAN, .objective = NAN};
    double *z = perp_alloc(a, (size_t)perp_size(p), sizeof *z);
    size_t before = a->peak = a->used;
    if (!z) return refuse_scratch(e);
    if (perp_prepare(p, &o, a, z, true, &r)) return refuse_with(&r, e);
    bool reads = size_solve(p, o, a, z, &r, e);
    if (a->starved) return refuse_scratch(e);
    if (!reads) return refuse_with(&r, e);
    size_t bytes = a->peak - before;
    if (bytes < PERP_COUNT_LIMIT - HEADER) return bytes + HEADER;
    perp_refuse(e, PERP_E_MEMORY, "no buffer is large enough for %s to solve this problem",
                o->solver->name);
    return SIZE_MAX;
}

/* Counting takes place in an arena of its own, or in the rest of a fixed one. */
static perp_arena open_count(const perp_arena *scratch)
{
    perp_arena a = {.resize = scratch->resize, .ctx = scratch->ctx};
    if (scratch->fixed) a = *scratch;
    a.failed = a.starved = false;
    a.counting = true;
    a.watch = NULL;
    return a;
}

size_t perp_bytes(const perp_problem *p, const perp_options *o, perp_arena *scratch, perp_error *e)
{
    perp_error own;
    if (!e) e = &own;
    *e = (perp_error){0};
    if (!p || !perp_kind_ops_of(p->kind) || !scratch) {
        const char *what = !scratch ? "the scratch arena must not be NULL"
                           : !p     ? "the problem must not be NULL"
                                    : "the problem is of no known kind";
        perp_refuse(e, PERP_E_ARGUMENT, "%s", what);
        return 0;
    }
    if (perp_validate(p, e)) return 0;
    perp_arena a = open_count(scratch);
    perp_mark mark = perp_arena_mark(&a);
    size_t bytes = count_bytes(p, o, &a, e);
    perp_arena_release(&a, mark);
    if (!scratch->fixed) perp_arena_free(&a);
    return bytes;
}
