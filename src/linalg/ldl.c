/* linalg/ldl.c: left-looking supernodal L D L' with known signs.
 * Ng, Peyton, SIAM J. Scientific Computing 14, 1993; Vanderbei, SIAM J. Optimization 5, 1995.
 *
 * A supernode is assembled, updated by every finished one that has rows among its columns, and
 * factored in blocks. Most panels of a KKT matrix have 2 to 16 columns and some dozens of rows: a
 * call of BLAS costs more there than the work, which is done by loops over four columns at a time;
 * only large products are left to dgemm. */
#include "ldl.h"

#include "base/clones.h"
#include "base/vector.h"
#include "lapack.h"

#define BLOCK 48 /* columns factored at a time */
/* Rows of a block that are finished together: 128 of 48 columns are 48 kB, the first cache. */
#define TILE 128
/* Multiplications of an update above which dgemm is called: it needs a third fewer instructions for
 * a product than the loops here, and some thousand for the call. The sum of
 * `benchmarks/instructions build/perp problems/qp $PERP_PROBLEMS/qp` is the same within 0.2 % from
 * 4000 on. */
#define LARGE 20000

/* ---- opening ---- */

/* Where the rows of d from `at` on leave the supernode of the first of them. */
static int same_super(const perp_ldl *f, int d, int at)
{
    const int *list = f->row + f->rows[d];
    int end = at, last = f->first[f->super_of[list[at]] + 1];
    while (end < f->count[d] && list[end] < last) end++;
    return end;
}

/* The largest update, and the largest second factor of one. */
static void measure_updates(const perp_ldl *f, size_t *update, size_t *scaled)
{
    *update = *scaled = 1;
    for (int d = 0; d < f->supers; d++) {
        size_t width = (size_t)perp_ldl_width(f, d);
        size_t own = width * BLOCK;
        *scaled = own > *scaled ? own : *scaled;
        for (int at = 0; at < f->count[d];) {
            int end = same_super(f, d, at);
            size_t q = (size_t)(end - at), m = (size_t)(f->count[d] - at);
            *update = q * m > *update ? q * m : *update;
            *scaled = q * width > *scaled ? q * width : *scaled;
            at = end;
        }
    }
}

bool perp_ldl_open(perp_ldl *f, perp_arena *a, int n, const int *p, const int *i,
                   const bool *negative)
{
    size_t size = (size_t)n, update, scaled;
    *f = (perp_ldl){.n = n};
    if (!perp_ldl_analyse(f, a, p, i)) return false;
    measure_updates(f, &update, &scaled);
    f->negative = perp_alloc_unset(a, size, sizeof *f->negative);
    f->L = perp_alloc_unset(a, f->panel[f->supers], sizeof *f->L);
    f->d = perp_alloc_unset(a, size, sizeof *f->d);
    f->work = perp_alloc_unset(a, update > size ? update : size, sizeof *f->work);
    f->scaled = perp_alloc_unset(a, scaled, sizeof *f->scaled);
    f->x = perp_alloc_unset(a, size, sizeof *f->x);
    f->map = perp_alloc_unset(a, size, sizeof *f->map);
    f->head = perp_alloc_unset(a, (size_t)f->supers, sizeof *f->head);
    f->next = perp_alloc_unset(a, (size_t)f->supers, sizeof *f->next);
    f->at = perp_alloc_unset(a, (size_t)f->supers, sizeof *f->at);
    if (a->failed) return false;
    for (int k = 0; k < n; k++) f->negative[k] = negative[f->perm[k]];
    return true;
}

size_t perp_ldl_size(const perp_ldl *f)
{
    return f->panel[f->supers];
}

/* ---- the factor ---- */

/* y -= A a, A of `width` <= 4 columns and m rows. */
PERP_INLINED void subtract_some(int width, int m, const double *restrict A, size_t ld,
                                const double *a, double *restrict y)
{
    for (int r = 0; r < m; r++) {
        double x = y[r];
        for (int c = 0; c < width; c++) x -= A[(size_t)c * ld + (size_t)r] * a[c];
        y[r] = x;
    }
}

/* The same for k columns. */
PERP_INLINED void subtract_columns(int k, int m, const double *A, size_t ld, const double *a,
                                   double *y)
{
    int c = 0;
    for (; c + 4 <= k; c += 4) subtract_some(4, m, A + (size_t)c * ld, ld, a + c, y);
    const double *rest = A + (size_t)c * ld;
    if (k - c == 3) subtract_some(3, m, rest, ld, a + c, y);
    if (k - c == 2) subtract_some(2, m, rest, ld, a + c, y);
    if (k - c == 1) subtract_some(1, m, rest, ld, a + c, y);
}

