/* method/velocity.c: products with J M^-1 J' in factors, body by body: the forces on a body are
 * summed, its velocity follows, and the rows that it has a part in get theirs. 24 multiplications a
 * row and 12 a body; no memory. */
#include "velocity.h"

#include <stddef.h>

void perp_velocity_index(int rows, int bodies, const int *body, int *start, int *at)
{
    for (int b = 0; b <= bodies; b++) start[b] = 0;
    for (int e = 0; e < 2 * rows; e++) {
        if (body[e] >= 0) start[body[e]]++;
    }
    for (int b = 0; b < bodies; b++) start[b + 1] += start[b];
    for (int e = 2 * rows - 1; e >= 0; e--) { /* from above: ends become starts */
        if (body[e] >= 0) at[--start[body[e]]] = e;
    }
}

static void multiply(void *ctx, double a, const double *x, double b, double *y)
{
    const velocity_factors *A = ctx;
    for (int i = 0; i < A->rows; i++) y[i] = b == 0 ? 0 : b * y[i];
    for (int k = 0; k < A->bodies; k++) {
        double f[6] = {0}, v[6];
        for (int e = A->start[k]; e < A->start[k + 1]; e++) {
            const double *J = A->J + 6 * (size_t)A->at[e];
            double t = a * x[A->at[e] / 2];
            for (int j = 0; j < 6; j++) f[j] += t * J[j];
        }
        velocity_of(A->inverse + 10 * (size_t)k, f, v);
        for (int e = A->start[k]; e < A->start[k + 1]; e++) {
            y[A->at[e] / 2] += velocity_along(A->J + 6 * (size_t)A->at[e], v);
        }
    }
}

perp_matrix perp_velocity_matrix(const velocity_factors *A)
{
    perp_matrix M = {.format = PERP_FORMAT_OPERATOR, .m = A->rows, .n = A->rows};
    M.as.op = (struct perp_operator){.mul = multiply, .mul_t = multiply, .ctx = (void *)A};
    return M;
}

/* Who has this product has such a context: nobody else knows it. */
const velocity_factors *perp_velocity_factors(const perp_matrix *M)
{
    bool ours = M->format == PERP_FORMAT_OPERATOR && M->as.op.mul == multiply;
    return ours ? M->as.op.ctx : NULL;
}
