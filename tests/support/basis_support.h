/* tests/support/basis_support.h: random sparse matrices with a full column, for the tests of bases.
 */
#ifndef PERP_BASIS_SUPPORT_H
#define PERP_BASIS_SUPPORT_H

#include "linalg/basis.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define BASIS_MOST 60

typedef struct basis_matrix {
    int n, p[BASIS_MOST + 1], i[BASIS_MOST * BASIS_MOST];
    double x[BASIS_MOST * BASIS_MOST], d[BASIS_MOST];
} basis_matrix;

/* About `per` entries a column beside the diagonal, which is there. */
static inline void basis_fill(basis_matrix *m, generator *g, int n, double per)
{
    int used = 0;
    m->n = n;
    for (int j = 0; j < n; j++) {
        m->p[j] = used;
        for (int i = 0; i < n; i++) {
            if (i != j && generator_unit(g) * n >= per) continue;
            m->i[used] = i;
            m->x[used++] = generator_uniform(g) + (i == j ? 2 : 0);
        }
        m->d[j] = 1 + generator_unit(g);
    }
    m->p[n] = used;
}

/* |B a - rows|, largest, after a solve for random right-hand sides. */
static inline double basis_error(perp_basis *b, generator *g)
{
    int n = b->n;
    double error = 0, rhs[BASIS_MOST] = {0}, a[BASIS_MOST] = {0}, rows[BASIS_MOST] = {0};
    for (int i = 0; i < n; i++) rhs[i] = rows[i] = generator_uniform(g);
    perp_basis_solve(b, rhs, a);
    for (int i = 0; i < n; i++) rows[i] = -rhs[i];
    perp_basis_multiply(b, a, rows);
    for (int i = 0; i < n; i++) error = fmax(error, fabs(rows[i]));
    return error;
}

#endif
