/* fc3d/sweep_local.c: W of the local form by block rows, its transpose, its diagonal blocks. */
#include "sweep_local.h"

#include <string.h>

perp_status perp_sweep_local_rows(perp_run *run, const perp_sweep *s, struct perp_bsr3_view *W)
{
    perp_error e = {0};
    perp_matrix rows;
    perp_status status =
        perp_opened_convert(&s->problem->W, PERP_FORMAT_BSR3, run->arena, &rows, &e);
    if (status) return perp_fail(run, status, "%s", e.text);
    *W = rows.as.bsr3;
    return PERP_SOLVED;
}

bool perp_sweep_local_transpose(perp_arena *a, int n, const struct perp_bsr3_view *W,
                                perp_sweep_transposed *t)
{
    size_t blocks = n ? (size_t)W->p[n] : 0;
    t->start = perp_alloc(a, (size_t)n + 1, sizeof *t->start);
    t->rows = perp_alloc_unset(a, blocks, sizeof *t->rows);
    t->source = perp_alloc_unset(a, blocks, sizeof *t->source);
    int *next = perp_alloc_unset(a, (size_t)n, sizeof *next);
    if (a->failed) return false;
    for (size_t k = 0; k < blocks; k++) t->start[W->j[k] + 1]++;
    for (int j = 0; j < n; j++) t->start[j + 1] += t->start[j];
    for (int j = 0; j < n; j++) next[j] = t->start[j];
    for (int i = 0; i < n; i++) {
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            int e = next[W->j[k]]++;
            t->rows[e] = i;
            t->source[e] = k;
        }
    }
    return true;
}

void perp_sweep_local_block(const struct perp_bsr3_view *W, int i, double block[9])
{
    memset(block, 0, 9 * sizeof *block);
    for (int k = W->p[i]; k < W->p[i + 1]; k++) {
        for (int e = 0; e < 9 && W->j[k] == i; e++) block[e] += W->x[9 * (size_t)k + (size_t)e];
    }
}
