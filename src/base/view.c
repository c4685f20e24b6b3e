/* base/view.c: is this input what it claims to be? Sizes, pointers, sparsity, finite values.
 * Every solve reads all its data here first, so each test is one branch-free pass that only answers
 * yes or no; the culprit is looked for after a no. Structure is checked before anything is read
 * through it. Cost: one pass over the data, no memory. */
#include "view.h"
#include "error.h"
#include "format.h"
#include "vector.h"

/* ---- finite values ---- */

size_t perp_find_not_finite(size_t n, const double *x)
{
    size_t i = 0;
    while (i < n && isfinite(x[i])) i++;
    return i;
}

perp_status perp_refuse_entry(const char *name, int row, int column, perp_error *e)
{
    return perp_refuse(e, PERP_E_NUMBER, "%s[%d][%d] is not finite", name, row, column);
}

int perp_find_owner(const int *p, int entry)
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

perp_status perp_refuse_null(const char *name, const char *field, perp_error *e)
{
    return perp_refuse(e, PERP_E_ARGUMENT, "%s.%s is NULL", name, field);
}

perp_status perp_check_pointers(const int *p, int n, const char *name, perp_error *e)
{
    if (!p) return perp_refuse_null(name, "p", e);
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

int perp_find_outside(const int *index, int count, int limit)
{
    bool outside = false;
    for (int k = 0; k < count; k++) outside |= (unsigned)index[k] >= (unsigned)limit;
    if (!outside) return count;
    int k = 0;
    while ((unsigned)index[k] < (unsigned)limit) k++;
    return k;
}

/* ---- what the kinds call ---- */

perp_status perp_check_view(const perp_matrix *A, int m, int n, const char *name, bool optional,
                            perp_error *e)
{
    if (A->format == PERP_FORMAT_ABSENT) {
        return optional ? PERP_SOLVED : perp_refuse(e, PERP_E_ARGUMENT, "%s is missing", name);
    }
    perp_status status = check_size(A, m, n, name, e);
    if (status) return status;
    const perp_matrix_ops *ops = perp_format_of(A->format);
    if (ops) return ops->check(A, name, e);
    return perp_refuse(e, PERP_E_ARGUMENT, "%s has the unknown format %d", name, (int)A->format);
}

perp_status perp_check_pattern(const perp_matrix *A, int m, int n, const char *name, perp_error *e)
{
    if (A->format == PERP_FORMAT_ABSENT) return PERP_SOLVED;
    perp_status status = check_size(A, m, n, name, e);
    if (status) return status;
    const perp_matrix_ops *ops = perp_format_of(A->format);
    if (ops && ops->check_pattern) return ops->check_pattern(A, name, e);
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
                       (int)perp_find_not_finite((size_t)n, x));
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
