/* linalg/lu_columns.h: sparse LU with pivots from all rows, for any matrix.
 *
 * L U = P R A Q, column by column: Q is chosen for sparsity, by COLAMD, R scales the rows, and P
 * takes the diagonal where it has PERP_DIAGONAL_LEAST of the largest entry in its column, that
 * entry otherwise. L is kept by supernodes, columns with the same rows, found as they come.
 * Everything lies in the arena, of which a factorisation takes more as it needs it: do not release
 * the arena, between open and the last solve, to a mark taken after open. */
#ifndef PERP_LINALG_LU_COLUMNS_H
#define PERP_LINALG_LU_COLUMNS_H

#include "base/watch.h"
#include "pool.h"

/* Of the largest in its column: such a diagonal entry is the pivot. The threshold that sparse LU
 * usually has (Duff, Erisman & Reid, Direct Methods for Sparse Matrices, 1986); it was not tuned.
 */
#define PERP_DIAGONAL_LEAST 0.1

/* Columns first ... of L; the first `width` rows of the list are their pivots'. */
typedef struct perp_lu_super {
    int first, width, height;
    int reach; /* rows behind the own ones that lead to further supernodes; < 0: not pruned */
    int *row;
    double *L; /* height x width, unit lower triangle on top */
} perp_lu_super;

/* A column of U: for each supernode of it, from which column on, and one number for each. */
typedef struct perp_lu_column {
    int segments;
    int *from; /* the first column of each, and how many */
    double *x; /* one segment after the other */
} perp_lu_column;

typedef struct perp_lu_columns {
    int n, supers;
    const int *p, *i; /* the caller's pattern */
    int *order;       /* Q */
    int *position;    /* of a row among the pivots; -1: none yet */
    int *super_of;    /* of a column */
    perp_lu_super *super;
    perp_lu_column *column;
    double *d;                /* pivots */
    double *x, *y;            /* n each: the current column by rows; scratch */
    int *mark, *from;         /* by supernode: seen in the current column, and its first entry */
    int *stack, *next;        /* of the search */
    int *topological, *found; /* supernodes of the current column; rows without a pivot in it */
    int *seen;                /* by row: the last column that has it */
    int found_count, top;
    perp_pool rows, entries, upper; /* lists of rows, L, U */
    double multiplications;         /* of the last factorisation */
    perp_arena *arena;
    perp_watched watched;
} perp_lu_columns;

/* A pattern in compressed columns with ascending rows, which has to stay where it is. False: no
 * memory. */
bool perp_lu_columns_open(perp_lu_columns *f, perp_arena *a, int n, const int *p, const int *i);

/* Factor for the values x, with row i multiplied by scale[i]. 0: done. k > 0: column k, counted
 * from 1, has no pivot. PERP_STOPPED, or another number < 0: no memory. */
int perp_lu_columns_compute(perp_lu_columns *f, const double *x, const double *scale);

/* x = (R A)^-1 b, or its transpose; b may be x (lu_columns_solve.c). */
void perp_lu_columns_solve(perp_lu_columns *f, bool transpose, const double *b, double *x);

/* Multiplications at most, whatever the pivots; INFINITY: too many to be counted in a time like
 * that of the order. */
double perp_lu_columns_bound(perp_lu_columns *f);
/* Entries of L and U. */
double perp_lu_columns_entries(const perp_lu_columns *f);
/* Counts what factorisations may take beyond open, in a run of perp_bytes. */
void perp_lu_columns_room(perp_lu_columns *f);
/* Bytes of the arena that the last factorisation took beyond open. */
size_t perp_lu_columns_bytes(const perp_lu_columns *f);

#endif
