/* factor.h: sparse factorisations that the table `factor` compares. */
#ifndef PERP_BENCH_FACTOR_H
#define PERP_BENCH_FACTOR_H

#include <stdbool.h>

/* Columns compressed, rows ascending; whole also where it is symmetric. */
typedef struct sparse_matrix {
    int n;
    const int *p, *i;
    const double *x;
} sparse_matrix;

typedef struct factoriser {
    const char *name;
    bool cholesky;
    void *(*open)(const sparse_matrix *A);         /* the analysis; NULL: failed */
    bool (*compute)(void *state, const double *x); /* false: failed */
    bool (*solve)(void *state, const double *b, double *x);
    double (*entries)(void *state);
    void (*close)(void *state);
} factoriser;

/* perp's own first; ends with a NULL (factor_peers.c). */
extern const factoriser *const factorisers[];

#endif
