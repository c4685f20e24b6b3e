/* kernel/face.h: linear solves on a face of the orthant, by sparse Cholesky. */
#ifndef PERP_FACE_H
#define PERP_FACE_H

#include "perp/matrix.h"

/* The z with z_i = 0 off the face and (M z + q)_i = 0 on it, where face[i] != 0. M is symmetric and
 * positive definite there, in compressed columns that are sorted and without duplicates. False: M
 * is not definite on the face, the arena is fixed, or there is no memory; the arena is as it was
 * but for what it caches. Costs a factorisation, and an analysis for a face not seen lately. */
bool perp_face_solve(perp_arena *a, const perp_matrix *M, const double *q,
                     const unsigned char *face, double *z);

#endif
