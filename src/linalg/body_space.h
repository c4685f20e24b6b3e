/* linalg/body_space.h: systems with M + H D H', D block diagonal, and equalities G beside it.
 *
 * What Newton's method, proximal points and interior points solve for contacts between bodies, in
 * the space of the bodies' velocities:
 *     [M + H D H'   G] [v]   [a]
 *     [G'          -C] [l] = [b],     C >= 0 diagonal.
 * Where contacts outnumber velocities it is smaller than a system with all contacts, and its
 * pattern, bodies by bodies, is the same for every D: it is ordered once. With symmetric M and
 * symmetric positive semidefinite D it is factored by Cholesky, with equalities by L D L', which
 * puts a small number in the place of a C of 0; otherwise by LU (sparse.h). Solutions are refined
 * by the system itself. Everything lies in the arena. */
#ifndef PERP_LINALG_BODY_SPACE_H
#define PERP_LINALG_BODY_SPACE_H

#include "ldl.h"
#include "perp/matrix.h"
#include "sparse.h"

/* Columns of H in blocks: block b has column[start[b]] ... column[start[b + 1] - 1]. Columns that
 * are in no block take no part. */
typedef struct perp_column_blocks {
    int blocks;
    const int *start, *column;
} perp_column_blocks;

/* The rows of the bodies that a block touches, and its part of H. */
typedef struct perp_touched {
    int rows, columns;
    int *row;     /* ascending */
    double *H;    /* rows x columns, column-major */
    int *to;      /* rows x rows: where the product goes in the system's values */
    size_t place; /* where its D begins in the array of all D */
} perp_touched;

typedef struct perp_body_space {
    int nv, nl, n; /* n = nv + nl */
    bool symmetric;
    int blocks;
    perp_touched *block;
    size_t entries;        /* of all D */
    int *p, *i;            /* the pattern: the lower triangle where it is symmetric */
    double *base, *x;      /* M, G and C in it; the system */
    const double *C;       /* nl; NULL: 0 */
    int *corner;           /* nl: where the diagonal entries of -C are */
    double *replaced;      /* nl: what stands there instead of 0 while it is factored */
    perp_factor *factor;   /* without equalities, or not symmetric */
    perp_ldl ldl;          /* symmetric with equalities */
    double *b, *rest, *HD; /* scratch */
    const perp_watch *watch;
    double flops; /* of a factorisation */
} perp_body_space;

/* M and H are compressed columns, G too or absent; all stay the caller's. With `symmetric` the
 * lower triangle of M is read, and D has to be symmetric. False: no memory, or the watch asks to
 * stop. Memory: the blocks' parts of H and rows^2 numbers each, the pattern, its factors. */
bool perp_body_space_open(perp_body_space *s, perp_arena *a, const perp_matrix *M,
                          const perp_matrix *H, const perp_column_blocks *of, const perp_matrix *G,
                          const double *C, bool symmetric);

/* D block after block, columns^2 numbers each, column-major. 0: done. > 0: it cannot be factored.
 * < 0: stopped, or no memory. */
int perp_body_space_factor(perp_body_space *s, const double *D);

/* x, n numbers: v and l behind it, from a and b in their place. False: not finite, or no memory. */
bool perp_body_space_solve(perp_body_space *s, double *x);

#endif
