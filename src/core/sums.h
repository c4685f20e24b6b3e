/* core/sums.h: the sums of products that a slack is made of, with what their rounding leaves open.
 *
 * A kind states its slack once, as terms that are added to entries of w, and gets it in one of
 * three ways: plainly; as the sizes of all terms, which bound the error of the plain sums (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2002, section 3.1); or in pairs of numbers, which
 * leave hardly more than the rounding of w itself (base/pair.h). What operators and callbacks
 * return counts as exact. */
#ifndef PERP_CORE_SUMS_H
#define PERP_CORE_SUMS_H

#include "internal.h"

typedef enum perp_sums_mode { PERP_SUMS_PLAIN, PERP_SUMS_SIZES, PERP_SUMS_PAIRS } perp_sums_mode;

typedef struct perp_sums {
    perp_sums_mode mode;
    int n;
    perp_arena *arena;
    double *w;     /* the sums, n numbers; not touched in mode SIZES */
    double *low;   /* the second half of each, in mode PAIRS */
    double *size;  /* of each the sum of the sizes of its terms */
    double *count; /* and their number */
    double *error; /* bounds |w_i - exact| after perp_sums_bound */
} perp_sums;

/* Room beside w, which the caller has. False: no memory. */
bool perp_sums_open(perp_sums *t, perp_arena *a, int n, double *w);
/* Begin anew: w = 0, but in mode SIZES. Sizes and counts are kept from SIZES to PAIRS. */
void perp_sums_start(perp_sums *t, perp_sums_mode mode);

/* w[at ...] += sign A x, or sign A' x; sign is 1 or -1. */
void perp_sums_add(perp_sums *t, int at, double sign, const perp_matrix *A, const double *x);
void perp_sums_add_t(perp_sums *t, int at, double sign, const perp_matrix *A, const double *x);
/* w[at ...] += sign x, n numbers; x NULL: nothing. */
void perp_sums_add_vector(perp_sums *t, int at, int n, double sign, const double *x);

/* Fills `error` after SIZES for the plain sums, after PAIRS for the pairs as they are. */
void perp_sums_spread(perp_sums *t);
/* Fills `error` after SIZES for the plain sums, after PAIRS for those; the latter also rounds the
 * pairs to w. */
void perp_sums_bound(perp_sums *t);

/* ---- measuring a residual with them ---- */

typedef struct perp_measuring {
    /* Adds the terms of the slack at z. False: it is undefined there. */
    bool (*slack)(const perp_problem *p, const double *z, perp_sums *t);
    /* r from z and the slack w; with `error` (NULL: not known) the bound of value too. map has
     * perp_size numbers of scratch. */
    void (*residual)(const perp_problem *p, const perp_scales *s, const double *z, const double *w,
                     const double *error, double *map, perp_residual *r);
    /* The bound alone, of an r that residual() found without `error`, as it would find it; scratch
     * is one more map. NULL: all of r is found again. */
    void (*bound)(const perp_problem *p, const perp_scales *s, const double *z, const double *w,
                  const double *error, double *scratch, perp_residual *r);
} perp_measuring;

/* A kind's measure(), by its slack and its residual: the plain one; where that is at most tol, with
 * the bound of its rounding; where that leaves it open, in pairs. tol < 0: in pairs at once. */
perp_status perp_measure_sums(const perp_measuring *how, const perp_problem *p,
                              const perp_scales *s, const double *z, double *w, double tol,
                              perp_arena *a, perp_residual *r);

#endif
