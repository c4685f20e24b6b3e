/* ncp/newton_fb.c (mcp/newton_fb): semismooth Newton on the Fischer-Burmeister map of the box.
 * De Luca, Facchinei, Kanzow, Mathematical Programming 75 (1996) 407-439; Billups, Algorithms for
 * complementarity problems and generalized equations, PhD thesis, Wisconsin (1995); projected steps
 * after Ferris, Kanzow, Munson, Mathematical Programming 86 (1999) 475-497.
 *
 * Each iteration evaluates the Jacobian and factors one matrix of its size and pattern, by Cholesky
 * where it is symmetric and positive definite, by LU otherwise (linalg/newton_system.c). Memory: 2
 * n^2 + 25 n numbers when dense (n^2 less for an affine map), else that of the factors. */
#include "base/box.h"
#include "core/defaults.h"
#include "core/kinds.h"
#include "semismooth_mcp.h"

#include <math.h>
#include <string.h>

#define MODEL 1e-4    /* accuracy of a minimum of the model, */
#define CG_STEPS 3000 /* and conjugate gradient steps to it */
#define GUIDED 2      /* halvings of a step for the natural map after it */
#define JUMPS 30      /* full steps whatever the merit does */

/* A first step to the minimum of the quadratic model, where there is one, finds most of the bounds
 * that hold; Newton steps for the natural map then find the others, soonest. */
static bool step_by_model(perp_semismooth_box *s, const perp_mcp_newton_fb_options *o, bool *guided)
{
    if (s->steps == 1) {
        *guided = perp_semismooth_box_direct_model(s, MODEL, CG_STEPS) &&
                  perp_semismooth_box_search(s, o->halvings);
        if (*guided) return true;
    }
    *guided = *guided && perp_semismooth_box_direct(s, &perp_semismooth_natural, 0) &&
              perp_semismooth_box_search(s, GUIDED);
    return *guided;
}

/* Where the way down ends short of a solution: once more from the given start, with full steps for
 * the natural map whatever the merit does, which leave valleys that hold none; then from the origin
 * and points further and further inside, in typical sizes of the unknowns. */
static const struct attempt {
    bool given, jumps;
    double point;
} attempts[] = {{.given = true}, {.given = true, .jumps = true},
                {.point = 0},    {.point = 1},
                {.point = 10},   {.point = 0.1}};
#define OTHERS ((int)(sizeof attempts / sizeof *attempts) - 1)

typedef struct newton {
    semismooth_mcp mcp;
    const perp_mcp_newton_fb_options *o;
    double *given, *best; /* the start; the best iterate of the jumps */
    double lowest;
    int attempt;
    int jumps; /* left to make */
    bool guided;
} newton;

/* Is that where the first attempt began? */
static bool is_given(const newton *k, double point)
{
    const perp_semismooth_box *s = &k->mcp.s;
    for (int i = 0; i < s->n; i++) {
        double given = box_project(k->given[i], s->lo[i], s->hi[i]);
        double other = point * kind_typical(k->mcp.map.map, i);
        if (box_project(other, s->lo[i], s->hi[i]) != given) return false;
    }
    return true;
}

static bool next_attempt(newton *k, double *z)
{
    while (k->attempt <= k->o->starts) {
        const struct attempt *t = &attempts[k->attempt++];
        if (!t->given && is_given(k, t->point)) continue;
        for (int i = 0; i < k->mcp.s.n; i++) {
            z[i] = t->given ? k->given[i] : t->point * kind_typical(k->mcp.map.map, i);
        }
        k->jumps = t->jumps ? JUMPS : 0;
        k->lowest = INFINITY;
        if (perp_semismooth_box_start_near(&k->mcp.s, z)) return true;
    }
    return false;
}

/* One jump, or after the last one to where the merit was lowest. */
static bool jump(newton *k)
{
    perp_semismooth_box *s = &k->mcp.s;
    if (s->merit < k->lowest) {
        k->lowest = s->merit;
        memcpy(k->best, s->z, (size_t)s->n * sizeof *s->z);
    }
    k->jumps--;
    if (k->jumps > 0 && perp_semismooth_box_direct(s, &perp_semismooth_natural, 0)) {
        for (int i = 0; i < s->n; i++) s->d[i] += s->z[i];
        if (perp_semismooth_box_go(s, s->d, INFINITY)) return true;
    }
    k->jumps = 0;
    return perp_semismooth_box_start(s, k->best);
}

static bool go_on(newton *k)
{
    perp_semismooth_box *s = &k->mcp.s;
    if (k->jumps > 0) return jump(k);
    if (perp_semismooth_box_is_stuck(s)) return false;
    return step_by_model(s, k->o, &k->guided) ||
           perp_semismooth_box_step(s, k->o->halvings, k->o->regularisation);
}

static perp_status open_newton(newton *k, perp_run *run, double *z)
{
    *k = (newton){.o = (const perp_mcp_newton_fb_options *)run->options};
    perp_status status = perp_semismooth_mcp_open(&k->mcp, run, k->o->memory);
    if (status) return status;
    k->given = PERP_ALLOC(run, double, k->mcp.s.n);
    k->best = PERP_ALLOC(run, double, k->mcp.s.n);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int i = 0; i < k->mcp.s.n; i++) k->given[i] = z[i];
    return next_attempt(k, z) ? PERP_SOLVED : perp_semismooth_mcp_refuse(&k->mcp);
}

static perp_status solve(perp_run *run, double *z)
{
    newton k;
    perp_status status = open_newton(&k, run, z);
    if (status) return status;
    perp_semismooth_box *s = &k.mcp.s;
    for (int i = 0; i < s->n; i++) z[i] = s->z[i];
    while (perp_continue(run, z, perp_semismooth_mcp_estimate(&k.mcp))) {
        if (!go_on(&k)) {
            status = perp_semismooth_mcp_end(&k.mcp);
            if (status != PERP_STALLED) return status;
            if (k.mcp.lies || !next_attempt(&k, z)) return perp_semismooth_mcp_stall(&k.mcp);
        }
        for (int i = 0; i < s->n; i++) z[i] = s->z[i];
    }
    if (run->status != PERP_STALLED) return run->status;
    status = perp_semismooth_mcp_end(&k.mcp);
    return status == PERP_STALLED ? perp_semismooth_mcp_stall(&k.mcp) : status;
}

static const perp_option options[] = {
    PERP_OPTION(perp_mcp_newton_fb_options, memory, 1, 1000,
                "merits the line search looks back to; 1: each has to be smaller"),
    PERP_OPTION(perp_mcp_newton_fb_options, halvings, 0, 1000,
                "of a step in one line search, before another direction is tried"),
    PERP_OPTION(perp_mcp_newton_fb_options, regularisation, 0, 1,
                "added to the Jacobian's diagonal where it is singular; 0: gradients only"),
    PERP_OPTION(perp_mcp_newton_fb_options, starts, 0, OTHERS,
                "other starts where the way down ends short of a solution"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/newton_fb",
    .about = "semismooth Newton on the Fischer-Burmeister map of the box (Billups 1995)",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_READS_CALLBACK | PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE |
             PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_mcp_newton_fb_options),
    .options = options,
    .solve = solve,
    .room = perp_room_none,
};

const perp_mcp_newton_fb_options perp_mcp_newton_fb = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 500, .threads = 1},
    .memory = 4,
    .halvings = 12,
    .regularisation = 1e-8,
    .starts = OTHERS,
};
