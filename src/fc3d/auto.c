/* fc3d/auto.c: chooses solvers by the structure of the problem and by their progress.
 *
 * Loose and easy problems belong to sweeps, tight and degenerate ones to factorisations. Starts
 * with fc3d/nncg in stages, each twice as long as the last, and watches the slope of the certified
 * residual: where it promises more sweeps than factorisations would cost, or there is none,
 * it solves the convex relaxation in the space of velocities, by cone/ipm, where the problem is in
 * body form: that is what piles at rest need; where it fails the sweeps go on while they promise
 * more than factorisations; else or then fc3d/newton has a few steps from the best iterate if that
 * is near a solution; then fc3d/prox; in body form the smooth and the delayed path of cone/ipm,
 * whose steps cost less than those of fc3d/prox on most piles, and which end near a solution of
 * most that move (docs/piles.md);
 * interior points, which take few steps or none that help; fc3d/prox again; fc3d/admm from nothing,
 * for where it began matters on large piles; both again for long, and last the sweeps. A solver
 * that refuses the problem is not asked again, and the others are: fc3d/cpg, which reads no
 * diagonal blocks, follows where the sweeps refuse a negative W_NN. Where the plan (core/chain.h)
 * ends unsolved fc3d/nsgs sweeps beside it: under an iteration limit z is never worse than that of
 * fc3d/nsgs with the same limit. Decides by sizes, iterations and residuals, never by the clock. */
#include "as_cone.h"
#include "base/format.h"
#include "contact.h"
#include "core/chain.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "core/opened.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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
#define RELAX_STEPS 25    /* interior points on the convex relaxation: 7 to 12 where it is exact */
#define RELAXED 0.5       /* of the tolerance: the rest is for what the relaxation changes */
#define RELAX_COST 150    /* sweeps that the relaxation costs */
#define SMOOTH_STEPS 60   /* the smooth path, with s > 0: those that end do so in 20 to 60 */
#define DELAYED_STEPS 300 /* the delayed path: packings of 200 to 400 spheres take 80 to 240 */
#define PATH_END 1e-6     /* residual where a path ends: below it rounding stops it */
#define PATH_FINISH 40    /* steps of fc3d/prox from there: 1 to 30 where it is near */
#define PATH_ALPHA 1e-3   /* their first parameter: small, because they begin near */
#define CPG_STEPS 10000   /* products with W: chains take 5 to 16 */

/* ---- sweeps, as long as they are the cheaper way ---- */

/* Is the space of velocities not much larger than that of contacts? */
static bool has_bodies(const perp_chain *c)
{
    const perp_fc3d *f = &c->run->problem->as.fc3d;
    return f->form == PERP_FORM_BODY && 6.0 * f->contacts >= f->M.n && perp_has_entries(&f->M);
}

/* Sweeps until the tolerance, if the residual goes on falling as it did from `before` to `now` in
 * the last `made`. */
static double foresee(double before, double now, double tol, int made)
{
    if (!(now < before)) return INFINITY;
    return made * log(now / tol) / log(before / now);
}

/* Stages of sweeps, the first of as many as the step says, while they are the cheaper way than so
 * many Newton steps. */
static perp_chain_outcome sweep_in_stages(perp_chain *c, const perp_chain_step *s, int steps,
                                          bool relaxes)
{
    double unknowns = 3.0 * c->run->problem->as.fc3d.contacts, before = INFINITY;
    double step = STEP_SWEEPS * unknowns > STEP_LEAST ? STEP_SWEEPS * unknowns : STEP_LEAST;
    double most = steps * step;
    if (relaxes && most > RELAX_COST) most = RELAX_COST;
    perp_chain_step stage = *s;
    for (;; stage.iterations *= 2) {
        if (perp_chain_try(c, &stage)) return PERP_CHAIN_END;
        double now = perp_chain_residual(c);
        if (c->last.status != PERP_MAX_ITER || stage.iterations > INT_MAX / 2) break;
        double more =
            before < INFINITY ? foresee(before, now, c->run->options->tol, stage.iterations) : 0;
        bool far = now >= NEAR && stage.iterations < FAR_STAGE && !relaxes;
        if (more > most && !far) break;
        before = now;
    }
    return PERP_CHAIN_NEXT;
}

static perp_chain_outcome sweep_cold(perp_chain *c, const perp_chain_step *s)
{
    return sweep_in_stages(c, s, NEWTON_STEPS, has_bodies(c));
}

/* Before the relaxation sweeps may cost no more than that; what it has not ended may still be for
 * them, from the better of its iterate and theirs. */
