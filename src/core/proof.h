/* core/proof.h: the parts of a Farkas proof, for the check() of each kind.
 *
 * A vector y proves that no point is feasible when some linear sum is negative at every point of
 * the bounds, though it would be >= 0 at a feasible one. In numbers it hardly ever is: a slope that
 * should be zero is 1e-16, and leaves room for a solution far away. How far is the radius: every z
 * that could be certified has |z|_1 >= R = (what the sum is negative by) / (the largest slope). All
 * roundings are counted, outwards, so that R is a proved number.
 *
 * Whether that is far enough must not depend on units. With D_i the size of the terms that slope i
 * is a sum of, z also has sum D_i |z_i| >= (what the sum is negative by) / max(slope_i / D_i).
 * Where that is so large that some roundings of the sum y'M z, (4 n + 16) DBL_EPSILON sum D_i
 * |z_i|, exceed the other terms of it, z solves nothing but data changed in their last bits: then
 * it is a proof. */
#ifndef PERP_PROOF_H
#define PERP_PROOF_H

#include "sums.h"

#define PERP_PROOF_LEAST_TOL 1e-12 /* no less is asked of a feasible point: rounding */

typedef struct perp_proof {
    bool wrong;             /* a sign that y may not have */
    double high, low, size; /* the sum to be negative, in a pair, and the sizes of its terms */
    double open;            /* what errors of its terms may add to it */
    int terms;
    double slope;    /* the largest towards an infinite bound, at most */
    double relative; /* the largest relative to the size of its terms */
} perp_proof;

/* A slope that is known to within `error`, a sum of terms of that size together. */
typedef struct perp_slope {
    double value, error, size;
} perp_slope;

/* The sum gets a b, where a is off by no more than `error`. */
void perp_proof_add(perp_proof *proof, double a, double error, double b);
/* The sum gets the supremum of g x + e max(x, 0) over lo <= x <= hi, e >= 0. */
void perp_proof_sup(perp_proof *proof, perp_slope g, perp_slope e, double lo, double hi);
/* R, where the sum may be off by `slack` at what is certified; 0: nothing is proved. */
double perp_proof_radius(const perp_proof *proof, double slack);
/* Fill r for slopes of n terms: the radius, and in value what has to be at most 1. PERP_SOLVED: it
 * is; PERP_UNCERTIFIED otherwise. */
perp_status perp_proof_end(const perp_proof *proof, double slack, int n, perp_residual *r);

/* y times a power of two, exactly, in the arena: its largest entry is about 1, or more where its
 * smallest would vanish; NAN where the range of numbers is too small for both. */
double *perp_proof_unit(perp_arena *a, int n, const double *y);

/* t = A x (transposed: A'x) in pairs of numbers, with sizes and errors, in the arena. Entries
 * without a product that is not 0 have no error. False: no memory. */
bool perp_proof_multiply(const perp_matrix *A, bool transposed, const double *x, perp_arena *a,
                         perp_sums *t);

/* y = |A| |x|, entry by entry the size of what a product sums up; of an operator the largest entry
 * of the product itself. */
void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y);

/* The check of an affine map's infeasibility, and its tidy() (proof_map.c). */
perp_status perp_map_check(const perp_problem *p, perp_status status, const double *y, double tol,
                           perp_arena *a, perp_residual *r);

void perp_map_tidy(const perp_problem *p, double *y);

/* The check() and refute() of a qp (proof_qp.c). */
perp_status perp_qp_check(const perp_problem *p, perp_status status, const double *y,
                          const double *z, double tol, perp_arena *a, perp_residual *r);
void perp_qp_check_room(const perp_problem *p, perp_arena *a);
bool perp_qp_refute(const perp_problem *p, double *y, perp_error *e);
void perp_qp_tidy(const perp_problem *p, double *y);
bool perp_qp_feasibility(const perp_problem *p, perp_arena *a, perp_problem *out);

#endif
