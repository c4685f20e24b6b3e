/* fc3d/lorentz.h: the Lorentz cone L = {x_0 >= |(x_1, x_2)|} for interior points: its algebra,
 * Nesterov-Todd scaling, and the way to the boundary.
 *
 * x o y = (x.y, x_0 y_1 + y_0 x_1, x_0 y_2 + y_0 x_2). The scaling P of two interior points x, z is
 * symmetric with P x = P^-1 z. */
#ifndef PERP_FC3D_LORENTZ_H
#define PERP_FC3D_LORENTZ_H

#include <float.h>
#include <math.h>

/* x_0^2 - |x_1|^2, as a product: it keeps its digits near the boundary. */
static inline double lorentz_det(const double x[3])
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

typedef struct lorentz_scaling {
    double root; /* P = root [w_0, w_1'; w_1, I + w_1 w_1' / (1 + w_0)], det w = 1 */
    double w[3];
} lorentz_scaling;

/* False: x or z is not inside. */
static inline int lorentz_scale(const double x[3], const double z[3], lorentz_scaling *s)
{
    double dx = lorentz_det(x), dz = lorentz_det(z);
    if (!(dx > 0) || !(dz > 0) || !(x[0] > 0) || !(z[0] > 0)) return 0;
    double a = 1 / sqrt(dx), b = 1 / sqrt(dz);
    double dot = a * b * (x[0] * z[0] + x[1] * z[1] + x[2] * z[2]);
    double g = 2 * sqrt((1 + (dot > 1 ? dot : 1)) / 2);
    s->w[1] = (b * z[1] - a * x[1]) / g;
    s->w[2] = (b * z[2] - a * x[2]) / g;
    s->w[0] = sqrt(1 + s->w[1] * s->w[1] + s->w[2] * s->w[2]);
    s->root = sqrt(sqrt(dz / dx));
    return isfinite(s->root) && isfinite(s->w[0]);
}

/* y = P x, or P^-1 x where `inverse`. */
static inline void lorentz_apply(const lorentz_scaling *s, int inverse, const double x[3],
                                 double y[3])
{
    double sign = inverse ? -1 : 1, scale = inverse ? 1 / s->root : s->root;
    double along = s->w[1] * x[1] + s->w[2] * x[2];
    double part = sign * x[0] + along / (1 + s->w[0]);
    double head = s->w[0] * x[0] + sign * along;
    y[1] = scale * (x[1] + part * s->w[1]);
    y[2] = scale * (x[2] + part * s->w[2]);
    y[0] = scale * head;
}

static inline void lorentz_product(const double x[3], const double y[3], double out[3])
{
    double a = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    double b = x[0] * y[1] + y[0] * x[1], c = x[0] * y[2] + y[0] * x[2];
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

/* y with x o y = v; x is inside. */
static inline void lorentz_divide(const double x[3], const double v[3], double y[3])
{
    double head = (x[0] * v[0] - x[1] * v[1] - x[2] * v[2]) / lorentz_det(x);
    double b = (v[1] - head * x[1]) / x[0], c = (v[2] - head * x[2]) / x[0];
    y[0] = head;
    y[1] = b;
    y[2] = c;
}

/* The largest t <= 1 with x + t d in L; x is inside. With a t^2 + 2 b t + c = det(x + t d), the
 * first positive root, by the formula that does not cancel. */
static inline double lorentz_step(const double x[3], const double d[3])
{
    double a = lorentz_det(d), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = lorentz_det(x);
    double t = 1, root = b * b - a * c;
    if (d[0] < 0 && -x[0] / d[0] < t) t = -x[0] / d[0];
    if (b >= 0 && a >= 0) return t;
    if (root < 0) return t;
    double s = b >= 0 ? -b - sqrt(root) : -b + sqrt(root);
    double one = s != 0 ? c / s : INFINITY, two = a != 0 ? s / a : INFINITY;
    if (one > 0 && one < t) t = one;
    if (two > 0 && two < t) t = two;
    return t;
}

#endif
