/* fc3d/nncg.c: nonsmooth nonlinear conjugate gradients around one Gauss-Seidel sweep.
 * Silcowitz-Hansen, Niebe and Erleben (2010), there for the friction box; here each contact of the
 * sweep is solved on the exact cone.
 *
 * method/conjugate.h has the formulas. What a sweep keeps is affine in r and follows the direction,
 * so an iteration costs one sweep and a few passes over vectors. Memory: that of fc3d/nsgs and, of
 * r and of its state, two to four vectors. */
#include "core/defaults.h"
#include "method/conjugate.h"
#include "pyramid_model.h"
#include "sweep.h"

#include <math.h>

#define REFRESH 50 /* iterations between fresh states: rounding has no time to build up */

static perp_status iterate(perp_run *run, perp_sweep *s, conjugate *c, double *z)
{
    const perp_fc3d_nncg_options *o = (const perp_fc3d_nncg_options *)run->options;
    double scale = perp_scale(run), estimate = INFINITY;
    perp_sweep_refresh(s);
    perp_conjugate_start(c);
    for (int k = 0;; k++) {
        if (!perp_sweep_continue(run, s, z, k == 0 || perp_sweep_measures(k - 1), estimate)) break;
        bool doubtful = estimate <= o->base.tol; /* the certificate saw more than we do */
        if (k > 0) perp_conjugate_step(c);
        if (k > 0 && (k % REFRESH == 0 || doubtful)) {
            perp_sweep_refresh(s);
            perp_conjugate_refresh(c);
        }
        double error = perp_sweep_run(s, perp_sweep_measures(k));
        if (perp_sweep_measures(k)) estimate = error / scale;
    }
    return perp_sweep_end(run, s, z);
}

static bool approximates(const perp_options *o)
{
    return perp_contact_is_faceted(((const perp_fc3d_nncg_options *)o)->local);
}

static perp_status nncg(perp_run *run, double *z)
{
    const perp_fc3d_nncg_options *o = (const perp_fc3d_nncg_options *)run->options;
    perp_sweep_options how = {.local = o->local,
                              .order = o->order,
                              .relaxation = 1,
                              .facets = 8,
                              .threads = o->base.threads};
    perp_sweep s;
    conjugate c;
    if (approximates(&o->base) && perp_pyramid_approximate(run, how.facets, false)) {
        return run->status;
    }
    perp_status status = perp_sweep_open(run, &how, z, &s);
    if (status) return status;
    bool room =
        perp_conjugate_open(&c, run->arena, o->formula == PERP_CONJUGATION_POLAK_RIBIERE,
                            o->line_search, 3 * (size_t)s.contacts, s.r, s.state_size, s.state);
    c.restart = o->restart;
    status = room ? iterate(run, &s, &c, z) : PERP_E_MEMORY;
    perp_sweep_close(&s);
    return status;
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_fc3d_nncg_options, local, PERP_CONTACT_SOLVERS,
                       "one contact: auto is exact and quick; explicit is exact for spheres only, "
                       "diagonal takes the block's diagonal alone, lemke and qp solve a pyramid"),
    PERP_OPTION_CHOICE(perp_fc3d_nncg_options, order, "given|coloured",
                       "coloured: parts without a common body together, on several threads"),
    PERP_OPTION_CHOICE(
        perp_fc3d_nncg_options, formula, "fletcher_reeves|polak_ribiere",
        "how much of the last direction is kept; polak_ribiere finds its step by a secant"),
    PERP_OPTION(perp_fc3d_nncg_options, restart, 0, 1000000,
                "forget the direction after so many iterations; 0: only where the steps grow"),
    PERP_OPTION(perp_fc3d_nncg_options, line_search, 0, 1,
                "halve what is added of the direction until the steps shrink"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/nncg",
    .about = "nonsmooth nonlinear conjugate gradients around a Gauss-Seidel sweep "
             "(Silcowitz-Hansen, Niebe, Erleben 2010)",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_fc3d_nncg_options),
    .options = options,
    .solve = nncg,
    .approximates = approximates,
    .room = perp_room_none,
};

const perp_fc3d_nncg_options perp_fc3d_nncg = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
