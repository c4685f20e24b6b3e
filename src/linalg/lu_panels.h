/* linalg/lu_panels.h: LU on the pattern of A + A', with pivots from the supernodes' own blocks.
 *
 * For matrices whose pattern is nearly symmetric and whose diagonal serves as pivots, as those of
 * Newton's methods on grids and networks. Fill is that of Cholesky, the order AMD's, and all is
 * known beforehand: panels of L and U' with the same rows. A pivot is sought on the diagonal first,
 * then in the rest of its own block, and has to be a part `least` of what its column has in any
 * row: where there is none the factorisation gives up, and lu_columns.h, which looks at all rows,
 * has to do it. Everything lies in the arena. */
#ifndef PERP_LINALG_LU_PANELS_H
#define PERP_LINALG_LU_PANELS_H

#include "panels.h"

#define PERP_PIVOT_LEAST                                                                           \
    1e-3 /* of the largest in its column, for solutions that nobody refines                        \
          */
/* For those who refine and look at the residual: beyond it factors grow to where no refinement
 * helps. */
#define PERP_PIVOT_REFINED 1e-10

/* A pattern in compressed columns with ascending rows. False: no memory. */
bool perp_lu_panels_open(perp_panels *f, perp_arena *a, int n, const int *p, const int *i);

/* Factor for the values x, with row i multiplied by scale[i]. 0: done. > 0: no pivot in a block,
 * see above. PERP_STOPPED: the arena's watch asked for it. */
int perp_lu_panels_compute(perp_panels *f, const double *x, const int *row, const double *scale,
                           double least);

#endif
