/* base/convert.c: the same matrix in another format, in the arena.
 * Every conversion counts, turns counts into pointers, and fills: linear in the entries and the
 * sizes, sorted output, duplicates summed in the order they are stored. Exact zeros of a dense or
 * block matrix are left out; the pattern of a CSC matrix is kept. Results are allocated first and
 * work space above them, so that the work space alone can be given back. */
#include "convert.h"
#include "error.h"

#include <limits.h>

#define DENSE_LIMIT ((size_t)2 << 30) /* bytes of a dense matrix we are willing to make */

/* p[k + 1] holds the count of k; make it the start of k + 1. False: more than an int can count. */
static bool accumulate(int n, int *p)
{
    for (int k = 0; k < n; k++) {
        if (p[k + 1] > INT_MAX - p[k]) return false;
        p[k + 1] += p[k];
    }
    return true;
}

static perp_status refuse_memory(const perp_matrix *A, perp_error *e)
{
    return perp_refuse(e, PERP_E_MEMORY, "the arena has no room to convert a %d x %d matrix", A->m,
                       A->n);
}

static perp_status refuse_count(const perp_matrix *A, perp_error *e)
{
    return perp_refuse(e, PERP_E_FORMAT, "a %d x %d matrix has too many entries for int indices",
                       A->m, A->n);
}

/* ---- sorting ---- */

static bool is_canonical(const perp_matrix *A)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j] + 1; k < v->p[j + 1]; k++) {
            if (v->i[k - 1] >= v->i[k]) return false;
        }
    }
    return true;
}

/* Entries by row: column[k] and source[k], the place in A; next has length m + 1 and ends as the
 * rows' ends. Columns ascend within a row, and duplicates keep their order. */
static void list_rows(const perp_matrix *A, int *next, int *column, int *source)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int k = 0; k < v->p[A->n]; k++) next[v->i[k] + 1]++;
    for (int i = 0; i < A->m; i++) next[i + 1] += next[i];
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int to = next[v->i[k]]++;
            column[to] = j;
            source[to] = k;
        }
    }
}

/* Walk the rows in order and append each entry to its column, which sorts every column; an entry
 * in the row its column ends with is a duplicate. */
static void fill_sorted(const perp_matrix *A, const int *end, const int *column, const int *source,
                        int *length, int *row, double *x)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int i = 0, k = 0; i < A->m; i++) {
        for (; k < end[i]; k++) {
            int j = column[k], start = v->p[j], last = start + length[j] - 1;
            if (last >= start && row[last] == i) {
                x[last] += v->x[source[k]];
            } else {
                row[last + 1] = i;
                x[last + 1] = v->x[source[k]];
                length[j]++;
            }
        }
    }
}

/* Close the gaps that summed duplicates left: columns still start where they do in A. */
static void pack(const perp_matrix *A, const int *length, int *p, int *row, double *x)
{
    int to = 0;
    for (int j = 0; j < A->n; j++) {
        int from = A->as.csc.p[j];
        for (int k = 0; k < length[j]; k++, to++) {
            row[to] = row[from + k];
            x[to] = x[from + k];
        }
        p[j + 1] = to;
    }
}

perp_status perp_sort_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out)
{
    if (A->format != PERP_CSC) return PERP_E_FORMAT;
    if (is_canonical(A)) {
        *out = *A;
        return PERP_SOLVED;
    }
    size_t count = (size_t)A->as.csc.p[A->n];
    int *p = perp_alloc(a, (size_t)A->n + 1, sizeof *p);
    int *row = perp_alloc_unset(a, count, sizeof *row);
    double *x = perp_alloc_unset(a, count, sizeof *x);
    perp_mark mark = perp_arena_mark(a);
    int *next = perp_alloc(a, (size_t)A->m + 1, sizeof *next);
    int *length = perp_alloc(a, (size_t)A->n, sizeof *length);
    int *column = perp_alloc_unset(a, count, sizeof *column);
    int *source = perp_alloc_unset(a, count, sizeof *source);
    if (a->failed) return PERP_E_MEMORY;
    list_rows(A, next, column, source);
    fill_sorted(A, next, column, source, length, row, x);
    pack(A, length, p, row, x);
    perp_arena_release(a, mark);
    *out = perp_csc(A->m, A->n, p, row, x);
    return PERP_SOLVED;
}

