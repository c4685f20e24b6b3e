/* ncp/infeasible_lp.h: is there any z in the box whose F has the signs that the bounds ask for? */
#ifndef PERP_NCP_INFEASIBLE_LP_H
#define PERP_NCP_INFEASIBLE_LP_H

#include "perp/solver.h"

/* For run->problem, an affine mcp without findex. PERP_INFEASIBLE: there is none, and
 * run->proof proves it; PERP_E_MEMORY; else PERP_SOLVED: there is one, or it is not known. */
perp_status perp_infeasible_lp(perp_run *run);

#endif
