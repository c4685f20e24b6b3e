/* linalg/body_space.c: systems with M + H D H', see body_space.h.
 *
 * A factorisation adds columns^2 rows + columns rows^2 products a block, and those of the factors;
 * a solution takes at most 1 + REFINEMENTS solves and as many products with the system. */
#include "body_space.h"

#include "base/convert.h"
#include "base/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define REFINEMENTS 4
#define GOOD 1e-15 /* residual of a solution, relative to the right-hand side: no refinement */
/* And after refinement: more, and the factors of a nonsymmetric system, which have small pivots,
 * are not good for a solution. */
#define ENOUGH 1e-7
/* What replaces a C of 0, relative to g' diag(A)^-1 g of its column of G: far below what a column
 * that depends on no other has, and far above rounding. */
#define SMALL 1e-11

/* ---- opening ---- */

/* Ascending, by Shell's method: qsort may allocate. */
static void sort(int n, int *x)
{
    for (int gap = n > 4 ? n / 3 : 1; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (int k = gap; k < n; k++) {
            int value = x[k], m = k;
            for (; m >= gap && x[m - gap] > value; m -= gap) x[m] = x[m - gap];
            x[m] = value;
        }
    }
}

/* The rows of H in a block, ascending; seen[r] = mark + 1 for each of them. */
static int list_rows(const struct perp_csc_view *H, int columns, const int *column, int mark,
                     int *seen, int *row)
{
    int count = 0;
    for (int c = 0; c < columns; c++) {
        for (int k = H->p[column[c]]; k < H->p[column[c] + 1]; k++) {
            if (H->x[k] == 0 || seen[H->i[k]] == mark + 1) continue;
            seen[H->i[k]] = mark + 1;
            row[count++] = H->i[k];
        }
    }
    sort(count, row);
    return count;
}

/* A block's part of H. `seen` becomes where each row stands in it. */
static bool read_block(perp_arena *a, const struct perp_csc_view *H, const int *column,
                       perp_touched *t, const int *row, int *seen)
{
    size_t rows = (size_t)t->rows;
    t->row = perp_alloc_unset(a, rows, sizeof *t->row);
    t->H = perp_alloc(a, rows * (size_t)t->columns, sizeof *t->H);
    t->to = perp_alloc_unset(a, rows * rows, sizeof *t->to);
    if (a->failed) return false;
    for (int r = 0; r < t->rows; r++) {
        t->row[r] = row[r];
        seen[row[r]] = r;
    }
    for (int c = 0; c < t->columns; c++) {
        for (int k = H->p[column[c]]; k < H->p[column[c] + 1]; k++) {
            if (H->x[k] != 0) t->H[(size_t)c * rows + (size_t)seen[H->i[k]]] += H->x[k];
        }
    }
    return true;
}

static bool open_blocks(perp_body_space *s, perp_arena *a, const struct perp_csc_view *H,
                        const perp_column_blocks *of)
{
    int *seen = perp_alloc(a, (size_t)s->nv, sizeof *seen), most = 1;
    int *place = perp_alloc(a, (size_t)s->nv, sizeof *place);
    int *row = perp_alloc_unset(a, (size_t)s->nv, sizeof *row);
    s->block = perp_alloc(a, (size_t)of->blocks, sizeof *s->block);
    if (a->failed) return false;
    s->blocks = of->blocks;
    for (int b = 0; b < of->blocks; b++) {
        perp_touched *t = &s->block[b];
        const int *column = of->column + of->start[b];
        t->columns = of->start[b + 1] - of->start[b];
        t->place = s->entries;
        s->entries += (size_t)t->columns * (size_t)t->columns;
        t->rows = list_rows(H, t->columns, column, b, seen, row);
        if (!read_block(a, H, column, t, row, place)) return false;
        if (t->rows * t->columns > most) most = t->rows * t->columns;
    }
    s->HD = perp_alloc_unset(a, (size_t)most, sizeof *s->HD);
    return !a->failed;
}

