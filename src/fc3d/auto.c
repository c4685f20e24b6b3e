/* fc3d/auto.c: chooses solvers by the structure of the problem and by their progress.
 *
 * Loose and easy problems belong to sweeps, tight and degenerate ones to factorisations. Starts
 * with fc3d/nncg in stages, each twice as long as the last, and watches the slope of the certified
 * residual: where it promises more sweeps than factorisations would cost, or there is none,
 * fc3d/newton has a few steps from the best iterate if that is near a solution; then fc3d/prox;
 * interior points, which take few steps or none that help; fc3d/prox again; fc3d/admm from nothing,
 * for where it began matters on large piles; both again for long, and last the sweeps. A solver
 * that refuses the problem is not asked again, and the others are: fc3d/cpg, which reads no
 * diagonal blocks, follows where the sweeps refuse a singular one. Decides by sizes, iterations and
 * residuals, never by the clock.
 *
 * An honest end of one solver is reported before a refusal by another, which its sentence then
 * names; of several refusals a want of memory, which hides what might have been. */
#include "perp/solver.h"
#include "perp/solvers.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

#define FIRST_STAGE 25   /* sweeps */
#define FAR_STAGE 100    /* a shorter one does not end sweeps where Newton has no try */
#define NEWTON_STEPS 10  /* that a solution is expected to take */
#define NEWTON_MOST 15   /* allowed */
#define NEAR 1e-2        /* residual below which plain Newton has a try */
#define WARM_STAGE 5     /* sweeps, from a warm start */
#define WARM_STEPS 2     /* expected then */
#define WARM_MOST 10     /* allowed */
#define STEP_SWEEPS 0.02 /* sweeps that a Newton step costs, an unknown */
#define STEP_LEAST 10    /* and at least */
#define PROX_BRIEF 40    /* steps, before interior points have a try */
#define PROX_FIRST 200   /* steps, before alternating directions have one */
#define ADMM_STEPS 1500  /* iterations: a pair of solves each */
#define PROX_STEPS 10000 /* hard problems take some thousands */
#define IPM_FIRST 130    /* those that end well take 10 to 130 */
#define IPM_STEPS 500
#define CPG_STEPS 10000 /* products with W: chains take 5 to 16 */

#define SOLVERS 6 /* different ones in the chain */

typedef struct chain {
    perp_run *run;
    double *z;
    perp_result last;                           /* of the last solver */
    perp_result best;                           /* the most telling end so far */
    const struct perp_solver *refused[SOLVERS]; /* those that refused the problem, in order */
    int refusals;
    perp_result refusal; /* the first of them */
} chain;

/* Is there no point in trying another solver? */
static bool is_final(const chain *c)
{
    switch (c->last.status) {
    case PERP_SOLVED:
    case PERP_MAX_SECONDS:
    case PERP_CANCELLED: return true;
    default: return perp_budget(c->run) <= 0;
    }
}

/* Honest ends before refusals, and of these a want of memory first. */
static int rank(perp_status s)
{
    return s >= 0 ? 2 : s == PERP_E_MEMORY;
}

static bool has_refused(const chain *c, const perp_options *o)
{
    for (int k = 0; k < c->refusals; k++) {
        if (c->refused[k] == o->solver) return true;
    }
    return false;
}

static void note_end(chain *c, const perp_options *o)
{
    if (rank(c->last.status) >= rank(c->best.status)) c->best = c->last;
    if (c->last.status >= 0) return;
    if (c->refusals == 0) {
        c->refusal = c->last;
        c->refusal.solver = o->solver->name;
    }
    assert(c->refusals < SOLVERS);
    c->refused[c->refusals++] = o->solver;
}

/* Run one solver, unless it has refused the problem before; true when the chain ends here. */
static bool attempt_from(chain *c, perp_options *o, int max_iter, bool warm)
{
    if (has_refused(c, o)) return false;
    o->tol = c->run->options->tol;
    o->threads = c->run->options->threads;
    o->warm_start = warm;
    o->max_iter = max_iter;
    perp_nested(c->run, c->run->problem, o, c->z, &c->last);
    note_end(c, o);
    return is_final(c);
}

/* z is the start or zero, and later the best iterate. */
static bool attempt(chain *c, perp_options *o, int max_iter)
{
    return attempt_from(c, o, max_iter, true);
}

static bool sweep(chain *c, int max_iter)
{
    perp_nncg_options o = perp_fc3d_nncg;
    return attempt(c, &o.base, max_iter);
}

