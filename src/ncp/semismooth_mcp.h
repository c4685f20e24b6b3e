/* ncp/semismooth_mcp.h: the semismooth Newton method of method/semismooth_box.h on the mcp of a
 * run: how it is opened, and how it ends. */
#ifndef PERP_NCP_SEMISMOOTH_MCP_H
#define PERP_NCP_SEMISMOOTH_MCP_H

#include "core/jacobian.h"
#include "method/semismooth_box.h"

typedef struct semismooth_mcp {
    perp_run *run;
    perp_semismooth_box s;
    perp_jacobian map;
    double *lo, *hi;
    double *move, *size; /* of a callback (core/callback.h); NULL: the map is affine */
    bool lies;           /* the callback's Jacobian is wrong */
} semismooth_mcp;

/* For run->problem, an mcp without findex. *k must stay where it is. A refusal is the run's. */
perp_status perp_semismooth_mcp_open(semismooth_mcp *k, perp_run *run, int memory);

/* The residual at the iterate: of an affine map that in the norm, of a callback that of
 * core/callback.h with the Jacobian of the iterate, which the certificate finds at least as large.
 */
double perp_semismooth_mcp_estimate(semismooth_mcp *k);

/* Where no start was found: a callback that misbehaves, or F undefined. */
perp_status perp_semismooth_mcp_refuse(semismooth_mcp *k);

/* Where a run got stuck: a proof that an affine problem has no feasible point, a callback that
 * misbehaves, or PERP_STALLED; then it may start elsewhere, unless k->lies. */
perp_status perp_semismooth_mcp_end(semismooth_mcp *k);
/* PERP_STALLED for good, with the sentence. */
perp_status perp_semismooth_mcp_stall(const semismooth_mcp *k);

#endif
