/* tests/adversary/exact_farkas.h: a linear sum that must be negative at every point of a box, but
 * for slopes that are rounding beside the sizes of their terms (src/core/proof.h). */
#ifndef ADVERSARY_EXACT_FARKAS_H
#define ADVERSARY_EXACT_FARKAS_H

#include "exact.h"

typedef struct farkas {
    mpq_t sum, terms; /* the sum at the ends of the box, and the sizes of its terms */
    mpq_t relative;   /* the largest slope towards an infinite bound over the size of its terms */
} farkas;

void farkas_open(farkas *f);
void farkas_close(farkas *f);
/* The sum gets a b. */
void farkas_add(farkas *f, const mpq_t a, const mpq_t b);
/* The sum gets the supremum of g x + e max(x, 0) over [lo, hi], e >= 0; g and e are sums of terms
 * of the sizes g_size and e_size. */
void farkas_add_sup(farkas *f, const mpq_t g, const mpq_t g_size, const mpq_t e, const mpq_t e_size,
                    double lo, double hi);

/* Is the sum, with `slack`, negative by so much that relative terms <= (4 n + 16) 2^-52 of that? */
void judge_farkas(const farkas *f, const mpf_t slack, int n, judgement *j);

#endif
