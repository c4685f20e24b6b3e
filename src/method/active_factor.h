/* method/active_factor.h: a set a of indices and the updated Cholesky factor of M_aa, for
 * active-set and principal pivoting methods on symmetric positive semidefinite M: dense, sparse, or
 * A'A with A alone at hand. */
#ifndef PERP_METHOD_ACTIVE_FACTOR_H
#define PERP_METHOD_ACTIVE_FACTOR_H

#include "linalg/gram.h"
#include "linalg/updated_chol.h"

typedef struct perp_active_factor {
    const perp_matrix *M; /* dense, or CSC in canonical form; never made dense; or A of A'A */
    perp_gram *gram;      /* of A; NULL: M itself is at hand */
    perp_arena *arena;
    perp_updated u;   /* u.k is the size of the set */
    int *set;         /* in the factor's order */
    int *place;       /* where an index stands in it, or -1 */
    double *diagonal; /* of M; where A is an operator, of the indices met so far */
    double *x;        /* scratch, n */
    int *list; /* scratch, n: free for the caller between calls but perp_active_factor_rebuild */
    double *entries;  /* M_aa, upper triangle, leading dimension u.ld; NULL: not kept */
    double *gathered; /* M_aj and M_jj as reduce found them, for that */
} perp_active_factor;

/* An empty set. A dense M has room for all n columns at once, n^2 numbers; for a sparse one the
 * factor grows with the set, by doubling, so that it takes up to 1.4 times its k^2. False: no
 * memory. */
bool perp_active_factor_open(perp_active_factor *s, const perp_matrix *M, perp_arena *a);
/* The same for A'A, whose entries are found as they are needed; the factor grows with the set. */
bool perp_active_factor_open_gram(perp_active_factor *s, perp_gram *g, perp_arena *a);

/* Keep M_aa from now on, the set still empty: rebuild then needs no entries of M, which cost much
 * where they are sums over rows of A. False: no memory. */
bool perp_active_factor_keep(perp_active_factor *s);

/* b = M_aj, in the set's order. */
void perp_active_factor_gather(const perp_active_factor *s, int j, double *b);

/* Let list[0 .. count) join, none of which is in the set, in blocks; those whose column depends on
 * the ones before, up to tol times the diagonal entry, stay out. list may be s->list. False: no
 * memory. */
bool perp_active_factor_join(perp_active_factor *s, int count, const int *list, double tol);
/* The set becomes what joins of the list. */
bool perp_active_factor_assign(perp_active_factor *s, int count, const int *list, double tol);
/* The same set, factored anew; tol < 0 as in perp_updated_join. */
bool perp_active_factor_rebuild(perp_active_factor *s, double tol);

/* y = R'^-1 M_aj; returns M_jj - |y|^2, which is positive where j does not depend on the set. */
double perp_active_factor_reduce(const perp_active_factor *s, int j, double *y);
/* The same for the index reduced last, after others were dropped and the factor was rebuilt; where
 * M_aa is kept. */
double perp_active_factor_reduce_again(const perp_active_factor *s, double *y);
/* j joins with what perp_active_factor_reduce gave. False: no memory. */
bool perp_active_factor_push(perp_active_factor *s, int j, const double *y, double left);
/* The index at place `at` leaves; y as in perp_updated_delete. */
double perp_active_factor_drop(perp_active_factor *s, int at, double *y);

/* z_a -= M_aa^-1 r_a for r and z of length n. */
void perp_active_factor_correct(perp_active_factor *s, const double *r, double *z);
/* w = q + M_.a z_a; not for A'A. */
void perp_active_factor_slack(perp_active_factor *s, const double *q, const double *z, double *w);

#endif
