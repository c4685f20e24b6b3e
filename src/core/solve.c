/* core/solve.c: the driver. Solvers propose, the certificate decides.
 *
 * perp_solve checks, then one level is driven: lift, convert, start, run, judge. perp_nested drives
 * a further level inside it. */
#include "base/format.h"
#include "base/vector.h"
#include "driver.h"
#include "opened.h"

#include <stdio.h>
#include <string.h>

static perp_status refuse(perp_result *result, perp_status status, const char *text)
{
    perp_append(result->detail, sizeof result->detail, 0, text);
    return result->status = status;
}

static perp_status refuse_with(perp_result *result, const perp_error *e)
{
    return refuse(result, e->status, e->text);
}

/* ---- fitting the problem to the solver ---- */

/* The format to convert A to: sparse stays sparse where it can. */
static perp_format choose_format(const perp_matrix *A, unsigned readable)
{
    if (readable & PERP_FORMAT_CSC) return PERP_FORMAT_CSC;
    if ((readable & PERP_FORMAT_BSR3) && A->m % 3 == 0 && A->n % 3 == 0) return PERP_FORMAT_BSR3;
    return readable & PERP_FORMAT_DENSE ? PERP_FORMAT_DENSE : PERP_FORMAT_ABSENT;
}

static perp_status convert_all(const perp_solver *s, perp_problem *p, perp_arena *a, perp_error *e)
{
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    int count = perp_kind_matrices(p, list, field);
    for (int k = 0; k < count; k++) {
        unsigned readable = s->formats[field[k]->slot];
        if (list[k]->format & readable) continue;
        perp_format target = choose_format(list[k], readable);
        if (!perp_has_entries(list[k]) || target == PERP_FORMAT_ABSENT) {
            return perp_refuse(e, PERP_E_FORMAT, "%s does not read a matrix given as %s", s->name,
                               perp_formats[list[k]->format]->title);
        }
        perp_status status = perp_opened_convert(list[k], target, a, list[k], e);
        if (status) return status;
    }
    return PERP_SOLVED;
}

perp_status perp_fit(perp_driver *d, perp_error *e)
{
    const perp_solver *s = d->options->solver;
    if ((s->flags & PERP_SOLVER_ALLOCATES) && !perp_arena_keeps(d->arena)) {
        return perp_refuse(e, PERP_E_MEMORY,
                           "%s needs memory that SuiteSparse allocates, which a fixed arena does "
                           "not allow; use an arena that grows",
                           s->name);
    }
    if (s->kind == d->problem.kind) {
        d->lift.problem = d->problem; /* the rest is 0 yet */
    } else if (perp_can_lift(d->problem.kind, s->kind)) {
        perp_status status = perp_lift_problem(&d->problem, s->kind, d->arena, &d->lift, e);
        if (status) return status;
    } else {
        const char *kind = perp_kind_name(s->kind);
        return perp_refuse(e, PERP_E_OPTION, "%s solves %s problems, this one is %s", s->name,
                           kind ? kind : "unknown", perp_kind_name(d->problem.kind));
    }
    const perp_kind_ops *seen = perp_kind_ops_of(s->kind);
    perp_status status = seen->settle ? seen->settle(s, d->arena, &d->lift, e) : PERP_SOLVED;
    if (status) return status;
    status = seen->suits ? seen->suits(&d->lift.problem, s, e) : PERP_SOLVED;
    return status ? status : convert_all(s, &d->lift.problem, d->arena, e);
}

/* ---- one level ---- */

perp_status perp_allocate(perp_driver *d)
{
    size_t n = (size_t)d->size;
    int seen = perp_size(&d->lift.problem);
    d->proof =
        perp_alloc_unset(d->arena, (size_t)(seen > d->size ? seen : d->size), sizeof(double));
    d->kept = perp_alloc_unset(d->arena, (size_t)seen, sizeof(double));
    if (d->lift.up) d->down = perp_alloc_unset(d->arena, n, sizeof(double));
    if (!d->shared) {
        d->best = perp_alloc_unset(d->arena, n, sizeof(double));
        d->best_slack = perp_alloc_unset(d->arena, n, sizeof(double));
        d->slack = perp_alloc_unset(d->arena, n, sizeof(double));
    }
    return d->arena->failed ? PERP_E_MEMORY : PERP_SOLVED;
}

