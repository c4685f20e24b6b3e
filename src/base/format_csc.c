/* base/format_csc.c: compressed columns, rows in any order, duplicates added up.
 * Cost of a product: one pass over the stored values, no memory. */
#include "clones.h"
#include "error.h"
#include "format.h"
#include "pair.h"
#include "vector.h"

#include <math.h>

/* ---- products ---- */

static void mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    format_scale(A->m, b, y);
    if (format_is_empty(A)) return;
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double ax = a * x[j];
        for (int k = v->p[j]; k < v->p[j + 1]; k++) y[v->i[k]] += v->x[k] * ax;
    }
}

static void mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    if (format_is_empty(A)) {
        format_scale(A->n, b, y);
        return;
    }
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double s = 0;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) s += v->x[k] * x[v->i[k]];
        y[j] = format_blend(a * s, b, y[j]);
    }
}

static void add_sizes(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_csc_view *c = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) y[c->i[k]] += fabs(c->x[k]) * fabs(x[j]);
    }
}

static void add_sizes_t(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_csc_view *c = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double s = y[j];
        for (int k = c->p[j]; k < c->p[j + 1]; k++) s += fabs(c->x[k]) * fabs(x[c->i[k]]);
        y[j] = s;
    }
}

static void add_counts(const perp_matrix *A, double *y)
{
    for (int k = 0; k < A->as.csc.p[A->n]; k++) y[A->as.csc.i[k]]++;
}

static void add_counts_t(const perp_matrix *A, double *y)
{
    const int *p = A->as.csc.p;
    for (int j = 0; j < A->n; j++) y[j] += p[j + 1] - p[j];
}

PERP_CLONED_VOID(add_pairs, (const perp_matrix *A, const double *x, double *hi, double *lo),
                 (A, x, hi, lo))
{
    const struct perp_csc_view *c = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            pair_add_product(c->x[k], x[j], hi + c->i[k], lo + c->i[k]);
        }
    }
}

PERP_CLONED_VOID(add_pairs_t, (const perp_matrix *A, const double *x, double *hi, double *lo),
                 (A, x, hi, lo))
{
    const struct perp_csc_view *c = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double h = hi[j], l = lo[j];
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            pair_add_product(c->x[k], x[c->i[k]], &h, &l);
        }
        hi[j] = h;
        lo[j] = l;
    }
}

/* ---- checks ---- */

static perp_status check_pattern(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_csc_view *v = &A->as.csc;
    perp_status status = perp_check_pointers(v->p, A->n, name, e);
    if (status) return status;
    int count = v->p[A->n];
    if (count && !v->i) return perp_refuse_null(name, "i", e);
    int k = perp_find_outside(v->i, count, A->m);
    if (k == count) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "%s.i[%d] = %d is not a row of a %d x %d matrix", name,
                       k, v->i[k], A->m, A->n);
}

static perp_status check_values(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_csc_view *v = &A->as.csc;
    size_t count = (size_t)v->p[A->n];
    if (count && !v->x) return perp_refuse_null(name, "x", e);
    if (vector_is_finite(count, v->x)) return PERP_SOLVED;
    int k = (int)perp_find_not_finite(count, v->x);
    return perp_refuse_entry(name, v->i[k], perp_find_owner(v->p, k), e);
}

static perp_status check(const perp_matrix *A, const char *name, perp_error *e)
{
    perp_status status = check_pattern(A, name, e);
    return status ? status : check_values(A, name, e);
}

/* ---- entries and conversions ---- */

static long long count(const perp_matrix *A)
{
    return A->as.csc.p[A->n];
}

static void read_diagonal(const perp_matrix *A, double *d)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) d[j] += v->i[k] == j ? v->x[k] : 0;
    }
}

static void add_to_dense(const perp_matrix *A, double *x)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double *column = x + (size_t)j * (size_t)A->m;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) column[v->i[k]] += v->x[k];
    }
}

static perp_status to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    (void)a, (void)e;
    *out = *A;
    return PERP_SOLVED;
}

static perp_status from(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    return perp_formats[A->format]->to_csc(A, a, out, e);
}

double perp_csc_entry(const struct perp_csc_view *v, int i, int j)
{
    int from = v->p[j], to = v->p[j + 1];
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (v->i[middle] == i) return v->x[middle];
        if (v->i[middle] < i)
            from = middle + 1;
        else
            to = middle;
    }
    return 0;
}

const perp_matrix_ops perp_format_csc = {
    .name = "csc",
    .title = "CSC",
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
    .add_to_dense = add_to_dense,
    .to_csc = to_csc,
    .from = from,
};
