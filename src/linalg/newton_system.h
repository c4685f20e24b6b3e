/* linalg/newton_system.h: linear systems (diag(a) + diag(b) (M + e I)) d = r with a, b >= 0, as
 * every Newton method on a complementarity function has them, M dense or sparse.
 *
 * Rows with b_i = 0 give d_i = r_i / a_i at once, so that only the block of the others is factored:
 * for the minimum map M_aa. Where M is symmetric the block is divided by b and made symmetric, and
 * Cholesky is tried first; LU otherwise. A sparse block is factored in the pattern of M, whose
 * analysis is done once and kept in the arena (linalg/sparse.h): that of a fixed one ends with it.
 */
#ifndef PERP_LINALG_NEWTON_SYSTEM_H
#define PERP_LINALG_NEWTON_SYSTEM_H

#include "perp/matrix.h"
#include "sparse.h"

typedef struct perp_newton_system {
    int n;
    perp_matrix M;
    double slack;
    bool symmetric;
    int cholesky_failures;
    perp_arena *arena;
    const double *a, *b; /* of the last perp_newton_system_factor */
    int size;
    int *set;             /* rows of the block */
    double *block, *unit; /* dense block, or values in M's pattern; its symmetric scaling */
    double *work, *rhs;
    int *pivot;
    perp_factor *cholesky, *lu; /* sparse, opened at first use */
    bool by_cholesky;
} perp_newton_system;

/* M is dense, or CSC in canonical form (linalg/sparse.h) with all diagonal entries there; it stays
 * the caller's. slack: relative difference of two entries that still counts as symmetric. False: no
 * memory, or no time. Dense: n^2 + 7 n numbers. */
bool perp_newton_system_open(perp_newton_system *m, perp_arena *arena, const perp_matrix *M,
                             double slack);
/* M's values have changed, its pattern has not. */
void perp_newton_system_refresh(perp_newton_system *m);

/* a and b must stay until the solves are done. 0: done. > 0: singular, or so nearly that a solution
 * would have no correct digit. < 0: no memory. */
int perp_newton_system_factor(perp_newton_system *m, const double *a, const double *b, double e);

/* 0: done; > 0: d is not finite. < 0: no memory. r and d differ. */
int perp_newton_system_solve(perp_newton_system *m, const double *r, double *d);

#endif
