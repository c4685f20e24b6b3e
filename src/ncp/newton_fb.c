/* ncp/newton_fb.c (mcp/newton_fb): semismooth Newton on the Fischer-Burmeister map of the box.
 * De Luca, Facchinei, Kanzow, Mathematical Programming 75 (1996) 407-439; Billups, Algorithms for
 * complementarity problems and generalized equations, PhD thesis, Wisconsin (1995); projected steps
 * after Ferris, Kanzow, Munson, Mathematical Programming 86 (1999) 475-497.
 *
 * Each iteration evaluates the Jacobian and factors one matrix of its size and pattern, by Cholesky
 * where it is symmetric and positive definite, by LU otherwise (kernel/mixed.c). Memory: 2 n^2 + 25
 * n numbers when dense (n^2 less for an affine map), else that of the factors. */
#include "perp/solvers.h"
#include "semismooth.h"

#define REGULARISED 3 /* attempts with J + e I, */
#define STRONGER 1e3  /* each with so much more of it */
#define DAMPING 0.1   /* of Levenberg and Marquardt, times |G|, */
#define SHORTEST 60   /* halvings of such a step, which descends: enough to reach rounding */
#define STARTS 4      /* tried where the way down ends short of a solution */

/* A Newton step for the Fischer-Burmeister map, or for the natural one where that leads nowhere;
 * with J + e I where both are singular; else by Levenberg-Marquardt, which descends wherever the
 * merit is not stationary. */
static bool step(semismooth *s, const perp_newton_options *o)
{
    if (semismooth_direct_fb(s, 0) && semismooth_search(s, o->halvings)) return true;
    if (semismooth_direct_natural(s) && semismooth_search(s, o->halvings)) return true;
    double e = o->regularisation;
    for (int attempt = 0; attempt < REGULARISED && e > 0; attempt++, e *= STRONGER) {
        if (semismooth_direct_fb(s, e) && semismooth_search(s, o->halvings)) return true;
    }
    return semismooth_direct_descent(s, DAMPING) && semismooth_search(s, SHORTEST);
}

/* The origin, and points further and further inside. */
static bool start_elsewhere(semismooth *s, int *again, double *z)
{
    static const double starts[STARTS] = {0, 1, 10, 0.1};
    while (*again < STARTS && !s->map.overrun) {
        for (int i = 0; i < s->n; i++) z[i] = starts[*again];
        (*again)++;
        if (semismooth_start_near(s, z)) return true;
    }
    return false;
}

static void read_iterate(const semismooth *s, double *z)
{
    for (int i = 0; i < s->n; i++) z[i] = s->z[i];
}

static perp_status solve(perp_run *run, double *z)
{
    const perp_newton_options *o = (const perp_newton_options *)run->options;
    semismooth s;
    perp_status status = semismooth_open(&s, run, o->memory);
    if (status) return status;
    int again = o->base.warm_start ? 0 : 1;
    if (!semismooth_start_near(&s, z) && !start_elsewhere(&s, &again, z)) {
        if (s.map.overrun) return perp_jacobian_fail(run, &s.map);
        return perp_fail(run, PERP_E_NUMBER,
                         "F or its Jacobian is undefined or not finite at the start and nearby");
    }
    double scale = perp_scale(run);
    read_iterate(&s, z);
    while (perp_continue(run, z, semismooth_natural(&s) / scale)) {
        if (semismooth_is_stuck(&s) || !step(&s, o)) {
            status = semismooth_end(&s, run);
            if (status != PERP_STALLED || !start_elsewhere(&s, &again, z)) return status;
        }
        read_iterate(&s, z);
    }
    return run->status == PERP_STALLED ? semismooth_end(&s, run) : run->status;
}

static const perp_option options[] = {
    PERP_OPTION(perp_newton_options, memory, 1, 1000,
                "merits the line search looks back to; 1: each has to be smaller"),
    PERP_OPTION(perp_newton_options, halvings, 0, 1000,
                "of a step in one line search, before another direction is tried"),
    PERP_OPTION(perp_newton_options, regularisation, 0, 1,
                "added to the Jacobian's diagonal where it is singular; 0: gradients only"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/newton_fb",
    .about = "semismooth Newton on the Fischer-Burmeister map of the box (Billups 1995)",
    .kind = PERP_MCP,
    .formats = {PERP_DENSE | PERP_CSC},
    .flags = PERP_READS_CALLBACK | PERP_CHEAP_CERTIFICATE | PERP_MAY_ALLOCATE,
    .options_size = sizeof(perp_newton_options),
    .options = options,
    .solve = solve,
};

const perp_newton_options perp_mcp_newton_fb = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 500, .threads = 1},
    .memory = 4,
    .halvings = 12,
    .regularisation = 1e-8,
};
