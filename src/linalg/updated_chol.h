/* linalg/updated_chol.h: a Cholesky factor of a principal submatrix that columns join and leave.
 *
 *     R'R = M_aa,   R upper triangular, k x k.
 *
 * Rank-deficient matrices are welcome: a column that depends on those before does not join. The
 * caller knows which columns the k are; here they are numbers. Nothing allocates. */
#ifndef PERP_LINALG_UPDATED_CHOL_H
#define PERP_LINALG_UPDATED_CHOL_H

#include <stdbool.h>
#include <stddef.h>

#define PERP_UPDATED_PANEL 64 /* columns that may join at once */

typedef struct perp_updated {
    int k, ld; /* columns now and at most; ld is the leading dimension, too */
    double *R;
    double *cosine, *sine; /* rotations of a deletion */
} perp_updated;

/* Doubles of memory for at most `most` columns. */
size_t perp_updated_doubles(int most);
void perp_updated_open(perp_updated *u, int most, double *memory);
/* Move to larger memory, perp_updated_doubles(most) of it. */
void perp_updated_grow(perp_updated *u, int most, double *memory);

/* x = R'^-1 x, and x = R^-1 x. k^2 flops each. */
void perp_updated_forward(const perp_updated *u, double *x);
void perp_updated_backward(const perp_updated *u, double *x);

/* Room for `m` <= PERP_UPDATED_PANEL columns, k + m <= ld; column c, ld apart, takes the k entries
 * of M_ab and after them the first c + 1 of M_bb. */
double *perp_updated_room(const perp_updated *u);
/* Let them join. A column whose remaining square is at most tol times its diagonal entry depends on
 * those before and is left out; kept[c] says which. tol < 0: none is left out, and less than -tol
 * times its diagonal entry counts as that. Returns how many joined. m k^2 flops. */
int perp_updated_join(perp_updated *u, int m, double tol, bool *kept);

/* One more column, y = R'^-1 M_ai found already, and the root of what remains of the diagonal. */
void perp_updated_push(perp_updated *u, const double *y, double root);

/* Column `at` leaves. y, which may be NULL, holds R'^-1 b before and, for b without that entry,
 * k - 1 numbers after; returns the last of the rotated y: its square is what |y|^2 loses. 3 (k -
 * at)^2 flops. */
double perp_updated_delete(perp_updated *u, int at, double *y);

#endif
