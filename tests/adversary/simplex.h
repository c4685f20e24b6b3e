/* tests/adversary/simplex.h: linear programs in rational numbers. */
#ifndef ADVERSARY_SIMPLEX_H
#define ADVERSARY_SIMPLEX_H

#include <gmp.h>

typedef enum simplex_end {
    SIMPLEX_OPTIMAL,
    SIMPLEX_INFEASIBLE,
    SIMPLEX_UNBOUNDED,
    SIMPLEX_LIMIT /* after so many pivots nothing is known */
} simplex_end;

/* min c'x, A x = b, x >= 0; A is m x n, row by row. value: the minimum where there is one; x may be
 * NULL. Both phases, Bland's rule: it ends without cycling. */
simplex_end simplex_solve(int m, int n, mpq_t *A, mpq_t *b, mpq_t *c, int pivots, mpq_t value,
                          mpq_t *x);

#endif