static bool reached(perp_driver *d)
{
    return perp_judged(&perp_judge_of(d)->best_residual) <= d->options->tol;
}

static bool approximates(const perp_driver *d)
{
    const perp_solver *s = d->options->solver;
    return s->approximates && s->approximates(d->options);
}

static bool runs_from_solution(const perp_driver *d)
{
    const perp_solver *s = d->options->solver;
    return approximates(d) || (s->runs_from_solution && s->runs_from_solution(d->options));
}

static bool is_proved(perp_status s)
{
    return s == PERP_RAY || s == PERP_INFEASIBLE || s == PERP_UNBOUNDED;
}

/* The last iterate; where the clock or the user stopped it, the most promising one instead; where
 * it stalls, or few iterates were certified, both. */
static void judge_end(perp_driver *d, perp_status status, const double *z)
{
    const char *name = d->options->solver->name;
    bool cut = status == PERP_MAX_SECONDS || status == PERP_CANCELLED;
    bool seldom = perp_judge_of(d)->scale.callback && status == PERP_MAX_ITER;
    bool kept = (cut || seldom || status == PERP_STALLED) && d->kept_estimate < INFINITY;
    if (status < 0 || perp_judge_of(d)->best_rank <= d->options->tol) return;
    if (d->interrupted && !kept && d->iterations == 0 && !d->shared) return; /* no iterate yet */
    if (!d->fresh && !(cut && kept)) perp_judge(d, name, z);
    if (kept) perp_judge(d, name, d->kept);
}

/* What a solver makes of a factorisation that was stopped does not count: the limit was reached. */
static void watched_solve(perp_driver *d, perp_run *run, double *z)
{
    run->status = d->options->solver->solve(run, z);
    if (!d->interrupted || run->status == PERP_SOLVED || is_proved(run->status)) return;
    run->status = d->interrupted;
    d->result->detail[0] = 0;
}

static void run_solver(perp_driver *d, perp_run *run, double *z)
{
    double *seen = z;
    if (d->lift.up) {
        seen = perp_alloc_unset(d->arena, (size_t)perp_size(&d->lift.problem), sizeof *seen);
        if (!seen) {
            run->status = PERP_E_MEMORY;
            return;
        }
        perp_lift_up(&d->lift, z, seen);
    }
    watched_solve(d, run, seen);
    judge_end(d, run->status, seen);
}

/* Is more not to be had? Then it says so. A run that used up its iterations is asked only where a
 * certificate near the tolerance has looked already. */
static bool stands_at_floor(perp_driver *d, perp_run *run)
{
    const perp_residual *r = &perp_judge_of(d)->best_residual;
    bool stuck = run->status == PERP_SOLVED || run->status == PERP_STALLED;
    bool known = run->status == PERP_MAX_ITER && r->floor > d->options->tol;
    if (!(stuck || known) || !perp_at_floor(run)) return false;
    if (perp_judge_of(d)->scale.callback) {
        perp_fail(run, PERP_STALLED,
                  "stalled at the noise of F: moves of z in its last places leave %.1e, more than "
                  "tol",
                  r->floor);
        return true;
    }
    perp_fail(
        run, PERP_STALLED,
        "the rounding of z alone leaves %.1e, more than tol; z solves data changed by %.1e of "
        "themselves",
        r->floor, r->omega);
    return true;
}

static perp_status verdict(perp_driver *d, perp_run *run)
{
    perp_status s = run->status;
    if (s > PERP_CANCELLED || s < PERP_E_MEMORY) {
        return perp_fail(run, PERP_UNCERTIFIED, "%s returned %d, which is no status",
                         d->options->solver->name, (int)s);
    }
    if (s < 0 && !(approximates(d) && reached(d))) return s; /* the start of an approximation */
    bool cut = s == PERP_MAX_SECONDS || s == PERP_CANCELLED; /* a certificate in pairs takes long */
    if (!reached(d) && !d->shared && !cut) perp_judge_closely(d);
    if (reached(d)) return PERP_SOLVED;
    if (perp_judge_of(d)->starved)
        return perp_fail(run, PERP_E_MEMORY, "the arena has no room to certify an iterate");
    if (!d->model && stands_at_floor(d, run)) return PERP_STALLED;
    if (s == PERP_SOLVED && d->model) {
        return perp_fail(run, PERP_UNCERTIFIED, "residual %.2e on %s, %.2e on %s",
                         perp_model_residual(d), d->model->name,
                         perp_judge_of(d)->best_residual.value, d->model->exact);
    }
    if (s == PERP_SOLVED) return PERP_UNCERTIFIED;
    if (s == PERP_RAY || s == PERP_INFEASIBLE || s == PERP_UNBOUNDED) return perp_claim_check(run);
    return s;
}

