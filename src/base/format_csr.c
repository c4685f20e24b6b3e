/* base/format_csr.c: compressed rows: the transposes of compressed columns, whose loops they use.
 */
#include "error.h"
#include "format_transposed.h"
#include "vector.h"

/* A' by columns, in the same arrays. */
static perp_matrix transposed(const perp_matrix *A)
{
    return perp_csc(A->n, A->m, A->as.csr.p, A->as.csr.j, A->as.csr.x);
}

PERP_TRANSPOSED_PRODUCTS(perp_format_csc)

static perp_status check(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_csr_view *v = &A->as.csr;
    perp_status status = perp_check_pointers(v->p, A->m, name, e);
    if (status) return status;
    int count = v->p[A->m];
    if (count && !v->j) return perp_refuse_null(name, "j", e);
    if (count && !v->x) return perp_refuse_null(name, "x", e);
    int k = perp_find_outside(v->j, count, A->n);
    if (k < count) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s.j[%d] = %d is not a column of a %d x %d matrix",
                           name, k, v->j[k], A->m, A->n);
    }
    if (vector_is_finite((size_t)count, v->x)) return PERP_SOLVED;
    k = (int)perp_find_not_finite((size_t)count, v->x);
    return perp_refuse_entry(name, perp_find_owner(v->p, k), v->j[k], e);
}

static long long count(const perp_matrix *A)
{
    perp_matrix T = transposed(A);
    return perp_format_csc.count(&T);
}

static void read_diagonal(const perp_matrix *A, double *d)
{
    perp_matrix T = transposed(A);
    perp_format_csc.read_diagonal(&T, d);
}

static void add_to_dense(const perp_matrix *A, double *x)
{
    const struct perp_csr_view *v = &A->as.csr;
    for (int i = 0; i < A->m; i++) {
        for (int k = v->p[i]; k < v->p[i + 1]; k++)
            x[(size_t)v->j[k] * (size_t)A->m + (size_t)i] += v->x[k];
    }
}

/* The lists of a matrix the other way round: `lists` of them with indices below `most` become
 * `most` lists of indices below `lists`, each in ascending order. False: no memory. */
static bool turn(int lists, int most, const int *p, const int *i, const double *x, perp_arena *a,
                 int **p_out, int **i_out, double **x_out)
{
    size_t entries = (size_t)p[lists];
    int *start = *p_out = perp_alloc(a, (size_t)most + 2, sizeof *start);
    *i_out = perp_alloc_unset(a, entries, sizeof **i_out);
    *x_out = perp_alloc_unset(a, entries, sizeof **x_out);
    if (a->failed) return false;
    for (size_t k = 0; k < entries; k++) start[i[k] + 2]++; /* each list is filled one place up */
    for (int j = 0; j < most; j++) start[j + 2] += start[j + 1];
    for (int l = 0; l < lists; l++) {
        for (int k = p[l]; k < p[l + 1]; k++) {
            int at = start[i[k] + 1]++;
            (*i_out)[at] = l;
            (*x_out)[at] = x[k];
        }
    }
    return true;
}

static perp_status to_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    const struct perp_csr_view *v = &A->as.csr;
    int *p, *i, m = A->m, n = A->n;
    double *x;
    if (!turn(m, n, v->p, v->j, v->x, a, &p, &i, &x)) return perp_convert_no_memory(A, e);
    *out = perp_csc(m, n, p, i, x);
    return PERP_SOLVED;
}

static perp_status from(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    perp_matrix C;
    int *p, *j, m = A->m, n = A->n;
    double *x;
    perp_status status = perp_formats[A->format]->to_csc(A, a, &C, e);
    if (status) return status;
    if (!turn(n, m, C.as.csc.p, C.as.csc.i, C.as.csc.x, a, &p, &j, &x))
        return perp_convert_no_memory(A, e);
    *out = perp_csr(m, n, p, j, x);
    return PERP_SOLVED;
}

const perp_matrix_ops perp_format_csr = {
    .name = "csr",
    .title = "compressed rows",
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