/* ---- to CSC ---- */

static perp_status dense_to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                perp_error *e)
{
    size_t ld = (size_t)A->as.dense.ld;
    int m = A->m, n = A->n, *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    if (a->failed) return refuse_memory(A, e);
    for (int j = 0; m && j < n; j++) {
        const double *column = A->as.dense.x + (size_t)j * ld;
        for (int i = 0; i < m; i++) p[j + 1] += column[i] != 0;
    }
    if (!accumulate(n, p)) return refuse_count(A, e);
    int *row = perp_alloc_unset(a, (size_t)p[n], sizeof *row);
    double *x = perp_alloc_unset(a, (size_t)p[n], sizeof *x);
    if (a->failed) return refuse_memory(A, e);
    for (int j = 0, k = 0; m && j < n; j++) {
        const double *column = A->as.dense.x + (size_t)j * ld;
        for (int i = 0; i < m; i++) {
            if (column[i] == 0) continue;
            row[k] = i;
            x[k++] = column[i];
        }
    }
    *out = perp_csc(m, n, p, row, x);
    return PERP_SOLVED;
}

/* False: some column has more entries than an int can count. */
static bool count_block_columns(const perp_matrix *A, int *p)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int k = 0; k < v->p[A->m / 3]; k++) {
        const double *B = v->x + 9 * (size_t)k;
        int *count = p + 3 * (size_t)v->j[k] + 1;
        for (int c = 0; c < 3; c++) {
            if (count[c] > INT_MAX - 3) return false;
            count[c] += (B[3 * c] != 0) + (B[3 * c + 1] != 0) + (B[3 * c + 2] != 0);
        }
    }
    return true;
}

static void fill_block_columns(const perp_matrix *A, int *next, int *row, double *x)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int ib = 0; ib < A->m / 3; ib++) {
        for (int k = v->p[ib]; k < v->p[ib + 1]; k++) {
            for (int t = 0; t < 9; t++) {
                double value = v->x[9 * (size_t)k + (size_t)t];
                if (value == 0) continue;
                int to = next[3 * v->j[k] + t / 3]++;
                row[to] = 3 * ib + t % 3;
                x[to] = value;
            }
        }
    }
}

/* Block rows ascend, so the columns come out sorted unless a block is stored twice. */
static perp_status bsr3_to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    int n = A->n, *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    if (a->failed) return refuse_memory(A, e);
    if (!count_block_columns(A, p) || !accumulate(n, p)) return refuse_count(A, e);
    int *row = perp_alloc_unset(a, (size_t)p[n], sizeof *row);
    double *x = perp_alloc_unset(a, (size_t)p[n], sizeof *x);
    perp_mark mark = perp_arena_mark(a);
    int *next = perp_alloc_unset(a, (size_t)n, sizeof *next);
    if (a->failed) return refuse_memory(A, e);
    for (int j = 0; j < n; j++) next[j] = p[j];
    fill_block_columns(A, next, row, x);
    perp_arena_release(a, mark);
    perp_matrix unsorted = perp_csc(A->m, n, p, row, x);
    return perp_sort_csc(&unsorted, a, out) ? refuse_memory(A, e) : PERP_SOLVED;
}

/* Empty arrays, yet not NULL: some factorisations refuse that whatever the count. */
static perp_status absent_to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                 perp_error *e)
{
    int *p = perp_alloc(a, (size_t)A->n + 1, sizeof *p);
    int *row = perp_alloc(a, 0, sizeof *row);
    double *x = perp_alloc(a, 0, sizeof *x);
    if (a->failed) return refuse_memory(A, e);
    *out = perp_csc(A->m, A->n, p, row, x);
    return PERP_SOLVED;
}

