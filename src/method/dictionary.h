/* method/dictionary.h: a pivoting dictionary whose updates are kept as two thin panels.
 *
 *     basic = x + A nonbasic,    A = D - U V',
 *
 * A pivot exchanges basic variable r and nonbasic variable c. It needs only column c and x: row r
 * is noted, the rank-1 change joins the panel U, and when the panel is full the rows V are found by
 * one triangular solve and applied to D by one matrix product. Memory m n + panel (m + n) doubles,
 * all the caller's; cost of a pivot O(panel m) plus its share of the product, 2 m n. */
#ifndef PERP_METHOD_DICTIONARY_H
#define PERP_METHOD_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>

#define PERP_PANEL 32 /* updates kept at most */

typedef struct perp_dictionary {
    int m, n, ld; /* rows, columns, leading dimension of D */
    int panel;    /* updates kept before they are applied */
    int pending;  /* updates kept now: columns of U in use */
    int ldv;      /* leading dimension of V; that of U is ld */
    double *D;    /* fill it and x, column-major, after perp_dictionary_open; rows and columns of
                     pending pivots are stale in it */
    double *x;    /* basic values at nonbasic = 0 */
    double *U, *V;
    int row[PERP_PANEL], column[PERP_PANEL]; /* of the pending pivots */
    bool again[PERP_PANEL];                  /* the row was pivoted on before in this panel */
    double *L; /* unit lower triangle by rows: V solves L V' = rows of D */
} perp_dictionary;

/* Doubles of memory that an m x n dictionary needs. */
size_t perp_dictionary_size(int m, int n);
/* memory: that many doubles, 64-byte aligned; the padding rows of D are zeroed. */
void perp_dictionary_open(perp_dictionary *d, int m, int n, double *memory);

/* a = column c of A, m values; a has room for d->ld. */
void perp_dictionary_column(const perp_dictionary *d, int c, double *a);
/* y = A t: n values in, m out; y has room for d->ld. Reads D once. */
void perp_dictionary_apply(const perp_dictionary *d, const double *t, double *y);
double perp_dictionary_entry(const perp_dictionary *d, int r, int c);
/* Exchange basic r and nonbasic c; a is column c as perp_dictionary_column gave it, a[r] != 0. */
void perp_dictionary_pivot(perp_dictionary *d, int r, int c, const double *a);
/* Apply what is pending, so that A = D. */
void perp_dictionary_flush(perp_dictionary *d);

#endif
