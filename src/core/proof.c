/* core/proof.c: sums, signs and sizes of a Farkas proof. One pass over each matrix. */
#include "proof.h"

#include "base/format.h"
#include "base/vector.h"

#include <float.h>

#define MARGIN 1e-12 /* of its terms: a sum that is negative by less is so by rounding */
#define ROUNDINGS 16 /* a proof may be off by so many, and four more for each term */

void perp_proof_violates(perp_proof *proof, double amount, double size)
{
    double relative = amount > 0 || isnan(amount) ? amount / size : 0;
    proof->violation = perp_worst(proof->violation, relative);
}

void perp_proof_add(perp_proof *proof, double term)
{
    proof->sum += term;
    proof->size += fabs(term);
}

/* The function is convex: its supremum lies at an end, and where one end is infinite and the slope
 * there is as it must be, at the other. */
void perp_proof_sup(perp_proof *proof, double g, double g_size, double e, double e_size, double lo,
                    double hi)
{
    bool below = isfinite(lo), above = isfinite(hi);
    if (!above) perp_proof_violates(proof, g + e, g_size + e_size);
    if (!below) perp_proof_violates(proof, -g, g_size);
    double at = below ? lo : above ? hi : 0;
    if (below && above) {
        double low = g * lo + (lo > 0 ? e * lo : 0), high = g * hi + (hi > 0 ? e * hi : 0);
        at = high > low ? hi : lo;
    }
    perp_proof_add(proof, g * at);
    if (at > 0) perp_proof_add(proof, e * at);
}

double perp_proof_value(const perp_proof *proof)
{
    bool negative = proof->sum < -MARGIN * proof->size;
    return negative && !isnan(proof->violation) ? proof->violation : INFINITY;
}

perp_status perp_proof_end(int n, double value, double violation, perp_residual *r)
{
    *r = (perp_residual){.value = value, .absolute = violation};
    return value <= (ROUNDINGS + 4.0 * n) * DBL_EPSILON ? PERP_SOLVED : PERP_UNCERTIFIED;
}

double *perp_proof_unit(perp_arena *a, int n, const double *y)
{
    double *unit = perp_alloc_unset(a, (size_t)n, sizeof *unit), most = vector_max(n, y);
    if (!unit) return NULL;
    for (int i = 0; i < n; i++) unit[i] = most > 0 ? y[i] / most : y[i];
    return unit;
}

static void fill(int n, double value, double *y)
{
    for (int i = 0; i < n; i++) y[i] = value;
}

void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    fill(A->m, ops->add_sizes ? 0 : vector_max(A->m, product), y);
    if (ops->add_sizes) ops->add_sizes(A, x, y);
}

void perp_mul_t_sizes(const perp_matrix *A, const double *x, const double *product, double *y)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    fill(A->n, ops->add_sizes_t ? 0 : vector_max(A->n, product), y);
    if (ops->add_sizes_t) ops->add_sizes_t(A, x, y);
}
