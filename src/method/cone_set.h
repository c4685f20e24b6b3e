/* method/cone_set.h: products of cones with groups, balls, boxes and free rows (perp_cone of
 * problem.h), one block after the other.
 *
 * A block's vectors are local: the normal first, then its groups one after the other. On a cone
 * x = z - v has the projection (t, y_g) with t the root of t - x_n = sum_g mu_g (|x_g| - mu_g t)+,
 * y_g = x_g, or mu_g t x_g / |x_g| where that is shorter. With m = z_n - t and
 *     c_g = |x_g| - mu_g z_n = (|z_g| - mu_g z_n) + (|x_g| - |z_g|)
 * m is the root of m - v_n + sum_g mu_g (c_g + mu_g m)+ and z - y = (m, v_g + (c_g + mu_g m)+ x_g /
 * |x_g|), or z where m >= z_n: no difference of large numbers, whatever z is. */
#ifndef PERP_METHOD_CONE_SET_H
#define PERP_METHOD_CONE_SET_H

#include "perp/problem.h"

#include <math.h>

typedef enum perp_cone_type { PERP_CONE_BOX, PERP_CONE_BALL, PERP_CONE_GROUPS } perp_cone_type;

typedef struct perp_cone_group {
    int first, count; /* entries of perp_cone_set.row */
    double mu, s;
} perp_cone_group;

typedef struct perp_cone_block {
    perp_cone_type type;
    int first, count;  /* entries of perp_cone_set.row */
    int group, groups; /* of a cone */
    double lo, hi;     /* of a box; hi is the radius of a ball */
} perp_cone_block;

typedef struct perp_cone_set {
    int n, blocks, largest; /* rows; blocks; rows of the largest block */
    perp_cone_block *block;
    perp_cone_group *group;
    int *row; /* the rows of the blocks, in their order */
} perp_cone_set;

/* From validated data, in the arena. False: no memory. */
bool perp_cone_set_open(perp_cone_set *t, perp_arena *a, const perp_cone *c);

/* Entries of block b of x to local, and back. */
static inline void perp_cone_set_gather(const perp_cone_set *t, int b, const double *x,
                                        double *local)
{
    const int *row = t->row + t->block[b].first;
    for (int i = 0; i < t->block[b].count; i++) local[i] = x[row[i]];
}

static inline void perp_cone_set_scatter(const perp_cone_set *t, int b, const double *local,
                                         double *x)
{
    const int *row = t->row + t->block[b].first;
    for (int i = 0; i < t->block[b].count; i++) x[row[i]] = local[i];
}

/* |x|, n numbers, without overflow: of any n, and at once for a group of friction. */
double perp_cone_set_norm(int n, const double *x);
static inline double perp_cone_set_length(int n, const double *x)
{
    if (n != 2) return perp_cone_set_norm(n, x);
    double sum = x[0] * x[0] + x[1] * x[1];
    if ((sum > 1e-280 && sum < 1e280) || (x[0] == 0 && x[1] == 0)) return sqrt(sum);
    return perp_cone_set_norm(n, x);
}

/* |z| - mu zn, from squares in pairs where plain numbers would lose digits. */
double perp_cone_set_excess(int n, const double *z, double mu, double zn);

/* v = u + (sum_g s_g |u_g|) n of a cone, v = u of other blocks; may be the same array. */
void perp_cone_set_law(const perp_cone_set *t, int b, const double *u, double *v);
/* z - P(z - v). */
void perp_cone_set_natural(const perp_cone_set *t, int b, const double *z, const double *v,
                           double *map);
/* P(x), in place. */
void perp_cone_set_project(const perp_cone_set *t, int b, double *x);

/* The two maps of Newton's method, both zero at the solutions. NATURAL is z - P(z - v); DISC is
 * min(z_n, u_n - sum_g (mu_g - s_g) |u_g|) and z_g - P(z_g - u_g) on the disc of radius mu_g z_n.
 * Of other blocks both are the natural map. */
typedef enum perp_cone_map { PERP_CONE_DISC, PERP_CONE_NATURAL } perp_cone_map;

/* F and its derivatives by z and by u, count x count each, column-major (cone_map.c). `scratch` has
 * count numbers. On kinks either side is taken. */
void perp_cone_set_map(const perp_cone_set *t, int b, perp_cone_map map, const double *z,
                       const double *u, double *scratch, double *F, double *by_z, double *by_u);

#endif
