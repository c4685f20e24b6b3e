/* core/body_form.h: what the kinds with a body form have in common: M v = f + H z + G l,
 * u = H'v + R z + w, G'v + b = 0, with z behind the law of the kind, v the velocities of bodies, l
 * the multipliers of equalities and R the compliance. Its unknowns are (z, v, l), its slack
 * (u, M v - f - H z - G l, G'v + b). */
#ifndef PERP_BODY_FORM_H
#define PERP_BODY_FORM_H

#include "sums.h"

typedef struct perp_body_form {
    int rows;                         /* of z */
    const perp_matrix *M, *H, *G, *R; /* G and R may be absent */
    const double *f, *w, *b;          /* w and b may be NULL: 0 */
} perp_body_form;

int perp_body_velocities(const perp_body_form *b);
int perp_body_equalities(const perp_body_form *b);
bool perp_body_is_rigid(const perp_body_form *b); /* without a compliance */
int perp_body_size(const perp_body_form *b);      /* of (z, v, l); -1: too large */

perp_status perp_body_validate(const perp_body_form *b, perp_error *e);

/* What the residual's parts are divided by: |H' D^-1 (f + H z) + R z + w|, |f| and
 * |G' D^-1 f| + |b|, D the diagonal of M, and z (NULL: 0) the smallest point of the set. The first
 * stands for the |W z + q| of the local form, so that no factorisation is needed to judge. s[0] is
 * NAN where there is no memory. */
void perp_body_scales(const perp_body_form *b, const double *z, perp_arena *a, double s[3]);
/* The terms of the slack at (z, v, l). */
void perp_body_slack(const perp_body_form *b, const double *z, perp_sums *t);
/* What the equations add to the scaled residual at the slack w. */
double perp_body_equations(const perp_body_form *b, const double *w, const double s[3]);

#endif
