/* base/format_absent.c: the zero matrix of the size its place asks for. */
#include "error.h"
#include "format.h"

static perp_status check(const perp_matrix *A, const char *name, perp_error *e)
{
    (void)A, (void)name, (void)e;
    return PERP_SOLVED;
}

static void mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    (void)a, (void)x;
    format_scale(A->m, b, y);
}

static void mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    (void)a, (void)x;
    format_scale(A->n, b, y);
}

static long long count(const perp_matrix *A)
{
    (void)A;
    return 0;
}

static void read_diagonal(const perp_matrix *A, double *d)
{
    (void)A, (void)d;
}

static void add_sizes(const perp_matrix *A, const double *x, double *y)
{
    (void)A, (void)x, (void)y;
}

static void add_counts(const perp_matrix *A, double *y)
{
    (void)A, (void)y;
}

static void add_pairs(const perp_matrix *A, const double *x, double *hi, double *lo)
{
    (void)A, (void)x, (void)hi, (void)lo;
}

static void add_to_dense(const perp_matrix *A, double *x)
{
    (void)A, (void)x;
}

/* Empty arrays, yet not NULL: some factorisations refuse that whatever the count. */
static perp_status to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    int *p = perp_alloc(a, (size_t)A->n + 1, sizeof *p);
    int *row = perp_alloc(a, 0, sizeof *row);
    double *x = perp_alloc(a, 0, sizeof *x);
    if (a->failed) return perp_convert_no_memory(A, e);
    *out = perp_csc(A->m, A->n, p, row, x);
    return PERP_SOLVED;
}

const perp_matrix_ops perp_format_absent = {
    .name = "absent",
    .title = "absent",
    .check = check,
    .check_pattern = check,
    .mul = mul,
    .mul_t = mul_t,
    .count = count,
    .read_diagonal = read_diagonal,
    .add_sizes = add_sizes,
    .add_sizes_t = add_sizes,
    .add_counts = add_counts,
    .add_counts_t = add_counts,
    .add_pairs = add_pairs,
    .add_pairs_t = add_pairs,
    .add_to_dense = add_to_dense,
    .to_csc = to_csc,
};
