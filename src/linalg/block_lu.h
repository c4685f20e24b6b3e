/* linalg/block_lu.h: sparse LU of matrices of 3x3 blocks, without pivoting between blocks.
 *
 * For Jacobians of contact problems, A W + B, whose diagonal blocks are regular and whose pattern
 * is nearly symmetric: the order is chosen for sparsity alone, once, for all systems with a part of
 * W. Nothing watches the growth of the factors: look at the residual, refine, and have another way.
 * Everything lies in the arena. */
#ifndef PERP_LINALG_BLOCK_LU_H
#define PERP_LINALG_BLOCK_LU_H

#include "base/watch.h"

typedef struct perp_block_lu {
    int n;              /* block rows */
    int *order, *place; /* place k of the elimination has row order[k], which is place[order[k]] */
    int *lp, *lj;       /* row k of L: places lj[lp[k] .. lp[k + 1] - 1], descendants first */
    int *up, *uj;       /* row k of U beyond the diagonal: places, ascending */
    double *L, *U, *D;  /* 12 a block, three rows of four; D: the inverses of U's diagonal */
    double *work;       /* a row */
    double operations;  /* products of two blocks that a factorisation takes */
    perp_watched watched;
} perp_block_lu;

/* A fill-reducing order of the pattern made symmetric: order[k] is the k-th row to be eliminated.
 * Rows of blocks p, j, of n; duplicates and any order are all right. False: no memory, or no time.
 */
bool perp_block_order(perp_arena *a, int n, const int *p, const int *j, int *order);

/* The pattern of the factors for `order`. False: no memory, too many blocks, or no time. */
bool perp_block_lu_open(perp_arena *a, int n, const int *p, const int *j, const int *order,
                        perp_block_lu *f);

/* Factor for the blocks x, 9 numbers column-major each, in the pattern's order. False: a diagonal
 * block is singular, numbers overflow, or the watch asked to stop. */
bool perp_block_lu_compute(perp_block_lu *f, const int *p, const int *j, const double *x,
                           const perp_watch *watch);

/* b <- A^-1 b */
void perp_block_lu_solve(perp_block_lu *f, double *b);

#endif
