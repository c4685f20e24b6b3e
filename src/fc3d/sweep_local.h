/* fc3d/sweep_local.h: W of the local form by block rows and by block columns; what sweeps by
 * columns and by rows share. */
#ifndef PERP_FC3D_SWEEP_LOCAL_H
#define PERP_FC3D_SWEEP_LOCAL_H

#include "sweep.h"

/* W of s->problem by block rows, opened once; refuses in the run what cannot be converted. */
perp_status perp_sweep_local_rows(perp_run *run, const perp_sweep *s, struct perp_bsr3_view *W);

/* The columns of W: rows[start[j] .. start[j + 1] - 1], ascending, and where in W each block is. */
typedef struct perp_sweep_transposed {
    int *start, *rows, *source;
} perp_sweep_transposed;

/* Of n block rows; false: no memory. */
bool perp_sweep_local_transpose(perp_arena *a, int n, const struct perp_bsr3_view *W,
                                perp_sweep_transposed *t);

/* The diagonal block of row i, the sum of all that are given. */
void perp_sweep_local_block(const struct perp_bsr3_view *W, int i, double block[9]);

#endif
