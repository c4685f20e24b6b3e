/* linalg/gram.h: entries of A'A and products with columns of A, for methods that never form A'A. */
#ifndef PERP_LINALG_GRAM_H
#define PERP_LINALG_GRAM_H

#include "perp/matrix.h"

typedef struct perp_gram {
    const perp_matrix *A; /* dense, CSC, or an operator */
    double *column;       /* m: the column that was loaded */
    double *x;            /* n, for an operator alone */
    int loaded;           /* its number, or -1 */
} perp_gram;

/* A, or, where it is dense and most of its entries are zeros, a copy in compressed columns. */
perp_status perp_gram_thin(const perp_matrix *A, perp_arena *a, perp_matrix *out);

/* m numbers of the arena, n more for an operator. False: no memory. */
bool perp_gram_open(perp_gram *g, const perp_matrix *A, perp_arena *a);

/* b_p = a_i'a_j for i = set[p], p < k. Dense 2 m k flops, CSC those of the entries, an operator two
 * products. */
void perp_gram_gather(perp_gram *g, int j, int k, const int *set, double *b);
/* |a_j|^2; an operator: one product. */
double perp_gram_square(perp_gram *g, int j);
/* a_j'r; an operator: one product. */
double perp_gram_dot(perp_gram *g, int j, const double *r);
/* y += t (columns set[0 .. k) of A) x; an operator: one product. */
void perp_gram_add(perp_gram *g, int k, const int *set, double t, const double *x, double *y);

#endif
