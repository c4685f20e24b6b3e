/* method/velocity.h: the matrix J M^-1 J' of bodies left in factors: rows of J with at most two
 * bodies each, and the inverse mass of each body. */
#ifndef PERP_METHOD_VELOCITY_H
#define PERP_METHOD_VELOCITY_H

#include "perp/matrix.h"

/* Body b is linear part, then angular part, 6 numbers; its M^-1 is 10: 1/mass, then the inverse
 * inertia, 3x3. */
typedef struct velocity_factors {
    int rows, bodies;
    const int *body;       /* 2 a row, different; -1: none, and its half of J is 0 */
    const double *J;       /* 12 a row, 6 for each of its bodies */
    const double *inverse; /* 10 a body */
    const int *start, *at; /* rows of body b: at[start[b] .. start[b + 1] - 1], 2 row + side */
} velocity_factors;

/* start, length bodies + 1, and at, of the entries >= 0 in body, length at most 2 rows. */
void perp_velocity_index(int rows, int bodies, const int *body, int *start, int *at);

/* J M^-1 J', symmetric, as an operator, which reads A as long as it is used. Its products need no
 * memory: any number of threads may call them. */
perp_matrix perp_velocity_matrix(const velocity_factors *A);
/* The factors of a matrix that perp_velocity_matrix made; NULL: it is another one. */
const velocity_factors *perp_velocity_factors(const perp_matrix *M);

/* M_b^-1 f. */
static inline void velocity_of(const double inverse[10], const double f[6], double v[6])
{
    const double *I = inverse + 1;
    for (int i = 0; i < 3; i++) {
        v[i] = inverse[0] * f[i];
        v[3 + i] = I[i] * f[3] + I[3 + i] * f[4] + I[6 + i] * f[5];
    }
}

static inline double velocity_along(const double J[6], const double v[6])
{
    return (J[0] * v[0] + J[1] * v[1] + J[2] * v[2]) + (J[3] * v[3] + J[4] * v[4] + J[5] * v[5]);
}

#endif
