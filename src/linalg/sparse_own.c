/* linalg/sparse_own.c: sparse Cholesky and LU in the arena's memory.
 *
 * Cholesky is that of ldl.h. An LU is tried by panels (lu_panels.h) where the pattern is nearly
 * symmetric and has its diagonal; where that finds no pivot, and for all other patterns, it is done
 * by columns (lu_columns.h). Rows are scaled by the sum of their entries, so that a pivot's size
 * means something. What is done follows from pattern and values alone. */
#include "base/vector.h"
#include "ldl.h"
#include "lu_columns.h"
#include "lu_panels.h"
#include "sparse_backend.h"

#include <math.h>

#define SYMMETRIC 0.5 /* part of the entries off the diagonal that have their mirror image */
/* Part of the columns whose diagonal is too small for a pivot, above which panels are not tried. */
#define WEAK 0.25

double perp_pivot_ratio(int n, const double *d)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < n; k++) {
        double size = fabs(d[k]);
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    return most > 0 ? least / most : 0;
}

/* ---- Cholesky ---- */

typedef struct cholesky {
    perp_ldl ldl;
    int missing; /* a column without a diagonal entry, counted from 1: there is no factor. 0: none
                  */
} cholesky;

/* The first column without an entry on the diagonal, counted from 1. */
static int find_missing(int n, const int *p, const int *i)
{
    for (int j = 0; j < n; j++) {
        int k = p[j];
        while (k < p[j + 1] && i[k] < j) k++;
        if (k == p[j + 1] || i[k] != j) return j + 1;
    }
    return 0;
}

static bool cholesky_analyze(perp_analysis *s)
{
    cholesky *c = s->data = perp_alloc(s->memory, 1, sizeof *c);
    if (!c) return false;
    c->missing = find_missing(s->n, s->p, s->i);
    return c->missing || perp_cholesky_open(&c->ldl, s->memory, s->n, s->p, s->i);
}

static int cholesky_compute(perp_analysis *s, const double *x, const perp_watch *watch)
{
    cholesky *c = s->data;
    if (c->missing) return c->missing;
    c->ldl.panels.watched.watch = watch;
    return perp_cholesky_compute(&c->ldl, x);
}

static int cholesky_solve(perp_analysis *s, bool transpose, const double *b, double *x)
{
    (void)transpose; /* A = A' */
    cholesky *c = s->data;
    perp_ldl_solve(&c->ldl, b, x);
    return 0;
}

static double cholesky_rcond(perp_analysis *s)
{
    return perp_pivot_ratio(s->n, ((cholesky *)s->data)->ldl.panels.d);
}

static double cholesky_flops(perp_analysis *s)
{
    return ((cholesky *)s->data)->ldl.panels.of.flops;
}

static double cholesky_entries(perp_analysis *s)
{
    return (double)perp_ldl_size(&((cholesky *)s->data)->ldl);
}

const perp_backend perp_own_cholesky = {
    .analyze = cholesky_analyze,
    .compute = cholesky_compute,
    .solve = cholesky_solve,
    .rcond = cholesky_rcond,
    .flops = cholesky_flops,
    .entries = cholesky_entries,
};

/* ---- LU ---- */

typedef struct lu {
    perp_panels panels;
    perp_lu_columns columns;
    bool has_panels, has_columns;
    bool by_panels; /* the last factorisation */
    double *scale;  /* of the rows */
    double *b;
    size_t for_columns; /* bytes that opening them took */
    double bound;       /* of perp_factor_flops; NAN: not looked for yet */
} lu;

/* Entry (i, j) for j < i: is (j, i) there too? `next` goes through the columns as j rises. */
static bool has_mirror(const perp_analysis *s, int *next, int i, int j)
{
    while (next[i] < s->p[i + 1] && s->i[next[i]] < j) next[i]++;
    return next[i] < s->p[i + 1] && s->i[next[i]] == j;
}

static bool is_nearly_symmetric(const perp_analysis *s, int *next)
{
    double mirrored = 0, off_diagonal = 0;
    for (int j = 0; j < s->n; j++) next[j] = s->p[j];
    for (int j = 0; j < s->n; j++) {
        for (int k = s->p[j]; k < s->p[j + 1]; k++) {
            off_diagonal += s->i[k] != j;
            if (s->i[k] > j && has_mirror(s, next, s->i[k], j)) mirrored += 2;
        }
    }
    return mirrored >= SYMMETRIC * off_diagonal;
}

