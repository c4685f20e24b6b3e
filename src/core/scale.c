/* core/scale.c: |A x + q| in three stages, each more exact than the one before. */
#include "scale.h"

#include "base/expansion.h"
#include "base/format.h"
#include "base/vector.h"
#include "kinds.h"
#include "sums.h"

#include <float.h>

#define LARGE 900 /* the binary exponent of the largest number of x and q, multiplied */

static void add_terms(const perp_scale_sum *sum, perp_sums *t)
{
    if (sum->transposed)
        perp_sums_add_t(t, 0, 1, sum->A, sum->x);
    else
        perp_sums_add(t, 0, 1, sum->A, sum->x);
    perp_sums_add_vector(t, 0, t->n, 1, sum->q);
}

/* Without any error, one entry of the sum after the other. */
static double find_exact_norm(const perp_scale_sum *sum, perp_arena *a)
{
    perp_matrix C, T;
    double norm = 0;
    if (perp_lift_csc(sum->A, a, &C, NULL)) return NAN;
    if (!sum->transposed) {
        if (perp_lift_transpose(&C, a, &T, NULL)) return NAN;
        C = T;
    }
    for (int j = 0; j < C.n; j++) {
        expansion e = {.count = 0};
        for (int k = C.as.csc.p[j]; k < C.as.csc.p[j + 1]; k++) {
            expansion_add_product(&e, C.as.csc.x[k], sum->x[C.as.csc.i[k]]);
        }
        if (sum->q) expansion_add(&e, sum->q[j]);
        norm = hypot(norm, expansion_value(&e));
    }
    return norm;
}

double perp_scale_norm(const perp_scale_sum *sum, perp_arena *a)
{
    int n = sum->transposed ? sum->A->n : sum->A->m;
    perp_mark mark = perp_arena_mark(a);
    perp_sums t;
    double *w = perp_alloc_unset(a, (size_t)n, sizeof *w), norm = NAN;
    bool known = false;
    if (w && perp_sums_open(&t, a, n, w)) {
        perp_sums_start(&t, PERP_SUMS_SIZES);
        add_terms(sum, &t);
        for (int stage = 0; stage < 2 && !known; stage++) {
            perp_sums_start(&t, stage ? PERP_SUMS_PAIRS : PERP_SUMS_PLAIN);
            add_terms(sum, &t);
            perp_sums_bound(&t);
            norm = vector_norm(n, w);
            if (!isfinite(norm)) norm = INFINITY;
            known = isinf(norm) || vector_norm(n, t.error) <= sum->exact * norm;
        }
        if (!known && perp_has_entries(sum->A)) norm = find_exact_norm(sum, a);
    }
    if (a->failed) return NAN;
    perp_arena_release(a, mark);
    return norm;
}

static const double *multiply(int n, const double *x, int power, perp_arena *a)
{
    double *y = perp_alloc_unset(a, (size_t)n, sizeof *y);
    for (int i = 0; y && i < n; i++) y[i] = ldexp(x[i], power);
    return y;
}

/* Products of small numbers vanish; those of z and q times a power of two do not. */
static double find_small_norm(int n, const perp_scale_sum *sum, perp_arena *a)
{
    double most = fmax(vector_max(n, sum->x), vector_max(n, sum->q));
    int power = LARGE - ilogb(most);
    perp_mark mark = perp_arena_mark(a);
    perp_scale_sum large = *sum;
    large.x = multiply(n, sum->x, power, a);
    large.q = multiply(n, sum->q, power, a);
    double norm = a->failed ? NAN : perp_scale_norm(&large, a);
    if (a->failed) return NAN;
    perp_arena_release(a, mark);
    if (isinf(norm)) return NAN;
    return norm > 0 ? fmax(ldexp(norm, -power), DBL_TRUE_MIN) : norm;
}

double perp_scale_affine(int n, const perp_matrix *M, const double *q, const double *z,
                         perp_arena *a)
{
    perp_scale_sum sum = {.A = M, .x = z, .q = q, .exact = 8 * DBL_EPSILON};
    if (vector_max(n, z) == 0) return kind_scale(vector_norm(n, q));
    double norm = perp_scale_norm(&sum, a);
    if (isnan(norm) && !a->failed) norm = find_small_norm(n, &sum, a);
    return isnan(norm) ? NAN : kind_scale(norm);
}
