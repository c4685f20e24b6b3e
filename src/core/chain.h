/* core/chain.h: the runner of every auto solver. An auto is a plan, and a plan is a table of steps.
 *
 * A step names a solver with its default options, what is changed in them, how many iterations it
 * may make, where it starts, and when it is due; what takes more than one call of a solver is a
 * function. The steps are made in their order until one ends the run:
 * - A solution, a proof that there is none, the clock, the monitor, the iteration limit of the run
 *   and a callback that writes beyond its values end it. Every other end, a refusal and a want of
 *   memory among them, leaves the problem to the next step.
 * - A step that would repeat a refused one (the same solver, options and start) is left out, and on
 *   a fixed arena a step whose solver allocates behind it.
 * - Of several ends the one of the highest rank is reported (outcome.h), of equal ones the last.
 * - Where none is a solution the sentence of the result names who got how far, and who refused.
 * - A plan may name a solver that sweeps beside it (anytime.h): then the answer under any limit is
 *   no worse than that of the sweeps under the same limit.
 * perp_bytes counts every step that fits, whatever its `when` would say.
 * A plan decides by sizes, statuses, iterations and residuals, never by the clock: the same input
 * gives the same bits.
 *
 * Memory: one vector, the options of the step that runs, two vectors for sweeps; and what the
 * greediest solver takes. */
#ifndef PERP_CHAIN_H
#define PERP_CHAIN_H

#include "anytime.h"

typedef struct perp_chain perp_chain;
typedef struct perp_chain_step perp_chain_step;

/* Where a step starts: the best iterate so far; z as the caller gave it, zero on a cold start;
 * zero. */
typedef enum perp_chain_start { PERP_FROM_BEST, PERP_FROM_GIVEN, PERP_FROM_ZERO } perp_chain_start;

/* What follows a step: the next one; nothing but the sweeps, where there are any; nothing at all,
 * because run->status and its sentence are the end. */
typedef enum perp_chain_outcome {
    PERP_CHAIN_NEXT,
    PERP_CHAIN_END,
    PERP_CHAIN_SAID
} perp_chain_outcome;

struct perp_chain_step {
    const perp_options *options; /* defaults of the solver; NULL only with `run` */
    void (*adjust)(perp_options *o);
    int iterations,
        per_row; /* the budget is one plus n times the other; both 0: the solver's own */
    perp_chain_start from;
    bool (*fits)(const perp_chain *c); /* is the problem one for it, by sizes and formats alone? */
    bool (*when)(const perp_chain *c); /* is it due, by what came before it? NULL: always */
    /* Makes the step with the functions below; NULL: perp_chain_try does. */
    perp_chain_outcome (*run)(perp_chain *c, const perp_chain_step *s);
};

typedef struct perp_chain_plan {
    const perp_chain_step *steps; /* a step of neither options nor run ends them */
    const perp_options *sweeps;   /* of the solver that sweeps beside the steps; NULL: none does */
    perp_anytime_rule rule;       /* what the sweeps do under a time limit (anytime.h) */
    /* After each step: can no solver improve z? Then it ends the run by perp_fail. NULL: never. */
    bool (*settled)(perp_chain *c);
} perp_chain_plan;

#define PERP_CHAIN_SOLVERS 16 /* different solvers in a plan at most */

struct perp_chain {
    /* Set before perp_chain_run. */
    perp_run *run;
    double *z;
    const perp_problem *problem; /* that the steps solve: with the z of run->problem, but in another
                                    format; NULL: run->problem */
    const void *ctx;             /* what the functions of a plan share */

    /* Kept by the chain. */
    const double *given; /* z as the run began */
    bool begun;          /* z is an iterate: a solver's, or a start that a step has set */
    perp_result last;    /* the end of the last solver */
    perp_result best;    /* the end to report */
    double start;        /* the residual as the run began */
    const char *tried[PERP_CHAIN_SOLVERS]; /* names of the solvers that did not refuse */
    int tries;
    struct perp_chain_refusal {
        const perp_options *options;
        void (*adjust)(perp_options *o);
        perp_chain_start from;
    } refused[PERP_CHAIN_SOLVERS];
    int refusals;
    char refusal[240]; /* name and sentence of the first */
    bool left_out;     /* a step, because the arena is fixed */
};

/* Follow the plan and return run->status, with its sentence. */
perp_status perp_chain_run(perp_chain *c, const perp_chain_plan *plan);

/* ---- for the functions of a plan ---- */

int perp_chain_size(const perp_chain *c);        /* unknowns */
double perp_chain_residual(const perp_chain *c); /* of the best iterate so far */
bool perp_chain_has_refused(const perp_chain *c, const perp_options *o);
/* Run the solver of a step, with its budget, from its start. */
perp_chain_outcome perp_chain_try(perp_chain *c, const perp_chain_step *s);
/* After a solve of another problem by `name` whose end is c->last, and whose solution is in z:
 * certify z, which takes an iteration, and note the end. */
perp_chain_outcome perp_chain_certify(perp_chain *c, const char *name);
/* After a method `name` of the plan's own, certified by perp_continue, whose end is c->last. */
perp_chain_outcome perp_chain_note(perp_chain *c, const char *name);

#endif
