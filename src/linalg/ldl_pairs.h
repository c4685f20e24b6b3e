/* linalg/ldl_pairs.h: the L D L' of ldl.h in pairs of numbers, for matrices whose condition is
 * beyond 1e16.
 *
 * A factor in double precision is that of a matrix changed by 1e-16 of its largest products: of
 * a system whose least pivots are smaller than that it has no digit, and refinement does not
 * converge. In pairs (base/pair.h) the change is about 1e-32. Order, panels and places are those of
 * a perp_ldl; a multiplication takes twelve operations instead of one, and the factor twice the
 * memory. */
#ifndef PERP_LINALG_LDL_PAIRS_H
#define PERP_LINALG_LDL_PAIRS_H

#include "ldl.h"

typedef struct perp_ldl_pairs {
    perp_panels panels;          /* the first halves, and the order, which is another factor's */
    double *low, *low_d, *low_x; /* the second halves of L, d and x */
    const bool *negative;
} perp_ldl_pairs;

/* Room for the factor of a matrix for which `like` is open. False: no memory. */
bool perp_ldl_pairs_open(perp_ldl_pairs *f, perp_arena *a, const perp_ldl *like);

/* As perp_ldl_compute. */
int perp_ldl_pairs_compute(perp_ldl_pairs *f, const double *x, double least, double instead);

/* x + low = K^-1 b, in pairs; b may be x. */
void perp_ldl_pairs_solve(perp_ldl_pairs *f, const double *b, double *x, double *low);

#endif