/* scaled = the q rows of L from `rows` on, times D: q x k. */
PERP_INLINED void scale_rows(const double *rows, size_t ld, int q, int k, const double *d,
                             double *scaled)
{
    for (int l = 0; l < k; l++) {
        const double *from = rows + (size_t)l * ld;
        double *to = scaled + (size_t)l * (size_t)q;
        for (int r = 0; r < q; r++) to[r] = from[r] * d[l];
    }
}

/* to[map[list[r]]] -= from[r] */
PERP_INLINED void scatter(int m, const int *list, const int *map, const double *from, double *to)
{
    for (int r = 0; r < m; r++) to[map[list[r]]] -= from[r];
}

/* A large update: one product of matrices. */
static void update_by_blas(perp_ldl *f, int s, int d, int at, int end)
{
    int k = perp_ldl_width(f, d), ld = k + f->count[d], m = f->count[d] - at, q = end - at;
    size_t ld_s = (size_t)(perp_ldl_width(f, s) + f->count[s]);
    const int *list = f->row + f->rows[d] + at;
    const double *rows = f->L + f->panel[d] + (size_t)(k + at);
    double one = 1, zero = 0;
    scale_rows(rows, (size_t)ld, q, k, f->d + f->first[d], f->scaled);
    dgemm_("N", "T", &m, &q, &k, &one, rows, &ld, f->scaled, &q, &zero, f->work, &m, 1, 1);
    for (int c = 0; c < q; c++) {
        double *to = f->L + f->panel[s] + (size_t)(list[c] - f->first[s]) * ld_s;
        scatter(m - c, list + c, f->map, f->work + (size_t)c * (size_t)(m + 1), to);
    }
}

/* Subtract from supernode s what d has for its columns: rows [at, end) of d's list are columns of
 * s. Where the rows follow each other in s as well, they are subtracted in place. */
PERP_INLINED void update(perp_ldl *f, int s, int d, int at, int end)
{
    int k = perp_ldl_width(f, d), m = f->count[d] - at, q = end - at;
    size_t ld = (size_t)k + (size_t)f->count[d],
           ld_s = (size_t)(perp_ldl_width(f, s) + f->count[s]);
    const int *list = f->row + f->rows[d] + at, *map = f->map;
    const double *rows = f->L + f->panel[d] + (size_t)(k + at), *D = f->d + f->first[d];
    double *a = f->scaled;
    if ((double)m * q * k > LARGE) {
        update_by_blas(f, s, d, at, end);
        return;
    }
    for (int c = 0; c < q; c++, rows++) {
        int length = m - c, top = map[list[c]];
        double *to = f->L + f->panel[s] + (size_t)(list[c] - f->first[s]) * ld_s;
        for (int l = 0; l < k; l++) a[l] = D[l] * rows[(size_t)l * ld];
        if (map[list[m - 1]] - top == length - 1) {
            subtract_columns(k, length, rows, ld, a, to + top);
        } else if (k == 1) {
            for (int r = 0; r < length; r++) to[map[list[c + r]]] -= a[0] * rows[r];
        } else {
            memset(f->work, 0, (size_t)length * sizeof *f->work);
            subtract_columns(k, length, rows, ld, a, f->work);
            for (int r = 0; r < length; r++) to[map[list[c + r]]] += f->work[r];
        }
    }
}

/* The pivot of column j, in its sign: `instead` where it is too small. Returns 1 if it was. */
PERP_INLINED int choose_pivot(double *pivot, bool negative, double least, double instead)
{
    double sign = negative ? -1 : 1;
    if (sign * *pivot >= least) return 0;
    *pivot = sign * instead;
    return 1;
}

/* A block of columns with its first `rows` rows, the triangle among them; returns the pivots
 * replaced. a has room for a row. */
PERP_INLINED int factor_rows(int width, int rows, double *A, size_t ld, const bool *negative,
                             double least, double instead, double *d, double *a)
{
    int replaced = 0;
    for (int j = 0; j < width; j++) {
        double *column = A + (size_t)j * ld;
        for (int l = 0; l < j; l++) a[l] = d[l] * A[(size_t)l * ld + (size_t)j];
        subtract_columns(j, rows - j, A + j, ld, a, column + j);
        replaced += choose_pivot(&column[j], negative[j], least, instead);
        d[j] = column[j];
        double by = 1 / d[j];
        for (int r = j + 1; r < rows; r++) column[r] *= by;
    }
    return replaced;
}

