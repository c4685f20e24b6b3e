/* qp/ipm_convex.c: is x'Hx >= 0 for all x? One factor of (H + H')/2, shifted by what its rounding
 * may be. */
#include "core/internal.h"
#include "ipm.h"

#define SHIFT 1e-9 /* of the largest entry */

/* Columns of the lower triangle begin with their diagonal entry, which may be missing. */
static void copy_lower(const struct perp_csc_view *H, int n, int *start, int *i, double *x)
{
    int to = 0;
    for (int j = 0; j < n; j++) {
        int k = H->p[j];
        bool there = k < H->p[j + 1] && H->i[k] == j;
        start[j] = to;
        i[to] = j;
        x[to++] = there ? H->x[k] : 0;
        for (k += there; k < H->p[j + 1]; k++) {
            i[to] = H->i[k];
            x[to++] = H->x[k];
        }
    }
    start[n] = to;
}

/* Lower triangle of (H + H')/2 with its diagonal, sorted; p->H holds it but for entries of the
 * diagonal where it is symmetric. Otherwise entries are to be sorted and summed. */
static bool lower_part(const ipm_problem *p, perp_arena *a, perp_matrix *out)
{
    const struct perp_csc_view *H = &p->H.as.csc;
    size_t n = (size_t)p->n, most = (size_t)H->p[p->n] + n;
    int *start = perp_alloc(a, n + 2, sizeof *start), *i = perp_alloc_unset(a, most, sizeof *i);
    double *x = perp_alloc_unset(a, most, sizeof *x);
    if (a->failed) return false;
    if (p->symmetric) {
        copy_lower(H, p->n, start, i, x);
        *out = perp_csc(p->n, p->n, start, i, x);
        return true;
    }
    for (int j = 0; j < p->n; j++) {
        start[j + 2]++;
        for (int k = H->p[j]; k < H->p[j + 1]; k++) start[(H->i[k] < j ? H->i[k] : j) + 2]++;
    }
    for (int j = 0; j < p->n; j++) start[j + 2] += start[j + 1];
    int *next = start + 1;
    for (int j = 0; j < p->n; j++) {
        i[next[j]] = j;
        x[next[j]++] = 0;
        for (int k = H->p[j]; k < H->p[j + 1]; k++) {
            int row = H->i[k], column = row < j ? row : j;
            i[next[column]] = row < j ? j : row;
            x[next[column]++] = row == j ? H->x[k] : 0.5 * H->x[k];
        }
    }
    perp_matrix all = perp_csc(p->n, p->n, start, i, x);
    return perp_sort_csc(&all, a, out) == PERP_SOLVED;
}

perp_status perp_ipm_convex(const ipm_problem *p, perp_arena *a, bool *convex)
{
    perp_matrix S;
    perp_ldl f;
    *convex = true;
    if (p->linear) return PERP_SOLVED;
    perp_mark mark = perp_arena_mark(a);
    bool *negative = perp_alloc(a, (size_t)p->n, sizeof *negative);
    if (!negative || !lower_part(p, a, &S)) return PERP_E_MEMORY;
    const int *start = S.as.csc.p;
    double *x = perp_alloc_unset(a, (size_t)start[p->n], sizeof *x), most = 0;
    if (!x || !perp_ldl_open(&f, a, p->n, start, S.as.csc.i, negative)) return PERP_E_MEMORY;
    for (int k = 0; k < start[p->n]; k++) {
        x[k] = S.as.csc.x[k];
        most = fabs(x[k]) > most ? fabs(x[k]) : most;
    }
    for (int j = 0; j < p->n; j++) x[start[j]] += SHIFT * most;
    /* perp_bytes takes it for convex */
    *convex = most == 0 || a->counting || perp_ldl_compute(&f, x, 0, most) == 0;
    perp_arena_release(a, mark);
    return PERP_SOLVED;
}
