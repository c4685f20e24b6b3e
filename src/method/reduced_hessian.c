/* method/reduced_hessian.c: the Cholesky factor of the reduced Hessian, kept while the null space
 * turns. Gill, Golub, Murray, Saunders, Methods for modifying matrix factorizations, Math. Comp. 28
 * (1974), method for constraints that join.
 *
 * Rotations of neighbouring columns of Zf make R upper Hessenberg; stored one place to the right,
 * that is a triangle whose first column is deleted (updated_chol.c). */
#include "reduced_hessian.h"

#include "base/clones.h"
#include "linalg/lapack.h"

#include <math.h>

void perp_reduced_hessian_split(const perp_working_set *w, const perp_updated *R, const double *x,
                                double *y)
{
    const double plus = 1, zero = 0;
    const int step = 1, back = -1;
    if (R->k == 0) return;
    dgemv_("T", &w->n, &R->k, &plus, working_column(w, w->n - R->k), &w->n, x, &step, &zero, y,
           &back, 1);
}

void perp_reduced_hessian_lift(const perp_working_set *w, const perp_updated *R, const double *y,
                               double *x)
{
    const double plus = 1;
    const int step = 1, back = -1;
    if (R->k == 0) return;
    dgemv_("N", &w->n, &R->k, &plus, working_column(w, w->n - R->k), &w->n, y, &back, &plus, x,
           &step, 1);
}

/* x = c x - s y, y = s x + c y. */
PERP_CLONED_VOID(rotate_columns,
                 (int n, double c, double s, double *restrict x, double *restrict y),
                 (n, c, s, x, y))
{
    for (int i = 0; i < n; i++) {
        double a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}

/* The same with y's new column in `carry` and x's in y's place. */
PERP_CLONED_VOID(rotate_shifted,
                 (int n, double c, double s, double *restrict carry, double *restrict y),
                 (n, c, s, carry, y))
{
    for (int i = 0; i < n; i++) {
        double a = carry[i], b = y[i];
        y[i] = c * a - s * b;
        carry[i] = s * a + c * b;
    }
}

void perp_reduced_hessian_push(perp_working_set *w, perp_updated *R, double *d, double *carry)
{
    int n = w->n, nz = R->k;
    carry[0] = R->R[0];
    for (int j = 0; j + 1 < nz; j++) {
        int at = n - 1 - j;
        double h = hypot(d[at], d[at - 1]);
        double c = h > 0 ? d[at - 1] / h : 1, s = h > 0 ? d[at] / h : 0;
        rotate_columns(n, c, s, working_column(w, at), working_column(w, at - 1));
        carry[j + 1] = 0;
        rotate_shifted(j + 2, c, s, carry, R->R + (size_t)(j + 1) * (size_t)R->ld);
        d[at] = 0;
        d[at - 1] = h;
    }
    perp_updated_delete(R, 0, NULL);
}
