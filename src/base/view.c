/* base/view.c: is this input what it claims to be? Sizes, pointers, sparsity, finite values.
 * Every solve reads all its data here first, so each test is one branch-free pass that only answers
 * yes or no; the culprit is looked for after a no. Structure is checked before anything is read
 * through it. Cost: one pass over the data, no memory. */
#include "view.h"
#include "error.h"
#include "vector.h"

/* ---- finite values ---- */

static size_t first_not_finite(size_t n, const double *x)
{
    size_t i = 0;
    while (i < n && isfinite(x[i])) i++;
    return i;
}

static perp_status refuse_entry(const char *name, int row, int column, perp_error *e)
{
    return perp_refuse(e, PERP_E_NUMBER, "%s[%d][%d] is not finite", name, row, column);
}

/* Which row or column k of a valid pointer array holds entry `entry`. */
static int find_owner(const int *p, int entry)
{
    int k = 0;
    while (p[k + 1] <= entry) k++;
    return k;
}

/* ---- structure ---- */

static perp_status check_size(const perp_matrix *A, int m, int n, const char *name, perp_error *e)
{
    if (A->m != m || A->n != n) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s is %d x %d, expected %d x %d", name, A->m, A->n,
                           m, n);
    }
    if (m < 0 || n < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s is %d x %d, a size below zero", name, m, n);
    }
    return PERP_SOLVED;
}

static perp_status refuse_null(const char *name, const char *field, perp_error *e)
{
    return perp_refuse(e, PERP_E_ARGUMENT, "%s.%s is NULL", name, field);
}

/* n + 1 pointers that start at 0 and never fall. */
static perp_status check_pointers(const int *p, int n, const char *name, perp_error *e)
{
    if (!p) return refuse_null(name, "p", e);
    if (p[0] != 0) return perp_refuse(e, PERP_E_ARGUMENT, "%s.p[0] = %d is not 0", name, p[0]);
    bool falls = false;
    for (int k = 0; k < n; k++) falls |= p[k + 1] < p[k];
    for (int k = 0; falls && k < n; k++) {
        if (p[k + 1] < p[k]) {
            return perp_refuse(e, PERP_E_ARGUMENT, "%s.p[%d] = %d is below %s.p[%d] = %d", name,
                               k + 1, p[k + 1], name, k, p[k]);
        }
    }
    return PERP_SOLVED;
}

/* The first index outside 0 .. limit - 1, or count. */
static int find_outside(const int *index, int count, int limit)
{
    bool outside = false;
    for (int k = 0; k < count; k++) outside |= (unsigned)index[k] >= (unsigned)limit;
    if (!outside) return count;
    int k = 0;
    while ((unsigned)index[k] < (unsigned)limit) k++;
    return k;
}

static perp_status check_csc(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_csc_view *v = &A->as.csc;
    perp_status status = check_pointers(v->p, A->n, name, e);
    if (status) return status;
    int count = v->p[A->n];
    if (count && !v->i) return refuse_null(name, "i", e);
    int k = find_outside(v->i, count, A->m);
    if (k == count) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "%s.i[%d] = %d is not a row of a %d x %d matrix", name,
                       k, v->i[k], A->m, A->n);
}

static perp_status check_bsr3(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    if (A->m % 3 || A->n % 3) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s is %d x %d, 3 x 3 blocks need multiples of 3",
                           name, A->m, A->n);
    }
    perp_status status = check_pointers(v->p, A->m / 3, name, e);
    if (status) return status;
    int count = v->p[A->m / 3];
    if (count && !v->j) return refuse_null(name, "j", e);
    int k = find_outside(v->j, count, A->n / 3);
    if (k == count) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT,
                       "%s.j[%d] = %d is not a block column of a %d x %d matrix", name, k, v->j[k],
                       A->m, A->n);
}

static perp_status check_dense(const perp_matrix *A, const char *name, perp_error *e)
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

/* ---- values, once the structure is known to be sound ---- */

static perp_status check_dense_values(const perp_matrix *A, const char *name, perp_error *e)
{
    const double *x = A->as.dense.x;
    size_t m = (size_t)A->m, n = (size_t)A->n, ld = (size_t)A->as.dense.ld;
    if (m == 0 || n == 0) return PERP_SOLVED;
    if (!x) return refuse_null(name, "x", e);
    if (ld == m && vector_is_finite(m * n, x)) return PERP_SOLVED;
    for (size_t j = 0; j < n; j++) {
        const double *column = x + j * ld;
        if (vector_is_finite(m, column)) continue;
        return refuse_entry(name, (int)first_not_finite(m, column), (int)j, e);
    }
    return PERP_SOLVED;
}

static perp_status check_csc_values(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_csc_view *v = &A->as.csc;
    size_t count = (size_t)v->p[A->n];
    if (count && !v->x) return refuse_null(name, "x", e);
    if (vector_is_finite(count, v->x)) return PERP_SOLVED;
    int k = (int)first_not_finite(count, v->x);
    return refuse_entry(name, v->i[k], find_owner(v->p, k), e);
}

