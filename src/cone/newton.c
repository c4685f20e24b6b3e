/* cone/newton.c: regularised semismooth Newton on the disc map, then on the natural map.
 * Alart and Curnier (1991), Qi and Sun (1993); the search compares with the largest of the last
 * |F|, after Grippo, Lampariello and Lucidi (1986).
 *
 * alpha falls after full steps and grows after short ones, F is that of the problem itself, so that
 * the last steps are those of Newton's method. An iteration is a factorisation, sparse
 * where W is (cone/jacobian.h). Memory: twice that of W, or its factors. */
#include "core/defaults.h"
#include "semismooth.h"

#include <math.h>
#include <string.h>

#define ALPHA 1e-2  /* the first, relative to the diagonal, which is 1 */
#define LEAST 1e-16 /* alpha */
#define MOST 1e4    /* alpha: beyond it the steps are too short to lead anywhere */
#define MEMORY 5    /* values of |F| that the search compares with */
#define PATIENCE 25 /* steps in which |F| has to halve */

typedef struct iteration {
    perp_cone_system s;
    perp_cone_semismooth t;
    double alpha, last[MEMORY], halved;
    int steps, since; /* in all; since |F| was halved */
} iteration;

static void begin(iteration *w, perp_cone_map map)
{
    w->t.map = map;
    w->alpha = ALPHA;
    w->since = w->steps = 0;
    w->halved = perp_cone_semismooth_measure(&w->t, w->s.x, w->s.u);
    for (int k = 0; k < MEMORY; k++) w->last[k] = w->halved;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) most = x[k] > most ? x[k] : most;
    return most;
}

/* One step from x; false: this map gives up. */
static bool step(iteration *w)
{
    double norm = 0, part = 0;
    perp_cone_semismooth_measure(&w->t, w->s.x, w->s.u);
    if (perp_cone_semismooth_direct(&w->t, w->alpha))
        part = perp_cone_semismooth_search(&w->t, largest(w->last, MEMORY), &norm);
    w->alpha *= part == 1 ? 0.2 : part >= 0.25 ? 1 : part > 0 ? 5 : 10;
    if (w->alpha < LEAST) w->alpha = LEAST;
    if (part > 0) w->last[w->steps++ % MEMORY] = norm;
    w->since++;
    if (part > 0 && norm <= 0.5 * w->halved) {
        w->halved = norm;
        w->since = 0;
    }
    return w->alpha < MOST && w->since < PATIENCE;
}

static perp_status newton(perp_run *run, double *z)
{
    iteration w;
    perp_status status = perp_cone_system_open(run, z, &w.s);
    if (!status) status = perp_cone_semismooth_open(&w.t, &w.s);
    if (status) return status;
    begin(&w, PERP_CONE_DISC);
    while (perp_continue(run, z, perp_cone_system_estimate(&w.s))) {
        bool goes_on = step(&w);
        perp_cone_system_refresh(&w.s);
        perp_cone_system_give(&w.s, z);
        if (goes_on) continue;
        if (w.t.map == PERP_CONE_NATURAL) {
            return perp_fail(run, PERP_STALLED, "Newton's method gives up on either map");
        }
        begin(&w, PERP_CONE_NATURAL);
    }
    return run->status;
}

static const perp_solver solver = {
    .name = "cone/newton",
    .about = "regularised semismooth Newton on the disc map and the natural map (Alart, Curnier "
             "1991)",
    .kind = PERP_KIND_CONE,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_plain_options),
    .solve = newton,
    .room = perp_room_none,
};

const perp_plain_options perp_cone_newton = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000, .threads = 1},
};
