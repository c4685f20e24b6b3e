/* fc3d/nsgs.c: nonsmooth Gauss-Seidel: one contact after the other, each solved exactly.
 * Jean and Moreau (1992); Renouf, Acary and Dumont (2005), section 6.2.
 *
 * Slow sweeps are over-relaxed as a whole now and then, by a factor found from their steps
 * (method/extrapolate.h); extrapolate = false leaves that out. With local = lemke or qp the problem
 * on pyramids is solved instead, and stop test and best iterate follow its residual.
 *
 * A sweep costs at most one product with W, or, in body form, 72 multiplications a contact; the
 * contact itself 30 to 100 ns, the less the nearer it is to where it was. Memory: a copy of W, or
 * 500 bytes a contact in body form. */
#include "core/defaults.h"
#include "method/extrapolate.h"
#include "pyramid_model.h"
#include "sweep.h"

#include <math.h>

#define REFRESH 50 /* sweeps between fresh states: rounding has no time to build up */
#define PLAIN 200  /* sweeps before the first that is extrapolated: easy problems need none */
#define WARM 10    /* the same from a warm start, where little changes any more */

static perp_status iterate(perp_run *run, perp_sweep *s, extrapolation *t, double *z)
{
    double scale = perp_scale(run), estimate = INFINITY;
    perp_sweep_refresh(s);
    for (int k = 0; perp_sweep_continue(run, s, z, k == 0 || perp_sweep_measures(k - 1), estimate);
         k++) {
        bool doubtful = estimate <= run->options->tol; /* the certificate saw more than we do */
        if (k > 0 && (k % REFRESH == 0 || doubtful)) perp_sweep_refresh(s);
        if (t) perp_extrapolate_step(t);
        double error = perp_sweep_run(s, perp_sweep_measures(k));
        if (perp_sweep_measures(k)) estimate = error / scale;
    }
    return perp_sweep_end(run, s, z);
}

static bool approximates(const perp_options *o)
{
    return perp_contact_is_faceted(((const perp_fc3d_nsgs_options *)o)->local);
}

static perp_status nsgs(perp_run *run, double *z)
{
    const perp_fc3d_nsgs_options *o = (const perp_fc3d_nsgs_options *)run->options;
    perp_sweep_options how = {.local = o->local,
                              .order = o->order,
                              .relaxation = o->relaxation,
                              .freeze = o->freeze,
                              .facets = o->facets + o->facets % 2,
                              .pivots = o->pivots,
                              .threads = o->base.threads};
    perp_sweep s;
    if (approximates(&o->base) && perp_pyramid_approximate(run, how.facets, false)) {
        return run->status;
    }
    perp_status status = perp_sweep_open(run, &how, z, &s);
    if (status) return status;
    extrapolation t;
    bool many = o->base.max_iter > PLAIN; /* or none are left to pay an extrapolation back */
    int first = o->base.warm_start && many ? WARM : PLAIN;
    bool room =
        !o->extrapolate || perp_extrapolate_open(&t, run->arena, first, 3 * (size_t)s.contacts, s.r,
                                                 s.state_size, s.state);
    status = room ? iterate(run, &s, o->extrapolate ? &t : NULL, z) : PERP_E_MEMORY;
    perp_sweep_close(&s);
    return status;
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_fc3d_nsgs_options, local, PERP_CONTACT_SOLVERS,
                       "one contact: auto is exact and quick; explicit is exact for spheres only, "
                       "diagonal takes the block's diagonal alone, lemke and qp solve a pyramid"),
    PERP_OPTION_CHOICE(perp_fc3d_nsgs_options, order, "given|coloured",
                       "coloured: parts without a common body together, on several threads"),
    PERP_OPTION(perp_fc3d_nsgs_options, relaxation, 1e-3, 1.999,
                "part of each contact's step, 1: all"),
    PERP_OPTION(perp_fc3d_nsgs_options, freeze, 0, 1000,
                "sweeps that a contact which no longer moves sits out"),
    PERP_OPTION(perp_fc3d_nsgs_options, facets, 4, 64,
                "edges of the pyramid of lemke and qp, made even"),
    PERP_OPTION(perp_fc3d_nsgs_options, extrapolate, 0, 1,
                "follow the steps of slow sweeps to where they lead (Lyusternik 1947)"),
    PERP_OPTION(
        perp_fc3d_nsgs_options, pivots, 0, 1000000,
        "pivots of local = lemke on one contact at most, which keeps its impulse where they "
        "do not suffice; 0: 8 times its unknowns"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/nsgs",
    .about = "nonsmooth Gauss-Seidel, contacts solved exactly (Jean, Moreau 1992; Renouf, Acary, "
             "Dumont 2005)",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_fc3d_nsgs_options),
    .options = options,
    .solve = nsgs,
    .approximates = approximates,
    .room = perp_room_none,
};

const perp_fc3d_nsgs_options perp_fc3d_nsgs = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
    .relaxation = 1,
    .facets = 8,
    .extrapolate = true,
};
