/* linalg/lu_columns.c: left-looking LU with partial pivoting and supernodes.
 * Gilbert, Peierls, SIAM J. Sci. Stat. Comput. 9(5) 1988 (time proportional to the arithmetic);
 * Eisenstat, Liu, SIAM J. Matrix Anal. Appl. 13(1) 1992 (symmetric pruning); Demmel, Eisenstat,
 * Gilbert, Li, Liu, SIAM J. Matrix Anal. Appl. 20(3) 1999 (supernodes); Davis, Gilbert, Larimore,
 * Ng, ACM TOMS 30(3) 2004 (COLAMD).
 *
 * A column is found from those of L that it depends on: a search through their rows says which, in
 * an order in which each comes before those that it changes. Columns of L with the same rows are
 * one supernode, a dense block, which changes a column at once. */
#include "lu_columns.h"

#include "base/vector.h"
#include "panels.h"

#include <limits.h>
#include <suitesparse/colamd.h>

#define NO_MEMORY (-1)
#define MOST_COLUMNS 128 /* of a supernode: its block stays in the cache */

/* ---- opening ---- */

/* The graph in which each row joins the first of its columns to the others has the elimination tree
 * and the fill of A'A (George, Ng, SIAM J. Sci. Stat. Comput. 8(6) 1987). */
static perp_graph join_columns(const perp_lu_columns *f, int *first, int *joined)
{
    for (int r = 0; r < f->n; r++) first[r] = -1;
    for (int k = 0; k < f->n; k++) {
        int j = f->order[k];
        for (int e = f->p[j]; e < f->p[j + 1]; e++) {
            if (first[f->i[e]] < 0) first[f->i[e]] = j;
            joined[e] = first[f->i[e]];
        }
    }
    return (perp_graph){f->n, (int *)f->p, joined}; /* p is read only */
}

static bool order_tree(perp_lu_columns *f, perp_arena *a)
{
    size_t n = (size_t)f->n;
    perp_mark mark = perp_arena_mark(a);
    int *joined = perp_alloc_unset(a, (size_t)f->p[f->n], sizeof *joined);
    int *first = perp_alloc_unset(a, n, sizeof *first);
    int *parent = perp_alloc_unset(a, n, sizeof *parent);
    if (a->failed) return false;
    perp_graph g = join_columns(f, first, joined);
    if (!perp_postorder(a, &g, f->order, parent)) return false;
    perp_arena_release(a, mark);
    return true;
}

/* A column with one row left is a pivot without fill, and its row is left to no other: these come
 * first. Returns how many there are; `left` says which rows are used up, by -1. */
static int find_singletons(const perp_lu_columns *f, const perp_graph *rows, int *left, int *order)
{
    int found = 0, n = f->n;
    for (int r = 0; r < n; r++) left[r] = 0;
    int *count = f->mark;
    for (int j = 0; j < n; j++) {
        count[j] = f->p[j + 1] - f->p[j];
        if (count[j] == 1) order[found++] = j;
    }
    int kept = 0;
    for (int k = 0; k < found; k++) { /* those behind `found` follow from those before */
        int j = order[k], e = f->p[j];
        while (e < f->p[j + 1] && left[f->i[e]] < 0) e++;
        if (e == f->p[j + 1]) continue; /* its row went to another column */
        int r = f->i[e];
        order[kept++] = j;
        left[r] = -1;
        for (int c = rows->p[r]; c < rows->p[r + 1]; c++) {
            if (--count[rows->i[c]] == 1) order[found++] = rows->i[c];
        }
    }
    for (int j = 0; j < n; j++) f->seen[j] = 0;
    for (int k = 0; k < kept; k++) f->seen[order[k]] = 1;
    return kept;
}

/* The columns of each row. */
static perp_graph by_rows(const perp_lu_columns *f, int *p, int *i)
{
    memset(p, 0, ((size_t)f->n + 1) * sizeof *p);
    for (int e = 0; e < f->p[f->n]; e++) p[f->i[e]]++;
    for (int r = 0, sum = 0; r <= f->n; r++) { /* ends, filled from behind */
        sum += r < f->n ? p[r] : 0;
        p[r] = sum;
    }
    for (int j = f->n - 1; j >= 0; j--) {
        for (int e = f->p[j]; e < f->p[j + 1]; e++) i[--p[f->i[e]]] = j;
    }
    return (perp_graph){f->n, p, i};
}

