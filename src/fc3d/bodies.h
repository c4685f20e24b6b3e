/* fc3d/bodies.h: the bodies of a problem in body form, where M shows them.
 *
 * M is block-diagonal, with bodies of 6 velocities or of 3, and a contact touches at most two of
 * them. With M_b = L L' for each body, y = L'v and A = L^-1 H: u = A'y + w, and an impulse r adds
 * A r to y, so that one array serves both ways, and W = A'A. */
#ifndef PERP_FC3D_BODIES_H
#define PERP_FC3D_BODIES_H

#include "core/opened.h"
#include "perp/solver.h"

#define PERP_BODY_STRIDE 8 /* doubles of y a body, of which at most 6 are used: a cache line */

typedef struct perp_bodies {
    int bodies, dof;  /* dof = 3 or 6 velocities each */
    const int *touch; /* two a contact; the same twice where it touches one */
    const double *L;  /* 36 a body, column-major, lower; the diagonal is inverted */
    const double *A;  /* 36 a contact: A', 3 x 12 row-major, six numbers for each of its bodies */
    double *free;     /* y without any impulse */
    perp_key key;     /* of what M, H and G are, whether they show bodies or not */
} perp_bodies;

/* PERP_E_FORMAT: M does not show bodies, a contact touches three, or there are equalities; reduce
 * it (body_to_local.h); b->key is there all the same. PERP_E_NUMBER: M is not symmetric positive
 * definite, or contacts have no bodies at all. */
perp_status perp_bodies_open(perp_run *run, perp_bodies *b);

/* x += P'Q, column-major, for one body's part, A or A + 6, of two contacts. */
static inline void perp_bodies_couple(const double *P, const double *Q, double x[9])
{
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            const double *p = P + 12 * i, *q = Q + 12 * j;
            x[3 * j + i] += (p[0] * q[0] + p[1] * q[1]) + (p[2] * q[2] + p[3] * q[3]) +
                            (p[4] * q[4] + p[5] * q[5]);
        }
    }
}
/* v = L^-T y */
void perp_bodies_velocities(const perp_bodies *b, const double *y, double *v);

#endif
