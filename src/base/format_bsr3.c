/* base/format_bsr3.c: compressed rows of 3x3 column-major blocks.
 * Cost of a product: one pass over the stored values, no memory. */
#include "clones.h"
#include "convert.h"
#include "error.h"
#include "format.h"
#include "pair.h"
#include "vector.h"

#include <limits.h>
#include <math.h>

/* ---- products ---- */

static void mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    if (format_is_empty(A)) {
        format_scale(A->m, b, y);
        return;
    }
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int row = 0; row < A->m / 3; row++) {
        double s0 = 0, s1 = 0, s2 = 0;
        for (int k = v->p[row]; k < v->p[row + 1]; k++) {
            const double *B = v->x + 9 * (size_t)k, *c = x + 3 * (size_t)v->j[k];
            s0 += B[0] * c[0] + B[3] * c[1] + B[6] * c[2];
            s1 += B[1] * c[0] + B[4] * c[1] + B[7] * c[2];
            s2 += B[2] * c[0] + B[5] * c[1] + B[8] * c[2];
        }
        double *r = y + 3 * (size_t)row;
        r[0] = format_blend(a * s0, b, r[0]);
        r[1] = format_blend(a * s1, b, r[1]);
        r[2] = format_blend(a * s2, b, r[2]);
    }
}

static void mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    format_scale(A->n, b, y);
    if (format_is_empty(A)) return;
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int row = 0; row < A->m / 3; row++) {
        const double *r = x + 3 * (size_t)row;
        double r0 = a * r[0], r1 = a * r[1], r2 = a * r[2];
        for (int k = v->p[row]; k < v->p[row + 1]; k++) {
            const double *B = v->x + 9 * (size_t)k;
            double *c = y + 3 * (size_t)v->j[k];
            c[0] += B[0] * r0 + B[1] * r1 + B[2] * r2;
            c[1] += B[3] * r0 + B[4] * r1 + B[5] * r2;
            c[2] += B[6] * r0 + B[7] * r1 + B[8] * r2;
        }
    }
}

static void add_sizes(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int i = 0; i < A->m / 3; i++) {
        for (int k = b->p[i]; k < b->p[i + 1]; k++) {
            const double *block = b->x + 9 * (size_t)k, *xj = x + 3 * (size_t)b->j[k];
            for (int e = 0; e < 9; e++) y[3 * i + e % 3] += fabs(block[e]) * fabs(xj[e / 3]);
        }
    }
}

static void add_sizes_t(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int i = 0; i < A->m / 3; i++) {
        for (int k = b->p[i]; k < b->p[i + 1]; k++) {
            const double *block = b->x + 9 * (size_t)k;
            double *yj = y + 3 * (size_t)b->j[k];
            for (int e = 0; e < 9; e++) yj[e / 3] += fabs(block[e]) * fabs(x[3 * i + e % 3]);
        }
    }
}

static void add_counts(const perp_matrix *A, double *y)
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int i = 0; i < A->m; i++) y[i] += 3.0 * (b->p[i / 3 + 1] - b->p[i / 3]);
}

static void add_counts_t(const perp_matrix *A, double *y)
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int k = 0; k < b->p[A->m / 3]; k++) {
        for (int e = 0; e < 3; e++) y[3 * b->j[k] + e] += 3;
    }
}

PERP_CLONED_VOID(add_pairs, (const perp_matrix *A, const double *x, double *hi, double *lo),
                 (A, x, hi, lo))
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int i = 0; i < A->m / 3; i++) {
        double *hr = hi + 3 * (size_t)i, *lr = lo + 3 * (size_t)i;
        double h[3] = {hr[0], hr[1], hr[2]}, l[3] = {lr[0], lr[1], lr[2]};
        for (int k = b->p[i]; k < b->p[i + 1]; k++) {
            const double *block = b->x + 9 * (size_t)k, *xj = x + 3 * (size_t)b->j[k];
            for (int e = 0; e < 9; e++) {
                pair_add_product(block[e], xj[e / 3], h + e % 3, l + e % 3);
            }
        }
        for (int e = 0; e < 3; e++) {
            hr[e] = h[e];
            lr[e] = l[e];
        }
    }
}

PERP_CLONED_VOID(add_pairs_t, (const perp_matrix *A, const double *x, double *hi, double *lo),
                 (A, x, hi, lo))
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int i = 0; i < A->m / 3; i++) {
        for (int k = b->p[i]; k < b->p[i + 1]; k++) {
            const double *block = b->x + 9 * (size_t)k;
            for (int e = 0; e < 9; e++) {
                int row = 3 * b->j[k] + e / 3;
                pair_add_product(block[e], x[3 * i + e % 3], hi + row, lo + row);
            }
        }
    }
}

/* ---- checks ---- */

static perp_status check_structure(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    if (A->m % 3 || A->n % 3) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s is %d x %d, 3 x 3 blocks need multiples of 3",
                           name, A->m, A->n);
    }
    perp_status status = perp_check_pointers(v->p, A->m / 3, name, e);
    if (status) return status;
    int count = v->p[A->m / 3];
    if (count && !v->j) return perp_refuse_null(name, "j", e);
    int k = perp_find_outside(v->j, count, A->n / 3);
    if (k == count) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT,
                       "%s.j[%d] = %d is not a block column of a %d x %d matrix", name, k, v->j[k],
                       A->m, A->n);
}

