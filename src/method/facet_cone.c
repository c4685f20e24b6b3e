/* method/facet_cone.c: projection on a regular pyramid, by its symmetry.
 *
 * A projection on a convex set that reflections leave as it is stays between their mirrors. So the
 * point is turned and reflected to where it lies between an edge of the pyramid and the middle of
 * the side next to it; there it belongs to the pyramid, to that side, to that edge or to the apex.
 * As in method/cone.h the part of x = r - v that the projection takes away is found from r and v,
 * one by one: a large r does not round a small v away. Some 50 ns. */
#include "facet_cone.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The edge next to the direction (x, y): its own direction. */
static void nearest_edge(const perp_facet_cone *k, double x, double y, double d[2])
{
    double turn = 2 * PI / k->facets;
    double edge = x == 0 && y == 0 ? 0 : rint((atan2(y, x) - k->angle) / turn);
    d[0] = cos(k->angle + turn * edge);
    d[1] = sin(k->angle + turn * edge);
}

/* Normal part, along the edge, across it. */
static void fold(const double d[2], double side, const double x[3], double y[3])
{
    y[0] = x[0];
    y[1] = x[1] * d[0] + x[2] * d[1];
    y[2] = side * (x[2] * d[0] - x[1] * d[1]);
}

/* x - P_K(x) of x = r - v, all folded; y[2] of x is not negative. */
static void take_away(const perp_facet_cone *k, const double r[3], const double v[3],
                      double away[3])
{
    double half = PI / k->facets, c[2] = {cos(half), sin(half)};
    double x[3] = {r[0] - v[0], r[1] - v[1], r[2] - v[2]};
    if (x[0] + k->mu * x[1] <= 0) { /* polar to the edge: the apex is nearest */
        for (int i = 0; i < 3; i++) away[i] = x[i];
        return;
    }
    double slope = k->mu * c[0], cosine = 1 / hypot(1, slope), sine = slope * cosine;
    double from_r = cosine * (c[0] * r[1] + c[1] * r[2]) - sine * r[0];
    double from_v = cosine * (c[0] * v[1] + c[1] * v[2]) - sine * v[0];
    double d = from_r - from_v; /* the distance from the side's plane */
    away[0] = away[1] = away[2] = 0;
    if (!(d > 0)) return;
    double on_side[3] = {x[0] + d * sine, 0, x[2] - d * cosine * c[1]};
    if (on_side[0] >= 0 && on_side[2] >= 0) {
        away[0] = -d * sine;
        away[1] = d * cosine * c[0];
        away[2] = d * cosine * c[1];
        return;
    }
    cosine = 1 / hypot(1, k->mu);
    sine = k->mu * cosine;
    d = (cosine * r[1] - sine * r[0]) - (cosine * v[1] - sine * v[0]);
    away[0] = -d * sine;
    away[1] = d * cosine;
    away[2] = x[2];
}

void perp_facet_cone_natural(const perp_facet_cone *k, const double r[3], const double u[3],
                             double map[3])
{
    double d[2];
    nearest_edge(k, -u[1], -u[2], d);
    double v[3] = {u[0] - k->mu * (d[0] * u[1] + d[1] * u[2]), u[1], u[2]};
    double x[2] = {r[1] - v[1], r[2] - v[2]}, folded_r[3], folded_v[3], away[3];
    nearest_edge(k, x[0], x[1], d);
    double side = x[1] * d[0] - x[0] * d[1] < 0 ? -1 : 1;
    fold(d, side, r, folded_r);
    fold(d, side, v, folded_v);
    take_away(k, folded_r, folded_v, away);
    map[0] = v[0] + away[0];
    map[1] = v[1] + away[1] * d[0] - side * away[2] * d[1];
    map[2] = v[2] + away[1] * d[1] + side * away[2] * d[0];
}
