/* fc3d/semismooth_cone.h: the direction of a semismooth Newton step for all contacts at once.
 *
 * Maps of Alart and Curnier (1991) and of Jean and Moreau (1987), with rho from each contact's
 * block, for u = W r + q + alpha (r - centre). Contacts that take off leave the system: only those
 * that close are factored (contact_matrix.h). */
#ifndef PERP_FC3D_SEMISMOOTH_CONE_H
#define PERP_FC3D_SEMISMOOTH_CONE_H

#include "contact.h"
#include "contact_matrix.h"

typedef struct perp_semismooth_cone {
    perp_contact_matrix *b;
    perp_contact_map map;
    double rho;           /* times 3 / trace of the block */
    double alpha;         /* added to W's diagonal */
    const double *centre; /* NULL: alpha joins the Jacobian alone, as a regularisation */
    double *u;            /* W r + q + alpha (r - centre) */
    double *A, *B, *F;    /* rows of the Jacobian A W + B, and the map */
    double *d;            /* the direction */
    int *list, closed;    /* contacts in the system */
    double *x;            /* scratch: a vector of the system */
} perp_semismooth_cone;

bool perp_semismooth_cone_open(perp_run *run, perp_contact_matrix *b, perp_semismooth_cone *s);
/* From v = W r + q into d and u. False: the system is singular, or there is no memory. */
bool perp_semismooth_cone_direct(perp_semismooth_cone *s, const double *r, const double *v);
/* |natural map| of the problem with alpha and centre, from v = W r + q; overwrites u. */
double perp_semismooth_cone_error(perp_semismooth_cone *s, const double *r, const double *v);

#endif
