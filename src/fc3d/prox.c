/* fc3d/prox.c: proximal point iteration around a semismooth Newton method.
 * Rockafellar (1976) for the iteration; for friction Acary, Bremond and Huber (2018), section 5.
 *
 * r_k+1 solves the problem with W + alpha I and q - alpha r_k, which is regular whatever the rank
 * of W, to a part of the error that r_k has, by Newton steps (semismooth_cone.h). alpha falls after
 * a quick success and grows after a slow one or a failure. Starts with some sweeps of fc3d/nncg,
 * which cost less than one step, unless a warm start is better than those make it. An iteration is
 * a Newton step. Memory: that of fc3d/newton. */
#include "semismooth_cone.h"

#include "core/defaults.h"
#include "core/internal.h"
#include "perp/solver.h"

#include <math.h>
#include <string.h>

#define QUICK 10    /* steps: fewer, and alpha may fall */
#define FALL 0.3    /* of alpha after quick successes */
#define GROWTH 4    /* of alpha after a failure */
#define PATIENCE 8  /* successes that a fall waits for, at most */
#define LEAST 1e-14 /* alpha, relative to the mean diagonal of W */
#define MOST 1e3
#define NEAR 1e-2  /* residual of a warm start below which it needs no sweeps */
#define MARGIN 0.3 /* of the tolerance: an inner error below it is never needed */

typedef struct parameter {
    double alpha;
    int need, wait; /* successes that a fall takes now, and those still to come */
    bool fell;      /* just before this solve */
} parameter;

typedef struct iteration {
    perp_contact_matrix b;
    perp_semismooth_cone s;
    double *centre, *best, *v; /* r_k; the best inner iterate; velocities */
    double error, scale;
    int worst;
    bool go;
} iteration;

static perp_contact_map other_map(perp_contact_map map)
{
    return map == PERP_ALART_CURNIER ? PERP_JEAN_MOREAU : PERP_ALART_CURNIER;
}

/* Newton steps from the centre, z on the way; z is the best of them by the inner error. Returns
 * how many. `reached`: to the accuracy wanted. */
static int solve_inner(perp_run *run, iteration *t, double *z, int most, double goal, bool *reached)
{
    size_t bytes = 3 * (size_t)t->b.contacts * sizeof *z;
    double least = INFINITY;
    int k = 0;
    memcpy(t->centre, z, bytes);
    for (*reached = false;; k++) {
        double inner = perp_semismooth_cone_error(&t->s, z, t->v);
        if (inner < least) {
            least = inner;
            memcpy(t->best, z, bytes);
        }
        *reached = inner <= goal && k > 0;
        if (*reached || k == most || !isfinite(inner)) break;
        if (k > 0 && !(t->go = perp_contact_matrix_continue(run, &t->b, z, t->error / t->scale)))
            break;
        if (!perp_semismooth_cone_direct(&t->s, z, t->v)) break;
        for (int i = 0; i < 3 * t->b.contacts; i++) z[i] += t->s.d[i];
        perp_contact_matrix_velocity(&t->b, z, t->v);
        t->error = perp_contact_matrix_error(&t->b, z, t->v, &t->worst);
    }
    if (!*reached && t->go) {
        memcpy(z, t->best, bytes);
        perp_contact_matrix_velocity(&t->b, z, t->v);
        t->error = perp_contact_matrix_error(&t->b, z, t->v, &t->worst);
    }
    return k;
}

/* alpha for the next solve, from how this one went. */
static void adapt(parameter *p, bool reached, bool quick)
{
    if (!reached) {
        p->alpha *= GROWTH;
        p->need = 2 * p->need < PATIENCE ? 2 * p->need : PATIENCE;
    } else if (p->fell && p->need > 1) {
        p->need /= 2;
    }
    p->fell = false;
    if (!reached || !quick) {
        p->wait = p->need;
    } else if (--p->wait <= 0) {
        p->alpha *= FALL;
        p->wait = p->need;
        p->fell = true;
    }
}

