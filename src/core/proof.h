/* core/proof.h: the parts of a Farkas proof, for the check() of each kind.
 *
 * A vector y proves that no point is feasible when some linear sum is negative at every point of
 * the bounds, though it would be >= 0 at a feasible one. Rounding leaves small violations; each is
 * taken relative to the size of the terms it is a sum of, and their worst relative to how clearly
 * the sum is negative: the value is independent of the scale of y and of the data.
 *
 * A slope that should not be positive but is, by s, proves nothing about points farther off than
 * -sum / s. That radius must be large against the size of the unknowns, |q_i| / |row i| at most. */
#ifndef PERP_PROOF_H
#define PERP_PROOF_H

#include "internal.h"

typedef struct perp_proof {
    double violation; /* worst relative violation of a sign */
    double sum, size; /* the sum to be negative, and the sum of the sizes of its terms */
    double slope;     /* worst slope towards infinity, not relative */
    double reach;     /* size of the unknowns, as the data suggest it */
} perp_proof;

/* `amount` should be <= 0; it came from terms of the given size. */
void perp_proof_violates(perp_proof *proof, double amount, double size);
/* The same for a slope towards an infinite bound. */
void perp_proof_slope(perp_proof *proof, double amount, double size);
/* Learn the size of the unknowns from the rows of A and their right-hand sides. False: no memory.
 */
bool perp_proof_reach(perp_proof *proof, const perp_matrix *A, const double *b, perp_arena *a);
void perp_proof_add(perp_proof *proof, double term);
/* Add the supremum of g x + e max(x, 0) over lo <= x <= hi, e >= 0; sizes as above. Towards an
 * infinite bound the slope may not be positive. */
void perp_proof_sup(perp_proof *proof, double g, double g_size, double e, double e_size, double lo,
                    double hi);
/* The worst violation over the relative margin -sum / size, or the reach over the radius of the
 * proof where that is more; INFINITY when the sum is not negative.
 * No violation counts less than one rounding, so that a sum negative by rounding alone proves
 * nothing. */
double perp_proof_value(const perp_proof *proof);
/* Fill r; PERP_SOLVED when the value is small enough to accept, PERP_UNCERTIFIED otherwise. */
perp_status perp_proof_end(double value, double violation, perp_residual *r);

/* y over its largest entry, in the arena; zero when y is. */
double *perp_proof_unit(perp_arena *a, int n, const double *y);

/* y = |A| |x| and y = |A'| |x|, entry by entry the size of what a product sums up. An operator does
 * not show its entries: there every y is the largest entry of the product itself, which is less, so
 * its proofs are judged more strictly. */
void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y);
void perp_mul_t_sizes(const perp_matrix *A, const double *x, const double *product, double *y);

#endif
