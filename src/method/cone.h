/* method/cone.h: projection on the Coulomb cone K = {|x_t| <= mu x_n}, mu >= 0, x = (n, t1, t2).
 *
 * Closed form: 0 in the polar cone {mu |x_t| <= -x_n}, x itself in K, else the nearest point of the
 * ray (1, mu x_t / |x_t|). mu = 0 (a half-line), mu near the largest number, a zero tangent and
 * squares that overflow or vanish are all right; a NaN comes out as one. */
#ifndef PERP_METHOD_CONE_H
#define PERP_METHOD_CONE_H

#include "base/clones.h"

#include <math.h>
#include <stdbool.h>

/* |(x, y)|; hypot, which is slow, only where squares overflow or vanish. */
PERP_INLINED double perp_cone_length(double x, double y)
{
    double sum = x * x + y * y;
    if (sum > 1e-280 && sum < 1e280) return sqrt(sum);
    return x == 0 && y == 0 ? 0 : hypot(x, y);
}

/* Of the angle between K's axis and its boundary, (cosine, sine) = (1, mu) / |(1, mu)|. */
PERP_INLINED void perp_cone_angle(double mu, double *cosine, double *sine)
{
    *cosine = 1 / (mu < 1e100 ? sqrt(1 + mu * mu) : mu);
    *sine = mu < 1e100 ? mu * *cosine : 1;
}

/* y = P_K(x), in place if you like. True: x was in K, y = x to the bit. */
PERP_INLINED bool perp_cone_project(double mu, const double x[3], double y[3])
{
    double n = x[0], t1 = x[1], t2 = x[2], t = perp_cone_length(t1, t2);
    if (mu * t <= -n) {
        y[0] = y[1] = y[2] = 0;
        return n == 0 && t == 0;
    }
    if (t <= mu * n) {
        y[0] = n;
        y[1] = t1;
        y[2] = t2;
        return true;
    }
    double cosine, sine;
    perp_cone_angle(mu, &cosine, &sine);
    double along = cosine * n + sine * t;
    y[0] = along * cosine;
    y[1] = along * sine * (t1 / t);
    y[2] = along * sine * (t2 / t);
    return false;
}

/* |r_t - v_t| - |r_t|, of which `sum` is the sum: v_t'(v_t - 2 r_t) / sum. */
PERP_INLINED double perp_cone_turn(const double r[3], const double v[3], double sum)
{
    double a = v[1] - 2 * r[1], b = v[2] - 2 * r[2], product = v[1] * a + v[2] * b;
    if (!(sum > 0)) return 0;
    if (fabs(product) > 1e-250 && fabs(product) < 1e280) return product / sum;
    return v[1] * (a / sum) + v[2] * (b / sum); /* the products overflow or vanish */
}

/* r - P_K(r - v), with the cosine and sine of K, and `excess` = |r_t| - mu r_n. Where x = r - v is
 * outside K and its polar cone, x - P_K(x) = d (-sine, cosine x_t / |x_t|), with d = cosine |x_t| -
 * sine x_n the distance from K, so the map is v + d (...). d is summed from r's own distance and
 * v's part: a large r does not round a small v away. */
PERP_INLINED void perp_cone_natural_at(double mu, double cosine, double sine, double excess,
                                       const double r[3], const double v[3], double map[3])
{
    double x[3] = {r[0] - v[0], r[1] - v[1], r[2] - v[2]};
    double s = perp_cone_length(x[1], x[2]), t = perp_cone_length(r[1], r[2]);
    if (mu * s <= -x[0]) { /* P_K(x) = 0 */
        for (int i = 0; i < 3; i++) map[i] = r[i];
        return;
    }
    double turn = perp_cone_turn(r, v, s + t);
    double d = cosine * (excess + turn + mu * v[0]);
    if (mu > 1e100) d = cosine * (t + turn) - sine * x[0]; /* mu r may overflow */
    if (!(d > 0) || s == 0) d = 0;                         /* in K */
    map[0] = v[0] - d * sine;
    map[1] = v[1] + (d > 0 ? d * cosine * (x[1] / s) : 0);
    map[2] = v[2] + (d > 0 ? d * cosine * (x[2] / s) : 0);
}

PERP_INLINED void perp_cone_natural_by(double mu, double cosine, double sine, const double r[3],
                                       const double v[3], double map[3])
{
    double excess = perp_cone_length(r[1], r[2]) - mu * r[0];
    perp_cone_natural_at(mu, cosine, sine, excess, r, v, map);
}

PERP_INLINED void perp_cone_natural(double mu, const double r[3], const double v[3], double map[3])
{
    double cosine, sine;
    perp_cone_angle(mu, &cosine, &sine);
    perp_cone_natural_by(mu, cosine, sine, r, v, map);
}

#endif