/* COLAMD's order of the columns that are not `seen`, behind the first ones. */
static bool order_rest(perp_lu_columns *f, perp_arena *a, const int *left, int first)
{
    int rest = 0, count = 0, stats[COLAMD_STATS];
    size_t room = colamd_recommended(f->p[f->n], f->n, f->n - first);
    double knobs[COLAMD_KNOBS];
    if (room == 0 || room > INT_MAX) return false;
    int *work = perp_alloc_unset(a, room, sizeof *work);
    int *p = perp_alloc_unset(a, (size_t)f->n + 1, sizeof *p);
    int *which = perp_alloc_unset(a, (size_t)f->n, sizeof *which);
    if (a->failed) return false;
    p[0] = 0;
    for (int j = 0; j < f->n; j++) {
        if (f->seen[j]) continue;
        for (int e = f->p[j]; e < f->p[j + 1]; e++) {
            if (left[f->i[e]] >= 0) work[count++] = f->i[e];
        }
        which[rest++] = j;
        p[rest] = count;
    }
    colamd_set_defaults(knobs);
    perp_call call = {"COLAMD's order", PERP_RATE_ORDER, .units = 2.0 * count + rest};
    if (rest > 0 && !perp_call_begin(a->watch, &call)) return false;
    if (rest > 0 && !colamd(f->n, rest, (int)room, work, p, knobs, stats)) return false;
    if (rest > 0) perp_call_end(a->watch, &call);
    for (int k = 0; k < rest; k++) f->order[first + k] = which[p[k]];
    return true;
}

static bool order_columns(perp_lu_columns *f, perp_arena *a)
{
    size_t n = (size_t)f->n;
    perp_mark mark = perp_arena_mark(a);
    int *p = perp_alloc_unset(a, n + 1, sizeof *p), *left = perp_alloc_unset(a, n, sizeof *left);
    int *i = perp_alloc_unset(a, (size_t)f->p[f->n], sizeof *i);
    int *singletons = perp_alloc_unset(a, n, sizeof *singletons);
    if (a->failed) return false;
    perp_graph rows = by_rows(f, p, i);
    int first = find_singletons(f, &rows, left, singletons);
    memcpy(f->order, singletons, (size_t)first * sizeof *singletons);
    if (!order_rest(f, a, left, first)) return false;
    perp_arena_release(a, mark);
    return !perp_watch_stops(a) && order_tree(f, a);
}

bool perp_lu_columns_open(perp_lu_columns *f, perp_arena *a, int n, const int *p, const int *i)
{
    size_t size = (size_t)n, nnz = (size_t)p[n];
    *f = (perp_lu_columns){.n = n, .p = p, .i = i, .arena = a};
    f->order = perp_alloc_unset(a, size, sizeof *f->order);
    f->position = perp_alloc_unset(a, size, sizeof *f->position);
    f->super_of = perp_alloc_unset(a, size, sizeof *f->super_of);
    f->super = perp_alloc_unset(a, size, sizeof *f->super);
    f->column = perp_alloc_unset(a, size, sizeof *f->column);
    f->d = perp_alloc_unset(a, size, sizeof *f->d);
    f->x = perp_alloc_unset(a, size, sizeof *f->x);
    f->y = perp_alloc_unset(a, size + MOST_COLUMNS, sizeof *f->y);
    f->mark = perp_alloc_unset(a, size, sizeof *f->mark);
    f->from = perp_alloc_unset(a, size, sizeof *f->from);
    f->stack = perp_alloc_unset(a, size, sizeof *f->stack);
    f->next = perp_alloc_unset(a, size, sizeof *f->next);
    f->topological = perp_alloc_unset(a, size, sizeof *f->topological);
    f->found = perp_alloc_unset(a, size, sizeof *f->found);
    f->seen = perp_alloc_unset(a, size, sizeof *f->seen);
    if (a->failed) return false;
    f->rows.least = nnz * sizeof(int);
    f->entries.least = f->upper.least = (2 * nnz + size) * sizeof(double);
    f->watched = perp_watch_begin(a);
    return order_columns(f, a);
}