static perp_status iterate(perp_run *run, iteration *t, double *z)
{
    const perp_fc3d_prox_options *o = (const perp_fc3d_prox_options *)run->options;
    double mean = t->b.mean;
    parameter p = {.alpha = o->alpha * mean, .need = 1, .wait = 1};
    t->scale = perp_scale(run);
    t->s.centre = t->centre;
    perp_contact_matrix_velocity(&t->b, z, t->v);
    t->error = perp_contact_matrix_error(&t->b, z, t->v, &t->worst);
    while ((t->go = perp_contact_matrix_continue(run, &t->b, z, t->error / t->scale))) {
        double goal = o->accuracy * t->error, least = MARGIN * o->base.tol * t->scale;
        bool reached;
        t->s.alpha = p.alpha;
        int steps = solve_inner(run, t, z, o->steps, goal > least ? goal : least, &reached);
        if (t->b.starved) return PERP_E_MEMORY;
        if (!t->go) break;
        if (!reached && o->alternate) t->s.map = other_map(t->s.map);
        adapt(&p, reached, steps < QUICK);
        if (p.alpha < LEAST * mean) p.alpha = LEAST * mean;
        if (p.alpha > MOST * mean) p.alpha = o->alpha * mean;
    }
    return perp_contact_matrix_end(run, &t->b, z, t->worst);
}

/* Cheap sweeps from a start that is far from a solution; false: they end it. A refusal of theirs
 * is left to the proximal steps. */
static bool sweep(perp_run *run, double *z)
{
    const perp_fc3d_prox_options *o = (const perp_fc3d_prox_options *)run->options;
    perp_fc3d_nncg_options first = perp_fc3d_nncg;
    if (o->sweeps == 0) return true;
    first.base.tol = o->base.tol;
    first.base.max_iter = o->sweeps;
    first.base.warm_start = true;
    perp_result result;
    perp_status status = perp_nested(run, run->problem, &first.base, z, &result);
    bool goes_on = status == PERP_MAX_ITER || status == PERP_STALLED || status == PERP_E_NUMBER;
    if (goes_on && perp_budget(run) > 0) return true;
    perp_fail(run, status, "%s", result.detail);
    return false;
}

static bool is_near(perp_run *run, iteration *t, const double *z)
{
    perp_contact_matrix_velocity(&t->b, z, t->v);
    return perp_contact_matrix_error(&t->b, z, t->v, NULL) <= NEAR * perp_scale(run);
}

static perp_status prox(perp_run *run, double *z)
{
    const perp_fc3d_prox_options *o = (const perp_fc3d_prox_options *)run->options;
    iteration t = {.go = true};
    bool warm = o->base.warm_start;
    if (!warm && !sweep(run, z)) return run->status;
    perp_status status = perp_contact_matrix_open(run, &t.b);
    if (status) return status;
    t.centre = PERP_ALLOC(run, double, 3 * (size_t)t.b.contacts);
    t.best = PERP_ALLOC(run, double, 3 * (size_t)t.b.contacts);
    t.v = PERP_ALLOC(run, double, 3 * (size_t)t.b.contacts);
    if (!perp_semismooth_cone_open(run, &t.b, &t.s)) return PERP_E_MEMORY;
    t.s.map = o->map == PERP_SEMISMOOTH_MAP_JEAN_MOREAU ? PERP_JEAN_MOREAU : PERP_ALART_CURNIER;
    bool far = warm && (perp_is_sizing(run) || !is_near(run, &t, z));
    if (far && !sweep(run, z)) return run->status;
    return iterate(run, &t, z);
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_fc3d_prox_options, map, PERP_CONTACT_MAPS,
                       "friction bounded by the normal force's prediction, or by itself"),
    PERP_OPTION(perp_fc3d_prox_options, alternate, 0, 1,
                "the other map where an inner solve fails, and back where that fails"),
    PERP_OPTION(perp_fc3d_prox_options, alpha, 1e-12, 1e3,
                "first proximal parameter, relative to the mean diagonal of W"),
    PERP_OPTION(perp_fc3d_prox_options, accuracy, 1e-12, 1,
                "of an inner solve, relative to the error it starts from"),
    PERP_OPTION(perp_fc3d_prox_options, steps, 1, 1000, "Newton steps of an inner solve at most"),
    PERP_OPTION(perp_fc3d_prox_options, sweeps, 0, 1000000,
                "of fc3d/nncg before the first step; none from a good warm start"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/prox",
    .about = "proximal point around a semismooth Newton method, for W of any rank (Acary, Bremond, "
             "Huber 2018)",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_CHEAP_CERTIFICATE |
             PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_fc3d_prox_options),
    .options = options,
    .solve = prox,
    .room = perp_room_none,
};

const perp_fc3d_prox_options perp_fc3d_prox = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000, .threads = 1},
    .alternate = true,
    .alpha = 0.1,
    .accuracy = 0.1,
    .steps = 15,
    .sweeps = 100,
};
