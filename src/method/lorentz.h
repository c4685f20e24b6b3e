/* method/lorentz.h: the Lorentz cone L = {x_0 >= |x_t|} of n rows, n >= 1, for interior points: its
 * algebra, Nesterov-Todd scaling, and the way to the boundary. n = 1 is the half-line.
 *
 * x o y = (x.y, x_0 y_t + y_0 x_t). The scaling P of two interior points x, z is symmetric with
 * P x = P^-1 z:
 *     P = root [w_0, w_t'; w_t, I + w_t w_t' / (1 + w_0)],   w_0^2 - |w_t|^2 = 1,
 * and P^2 = root^2 (2 w w' - J), J = diag(1, -1, ..., -1). */
#ifndef PERP_METHOD_LORENTZ_H
#define PERP_METHOD_LORENTZ_H

#include <float.h>
#include <math.h>

/* |x_t|^2 */
static inline double lorentz_tail(int n, const double *x)
{
    double sum = 0;
    for (int i = 1; i < n; i++) sum += x[i] * x[i];
    return sum;
}

/* x_t.y_t */
static inline double lorentz_along(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 1; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* x_0^2 - |x_t|^2, as a product: it keeps its digits near the boundary. */
static inline double lorentz_det(int n, const double *x)
{
    double t = sqrt(lorentz_tail(n, x));
    return (x[0] - t) * (x[0] + t);
}

/* False: x or z is not inside. */
static inline int lorentz_scale(int n, const double *x, const double *z, double *root, double *w)
{
    double dx = lorentz_det(n, x), dz = lorentz_det(n, z);
    if (!(dx > 0) || !(dz > 0) || !(x[0] > 0) || !(z[0] > 0)) return 0;
    double a = 1 / sqrt(dx), b = 1 / sqrt(dz), sum = x[0] * z[0];
    for (int i = 1; i < n; i++) sum += x[i] * z[i];
    double dot = a * b * sum;
    double g = 2 * sqrt((1 + (dot > 1 ? dot : 1)) / 2), square = 1;
    for (int i = 1; i < n; i++) {
        w[i] = (b * z[i] - a * x[i]) / g;
        square += w[i] * w[i];
    }
    w[0] = sqrt(square);
    *root = sqrt(sqrt(dz / dx));
    return isfinite(*root) && isfinite(w[0]);
}

/* y = P x, or P^-1 x where `inverse`; may be the same array. */
static inline void lorentz_apply(int n, double root, const double *w, int inverse, const double *x,
                                 double *y)
{
    double sign = inverse ? -1 : 1, scale = inverse ? 1 / root : root;
    double along = lorentz_along(n, w, x);
    double part = sign * x[0] + along / (1 + w[0]);
    double head = w[0] * x[0] + sign * along;
    for (int i = 1; i < n; i++) y[i] = scale * (x[i] + part * w[i]);
    y[0] = scale * head;
}

/* May write over x or y. */
static inline void lorentz_product(int n, const double *x, const double *y, double *out)
{
    double a = x[0], b = y[0], head = a * b;
    for (int i = 1; i < n; i++) head += x[i] * y[i];
    for (int i = 1; i < n; i++) out[i] = a * y[i] + b * x[i];
    out[0] = head;
}

/* y with x o y = v; x is inside; y may be v. */
static inline void lorentz_divide(int n, const double *x, const double *v, double *y)
{
    double head = x[0] * v[0];
    for (int i = 1; i < n; i++) head -= x[i] * v[i];
    head /= lorentz_det(n, x);
    for (int i = 1; i < n; i++) y[i] = (v[i] - head * x[i]) / x[0];
    y[0] = head;
}

/* The largest t <= most with x + t d in L; x is inside. With a t^2 + 2 b t + c = det(x + t d), the
 * first positive root, by the formula that does not cancel. */
static inline double lorentz_step(int n, const double *x, const double *d, double most)
{
    double a = lorentz_det(n, d), b = x[0] * d[0], c = lorentz_det(n, x);
    for (int i = 1; i < n; i++) b -= x[i] * d[i];
    double t = most, root = b * b - a * c;
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