/* The blocks that touch each row: list[start[r]] ... list[start[r + 1] - 1]. */
static bool list_blocks(const perp_body_space *s, perp_arena *a, int **start, int **list)
{
    size_t all = 0;
    for (int b = 0; b < s->blocks; b++) all += (size_t)s->block[b].rows;
    if (all > INT_MAX) return false;
    int *first = perp_alloc(a, (size_t)s->nv + 2, sizeof *first);
    int *of = perp_alloc_unset(a, all, sizeof *of);
    if (a->failed) return false;
    for (int b = 0; b < s->blocks; b++) {
        for (int r = 0; r < s->block[b].rows; r++) first[s->block[b].row[r] + 2]++;
    }
    for (int r = 0; r < s->nv; r++) first[r + 2] += first[r + 1];
    for (int b = 0; b < s->blocks; b++) {
        for (int r = 0; r < s->block[b].rows; r++) of[first[s->block[b].row[r] + 1]++] = b;
    }
    *start = first;
    *list = of;
    return true;
}

/* What makes the pattern: the matrices, and who touches each row. */
typedef struct parts {
    const struct perp_csc_view *M, *G;
    const int *start, *list;
    const int *row_p, *row_j; /* G by rows, where there are equalities */
    const double *row_x;
} parts;

/* Adds row i, if it is new and wanted. */
static inline int add_row(const perp_body_space *s, int j, int i, int *seen, int *list, int count)
{
    if ((s->symmetric && i < j) || seen[i] == j + 1) return count;
    seen[i] = j + 1;
    if (list) list[count] = i;
    return count + 1;
}

/* The rows of column j; only counted where list is NULL. */
static int list_column(const perp_body_space *s, const parts *of, int j, int *seen, int *list)
{
    int count = add_row(s, j, j, seen, list, 0);
    if (j >= s->nv) {
        const struct perp_csc_view *G = of->G;
        int l = j - s->nv;
        for (int k = G->p[l]; k < G->p[l + 1]; k++)
            count = add_row(s, j, G->i[k], seen, list, count);
        return count;
    }
    for (int k = of->M->p[j]; k < of->M->p[j + 1]; k++)
        count = add_row(s, j, of->M->i[k], seen, list, count);
    for (int k = of->start[j]; k < of->start[j + 1]; k++) {
        const perp_touched *t = &s->block[of->list[k]];
        for (int r = 0; r < t->rows; r++) count = add_row(s, j, t->row[r], seen, list, count);
    }
    if (s->nl == 0) return count;
    for (int k = of->row_p[j]; k < of->row_p[j + 1]; k++)
        count = add_row(s, j, s->nv + of->row_j[k], seen, list, count);
    return count;
}

static bool open_pattern(perp_body_space *s, perp_arena *a, const parts *of)
{
    size_t n = (size_t)s->n;
    int *seen = perp_alloc(a, n, sizeof *seen);
    s->p = perp_alloc(a, n + 1, sizeof *s->p);
    if (a->failed) return false;
    for (int j = 0; j < s->n; j++) {
        int count = list_column(s, of, j, seen, NULL);
        if (count > INT_MAX - s->p[j]) return false;
        s->p[j + 1] = s->p[j] + count;
    }
    s->i = perp_alloc_unset(a, (size_t)s->p[s->n], sizeof *s->i);
    s->base = perp_alloc(a, (size_t)s->p[s->n], sizeof *s->base);
    s->x = perp_alloc(a, (size_t)s->p[s->n], sizeof *s->x);
    if (a->failed) return false;
    memset(seen, 0, n * sizeof *seen);
    for (int j = 0; j < s->n; j++) {
        int count = list_column(s, of, j, seen, s->i + s->p[j]);
        sort(count, s->i + s->p[j]);
    }
    return true;
}

/* M, G and C of column j; at[i] is the place of row i in it. */
static void read_column(perp_body_space *s, const parts *of, int j, const int *at)
{
    if (j >= s->nv) {
        int l = j - s->nv;
        s->corner[l] = at[j];
        if (s->C) s->base[at[j]] -= s->C[l];
        for (int k = of->G->p[l]; k < of->G->p[l + 1] && !s->symmetric; k++)
            s->base[at[of->G->i[k]]] += of->G->x[k];
        return;
    }
    for (int k = of->M->p[j]; k < of->M->p[j + 1]; k++) {
        if (!s->symmetric || of->M->i[k] >= j) s->base[at[of->M->i[k]]] += of->M->x[k];
    }
    if (s->nl == 0) return;
    for (int k = of->row_p[j]; k < of->row_p[j + 1]; k++)
        s->base[at[s->nv + of->row_j[k]]] += of->row_x[k];
}

/* The places of all that is added to column j. */
static void place_column(perp_body_space *s, const parts *of, int j, const int *at)
{
    for (int k = of->start[j]; k < of->start[j + 1]; k++) {
        perp_touched *t = &s->block[of->list[k]];
        int c = 0;
        while (t->row[c] != j) c++;
        for (int r = s->symmetric ? c : 0; r < t->rows; r++) {
            t->to[(size_t)c * (size_t)t->rows + (size_t)r] = at[t->row[r]];
        }
    }
}