size_t perp_lu_columns_bytes(const perp_lu_columns *f)
{
    return f->rows.total + f->entries.total + f->upper.total;
}

/* ---- which supernodes change the column ---- */

/* Row r is in column j: a row without a pivot is listed, of the others the supernode is returned
 * when it was not seen yet; -1: there is nothing to follow. */
static inline int meet_row(perp_lu_columns *f, int j, int r)
{
    int k = f->position[r];
    if (k < 0) {
        if (f->seen[r] != j) f->found[f->found_count++] = r;
        f->seen[r] = j;
        return -1;
    }
    int s = f->super_of[k];
    if (f->mark[s] != j) {
        f->mark[s] = j;
        f->from[s] = k;
        return s;
    }
    if (k < f->from[s]) f->from[s] = k;
    return -1;
}

/* Everything that supernode s leads to, before s itself. */
static void search(perp_lu_columns *f, int j, int s)
{
    int depth = 0;
    f->stack[0] = s;
    f->next[0] = f->super[s].width;
    while (depth >= 0) {
        const perp_lu_super *at = &f->super[f->stack[depth]];
        int end = at->reach < 0 ? at->height : at->width + at->reach, next = f->next[depth];
        int into = -1;
        while (next < end && into < 0) into = meet_row(f, j, at->row[next++]);
        f->next[depth] = next;
        if (into >= 0) {
            f->stack[++depth] = into;
            f->next[depth] = f->super[into].width;
        } else {
            f->topological[--f->top] = f->stack[depth--];
        }
    }
}

static void find_pattern(perp_lu_columns *f, int j, int column)
{
    f->found_count = 0;
    f->top = f->n;
    for (int e = f->p[column]; e < f->p[column + 1]; e++) {
        int s = meet_row(f, j, f->i[e]);
        if (s >= 0) search(f, j, s);
    }
}

/* ---- the numbers ---- */

/* u = T^-1 x of a unit lower triangle. */
PERP_INLINED void substitute(int k, const double *T, size_t ld, double *u)
{
    for (int c = 0; c < k; c++) {
        double x = u[c];
        const double *below = T + (size_t)c * ld;
        for (int r = c + 1; r < k; r++) u[r] -= below[r] * x;
    }
}

/* x[row[r]] -= (A u)_r of `width` <= 4 columns. */
PERP_INLINED void subtract_scattered(int width, int m, const double *A, size_t ld, const double *u,
                                     const int *row, double *x)
{
    for (int r = 0; r < m; r++) {
        double sum = 0;
        for (int c = 0; c < width; c++) sum += A[(size_t)c * ld + (size_t)r] * u[c];
        x[row[r]] -= sum;
    }
}

/* What supernode s subtracts from the column; its own entries are those of U, u. */
PERP_INLINED void apply(perp_lu_columns *f, const perp_lu_super *s, int from, double *u)
{
    int k = s->first + s->width - from, skip = s->width - k, m = s->height - s->width;
    size_t ld = (size_t)s->height;
    const double *T = s->L + (size_t)skip * (ld + 1), *A = T + k;
    const int *row = s->row + s->width;
    double *x = f->x;
    for (int c = 0; c < k; c++) {
        u[c] = x[s->row[skip + c]];
        x[s->row[skip + c]] = 0;
    }
    substitute(k, T, ld, u);
    if (k == 1) {
        subtract_scattered(1, m, A, ld, u, row, x);
    } else if (k == 2) {
        subtract_scattered(2, m, A, ld, u, row, x);
    } else if (k == 3) {
        subtract_scattered(3, m, A, ld, u, row, x);
    } else if (k == 4) {
        subtract_scattered(4, m, A, ld, u, row, x);
    } else {
        double *y = f->y;
        for (int r = 0; r < m; r++) y[r] = x[row[r]];
        panel_subtract(k, m, A, ld, u, y);
        for (int r = 0; r < m; r++) x[row[r]] = y[r];
    }
    f->watched.since += (double)k * (m + 0.5 * k);
}