/* The judge's best iterate as the problem of d has it. One level at most lifts with a change of z.
 */
static void raise_best(const perp_driver *d, const perp_driver *judge, double *z)
{
    for (const perp_driver *up = d; up != judge;) {
        up = up->parent;
        if (!up->lift.up) continue;
        perp_lift_up(&up->lift, judge->best, z);
        return;
    }
    memcpy(z, judge->best, (size_t)d->size * sizeof *z);
}

/* Hand over the best iterate; a shared level shows the parent's. */
static void finish(perp_driver *d, perp_status status, double *z)
{
    perp_driver *judge = perp_judge_of(d);
    perp_result *result = d->result;
    if (!d->unjudged) raise_best(d, judge, z);
    result->status = status;
    result->residual = judge->best_residual;
    result->model_residual = perp_model_residual(d);
    result->solver = judge->best_solver;
    result->iterations = d->iterations > d->beside ? d->iterations : d->beside;
    result->seconds = perp_now() - d->start;
    perp_say_end(d, status);
}

/* No point is feasible, as the data show at once; d->proof says so. */
static bool refuted(perp_driver *d)
{
    perp_error e = {0};
    if (d->shared || !d->ops->refute || !d->ops->refute(&d->problem, d->proof, &e)) return false;
    snprintf(d->result->detail, sizeof d->result->detail, "%s", e.text);
    return true;
}

/* What is returned is never worse than the start. */
static void judge_start(perp_driver *d, const double *z)
{
    memcpy(d->best, z, (size_t)d->size * sizeof *z);
    if (perp_judge_at(d, d, d->options->solver->name, z) < INFINITY || !d->ops->undefined) return;
    d->ops->undefined(&d->problem, z, d->arena, &d->start_fault);
}

/* A z that is certified is owed, whoever asks to stop. False: there is no memory for it. */
static bool open_judge(perp_driver *d)
{
    const perp_watch *watch = d->arena->watch;
    const char *lack = NULL;
    d->arena->watch = NULL;
    if (perp_allocate(d)) lack = "the arena has no room to start the solve";
    if (!lack && !d->shared) d->ops->scale(&d->problem, d->arena, &d->scale);
    if (!lack && d->arena->failed) lack = "the arena has no room to scale the residual";
    if (lack) refuse(d->result, PERP_E_MEMORY, lack);
    d->arena->watch = watch;
    return !lack;
}

/* z is the start, of d->problem, and the result. The arena is released by the caller. */
static perp_status drive_watched(perp_driver *d, perp_run *run, double *z)
{
    perp_error e = {0};
    d->best_residual = perp_unmeasured;
    d->best_rank = INFINITY;
    d->best_solver = d->options->solver->name;
    perp_status status = perp_fit(d, &e);
    if (status && !d->interrupted) return refuse_with(d->result, &e);
    if (status) d->lift = (perp_lift){.problem = d->problem};
    if (d->interrupted) d->arena->failed = false; /* who was stopped has found no memory */
    if (!open_judge(d)) return d->result->status;
    run->problem = &d->lift.problem;
    if (perp_solve_at_once(d, run)) {
        perp_refine(d);
        finish(d, PERP_SOLVED, z);
        return PERP_SOLVED;
    }
    if (!d->shared && perp_takes_long(d)) perp_watch_stops(d->arena); /* then less is done */
    if (!d->shared) judge_start(d, z);
    if (d->interrupted) {
        finish(d, d->interrupted, z);
        return d->result->status;
    }
    d->mark = perp_arena_mark(d->arena);
    perp_start_progress(d);
    if (refuted(d)) {
        finish(d, PERP_INFEASIBLE, z);
        return d->result->status;
    }
    if (!reached(d) || runs_from_solution(d)) run_solver(d, run, z);
    status = verdict(d, run);
    if (status == PERP_SOLVED && !d->shared) perp_refine(d);
    finish(d, status, z);
    return d->result->status;
}

