/* linalg/principal_submatrix.h: systems with principal submatrices of a matrix, dense or sparse. */
#ifndef PERP_LINALG_PRINCIPAL_SUBMATRIX_H
#define PERP_LINALG_PRINCIPAL_SUBMATRIX_H

#include "perp/matrix.h"
#include "sparse.h"

/* Is |m_ij - m_ji| <= tol (max(|m_ij|, |m_ji|) + sqrt |m_ii m_jj|) for all i, j? Where not, i and j
 * are such a pair. M is square, dense or CSC in canonical form. PERP_STALLED: not symmetric. */
perp_status perp_symmetry(const perp_matrix *M, double tol, perp_arena *a, int *i, int *j);

double perp_diagonal(const perp_matrix *M, int j);
/* y += t * (columns set[0 .. k) of M) x; 2 m k flops when dense. */
void perp_add_columns(const perp_matrix *M, int k, const int *set, double t, const double *x,
                      double *y);

/* A factor of M_aa + shift I: Cholesky where M is symmetric and that succeeds, else LU. A dense one
 * takes n^2 + n numbers of the arena, once; a sparse one a copy of M and the factors. */
typedef struct perp_principal {
    const perp_matrix *M;
    perp_arena *arena;
    bool symmetric, cholesky;
    bool definite; /* set it: where a Cholesky factor fails, no LU is tried */
    int k;
    double *F; /* dense factor, k x k */
    int *pivot;
    const int *set; /* sparse: of the present factor */
    bool *in;
    int *start, *row; /* M's pattern with its diagonal */
    double *values, *x, size;
    perp_factor *factor, *chol, *lu; /* the present one; opened so far */
} perp_principal;

/* M dense, or CSC in canonical form. False: no memory. */
bool perp_principal_open(perp_principal *p, const perp_matrix *M, bool symmetric, perp_arena *a);
/* Factor for set[0 .. k), ascending, which must stay until the solves are done. PERP_STALLED:
 * singular to working precision; PERP_E_MEMORY. */
perp_status perp_principal_factor(perp_principal *p, int k, const int *set, double shift);
/* x = (M_aa + shift I)^-1 x. False: no memory, or overflow. */
bool perp_principal_solve(perp_principal *p, double *x);

#endif
