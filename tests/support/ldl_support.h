/* tests/support/ldl_support.h: random quasidefinite matrices, and products with their lower
 * triangle. */
#ifndef PERP_LDL_SUPPORT_H
#define PERP_LDL_SUPPORT_H

#include "linalg/ldl.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

typedef struct lower {
    int n, *p, *i;
    double *x;
    bool *negative;
} lower;

/* [P B'; B -Q], n + m, with about this share of P and B filled. P is dominant by its diagonal. */
static inline lower random_quasidefinite(generator *g, int n, int m, double in_P, double in_B)
{
    int size = n + m, count = 0;
    size_t most = (size_t)size * (size_t)size + 1;
    lower K = {.n = size};
    K.p = malloc(((size_t)size + 1) * sizeof *K.p);
    K.i = malloc(most * sizeof *K.i);
    K.x = malloc(most * sizeof *K.x);
    K.negative = calloc((size_t)size + 1, sizeof *K.negative);
    for (int j = 0; j < size; j++) {
        K.p[j] = count;
        K.negative[j] = j >= n;
        K.i[count] = j;
        K.x[count++] = j < n ? 1 + in_P * n : -0.1 - generator_unit(g);
        for (int i = j + 1; j < n && i < size; i++) {
            if (generator_unit(g) >= (i < n ? in_P : in_B)) continue;
            K.i[count] = i;
            K.x[count++] = generator_uniform(g);
        }
    }
    K.p[size] = count;
    return K;
}

static inline void discard_lower(lower K)
{
    free(K.p);
    free(K.i);
    free(K.x);
    free(K.negative);
}

/* |K x - b| over |K| |x|, the largest entries. */
static inline double backward_error(const lower *K, const double *x, const double *b)
{
    double *r = calloc((size_t)K->n + 1, sizeof *r), most = 0, size = 0, norm = 0;
    for (int j = 0; j < K->n; j++) r[j] = -b[j];
    for (int j = 0; j < K->n; j++) {
        for (int k = K->p[j]; k < K->p[j + 1]; k++) {
            int i = K->i[k];
            r[i] += K->x[k] * x[j];
            if (i != j) r[j] += K->x[k] * x[i];
            norm = fmax(norm, fabs(K->x[k]));
        }
    }
    for (int j = 0; j < K->n; j++) {
        most = fmax(most, fabs(r[j]));
        size = fmax(size, fabs(x[j]));
    }
    free(r);
    return size > 0 ? most / (norm * size) : most;
}

/* Factor K twice and solve for random right-hand sides. */
static inline void check_solve(const lower *K, perp_arena *a, generator *g)
{
    perp_ldl f;
    double *x = calloc((size_t)K->n + 1, sizeof *x), *b = calloc((size_t)K->n + 1, sizeof *b);
    ck_assert(perp_ldl_open(&f, a, K->n, K->p, K->i, K->negative));
    for (int again = 0; again < 2; again++) { /* the second factor forgets the first */
        ck_assert_int_eq(perp_ldl_compute(&f, K->x, 1e-14, 1e-7), 0);
        for (int j = 0; j < K->n; j++) b[j] = generator_uniform(g);
        perp_ldl_solve(&f, b, x);
        ck_assert_double_lt(backward_error(K, x, b), 1e-12);
    }
    free(x);
    free(b);
}

#endif