static perp_status check_values(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    size_t blocks = (size_t)v->p[A->m / 3];
    if (blocks && !v->x) return perp_refuse_null(name, "x", e);
    if (blocks > PTRDIFF_MAX / sizeof(double) / 9) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s has %d blocks, more than memory can address",
                           name, (int)blocks);
    }
    if (vector_is_finite(9 * blocks, v->x)) return PERP_SOLVED;
    size_t k = perp_find_not_finite(9 * blocks, v->x);
    int block = (int)(k / 9), r = (int)(k % 3), c = (int)(k % 9 / 3);
    return perp_refuse_entry(name, 3 * perp_find_owner(v->p, block) + r, 3 * v->j[block] + c, e);
}

static perp_status check(const perp_matrix *A, const char *name, perp_error *e)
{
    perp_status status = check_structure(A, name, e);
    return status ? status : check_values(A, name, e);
}

/* ---- entries ---- */

static long long count(const perp_matrix *A)
{
    return 9LL * A->as.bsr3.p[A->m / 3];
}

static void read_diagonal(const perp_matrix *A, double *d)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j / 3]; k < v->p[j / 3 + 1]; k++) {
            if (v->j[k] == j / 3) d[j] += v->x[9 * (size_t)k + 4 * (size_t)(j % 3)];
        }
    }
}

static void add_to_dense(const perp_matrix *A, double *x)
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

/* ---- to compressed columns ---- */

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
static perp_status to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    int n = A->n, *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    if (a->failed) return perp_convert_no_memory(A, e);
    if (!count_block_columns(A, p) || !perp_accumulate(n, p)) return perp_convert_no_index(A, e);
    int *row = perp_alloc_unset(a, (size_t)p[n], sizeof *row);
    double *x = perp_alloc_unset(a, (size_t)p[n], sizeof *x);
    perp_mark mark = perp_arena_mark(a);
    int *next = perp_alloc_unset(a, (size_t)n, sizeof *next);
    if (a->failed) return perp_convert_no_memory(A, e);
    for (int j = 0; j < n; j++) next[j] = p[j];
    fill_block_columns(A, next, row, x);
    perp_arena_release(a, mark);
    perp_matrix unsorted = perp_csc(A->m, n, p, row, x);
    return perp_sort_csc(&unsorted, a, out) ? perp_convert_no_memory(A, e) : PERP_SOLVED;
}

/* ---- from other formats ---- */

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
    if (a->failed) return perp_convert_no_memory(A, e);
    for (int jb = 0; jb < nb; jb++) {
        for (int ib = 0; ib < mb; ib++) p[ib + 1] += has_block(A, ib, jb);
    }
    if (!perp_accumulate(mb, p)) return perp_convert_no_index(A, e);
    int *j = perp_alloc_unset(a, (size_t)p[mb], sizeof *j);
    double *x = perp_alloc_unset(a, (size_t)p[mb], 9 * sizeof *x);
    perp_mark mark = perp_arena_mark(a);
    int *next = perp_alloc_unset(a, (size_t)mb, sizeof *next);
    if (a->failed) return perp_convert_no_memory(A, e);
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
    if (a->failed) return perp_convert_no_memory(A, e);
    count_blocks(A, last, p);
    perp_arena_release(a, mark);
    if (!perp_accumulate(mb, p)) return perp_convert_no_index(A, e);
    int *j = perp_alloc_unset(a, (size_t)p[mb], sizeof *j);
    double *x = perp_alloc(a, (size_t)p[mb], 9 * sizeof *x);
    mark = perp_arena_mark(a);
    int *next = perp_alloc_unset(a, (size_t)mb, sizeof *next);
    if (a->failed) return perp_convert_no_memory(A, e);
    for (int ib = 0; ib < mb; ib++) next[ib] = p[ib];
    fill_blocks(A, p, next, j, x);
    perp_arena_release(a, mark);
    *out = perp_bsr3(mb, A->n / 3, p, j, x);
    return PERP_SOLVED;
}

static perp_status empty_to_bsr3(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                 perp_error *e)
{
    int *p = perp_alloc(a, (size_t)A->m / 3 + 1, sizeof *p);
    int *j = perp_alloc(a, 0, sizeof *j);
    double *x = perp_alloc(a, 0, sizeof *x);
    if (a->failed) return perp_convert_no_memory(A, e);
    *out = perp_bsr3(A->m / 3, A->n / 3, p, j, x);
    return PERP_SOLVED;
}

/* Dense blocks keep the zeros beside their entries; all else goes by compressed columns. */
static perp_status from(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    if (A->m % 3 || A->n % 3) {
        return perp_refuse(e, PERP_E_FORMAT, "a %d x %d matrix has no 3 x 3 blocks", A->m, A->n);
    }
    if (A->format == PERP_FORMAT_DENSE) return dense_to_bsr3(A, a, out, e);
    if (A->format == PERP_FORMAT_ABSENT) return empty_to_bsr3(A, a, out, e);
    perp_matrix C;
    perp_status status = perp_formats[A->format]->to_csc(A, a, &C, e);
    return status ? status : csc_to_bsr3(&C, a, out, e);
}

const perp_matrix_ops perp_format_bsr3 = {
    .name = "bsr3",
    .title = "3x3 block rows",
    .check = check,
    .mul = mul,
    .mul_t = mul_t,
    .count = count,
    .read_diagonal = read_diagonal,
    .add_sizes = add_sizes,
    .add_sizes_t = add_sizes_t,
    .add_counts = add_counts,
    .add_counts_t = add_counts_t,
    .add_pairs = add_pairs,
    .add_pairs_t = add_pairs_t,
    .add_to_dense = add_to_dense,
    .to_csc = to_csc,
    .from = from,
};
