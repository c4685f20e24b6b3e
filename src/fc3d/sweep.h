/* fc3d/sweep.h: one Gauss-Seidel sweep over the contacts, whatever the form; what nsgs and nncg are
 * made of.
 *
 * Three ways to hold the problem, chosen by perp_sweep_open:
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
#include "bodies.h"
#include "body_to_local.h"
#include "contact.h"
#include "dissection.h"
#include "perp/solver.h"
#include "perp/solvers.h"

typedef enum perp_sweep_kind {
    PERP_SWEEP_COLUMNS,
    PERP_SWEEP_ROWS,
    PERP_SWEEP_BODIES
} perp_sweep_kind;

typedef struct perp_sweep {
    perp_sweep_kind kind;
    int contacts;
    perp_contact_solver local;
    double relaxation;
    int freeze, facets;

    /* by place in the sweep */
    const int *order;       /* contact of each place; NULL: the same */
    double *r;              /* 3 a contact; z itself where the order is the given one */
    perp_dissection *parts; /* what can be done at the same time; NULL: not coloured */
    perp_contact_block *block;
    double *W;       /* 9 a contact: the diagonal blocks */
    double *error;   /* 1 a contact: squared natural map when it was last measured */
    int *quiet;      /* sweeps that a frozen contact sits out; NULL: none freeze */
    double *pyramid; /* (facets + 2)^2 a contact, for lemke and qp */

    double *state;
    size_t state_size;
    perp_body_to_local *reduced; /* body form that does not show its bodies; NULL: none */

    perp_matrix Wm; /* rows: by place, both ways */
    const double *q;
    const int *column, *row; /* columns: rows row[k], k = column[g] .. column[g + 1] - 1 of group g
                              */
    const int *group; /* contacts group[g] .. group[g + 1] - 1, whose columns have the same rows */
    int groups;
    const size_t *at; /* where the values of a group begin */
    const double *x;

    perp_bodies bodies;
    const int *touch; /* by place: two bodies */
    const double *A;  /* by place: 3 x 12, row-major: six numbers for each of the two bodies */
    const double *w;  /* NULL: 0 */

    /* of the sweep that runs */
    bool measure;
    perp_team team;
    double *doubles; /* scratch of lemke and qp, for each member */
    int *ints;
} perp_sweep;

typedef struct perp_sweep_options {
    perp_contact_solver local;
    perp_order order;
    double relaxation;
    int freeze, facets, threads;
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
 * its visit, before it is changed; otherwise 0. */
double perp_sweep_run(perp_sweep *s, bool measure);
/* r into z, and in body form v = L^-T y. */
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

/* ---- local form (sweep_local.c), body form (sweep_bodies.c) ---- */

/* `key` names W (core/opened.h). */
perp_status perp_sweep_open_local(perp_run *run, const perp_fc3d *f, perp_key key, bool coloured,
                                  perp_sweep *s);
perp_status perp_sweep_open_bodies(perp_run *run, bool coloured, perp_sweep *s);
/* Prepare the block of a place, refuse a bad one. */
perp_status perp_sweep_prepare(perp_run *run, perp_sweep *s, int place, const double W[9]);

/* Places from..to - 1, done by one member. */
void perp_sweep_columns(perp_sweep *s, int from, int to, int member);
void perp_sweep_rows(perp_sweep *s, int from, int to, int member);
void perp_sweep_bodies(perp_sweep *s, int from, int to, int member);
void perp_sweep_refresh_columns(perp_sweep *s);
void perp_sweep_refresh_bodies(perp_sweep *s);

/* The order of a coloured sweep and its parts, opened once for the key; `couple` is asked for the
 * couplings of ctx where they have to be found. False: no memory. */
bool perp_sweep_arrange(perp_arena *a, perp_key key,
                        bool (*couple)(perp_arena *a, const void *ctx, perp_couplings *c),
                        perp_sweep *s);
/* A copy of x, three numbers a contact, in the order of the sweep; NULL: no memory. */
double *perp_sweep_by_place(perp_arena *a, const perp_sweep *s, const double *x);

#endif
