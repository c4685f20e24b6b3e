/* linalg/ldl.h: sparse L D L' of symmetric quasidefinite matrices, without pivoting.
 *
 * K = [P B'; B -Q] with P and Q positive definite, in any symmetric order, has such a factor, with
 * as many negative pivots as Q has rows (Vanderbei, SIAM J. Optimization 5, 1995): so the order is
 * chosen for sparsity alone, once, by AMD. The sign of every pivot is known beforehand; one that
 * comes out with the other sign, or too small, does so by rounding and is replaced. A matrix that
 * is quasidefinite by a little has large factors: refine. Everything lies in the arena. */
#ifndef PERP_LINALG_LDL_H
#define PERP_LINALG_LDL_H

#include "perp/core.h"

/* Columns of L with (nearly) the same rows are a supernode: a dense panel of k columns, whose first
 * k rows are its own and whose others are listed. */
typedef struct perp_ldl {
    int n, supers;
    int *perm, *inverse; /* column k of L is row and column perm[k] of K */
    int *first;          /* supers + 1: first column of each supernode */
    int *super_of;       /* the supernode of a column */
    int *parent;         /* of a supernode in its tree; -1: none */
    size_t *rows;        /* supers + 1: where its list of further rows starts */
    int *row, *count;    /* the lists, ascending, and how long each is */
    size_t *panel;       /* supers + 1: where its panel starts */
    int *entry;          /* the pattern's entries, sorted by the panels they go to, ... */
    size_t *place;       /* ... where in L each goes, ... */
    int *entries;        /* ... and supers + 1: where those of a panel start */
    bool *negative;      /* the sign of each pivot, permuted */
    double *L, *d;
    double *work, *scaled, *x; /* an update, its second factor; n */
    int *head, *next, *at, *map;
} perp_ldl;

/* A pattern in compressed columns, rows of each column ascending: the lower triangle with the whole
 * diagonal. negative[j]: the j-th diagonal entry belongs to -Q. False: no memory, or not such a
 * pattern. */
bool perp_ldl_open(perp_ldl *f, perp_arena *a, int n, const int *p, const int *i,
                   const bool *negative);

/* Order, tree, supernodes, rows and places (ldl_symbolic.c). */
bool perp_ldl_analyse(perp_ldl *f, perp_arena *a, const int *p, const int *i);

/* Factor for the values x. A pivot less than `least` in its sign becomes `instead`. Returns how
 * many were, -1 when L is not finite. */
int perp_ldl_compute(perp_ldl *f, const double *x, double least, double instead);

/* x = K^-1 b (ldl_solve.c); b may be x. Two multiplications an entry of L. */
void perp_ldl_solve(perp_ldl *f, const double *b, double *x);

/* Columns of supernode s. */
static inline int perp_ldl_width(const perp_ldl *f, int s)
{
    return f->first[s + 1] - f->first[s];
}

/* Entries of L, zeros that are stored included. */
size_t perp_ldl_size(const perp_ldl *f);

#endif
