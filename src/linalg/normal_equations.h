/* linalg/normal_equations.h: systems with A_a'A_a + e I for a set a of columns of a sparse A.
 *
 * As they are where columns are few, and else, with e > 0, in the space of A's rows,
 *     (A_a'A_a + e I)^-1 = (I - A_a' K^-1 A_a) / e,   K = A_a A_a' + e I,
 * whose size does not grow with the set, and where a full row of A fills one row of K alone. */
#ifndef PERP_LINALG_NORMAL_EQUATIONS_H
#define PERP_LINALG_NORMAL_EQUATIONS_H

#include "perp/matrix.h"
#include "sparse.h"

/* Compressed columns. */
typedef struct perp_column_list {
    int m, n;
    int *p, *i;
    double *x;
} perp_column_list;

typedef struct perp_normal_equations {
    perp_matrix A; /* canonical CSC */
    perp_arena *arena;
    const double
        *scale;     /* of A's columns, n; NULL: 1. Set it when open, change it between factors */
    perp_mark mark; /* where the present factor begins */
    double *y;      /* scratch, m */
    bool rows;      /* is it K that is factored? */
    int k;
    const int *set;
    double e;
    perp_factor *factor; /* the present one; NULL: there is none */
    perp_column_list K;  /* pattern of A A', lower triangle, and the last K in it */
    perp_factor *whole;  /* of that; NULL: not needed yet */
} perp_normal_equations;

/* A is CSC in canonical form. False: no memory. Allocate nothing in the arena
 * afterwards that is to outlive a factor. */
bool perp_normal_equations_open(perp_normal_equations *f, const perp_matrix *A, perp_arena *a);
/* For set[0 .. k), ascending, which must stay until the solves are done. PERP_STALLED: singular to
 * working precision; `factor` is there all the same unless a pivot was not positive. With `scale`,
 * A stands for A D, D the diagonal matrix of it. A_a'A_a is analysed anew for every set, K, in the
 * pattern of A A', once. */
perp_status perp_normal_equations_factor(perp_normal_equations *f, int k, const int *set, double e);
/* x = (A_a'A_a + e I)^-1 x. False: no memory, or overflow. */
bool perp_normal_equations_solve(perp_normal_equations *f, double *x);

#endif
