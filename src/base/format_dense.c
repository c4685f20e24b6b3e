/* base/format_dense.c: matrices stored column by column.
 * Products go four columns at a time, so that y (or x) is read once for four columns. Cost: one
 * pass over the stored values, no memory. */
#include "clones.h"
#include "error.h"
#include "format.h"
#include "pair.h"
#include "vector.h"
#include "watch.h"

#include <math.h>

#define DENSE_LIMIT ((size_t)2 << 30) /* bytes of a dense matrix we are willing to make */

/* ---- products ---- */

/* y += A x for four columns of length m, ld apart; pairs of rows, which compilers turn into vectors
 * at -O2 too. */
static void add_four_columns(int m, const double *restrict A, size_t ld, const double x[4],
                             double *restrict y)
{
    const double *A1 = A + ld, *A2 = A1 + ld, *A3 = A2 + ld;
    double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        y[i] += (A[i] * x0 + A1[i] * x1) + (A2[i] * x2 + A3[i] * x3);
        y[i + 1] += (A[i + 1] * x0 + A1[i + 1] * x1) + (A2[i + 1] * x2 + A3[i + 1] * x3);
    }
    if (i < m) y[i] += (A[i] * x0 + A1[i] * x1) + (A2[i] * x2 + A3[i] * x3);
}

static void mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    format_scale(A->m, b, y);
    if (format_is_empty(A)) return;
    const double *column = A->as.dense.x;
    int m = A->m, n = A->n, j = 0;
    size_t ld = (size_t)A->as.dense.ld;
    for (; j + 4 <= n; j += 4) {
        if (x[j] == 0 && x[j + 1] == 0 && x[j + 2] == 0 && x[j + 3] == 0) continue;
        const double ax[4] = {a * x[j], a * x[j + 1], a * x[j + 2], a * x[j + 3]};
        add_four_columns(m, column + (size_t)j * ld, ld, ax, y);
    }
    for (; j < n; j++) {
        const double *c = column + (size_t)j * ld;
        double ax = a * x[j];
        for (int i = 0; i < m; i++) y[i] += c[i] * ax;
    }
}

/* Two partial sums, even and odd rows: without them each addition waits for the one before. */
static double dot(int m, const double *c, const double *x)
{
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        even += c[i] * x[i];
        odd += c[i + 1] * x[i + 1];
    }
    if (i < m) even += c[i] * x[i];
    return even + odd;
}

/* s = A' x for four columns, each summed as dot() does: a column's sum does not depend on where it
 * stands. */
static void dot_four_columns(int m, const double *A, size_t ld, const double *x, double s[4])
{
    const double *A1 = A + ld, *A2 = A1 + ld, *A3 = A2 + ld;
    double s0[2] = {0}, s1[2] = {0}, s2[2] = {0}, s3[2] = {0};
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        for (int k = 0; k < 2; k++) {
            double xi = x[i + k];
            s0[k] += A[i + k] * xi;
            s1[k] += A1[i + k] * xi;
            s2[k] += A2[i + k] * xi;
            s3[k] += A3[i + k] * xi;
        }
    }
    if (i < m) {
        s0[0] += A[i] * x[i];
        s1[0] += A1[i] * x[i];
        s2[0] += A2[i] * x[i];
        s3[0] += A3[i] * x[i];
    }
    s[0] = s0[0] + s0[1];
    s[1] = s1[0] + s1[1];
    s[2] = s2[0] + s2[1];
    s[3] = s3[0] + s3[1];
}

static void mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    if (format_is_empty(A)) {
        format_scale(A->n, b, y);
        return;
    }
    const double *column = A->as.dense.x;
    int m = A->m, n = A->n, j = 0;
    size_t ld = (size_t)A->as.dense.ld;
    for (; j + 4 <= n; j += 4) {
        double s[4];
        dot_four_columns(m, column + (size_t)j * ld, ld, x, s);
        for (int k = 0; k < 4; k++) y[j + k] = format_blend(a * s[k], b, y[j + k]);
    }
    for (; j < n; j++) y[j] = format_blend(a * dot(m, column + (size_t)j * ld, x), b, y[j]);
}