/* The column of U, and what remains of the column below it. False: no memory. */
PERP_CLONED(bool, eliminate, (perp_lu_columns * f, int j), (f, j))
{
    int segments = f->n - f->top, entries = 0;
    perp_lu_column *to = &f->column[j];
    for (int t = f->top; t < f->n; t++) {
        int s = f->topological[t];
        entries += f->super[s].first + f->super[s].width - f->from[s];
    }
    to->segments = segments;
    to->from = perp_pool_take(&f->rows, f->arena, 2 * (size_t)segments, sizeof *to->from);
    to->x = perp_pool_take(&f->upper, f->arena, (size_t)entries, sizeof *to->x);
    if (!to->from || !to->x) return false;
    double *u = to->x, before = f->watched.since;
    for (int t = 0; t < segments; t++) {
        int s = f->topological[f->top + t], from = f->from[s];
        int count = f->super[s].first + f->super[s].width - from;
        to->from[2 * t] = from;
        to->from[2 * t + 1] = count;
        apply(f, &f->super[s], from, u);
        u += count;
    }
    f->multiplications += f->watched.since - before;
    return true;
}

/* ---- pivots and supernodes ---- */

/* The row of the pivot; -1: there is none. */
static int choose_pivot(const perp_lu_columns *f, int j, int diagonal)
{
    double most = 0;
    int best = -1;
    for (int k = 0; k < f->found_count; k++) {
        double value = fabs(f->x[f->found[k]]);
        if (value > most) {
            most = value;
            best = f->found[k];
        }
    }
    bool there = f->position[diagonal] < 0 && f->seen[diagonal] == j;
    if (best >= 0 && there && fabs(f->x[diagonal]) >= PERP_DIAGONAL_LEAST * most) return diagonal;
    return best;
}

/* Does column j have the rows of the supernode before it, which changes it? */
static bool continues(const perp_lu_columns *f, int j)
{
    if (f->supers == 0) return false;
    const perp_lu_super *s = &f->super[f->supers - 1];
    return f->mark[f->supers - 1] == j && s->width < MOST_COLUMNS &&
           s->height - s->width == f->found_count;
}

static void exchange_rows(perp_lu_super *s, int a, int b)
{
    int row = s->row[a];
    if (a == b) return;
    s->row[a] = s->row[b];
    s->row[b] = row;
    for (int c = 0; c < s->width; c++) {
        double *column = s->L + (size_t)c * (size_t)s->height, x = column[a];
        column[a] = column[b];
        column[b] = x;
    }
}

/* The rows of the current column become those of a supernode of its own. */
static bool begin_super(perp_lu_columns *f, int j)
{
    perp_lu_super *s = &f->super[f->supers++];
    size_t height = (size_t)f->found_count;
    *s = (perp_lu_super){.first = j, .height = f->found_count, .reach = -1};
    s->row = perp_pool_take(&f->rows, f->arena, height, sizeof *s->row);
    s->L = perp_pool_take(&f->entries, f->arena, height, sizeof *s->L);
    if (!s->row || !s->L) return false;
    memcpy(s->row, f->found, height * sizeof *s->row);
    f->mark[f->supers - 1] = j;
    return true;
}

static bool extend_super(perp_lu_columns *f)
{
    perp_lu_super *s = &f->super[f->supers - 1];
    size_t height = (size_t)s->height;
    s->L = perp_pool_extend(&f->entries, f->arena, s->L, height * (size_t)s->width, height);
    return s->L != NULL;
}

/* The rest of the column, divided by the pivot, is column j of L. False: no memory. */
static bool keep_column(perp_lu_columns *f, int j, int pivot)
{
    if (!(continues(f, j) ? extend_super(f) : begin_super(f, j))) return false;
    perp_lu_super *s = &f->super[f->supers - 1];
    int at = s->width;
    while (s->row[at] != pivot) at++;
    exchange_rows(s, s->width, at);
    double *column = s->L + (size_t)s->width * (size_t)s->height, by = 1 / f->x[pivot];
    f->d[j] = f->x[pivot];
    f->x[pivot] = 0;
    column[s->width] = 1;
    for (int r = s->width + 1; r < s->height; r++) {
        column[r] = f->x[s->row[r]] * by;
        f->x[s->row[r]] = 0;
    }
    s->width++;
    f->position[pivot] = j;
    f->super_of[j] = f->supers - 1;
    return true;
}

/* Supernodes with an entry of U in column j and one of L in its pivot's row lead through column j
 * to all of their rows that have no pivot yet: these need no longer be followed. */
