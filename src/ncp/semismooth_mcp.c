/* ncp/semismooth_mcp.c: an mcp's map and bounds for Newton methods, and the ends of these. */
#include "semismooth_mcp.h"

#include "core/callback.h"
#include "core/kinds.h"

#define CLEANINGS 4      /* of a proof from what the slow end of a descent left in it */
#define ROUNDING 1e-12   /* relative differences of entries that should be the same: of formulas, */
#define DIFFERENCES 1e-6 /* and of finite differences */

static bool eval(void *ctx, const double *z, double *F)
{
    return perp_jacobian_map(ctx, z, F);
}

static bool jacobian(void *ctx, const double *z, const double *F)
{
    return perp_jacobian_at(ctx, z, F);
}

perp_status perp_semismooth_mcp_open(semismooth_mcp *k, perp_run *run, int memory)
{
    const perp_mcp *p = &run->problem->as.mcp;
    int n = p->F.n;
    *k = (semismooth_mcp){.run = run};
    k->lo = PERP_ALLOC(run, double, n);
    k->hi = PERP_ALLOC(run, double, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int i = 0; i < n; i++) {
        k->lo[i] = kind_bound(p->lo, i, -INFINITY);
        k->hi[i] = kind_bound(p->hi, i, INFINITY);
    }
    if (!perp_jacobian_open(&k->map, run->arena, &p->F, k->lo, k->hi)) return PERP_E_MEMORY;
    if (p->F.eval) {
        k->move = PERP_ALLOC(run, double, n);
        k->size = PERP_ALLOC(run, double, n);
        if (run->arena->failed) return PERP_E_MEMORY;
    }
    perp_box_map map = {.J = k->map.J,
                        .slack = k->map.differences ? DIFFERENCES : ROUNDING,
                        .ctx = &k->map,
                        .eval = eval,
                        .jacobian = k->map.constant ? NULL : jacobian};
    bool opened = perp_semismooth_box_open(&k->s, run->arena, &map, k->lo, k->hi, memory);
    if (opened) perp_jacobian_lies_room(&k->map, run->arena);
    return opened ? PERP_SOLVED : PERP_E_MEMORY;
}

double perp_semismooth_mcp_estimate(semismooth_mcp *k)
{
    perp_semismooth_box *s = &k->s;
    double value = 0;
    if (k->map.constant) return perp_semismooth_box_natural(s) / perp_scale(k->run);
    perp_callback_sizes(k->map.map, &k->map.J, s->z, s->F, k->move, k->size);
    for (int i = 0; i < s->n; i++) {
        double part =
            perp_callback_part(k->map.map, i, s->z[i], s->F[i], k->size[i], s->lo[i], s->hi[i]);
        value = part > value ? part : value;
    }
    return value;
}

perp_status perp_semismooth_mcp_refuse(semismooth_mcp *k)
{
    if (k->map.overrun) return perp_jacobian_fail(k->run, &k->map);
    return perp_fail(k->run, PERP_E_NUMBER,
                     "F or its Jacobian is undefined or not finite at the start and nearby");
}

static perp_status claim(semismooth_mcp *k)
{
    static const double noise[CLEANINGS] = {0, 1e-8, 1e-4, 1e-2};
    perp_run *run = k->run;
    double *y = k->s.d;
    for (int t = 0; t < CLEANINGS; t++) {
        perp_semismooth_box_proof(&k->s, noise[t], y);
        perp_status check = perp_prove(run, PERP_INFEASIBLE, y);
        if (check == PERP_E_MEMORY) return check;
        if (check != PERP_SOLVED) continue;
        run->proof = y;
        return perp_fail(run, PERP_INFEASIBLE,
                         "no z within the bounds is feasible; w holds the proof");
    }
    return PERP_STALLED;
}

perp_status perp_semismooth_mcp_end(semismooth_mcp *k)
{
    if (k->map.overrun) return perp_jacobian_fail(k->run, &k->map);
    if (k->s.starved || k->run->arena->failed) return PERP_E_MEMORY;
    perp_status status = k->map.constant ? claim(k) : PERP_STALLED;
    if (status == PERP_STALLED) k->lies = perp_jacobian_lies(k->run, &k->map, k->s.z, k->s.F);
    return status;
}

perp_status perp_semismooth_mcp_stall(const semismooth_mcp *k)
{
    if (k->lies) return PERP_STALLED; /* which was said */
    return perp_fail(k->run, PERP_STALLED,
                     "the merit function is stationary at a point that is no solution; try another "
                     "start, in z with warm_start");
}
