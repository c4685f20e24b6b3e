/* fc3d/sweep_rows.c: sweeps in local form, coloured, by rows of W.
 *
 * u of a contact is summed from its row when its turn comes, so that nothing but r is shared by the
 * threads. Cost: one product with W a sweep. Memory: a copy of W in the order of the sweep, which
 * is opened once (core/opened.h). */
#include "base/clones.h"
#include "contact_update.h"
#include "sweep_local.h"
#include "sweep_variant.h"

#include <string.h>

typedef struct row_sweep {
    struct perp_bsr3_view W; /* by place, both ways */
    const double *q;         /* by place */
} row_sweep;

PERP_CLONED_VOID(sum_row, (const struct perp_bsr3_view *W, int i, const double *r, double u[3]),
                 (W, i, r, u))
{
    double s0[3] = {0}, s1[3] = {0}, s2[3] = {0};
    for (int k = W->p[i]; k < W->p[i + 1]; k++) {
        const double *B = W->x + 9 * (size_t)k, *c = r + 3 * (size_t)W->j[k];
        for (int e = 0; e < 3; e++) {
            s0[e] += B[e] * c[0];
            s1[e] += B[3 + e] * c[1];
            s2[e] += B[6 + e] * c[2];
        }
    }
    for (int e = 0; e < 3; e++) u[e] += s0[e] + s1[e] + s2[e];
}

static void sweep_places(perp_sweep *s, int from, int to, int member)
{
    const row_sweep *own = s->own;
    for (int p = from; p < to; p++) {
        size_t i = 3 * (size_t)p;
        double u[3] = {own->q[i], own->q[i + 1], own->q[i + 2]}, d[3];
        sum_row(&own->W, p, s->r, u);
        visit(s, false, p, member, u, s->r + i, d);
    }
}

static void read_block(const perp_sweep *s, int place, double W[9])
{
    const row_sweep *own = s->own;
    perp_sweep_local_block(&own->W, place, W);
}

/* ---- opening ---- */

/* W with its rows and columns by place; false: no memory. */
static bool copy_rows(perp_arena *a, const perp_sweep *s, struct perp_bsr3_view *W)
{
    int n = s->contacts, *place = perp_alloc_unset(a, (size_t)n, sizeof *place);
    size_t blocks = n ? (size_t)W->p[n] : 0;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), *j = perp_alloc_unset(a, blocks, sizeof *j);
    double *x = perp_alloc_unset(a, 9 * blocks, sizeof *x);
    if (a->failed) return false;
    for (int k = 0; k < n; k++) place[s->order[k]] = k;
    for (int k = 0; k < n; k++) {
        int from = W->p[s->order[k]], count = W->p[s->order[k] + 1] - from;
        for (int l = 0; l < count; l++) j[p[k] + l] = place[W->j[from + l]];
        if (count) { /* W without any block has no values */
            memcpy(x + 9 * (size_t)p[k], W->x + 9 * (size_t)from, 9 * (size_t)count * sizeof *x);
        }
        p[k + 1] = p[k] + count;
    }
    *W = perp_bsr3(n, n, p, j, x).as.bsr3;
    return true;
}

static bool couple(perp_arena *a, const perp_sweep *s, perp_couplings *c)
{
    const row_sweep *own = s->own;
    perp_sweep_transposed t;
    if (!perp_sweep_local_transpose(a, s->contacts, &own->W, &t)) return false;
    *c = (perp_couplings){s->contacts, s->contacts, NULL, {own->W.p, t.start}, {own->W.j, t.rows}};
    return true;
}

static perp_status open_rows(perp_run *run, const perp_sweep_options *o, perp_sweep *s)
{
    (void)o;
    perp_arena *a = run->arena;
    row_sweep *own = s->own = PERP_ALLOC(run, row_sweep, 1);
    if (a->failed) return PERP_E_MEMORY;
    perp_status status = perp_sweep_local_rows(run, s, &own->W);
    if (status) return status;
    bool room = perp_sweep_arrange(a, perp_sweep_key(s), couple, s) && copy_rows(a, s, &own->W) &&
                (own->q = perp_sweep_by_place(a, s, s->problem->q));
    return room ? PERP_SOLVED : PERP_E_MEMORY;
}

const perp_sweep_ops perp_sweep_rows = {
    .open = open_rows,
    .block = read_block,
    .places = sweep_places,
};
