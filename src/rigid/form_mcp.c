/* rigid/form_mcp.c: friction boxes and joints as one mixed complementarity problem, assembled.
 * Silcowitz-Hansen, Niebe, Erleben (2010), equations (3) and (7): each tangential impulse within
 * +-mu r_n of its contact, by findex; joints are multipliers without bounds. */
#include "assembly.h"

bool perp_box_bounds(const perp_rigid *s, int joint_rows, perp_arena *a, perp_mcp *out)
{
    size_t n = 3 * (size_t)s->contacts + (size_t)joint_rows;
    double *lo = perp_alloc_unset(a, n, sizeof *lo), *hi = perp_alloc_unset(a, n, sizeof *hi);
    double *mu = perp_alloc(a, n, sizeof *mu);
    int *follows = perp_alloc_unset(a, n, sizeof *follows);
    if (a->failed) return false;
    for (size_t i = 0; i < n; i++) {
        lo[i] = -INFINITY;
        hi[i] = INFINITY;
        follows[i] = -1;
    }
    for (int k = 0; k < s->contacts; k++) {
        lo[3 * k] = 0;
        for (int i = 3 * k + 1; i < 3 * k + 3; i++) {
            follows[i] = 3 * k;
            mu[i] = s->contact[k].mu;
        }
    }
    out->lo = lo;
    out->hi = hi;
    out->follows = follows;
    out->mu = mu;
    return true;
}

static perp_status make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e)
{
    perp_items items;
    perp_matrix A;
    perp_status status = perp_items_make(s, parts, 3, true, a, &items, e);
    if (!status) status = perp_items_csc(&items, a, &A, e);
    if (status) return status;
    *p = perp_make_mcp(A.n, A, items.q, NULL, NULL);
    return perp_box_bounds(s, parts->joint_rows, a, &p->as.mcp) ? PERP_SOLVED
                                                                : perp_assembly_memory(s, e);
}

const perp_form_ops perp_form_mcp = {
    .name = "mcp", .kind = PERP_KIND_MCP, .each = 3, .joint = true, .bare = true, .make = make};

perp_status perp_rigid_mcp(const perp_rigid *s, perp_arena *a, perp_problem *p, perp_error *error)
{
    return perp_rigid_assemble(s, &perp_form_mcp, 0, a, p, error);
}
