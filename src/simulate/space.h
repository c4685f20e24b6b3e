/* simulate/space.h: products of vectors in space. */
#ifndef PERP_SPACE_H
#define PERP_SPACE_H

static inline double space_dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline void space_cross(const double *x, const double *y, double *out)
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = x[j] * y[k] - x[k] * y[j];
    }
}

#endif