static void prune(perp_lu_columns *f, int pivot)
{
    for (int t = f->top; t < f->n; t++) {
        perp_lu_super *s = &f->super[f->topological[t]];
        if (s->reach >= 0 || f->topological[t] == f->supers - 1) continue;
        int at = s->width;
        while (at < s->height && s->row[at] != pivot) at++;
        if (at == s->height) continue;
        int end = s->height, from = s->width;
        while (from < end) {
            if (f->position[s->row[from]] >= 0)
                from++;
            else
                exchange_rows(s, from, --end);
        }
        s->reach = from - s->width;
    }
}

static void forget(perp_lu_columns *f)
{
    f->supers = 0;
    f->multiplications = 0;
    f->watched = (perp_watched){.watch = f->watched.watch};
    perp_pool_reset(&f->rows);
    perp_pool_reset(&f->entries);
    perp_pool_reset(&f->upper);
    for (int k = 0; k < f->n; k++) {
        f->position[k] = f->mark[k] = f->seen[k] = -1;
        f->x[k] = 0;
    }
}

int perp_lu_columns_compute(perp_lu_columns *f, const double *x, const double *scale)
{
    forget(f);
    for (int j = 0; j < f->n; j++) {
        int column = f->order[j];
        find_pattern(f, j, column);
        for (int e = f->p[column]; e < f->p[column + 1]; e++) f->x[f->i[e]] = x[e] * scale[f->i[e]];
        if (!eliminate(f, j)) return NO_MEMORY;
        int pivot = choose_pivot(f, j, column);
        if (pivot < 0 || !isfinite(f->x[pivot])) return column + 1;
        if (!keep_column(f, j, pivot)) return NO_MEMORY;
        prune(f, pivot);
        if (perp_watch_spent(&f->watched, f->found_count)) return PERP_STOPPED;
    }
    return 0;
}

double perp_lu_columns_entries(const perp_lu_columns *f)
{
    double entries = 0;
    for (int s = 0; s < f->supers; s++) entries += (double)f->super[s].height * f->super[s].width;
    for (int j = 0; j < f->n; j++) {
        for (int s = 0; s < f->column[j].segments; s++) entries += f->column[j].from[2 * s + 1];
    }
    return entries;
}

/* The columns of L and the rows of U are parts of the rows of R, where R'R = A'A (George, Ng 1987).
 */
/* The counts of the columns of the Cholesky factor of A'A, which bound those of L and U whatever
 * the pivots are (George, Ng, SIAM J. Scientific and Statistical Computing 6, 1985), summed by
 * `sum`. */
static double sum_counts(perp_lu_columns *f,
                         double (*sum)(perp_arena *a, const perp_graph *g, const int *perm))
{
    perp_mark mark = perp_arena_mark(f->arena);
    int *joined = perp_alloc_unset(f->arena, (size_t)f->p[f->n], sizeof *joined);
    int *first = perp_alloc_unset(f->arena, (size_t)f->n, sizeof *first);
    double bound = INFINITY;
    if (joined && first) {
        perp_graph g = join_columns(f, first, joined);
        bound = sum(f->arena, &g, f->order);
    }
    perp_arena_release(f->arena, mark);
    return bound;
}

double perp_lu_columns_bound(perp_lu_columns *f)
{
    return sum_counts(f, perp_fill_bound);
}

/* With c entries in L and in U at most: L has as many again in the triangles of its supernodes, and
 * a supernode that is moved to the next chunk leaves its block behind; segments of U and rows of L
 * are listed. A chunk is half of those before it: half as much again. */
void perp_lu_columns_room(perp_lu_columns *f)
{
    double n = f->n, dense = n * (n + 1) / 2, c = fmin(sum_counts(f, perp_fill_entries), dense);
    size_t most = c < (double)SIZE_MAX / 64 ? (size_t)c : SIZE_MAX / 64, lines = 16 * (size_t)n;
    perp_count(f->arena, 4 * most + lines, sizeof(double));
    perp_count(f->arena, 2 * most + lines, sizeof(double));
    perp_count(f->arena, 5 * most + 2 * lines, sizeof(int));
    perp_count(f->arena, 1, f->entries.least + f->upper.least + f->rows.least);
    perp_count(f->arena, 64, 2 * sizeof(perp_pool_chunk)); /* chunks */
}
