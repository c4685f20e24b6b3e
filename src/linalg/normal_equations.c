/* linalg/normal_equations.c: A_a'A_a + e I or A_a A_a' + e I, summed column by column, and sparse
 * Cholesky. On random Jacobians of 1000 bodies A_a A_a' costs five times as much to factor as
 * A_a'A_a where the set has half as many columns as A has rows, and two thirds where it has as
 * many. Its sets are large, their patterns nearly that of A A': one analysis does for all. */
#include "normal_equations.h"

#include "principal_submatrix.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#define MANY 0.8 /* columns of the set over rows, from which K is factored */

typedef perp_column_list columns;

static bool open_columns(columns *c, int m, int n, size_t entries, perp_arena *a)
{
    *c = (columns){.m = m, .n = n};
    c->p = perp_alloc(a, (size_t)n + 1, sizeof *c->p);
    c->i = perp_alloc_unset(a, entries, sizeof *c->i);
    c->x = perp_alloc_unset(a, entries, sizeof *c->x);
    return !a->failed;
}

static double scale_of(const perp_normal_equations *f, int j)
{
    return f->scale ? f->scale[f->set[j]] : 1;
}

/* B = A_a */
static bool copy_columns(const perp_normal_equations *f, columns *B)
{
    const struct perp_csc_view *c = &f->A.as.csc;
    size_t entries = 0;
    for (int j = 0; j < f->k; j++) entries += (size_t)(c->p[f->set[j] + 1] - c->p[f->set[j]]);
    if (!open_columns(B, f->A.m, f->k, entries, f->arena)) return false;
    for (int j = 0; j < f->k; j++) {
        int from = c->p[f->set[j]], count = c->p[f->set[j] + 1] - from, to = B->p[j];
        memcpy(B->i + to, c->i + from, (size_t)count * sizeof *B->i);
        double t = scale_of(f, j);
        for (int e = 0; e < count; e++) B->x[to + e] = t * c->x[from + e];
        B->p[j + 1] = to + count;
    }
    return true;
}

static bool transpose(const columns *B, columns *T, perp_arena *a)
{
    if (!open_columns(T, B->n, B->m, (size_t)B->p[B->n], a)) return false;
    for (int e = 0; e < B->p[B->n]; e++) T->p[B->i[e] + 1]++;
    for (int r = 0; r < T->n; r++) T->p[r + 1] += T->p[r];
    for (int j = 0; j < B->n; j++) {
        for (int e = B->p[j]; e < B->p[j + 1]; e++) {
            int to = T->p[B->i[e]]++;
            T->i[to] = j;
            T->x[to] = B->x[e];
        }
    }
    for (int r = T->n; r > 0; r--) T->p[r] = T->p[r - 1];
    T->p[0] = 0;
    return true;
}

/* The columns of B from j on that share a row with it; mark[c] = j + 1 for them. Returns how many;
 * they are in `list`, unsorted, unless that is NULL. T = B'. */
static int find_pattern(const columns *B, const columns *T, int j, int *mark, int *list)
{
    int count = 0;
    mark[j] = j + 1;
    if (list) list[count] = j;
    count++;
    for (int e = B->p[j]; e < B->p[j + 1]; e++) {
        int r = B->i[e];
        for (int s = T->p[r + 1] - 1; s >= T->p[r] && T->i[s] > j; s--) {
            int c = T->i[s];
            if (mark[c] == j + 1) continue;
            mark[c] = j + 1;
            if (list) list[count] = c;
            count++;
        }
    }
    return count;
}

/* By walking over all that may be there, or, where they are few, by insertion. */
static void sort_list(int count, int *list, const int *mark, int j, int n)
{
    if (count > (n - j) / 8) {
        int to = 0;
        for (int c = j; c < n; c++) {
            if (mark[c] == j + 1) list[to++] = c;
        }
        return;
    }
    for (int k = 1; k < count; k++) {
        int at = k, moved = list[k];
        for (; at > 0 && list[at - 1] > moved; at--) list[at] = list[at - 1];
        list[at] = moved;
    }
}

/* Column j of B'B + e I from the diagonal on, at its pattern; t has zeros before and after. */
static void sum_column(const columns *B, const columns *T, int j, double e, int count,
                       const int *list, double *t, double *values)
{
    t[j] = e;
    for (int k = B->p[j]; k < B->p[j + 1]; k++) {
        int r = B->i[k];
        for (int s = T->p[r + 1] - 1; s >= T->p[r] && T->i[s] >= j; s--) {
            t[T->i[s]] += B->x[k] * T->x[s];
        }
    }
    for (int k = 0; k < count; k++) {
        values[k] = t[list[k]];
        t[list[k]] = 0;
    }
}

/* The pattern of the lower triangle of B'B. PERP_E_FORMAT: too many entries. */
static perp_status find_patterns(const columns *B, const columns *T, perp_arena *a, columns *G)
{
    int n = B->n, count = 0;
    int *mark = perp_alloc(a, (size_t)n, sizeof *mark);
    if (a->failed) return PERP_E_MEMORY;
    for (int j = 0; j < n; j++) {
        int more = find_pattern(B, T, j, mark, NULL);
        if (count > INT_MAX - more) return PERP_E_FORMAT;
        count += more;
    }
    if (!open_columns(G, n, n, (size_t)count, a)) return PERP_E_MEMORY;
    memset(mark, 0, (size_t)n * sizeof *mark);
    for (int j = 0; j < n; j++) {
        int *list = G->i + G->p[j], more = find_pattern(B, T, j, mark, list);
        sort_list(more, list, mark, j, n);
        G->p[j + 1] = G->p[j] + more;
    }
    return PERP_SOLVED;
}

