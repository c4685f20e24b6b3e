/* fc3d/pyramid_model.h: friction pyramids as the model of a solver (perp_approximate). */
#ifndef PERP_FC3D_PYRAMID_MODEL_H
#define PERP_FC3D_PYRAMID_MODEL_H

#include "perp/solver.h"

/* The run solves its problem on pyramids of so many edges, the first along t1 (inner), or with
 * sides that touch the cone, the middle of the first along t1 (outer). True: the solver returns
 * run->status at once, because the start solves that, or there is no memory. */
bool perp_pyramid_approximate(perp_run *run, int facets, bool outer);

#endif