static perp_status drive(perp_driver *d, double *z)
{
    perp_run run = {.options = d->options, .arena = d->arena, .merit = NAN, .driver = d};
    perp_watch watch;
    d->above = d->arena->watch;
    if (perp_watch_run(&run, &watch)) d->arena->watch = &watch;
    perp_status status = drive_watched(d, &run, z);
    d->arena->watch = d->above;
    return status;
}

/* ---- the calls ---- */

/* Whatever was in z, leave numbers there. */
static void make_finite(int n, double *z, bool keep)
{
    for (int i = 0; i < n; i++) z[i] = keep && isfinite(z[i]) ? z[i] : 0;
}

/* What the sizes of an invalid problem say about the length of z may be wrong: z is neither read
 * nor written then. */
perp_status perp_prepare(const perp_problem *p, const perp_options **o, perp_arena *a, double *z,
                         bool trusted, perp_result *result)
{
    perp_error e = {0};
    if (!p) return refuse(result, PERP_E_ARGUMENT, "the problem must not be NULL");
    if (!perp_kind_ops_of(p->kind))
        return refuse(result, PERP_E_ARGUMENT, "the problem is of no known kind");
    if (!trusted && perp_validate(p, &e)) return refuse_with(result, &e);
    int n = perp_size(p);
    if (n > 0 && !z) return refuse(result, PERP_E_ARGUMENT, "z must not be NULL");
    bool warm = *o && (*o)->warm_start, numbers = !warm || vector_is_finite((size_t)n, z);
    make_finite(n, z, warm);
    if (!a) return refuse(result, PERP_E_ARGUMENT, "the arena must not be NULL");
    if (!numbers) return refuse(result, PERP_E_NUMBER, "the warm start z is not finite");
    if (!*o) *o = perp_auto_of(p->kind);
    return perp_options_check(*o, &e) ? refuse_with(result, &e) : PERP_SOLVED;
}

/* The slack at z, or the vector behind ray, infeasible and unbounded. */
static void write_slack(const perp_driver *d, double *w)
{
    size_t bytes = (size_t)d->size * sizeof *w;
    perp_status s = d->result->status;
    if (s == PERP_RAY || s == PERP_INFEASIBLE || s == PERP_UNBOUNDED)
        memcpy(w, d->proof, bytes);
    else if (d->best_residual.value < INFINITY)
        memcpy(w, d->best_slack, bytes);
    else
        memset(w, 0, bytes);
}

perp_status perp_solve(const perp_problem *p, const perp_options *o, perp_arena *a, double *z,
                       double *w, perp_result *result)
{
    if (!result) return PERP_E_ARGUMENT;
    double start = perp_now();
    *result = (perp_result){.residual = perp_unmeasured, .model_residual = NAN, .objective = NAN};
    if (perp_prepare(p, &o, a, z, false, result)) return result->status;
    if (w && w == z) return refuse(result, PERP_E_ARGUMENT, "w must not be z");
    double nothing[1] = {0};
    if (!z) z = nothing; /* no unknowns: there is nothing to copy, but not from NULL */
    result->solver = o->solver->name;
    a->failed = false;
    a->solves++;
    perp_mark mark = perp_arena_mark(a);
    if (o->size && o->size != o->solver->options_size && !(o = perp_options_copy(a, o))) {
        return refuse(result, PERP_E_MEMORY, "no memory for the options");
    }
    perp_driver d;
    memset(&d, 0, sizeof d); /* not by a literal, which is made apart and copied: 2 kB */
    d.problem = *p;
    d.ops = perp_kind_ops_of(p->kind);
    d.size = perp_size(p);
    d.options = o;
    d.arena = a;
    d.result = result;
    d.start = d.began = start;
    d.deadline = o->max_seconds > 0 ? start + o->max_seconds : INFINITY;
    d.monitor = o->monitor;
    d.monitor_ctx = o->monitor_ctx;
    d.max_iter = o->max_iter;
    perp_error e = {0};
    perp_complete_own(&d.problem);
    if (perp_by_columns(&d.problem, a, &e)) {
        perp_arena_release(a, mark);
        return refuse_with(result, &e);
    }
    drive(&d, z);
    if (w && d.size > 0) write_slack(&d, w);
    perp_opened_keep(a, mark);
    if (d.ops->objective) {
        const perp_problem given = perp_complete(p); /* d.problem may lie in what was released */
        result->objective = d.ops->objective(&given, z, a);
    }
    return result->status;
}

