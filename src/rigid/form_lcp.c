/* rigid/form_lcp.c: contacts without friction: the LCP of the normal impulses.
 * Baraff (1994); Sauer, Schoemer (1998), section 2.1. */
#include "assembly.h"

static perp_status make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e)
{
    perp_items items;
    perp_matrix A;
    perp_status status = perp_items_make(s, parts, 1, false, a, &items, e);
    if (!status) status = perp_items_csc(&items, a, &A, e);
    if (!status) *p = perp_make_lcp(A.n, A, items.q);
    return status;
}

const perp_form_ops perp_form_lcp = {.name = "lcp", .kind = PERP_KIND_LCP, .each = 1, .make = make};

perp_status perp_rigid_lcp(const perp_rigid *s, perp_arena *a, perp_problem *p, perp_error *error)
{
    return perp_rigid_assemble(s, &perp_form_lcp, 0, a, p, error);
}
