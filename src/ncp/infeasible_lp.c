/* ncp/infeasible_lp.c: a proof that an affine MCP has no feasible point, whatever its M.
 *
 *     z in [lo, hi],  F_i >= 0 where z_i has no upper bound, F_i <= 0 where it has no lower one
 *
 * is necessary for a solution, and a linear program without an objective; Farkas' vector of that
 * one is the proof of this one. The qp solvers find it. Newton's method and paths prove what is
 * monotone as they go; this is for what is not. Memory: that of qp/auto. */
#include "infeasible_lp.h"

#include "core/defaults.h"
#include "core/internal.h"
#include "core/kinds.h"

#include <math.h>

#define PER_UNKNOWN 20 /* iterations of qp/auto, */
#define AT_LEAST 1000  /* and so many */

/* Rows -q <= M z <= -q, with one side or both. */
static void set_rows(const perp_mcp *p, double *lo, double *hi)
{
    for (int i = 0; i < p->F.n; i++) {
        lo[i] = kind_bound(p->hi, i, INFINITY) < INFINITY ? -INFINITY : -p->F.q[i];
        hi[i] = kind_bound(p->lo, i, -INFINITY) > -INFINITY ? INFINITY : -p->F.q[i];
    }
}

perp_status perp_infeasible_lp(perp_run *run)
{
    const perp_mcp *p = &run->problem->as.mcp;
    size_t n = (size_t)p->F.n;
    if (p->F.eval || p->follows) return PERP_SOLVED;
    double *y = PERP_ALLOC(run, double, n); /* stays */
    perp_mark mark = perp_arena_mark(run->arena);
    double *lo = PERP_ALLOC(run, double, n), *hi = PERP_ALLOC(run, double, n);
    double *c = PERP_ALLOC(run, double, n), *x = PERP_ALLOC(run, double, 2 * n);
    double *proof = PERP_ALLOC(run, double, 2 * n);
    if (run->arena->failed) return PERP_E_MEMORY;

    set_rows(p, lo, hi);
    perp_problem feasible = {.kind = PERP_KIND_QP};
    feasible.as.qp = (perp_qp){.n = p->F.n, .m = p->F.n, .A = p->F.M, .c = c, .lo = lo, .hi = hi};
    feasible.as.qp.xlo = p->lo;
    feasible.as.qp.xhi = p->hi;
    perp_plain_options o = perp_qp_auto;
    double most = AT_LEAST + PER_UNKNOWN * (double)n;
    o.base.max_iter = most < o.base.max_iter ? (int)most : o.base.max_iter;
    perp_status status = perp_nested_proof(run, &feasible, &o.base, x, proof, NULL);
    for (size_t i = 0; i < n; i++) y[i] = proof[n + i];
    perp_arena_release(run->arena, mark);
    if (status != PERP_INFEASIBLE) return status == PERP_E_MEMORY ? status : PERP_SOLVED;
    status = perp_prove(run, PERP_INFEASIBLE, y);
    if (status) return status == PERP_E_MEMORY ? status : PERP_SOLVED;
    run->proof = y;
    return perp_fail(run, PERP_INFEASIBLE, "no z within the bounds is feasible; w holds the proof");
}