void perp_count_beside(perp_driver *d, int iterations)
{
    if (iterations > d->beside) d->beside = iterations;
}

/* Iterations that the monitor has been told of when a level ends. */
static int told_of(const perp_driver *d)
{
    int own = d->before + (d->iterations > d->beside ? d->iterations : d->beside);
    return own > d->told ? own : d->told;
}

/* How a nested solve counts: in the parent's iterations, or beside them with as many as the parent
 * has in all; and whether it is certified. */
typedef enum nesting { COUNTED, BESIDE, BESIDE_UNJUDGED } nesting;

static perp_status nest(perp_run *run, const perp_problem *p, const perp_options *o, double *z,
                        nesting how, perp_driver *d, perp_result *own)
{
    perp_driver *up = run->driver;
    double now = perp_now(), limit = o->max_seconds > 0 ? now + o->max_seconds : INFINITY;
    int used = how == COUNTED ? up->iterations : 0, left = up->max_iter - used;
    bool whole = p == &up->lift.problem && p->kind == up->problem.kind; /* since it was opened */
    memset(d, 0, sizeof *d);                                            /* as in perp_solve */
    d->parent = up;
    d->shared = p == run->problem;
    d->sizing = up->sizing;
    d->easier = up->easier;
    d->unjudged = how == BESIDE_UNJUDGED;
    d->problem = *p;
    if (!whole) perp_complete_own(&d->problem);
    d->ops = perp_kind_ops_of(p->kind);
    d->size = perp_size(p);
    d->options = o;
    d->arena = up->arena;
    d->result = own;
    d->start = now;
    d->began = up->began;
    d->deadline = limit < up->deadline ? limit : up->deadline;
    d->monitor = how == BESIDE_UNJUDGED ? NULL : up->monitor;
    d->monitor_ctx = up->monitor_ctx;
    d->cancelled = up->cancelled;
    d->max_iter = o->max_iter < left ? o->max_iter : left;
    d->before = up->before + used;
    d->told = told_of(up);
    perp_status s = d->sizing ? perp_size_level(d, z) : drive(d, z);
    if (!d->unjudged) up->told = told_of(d);
    if (how == COUNTED) up->iterations += d->iterations;
    perp_count_beside(up, used + (how == BESIDE ? own->iterations : d->beside));
    up->cancelled = d->cancelled;
    up->fresh = d->shared && !d->unjudged && s >= 0; /* z is the best certified iterate */
    return s;
}

static perp_status nest_and_prove(perp_run *run, const perp_problem *p, const perp_options *o,
                                  double *z, nesting how, double *proof, perp_result *result)
{
    perp_driver *up = run->driver, d;
    perp_result own = {.residual = perp_unmeasured, .model_residual = NAN, .objective = NAN};
    if (perp_prepare(p, &o, up->arena, z, p == run->problem, &own)) {
        if (result) *result = own;
        return own.status;
    }
    perp_mark mark = perp_arena_mark(up->arena);
    perp_status s = nest(run, p, o, z, how, &d, &own);
    if (d.shared && d.proof && is_proved(s)) {
        memcpy(up->proof, d.proof, (size_t)d.size * sizeof *z);
        run->proof = up->proof;
    }
    if (proof && d.proof && is_proved(s)) memcpy(proof, d.proof, (size_t)d.size * sizeof *z);
    (d.shared ? perp_opened_release : perp_arena_release)(up->arena, mark);
    if (d.unjudged) own.residual.value = d.kept_estimate;
    if (result) *result = own;
    return s;
}

perp_status perp_nested_proof(perp_run *run, const perp_problem *p, const perp_options *o,
                              double *z, double *proof, perp_result *result)
{
    return nest_and_prove(run, p, o, z, COUNTED, proof, result);
}

perp_status perp_nested_beside(perp_run *run, const perp_options *o, bool judged, double *z,
                               perp_result *result)
{
    nesting how = judged ? BESIDE : BESIDE_UNJUDGED;
    return nest_and_prove(run, run->problem, o, z, how, NULL, result);
}

perp_status perp_nested(perp_run *run, const perp_problem *p, const perp_options *o, double *z,
                        perp_result *result)
{
    return nest_and_prove(run, p, o, z, COUNTED, NULL, result);
}
