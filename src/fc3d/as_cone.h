/* fc3d/as_cone.h: a friction problem as one of the kind cone, exact or convex. */
#ifndef PERP_FC3D_AS_CONE_H
#define PERP_FC3D_AS_CONE_H

#include "perp/solver.h"

/* The problem of the run with s = part mu: part = 1 is Coulomb's law itself, 0 its convex
 * relaxation, a second-order cone program. Matrices and z are the same. False: no memory. */
bool perp_fc3d_as_cone(perp_run *run, double part, perp_problem *out);

#endif
