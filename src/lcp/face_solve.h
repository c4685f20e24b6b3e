/* lcp/face_solve.h: linear solves on a face of the orthant, by sparse factors. */
#ifndef PERP_LCP_FACE_SOLVE_H
#define PERP_LCP_FACE_SOLVE_H

#include "perp/matrix.h"

/* The z with z_i = 0 off the face and (M z + q)_i = 0 on it, where face[i] != 0. M is symmetric and
 * positive definite there, in compressed columns that are sorted and without duplicates. False: M
 * is not definite on the face, M is not in compressed columns, or there is no memory; z is not
 * written then. The arena is as it was. Costs an ordering and a factorisation. */
bool perp_face_solve(perp_arena *a, const perp_matrix *M, const double *q,
                     const unsigned char *face, double *z);

/* Counts what a solve takes, in a run of perp_bytes; M is CSC. */
void perp_face_room(perp_arena *a, const perp_matrix *M);

#endif