/* y += |A| |x| for one column of length m. */
PERP_CLONED_VOID(add_column_sizes, (int m, const double *restrict A, double x, double *restrict y),
                 (m, A, x, y))
{
    for (int i = 0; i < m; i++) y[i] += fabs(A[i]) * x;
}

/* s += |A|' |x| for `count` columns, at most four, each row after row. */
PERP_CLONED_VOID(dot_column_sizes,
                 (int m, int count, const double *A, size_t ld, const double *x, double *s),
                 (m, count, A, ld, x, s))
{
    const double *c[4];
    double sum[4] = {0};
    for (int k = 0; k < 4; k++) c[k] = A + (k < count ? (size_t)k * ld : 0);
    for (int k = 0; k < count; k++) sum[k] = s[k];
    for (int i = 0; i < m; i++) {
        double xi = fabs(x[i]);
        for (int k = 0; k < 4; k++) sum[k] += fabs(c[k][i]) * xi;
    }
    for (int k = 0; k < count; k++) s[k] = sum[k];
}

static const double *column_of(const perp_matrix *A, int j)
{
    return A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld;
}

/* Four columns, or those that are left. */
static int some_columns(const perp_matrix *A, int j)
{
    return A->n - j < 4 ? A->n - j : 4;
}

static void add_sizes(const perp_matrix *A, const double *x, double *y)
{
    for (int j = 0; j < A->n; j++) {
        if (x[j] != 0) add_column_sizes(A->m, column_of(A, j), fabs(x[j]), y);
    }
}

static void add_sizes_t(const perp_matrix *A, const double *x, double *y)
{
    size_t ld = (size_t)A->as.dense.ld;
    for (int j = 0; j < A->n; j += 4) {
        dot_column_sizes(A->m, some_columns(A, j), column_of(A, j), ld, x, y + j);
    }
}

static void add_counts(const perp_matrix *A, double *y)
{
    for (int i = 0; i < A->m; i++) y[i] += A->n;
}

static void add_counts_t(const perp_matrix *A, double *y)
{
    for (int j = 0; j < A->n; j++) y[j] += A->m;
}

/* fma() is an instruction where the processor has it, and a call of a function elsewhere. */
PERP_CLONED_VOID(add_column_pairs,
                 (int m, const double *restrict A, double x, double *restrict hi,
                  double *restrict lo),
                 (m, A, x, hi, lo))
{
    for (int i = 0; i < m; i++) pair_add_product(A[i], x, hi + i, lo + i);
}

/* As dot_column_sizes. */
PERP_CLONED_VOID(dot_column_pairs,
                 (int m, int count, const double *A, size_t ld, const double *x, double *hi,
                  double *lo),
                 (m, count, A, ld, x, hi, lo))
{
    const double *c[4];
    double h[4] = {0}, l[4] = {0};
    for (int k = 0; k < 4; k++) c[k] = A + (k < count ? (size_t)k * ld : 0);
    for (int k = 0; k < count; k++) {
        h[k] = hi[k];
        l[k] = lo[k];
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < 4; k++) pair_add_product(c[k][i], x[i], h + k, l + k);
    }
    for (int k = 0; k < count; k++) {
        hi[k] = h[k];
        lo[k] = l[k];
    }
}

static void add_pairs(const perp_matrix *A, const double *x, double *hi, double *lo)
{
    for (int j = 0; j < A->n; j++) add_column_pairs(A->m, column_of(A, j), x[j], hi, lo);
}

static void add_pairs_t(const perp_matrix *A, const double *x, double *hi, double *lo)
{
    size_t ld = (size_t)A->as.dense.ld;
    for (int j = 0; j < A->n; j += 4) {
        dot_column_pairs(A->m, some_columns(A, j), column_of(A, j), ld, x, hi + j, lo + j);
    }
}

/* ---- checks ---- */

