/* method/cone_map.c: the two maps of Newton's method on a cone with groups, and their derivatives.
 * The natural map, and the disc map of Alart and Curnier (1991) with the radius mu z_n of Jean and
 * Moreau (1987), for several groups and for 0 <= s <= mu. O(count^2) each. */
#include "cone_set.h"

#include <math.h>
#include <string.h>

typedef struct derivative {
    int d; /* rows of the block */
    double *F, *by_z, *by_u;
} derivative;

static double *entry(const derivative *o, double *A, int i, int j)
{
    return &A[(size_t)j * (size_t)o->d + (size_t)i];
}

/* z_g - P(z_g - u_g) on the disc of that radius, rows from `at`. `slope` is the radius' derivative
 * by entry 0 of z. */
static void add_disc(const derivative *o, int at, int n, double radius, double slope,
                     const double *z, const double *u)
{
    double *e = o->F + at;
    for (int i = 0; i < n; i++) e[i] = z[at + i] - u[at + i];
    double length = perp_cone_set_length(n, e);
    if (length <= radius) {
        for (int i = 0; i < n; i++) {
            *entry(o, o->by_u, at + i, at + i) = 1;
            e[i] = u[at + i];
        }
        return;
    }
    double bend = radius / length;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double turn = bend * ((i == j) - (e[i] / length) * (e[j] / length));
            *entry(o, o->by_u, at + i, at + j) = turn;
            *entry(o, o->by_z, at + i, at + j) = (i == j) - turn;
        }
    }
    for (int i = 0; i < n; i++) {
        *entry(o, o->by_z, at + i, 0) -= slope * e[i] / length;
        e[i] = z[at + i] - bend * e[i];
    }
}

static void map_discs(const perp_cone_set *t, const perp_cone_block *k, const double *z,
                      const double *u, derivative *o)
{
    double open = u[0];
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        double length = perp_cone_set_length(p->count, u + (p->first - k->first));
        open -= (p->mu - p->s) * length;
    }
    bool closed = open < z[0];
    o->F[0] = closed ? open : z[0];
    *entry(o, closed ? o->by_u : o->by_z, 0, 0) = 1;
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        int at = p->first - k->first;
        double length = perp_cone_set_length(p->count, u + at);
        for (int i = 0; closed && length > 0 && i < p->count; i++) {
            *entry(o, o->by_u, 0, at + i) = -(p->mu - p->s) * u[at + i] / length;
        }
        double radius = z[0] > 0 ? p->mu * z[0] : 0;
        add_disc(o, at, p->count, radius, z[0] > 0 ? p->mu : 0, z, u);
    }
}

/* by_u becomes the derivative of the projection at x = z - v; m = z_n - P(x)_n < z_n. `v` is
 * scratch: x, in the end. */
static void differ_projection(const perp_cone_set *t, const perp_cone_block *k, double normal,
                              double *v, derivative *o)
{
    double slope = 1;
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        int at = p->first - k->first;
        double length = perp_cone_set_length(p->count, v + at);
        if (length > p->mu * normal) slope += p->mu * p->mu;
    }
    *entry(o, o->by_u, 0, 0) = 1 / slope;
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->group[g];
        int at = p->first - k->first;
        double length = perp_cone_set_length(p->count, v + at);
        if (!(length > p->mu * normal)) {
            for (int i = at; i < at + p->count; i++) *entry(o, o->by_u, i, i) = 1;
            for (int i = at; i < at + p->count; i++) v[i] = 0; /* no part of dt */
            continue;
        }
        for (int j = at; j < at + p->count; j++) {
            for (int i = at; i < at + p->count; i++) {
                *entry(o, o->by_u, i, j) =
                    p->mu * normal / length * ((i == j) - (v[i] / length) * (v[j] / length));
            }
        }
        for (int i = at; i < at + p->count; i++) v[i] *= p->mu / length;
    }
    for (int j = 0; j < o->d; j++) {
        double dt = j ? v[j] / slope : 1 / slope;
        for (int i = 0; i < o->d; i++) {
            if (i == 0)
                *entry(o, o->by_u, 0, j) = dt;
            else
                *entry(o, o->by_u, i, j) += v[i] * dt;
        }
    }
}

static void map_cone(const perp_cone_set *t, int b, const double *z, const double *u, double *v,
                     derivative *o)
{
    const perp_cone_block *k = &t->block[b];
    perp_cone_set_law(t, b, u, v);
    perp_cone_set_natural(t, b, z, v, o->F);
    double normal = z[0] - o->F[0];
    if (normal > 0) {
        for (int i = 0; i < o->d; i++) v[i] = z[i] - v[i];
        differ_projection(t, k, normal, v, o);
    }
    for (int j = 0; j < o->d; j++) {
        for (int i = 0; i < o->d; i++) {
            *entry(o, o->by_z, i, j) = (i == j) - *entry(o, o->by_u, i, j);
        }
    }
    for (int g = k->group; g < k->group + k->groups; g++) { /* dv = du + n sum s_g e_g'du_g */
        const perp_cone_group *p = &t->group[g];
        int at = p->first - k->first;
        double length = perp_cone_set_length(p->count, u + at);
        if (!(length > 0)) continue;
        for (int j = at; j < at + p->count; j++) {
            double part = p->s * u[j] / length;
            for (int i = 0; i < o->d; i++) {
                *entry(o, o->by_u, i, j) += part * *entry(o, o->by_u, i, 0);
            }
        }
    }
}

static void map_box(const perp_cone_block *k, const double *z, const double *u, derivative *o)
{
    double low = z[0] - k->hi, high = z[0] - k->lo;
    bool inside = u[0] >= low && u[0] <= high;
    o->F[0] = inside ? u[0] : u[0] < low ? low : high;
    o->by_u[0] = inside;
    o->by_z[0] = !inside;
}

void perp_cone_set_map(const perp_cone_set *t, int b, perp_cone_map map, const double *z,
                       const double *u, double *scratch, double *F, double *by_z, double *by_u)
{
    const perp_cone_block *k = &t->block[b];
    size_t bytes = (size_t)k->count * (size_t)k->count * sizeof *by_z;
    derivative o = {k->count, F, by_z, by_u};
    memset(by_z, 0, bytes);
    memset(by_u, 0, bytes);
    if (k->type == PERP_CONE_BOX)
        map_box(k, z, u, &o);
    else if (k->type == PERP_CONE_BALL)
        add_disc(&o, 0, k->count, k->hi, 0, z, u);
    else if (map == PERP_CONE_DISC)
        map_discs(t, k, z, u, &o);
    else
        map_cone(t, b, z, u, scratch, &o);
}
