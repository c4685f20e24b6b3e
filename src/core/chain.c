/* core/chain.c: follows the plan of an auto solver; chain.h has the rules. */
#include "chain.h"

#include "base/system.h"
#include "driver.h"
#include "opened.h"
#include "outcome.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what functions of a plan ask ---- */

int perp_chain_size(const perp_chain *c)
{
    return perp_size(c->run->problem);
}

double perp_chain_residual(const perp_chain *c)
{
    return perp_judge_of(c->run->driver)->best_residual.value;
}

bool perp_chain_has_refused(const perp_chain *c, const perp_options *o)
{
    for (int k = 0; k < c->refusals; k++) {
        if (c->refused[k].options->solver == o->solver) return true;
    }
    return false;
}

/* ---- ends ---- */

static void count_try(perp_chain *c, const char *name)
{
    for (int k = 0; k < c->tries; k++) {
        if (strcmp(c->tried[k], name) == 0) return;
    }
    if (c->tries < PERP_CHAIN_SOLVERS) c->tried[c->tries++] = name;
}

/* Has a solver ended at a call of a library that would take longer than what is left? Others need
 * none. */
static bool has_time_left(const perp_chain *c)
{
    return c->last.status == PERP_MAX_SECONDS && perp_now() < c->run->driver->deadline;
}

/* Is there no point in trying another solver? */
static bool is_final(const perp_chain *c)
{
    perp_status s = c->last.status;
    if (has_time_left(c) && perp_budget(c->run) > 0) return false;
    return perp_status_rank(s) == PERP_RANK_FINAL || s == PERP_E_ARGUMENT ||
           perp_budget(c->run) <= 0 || c->run->driver->sizing;
}

perp_chain_outcome perp_chain_note(perp_chain *c, const char *name)
{
    perp_status s = c->last.status;
    if (s >= 0) {
        count_try(c, name);
        c->begun = true;
    } else if (!c->refusal[0]) {
        snprintf(c->refusal, sizeof c->refusal, "%s refused: %s", name, c->last.detail);
    }
    if (s == PERP_E_ARGUMENT || perp_status_rank(s) >= perp_status_rank(c->best.status)) {
        c->best = c->last;
    }
    return is_final(c) ? PERP_CHAIN_END : PERP_CHAIN_NEXT;
}

/* Did the run end because its residual had not fallen for long? That is no reason for the next
 * step. */
static bool has_stood_still(const perp_chain *c)
{
    return c->run->status == PERP_STALLED && !perp_judge_of(c->run->driver)->at_floor;
}

perp_chain_outcome perp_chain_certify(perp_chain *c, const char *name)
{
    perp_status s = c->last.status;
    if (s < 0 || s == PERP_CANCELLED || s == PERP_MAX_SECONDS) return perp_chain_note(c, name);
    if (!perp_continue(c->run, c->z, c->last.residual.value)) {
        c->last.status = c->run->status;
        perp_chain_outcome next = perp_chain_note(c, name);
        return has_stood_still(c) ? next : PERP_CHAIN_END;
    }
    /* What it says of the other problem has not been shown for this one. */
    if (perp_status_rank(s) > perp_status_rank(PERP_UNCERTIFIED)) {
        c->last.status = PERP_UNCERTIFIED;
    }
    return perp_chain_note(c, name);
}

/* ---- one step ---- */

static int budget(const perp_chain_step *s, int n)
{
    if (s->iterations == 0 && s->per_row == 0) return s->options->max_iter;
    double all = s->iterations + (double)s->per_row * n;
    return all < INT_MAX ? (int)all : INT_MAX;
}

static bool set_start(perp_chain *c, perp_chain_start from)
{
    bool warm = c->run->options->warm_start;
    size_t n = (size_t)perp_chain_size(c);
    if (from == PERP_FROM_ZERO) return false;
    if (from == PERP_FROM_BEST) return warm || c->begun;
    if (n > 0) memcpy(c->z, c->given, n * sizeof *c->z);
    return warm;
}

