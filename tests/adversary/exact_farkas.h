/* tests/adversary/exact_farkas.h: a linear sum that must be negative at every point of a box, or at
 * all of its points that are not too far away. */
#ifndef ADVERSARY_EXACT_FARKAS_H
#define ADVERSARY_EXACT_FARKAS_H

#include "exact.h"

/* sum + sum_j h_j(x_j), h_j(x) = g x + e max(x, 0), e >= 0. */
typedef struct farkas {
    int n;
    mpq_t sum;
    mpq_t *near;  /* h_j at the point of the bounds that is nearest to 0 */
    mpq_t *slope; /* h_j(x) <= near_j + slope_j |x| within the bounds */
    mpq_t *most;  /* the supremum of h_j within the bounds, */
    bool *finite; /* where there is one */
} farkas;

void farkas_open(farkas *f, int n);
void farkas_close(farkas *f);
void farkas_set(farkas *f, int j, const mpq_t g, const mpq_t e, double lo, double hi);

/* Every x within the bounds with sum + sum h + margin >= 0 has |x|_1 >= R. Judge whether R >= size
 * / (u norm): unknowns count by their supremum or by their slope, whichever serves the proof. */
void judge_farkas(const farkas *f, const mpf_t margin, const mpf_t size, const mpf_t norm,
                  judgement *j);

#endif
