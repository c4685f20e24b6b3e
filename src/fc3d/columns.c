/* fc3d/columns.c: sweeps in local form, by columns of W in the given order, by rows when coloured.
 *
 * Columns: u = W r + q is kept, 4 numbers a contact so that a block column is added four at a time
 * (the fourth is never read); a sweep reads the columns of the contacts that move. Memory: a copy
 * of W. Rows: one product with W a sweep, and no copy. */
#include "../kernel/clones.h"
#include "sweep.h"
#include "visit.h"

#include <string.h>

/* ---- the loops ---- */

/* u += W_j d. All is read before anything is written: then four numbers are one register. */
PERP_INLINED void add_column(const perp_sweep *s, int j, const double d[3])
{
    const double d0 = d[0], d1 = d[1], d2 = d[2];
    for (int k = s->column[j]; k < s->column[j + 1]; k++) {
        const double *B = s->x + 9 * (size_t)k;
        double *v = s->state + 4 * (size_t)s->row[k], t[4];
        for (int i = 0; i < 4; i++) t[i] = v[i] + B[i] * d0 + B[3 + i] * d1 + B[6 + i] * d2;
        for (int i = 0; i < 4; i++) v[i] = t[i];
    }
}

PERP_CLONED
static void sweep_columns(perp_sweep *s, int from, int to, int member)
{
    double *u = s->state;
    for (int j = from; j < to; j++) {
        double d[3];
        if (!visit(s, j, member, u + 4 * (size_t)j, s->r + 3 * (size_t)j, d)) continue;
        add_column(s, j, d);
    }
}

void perp_sweep_columns(perp_sweep *s, int from, int to, int member)
{
    sweep_columns(s, from, to, member);
}

PERP_CLONED
static void sum_row(const struct perp_bsr3_view *W, int i, const double *r, double u[3])
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

void perp_sweep_rows(perp_sweep *s, int from, int to, int member)
{
    for (int p = from; p < to; p++) {
        size_t i = 3 * (size_t)s->order[p];
        double u[3] = {s->q[i], s->q[i + 1], s->q[i + 2]}, d[3];
        sum_row(&s->Wm.as.bsr3, s->order[p], s->r, u);
        visit(s, p, member, u, s->r + i, d);
    }
}

/* ---- opening ---- */

/* Block columns of W: where each column's blocks start, and the rows they stand in. Values too
 * where s->x is there. */
static void transpose(const perp_matrix *A, perp_sweep *s, int *next)
{
    const struct perp_bsr3_view *W = &A->as.bsr3;
    int n = s->contacts;
    for (int k = 0; k < W->p[n]; k++) s->column[W->j[k] + 1]++;
    for (int j = 0; j < n; j++) s->column[j + 1] += s->column[j];
    for (int j = 0; j < n; j++) next[j] = s->column[j];
    for (int i = 0; i < n; i++) {
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            int e = next[W->j[k]]++;
            s->row[e] = i;
            if (s->x) memcpy(s->x + 9 * (size_t)e, W->x + 9 * (size_t)k, 9 * sizeof(double));
        }
    }
}

static perp_status prepare_all(perp_run *run, perp_sweep *s)
{
    const struct perp_bsr3_view *W = &s->Wm.as.bsr3;
    for (int p = 0; p < s->contacts; p++) {
        double block[9] = {0};
        int i = s->order ? s->order[p] : p;
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            for (int e = 0; e < 9 && W->j[k] == i; e++) block[e] += W->x[9 * (size_t)k + (size_t)e];
        }
        perp_status status = perp_sweep_prepare(run, s, p, block);
        if (status) return status;
    }
    return PERP_SOLVED;
}

perp_status perp_sweep_open_local(perp_run *run, const perp_fc3d *f, bool coloured, perp_sweep *s)
{
    perp_error e = {0};
    size_t n = (size_t)f->contacts;
    perp_status status = perp_convert(&f->W, PERP_BSR3, run->arena, &s->Wm, &e);
    if (status) return perp_fail(run, status, "%s", e.text);
    s->q = f->q;
    s->kind = coloured ? PERP_SWEEP_ROWS : PERP_SWEEP_COLUMNS;
    size_t blocks = n ? (size_t)s->Wm.as.bsr3.p[n] : 0;
    s->column = PERP_ALLOC(run, int, n + 1);
    s->row = PERP_ALLOC(run, int, blocks);
    if (!coloured) {
        s->x = perp_alloc_unset(run->arena, 9 * blocks + 3, sizeof *s->x);
        s->state_size = 4 * n;
        s->state = PERP_ALLOC(run, double, s->state_size);
    }
    int *next = PERP_ALLOC(run, int, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (s->x) memset(s->x + 9 * blocks, 0, 3 * sizeof *s->x);
    if (n) transpose(&s->Wm, s, next);
    if (coloured && !perp_colour_rows(run->arena, s, s->column, s->row)) return PERP_E_MEMORY;
    return prepare_all(run, s);
}

void perp_sweep_refresh_columns(perp_sweep *s, const double *r)
{
    const struct perp_bsr3_view *W = &s->Wm.as.bsr3;
    for (int i = 0; i < s->contacts; i++) {
        double u[4] = {0};
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            const double *B = W->x + 9 * (size_t)k, *c = r + 3 * (size_t)W->j[k];
            for (int e = 0; e < 3; e++) u[e] += B[e] * c[0] + B[3 + e] * c[1] + B[6 + e] * c[2];
        }
        for (int e = 0; e < 3; e++) u[e] += s->q[3 * (size_t)i + (size_t)e];
        memcpy(s->state + 4 * (size_t)i, u, sizeof u);
    }
}