/* The options of the step as an object in the arena; NULL: there is no room. */
static perp_options *copy_options(perp_chain *c, const perp_chain_step *s)
{
    size_t size = s->options->solver->options_size;
    perp_options *o = perp_alloc(c->run->arena, 1, size);
    if (!o) return NULL;
    memcpy(o, s->options, size);
    if (s->adjust) s->adjust(o);
    o->tol = c->run->options->tol;
    o->threads = c->run->options->threads;
    o->max_iter = budget(s, perp_chain_size(c));
    return o;
}

static void note_refusal(perp_chain *c, const perp_chain_step *s)
{
    if (c->refusals == PERP_CHAIN_SOLVERS) return;
    c->refused[c->refusals++] = (struct perp_chain_refusal){s->options, s->adjust, s->from};
}

perp_chain_outcome perp_chain_try(perp_chain *c, const perp_chain_step *s)
{
    perp_run *run = c->run;
    const char *name = s->options->solver->name;
    perp_mark mark = perp_arena_mark(run->arena);
    perp_options *o = copy_options(c, s);
    if (o) {
        o->warm_start = set_start(c, s->from);
        perp_nested(run, c->problem, o, c->z, &c->last);
    } else {
        c->last = (perp_result){.status = PERP_E_MEMORY, .solver = name};
        snprintf(c->last.detail, sizeof c->last.detail, "the arena has no room for options of %s",
                 name);
    }
    perp_opened_release(run->arena, mark); /* what the solver opened stays for the next */
    if (c->last.status < 0) note_refusal(c, s);
    return c->problem == run->problem ? perp_chain_note(c, name) : perp_chain_certify(c, name);
}

static bool would_repeat(const perp_chain *c, const perp_chain_step *s)
{
    for (int k = 0; k < c->refusals; k++) {
        const struct perp_chain_refusal *r = &c->refused[k];
        if (r->options == s->options && r->adjust == s->adjust && r->from == s->from) return true;
    }
    return false;
}

static bool is_due(perp_chain *c, const perp_chain_step *s)
{
    if (s->fits && !s->fits(c)) return false;
    if (s->when && !c->run->driver->sizing && !s->when(c)) return false;
    if (!s->options) return true;
    if (!perp_arena_keeps(c->run->arena) && (s->options->solver->flags & PERP_SOLVER_ALLOCATES)) {
        c->left_out = true;
        return false;
    }
    return !would_repeat(c, s);
}

static perp_chain_outcome follow(perp_chain *c, const perp_chain_plan *plan)
{
    for (const perp_chain_step *s = plan->steps; s->options || s->run; s++) {
        if (!is_due(c, s)) continue;
        perp_chain_outcome next = s->run ? s->run(c, s) : perp_chain_try(c, s);
        if (c->run->driver->sizing) continue; /* every step counts */
        if (next != PERP_CHAIN_NEXT) return next;
        if (plan->settled && plan->settled(c)) return PERP_CHAIN_SAID;
    }
    return PERP_CHAIN_END;
}

/* ---- the end ---- */

/* The status of the plan, the sweeps beside it aside. A solver's share of the iterations is not the
 * limit of the run. */
static perp_status end_plan(perp_chain *c)
{
    perp_run *run = c->run;
    if (c->best.status == PERP_E_FORMAT && !c->best.detail[0]) {
        if (c->left_out) {
            return perp_fail(run, PERP_E_MEMORY,
                             "all solvers for this problem need an arena that may grow");
        }
        return perp_fail(run, PERP_E_FORMAT, "no solver of the plan is for this problem");
    }
    bool share = c->best.status == PERP_MAX_ITER && perp_budget(run) > 0;
    return perp_end_with(run, share ? PERP_STALLED : c->best.status, c->best.detail);
}

/* "; the best residual is 3.2e-05, by lcp/lemke" */
static int print_best(const perp_chain *c, char *text, size_t room)
{
    const perp_driver *judge = perp_judge_of(c->run->driver);
    double best = judge->best_residual.value;
    if (!(best < INFINITY)) return snprintf(text, room, "; no iterate has a residual");
    if (!(best < c->start)) {
        return perp_print(text, room, "; the best residual is %.1e, that of the start", best);
    }
    return perp_print(text, room, "; the best residual is %.1e, by %s", best, judge->best_solver);
}