/* `m` further rows of a block whose triangle T is factored. */
PERP_INLINED void finish_rows(int width, int m, const double *T, double *rows, size_t ld,
                              const double *d, double *a)
{
    for (int j = 0; j < width; j++) {
        double *restrict column = rows + (size_t)j * ld, by = 1 / d[j];
        for (int l = 0; l < j; l++) a[l] = d[l] * T[(size_t)l * ld + (size_t)j];
        subtract_columns(j, m, rows, ld, a, column);
        for (int r = 0; r < m; r++) column[r] *= by;
    }
}

/* A block of columns of length `rows`, some rows at a time so that these stay in the cache. */
PERP_INLINED int factor_block(int width, int rows, double *A, size_t ld, const bool *negative,
                              double least, double instead, double *d, double *a)
{
    int first = rows < width + TILE ? rows : width + TILE;
    int replaced = factor_rows(width, first, A, ld, negative, least, instead, d, a);
    for (int from = first; from < rows; from += TILE) {
        int m = rows - from < TILE ? rows - from : TILE;
        finish_rows(width, m, A, A + from, ld, d, a);
    }
    return replaced;
}

PERP_INLINED int factor_panel(perp_ldl *f, int s, double least, double instead)
{
    int k = perp_ldl_width(f, s), ld = k + f->count[s], replaced = 0;
    double *panel = f->L + f->panel[s], minus = -1, one = 1;
    for (int b = 0; b < k; b += BLOCK) {
        int width = k - b < BLOCK ? k - b : BLOCK, below = ld - b - width, rest = k - b - width;
        double *A = panel + (size_t)b * (size_t)ld + (size_t)b;
        double *d = f->d + f->first[s] + b;
        replaced += factor_block(width, ld - b, A, (size_t)ld, f->negative + f->first[s] + b, least,
                                 instead, d, f->scaled);
        scale_rows(A + width, (size_t)ld, rest, width, d, f->scaled);
        for (int c = 0; c < rest; c += BLOCK) {
            int q = rest - c < BLOCK ? rest - c : BLOCK, m = below - c;
            double *to = A + (size_t)(width + c) * (size_t)ld + (size_t)(width + c);
            dgemm_("N", "T", &m, &q, &width, &minus, A + width + c, &ld, f->scaled + c, &rest, &one,
                   to, &ld, 1, 1);
        }
    }
    return replaced;
}

static void wait_for(perp_ldl *f, int d, int at)
{
    if (at == f->count[d]) return;
    int s = f->super_of[f->row[f->rows[d] + (size_t)at]];
    f->at[d] = at;
    f->next[d] = f->head[s];
    f->head[s] = d;
}

/* Where the rows of s are in its panel. */
static void map_rows(perp_ldl *f, int s)
{
    int width = perp_ldl_width(f, s);
    const int *list = f->row + f->rows[s];
    for (int j = 0; j < width; j++) f->map[f->first[s] + j] = j;
    for (int r = 0; r < f->count[s]; r++) f->map[list[r]] = width + r;
}

static void assemble(perp_ldl *f, int s, const double *x)
{
    memset(f->L + f->panel[s], 0, (f->panel[s + 1] - f->panel[s]) * sizeof *f->L);
    for (int k = f->entries[s]; k < f->entries[s + 1]; k++) f->L[f->place[k]] = x[f->entry[k]];
}

PERP_CLONED(int, factor, (perp_ldl * f, const double *x, double least, double instead),
            (f, x, least, instead))
{
    int replaced = 0;
    for (int s = 0; s < f->supers; s++) {
        assemble(f, s, x);
        map_rows(f, s);
        for (int d = f->head[s], next; d >= 0; d = next) {
            int end = same_super(f, d, f->at[d]);
            next = f->next[d];
            update(f, s, d, f->at[d], end);
            wait_for(f, d, end);
        }
        replaced += factor_panel(f, s, least, instead);
        wait_for(f, s, 0);
    }
    return replaced;
}

int perp_ldl_compute(perp_ldl *f, const double *x, double least, double instead)
{
    for (int s = 0; s < f->supers; s++) f->head[s] = -1;
    int replaced = factor(f, x, least, instead);
    return vector_is_finite((size_t)f->n, f->d) ? replaced : -1;
}
