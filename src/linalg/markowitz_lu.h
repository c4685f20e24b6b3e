/* linalg/markowitz_lu.h: P K Q = L U of a sparse matrix by Markowitz pivots, with a dense core.
 *
 * A pivot is the acceptable entry that can fill the fewest places, among a few rows and columns of
 * the lowest counts; acceptable means not small against its row. When what is left has filled up it
 * is factored as a dense matrix: bases of random pattern end in such a core, where compressed
 * columns cost four times the memory and ten times the time. */
#ifndef PERP_LINALG_MARKOWITZ_LU_H
#define PERP_LINALG_MARKOWITZ_LU_H

#include "perp/core.h"

/* Compressed lines that grow in an arena; what was outgrown is given back with the arena. */
typedef struct perp_columns {
    size_t *p; /* starts; one more than there are lines */
    int *i;
    double *x; /* stays NULL where `pattern` */
    size_t room;
    bool pattern; /* no values */
} perp_columns;

/* Room for `more` entries after the `used` first, which stay. */
bool perp_columns_reserve(perp_columns *c, perp_arena *arena, size_t used, size_t more);

/* The active lines, each in its own stretch of one array that is compressed when it is full. */
typedef struct perp_lines {
    size_t *start;
    int *count, *room;    /* entries, and places, of each line; count -1: eliminated */
    int *next, *last;     /* in its list of lines of equal count */
    int *first;           /* of each such list, or -1 */
    perp_columns entries; /* values by rows only */
    size_t used;
} perp_lines;

typedef struct perp_elimination {
    perp_arena *arena;
    int most;    /* size of the arrays */
    int k, core; /* order; the pivots from `core` on are dense */
    int rank;    /* k, or, of a singular matrix, how many pivots were found: the first of row and
                  * column
                  */
    int *row, *column; /* of each pivot */
    double *pivot;     /* the sparse ones */
    perp_columns L;    /* below the diagonal of ones, by columns, in pivot order, */
    perp_columns U;    /* and above it by rows; neither has the core */
    double *LU;        /* the core, (k - core)^2, as LAPACK leaves it, rows in order */
    size_t LU_room;

    perp_lines rows, columns;
    double *largest;   /* |entry| of each row */
    double *value;     /* scratch, by columns: the pivot's row */
    int *mark;         /* and which of its entries a row had */
    int *swap, *order; /* scratch */
    size_t left;       /* entries that are active */
} perp_elimination;

typedef enum perp_basis_status {
    PERP_BASIS_DONE,
    PERP_BASIS_SINGULAR,
    PERP_BASIS_REFACTOR,
    PERP_BASIS_MEMORY,
} perp_basis_status;

/* For orders up to `most`; `entries` is what the matrices will have about, for what can be known
 * now of the memory they need. False: no memory. */
bool perp_elimination_open(perp_elimination *e, perp_arena *arena, int most, size_t entries);

/* Factor the k x k matrix in compressed columns without duplicates. SINGULAR: also where the
 * smallest pivot is rounding against the largest. */
perp_basis_status perp_eliminate(perp_elimination *e, int k, const int *p, const int *i,
                                 const double *x);

#endif