static bool fill_base(perp_body_space *s, perp_arena *a, const parts *of)
{
    int *at = perp_alloc(a, (size_t)s->n, sizeof *at);
    s->corner = perp_alloc(a, (size_t)s->nl, sizeof *s->corner);
    s->replaced = perp_alloc(a, (size_t)s->nl, sizeof *s->replaced);
    if (a->failed) return false;
    for (int j = 0; j < s->n; j++) {
        for (int k = s->p[j]; k < s->p[j + 1]; k++) at[s->i[k]] = k;
        read_column(s, of, j, at);
        if (j < s->nv) place_column(s, of, j, at);
    }
    return true;
}

/* G by rows. */
static bool transpose(perp_arena *a, int nv, int nl, const struct perp_csc_view *G, parts *of)
{
    int *p = perp_alloc(a, (size_t)nv + 2, sizeof *p);
    int *j = perp_alloc_unset(a, (size_t)G->p[nl], sizeof *j);
    double *x = perp_alloc_unset(a, (size_t)G->p[nl], sizeof *x);
    if (a->failed) return false;
    for (int k = 0; k < G->p[nl]; k++) p[G->i[k] + 2]++;
    for (int r = 0; r < nv; r++) p[r + 2] += p[r + 1];
    for (int l = 0; l < nl; l++) {
        for (int k = G->p[l]; k < G->p[l + 1]; k++) {
            int to = p[G->i[k] + 1]++;
            j[to] = l;
            x[to] = G->x[k];
        }
    }
    of->row_p = p;
    of->row_j = j;
    of->row_x = x;
    return true;
}

static bool open_factor(perp_body_space *s, perp_arena *a)
{
    s->b = perp_alloc(a, 2 * (size_t)s->n, sizeof *s->b);
    if (a->failed) return false;
    s->rest = s->b + s->n;
    if (!s->symmetric || s->nl == 0) {
        perp_factor_kind kind = s->symmetric ? PERP_CHOLESKY : PERP_LU_REFINED;
        s->factor = perp_factor_open(a, kind, s->n, s->p, s->i);
        if (s->factor) s->flops = perp_factor_flops(s->factor);
        return s->factor;
    }
    bool *negative = perp_alloc(a, (size_t)s->n, sizeof *negative);
    if (a->failed) return false;
    for (int l = s->nv; l < s->n; l++) negative[l] = true;
    if (!perp_ldl_open(&s->ldl, a, s->n, s->p, s->i, negative)) return false;
    s->flops = s->ldl.panels.of.flops;
    return true;
}

bool perp_body_space_open(perp_body_space *s, perp_arena *a, const perp_matrix *M,
                          const perp_matrix *H, const perp_column_blocks *of, const perp_matrix *G,
                          const double *C, bool symmetric)
{
    static const int none[1] = {0};
    perp_matrix sorted = {0};
    bool joints = G && G->format != PERP_FORMAT_ABSENT && G->n > 0;
    *s = (perp_body_space){
        .nv = M->n, .nl = joints ? G->n : 0, .symmetric = symmetric, .C = C, .watch = a->watch};
    if (s->nl > INT_MAX - s->nv) return false;
    s->n = s->nv + s->nl;
    if (joints && perp_sort_csc(G, a, &sorted)) return false;
    const struct perp_csc_view empty = {none, none, NULL};
    parts t = {.M = M->format == PERP_FORMAT_CSC ? &M->as.csc : &empty,
               .G = joints ? &sorted.as.csc : &empty};
    int *start, *list;
    if (of->blocks > 0 && !open_blocks(s, a, &H->as.csc, of)) return false;
    if (!list_blocks(s, a, &start, &list)) return false;
    t.start = start;
    t.list = list;
    if (joints && !transpose(a, s->nv, s->nl, t.G, &t)) return false;
    return open_pattern(s, a, &t) && fill_base(s, a, &t) && open_factor(s, a);
}

/* ---- a system ---- */

