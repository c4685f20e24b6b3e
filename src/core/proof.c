/* core/proof.c: sums, slopes and the radius of a Farkas proof. One pass over each matrix in pairs
 * of numbers. */
#include "proof.h"

#include "base/format.h"
#include "base/pair.h"
#include "base/vector.h"

#include <float.h>

#define UNIT (DBL_EPSILON / 2)
#define OUTWARD (1 + 16 * DBL_EPSILON) /* for the roundings of a bound itself */

void perp_proof_add(perp_proof *proof, double a, double error, double b)
{
    pair_add_product(a, b, &proof->high, &proof->low);
    proof->size += fabs(a * b);
    proof->open += error * fabs(b) * OUTWARD + DBL_MIN * UNIT;
    proof->terms++;
}

static void add_slope(perp_proof *proof, double slope)
{
    if (slope > proof->slope || isnan(slope)) proof->slope = slope;
}

/* The function is convex: its supremum lies at an end, and where one end is infinite at the other,
 * but for the slope. */
void perp_proof_sup(perp_proof *proof, double g, double g_error, double e, double e_error,
                    double lo, double hi)
{
    bool below = isfinite(lo), above = isfinite(hi);
    if (!above) add_slope(proof, (g + e + (g_error + e_error)) * OUTWARD);
    if (!below) add_slope(proof, (g_error - g) * OUTWARD);
    double at = below ? lo : above ? hi : 0;
    if (below && above) {
        double low = g * lo + (lo > 0 ? e * lo : 0), high = g * hi + (hi > 0 ? e * hi : 0);
        at = high > low ? hi : lo;
        proof->open += (g_error + (lo > 0 ? e_error : 0)) * fabs(lo) +
                       (g_error + (hi > 0 ? e_error : 0)) * fabs(hi) +
                       8 * UNIT * (fabs(g) + e) * (fabs(lo) + fabs(hi));
    }
    perp_proof_add(proof, g, g_error, at);
    if (at > 0) perp_proof_add(proof, e, e_error, at);
}

double perp_proof_radius(const perp_proof *proof, double slack)
{
    double g = (proof->terms + 4) * UNIT;
    double rounding = UNIT * fabs(proof->high) + 2 * g * g * proof->size + proof->open;
    double negative = -(proof->high + proof->low) - (rounding + slack) * OUTWARD;
    if (proof->wrong || !(negative > 0) || isnan(proof->slope)) return 0;
    return proof->slope > 0 ? negative / proof->slope * (1 - 8 * DBL_EPSILON) : INFINITY;
}

perp_status perp_proof_end(double radius, double least, perp_residual *r)
{
    double value = radius > 0 ? least / radius : INFINITY;
    *r = (perp_residual){.value = value, .natural = value, .radius = radius};
    return radius >= least && radius > 0 ? PERP_SOLVED : PERP_UNCERTIFIED;
}

double perp_proof_least(double scale, double norm, int n)
{
    return norm > 0 ? scale / ((n + 4) * UNIT * norm) : 0;
}

double *perp_proof_unit(perp_arena *a, int n, const double *y)
{
    double *unit = perp_alloc_unset(a, (size_t)n, sizeof *unit), most = vector_max(n, y);
    int exponent = 0;
    if (!unit) return NULL;
    if (most > 0 && isfinite(most)) frexp(most, &exponent);
    for (int i = 0; i < n; i++) unit[i] = ldexp(y[i], -exponent);
    return unit;
}

double perp_proof_norm(const perp_matrix *A, perp_arena *a, int n, const double *x, int m,
                       const double *product)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    if (!ops->add_sizes) {
        double length = vector_norm(n, x);
        return length > 0 ? vector_norm(m, product) / length : 0;
    }
    perp_mark mark = perp_arena_mark(a);
    double *ones = perp_alloc_unset(a, (size_t)A->n, sizeof *ones);
    double *sums = perp_alloc(a, (size_t)A->m, sizeof *sums), total = 0;
    if (!a->failed) {
        for (int j = 0; j < A->n; j++) ones[j] = 1;
        ops->add_sizes(A, ones, sums);
        for (int i = 0; i < A->m; i++) total += sums[i];
        perp_arena_release(a, mark);
    }
    return total;
}

void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    double most = ops->add_sizes ? 0 : vector_max(A->m, product);
    for (int i = 0; i < A->m; i++) y[i] = most;
    if (ops->add_sizes) ops->add_sizes(A, x, y);
}
