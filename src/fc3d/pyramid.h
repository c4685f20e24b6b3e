/* fc3d/pyramid.h: friction on pyramids, as a linear complementarity problem with bounds.
 *
 * A contact's force is r = E a, its unknowns are a and multipliers l of the pyramid's sides:
 *     a  _|_  E'(W E a + q) + C l,      0 <= l  _|_  B a >= 0,      C = -B' without its first row,
 * the first unknown of a being r_N >= 0, so that friction feels l and the normal does not.
 * Inner pyramid (Stewart and Trinkle 1996): a = (r_N, b), b >= 0 along each of its edges, one side
 * mu r_N - sum b >= 0: an LCP. Outer pyramid (Klarbring 1986; Renouf, Acary, Dumont 2005, equations
 * 26 to 30): a = r with r_T free, a side mu r_N - c_k.r_T >= 0 for each c_k: an MCP. */
#ifndef PERP_FC3D_PYRAMID_H
#define PERP_FC3D_PYRAMID_H

#include "contact_matrix.h"

typedef struct perp_pyramid {
    const perp_contact_matrix *b;
    bool outer;
    int facets;
    int forces, sides, size; /* of a contact: unknowns a, unknowns l, both */
    double shift;            /* added to the diagonal of l, over the contact's mean diagonal of W */
    double *E, *B;           /* 3 x forces, sides x forces a contact, by columns */
    double *q, *lo;          /* of the problem */
} perp_pyramid;

/* Takes the memory for E, B, q, lo. */
perp_status perp_pyramid_open(perp_run *run, const perp_contact_matrix *b, bool outer, int facets,
                              perp_pyramid *p);
/* Edges, or middles of sides, of a contact: the first at an angle. */
void perp_pyramid_turn(perp_pyramid *p, int contact, double angle);
/* The problem for the pyramids as they stand; its matrix lies in the run's arena. */
perp_status perp_pyramid_problem(perp_run *run, perp_pyramid *p, perp_problem *out);
/* What stands on the diagonal of a contact's multipliers. */
double perp_pyramid_shift(const perp_pyramid *p, int contact);
/* r = E a */
void perp_pyramid_forces(const perp_pyramid *p, const double *z, double *r);

#endif
