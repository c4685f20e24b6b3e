/* kernel/boxcg.h: minimise x'Ax/2 - b'x in a box by products with A alone: conjugate gradients on
 * the face at hand, which gains bounds where a step crosses them and loses those whose gradient has
 * the wrong sign. */
#ifndef PERP_BOXCG_H
#define PERP_BOXCG_H

#include "perp/matrix.h"

typedef enum perp_boxcg_end {
    PERP_BOXCG_DONE,
    PERP_BOXCG_STEPS,     /* they were not enough */
    PERP_BOXCG_INDEFINITE /* A is not positive definite along a direction */
} perp_boxcg_end;

#define PERP_BOXCG_WORK 8 /* vectors of length n */

/* A is symmetric, dense or CSC, with a positive diagonal. x is the start, which is projected on the
 * box, and the result, inside. Ends when the projected gradient, scaled by the diagonal, has fallen
 * to `accuracy` times what it was. About a product a step. *steps: at most; made. */
perp_boxcg_end perp_boxcg(const perp_matrix *A, const double *b, const double *lo, const double *hi,
                          double accuracy, int *steps, double *x, double *work);

#endif
