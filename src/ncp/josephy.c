/* ncp/josephy.c (mcp/josephy): Newton's method for the problem itself: F is linearised, its bounds
 * are kept. Josephy, Newton's method for generalized equations, MRC report 1965, Wisconsin (1979);
 * Robinson, Mathematical Programming Study 19 (1982); damped along the straight line to the new
 * point, by the merit of Fischer and Burmeister: Pang, Gabriel, NE/SQP, Mathematical Programming 60
 * (1993) 295-337, for the setting.
 *
 * Every step solves an affine problem on the box, by complementary pivoting (mcp/path) or Newton's
 * method (mcp/newton_fb); iterations are theirs. Quadratic near a regular solution, also where
 * bounds change on the way, since the bounds are no part of what is linearised. Memory: that of the
 * inner solver and 20 n numbers. */
#include "core/defaults.h"
#include "core/internal.h"
#include "semismooth_mcp.h"

#include <string.h>

#define INNER 1e-12 /* relative residual of an affine problem, */
#define ENOUGH 1e-6 /* or what will do */
#define LARGE                                                                                      \
    1000         /* unknowns of a sparse problem from which Newton's method is the quicker one     \
                  */
#define MEMORY 4 /* merits that the line search looks back to */

typedef struct josephy {
    perp_run *run;
    const perp_mcp_josephy_options *o;
    semismooth_mcp mcp;
    double *q, *x; /* F(z) - J z, and the solution of the affine problem */
} josephy;

/* ---- the affine problem ---- */

static bool solve_with(josephy *k, const perp_options *o, const perp_problem *inner)
{
    perp_result result;
    if (perp_watch_stops(k->run->arena)) return false; /* a nested problem takes long to open */
    memcpy(k->x, k->mcp.s.z, (size_t)k->mcp.s.n * sizeof *k->x);
    perp_status status = perp_nested(k->run, inner, o, k->x, &result);
    return status == PERP_SOLVED || (status > 0 && result.residual.value <= ENOUGH);
}

static bool by_path(josephy *k, const perp_problem *inner)
{
    perp_mcp_path_options o = perp_mcp_path;
    o.base.tol = INNER;
    o.base.warm_start = true;
    o.restarts = 0;
    return solve_with(k, &o.base, inner);
}

static bool by_newton(josephy *k, const perp_problem *inner)
{
    perp_mcp_newton_fb_options o = perp_mcp_newton_fb;
    o.base.tol = INNER;
    o.base.warm_start = true;
    o.starts = 0;
    return solve_with(k, &o.base, inner);
}

/* One way or the other: a path where that is short, and Newton's method where it is long. */
static bool solve_affine(josephy *k)
{
    perp_semismooth_box *s = &k->mcp.s;
    perp_problem inner = perp_make_mcp(s->n, s->map.J, k->q, s->lo, s->hi);
    bool large = s->map.J.format == PERP_FORMAT_CSC && s->n >= LARGE;
    perp_mul(&s->map.J, -1, s->z, 0, k->q);
    for (int i = 0; i < s->n; i++) k->q[i] += s->F[i];
    switch (k->o->inner) {
    case PERP_JOSEPHY_INNER_PATH: return by_path(k, &inner);
    case PERP_JOSEPHY_INNER_NEWTON: return by_newton(k, &inner);
    default:
        return large ? by_newton(k, &inner) || by_path(k, &inner)
                     : by_path(k, &inner) || by_newton(k, &inner);
    }
}

/* ---- steps ---- */

static bool step(josephy *k)
{
    perp_semismooth_box *s = &k->mcp.s;
    if (solve_affine(k)) {
        for (int i = 0; i < s->n; i++) s->d[i] = k->x[i] - s->z[i];
        if (perp_semismooth_box_search(s, k->o->halvings)) return true;
    }
    if (perp_budget(k->run) <= 0) return true; /* which perp_continue will say */
    return perp_semismooth_box_step(s, k->o->halvings, 0);
}

static perp_status solve(perp_run *run, double *z)
{
    josephy k = {.run = run, .o = (const perp_mcp_josephy_options *)run->options};
    perp_semismooth_box *s = &k.mcp.s;
    perp_status status = perp_semismooth_mcp_open(&k.mcp, run, MEMORY);
    if (status) return status;
    size_t bytes = (size_t)s->n * sizeof *z;
    k.q = PERP_ALLOC(run, double, s->n);
    k.x = PERP_ALLOC(run, double, s->n);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (perp_is_sizing(run)) solve_affine(&k); /* which counts */
    if (!perp_semismooth_box_start_near(s, z)) return perp_semismooth_mcp_refuse(&k.mcp);
    memcpy(z, s->z, bytes);
    while (perp_continue(run, z, perp_semismooth_mcp_estimate(&k.mcp))) {
        if (perp_semismooth_box_is_stuck(s) || !step(&k)) break;
        memcpy(z, s->z, bytes);
    }
    if (run->status != PERP_SOLVED && run->status != PERP_STALLED) return run->status;
    status = perp_semismooth_mcp_end(&k.mcp);
    return status == PERP_STALLED ? perp_semismooth_mcp_stall(&k.mcp) : status;
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_mcp_josephy_options, inner, "auto|path|newton",
                       "how affine problems are solved: as it suits, mcp/path, mcp/newton_fb"),
    PERP_OPTION(perp_mcp_josephy_options, halvings, 0, 1000,
                "of a step in one line search, before another direction is tried"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/josephy",
    .about = "Newton's method with affine problems on the box (Josephy 1979)",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_READS_CALLBACK | PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE |
             PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_mcp_josephy_options),
    .options = options,
    .solve = solve,
    .room = perp_room_none,
};

const perp_mcp_josephy_options perp_mcp_josephy = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
    .halvings = 12,
};
