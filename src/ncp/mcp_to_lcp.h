/* ncp/mcp_to_lcp.h: an affine MCP with bounds and friction boxes as an LCP with the same solutions.
 */
#ifndef PERP_NCP_MCP_TO_LCP_H
#define PERP_NCP_MCP_TO_LCP_H

#include "perp/problem.h"

/* z_i = shift_i + x[plus_i] - x[minus_i], each term where its index is >= 0. */
typedef struct perp_mcp_as_lcp {
    int n, size; /* of the MCP, of the LCP */
    perp_problem lcp;
    int *plus, *minus, *limit; /* limit: the multiplier of what bounds the sum of the two */
    double *shift;
} perp_mcp_as_lcp;

/* In the arena; dense where M is, else CSC. PERP_E_FORMAT: a normal force that a box follows may be
 * negative, or M is an operator; PERP_E_MEMORY. */
perp_status perp_mcp_to_lcp(const perp_mcp *p, perp_arena *a, perp_mcp_as_lcp *u);
void perp_mcp_from_lcp(const perp_mcp_as_lcp *u, const double *x, double *z);

#endif