static perp_status check_structure(const perp_matrix *A, const char *name, perp_error *e)
{
    int ld = A->as.dense.ld;
    if (ld < A->m) {
        return perp_refuse(e, PERP_E_ARGUMENT, "ld = %d of %s is below its %d rows", ld, name,
                           A->m);
    }
    if (A->m && A->n && (size_t)ld > PTRDIFF_MAX / sizeof(double) / (size_t)A->n) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s is %d x %d, more than memory can address", name,
                           A->m, A->n);
    }
    return PERP_SOLVED;
}

static perp_status check_values(const perp_matrix *A, const char *name, perp_error *e)
{
    const double *x = A->as.dense.x;
    size_t m = (size_t)A->m, n = (size_t)A->n, ld = (size_t)A->as.dense.ld;
    if (m == 0 || n == 0) return PERP_SOLVED;
    if (!x) return perp_refuse_null(name, "x", e);
    if (ld == m && vector_is_finite(m * n, x)) return PERP_SOLVED;
    for (size_t j = 0; j < n; j++) {
        const double *column = x + j * ld;
        if (vector_is_finite(m, column)) continue;
        return perp_refuse_entry(name, (int)perp_find_not_finite(m, column), (int)j, e);
    }
    return PERP_SOLVED;
}

static perp_status check(const perp_matrix *A, const char *name, perp_error *e)
{
    perp_status status = check_structure(A, name, e);
    return status ? status : check_values(A, name, e);
}

/* A dense pattern is its size: values come packed, whatever ld says. */
static perp_status check_pattern(const perp_matrix *A, const char *name, perp_error *e)
{
    (void)A, (void)name, (void)e;
    return PERP_SOLVED;
}

/* ---- entries and conversions ---- */

static long long count(const perp_matrix *A)
{
    return (long long)A->m * A->n;
}

static void read_diagonal(const perp_matrix *A, double *d)
{
    size_t next = (size_t)A->as.dense.ld + 1;
    for (int j = 0; j < A->n; j++) d[j] = A->as.dense.x[(size_t)j * next];
}

static perp_status to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    size_t ld = (size_t)A->as.dense.ld;
    int m = A->m, n = A->n, *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    if (a->failed) return perp_convert_no_memory(A, e);
    for (int j = 0; m && j < n; j++) {
        const double *column = A->as.dense.x + (size_t)j * ld;
        for (int i = 0; i < m; i++) p[j + 1] += column[i] != 0;
    }
    if (!perp_accumulate(n, p)) return perp_convert_no_index(A, e);
    int *row = perp_alloc_unset(a, (size_t)p[n], sizeof *row);
    double *x = perp_alloc_unset(a, (size_t)p[n], sizeof *x);
    if (a->failed) return perp_convert_no_memory(A, e);
    perp_watched watched = perp_watch_begin(a);
    for (int j = 0, k = 0; m && j < n; j++) {
        const double *column = A->as.dense.x + (size_t)j * ld;
        if (perp_watch_spent(&watched, m)) a->failed = true;
        if (a->failed) return perp_convert_no_memory(A, e);
        for (int i = 0; i < m; i++) {
            if (column[i] == 0) continue;
            row[k] = i;
            x[k++] = column[i];
        }
    }
    *out = perp_csc(m, n, p, row, x);
    return PERP_SOLVED;
}

static perp_status from(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    if (A->n && (size_t)A->m > DENSE_LIMIT / sizeof(double) / (size_t)A->n) {
        double GiB = 1 << 30;
        return perp_refuse(e, PERP_E_FORMAT,
                           "a dense %d x %d matrix would take %.4g GiB, the limit is %.4g", A->m,
                           A->n, (double)A->m * A->n * sizeof(double) / GiB, DENSE_LIMIT / GiB);
    }
    double *x = perp_alloc(a, (size_t)A->m * (size_t)A->n, sizeof *x);
    if (a->failed) return perp_convert_no_memory(A, e);
    perp_formats[A->format]->add_to_dense(A, x);
    *out = perp_dense(A->m, A->n, x);
    return PERP_SOLVED;
}

const perp_matrix_ops perp_format_dense = {
    .name = "dense",
    .title = "dense",
    .check = check,
    .check_pattern = check_pattern,
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
    .add_to_dense = NULL, /* a dense matrix is never copied into another */
    .to_csc = to_csc,
    .from = from,
};
