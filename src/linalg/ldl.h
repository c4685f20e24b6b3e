/* linalg/ldl.h: sparse L D L' of symmetric quasidefinite matrices, without pivoting.
 *
 * K = [P B'; B -Q] with P and Q positive definite, in any symmetric order, has such a factor, with
 * as many negative pivots as Q has rows (Vanderbei, SIAM J. Optimization 5, 1995): so the order is
 * chosen for sparsity alone, once, by AMD. The sign of every pivot is known beforehand; one that
 * comes out with the other sign, or too small, does so by rounding and is replaced. A matrix that
 * is quasidefinite by a little has large factors: refine. With Q empty and nothing replaced it is
 * Cholesky's, with the roots left out. Everything lies in the arena. */
#ifndef PERP_LINALG_LDL_H
#define PERP_LINALG_LDL_H

#include "panels.h"

typedef struct perp_ldl {
    perp_panels panels; /* U is L */
    bool *negative;     /* the sign of each pivot, permuted; NULL: positive all */
    int failed;         /* the column at which a Cholesky factor ended */
} perp_ldl;

/* A pattern in compressed columns, rows of each column ascending: the lower triangle with the whole
 * diagonal. negative[j]: the j-th diagonal entry belongs to -Q. False: no memory, or not such a
 * pattern. */
bool perp_ldl_open(perp_ldl *f, perp_arena *a, int n, const int *p, const int *i,
                   const bool *negative);

/* Factor for the values x. A pivot less than `least` in its sign becomes `instead`. Returns how
 * many were, -1 when L is not finite, PERP_STOPPED when the arena's watch asked for it. */
int perp_ldl_compute(perp_ldl *f, const double *x, double least, double instead);

/* x = K^-1 b; b may be x. Two multiplications an entry of L. */
void perp_ldl_solve(perp_ldl *f, const double *b, double *x);

/* Entries of L, zeros that are stored included. */
size_t perp_ldl_size(const perp_ldl *f);

/* ---- Cholesky: Q is empty, and no pivot is replaced ---- */

/* Any pattern with ascending rows, of which what is above the diagonal is not looked at. False: no
 * memory. */
bool perp_cholesky_open(perp_ldl *f, perp_arena *a, int n, const int *p, const int *i);

/* 0: done. k > 0: the pivot of column k, counted from 1, is not positive and finite.
 * PERP_STOPPED: the watch asked for it. */
int perp_cholesky_compute(perp_ldl *f, const double *x);

#endif
