/* core/lift_csc.c: compressed columns for restated problems, and the two refusals that they have in
 * common. */
#include "kinds.h"

perp_status perp_lift_refuse_memory(perp_error *e)
{
    return perp_refuse(e, PERP_E_MEMORY, "the arena has no room for the restated problem");
}

perp_status perp_lift_refuse_count(perp_error *e)
{
    return perp_refuse(e, PERP_E_FORMAT,
                       "the restated problem has too many entries for int indices");
}

perp_status perp_lift_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    perp_status status = perp_convert(A, PERP_FORMAT_CSC, a, out, e);
    if (status) return status;
    return perp_sort_csc(out, a, out) ? perp_lift_refuse_memory(e) : PERP_SOLVED;
}

perp_status perp_lift_transpose(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                perp_error *e)
{
    const struct perp_csc_view *v = &A->as.csc;
    size_t count = (size_t)v->p[A->n], m = (size_t)A->m;
    int *p = perp_alloc(a, m + 1, sizeof *p), *next = perp_alloc(a, m, sizeof *next);
    int *row = perp_alloc_unset(a, count, sizeof *row);
    double *x = perp_alloc_unset(a, count, sizeof *x);
    if (a->failed) return perp_lift_refuse_memory(e);
    for (int k = 0; k < v->p[A->n]; k++) p[v->i[k] + 1]++;
    for (int i = 0; i < A->m; i++) {
        p[i + 1] += p[i];
        next[i] = p[i];
    }
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int to = next[v->i[k]]++;
            row[to] = j;
            x[to] = v->x[k];
        }
    }
    *out = perp_csc(A->n, A->m, p, row, x);
    return PERP_SOLVED;
}