/* ---- to BSR3 ---- */

static bool has_block(const perp_matrix *A, int ib, int jb)
{
    size_t ld = (size_t)A->as.dense.ld;
    const double *B = A->as.dense.x + 3 * (size_t)jb * ld + 3 * (size_t)ib;
    for (int c = 0; c < 3; c++, B += ld) {
        if (B[0] != 0 || B[1] != 0 || B[2] != 0) return true;
    }
    return false;
}

static void fill_dense_blocks(const perp_matrix *A, int *next, int *j, double *x)
{
    size_t ld = (size_t)A->as.dense.ld;
    for (int jb = 0; jb < A->n / 3; jb++) {
        for (int ib = 0; ib < A->m / 3; ib++) {
            if (!has_block(A, ib, jb)) continue;
            const double *B = A->as.dense.x + 3 * (size_t)jb * ld + 3 * (size_t)ib;
            int to = next[ib]++;
            j[to] = jb;
            for (size_t t = 0; t < 9; t++) x[9 * (size_t)to + t] = B[t / 3 * ld + t % 3];
        }
    }
}

static perp_status dense_to_bsr3(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                 perp_error *e)
{
    int mb = A->m / 3, nb = A->n / 3, *p = perp_alloc(a, (size_t)mb + 1, sizeof *p);
    if (a->failed) return refuse_memory(A, e);
    for (int jb = 0; jb < nb; jb++) {
        for (int ib = 0; ib < mb; ib++) p[ib + 1] += has_block(A, ib, jb);
    }
    if (!accumulate(mb, p)) return refuse_count(A, e);
    int *j = perp_alloc_unset(a, (size_t)p[mb], sizeof *j);
    double *x = perp_alloc_unset(a, (size_t)p[mb], 9 * sizeof *x);
    perp_mark mark = perp_arena_mark(a);
    int *next = perp_alloc_unset(a, (size_t)mb, sizeof *next);
    if (a->failed) return refuse_memory(A, e);
    for (int ib = 0; ib < mb; ib++) next[ib] = p[ib];
    fill_dense_blocks(A, next, j, x);
    perp_arena_release(a, mark);
    *out = perp_bsr3(mb, nb, p, j, x);
    return PERP_SOLVED;
}

/* Blocks in each block row; last[ib] is one more than the block column its latest entry was in. */
static void count_blocks(const perp_matrix *A, int *last, int *p)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int ib = v->i[k] / 3;
            if (last[ib] != j / 3 + 1) p[ib + 1]++;
            last[ib] = j / 3 + 1;
        }
    }
}

/* next[ib] is one past the latest block of its row. */
static void fill_blocks(const perp_matrix *A, const int *p, int *next, int *jb, double *x)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int ib = v->i[k] / 3;
            if (next[ib] == p[ib] || jb[next[ib] - 1] != j / 3) jb[next[ib]++] = j / 3;
            double *to = x + 9 * (size_t)(next[ib] - 1) + 3 * (j % 3) + v->i[k] % 3;
            *to = *to == 0 ? v->x[k] : *to + v->x[k]; /* a first -0 stays one */
        }
    }
}

static perp_status csc_to_bsr3(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    int mb = A->m / 3, *p = perp_alloc(a, (size_t)mb + 1, sizeof *p);
    perp_mark mark = perp_arena_mark(a);
    int *last = perp_alloc(a, (size_t)mb, sizeof *last);
    if (a->failed) return refuse_memory(A, e);
    count_blocks(A, last, p);
    perp_arena_release(a, mark);
    if (!accumulate(mb, p)) return refuse_count(A, e);
    int *j = perp_alloc_unset(a, (size_t)p[mb], sizeof *j);
    double *x = perp_alloc(a, (size_t)p[mb], 9 * sizeof *x);
    mark = perp_arena_mark(a);
    int *next = perp_alloc_unset(a, (size_t)mb, sizeof *next);
    if (a->failed) return refuse_memory(A, e);
    for (int ib = 0; ib < mb; ib++) next[ib] = p[ib];
    fill_blocks(A, p, next, j, x);
    perp_arena_release(a, mark);
    *out = perp_bsr3(mb, A->n / 3, p, j, x);
    return PERP_SOLVED;
}

