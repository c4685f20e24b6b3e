/* core/proof.c: sums, signs and sizes of a Farkas proof. One pass over each matrix. */
#include "proof.h"

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

/* Every entry a_ij of A adds |a_ij| |x_j| to y_i, or |a_ij| |x_i| to y_j. */
static void add_dense(const perp_matrix *A, const double *x, double *y)
{
    for (int j = 0; j < A->n; j++) {
        const double *column = A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld;
        for (int i = 0; i < A->m; i++) y[i] += fabs(column[i]) * fabs(x[j]);
    }
}

static void add_dense_t(const perp_matrix *A, const double *x, double *y)
{
    for (int j = 0; j < A->n; j++) {
        const double *column = A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld;
        for (int i = 0; i < A->m; i++) y[j] += fabs(column[i]) * fabs(x[i]);
    }
}

static void add_csc(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_csc_view *c = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) y[c->i[k]] += fabs(c->x[k]) * fabs(x[j]);
    }
}

static void add_csc_t(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_csc_view *c = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) y[j] += fabs(c->x[k]) * fabs(x[c->i[k]]);
    }
}

static void add_bsr3(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int i = 0; i < A->m / 3; i++) {
        for (int k = b->p[i]; k < b->p[i + 1]; k++) {
            const double *block = b->x + 9 * (size_t)k, *xj = x + 3 * (size_t)b->j[k];
            for (int e = 0; e < 9; e++) y[3 * i + e % 3] += fabs(block[e]) * fabs(xj[e / 3]);
        }
    }
}

static void add_bsr3_t(const perp_matrix *A, const double *x, double *y)
{
    const struct perp_bsr3_view *b = &A->as.bsr3;
    for (int i = 0; i < A->m / 3; i++) {
        for (int k = b->p[i]; k < b->p[i + 1]; k++) {
            const double *block = b->x + 9 * (size_t)k;
            double *yj = y + 3 * (size_t)b->j[k];
            for (int e = 0; e < 9; e++) yj[e / 3] += fabs(block[e]) * fabs(x[3 * i + e % 3]);
        }
    }
}

static void fill(int n, double value, double *y)
{
    for (int i = 0; i < n; i++) y[i] = value;
}

void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y)
{
    fill(A->m, A->format == PERP_OPERATOR ? vector_max(A->m, product) : 0, y);
    if (A->format == PERP_DENSE) add_dense(A, x, y);
    if (A->format == PERP_CSC) add_csc(A, x, y);
    if (A->format == PERP_BSR3) add_bsr3(A, x, y);
}

void perp_mul_t_sizes(const perp_matrix *A, const double *x, const double *product, double *y)
{
    fill(A->n, A->format == PERP_OPERATOR ? vector_max(A->n, product) : 0, y);
    if (A->format == PERP_DENSE) add_dense_t(A, x, y);
    if (A->format == PERP_CSC) add_csc_t(A, x, y);
    if (A->format == PERP_BSR3) add_bsr3_t(A, x, y);
}