/* All that can be done where W is known by its products alone, or has singular diagonal blocks. */
static bool conjugate(chain *c, int max_iter)
{
    perp_plain_options o = perp_fc3d_cpg;
    return attempt(c, &o.base, max_iter);
}

static bool newton(chain *c, int max_iter)
{
    perp_fc3d_newton_options o = perp_fc3d_newton;
    if (!(c->last.residual.value < NEAR)) return false;
    return attempt(c, &o.base, max_iter);
}

static bool prox(chain *c, int max_iter)
{
    perp_prox_options o = perp_fc3d_prox;
    o.sweeps = 0;
    return attempt(c, &o.base, max_iter);
}

static bool alternate(chain *c)
{
    perp_admm_options o = perp_fc3d_admm;
    return attempt_from(c, &o.base, ADMM_STEPS, false);
}

static bool interior(chain *c, int max_iter)
{
    perp_ipm_options o = perp_fc3d_ipm;
    return attempt(c, &o.base, max_iter);
}

/* Sweeps until the tolerance, if the residual goes on falling as it did from `before` to `now` in
 * the last `made`. */
static double foresee(double before, double now, double tol, int made)
{
    if (!(now < before)) return INFINITY;
    return made * log(now / tol) / log(before / now);
}

/* Stages of sweeps while they are the cheaper way than so many Newton steps; true when the chain
 * ends here. */
static bool sweep_in_stages(chain *c, int first, int steps)
{
    double unknowns = 3.0 * c->run->problem->as.fc3d.contacts, before = INFINITY;
    double step = STEP_SWEEPS * unknowns > STEP_LEAST ? STEP_SWEEPS * unknowns : STEP_LEAST;
    for (int stage = first;; stage *= 2) {
        if (sweep(c, stage)) return true;
        if (has_refused(c, &perp_fc3d_nncg.base)) return false;
        double now = c->last.residual.value;
        if (c->last.status != PERP_MAX_ITER || stage > INT_MAX / 2) return false;
        double more = before < INFINITY ? foresee(before, now, c->run->options->tol, stage) : 0;
        bool far = now >= NEAR && stage < FAR_STAGE;
        if (more > steps * step && !far) return false;
        before = now;
    }
}

/* From a good start a few Newton steps are all it takes; true when the chain ends here. */
static bool start_warm(chain *c)
{
    return sweep_in_stages(c, WARM_STAGE, WARM_STEPS) || newton(c, WARM_MOST);
}

static perp_status say_end(const chain *c)
{
    perp_status status = c->best.status;
    const char *lost = "", *why = c->best.detail;
    if (status == PERP_MAX_ITER && perp_budget(c->run) > 0) {
        status = PERP_STALLED, lost = "no solver reached the tolerance; ";
    }
    if (status <= 0 || c->refusals == 0) return perp_fail(c->run, status, "%s%s", lost, why);
    return perp_fail(c->run, status, "%s%s; %s refused: %s", lost, why, c->refusal.solver,
                     c->refusal.detail);
}

static perp_status solve(perp_run *run, double *z)
{
    chain c = {.run = run, .z = z, .best.status = PERP_E_ARGUMENT};
    const perp_fc3d *f = &run->problem->as.fc3d;
    if (f->form == PERP_LOCAL && f->W.format == PERP_OPERATOR) {
        conjugate(&c, INT_MAX);
        return say_end(&c);
    }
    bool done = run->options->warm_start && start_warm(&c);
    done = done || sweep_in_stages(&c, FIRST_STAGE, NEWTON_STEPS);
    done = done || (has_refused(&c, &perp_fc3d_nncg.base) && conjugate(&c, CPG_STEPS));
    done = done || newton(&c, NEWTON_MOST);
    done = done || prox(&c, PROX_BRIEF);
    done = done || interior(&c, IPM_FIRST);
    done = done || prox(&c, PROX_FIRST);
    done = done || alternate(&c);
    done = done || prox(&c, PROX_STEPS);
    done = done || interior(&c, IPM_STEPS);
    done = done || sweep(&c, INT_MAX);
    if (!done && has_refused(&c, &perp_fc3d_nncg.base)) conjugate(&c, INT_MAX);
    return say_end(&c);
}

static const perp_solver solver = {
    .name = "fc3d/auto",
    .about = "sweeps, then factorisations, by the slope of the residual",
    .kind = PERP_FC3D,
    .formats = {PERP_DENSE | PERP_CSC | PERP_BSR3 | PERP_OPERATOR,
                PERP_DENSE | PERP_CSC | PERP_BSR3},
    .flags = PERP_READS_BODY | PERP_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
};

const perp_plain_options perp_fc3d_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
};
