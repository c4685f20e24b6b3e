/* fc3d/sweep_variant.h: what a variant of the sweep supplies, and what sweep.c does for it.
 *
 * A variant is a file with a perp_sweep_ops and a place in the table of sweep.c, which chooses by
 * form and order. sweep.c opens it, prepares its diagonal blocks, shares its places among threads,
 * and calls it; sweep_local.h has what variants in local form share. */
#ifndef PERP_FC3D_SWEEP_VARIANT_H
#define PERP_FC3D_SWEEP_VARIANT_H

#include "sweep.h"

struct perp_sweep_ops {
    /* Reads s->problem; sets s->own, s->state and s->state_size and, where the order is its own,
     * s->order and s->parts (perp_sweep_arrange). PERP_E_FORMAT in body form: the problem is to be
     * reduced to the local form, and the variant of that opened instead. */
    perp_status (*open)(perp_run *run, const perp_sweep_options *o, perp_sweep *s);
    /* The diagonal block of a place. */
    void (*block)(const perp_sweep *s, int place, double W[9]);
    /* Places from..to - 1, one after the other, done by one member of the team: u of each, visit
     * (contact_update.h), and the change into the state. Without parts one member is called for
     * slice after slice, from the first place on. When all have returned r, state and, where
     * s->measure, error are those of all places. */
    void (*places)(perp_sweep *s, int from, int to, int member);
    /* The state from r; NULL: there is no state. */
    void (*refresh)(perp_sweep *s);
    /* What z has behind r; NULL: nothing, or what s->reduced knows. */
    void (*write)(const perp_sweep *s, double *z);
    /* Gives back what does not lie in the arena, of a variant that was opened; NULL: nothing. */
    void (*close)(perp_sweep *s);
};

extern const perp_sweep_ops perp_sweep_columns, perp_sweep_rows, perp_sweep_bodies;

/* What perp_sweep_bodies.places reads, and block: it may be called by a variant whose `own` begins
 * with this, for whatever bodies its state holds. */
typedef struct perp_sweep_touch {
    const int *touch; /* by place: two bodies */
    const double *A;  /* by place: 3 x 12, row-major: six numbers for each of the two bodies */
    const double *w;  /* NULL: 0 */
} perp_sweep_touch;

/* What couples the contacts of s; false: no memory. */
typedef bool perp_sweep_couple(perp_arena *a, const perp_sweep *s, perp_couplings *c);
/* Of what W of s->problem is made. */
perp_key perp_sweep_key(const perp_sweep *s);
/* The order of a coloured sweep and its parts, opened once for the key; `couple` is asked where
 * they have to be found. False: no memory. */
bool perp_sweep_arrange(perp_arena *a, perp_key key, perp_sweep_couple *couple, perp_sweep *s);
/* A copy of x, three numbers a contact, in the order of the sweep; NULL: no memory. */
double *perp_sweep_by_place(perp_arena *a, const perp_sweep *s, const double *x);

#endif
