/* tests/support/distance_support.h: maps over boxes, and what a method proves about them. */
#ifndef PERP_DISTANCE_SUPPORT_H
#define PERP_DISTANCE_SUPPORT_H

#include "core/distance.h"
#include "support.h"

#define DISTANCE_MOST 600

/* lo <= z <= hi; NULL: z >= 0. Lives until the next call. */
static inline perp_distance_map distance_lcp(perp_matrix M, const double *q)
{
    static double zero[DISTANCE_MOST], infinite[DISTANCE_MOST];
    for (int i = 0; i < DISTANCE_MOST; i++) infinite[i] = INFINITY;
    ck_assert_int_le(M.n, DISTANCE_MOST);
    return (perp_distance_map){.n = M.n, .M = M, .q = q, .lo = zero, .hi = infinite};
}

typedef enum distance_method {
    DISTANCE_BY_COMPARISON,
    DISTANCE_BY_DEFINITE,
    DISTANCE_BY_KRAWCZYK
} distance_method;

/* One method around the point beside z; in bound[0 .. n) the bound from z itself. */
static inline perp_status distance_by(distance_method by, const perp_distance_map *map,
                                      const double *z, double *bound, perp_error *e)
{
    perp_arena a = {0};
    perp_distance_point point;
    double norm;
    bool monotone;
    ck_assert(perp_distance_start(map, z, &a, &point));
    size_t used = a.used;
    perp_status s = by == DISTANCE_BY_COMPARISON
                        ? perp_distance_comparison(map, &point, &a, bound, e)
                    : by == DISTANCE_BY_DEFINITE
                        ? perp_distance_definite(map, &point, &a, bound, &norm, &monotone, e)
                        : perp_distance_krawczyk(map, &point, DISTANCE_MOST, &a, bound, e);
    ck_assert_uint_eq(a.used, used);
    for (int i = 0; i < map->n && s == PERP_SOLVED; i++) bound[i] += fabs(z[i] - point.z[i]);
    perp_arena_free(&a);
    return s;
}

/* Tridiagonal -1, 2, -1 of n unknowns in compressed columns; weakly dominant. */
static inline perp_matrix distance_chain(int n, int *p, int *row, double *x)
{
    int next = 0;
    for (int j = 0; j < n; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) {
            row[next] = i;
            x[next++] = i == j ? 2 : -1;
        }
        p[j + 1] = next;
    }
    return perp_csc(n, n, p, row, x);
}

/* What pairs of numbers lose: 1 + 2^-60 + 2^-120 - 2^-60 - 1 is 0 to them, and is 2^-120. */
#define DISTANCE_LOST 0x1p-120
static const double distance_lossy[] = {1, 0x1p-60, DISTANCE_LOST, -0x1p-60}; /* a row, b = 1 */

#endif
