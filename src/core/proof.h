/* core/proof.h: the parts of a Farkas proof, for the check() of each kind.
 *
 * A vector y proves that no point is feasible when some linear sum is negative at every point of
 * the bounds, though it would be >= 0 at a feasible one. Each violation is taken relative to the
 * size of the terms it is a sum of, so that the value is independent of the scale of y and of the
 * data. Only what the rounding of these sums can cause is forgiven: a slope that is positive by
 * more leaves room for a solution, however far away. */
#ifndef PERP_PROOF_H
#define PERP_PROOF_H

#include "internal.h"

typedef struct perp_proof {
    double violation; /* worst relative violation of a sign */
    double sum, size; /* the sum to be negative, and the sum of the sizes of its terms */
} perp_proof;

/* `amount` should be <= 0; it came from terms of the given size. */
void perp_proof_violates(perp_proof *proof, double amount, double size);
void perp_proof_add(perp_proof *proof, double term);
/* Add the supremum of g x + e max(x, 0) over lo <= x <= hi, e >= 0; sizes as above. Towards an
 * infinite bound the slope may not be positive. */
void perp_proof_sup(perp_proof *proof, double g, double g_size, double e, double e_size, double lo,
                    double hi);
/* The worst violation; INFINITY when the sum is not negative beyond its rounding. */
double perp_proof_value(const perp_proof *proof);
/* Fill r; PERP_SOLVED when the value is rounding of sums of n terms, PERP_UNCERTIFIED otherwise. */
perp_status perp_proof_end(int n, double value, double violation, perp_residual *r);

/* y over its largest entry, in the arena; zero when y is. */
double *perp_proof_unit(perp_arena *a, int n, const double *y);

/* y = |A| |x| and y = |A'| |x|, entry by entry the size of what a product sums up. An operator does
 * not show its entries: there every y is the largest entry of the product itself, which is less, so
 * its proofs are judged more strictly. */
void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y);
void perp_mul_t_sizes(const perp_matrix *A, const double *x, const double *product, double *y);

#endif
