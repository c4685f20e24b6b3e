/* fc3d/body_to_local.h: a problem in body form as one in local form.
 *
 * W = H' P H, q = H' (P f - Q b) + w, where v = P (f + H r) - Q b solves M v - G l = f + H r,
 * G'v = -b: closed by bodies where M shows them (bodies.h), otherwise through a sparse LU factor of
 * that system, which is why a solver that reduces is flagged PERP_SOLVER_MAY_ALLOCATE, or a dense
 * one on a fixed arena. W depends on M, H and G alone and is opened once (core/opened.h). A solver
 * of the local form works on reduced.local, and calls perp_body_to_local_back before it shows z. */
#ifndef PERP_FC3D_BODY_TO_LOCAL_H
#define PERP_FC3D_BODY_TO_LOCAL_H

#include "bodies.h"
#include "core/reduction.h"

typedef struct perp_body_to_local {
    perp_fc3d local;
    perp_bodies bodies;       /* where M shows them; bodies.L is NULL otherwise */
    perp_reduction reduction; /* otherwise, with the problem's matrices: */
    perp_fc3d body;
    perp_matrix rigid; /* absent: there is no compliance */
    double *work;      /* y */
    perp_key key;      /* of what W is */
} perp_body_to_local;

/* Everything in the run's arena. PERP_E_NUMBER: M is singular, or G's columns depend on each other.
 */
perp_status perp_body_to_local_open(perp_run *run, perp_body_to_local *d);
/* From r, the first 3 contacts numbers of z, to v and l behind it. */
void perp_body_to_local_back(const perp_body_to_local *d, double *z);

#endif
