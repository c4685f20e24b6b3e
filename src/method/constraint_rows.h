/* method/constraint_rows.h: the constraints of a quadratic program as the active-set kernels see
 * them.
 *
 * Constraint i < n is lo_i <= x_i <= hi_i, constraint n + i is lo_{n+i} <= a_i'x <= hi_{n+i}. The
 * normals a_i have length 1, or 0 for a row of zeros, so that violations are distances. */
#ifndef PERP_METHOD_CONSTRAINT_ROWS_H
#define PERP_METHOD_CONSTRAINT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct perp_constraint_rows {
    int n, m;
    const double *A;       /* n x m, a normal in each column, ld = max(n, 1) */
    const double *lo, *hi; /* n + m: of x, then of A'x; infinite where there is none */
} perp_constraint_rows;

static inline const double *rows_normal(const perp_constraint_rows *r, int i)
{
    return r->A + (size_t)(i - r->n) * (size_t)(r->n > 0 ? r->n : 1);
}

/* out += s times the normal of constraint i. */
static inline void rows_add_normal(const perp_constraint_rows *r, int i, double s, double *out)
{
    if (i < r->n) {
        out[i] += s;
        return;
    }
    const double *a = rows_normal(r, i);
    for (int j = 0; j < r->n; j++) out[j] += s * a[j];
}

static inline bool rows_is_equality(const perp_constraint_rows *r, int i)
{
    return r->lo[i] == r->hi[i];
}

/* The bound that a constraint stands at: lo for side > 0, hi for side < 0. */
static inline double rows_bound(const perp_constraint_rows *r, int i, int side)
{
    return side > 0 ? r->lo[i] : r->hi[i];
}

#endif
