/* tests/adversary/exact.h: the oracles: residuals and proofs in rational arithmetic, which is
 * exact, and in 8192 bits where roots occur. They read the sample, z and w, and nothing of the
 * library. */
#ifndef ADVERSARY_EXACT_H
#define ADVERSARY_EXACT_H

#include "sample.h"

#include <gmp.h>

#define UNIT_ROUNDOFF 0x1p-53
enum {
    WIDE = 8192
}; /* bits: products of four doubles, whatever their size, keep 2000 valid ones */

typedef struct judgement {
    bool wrong;
    bool undecided;   /* the intervals of roots overlap; never together with wrong */
    double ratio;     /* the worst part over what it may be, about */
    const char *part; /* which that is */
} judgement;

/* Is the true residual of z within the sample's tolerance? */
void judge_solved(const sample *s, const double *z, judgement *j);
void judge_solved_map(const sample *s, const double *z, judgement *j);
void judge_solved_callback(const sample *s, const double *z, judgement *j);
void judge_solved_nnls(const sample *s, const double *z, judgement *j);
void judge_solved_qp(const sample *s, const double *z, judgement *j);
void judge_solved_fc3d(const sample *s, const double *z, judgement *j);
void judge_solved_cone(const sample *s, const double *z, judgement *j);

/* Does w prove what `claim` (infeasible, unbounded, ray) says? */
void judge_claim(const sample *s, perp_status claim, const double *z, const double *w,
                 judgement *j);
void judge_infeasible_map(const sample *s, const double *y, judgement *j);
void judge_ray(const sample *s, const double *y, judgement *j);
void judge_infeasible_qp(const sample *s, const double *y, judgement *j);
void judge_unbounded_qp(const sample *s, const double *z, const double *d, judgement *j);

/* An exact linear program decides whether a feasible point exists so near that the claim of
 * infeasibility is false for the data as given. False: the sample is no such program, or it takes
 * too many pivots; j is untouched then. */
bool refute_infeasible(const sample *s, double radius, judgement *j);

/* ---- parts ---- */

mpq_t *exact_new(int n); /* zero */
void exact_free(int n, mpq_t *x);
void exact_set(int n, const double *x, mpq_t *y);
void exact_mul(const table *A, const double *x, mpq_t *y);       /* y += A x */
void exact_mul_t(const table *A, const double *x, mpq_t *y);     /* y += A'x */
void exact_sizes(const table *A, const double *x, mpq_t *y);     /* y += |A| |x| */
void exact_add_product(mpq_t sum, const mpq_t a, const mpq_t b); /* sum += a b */
void exact_squares(int n, mpq_t *x, mpq_t sum);                  /* sum = |x|^2 */
void exact_vector_squares(int n, const double *x, mpq_t sum);    /* the same */
void exact_max(mpq_t worst, const mpq_t x);                      /* worst = max(worst, |x|) */
/* out = d z - P(d z - w), P on [d lo, d hi]; bounds that are infinite in doubles are none. */
typedef struct exact_box {
    bool below, above;
    mpq_t lo, hi;
} exact_box;
void exact_box_init(exact_box *box);
void exact_box_clear(exact_box *box);
void exact_box_set(exact_box *box, double lo, double hi);
void exact_natural(const mpq_t d, const mpq_t z, const mpq_t w, const exact_box *box, mpq_t out);
double exact_project(double x, double lo, double hi);

/* Record that the square of a part is to be at most that of its limit: exactly decided. */
void judge_squares(judgement *j, const char *part, const mpq_t square, const mpq_t limit);
/* The same of numbers that are >= 0, not squared. */
void judge_values(judgement *j, const char *part, const mpq_t value, const mpq_t limit);
/* The same of approximations in WIDE bits: undecided where they differ by less than 2^-1000. */
void judge_wide(judgement *j, const char *part, const mpf_t value, const mpf_t limit);
void wide_root(const mpq_t square, mpf_t root);

/* The square of what the residual of a map is divided by (exact_map.c). */
void exact_scale_square(const sample *s, mpq_t square);

#endif
