/* rigid/form_local.c: Coulomb's cone in local form: the Delassus operator W = J M^-1 J' in 3x3
 * blocks. Renouf, Acary, Dumont (2005), equation (24). Two contacts have a block in common when
 * they share a free body; each block is two 3x3 products at most. */
#include "assembly.h"

/* Blocks (k, l) with l >= k, and their mirrors: rows are met in ascending order, so the block (l,
 * k) is the next one of row l. */
static void fill_row(const perp_items *items, int k, int *next, double *x)
{
    for (int t = next[k]; t < items->p[k + 1]; t++) {
        int l = items->to[t];
        double *block = x + 9 * (size_t)t;
        perp_items_block(items, k, l, block, 3);
        if (l == k) continue;
        double *mirror = x + 9 * (size_t)next[l]++;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) mirror[3 * i + j] = block[3 * j + i];
        }
    }
}

static perp_status make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e)
{
    perp_items items;
    perp_status status = perp_items_make(s, parts, 3, false, a, &items, e);
    if (status) return status;
    int K = s->contacts;
    size_t blocks = (size_t)items.p[K];
    double *x = perp_alloc_unset(a, 9 * blocks, sizeof *x);
    int *next = perp_alloc_unset(a, (size_t)K, sizeof *next);
    double *mu = perp_alloc_unset(a, (size_t)K, sizeof *mu);
    if (a->failed) return perp_assembly_memory(s, e);
    for (int k = 0; k < K; k++) {
        mu[k] = s->contact[k].mu;
        next[k] = items.p[k];
    }
    for (int k = 0; k < K; k++) fill_row(&items, k, next, x);
    *p = perp_make_fc3d(K, perp_bsr3(K, K, items.p, items.to, x), items.q, mu);
    return PERP_SOLVED;
}

const perp_form_ops perp_form_local = {
    .name = "fc3d", .kind = PERP_KIND_FC3D, .each = 3, .make = make};

perp_status perp_rigid_fc3d_local(const perp_rigid *s, perp_arena *a, perp_problem *p,
                                  perp_error *error)
{
    return perp_rigid_assemble(s, &perp_form_local, 0, a, p, error);
}
