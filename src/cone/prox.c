/* cone/prox.c: proximal point iteration around a semismooth Newton method, for W of any rank.
 * Rockafellar (1976); for friction Acary, Bremond and Huber (2018), section 5.
 *
 * x+ solves the problem with W + alpha I and q - alpha x to a tenth of |F| there, by at most 12
 * Newton steps on the disc map and the natural map in turn (cone/semismooth.h). alpha falls after
 * quick successes and grows after failures. An iteration is a Newton step. Memory:
 * that of cone/newton. */
#include "core/defaults.h"
#include "semismooth.h"

#include <math.h>
#include <string.h>

#define ALPHA 0.1    /* the first, relative to the diagonal, which is 1 */
#define LEAST 1e-14  /* alpha */
#define MOST 1e3     /* alpha: beyond it, begin anew */
#define STEPS 12     /* of an inner solve */
#define QUICK 5      /* steps, after which alpha may fall */
#define ACCURACY 0.1 /* of an inner solve, of |F| at its start */

typedef struct iteration {
    perp_cone_system s;
    perp_cone_semismooth t;
    double *centre;
    double alpha, failed, at; /* alpha that failed last, and the estimate then */
    double estimate;
} iteration;

/* Newton steps from the centre. Returns how many, STEPS + 1: not reached; 0: the run ends. */
static int solve_inner(perp_run *run, iteration *w, double *z)
{
    double norm = 0, goal = -1;
    w->t.shift = w->alpha;
    for (int k = 0; k <= STEPS; k++) {
        norm = perp_cone_semismooth_measure(&w->t, w->s.x, w->s.u);
        if (goal < 0) goal = ACCURACY * norm;
        if (norm <= goal || norm == 0) return k > 0 ? k : 1;
        if (k == STEPS) break;
        if (k > 0 && !perp_continue(run, z, w->estimate)) return 0;
        if (!perp_cone_semismooth_direct(&w->t, w->alpha)) break;
        if (perp_cone_semismooth_search(&w->t, norm, &norm) <= 0) break;
        perp_cone_system_refresh(&w->s);
        perp_cone_system_give(&w->s, z);
        w->estimate = perp_cone_system_estimate(&w->s);
    }
    return STEPS + 1;
}

static void adapt(iteration *w, int steps)
{
    if (steps > STEPS) {
        w->failed = w->alpha;
        w->at = w->estimate;
        w->alpha *= 5;
        w->t.map = w->t.map == PERP_CONE_DISC ? PERP_CONE_NATURAL : PERP_CONE_DISC;
        if (w->alpha > MOST) w->alpha = ALPHA;
        return;
    }
    double next = steps <= QUICK ? 0.1 * w->alpha : w->alpha;
    bool again = next <= w->failed && w->estimate > 0.3 * w->at; /* it would fail once more */
    w->alpha = again ? w->alpha : next < LEAST ? LEAST : next;
}

static perp_status prox(perp_run *run, double *z)
{
    iteration w = {.alpha = ALPHA};
    perp_status status = perp_cone_system_open(run, z, &w.s);
    if (!status) status = perp_cone_semismooth_open(&w.t, &w.s);
    if (status) return status;
    size_t bytes = (size_t)w.s.n * sizeof *z;
    w.centre = PERP_ALLOC(run, double, w.s.n);
    if (run->arena->failed) return PERP_E_MEMORY;
    w.t.centre = w.centre;
    w.estimate = perp_cone_system_estimate(&w.s);
    while (perp_continue(run, z, w.estimate)) {
        if (bytes > 0) memcpy(w.centre, w.s.x, bytes);
        int steps = solve_inner(run, &w, z);
        if (steps == 0) break;
        if (steps > STEPS && bytes > 0) {
            memcpy(w.s.x, w.centre, bytes);
            perp_cone_system_refresh(&w.s);
            perp_cone_system_give(&w.s, z);
        }
        w.estimate = perp_cone_system_estimate(&w.s);
        adapt(&w, steps);
    }
    return run->status;
}

static const perp_solver solver = {
    .name = "cone/prox",
    .about = "proximal point around a semismooth Newton method, for W of any rank (Rockafellar "
             "1976)",
    .kind = PERP_KIND_CONE,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_plain_options),
    .solve = prox,
    .room = perp_room_none,
};

const perp_plain_options perp_cone_prox = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 2000, .threads = 1},
};
