/* cone/interior_local.c: the equations of interior points in local form, see interior.h. A step
 * solves (B + W) dz = a: 2/3 n^3 flops dense, or a sparse LU in the pattern of W. */
#include "interior.h"

#include "base/vector.h"
#include "jacobian.h"

#include <string.h>

typedef struct local {
    perp_cone_system s;
    perp_cone_jacobian J;
    double *by_u; /* the identity but for fixed rows */
} local;

static void measure(void *ctx, const double *z, double *u)
{
    local *t = ctx;
    size_t bytes = (size_t)t->s.n * sizeof *z;
    if (bytes == 0) return;
    memcpy(t->s.x, z, bytes);
    perp_cone_system_refresh(&t->s);
    memcpy(u, t->s.u, bytes);
}

static bool factor(void *ctx, const double *blocks, const bool *fixed)
{
    local *t = ctx;
    const perp_cone_set *set = &t->s.set;
    for (int b = 0; b < set->blocks; b++) {
        int d = set->block[b].count;
        double *D = t->by_u + t->J.at[b];
        for (int i = 0; i < d; i++) D[i * d + i] = !fixed[set->row[set->block[b].first + i]];
    }
    return perp_cone_jacobian_factor(&t->J, blocks, t->by_u, 0);
}

static bool solve(void *ctx, double *a, double *dz)
{
    local *t = ctx;
    if (t->s.n == 0) return true;
    memcpy(dz, a, (size_t)t->s.n * sizeof *dz);
    return perp_cone_jacobian_solve(&t->J, dz);
}

static void advance(void *ctx, double step)
{
    (void)ctx;
    (void)step;
}

static double show(void *ctx, const perp_interior *p, double *z)
{
    local *t = ctx;
    (void)p; /* measured last, so that x and u are the system's */
    perp_cone_system_give(&t->s, z);
    return perp_cone_system_estimate(&t->s);
}

perp_status perp_cone_interior_local(perp_run *run, const double *z, perp_cone_interior *c)
{
    local *t = PERP_ALLOC(run, local, 1);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_status status = perp_cone_system_open(run, z, &t->s);
    if (!status) status = perp_cone_jacobian_open(&t->J, &t->s);
    if (status) return status;
    t->by_u = PERP_ALLOC(run, double, t->J.entries);
    if (run->arena->failed) return PERP_E_MEMORY;
    double size = t->s.n > 0 ? vector_norm(t->s.n, t->s.q) / sqrt(t->s.n) : 1;
    *c = (perp_cone_interior){
        .e = {.ctx = t, .measure = measure, .factor = factor, .solve = solve, .advance = advance},
        .set = &t->s.set,
        .show = show};
    c->force = c->velocity = size > 0 && isfinite(size) ? size : 1;
    return PERP_SOLVED;
}