static perp_chain_outcome sweep_again(perp_chain *c, const perp_chain_step *s)
{
    return sweep_in_stages(c, s, NEWTON_STEPS, false);
}

static perp_chain_outcome sweep_warm(perp_chain *c, const perp_chain_step *s)
{
    return sweep_in_stages(c, s, WARM_STEPS, has_bodies(c));
}

/* ---- interior points in the space of velocities ---- */

/* cone/ipm on the problem with s = part mu; its answer is certified on Coulomb's law. */
static perp_chain_outcome solve_cone(perp_chain *c, double part, perp_cone_ipm_options *o)
{
    perp_run *run = c->run;
    perp_mark mark = perp_arena_mark(run->arena);
    perp_problem cone;
    o->finish = 0;
    if (!perp_fc3d_as_cone(run, part, &cone)) {
        perp_arena_release(run->arena, mark);
        return PERP_CHAIN_NEXT;
    }
    perp_nested(run, &cone, &o->base, c->z, &c->last);
    perp_opened_release(run->arena, mark); /* what cone/ipm converted stays for the next */
    return perp_chain_certify(c, "cone/ipm");
}

/* What `make` does; z is as before where that leads to nothing better. */
static perp_chain_outcome keep_better(perp_chain *c, const perp_chain_step *s,
                                      perp_chain_outcome (*make)(perp_chain *,
                                                                 const perp_chain_step *))
{
    size_t n = (size_t)perp_chain_size(c);
    perp_mark mark = perp_arena_mark(c->run->arena);
    double *z = PERP_ALLOC(c->run, double, n);
    perp_residual before = c->last.residual;
    bool begun = c->begun;
    if (!z) return PERP_CHAIN_NEXT;
    memcpy(z, c->z, n * sizeof *z);
    perp_chain_outcome next = make(c, s);
    if (next == PERP_CHAIN_NEXT && begun && !(c->last.residual.value < before.value)) {
        memcpy(c->z, z, n * sizeof *z);
        c->last.residual = before;
    }
    perp_opened_release(c->run->arena, mark);
    return next;
}

static perp_chain_outcome try_relaxation(perp_chain *c, const perp_chain_step *s)
{
    perp_cone_ipm_options o = perp_cone_ipm;
    o.base.tol = RELAXED * c->run->options->tol;
    o.base.max_iter = s->iterations;
    return solve_cone(c, 0, &o);
}

/* The convex relaxation, s = 0. Where the load can be balanced by forces inside the cones, as in
 * piles at rest, its solution solves Coulomb's law too. */
static perp_chain_outcome relax(perp_chain *c, const perp_chain_step *s)
{
    return keep_better(c, s, try_relaxation);
}

static void finish_path(perp_options *o)
{
    ((perp_fc3d_prox_options *)o)->sweeps = 0;
    ((perp_fc3d_prox_options *)o)->alpha = PATH_ALPHA;
}

/* A path of cone/ipm to Coulomb's law itself, and fc3d/prox from where it ends: the system in
 * velocities has a floor of rounding, which a few proximal steps do not have. */
static perp_chain_outcome follow(perp_chain *c, const perp_chain_step *s, perp_interior_path path)
{
    static const perp_chain_step finish = {
        .options = &perp_fc3d_prox.base, .adjust = finish_path, .iterations = PATH_FINISH};
    perp_cone_ipm_options o = perp_cone_ipm;
    o.base.tol = fmax(PATH_END, c->run->options->tol);
    o.base.max_iter = s->iterations;
    o.path = path;
    perp_chain_outcome next = solve_cone(c, 1, &o);
    if (perp_is_sizing(c->run) || (next == PERP_CHAIN_NEXT && c->last.residual.value < NEAR))
        next = perp_chain_try(c, &finish);
    return next;
}

static perp_chain_outcome try_smooth(perp_chain *c, const perp_chain_step *s)
{
    return follow(c, s, PERP_INTERIOR_PATH_NEWTON);
}

static perp_chain_outcome follow_smooth(perp_chain *c, const perp_chain_step *s)
{
    return keep_better(c, s, try_smooth);
}

static perp_chain_outcome try_delayed(perp_chain *c, const perp_chain_step *s)
{
    return follow(c, s, PERP_INTERIOR_PATH_DELAYED);
}

static perp_chain_outcome follow_delayed(perp_chain *c, const perp_chain_step *s)
{
    return keep_better(c, s, try_delayed);
}

/* ---- the plans ---- */

static void sweep_no_more(perp_options *o)
{
    ((perp_fc3d_prox_options *)o)->sweeps = 0;
}

static bool is_warm(const perp_chain *c)
{
    return c->run->options->warm_start;
}

