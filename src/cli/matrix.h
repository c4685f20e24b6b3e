/* cli/matrix.h: what perp info says of a matrix. */
#ifndef PERP_CLI_MATRIX_H
#define PERP_CLI_MATRIX_H

#include "perp/matrix.h"

typedef struct cli_matrix_info {
    int m, n;
    long long stored, nonzeros; /* entries kept in the file's format; those that are not zero */
    double norm;                /* Frobenius */
    double asymmetry;           /* |A - A'| / |A|, NAN where A is not square */
    int rank;                   /* -1: unknown */
    double condition;           /* largest over smallest singular value; INFINITY: singular; NAN:
                                   unknown */
    double spread;   /* largest over smallest singular value above rounding; NAN: unknown */
    bool estimated;  /* rank and condition */
    const char *why; /* rank or condition is unknown or estimated: how, why; else NULL */
} cli_matrix_info;

/* All singular values up to `limit` rows or columns, estimates by products and a sparse LU above.
 * False: out of memory, or an operator. */
bool cli_examine(const perp_matrix *A, int limit, perp_arena *a, cli_matrix_info *info);

#endif
