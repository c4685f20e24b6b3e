/* tests/support/contact_space.h: random Jacobians J in contact space, 0 <= z _|_ J J'z - J k >= 0.
 */
#ifndef PERP_CONTACT_SPACE_H
#define PERP_CONTACT_SPACE_H

#include "generate_support.h"

static inline perp_problem contact_space(int bodies, int rows, uint64_t seed, perp_arena *a)
{
    generator g = generator_start(seed);
    generated_problem made;
    perp_matrix D;
    nnls_jacobian(&g, bodies, rows, a, &made);
    const perp_matrix *A = &made.p.as.nnls.A;
    size_t m = (size_t)A->m, n = (size_t)A->n;
    double *M = perp_alloc(a, n * n, sizeof *M), *q = perp_alloc(a, n, sizeof *q);
    ck_assert(!a->failed && !perp_convert(A, PERP_FORMAT_DENSE, a, &D, NULL));
    for (size_t j = 0; j < n; j++) perp_mul_t(A, 1, D.as.dense.x + j * m, 0, M + j * n);
    perp_mul_t(A, -1, made.p.as.nnls.b, 0, q);
    return perp_make_lcp((int)n, perp_dense((int)n, (int)n, M), q);
}

#endif
