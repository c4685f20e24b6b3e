/* base/format_dense_rows.c: matrices stored row by row: the transposes of dense ones, whose loops
 * they use. */
#include "error.h"
#include "format_transposed.h"
#include "vector.h"

/* A', column by column, in the same numbers. */
static perp_matrix transposed(const perp_matrix *A)
{
    perp_matrix T = *A;
    T.format = PERP_FORMAT_DENSE;
    T.m = A->n;
    T.n = A->m;
    return T;
}

PERP_TRANSPOSED_PRODUCTS(perp_format_dense)

static perp_status check(const perp_matrix *A, const char *name, perp_error *e)
{
    size_t m = (size_t)A->m, n = (size_t)A->n, ld = (size_t)A->as.dense.ld;
    if (A->as.dense.ld < A->n) {
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "ld = %d of %s, which is stored by rows, is below "
                           "its %d columns",
                           A->as.dense.ld, name, A->n);
    }
    if (m == 0 || n == 0) return PERP_SOLVED;
    if (ld > PTRDIFF_MAX / sizeof(double) / m) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s is %d x %d, more than memory can address", name,
                           A->m, A->n);
    }
    if (!A->as.dense.x) return perp_refuse_null(name, "x", e);
    for (size_t i = 0; i < m; i++) {
        const double *row = A->as.dense.x + i * ld;
        if (vector_is_finite(n, row)) continue;
        return perp_refuse_entry(name, (int)i, (int)perp_find_not_finite(n, row), e);
    }
    return PERP_SOLVED;
}

static long long count(const perp_matrix *A)
{
    return (long long)A->m * A->n;
}

static void read_diagonal(const perp_matrix *A, double *d)
{
    perp_format_dense.read_diagonal(A, d);
}

#define TILE 16 /* rows and columns that are turned round at a time: 2 KiB of each side */

static int end_of(int from, int length)
{
    return from + TILE < length ? from + TILE : length;
}

static void add_to_dense(const perp_matrix *A, double *x)
{
    size_t m = (size_t)A->m, ld = (size_t)A->as.dense.ld;
    for (int i0 = 0; i0 < A->m; i0 += TILE) {
        for (int j0 = 0; j0 < A->n; j0 += TILE) {
            for (int j = j0; j < end_of(j0, A->n); j++) {
                double *column = x + (size_t)j * m;
                const double *row = A->as.dense.x + j;
                for (int i = i0; i < end_of(i0, A->m); i++) column[i] += row[(size_t)i * ld];
            }
        }
    }
}

static perp_status to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    int m = A->m, n = A->n, *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    if (a->failed) return perp_convert_no_memory(A, e);
    size_t ld = (size_t)A->as.dense.ld;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) p[j + 1] += A->as.dense.x[(size_t)i * ld + (size_t)j] != 0;
    }
    if (!perp_accumulate(n, p)) return perp_convert_no_index(A, e);
    int *row = perp_alloc_unset(a, (size_t)p[n], sizeof *row);
    double *x = perp_alloc_unset(a, (size_t)p[n], sizeof *x);
    if (a->failed) return perp_convert_no_memory(A, e);
    for (int j = 0, k = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            double v = A->as.dense.x[(size_t)i * ld + (size_t)j];
            if (v == 0) continue;
            row[k] = i;
            x[k++] = v;
        }
    }
    *out = perp_csc(m, n, p, row, x);
    return PERP_SOLVED;
}

static perp_status from(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    perp_matrix D;
    int m = A->m, n = A->n; /* out may be A */
    perp_status status = perp_convert(A, PERP_FORMAT_DENSE, a, &D, e);
    if (status) return status;
    D.format = PERP_FORMAT_DENSE_ROWS; /* rows of A' are columns of A */
    D.m = n;
    D.n = m;
    status = perp_format_dense.from(&D, a, out, e);
    if (status) return status;
    *out = perp_dense_rows(m, n, out->as.dense.x);
    return PERP_SOLVED;
}

const perp_matrix_ops perp_format_dense_rows = {
    .name = "dense_rows",
    .title = "dense rows",
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