static perp_status absent_to_bsr3(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                  perp_error *e)
{
    int *p = perp_alloc(a, (size_t)A->m / 3 + 1, sizeof *p);
    int *j = perp_alloc(a, 0, sizeof *j);
    double *x = perp_alloc(a, 0, sizeof *x);
    if (a->failed) return refuse_memory(A, e);
    *out = perp_bsr3(A->m / 3, A->n / 3, p, j, x);
    return PERP_SOLVED;
}

static perp_status to_bsr3(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    if (A->m % 3 || A->n % 3) {
        return perp_refuse(e, PERP_E_FORMAT, "a %d x %d matrix has no 3 x 3 blocks", A->m, A->n);
    }
    if (A->format == PERP_CSC) return csc_to_bsr3(A, a, out, e);
    if (A->format == PERP_DENSE) return dense_to_bsr3(A, a, out, e);
    return absent_to_bsr3(A, a, out, e);
}

/* ---- to dense ---- */

static void add_csc(const perp_matrix *A, double *x)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double *column = x + (size_t)j * (size_t)A->m;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) column[v->i[k]] += v->x[k];
    }
}

static void add_bsr3(const perp_matrix *A, double *x)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    size_t m = (size_t)A->m;
    for (int ib = 0; ib < A->m / 3; ib++) {
        for (int k = v->p[ib]; k < v->p[ib + 1]; k++) {
            const double *B = v->x + 9 * (size_t)k;
            double *to = x + 3 * (size_t)v->j[k] * m + 3 * (size_t)ib;
            for (size_t t = 0; t < 9; t++) to[t / 3 * m + t % 3] += B[t];
        }
    }
}

static perp_status to_dense(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    if (A->n && (size_t)A->m > DENSE_LIMIT / sizeof(double) / (size_t)A->n) {
        double GiB = 1 << 30;
        return perp_refuse(e, PERP_E_FORMAT,
                           "a dense %d x %d matrix would take %.4g GiB, the limit is %.4g", A->m,
                           A->n, (double)A->m * A->n * sizeof(double) / GiB, DENSE_LIMIT / GiB);
    }
    double *x = perp_alloc(a, (size_t)A->m * (size_t)A->n, sizeof *x);
    if (a->failed) return refuse_memory(A, e);
    if (A->format == PERP_CSC) add_csc(A, x);
    if (A->format == PERP_BSR3) add_bsr3(A, x);
    *out = perp_dense(A->m, A->n, x);
    return PERP_SOLVED;
}

perp_status perp_convert(const perp_matrix *A, perp_format format, perp_arena *a, perp_matrix *out,
                         perp_error *e)
{
    if (A->format == format) {
        *out = *A;
        return PERP_SOLVED;
    }
    if (A->format & ~(PERP_DENSE | PERP_CSC | PERP_BSR3 | PERP_OPERATOR)) {
        return perp_refuse(e, PERP_E_FORMAT, "a matrix of the unknown format %d", (int)A->format);
    }
    if (A->format == PERP_OPERATOR) {
        return perp_refuse(e, PERP_E_FORMAT, "a %d x %d operator is never assembled", A->m, A->n);
    }
    if (format == PERP_DENSE) return to_dense(A, a, out, e);
    if (format == PERP_BSR3) return to_bsr3(A, a, out, e);
    if (format == PERP_CSC) {
        if (A->format == PERP_DENSE) return dense_to_csc(A, a, out, e);
        if (A->format == PERP_BSR3) return bsr3_to_csc(A, a, out, e);
        return absent_to_csc(A, a, out, e);
    }
    return perp_refuse(e, PERP_E_FORMAT, "a matrix cannot be turned into format %d", (int)format);
}
