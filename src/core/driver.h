/* core/driver.h: one level of a solve, as the driver sees it: who is judged, how, and what was
 * best. */
#ifndef PERP_DRIVER_H
#define PERP_DRIVER_H

#include "base/system.h"
#include "base/watch.h"
#include "internal.h"

/* A nested solve of the parent's own problem is `shared`: the parent judges its iterates and keeps
 * the best. Every other level judges for itself. */
typedef struct perp_driver {
    struct perp_driver *parent;
    bool shared;
    bool sizing; /* perp_bytes counts: the solver is stopped before its first iteration (bytes.c) */
    bool easier; /* sizing: the problem is that of a feasible point, which needs no other */
    bool
        unjudged; /* shared, but no iterate is certified or shown, z ends as the solver leaves it */
    perp_problem problem; /* completed; what this level is judged on */
    const perp_kind_ops *ops;
    perp_scales scale;
    int size; /* of problem */
    const perp_options *options;
    perp_arena *arena;
    perp_result *result;

    perp_lift lift; /* lift.problem is what the solver sees */
    perp_mark mark; /* where the solver's memory begins */
    double *down;   /* z of a lifted problem, brought back */

    double start, began; /* monotonic seconds: of this level, of the first */
    double deadline;     /* INFINITY: none */
    bool (*monitor)(void *ctx, const perp_progress *progress);
    void *monitor_ctx;
    bool cancelled;
    perp_status interrupted;          /* the watch stopped a factorisation: why; 0: it did not */
    const perp_watch *above;          /* the watch of the level above; NULL: there is none */
    perp_call call;                   /* of a library, the last one; no name: none was made */
    double shown;                     /* when the monitor was last asked */
    int max_iter, iterations, before; /* before: iterations of the levels above */
    int beside; /* certified iterations that were made beside these: perp_nested_beside */
    int told;   /* the iteration that the monitor knows of already: it is told of no lower one */

    const perp_model *model;   /* what the solver solves instead; NULL: the problem itself */
    double *best, *best_slack; /* the best certified iterate so far */
    double best_rank;          /* its residual: on the model where there is one */
    double *slack;             /* scratch of a certificate; changes places with best_slack */
    double *proof;             /* room for a ray, infeasible or unbounded vector */
    perp_residual best_residual;
    bool latest; /* it is the last iterate that was certified */
    const char *best_solver;
    perp_error start_fault; /* F is undefined at the start: what a run that gets stuck says */
    bool starved;           /* a certificate found no memory */
    bool at_floor;          /* the rounding of z alone leaves more than tol: no solver gets on */
    int next_floor;         /* certificates until that is looked at again, doubled each time */
    bool fresh;             /* z was certified when the solver last let go of it */

    double claim;         /* an estimate this low is worth a certificate */
    double last_estimate; /* at the last certificate */
    double *kept;         /* of the iterates not certified the one with the lowest estimate */
    double kept_estimate; /* INFINITY: none yet */
    int next, gap;        /* next iteration that may certify, and the spacing after it */
    double progress;      /* lowest estimate so far, and when it fell */
    int progress_at;
} perp_driver;

/* ---- the closing sentence (closing.c) ---- */

/* Of result->detail, from what the solver left there; status, solver and residual are set. */
void perp_say_end(perp_driver *d, perp_status status);

/* ---- one level (solve.c) ---- */

/* Refuses what perp_solve refuses, makes z finite, and takes the kind's auto where *o is NULL.
 * `trusted`: the problem has been validated before. */
perp_status perp_prepare(const perp_problem *p, const perp_options **o, perp_arena *a, double *z,
                         bool trusted, perp_result *result);
/* Lift and convert d->problem to what the solver reads. */
perp_status perp_fit(perp_driver *d, perp_error *e);
/* The vectors of the level. */
perp_status perp_allocate(perp_driver *d);
/* In place of a solve: count on d->arena what it needs, and end as at a limit (bytes.c). */
perp_status perp_size_level(perp_driver *d, double *z);

#define PERP_NEAR 1e3 /* times tol: a residual that may be held up by the rounding of its sums */

/* The level that judges, and z brought to it. */
perp_driver *perp_judge_of(perp_driver *d);
/* Certify z of the solver's problem; keep it when it is the best. Returns the scaled residual, on
 * the solver's model where it has one. */
double perp_judge(perp_driver *d, const char *solver, const double *z);
/* The same for z of this level's own problem, an iterate of the level `from`; this level is not
 * shared. */
double perp_judge_at(perp_driver *d, const perp_driver *from, const char *solver, const double *z);
/* The residual of the judge's best iterate on the model of d, NAN: it has none. */
double perp_model_residual(perp_driver *d);
/* The best iterate in pairs of numbers, where its plain sums left it near the tolerance; this level
 * is not shared. */
void perp_judge_closely(perp_driver *d);
/* Newton's steps from the best iterate, which is solved, where F is a callback (refine.c); this
 * level is not shared. */
void perp_refine(perp_driver *d);
void perp_refine_room(perp_driver *d); /* counts what that takes, for perp_bytes */
/* So many iterations have been made beside those of d. */
void perp_count_beside(perp_driver *d, int iterations);
void perp_start_progress(perp_driver *d);
/* perp_fail with a text as it is: an auto that succeeds ends so, with an empty one. */
perp_status perp_end_with(perp_run *run, perp_status status, const char *text);
/* While the solver of run runs, long computations ask here whether to stop (base/watch.h); false:
 * there is no limit, and nothing to ask. */
/* Do some products with the problem's matrices take longer than 20 ms? */
bool perp_takes_long(perp_driver *d);
bool perp_watch_run(perp_run *run, perp_watch *watch);

/* Has the solver's at_once a solution that the certificate accepts? It is the best iterate then. */
bool perp_solve_at_once(perp_driver *d, const perp_run *run);

#endif
