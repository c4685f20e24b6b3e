/* method/box_cg.h: minimise x'Ax/2 - b'x in a box by products with A alone: conjugate gradients on
 * the face at hand, which gains bounds where a step crosses them and loses those whose gradient has
 * the wrong sign. */
#ifndef PERP_METHOD_BOX_CG_H
#define PERP_METHOD_BOX_CG_H

#include "base/watch.h"
#include "perp/matrix.h"

typedef enum perp_box_cg_end {
    PERP_BOX_CG_DONE,
    PERP_BOX_CG_STEPS,     /* they were not enough, or the watch asked to stop */
    PERP_BOX_CG_INDEFINITE /* A is not positive definite along a direction */
} perp_box_cg_end;

#define PERP_BOX_CG_WORK 8 /* vectors of length n */

/* A is symmetric, dense or CSC, with a positive diagonal. x is the start, which is projected on the
 * box, and the result, inside. Ends when the projected gradient, scaled by the diagonal, has fallen
 * to `accuracy` times what it was. About a product a step. *steps: at most; made. */
perp_box_cg_end perp_box_cg(const perp_matrix *A, const double *b, const double *lo,
                            const double *hi, double accuracy, int *steps, double *x, double *work,
                            const perp_watch *watch);

#endif
