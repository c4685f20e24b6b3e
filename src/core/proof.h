/* core/proof.h: the parts of a Farkas proof, for the check() of each kind.
 *
 * A vector y proves that no point is feasible when some linear sum is negative at every point of
 * the bounds, though it would be >= 0 at a feasible one. In numbers it hardly ever is: a slope that
 * should be zero is 1e-16, and leaves room for a solution far away. How far is the radius: every z
 * that could be certified has |z|_1 >= R = (what the sum is negative by) / (the largest slope). All
 * roundings are counted, outwards, so that R is a proved number. Where z is as large as R_0, beyond
 * which the rounding of M z alone exceeds q, nothing can be certified any more, and with R >= R_0
 * there is no solution in double precision. */
#ifndef PERP_PROOF_H
#define PERP_PROOF_H

#include "sums.h"

typedef struct perp_proof {
    bool wrong;             /* a sign that y may not have */
    double high, low, size; /* the sum to be negative, in a pair, and the sizes of its terms */
    double open;            /* what errors of its terms may add to it */
    int terms;
    double slope; /* the largest towards an infinite bound, at most */
} perp_proof;

/* The sum gets a b, where a is off by no more than `error`. */
void perp_proof_add(perp_proof *proof, double a, double error, double b);
/* The sum gets the supremum of g x + e max(x, 0) over lo <= x <= hi, e >= 0, both with their
 * errors.
 */
void perp_proof_sup(perp_proof *proof, double g, double g_error, double e, double e_error,
                    double lo, double hi);
/* R, where the sum may be off by `slack` at what is certified; 0: nothing is proved. */
double perp_proof_radius(const perp_proof *proof, double slack);
/* Fill r; PERP_SOLVED where the radius is at least `least`, PERP_UNCERTIFIED otherwise. */
perp_status perp_proof_end(double radius, double least, perp_residual *r);
/* R_0 of |q| = scale, |M| = norm and rows of n entries: the bound of the rounding of M z, as the
 * certificate has it, is |q| there. */
double perp_proof_least(double scale, double norm, int n);

/* y times a power of two, so that its largest entry is about 1, in the arena: exact. */
double *perp_proof_unit(perp_arena *a, int n, const double *y);

/* The sum of all |A_ij|. An operator does not show its entries: |product| / |x| stands for it,
 * which is less, so that its proofs are judged more strictly. */
double perp_proof_norm(const perp_matrix *A, perp_arena *a, int n, const double *x, int m,
                       const double *product);

/* y = |A| |x|, entry by entry the size of what a product sums up, for rays. An operator: the
 * largest entry of the product itself. */
void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y);

/* The check of an affine map's infeasibility, and its tidy() (proof_map.c). */
perp_status perp_map_check(const perp_problem *p, perp_status status, const double *y, double tol,
                           perp_arena *a, perp_residual *r);

void perp_map_tidy(const perp_problem *p, double *y);

/* The check() and refute() of a qp (proof_qp.c). */
perp_status perp_qp_check(const perp_problem *p, perp_status status, const double *y,
                          const double *z, double tol, perp_arena *a, perp_residual *r);
bool perp_qp_refute(const perp_problem *p, double *y, perp_error *e);
void perp_qp_tidy(const perp_problem *p, double *y);
bool perp_qp_feasibility(const perp_problem *p, perp_arena *a, perp_problem *out);

#endif
