/* ncp/nncg.c: nonsmooth nonlinear conjugate gradients around a sweep of projected Gauss-Seidel.
 * Silcowitz-Hansen, Niebe and Erleben (2010), section 4, on their friction boxes and on any affine
 * MCP; method/conjugate.h has the formulas.
 *
 * An iteration costs a sweep and a few passes over vectors. f = |step|^2 / 2 has spikes, so the
 * iterate with the lowest estimate is kept and handed over at the end. Memory: that of mcp/pgs and,
 * of z and of the state, two to four vectors. */
#include "core/defaults.h"
#include "method/conjugate.h"
#include "sweep.h"

#include <string.h>

typedef struct best {
    double estimate, *z;
} best;

static perp_status iterate(perp_run *run, perp_box_sweep *s, conjugate *c, best *b, double *z)
{
    double gradient = ((const perp_mcp_nncg_options *)run->options)->gradient;
    size_t n = (size_t)s->p->F.n;
    double estimate = INFINITY;
    perp_conjugate_start(c);
    for (int k = 0; perp_continue(run, z, estimate); k++) {
        bool doubtful = estimate <= run->options->tol; /* the certificate saw more than we do */
        if (k > 0) perp_conjugate_step(c);
        if (k > 0 && (k % PERP_BOX_REFRESH == 0 || doubtful)) {
            perp_box_refresh(s, z);
            perp_conjugate_refresh(c);
        }
        estimate = perp_box_run(s, z, &run->merit);
        if (!isfinite(estimate))
            return perp_fail(run, PERP_STALLED, "NNCG diverges: overflow in sweep %d", k + 1);
        if (estimate < b->estimate) {
            b->estimate = estimate;
            if (n) memcpy(b->z, z, n * sizeof *z);
        }
        if (sqrt(run->merit) < gradient) {
            return perp_fail(run, PERP_STALLED, "|grad f| = %.2e is less than gradient = %g",
                             sqrt(run->merit), gradient);
        }
    }
    if (b->estimate < estimate) memcpy(z, b->z, n * sizeof *z);
    return run->status;
}

static perp_status nncg(perp_run *run, double *z)
{
    const perp_mcp_nncg_options *o = (const perp_mcp_nncg_options *)run->options;
    perp_box_sweep s;
    conjugate c;
    perp_status status = perp_box_open(run, 1, z, &s);
    if (status) return status;
    size_t n = (size_t)s.p->F.n;
    best b = {.estimate = INFINITY, .z = PERP_ALLOC(run, double, n)};
    bool ribiere = o->formula == PERP_CONJUGATION_POLAK_RIBIERE;
    bool room =
        perp_conjugate_open(&c, run->arena, ribiere, o->line_search, n, z, s.state_size, s.state);
    c.restart = o->restart;
    return room ? iterate(run, &s, &c, &b, z) : PERP_E_MEMORY;
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(
        perp_mcp_nncg_options, formula, "fletcher_reeves|polak_ribiere",
        "how much of the last direction is kept; polak_ribiere finds its step by a secant"),
    PERP_OPTION(perp_mcp_nncg_options, restart, 0, 1000000,
                "forget the direction after so many iterations; 0: only where the steps grow"),
    PERP_OPTION(perp_mcp_nncg_options, line_search, 0, 1,
                "halve what is added of the direction until the steps shrink"),
    PERP_OPTION(perp_mcp_nncg_options, gradient, 0, 1e300,
                "end where a sweep changes z by less than this, the paper's |grad f|, whatever the "
                "residual is; 0: at tol alone"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/nncg",
    .about = "nonsmooth nonlinear conjugate gradients around projected Gauss-Seidel "
             "(Silcowitz-Hansen, Niebe, Erleben 2010)",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_READS_FOLLOWS | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_mcp_nncg_options),
    .options = options,
    .solve = nncg,
    .room = perp_room_none,
};

const perp_mcp_nncg_options perp_mcp_nncg = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
