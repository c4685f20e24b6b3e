/* cone/ipm.c: primal-dual interior points on products of cones.
 * Nesterov and Todd (1998) for the scaling, Mehrotra (1992) for predictor and corrector; Kelley and
 * Keyes (1998) for the delayed path.
 *
 * With s = 0 the problem is a second-order cone program, or its monotone relative, and the path
 * leads to a solution: 7 to 12 factorisations, whatever the size. With s > 0 the term of de Saxce
 * is smooth (method/cone_interior.h). Newton's method on it solves many of these; where its steps
 * become short, which they do before a turning point of the path, the term follows with a delay
 * instead, and the barrier waits until it is there. A factorisation an iteration, in the space of
 * velocities where the problem is in body form (interior.h). No start is used. Memory: that of the
 * factors and 20 numbers a row. */
#include "interior.h"

#include "core/defaults.h"
#include "core/internal.h"
#include "perp/solvers.h"

#include <math.h>

#define NEAR 0.99         /* of the way to the boundary */
#define NEAR_DELAYED 0.95 /* the same with a delay */
#define SHORT 0.1         /* a shorter predictor asks for centring, ... */
#define CENTRING 0.3      /* ... at least this */
#define LITTLE 0.01       /* a shorter step is no progress, ... */
#define SHORT_STEPS 5     /* ... nor are so many of them in a row */
#define LEAST 1e-16       /* of the first barrier: below it rounding is all there is */
#define NEWTON_STEPS 60   /* with s > 0, before the delayed path */
#define DELAY_SHORT 0.3   /* a shorter step halves the time step of the delayed path */
#define DELAY_WORSE 2.0   /* so does a delay that has grown so much, ... */
#define DELAY_FINE 1.3    /* ... and at most this doubles it */
#define FINISH_STEPS 40   /* of cone/prox */
#define FINISH_FROM 1e-2  /* residual of a path that is stuck, below which they have a try */
#define FINISH_AGAIN 0.1  /* of the residual at which they failed: then once more */
#define TIME_LEAST 1e-2
#define TIME_MOST 1e6

typedef struct path {
    perp_cone_interior c;
    perp_interior t;
    bool delayed, lags; /* which path; has the problem s > 0? */
    int steps, short_steps;
    double step, time, before, target; /* delayed: the last delay, and the barrier to hold */
} path;

static void begin(path *p, bool delayed)
{
    p->delayed = p->t.lags = delayed;
    p->steps = p->short_steps = 0;
    p->step = p->time = 1;
    p->before = -1;
    perp_interior_start(&p->t, p->c.force, p->c.velocity);
    p->target = p->t.m1;
}

/* Mehrotra's predictor and corrector; the corrector, which is made for long steps, may be the
 * shorter way: then without it. The length of the step; 0: none. */
static double advance_newton(path *p)
{
    perp_interior *t = &p->t;
    if (!perp_interior_factor(t, 1) || !perp_interior_direct(t, 0, false)) return 0;
    double step = fmin(1, perp_interior_room(t)), left = perp_interior_foresee(t, step);
    double sigma = left > 0 ? left * left * left : SHORT;
    if (!(sigma < 1)) sigma = 1;
    if (step < SHORT && sigma < CENTRING) sigma = CENTRING;
    perp_interior_correct(t);
    if (!perp_interior_direct(t, sigma, true)) return 0;
    step = fmin(1, NEAR * perp_interior_room(t));
    if (step < SHORT) {
        if (!perp_interior_direct(t, sigma, false)) return 0;
        step = fmin(1, NEAR * perp_interior_room(t));
    }
    return step;
}

/* kappa of the next step, from how the delay and the last step went. */
static double find_kappa(path *p)
{
    if (p->before >= 0) {
        bool worse = p->t.delay > DELAY_WORSE * p->before;
        if (p->step < DELAY_SHORT || worse)
            p->time *= 0.5;
        else if (p->t.delay <= DELAY_FINE * p->before)
            p->time *= 2;
        p->time = fmin(fmax(p->time, TIME_LEAST), TIME_MOST);
    }
    p->before = p->t.delay;
    return p->time / (1 + p->time);
}