static bool lu_analyze(perp_analysis *s)
{
    size_t n = (size_t)s->n;
    lu *c = s->data = perp_alloc(s->memory, 1, sizeof *c);
    double *scale = perp_alloc_unset(s->memory, n, sizeof *scale);
    double *b = perp_alloc_unset(s->memory, n, sizeof *b);
    if (!c || !scale || !b) return false;
    c->scale = scale;
    c->b = b;
    c->bound = NAN;
    c->has_panels = !find_missing(s->n, s->p, s->i) && is_nearly_symmetric(s, (int *)(void *)b);
    if (c->has_panels) return perp_lu_panels_open(&c->panels, s->memory, s->n, s->p, s->i);
    c->has_columns = true;
    return perp_lu_columns_open(&c->columns, s->memory, s->n, s->p, s->i);
}

static void scale_rows(const perp_analysis *s, const double *x, double *scale)
{
    for (int r = 0; r < s->n; r++) scale[r] = 0;
    for (int k = 0; k < s->p[s->n]; k++) scale[s->i[k]] += fabs(x[k]);
    for (int r = 0; r < s->n; r++) {
        double by = 1 / scale[r];
        scale[r] = scale[r] > 0 && isfinite(by) && by > 0 ? by : 1;
    }
}

/* Is the diagonal what its columns would choose, but for some of them? */
static bool has_pivots(const perp_analysis *s, const double *x, const double *scale)
{
    int weak = 0;
    for (int j = 0; j < s->n; j++) {
        double most = 0, diagonal = 0;
        for (int k = s->p[j]; k < s->p[j + 1]; k++) {
            double size = fabs(x[k]) * scale[s->i[k]];
            most = size > most ? size : most;
            if (s->i[k] == j) diagonal = size;
        }
        weak += diagonal < PERP_PIVOT_LEAST * most;
    }
    return weak <= WEAK * s->n;
}

/* Columns are opened when panels have failed for the first time. */
static bool open_columns(perp_analysis *s)
{
    lu *c = s->data;
    size_t before = s->memory->used;
    if (c->has_columns) return true;
    c->has_columns = perp_lu_columns_open(&c->columns, s->memory, s->n, s->p, s->i);
    c->for_columns = s->memory->used - before;
    return c->has_columns;
}

static int lu_compute(perp_analysis *s, const double *x, const perp_watch *watch)
{
    lu *c = s->data;
    scale_rows(s, x, c->scale);
    bool refined = s->kind == PERP_LU_REFINED;
    double least = refined ? PERP_PIVOT_REFINED : PERP_PIVOT_LEAST;
    c->by_panels = c->has_panels && (refined || has_pivots(s, x, c->scale));
    if (c->by_panels) {
        c->panels.watched.watch = watch;
        int failed = perp_lu_panels_compute(&c->panels, x, s->i, c->scale, least);
        if (failed <= 0) return failed;
        c->by_panels = false;
    }
    if (!open_columns(s)) return NO_MEMORY;
    c->columns.watched.watch = watch;
    return perp_lu_columns_compute(&c->columns, x, c->scale);
}

static int lu_solve(perp_analysis *s, bool transpose, const double *b, double *x)
{
    lu *c = s->data;
    const double *from = b;
    if (!transpose) {
        for (int k = 0; k < s->n; k++) c->b[k] = b[k] * c->scale[k];
        from = c->b;
    }
    if (c->by_panels)
        perp_panels_solve(&c->panels, transpose, from, x);
    else
        perp_lu_columns_solve(&c->columns, transpose, from, x);
    for (int k = 0; transpose && k < s->n; k++) x[k] *= c->scale[k];
    return 0;
}

static double lu_rcond(perp_analysis *s)
{
    const lu *c = s->data;
    return perp_pivot_ratio(s->n, c->by_panels ? c->panels.d : c->columns.d);
}

static double lu_flops(perp_analysis *s)
{
    lu *c = s->data;
    if (c->has_panels) return 2 * c->panels.of.flops;
    if (isnan(c->bound)) c->bound = perp_lu_columns_bound(&c->columns);
    return c->bound;
}

static double lu_entries(perp_analysis *s)
{
    const lu *c = s->data;
    return c->by_panels ? 2 * (double)perp_supernodes_size(&c->panels.of)
                        : perp_lu_columns_entries(&c->columns);
}

static size_t lu_bytes(const perp_analysis *s)
{
    const lu *c = s->data;
    return c->by_panels ? 0 : c->for_columns + perp_lu_columns_bytes(&c->columns);
}

static void lu_room(perp_analysis *s)
{
    lu *c = s->data;
    if (open_columns(s)) perp_lu_columns_room(&c->columns);
}

const perp_backend perp_own_lu = {
    .analyze = lu_analyze,
    .compute = lu_compute,
    .solve = lu_solve,
    .rcond = lu_rcond,
    .flops = lu_flops,
    .entries = lu_entries,
    .bytes = lu_bytes,
    .room = lu_room,
};
