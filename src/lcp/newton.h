/* lcp/newton.h: what lcp/newton_min and lcp/newton_fb share: the loop around their step, its ends,
 * and the options. */
#ifndef PERP_LCP_NEWTON_H
#define PERP_LCP_NEWTON_H

#include "method/semismooth_box.h"
#include "perp/solver.h"
#include "perp/solvers.h"

/* by_min: steps for the minimum map come before those for the map of Fischer and Burmeister. */
perp_status perp_lcp_newton_solve(perp_run *run, double *z, bool by_min);

extern const perp_option perp_lcp_newton_table[];

#endif