/* The barrier falls only where the term has come close to what it follows. */
static double advance_delayed(path *p)
{
    perp_interior *t = &p->t;
    double kappa = find_kappa(p);
    if (!perp_interior_factor(t, kappa)) return 0;
    bool ready = t->delay < 1 && t->centrality > 0.05 && t->gap < 1;
    if (!ready) {
        double sigma = fmin(p->target / t->mean, 3);
        if (!perp_interior_direct(t, sigma, false)) return 0;
        return fmin(1, NEAR_DELAYED * perp_interior_room(t));
    }
    if (!perp_interior_direct(t, 0, false)) return 0;
    double left = perp_interior_foresee(t, fmin(1, perp_interior_room(t)));
    double sigma = fmin(fmax(left > 0 ? left * left : 0, kappa < 0.95 ? 0.2 : 0.01), 1);
    p->target = sigma * t->mean;
    perp_interior_correct(t);
    if (!perp_interior_direct(t, sigma, true)) return 0;
    double with = perp_interior_room(t);
    if (!perp_interior_direct(t, sigma, false)) return 0;
    double without = perp_interior_room(t);
    if (with >= without && !perp_interior_direct(t, sigma, true)) return 0;
    return fmin(1, NEAR_DELAYED * fmax(with, without));
}

/* One step. False: this path leads no further. */
static bool advance(path *p)
{
    p->step = p->delayed ? advance_delayed(p) : advance_newton(p);
    if (!(p->step > 0)) return false; /* NaN too */
    perp_interior_advance(&p->t, p->step);
    p->steps++;
    p->short_steps = p->step < LITTLE ? p->short_steps + 1 : 0;
    bool stuck = p->short_steps >= SHORT_STEPS * (p->delayed ? 4 : 1);
    bool late = !p->delayed && p->lags && p->steps >= NEWTON_STEPS;
    return !stuck && !late;
}

/* Close to a solution, or where rounding leaves no more room inside the cones, proximal points are
 * the shorter way: cone/prox from z. */
static perp_status finish(perp_run *run, double *z)
{
    perp_plain_options o = perp_cone_prox;
    o.base.tol = run->options->tol;
    o.base.max_iter = FINISH_STEPS;
    o.base.warm_start = true;
    return perp_nested(run, run->problem, &o.base, z, NULL);
}

/* Is the run at its end by this status of a nested solve? */
static bool is_end(perp_run *run, perp_status status)
{
    if (status != PERP_SOLVED && status != PERP_CANCELLED && status != PERP_MAX_SECONDS)
        return perp_budget(run) <= 0;
    return true;
}

static perp_status follow(perp_run *run, path *p, double *z)
{
    const perp_cone_ipm_options *o = (const perp_cone_ipm_options *)run->options;
    double goal = p->lags ? o->finish : 0; /* a convex path needs no help before it ends */
    begin(p, p->lags && o->path == PERP_INTERIOR_PATH_DELAYED);
    for (;;) {
        perp_interior_measure(&p->t);
        double estimate = p->c.show(p->c.e.ctx, &p->t, z);
        if (!perp_continue(run, z, estimate)) return run->status;
        bool ends = p->t.parts > 0 && !(p->t.mean > LEAST * p->t.m1);
        bool stuck = ends || !advance(p);
        if (run->arena->failed) return PERP_E_MEMORY;
        if (o->finish > 0 && (estimate <= goal || (stuck && estimate < FINISH_FROM))) {
            perp_status status = finish(run, z);
            if (is_end(run, status)) return status;
            goal = FINISH_AGAIN * estimate;
        }
        if (!stuck) continue;
        if (p->delayed || !p->lags || o->path == PERP_INTERIOR_PATH_NEWTON) break;
        begin(p, true);
    }
    return perp_fail(run, PERP_STALLED, "the steps to the boundary of the cones are too short");
}

static perp_status ipm(perp_run *run, double *z)
{
    path p = {0};
    bool body = run->problem->as.cone.form == PERP_FORM_BODY;
    perp_status status =
        body ? perp_cone_interior_body(run, &p.c) : perp_cone_interior_local(run, z, &p.c);
    if (status) return status;
    if (!perp_interior_open(&p.t, run->arena, p.c.set, &p.c.e)) return PERP_E_MEMORY;
    if (perp_is_sizing(run)) return finish(run, z); /* which counts */
    for (int k = 0; k < p.t.parts; k++) p.lags |= p.t.part[k].s > 0;
    return follow(run, &p, z);
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_cone_ipm_options, path, PERP_INTERIOR_PATHS,
                       "with s > 0: Newton's method, with a delay where that fails, or one alone"),
    PERP_OPTION(
        perp_cone_ipm_options, finish, 0, 1,
        "residual from which steps of cone/prox finish with s > 0; for all when stuck; 0: never"),
    {0},
};

static const perp_solver solver = {
    .name = "cone/ipm",
    .about = "primal-dual interior points, also in body space (Nesterov, Todd 1998; Mehrotra 1992)",
    .kind = PERP_KIND_CONE,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC, PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_CHEAP_CERTIFICATE |
             PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_cone_ipm_options),
    .options = options,
    .solve = ipm,
    .room = perp_room_none,
};

const perp_cone_ipm_options perp_cone_ipm = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000, .threads = 1},
    .finish = 1e-4,
};
