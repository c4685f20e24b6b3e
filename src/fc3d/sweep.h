/* fc3d/sweep.h: one Gauss-Seidel sweep over the contacts, whatever the form; what nsgs and nncg are
 * made of.
 *
 * What every sweep has is here: contacts, their order, r, the diagonal blocks, errors, freezing,
 * the team of threads. How u of a contact is found, and who hears of its change, is the variant's
 * (sweep_variant.h), one of
 *     columns  local form in the given order: u = W r + q is kept up to date, so a contact that
 *              does not move costs nothing but a look. W is copied by block columns.
 *     rows     local form, coloured: u of a contact is summed from its row of W, so that contacts
 *              which are not coupled can be done at the same time.
 *     bodies   body form: with M = L L' by bodies, y = L' v and A = L^-1 H a contact reads
 *              u = A'y + w from two bodies and adds A dr to them: 36 numbers, however many
 *              neighbours it has. W is never formed.
 * A body form that does not show its bodies, or has equalities, is reduced to the local form first.
 * The state (u, nothing, y) is affine in r: nncg combines it as it combines r. */
#ifndef PERP_FC3D_SWEEP_H
#define PERP_FC3D_SWEEP_H

#include "base/team.h"
#include "body_to_local.h"
#include "contact.h"
#include "dissection.h"
#include "perp/solver.h"
#include "perp/solvers.h"

typedef struct perp_sweep_ops perp_sweep_ops; /* sweep_variant.h */

typedef struct perp_sweep {
    const perp_sweep_ops *ops; /* of the variant, and what else it knows */
    void *own;
    int contacts;
    perp_contact_solver local;
    double relaxation;
    int freeze, facets, pivots;

    /* by place in the sweep */
    const int *order;       /* contact of each place; NULL: the same */
    double *r;              /* 3 a contact; z itself where the order is the given one */
    perp_dissection *parts; /* what can be done at the same time; NULL: all places one by one */
    perp_contact_block *block;
    double *W;       /* 9 a contact: the diagonal blocks */
    double *error;   /* 1 a contact: squared natural map when it was last measured */
    int *quiet;      /* sweeps that a frozen contact sits out; NULL: none freeze */
    double *pyramid; /* (facets + 2)^2 a contact, for lemke and qp */

    double *state; /* affine in r, kept up to date by the variant */
    size_t state_size;

    const perp_fc3d *problem;    /* of the run, or the local form that it is reduced to */
    perp_body_to_local *reduced; /* NULL: the problem is that of the run */
    bool apart; /* z has another order than r, or velocities: it is an iterate where written */

    /* of the sweep that runs */
    bool measure;
    bool stopped;            /* the watch asked to stop within it; r and state are those so far */
    const perp_arena *arena; /* whose watch that is */
    perp_team team;
    double *doubles; /* scratch of lemke and qp, for each member */
    int *ints;
} perp_sweep;

typedef struct perp_sweep_options {
    perp_contact_solver local;
    perp_order order;
    double relaxation;
    int freeze, facets, pivots, threads; /* pivots: as perp_contact_lemke has them */
    const perp_sweep_ops *variant;       /* NULL: that of the problem's form and the order */
} perp_sweep_options;

/* Does this solver of one contact put a pyramid in place of the cone? */
static inline bool perp_contact_is_faceted(perp_contact_solver local)
{
    return local == PERP_CONTACT_SOLVER_LEMKE || local == PERP_CONTACT_SOLVER_QP;
}

/* Reads the problem of the run, refuses what it cannot work with; starts from z. Close it if it
 * returns 0. */
perp_status perp_sweep_open(perp_run *run, const perp_sweep_options *o, double *z, perp_sweep *s);
void perp_sweep_close(perp_sweep *s);

/* The state from r, free of what rounding has added up. */
void perp_sweep_refresh(perp_sweep *s);
/* Once over all contacts. When it measures, returns |natural map|, each contact's at the time of
 * its visit, before it is changed; otherwise 0. INFINITY: the watch of the arena asked to stop, and
 * only the first contacts were visited; a team of several does not look. */
double perp_sweep_run(perp_sweep *s, bool measure);
/* r into z, and in body form the velocities behind it. */
void perp_sweep_write(const perp_sweep *s, double *z);
/* The contact with the largest error when it was last measured. */
int perp_sweep_worst(const perp_sweep *s);

/* Measuring costs as much as a sweep: the first ones do, later one in five, then ever fewer. */
static inline bool perp_sweep_measures(int sweep)
{
    int spacing = sweep < 100 ? 5 : sweep < 1000 ? 10 : 20;
    return sweep < 5 || sweep % spacing == spacing - 1;
}
/* perp_continue, with z brought up to date where the last sweep was measured; where it is not r
 * itself it is an iterate only there. */
bool perp_sweep_continue(perp_run *run, const perp_sweep *s, double *z, bool measured,
                         double estimate);
/* How a solver of sweeps returns: z, and where it did not converge a word on where. */
perp_status perp_sweep_end(perp_run *run, const perp_sweep *s, double *z);

#endif
