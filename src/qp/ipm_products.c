/* qp/ipm_products.c: values and gradients of the reduced problem, with one pass over H and A.
 *
 * A x and A'y are wanted together by every direction and every measure of an iterate, and reading
 * an entry of A costs as much as using it. */
#include "ipm.h"

#include "base/clones.h"

#include <string.h>

/* g = H x */
PERP_INLINED void multiply_H(const ipm_problem *p, const double *restrict x, double *restrict g)
{
    const struct perp_csc_view *H = &p->H.as.csc;
    for (int j = 0; j < p->n; j++) g[j] = 0;
    if (p->linear) return;
    for (int j = 0; j < p->n; j++) {
        double by = x[j], sum = 0;
        for (int e = H->p[j]; e < H->p[j + 1]; e++) {
            g[H->i[e]] += H->x[e] * by;
            if (p->symmetric && H->i[e] != j) sum += H->x[e] * x[H->i[e]];
        }
        g[j] += sum;
    }
}

/* v += A x, g -= A'y */
PERP_INLINED void add_A(const ipm_problem *p, const double *restrict x, const double *restrict y,
                        double *restrict v, double *restrict g)
{
    const struct perp_csc_view *A = &p->A.as.csc;
    const int *index = A->i;
    const double *value = A->x;
    for (int j = 0; j < p->n; j++) {
        double by = x[j], sum = 0;
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            v[index[e]] += value[e] * by;
            sum += value[e] * y[index[e]];
        }
        g[j] -= sum;
    }
}

PERP_CLONED_VOID(multiply,
                 (const ipm_problem *p, const double *x, const double *y, double *v, double *g),
                 (p, x, y, v, g))
{
    memcpy(v, x, (size_t)p->n * sizeof *v);
    for (int i = 0; i < p->m; i++) v[p->n + i] = p->soft * y[i];
    multiply_H(p, x, g);
    add_A(p, x, y, v + p->n, g);
}

void perp_ipm_multiply(const ipm_problem *p, const double *x, const double *y, double *v, double *g)
{
    multiply(p, x, y, v, g);
}

void perp_ipm_evaluate(const ipm_problem *p, const double *x, const double *y, double *v, double *g)
{
    multiply(p, x, y, v, g);
    for (int j = 0; j < p->n; j++) g[j] += p->c[j];
}