/* Who got how far. One solver that knows why it ended says more by its own sentence. */
static int print_tries(const perp_chain *c, perp_status end, char *text, size_t room)
{
    const perp_driver *d = c->run->driver;
    int made = d->iterations > d->beside ? d->iterations : d->beside, at;
    if (c->tries == 1 && (end == PERP_MAX_ITER || c->best.status != PERP_MAX_ITER)) {
        return snprintf(text, room, "%s", d->result->detail);
    }
    if (c->tries == 1) {
        at = snprintf(text, room, "%s did not reach the tolerance within %d iteration%s",
                      c->tried[0], made, made == 1 ? "" : "s");
    } else {
        at = snprintf(text, room, "none of %d solvers reached the tolerance within %d iteration%s",
                      c->tries, made, made == 1 ? "" : "s");
    }
    return at + print_best(c, text + at, room - (size_t)at);
}

/* The closing sentence of a run that no solver refused, proved or solved: it names the first
 * refusal where there is room. */
static perp_status say_end(perp_chain *c, perp_status end)
{
    char text[sizeof c->best.detail + sizeof c->refusal + 4];
    if (perp_status_rank(end) != perp_status_rank(PERP_STALLED) || c->tries == 0) return end;
    int at = print_tries(c, end, text, sizeof c->best.detail);
    if (at >= (int)sizeof c->best.detail) at = (int)sizeof c->best.detail - 1;
    if (c->refusal[0]) {
        bool whole = (size_t)at + strlen(c->refusal) + 2 < sizeof c->best.detail;
        if (whole || c->tries == 1)
            snprintf(text + at, sizeof text - (size_t)at, "; %s", c->refusal);
    }
    return perp_end_with(c->run, end, text);
}

/* Where one solver alone has been tried and the sweeps are no better, its own sentence says most.
 */
static void count_sweeps(perp_chain *c, const char *name)
{
    const char *best = perp_judge_of(c->run->driver)->best_solver;
    if (c->tries != 1 || strcmp(best, name) == 0) count_try(c, name);
}

static perp_chain_outcome open_plan(perp_chain *c, const perp_chain_plan *plan, perp_anytime *t,
                                    perp_options *sweeps)
{
    perp_run *run = c->run;
    size_t n = (size_t)perp_chain_size(c);
    if (sweeps) {
        memcpy(sweeps, plan->sweeps, plan->sweeps->solver->options_size);
        if (!perp_anytime_begin(t, run, sweeps, plan->rule, c->z)) return PERP_CHAIN_SAID;
        c->given = t->given;
        return PERP_CHAIN_NEXT;
    }
    double *given = PERP_ALLOC(run, double, n);
    if (plan->sweeps || !given) {
        perp_fail(run, PERP_E_MEMORY, "the arena has no room to start the plan");
        return PERP_CHAIN_SAID;
    }
    if (n > 0) memcpy(given, c->z, n * sizeof *given);
    c->given = given;
    return PERP_CHAIN_NEXT;
}

perp_status perp_chain_run(perp_chain *c, const perp_chain_plan *plan)
{
    perp_run *run = c->run;
    perp_anytime t;
    perp_options *sweeps =
        plan->sweeps ? perp_alloc(run->arena, 1, plan->sweeps->solver->options_size) : NULL;
    if (!c->problem) c->problem = run->problem;
    c->best.status = PERP_E_FORMAT;
    c->start = perp_chain_residual(c);
    if (open_plan(c, plan, &t, sweeps)) return run->status;
    if (follow(c, plan) == PERP_CHAIN_SAID) return run->status;
    perp_status end = end_plan(c);
    if (sweeps) {
        end = perp_anytime_end(&t, c->z);
        if (t.swept) count_sweeps(c, sweeps->solver->name);
    }
    return say_end(c, end);
}
