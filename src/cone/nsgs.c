/* cone/nsgs.c: block Gauss-Seidel: one cone, ball or box after the other, each solved exactly.
 * Jean and Moreau (1992) for friction; the blocks of any size and rank by method/cone_local.h.
 *
 * The problem is scaled by its diagonal first (cone/system.h). A sweep costs at most one product
 * with W, and the blocks 0.1 to 10 us each. Memory: a copy of W and of its diagonal blocks. No
 * theorem says that sweeps converge; for symmetric positive definite W and s = 0 they do. */
#include "base/watch.h"
#include "core/defaults.h"
#include "system.h"

#include <math.h>
#include <string.h>

#define REFRESH 50 /* sweeps between fresh products: rounding has no time to build up */
#define SLICE 64   /* blocks between two looks at the watch, a millisecond at most */

typedef struct sweep {
    perp_cone_system s;
    perp_cone_local local;
    double *B;     /* diagonal blocks, one after the other */
    size_t *at;    /* where each begins */
    double *q, *z; /* of a block */
    int *steps;    /* that each block may take */
} sweep;

static bool open_blocks(perp_run *run, sweep *w)
{
    const perp_cone_set *t = &w->s.set;
    w->at = PERP_ALLOC(run, size_t, t->blocks);
    w->steps = PERP_ALLOC(run, int, t->blocks);
    w->q = PERP_ALLOC(run, double, t->largest);
    w->z = PERP_ALLOC(run, double, t->largest);
    if (run->arena->failed) return false;
    size_t sum = 0;
    for (int b = 0; b < t->blocks; b++) {
        w->at[b] = sum;
        sum += (size_t)t->block[b].count * (size_t)t->block[b].count;
    }
    w->B = PERP_ALLOC(run, double, sum);
    if (run->arena->failed || !perp_cone_local_open(&w->local, run->arena, t->largest))
        return false;
    for (int b = 0; b < t->blocks; b++) {
        if (b % SLICE == SLICE - 1 && perp_watch_stops(run->arena)) return false;
        w->steps[b] = PERP_CONE_LOCAL_STEPS;
        perp_cone_system_block(&w->s, b, w->B + w->at[b]);
    }
    return true;
}

/* Solve block b with what the others have, and move u along. */
static void visit(sweep *w, int b)
{
    const perp_cone_set *t = &w->s.set;
    const perp_cone_block *k = &t->block[b];
    const double *B = w->B + w->at[b];
    const int *row = t->row + k->first;
    perp_cone_set_gather(t, b, w->s.x, w->z);
    perp_cone_set_gather(t, b, w->s.u, w->q);
    for (int j = 0; j < k->count; j++) {
        for (int i = 0; i < k->count; i++) w->q[i] -= B[j * k->count + i] * w->z[j];
    }
    double error = perp_cone_local_solve(t, b, B, w->q, w->steps[b], w->z, &w->local);
    bool ends = perp_cone_local_ends(t, b, B, w->q, w->z, error);
    w->steps[b] = ends ? PERP_CONE_LOCAL_STEPS : w->steps[b] / 2; /* the others may come to help */
    for (int i = 0; i < k->count; i++) {
        double change = w->z[i] - w->s.x[row[i]];
        w->s.x[row[i]] = w->z[i];
        if (change != 0) perp_cone_system_add_column(&w->s, row[i], change, w->s.u);
    }
}

/* False: the watch asked to stop; x and u are those so far. */
static bool visit_all(sweep *w)
{
    for (int b = 0; b < w->s.set.blocks; b++) {
        if (b % SLICE == SLICE - 1 && perp_watch_stops(w->s.run->arena)) return false;
        visit(w, b);
    }
    return true;
}

static perp_status nsgs(perp_run *run, double *z)
{
    sweep w = {0};
    perp_status status = perp_cone_system_open(run, z, &w.s);
    if (status) return status;
    if (!open_blocks(run, &w)) return PERP_E_MEMORY;
    double estimate = perp_cone_system_estimate(&w.s);
    for (int k = 0; perp_continue(run, z, estimate); k++) {
        if (k % REFRESH == 0 || estimate <= run->options->tol) perp_cone_system_refresh(&w.s);
        bool whole = visit_all(&w);
        perp_cone_system_give(&w.s, z);
        if (!whole) return perp_fail(run, PERP_STALLED, "stopped within a sweep");
        estimate = perp_cone_system_estimate(&w.s);
        if (!isfinite(estimate)) return perp_fail(run, PERP_STALLED, "the sweeps diverge");
    }
    return run->status;
}

static const perp_solver solver = {
    .name = "cone/nsgs",
    .about = "block Gauss-Seidel, each cone, ball or box solved exactly (Jean, Moreau 1992)",
    .kind = PERP_KIND_CONE,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .options_size = sizeof(perp_plain_options),
    .solve = nsgs,
    .room = perp_room_none,
};

const perp_plain_options perp_cone_nsgs = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000, .threads = 1},
};
