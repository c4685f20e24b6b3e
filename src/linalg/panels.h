/* linalg/panels.h: the numbers of a factor by dense panels, and how one panel updates another.
 * Ng, Peyton, SIAM J. Scientific Computing 14, 1993.
 *
 * A = L D U in the order of the supernodes: L has unit lower panels, U' panels of the same shape.
 * Where A is symmetric U' is L. Factors are left-looking: a supernode is assembled, updated by
 * every finished one that has rows among its columns, and factored. Most panels of a KKT matrix
 * have 2 to 16 columns and some dozens of rows: a call of BLAS costs more there than the work,
 * which is done by loops over four columns at a time; only large products are left to dgemm. */
#ifndef PERP_LINALG_PANELS_H
#define PERP_LINALG_PANELS_H

#include "base/clones.h"
#include "base/watch.h"
#include "lapack.h"
#include "supernodes.h"

#include <string.h>

#define PERP_PANEL_BLOCK 48 /* columns factored at a time */
/* Multiplications of an update above which dgemm is called: it needs a third fewer instructions for
 * a product than the loops here, and some thousand for the call. The sum of
 * `benchmarks/instructions build/perp problems/qp $PERP_PROBLEMS/qp` is the same within 0.2 % from
 * 4000 on. */
#define PERP_PANEL_LARGE 20000
/* Multiplications of one call of dgemm, 10 to 20 ms: between two calls the watch is looked at. */
#define PERP_PANEL_MOST 1e8

typedef struct perp_panels {
    perp_supernodes of;
    perp_places places;
    double *L, *U, *d;     /* the panels of L and U'; the pivots */
    double *work, *scaled; /* an update, its second factor */
    double *x;             /* n, of a solve */
    int *swap;             /* n: the row of its own block that came to each row; NULL: none */
    bool swapped;          /* any of them */
    int *head, *next, *at; /* finished supernodes by the one that they update next, and where */
    int *map;              /* rows of the current panel */
    perp_watched watched;
} perp_panels;

/* Room for the numbers; of.* are there (panels.c). False: no memory. */
bool perp_panels_open(perp_panels *f, perp_arena *a, bool symmetric);
/* x = A^-1 b, or A'^-1 b; b may be x. Two multiplications an entry (panels_solve.c). */
void perp_panels_solve(perp_panels *f, bool transpose, const double *b, double *x);
/* A large update (panels.c): see panel_update. */
void perp_panels_update_large(perp_panels *f, int s, double *to, int d, const double *A,
                              const double *B, int from, int at, int end, bool lower);

/* Where the rows of d from `at` on leave the supernode of the first of them. */
static inline int panel_same_super(const perp_supernodes *f, int d, int at)
{
    const int *list = f->row + f->rows[d];
    int end = at, last = f->first[f->super_of[list[at]] + 1];
    while (end < f->count[d] && list[end] < last) end++;
    return end;
}

/* y -= A a, A of `width` <= 4 columns and m rows. */
PERP_INLINED void panel_subtract_some(int width, int m, const double *restrict A, size_t ld,
                                      const double *a, double *restrict y)
{
    for (int r = 0; r < m; r++) {
        double x = y[r];
        for (int c = 0; c < width; c++) x -= A[(size_t)c * ld + (size_t)r] * a[c];
        y[r] = x;
    }
}

/* The same for k columns. */
PERP_INLINED void panel_subtract(int k, int m, const double *A, size_t ld, const double *a,
                                 double *y)
{
    int c = 0;
    for (; c + 4 <= k; c += 4) panel_subtract_some(4, m, A + (size_t)c * ld, ld, a + c, y);
    const double *rest = A + (size_t)c * ld;
    if (k - c == 3) panel_subtract_some(3, m, rest, ld, a + c, y);
    if (k - c == 2) panel_subtract_some(2, m, rest, ld, a + c, y);
    if (k - c == 1) panel_subtract_some(1, m, rest, ld, a + c, y);
}

/* scaled = the q rows from `rows` on, times D: q x k. */
PERP_INLINED void panel_scale_rows(const double *rows, size_t ld, int q, int k, const double *d,
                                   double *scaled)
{
    for (int l = 0; l < k; l++) {
        const double *from = rows + (size_t)l * ld;
        double *to = scaled + (size_t)l * (size_t)q;
        for (int r = 0; r < q; r++) to[r] = from[r] * d[l];
    }
}

/* Subtract from the panel `to` of supernode s the product A D B' that d has for its columns. Rows
 * [at, end) of d's list are columns of s, for which the panel B has the factors; rows from `from`
 * on are those of the panel A that are updated, with `lower` only those from the diagonal on (then
 * from is at). Where the rows follow each other in s as well, they are subtracted in place. */
PERP_INLINED void panel_update(perp_panels *f, int s, double *to, int d, const double *A,
                               const double *B, int from, int at, int end, bool lower)
{
    const perp_supernodes *of = &f->of;
    int k = perp_super_width(of, d), m = of->count[d] - from, q = end - at;
    size_t ld = (size_t)perp_super_height(of, d), ld_s = (size_t)perp_super_height(of, s);
    const int *columns = of->row + of->rows[d] + at, *map = f->map;
    const double *D = f->d + of->first[d];
    double *a = f->scaled;
    if (m == 0) return;
    if ((double)m * q * k > PERP_PANEL_LARGE) {
        perp_panels_update_large(f, s, to, d, A, B, from, at, end, lower);
        return;
    }
    f->watched.since += (double)m * q * k;
    B += k + at;
    for (int c = 0; c < q; c++, B++) {
        int skip = lower ? c : 0, length = m - skip;
        const int *list = of->row + of->rows[d] + from + skip;
        const double *rows = A + (k + from + skip);
        double *column = to + (size_t)(columns[c] - of->first[s]) * ld_s;
        int top = map[list[0]];
        for (int l = 0; l < k; l++) a[l] = D[l] * B[(size_t)l * ld];
        if (map[list[length - 1]] - top == length - 1) {
            panel_subtract(k, length, rows, ld, a, column + top);
        } else if (k == 1) {
            for (int r = 0; r < length; r++) column[map[list[r]]] -= a[0] * rows[r];
        } else {
            memset(f->work, 0, (size_t)length * sizeof *f->work);
            panel_subtract(k, length, rows, ld, a, f->work);
            for (int r = 0; r < length; r++) column[map[list[r]]] += f->work[r];
        }
    }
}

/* Supernode d waits for the one that has row `at` of its list. */
static inline void panel_wait(perp_panels *f, int d, int at)
{
    const perp_supernodes *of = &f->of;
    if (at == of->count[d]) return;
    int s = of->super_of[of->row[of->rows[d] + (size_t)at]];
    f->at[d] = at;
    f->next[d] = f->head[s];
    f->head[s] = d;
}

/* Where the rows of s are in its panel. */
static inline void panel_map_rows(perp_panels *f, int s)
{
    const perp_supernodes *of = &f->of;
    int width = perp_super_width(of, s);
    const int *list = of->row + of->rows[s];
    for (int j = 0; j < width; j++) f->map[of->first[s] + j] = j;
    for (int r = 0; r < of->count[s]; r++) f->map[list[r]] = width + r;
}

/* Forget what an earlier factorisation left. */
static inline void panel_begin(perp_panels *f)
{
    for (int s = 0; s < f->of.supers; s++) f->head[s] = -1;
    f->swapped = false;
    f->watched = (perp_watched){.watch = f->watched.watch};
}

#endif