static perp_status check_bsr3_values(const perp_matrix *A, const char *name, perp_error *e)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    size_t blocks = (size_t)v->p[A->m / 3];
    if (blocks && !v->x) return refuse_null(name, "x", e);
    if (blocks > PTRDIFF_MAX / sizeof(double) / 9) {
        return perp_refuse(e, PERP_E_ARGUMENT, "%s has %d blocks, more than memory can address",
                           name, (int)blocks);
    }
    if (vector_is_finite(9 * blocks, v->x)) return PERP_SOLVED;
    size_t k = first_not_finite(9 * blocks, v->x);
    int block = (int)(k / 9), r = (int)(k % 3), c = (int)(k % 9 / 3);
    return refuse_entry(name, 3 * find_owner(v->p, block) + r, 3 * v->j[block] + c, e);
}

static perp_status check_operator(const perp_matrix *A, const char *name, perp_error *e)
{
    if (!A->as.op.mul) return refuse_null(name, "mul", e);
    if (!A->as.op.mul_t) return refuse_null(name, "mul_t", e);
    return PERP_SOLVED;
}

/* ---- what the kinds call ---- */

perp_status perp_check_view(const perp_matrix *A, int m, int n, const char *name, bool optional,
                            perp_error *e)
{
    if (A->format == PERP_ABSENT) {
        return optional ? PERP_SOLVED : perp_refuse(e, PERP_E_ARGUMENT, "%s is missing", name);
    }
    perp_status status = check_size(A, m, n, name, e);
    if (status) return status;
    switch (A->format) {
    case PERP_DENSE:
        status = check_dense(A, name, e);
        return status ? status : check_dense_values(A, name, e);
    case PERP_CSC:
        status = check_csc(A, name, e);
        return status ? status : check_csc_values(A, name, e);
    case PERP_BSR3:
        status = check_bsr3(A, name, e);
        return status ? status : check_bsr3_values(A, name, e);
    case PERP_OPERATOR: return check_operator(A, name, e);
    default: break;
    }
    return perp_refuse(e, PERP_E_ARGUMENT, "%s has the unknown format %d", name, (int)A->format);
}

perp_status perp_check_pattern(const perp_matrix *A, int m, int n, const char *name, perp_error *e)
{
    if (A->format == PERP_ABSENT) return PERP_SOLVED;
    perp_status status = check_size(A, m, n, name, e);
    if (status) return status;
    /* A dense pattern is its size: values come packed, whatever ld says. */
    if (A->format == PERP_DENSE) return PERP_SOLVED;
    if (A->format == PERP_CSC) return check_csc(A, name, e);
    return perp_refuse(e, PERP_E_FORMAT, "%s is neither dense nor compressed columns", name);
}

perp_status perp_check_vector(const double *x, int n, const char *name, bool optional,
                              perp_error *e)
{
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "%s has length %d, below zero", name, n);
    if (!x) {
        if (n == 0 || optional) return PERP_SOLVED;
        return perp_refuse(e, PERP_E_ARGUMENT, "%s is NULL, expected %d numbers", name, n);
    }
    if (vector_is_finite((size_t)n, x)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_NUMBER, "%s[%d] is not finite", name,
                       (int)first_not_finite((size_t)n, x));
}

static perp_status check_bound(double l, double h, int i, const char *lo_name, const char *hi_name,
                               perp_error *e)
{
    if (isnan(l)) return perp_refuse(e, PERP_E_NUMBER, "%s[%d] is NaN", lo_name, i);
    if (isnan(h)) return perp_refuse(e, PERP_E_NUMBER, "%s[%d] is NaN", hi_name, i);
    if (l == INFINITY) return perp_refuse(e, PERP_E_NUMBER, "%s[%d] is +infinity", lo_name, i);
    if (h == -INFINITY) return perp_refuse(e, PERP_E_NUMBER, "%s[%d] is -infinity", hi_name, i);
    /* All digits: bounds that cross by a rounding error must not look equal. */
    return perp_refuse(e, PERP_E_ARGUMENT, "%s[%d] = %.17g is above %s[%d] = %.17g", lo_name, i, l,
                       hi_name, i, h);
}

perp_status perp_check_sides(const double *lo, const double *hi, int n, const char *lo_name,
                             const char *hi_name, perp_error *e)
{
    for (int i = 0; i < n; i++) {
        double l = lo ? lo[i] : -INFINITY, h = hi ? hi[i] : INFINITY;
        bool good = l < INFINITY && h > -INFINITY;
        if (!good) return check_bound(l, h, i, lo_name, hi_name, e);
    }
    return PERP_SOLVED;
}

perp_status perp_check_bounds(const double *lo, const double *hi, int n, const char *lo_name,
                              const char *hi_name, perp_error *e)
{
    for (int i = 0; i < n; i++) {
        double l = lo ? lo[i] : -INFINITY, h = hi ? hi[i] : INFINITY;
        bool good = l <= h && l < INFINITY && h > -INFINITY;
        if (!good) return check_bound(l, h, i, lo_name, hi_name, e);
    }
    return PERP_SOLVED;
}
