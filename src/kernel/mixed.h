/* kernel/mixed.h: linear systems (diag(a) + diag(b) (M + e I)) d = r with a, b >= 0, as every
 * Newton method on a complementarity function has them, M dense or sparse.
 *
 * Rows with b_i = 0 give d_i = r_i / a_i at once, so that only the block of the others is factored:
 * for the minimum map M_aa. Where M is symmetric the block is divided by b and made symmetric, and
 * Cholesky is tried first; LU otherwise. A sparse block is factored in the pattern of M, whose
 * analysis is done once and kept in the arena (kernel/sparse.h): a fixed arena will not do. */
#ifndef PERP_MIXED_H
#define PERP_MIXED_H

#include "perp/matrix.h"
#include "sparse.h"

typedef struct perp_mixed {
    int n;
    perp_matrix M;
    double slack; /* relative difference of two entries that still counts as symmetric; 0 */
    bool symmetric;
    int cholesky_failures;
    perp_arena *arena;
    const double *a, *b; /* of the last perp_mixed_factor */
    int size;
    int *set;             /* rows of the block */
    double *block, *unit; /* dense block, or values in M's pattern; its symmetric scaling */
    double *work, *rhs;
    int *pivot;
    perp_factor *cholesky, *lu; /* sparse, opened at first use */
    bool by_cholesky;
} perp_mixed;

/* M is dense, or CSC in canonical form (kernel/sparse.h) with all diagonal entries there; it stays
 * the caller's. False: no memory. Dense: n^2 + 7 n numbers. */
bool perp_mixed_open(perp_mixed *m, perp_arena *arena, const perp_matrix *M);
/* M's values have changed, its pattern has not. */
void perp_mixed_refresh(perp_mixed *m);

/* a and b must stay until the solves are done. 0: done. > 0: singular, or so nearly that a solution
 * would have no correct digit. < 0: no memory. */
int perp_mixed_factor(perp_mixed *m, const double *a, const double *b, double e);

/* 0: done; > 0: d is not finite. < 0: no memory. r and d differ. */
int perp_mixed_solve(perp_mixed *m, const double *r, double *d);

#endif
