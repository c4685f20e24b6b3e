/* cone/interior.h: a cone problem as interior points see it (method/cone_interior.h), in local form
 * and in body form.
 *
 * Local form: the problem scaled by its diagonal (system.h), B + W factored dense or sparse
 * (jacobian.h). Body form: M + H B^-1 H' in the space of velocities (linalg/body_space.h), with
 * free rows and G as equalities; R has to be block diagonal, as the blocks of z are. */
#ifndef PERP_CONE_INTERIOR_H
#define PERP_CONE_INTERIOR_H

#include "method/cone_interior.h"
#include "perp/solver.h"

typedef struct perp_cone_interior {
    perp_interior_equations e;
    const perp_cone_set *set;
    double force, velocity; /* typical sizes */
    /* z as the problem has it, from the point; returns the estimate of its residual. */
    double (*show)(void *ctx, const perp_interior *t, double *z);
} perp_cone_interior;

/* A status < 0 refuses. */
perp_status perp_cone_interior_local(perp_run *run, const double *z, perp_cone_interior *c);
perp_status perp_cone_interior_body(perp_run *run, perp_cone_interior *c);

#endif
