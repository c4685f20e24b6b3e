/* linalg/basis.h: a basis of columns of [I, M, d], M sparse and d full, with solves and updates.
 *
 * Only the columns that are no unit vectors are factored, on the rows that no unit vector covers:
 * after permutation B = (K 0; C I), and with K = L U
 *
 *     B = (L 0; 0 I) T_1 T_2 .. (U 0; C I).
 *
 * A row, and the variable whose pivot is in it, share a slot; kernel slots come first, in the order
 * of elimination. An exchange of one column is a factor T = I + c r' (the middle product form of
 * Huangfu and Hall, Mathematical Programming Computation 7, 2015): r is a row of U^-1, c the new
 * column after L and the older T, both sparse where the factors are. Solves skip what is zero.
 * linalg/markowitz_lu.c factors K. All memory is the arena's. */
#ifndef PERP_LINALG_BASIS_H
#define PERP_LINALG_BASIS_H

#include "markowitz_lu.h"

#define PERP_BASIS_UPDATES 128 /* exchanges between two factorisations at most */

typedef struct perp_basis {
    int n;
    perp_arena *arena;
    const int *p, *i; /* M */
    const double *x, *d;
    int *head; /* number of the column in each slot: e_k is k, M's are n + k, d is 2 n */
    int *slot; /* of each row */

    int k;               /* kernel slots */
    perp_elimination e;  /* K = L U; U by rows, and the dense core at the end */
    perp_columns U, U_t; /* above the diagonal but for the core, and C; by columns and by rows */
    size_t filled;       /* entries of all that; a solve costs about as much */

    int updates;
    double factor[PERP_BASIS_UPDATES];
    perp_columns r, c;
    double *spike; /* the last column solved for, before U */
    double *row;   /* scratch of an update, zero between them */

    int *kernel_rows, *kernel_columns, *kernel_of; /* scratch of a factorisation */
    int *K_p;
} perp_basis;

/* M is n x n in compressed columns without duplicates; d has length n, or is NULL where no basis
 * will have it. They stay the caller's and may change between factorisations. False: no memory. */
bool perp_basis_open(perp_basis *b, perp_arena *arena, int n, const int *p, const int *i,
                     const double *x, const double *d);

/* Factor the basis of these n columns, which b->head then has in another order. SINGULAR: exactly,
 * or so nearly that no digit of a solution would be right; then there is no factor. `columns` may
 * be b->head. REFACTOR is not among the answers. */
perp_basis_status perp_basis_factor(perp_basis *b, const int *columns);

/* B a = column: a by slots. What an update of the same column needs is kept. */
void perp_basis_column(perp_basis *b, int column, double *a);
/* B a = rows. The two arrays differ. */
void perp_basis_solve(perp_basis *b, const double *rows, double *a);
/* rows += factor times a column, or B a. */
void perp_basis_add(const perp_basis *b, int column, double factor, double *rows);
void perp_basis_multiply(const perp_basis *b, const double *a, double *rows);

/* Column `column`, for which perp_basis_column gave a last, takes slot s. REFACTOR: the update is
 * full, fills in, or a[s] as the rows see it differs: factor, and if it was inaccurate solve anew.
 */
perp_basis_status perp_basis_exchange(perp_basis *b, int s, int column, const double *a);

#endif