/* The product of one block, with its lower triangle alone where the system is symmetric. */
static void add_block(perp_body_space *s, const perp_touched *t, const double *D)
{
    size_t rows = (size_t)t->rows;
    memset(s->HD, 0, rows * (size_t)t->columns * sizeof *s->HD);
    for (int j = 0; j < t->columns; j++) {
        double *out = s->HD + (size_t)j * rows;
        for (int k = 0; k < t->columns; k++) {
            double d = D[j * t->columns + k];
            const double *h = t->H + (size_t)k * rows;
            for (size_t r = 0; r < rows; r++) out[r] += d * h[r];
        }
    }
    for (size_t c = 0; c < rows; c++) {
        const int *to = t->to + c * rows;
        for (size_t r = s->symmetric ? c : 0; r < rows; r++) {
            double sum = 0;
            for (size_t k = 0; k < (size_t)t->columns; k++)
                sum += s->HD[k * rows + r] * t->H[k * rows + c];
            s->x[to[r]] += sum;
        }
    }
}

/* diag(G' diag(A)^-1 G) times SMALL in the place of what is 0 in C. */
static void replace_corner(perp_body_space *s, double *diagonal)
{
    for (int j = 0; j < s->nv; j++) {
        diagonal[j] = 0;
        for (int k = s->p[j]; k < s->p[j + 1]; k++) {
            if (s->i[k] == j) diagonal[j] = s->x[k];
        }
    }
    for (int l = 0; l < s->nl; l++) s->replaced[l] = 0;
    for (int j = 0; j < s->nv; j++) {
        for (int k = s->p[j]; k < s->p[j + 1]; k++) {
            if (s->i[k] >= s->nv && diagonal[j] > 0)
                s->replaced[s->i[k] - s->nv] += s->x[k] * (s->x[k] / diagonal[j]);
        }
    }
    for (int l = 0; l < s->nl; l++) {
        double least = SMALL * (s->replaced[l] > 0 ? s->replaced[l] : 1);
        double own = s->C ? s->C[l] : 0;
        s->replaced[l] = own < least ? least - own : 0;
        s->x[s->corner[l]] -= s->replaced[l];
    }
}

int perp_body_space_factor(perp_body_space *s, const double *D)
{
    perp_watched watched = {.watch = s->watch};
    memcpy(s->x, s->base, (size_t)s->p[s->n] * sizeof *s->x);
    for (int b = 0; b < s->blocks; b++) {
        const perp_touched *t = &s->block[b];
        add_block(s, t, D + t->place);
        if (perp_watch_spent(&watched, (double)t->rows * t->rows * t->columns)) return PERP_STOPPED;
    }
    if (s->nl > 0) replace_corner(s, s->b);
    if (s->factor) return perp_factor_compute(s->factor, s->x);
    s->ldl.panels.watched.watch = s->watch;
    int replaced = perp_ldl_compute(&s->ldl, s->x, 1e-300, 1e300);
    return replaced == PERP_STOPPED ? replaced : replaced != 0;
}

/* ---- solutions ---- */

/* rest = b - K x; |rest|. */
static double find_rest(const perp_body_space *s, const double *b, const double *x, double *rest)
{
    memcpy(rest, b, (size_t)s->n * sizeof *rest);
    for (int j = 0; j < s->n; j++) {
        double sum = 0, y = x[j];
        for (int k = s->p[j]; k < s->p[j + 1]; k++) {
            rest[s->i[k]] -= s->x[k] * y;
            if (s->symmetric && s->i[k] != j) sum += s->x[k] * x[s->i[k]];
        }
        rest[j] -= sum;
    }
    for (int l = 0; l < s->nl; l++) rest[s->nv + l] -= s->replaced[l] * x[s->nv + l];
    return vector_norm(s->n, rest);
}

static bool apply(perp_body_space *s, const double *b, double *x)
{
    if (s->factor) return perp_factor_solve(s->factor, false, b, x) == 0;
    perp_ldl_solve(&s->ldl, b, x);
    return true;
}

bool perp_body_space_solve(perp_body_space *s, double *x)
{
    size_t n = (size_t)s->n;
    if (n == 0) return true;
    double *b = s->b, *rest = s->rest, size = vector_norm(s->n, x), before = INFINITY;
    memcpy(b, x, n * sizeof *b);
    if (!apply(s, b, x)) return false;
    double error = find_rest(s, b, x, rest);
    for (int k = 0; k < REFINEMENTS && error > GOOD * size && error < 0.5 * before; k++) {
        before = error;
        if (!apply(s, rest, rest)) return false;
        for (size_t i = 0; i < n; i++) x[i] += rest[i];
        error = find_rest(s, b, x, rest);
    }
    return (s->symmetric || error <= ENOUGH * size) && vector_is_finite(n, x);
}