/* G = the lower triangle of B'B + e I, in its pattern. */
static bool fill(const columns *B, const columns *T, double e, perp_arena *a, columns *G)
{
    double *t = perp_alloc(a, (size_t)B->n, sizeof *t);
    for (int j = 0; t && j < B->n; j++) {
        int from = G->p[j];
        sum_column(B, T, j, e, G->p[j + 1] - from, G->i + from, t, G->x + from);
    }
    return t != NULL;
}

/* The pattern of K for any set, and room for its factor; what comes and goes does so behind it. */
static perp_status open_rows(perp_normal_equations *f)
{
    const struct perp_csc_view *c = &f->A.as.csc;
    columns A = {f->A.m, f->A.n, (int *)c->p, (int *)c->i, (double *)c->x}, T;
    if (!transpose(&A, &T, f->arena)) return PERP_E_MEMORY;
    perp_status s = find_patterns(&T, &A, f->arena, &f->K);
    if (s) return s;
    f->whole = perp_factor_open(f->arena, PERP_CHOLESKY, f->K.n, f->K.p, f->K.i);
    f->mark = perp_arena_mark(f->arena);
    return f->whole ? PERP_SOLVED : PERP_E_MEMORY;
}

/* A factor, open, and the values to compute it for. */
static perp_status prepare(perp_normal_equations *f, perp_factor **factor, const double **values)
{
    columns B, T, G;
    perp_status s = f->rows && !f->whole ? open_rows(f) : PERP_SOLVED;
    if (s) return s;
    if (!copy_columns(f, &B) || !transpose(&B, &T, f->arena)) return PERP_E_MEMORY;
    if (f->rows) {
        *factor = f->whole;
        *values = f->K.x;
        return fill(&T, &B, f->e, f->arena, &f->K) ? PERP_SOLVED : PERP_E_MEMORY;
    }
    s = find_patterns(&B, &T, f->arena, &G);
    if (s) return s;
    if (!fill(&B, &T, f->e, f->arena, &G)) return PERP_E_MEMORY;
    *values = G.x;
    *factor = perp_factor_open(f->arena, PERP_CHOLESKY, G.n, G.p, G.i);
    return *factor ? PERP_SOLVED : PERP_E_MEMORY;
}

/* In a run of perp_bytes: the systems of all columns. Those of fewer are analysed in orders of
 * their own, whose factors may have more entries: so much again. */
static void count_factors(perp_normal_equations *f)
{
    perp_factor *factor;
    const double *values;
    size_t n = (size_t)f->A.n;
    int *all = perp_alloc(f->arena, n, sizeof *all);
    if (!all) return;
    for (int j = 0; j < f->A.n; j++) all[j] = j;
    f->set = all;
    f->k = f->A.n;
    for (int rows = f->k > MANY * f->A.m; rows >= 0; rows--) {
        size_t before = f->arena->used;
        f->rows = rows;
        if (!prepare(f, &factor, &values) && !rows)
            perp_count(f->arena, 1, f->arena->used - before);
    }
    f->mark = perp_arena_mark(f->arena);
    f->rows = false;
}

bool perp_normal_equations_open(perp_normal_equations *f, const perp_matrix *A, perp_arena *a)
{
    *f = (perp_normal_equations){.A = *A, .arena = a};
    f->y = perp_alloc(a, (size_t)A->m, sizeof *f->y);
    f->mark = perp_arena_mark(a);
    if (!a->failed && a->counting) count_factors(f);
    return !a->failed;
}

perp_status perp_normal_equations_factor(perp_normal_equations *f, int k, const int *set, double e)
{
    perp_factor *factor;
    const double *values;
    perp_arena_release(f->arena, f->mark);
    f->factor = NULL;
    f->k = k;
    f->set = set;
    f->e = e;
    f->rows = e > 0 && k > MANY * f->A.m;
    perp_status s = prepare(f, &factor, &values);
    if (s) return s;
    int failed = perp_factor_compute(factor, values);
    if (failed) return failed < 0 ? PERP_E_MEMORY : PERP_STALLED;
    f->factor = factor;
    return perp_factor_rcond(factor) > (k + 10) * DBL_EPSILON ? PERP_SOLVED : PERP_STALLED;
}

/* x = (x - A_a' y) / e */
static void take_out(const perp_normal_equations *f, double *x)
{
    const struct perp_csc_view *c = &f->A.as.csc;
    for (int j = 0; j < f->k; j++) {
        double sum = 0;
        for (int e = c->p[f->set[j]]; e < c->p[f->set[j] + 1]; e++) sum += c->x[e] * f->y[c->i[e]];
        x[j] = (x[j] - scale_of(f, j) * sum) / f->e;
    }
}

bool perp_normal_equations_solve(perp_normal_equations *f, double *x)
{
    if (!f->factor) return false;
    if (!f->rows) return perp_factor_solve(f->factor, false, x, x) == 0;
    memset(f->y, 0, (size_t)f->A.m * sizeof *f->y);
    for (int j = 0; j < f->k; j++) {
        double t = scale_of(f, j) * x[j];
        perp_add_columns(&f->A, 1, f->set + j, 1, &t, f->y);
    }
    if (perp_factor_solve(f->factor, false, f->y, f->y)) return false;
    take_out(f, x);
    return true;
}