static bool is_near(const perp_chain *c)
{
    return perp_chain_residual(c) < NEAR;
}

static bool is_warm_and_near(const perp_chain *c)
{
    return is_warm(c) && is_near(c);
}

static bool has_refused_sweeps(const perp_chain *c)
{
    return perp_chain_has_refused(c, &perp_fc3d_nncg.base);
}

/* From a good start a few Newton steps are all it takes. */
static const perp_chain_step steps[] = {
    {.options = &perp_fc3d_nncg.base, .iterations = WARM_STAGE, .run = sweep_warm, .fits = is_warm},
    {.options = &perp_fc3d_newton.base, .iterations = WARM_MOST, .when = is_warm_and_near},
    {.options = &perp_fc3d_nncg.base, .iterations = FIRST_STAGE, .run = sweep_cold},
    {.options = &perp_fc3d_cpg.base, .iterations = CPG_STEPS, .when = has_refused_sweeps},
    {.options = &perp_cone_ipm.base, .iterations = RELAX_STEPS, .run = relax, .fits = has_bodies},
    {.options = &perp_fc3d_nncg.base,
     .iterations = FIRST_STAGE,
     .run = sweep_again,
     .fits = has_bodies},
    {.options = &perp_fc3d_newton.base, .iterations = NEWTON_MOST, .when = is_near},
    {.options = &perp_fc3d_prox.base, .adjust = sweep_no_more, .iterations = PROX_BRIEF},
    {.options = &perp_cone_ipm.base,
     .iterations = SMOOTH_STEPS,
     .run = follow_smooth,
     .fits = has_bodies},
    {.options = &perp_cone_ipm.base,
     .iterations = DELAYED_STEPS,
     .run = follow_delayed,
     .fits = has_bodies},
    {.options = &perp_fc3d_ipm.base, .iterations = IPM_FIRST},
    {.options = &perp_fc3d_prox.base, .adjust = sweep_no_more, .iterations = PROX_FIRST},
    {.options = &perp_fc3d_admm.base, .iterations = ADMM_STEPS, .from = PERP_FROM_ZERO},
    {.options = &perp_fc3d_prox.base, .adjust = sweep_no_more, .iterations = PROX_STEPS},
    {.options = &perp_fc3d_ipm.base, .iterations = IPM_STEPS},
    {.options = &perp_fc3d_nncg.base, .iterations = INT_MAX},
    {.options = &perp_fc3d_cpg.base, .iterations = INT_MAX, .when = has_refused_sweeps},
    {0},
};

/* All that can be done where W is known by its products alone. */
static const perp_chain_step operator_steps[] = {
    {.options = &perp_fc3d_cpg.base, .iterations = INT_MAX},
    {0},
};

static const perp_chain_plan plan = {
    .steps = steps, .sweeps = &perp_fc3d_nsgs.base, .rule = PERP_SWEEPS_LAST};
static const perp_chain_plan operator_plan = {.steps = operator_steps};

static perp_status solve(perp_run *run, double *z)
{
    perp_chain c = {.run = run, .z = z};
    const perp_fc3d *f = &run->problem->as.fc3d;
    bool by_products = f->form == PERP_FORM_LOCAL && f->W.format == PERP_FORMAT_OPERATOR;
    return perp_chain_run(&c, by_products ? &operator_plan : &plan);
}

/* ---- one contact ---- */

/* Its block, by columns; false: W is not given by entries, or has none. */
static bool read_block(const perp_matrix *W, double block[9])
{
    if (W->format == PERP_FORMAT_BSR3 && W->as.bsr3.p[1] == 1) {
        memcpy(block, W->as.bsr3.x, 9 * sizeof *block);
        return true;
    }
    if (W->format != PERP_FORMAT_DENSE) return false;
    size_t ld = (size_t)W->as.dense.ld;
    for (size_t j = 0; j < 3; j++) memcpy(block + 3 * j, W->as.dense.x + j * ld, 3 * sizeof *block);
    return true;
}

static int solve_contact(const perp_run *run, double *z)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    double W[9];
    perp_contact_block block;
    if (f->form != PERP_FORM_LOCAL || f->contacts != 1 || !read_block(&f->W, W)) return 0;
    if (!perp_contact_prepare(W, f->mu[0], &block)) return 0;
    z[0] = z[1] = z[2] = 0;
    perp_contact_solve(W, &block, f->q, z);
    return 1;
}

static const perp_solver solver = {
    .name = "fc3d/auto",
    .about = "sweeps, then factorisations, by the slope of the residual",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3 | PERP_FORMAT_OPERATOR,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
    .at_once = solve_contact,
};

const perp_plain_options perp_fc3d_auto = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
};
