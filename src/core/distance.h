/* core/distance.h: proved distances from z to a solution of lo <= z <= hi _|_ M z + q.
 *
 * Let z0 be a point of the box, and d what its slack w = M z0 + q has to be changed by so that z0
 * solves the problem with q + d: 0 where the sign of w is right for the bound that z0 is at, -w
 * between the bounds. Then, with e = z0 - z* for any solution z*, e_i (M e + d)_i <= 0 for every i.
 *
 * H-matrix: M has a positive diagonal, and the comparison matrix <M> (|M_ii| on the diagonal,
 *     -|M_ij| beside it) an inverse that is nowhere negative: |e| <= <M>^-1 |d|, entry by entry.
 *     That is so where <M>v > 0 for some v > 0; then |e| <= v max |d_i| / (<M>v)_i. Alefeld and
 *     Schaefer, "Iterative methods for linear complementarity problems with interval data" (2003).
 * Positive definite: e'M e <= -e'd, and so |e| <= |d| / (the smallest eigenvalue of (M + M')/2).
 * Full rank: M = A'A, and |A e|^2 <= -e'd with the smallest singular value of A (distance_rank.c).
 * Krawczyk: with the bounds that z0 is at held fast the rest is a linear system, whose solution is
 *     enclosed by an approximate inverse (Rump, "Verification methods", 2010, section 10). Where it
 *     is strictly between its bounds and all slacks at bounds have strictly the right sign, it is a
 *     solution, and no other is near; solutions of a monotone map being a convex set, no other is
 *     anywhere then.
 *
 * The first three prove that there is one solution alone. All roundings are counted, outwards. */
#ifndef PERP_CORE_DISTANCE_H
#define PERP_CORE_DISTANCE_H

#include "kinds.h"

/* Unknowns of a matrix that is factored as a dense one, at most: 2 matrices of 32 MB, about a
 * second (perp certify --distance on perp generate pd -n 2000). */
#define PERP_DISTANCE_DENSE 2000

typedef struct perp_distance_map {
    int n;
    perp_matrix M;             /* dense, or CSC without duplicates */
    double relative;           /* |M_ij - exact| <= relative root_i root_j; 0: M is exact */
    const double *root;        /* NULL where M is exact */
    const perp_matrix *factor; /* A where M is A'A, else NULL */
    const double *q;           /* not read by a slack() of its own */
    const double *lo, *hi;
    bool monotone; /* known without looking */
    /* w and a bound of its error at z, in pairs of numbers. False: no memory. NULL: M z + q. */
    bool (*slack)(const struct perp_distance_map *map, const double *z, perp_arena *a, double *w,
                  double *error);
    const void *data;
} perp_distance_map;

/* A point of the box, and what is proved about it. */
typedef struct perp_distance_point {
    double *z;         /* z0 */
    double *w, *error; /* its slack, to within error */
    double *d;         /* |d|, at most */
} perp_distance_point;

/* False: no memory. (distance_map.c) */
bool perp_distance_point_open(perp_distance_point *point, int n, perp_arena *a);
/* w, error and d at point->z. */
bool perp_distance_measure(const perp_distance_map *map, perp_arena *a, perp_distance_point *point);
/* The same, after z went to the bounds that z - w/M_ii is beyond. */
bool perp_distance_settle(const perp_distance_map *map, perp_arena *a, perp_distance_point *point);
/* The point beside any z, opened and settled. */
bool perp_distance_start(const perp_distance_map *map, const double *z, perp_arena *a,
                         perp_distance_point *point);
/* A point nearer to the solution, where Newton's method finds one (distance_newton.c).
 * PERP_E_MEMORY, or PERP_SOLVED. */
perp_status perp_distance_improve(const perp_distance_map *map, perp_distance_point *point,
                                  perp_arena *a);

/* The methods. PERP_SOLVED: bound[i] >= |point->z_i - z*_i|. PERP_UNCERTIFIED: nothing is proved,
 * and e says why. PERP_E_MEMORY. All give back what they took of the arena. */
perp_status perp_distance_comparison(const perp_distance_map *map, const perp_distance_point *point,
                                     perp_arena *a, double *bound, perp_error *e);
/* *norm >= |point->z - z*|_2 too. *monotone: proved, also where unknowns on whose symmetric part
 * nothing depends leave no eigenvalue above 0, as the multipliers of a qp do. */
perp_status perp_distance_definite(const perp_distance_map *map, const perp_distance_point *point,
                                   perp_arena *a, double *bound, double *norm, bool *monotone,
                                   perp_error *e);
/* The same from A where M is A'A, at a condition of A at which A'A is singular to rounding. */
perp_status perp_distance_rank(const perp_distance_map *map, const perp_distance_point *point,
                               perp_arena *a, double *bound, double *norm, perp_error *e);
/* Moves the point to the middle of what is enclosed. `most`: unknowns between bounds. */
perp_status perp_distance_krawczyk(const perp_distance_map *map, perp_distance_point *point,
                                   int most, perp_arena *a, double *bound, perp_error *e);

enum {
    PERP_DISTANCE_COMPARISON = 1,
    PERP_DISTANCE_DEFINITE = 2,
    PERP_DISTANCE_KRAWCZYK = 4,
    PERP_DISTANCE_IMPROVE = 8, /* begin at a better point than the one beside z */
    PERP_DISTANCE_ALL = 15
};

/* perp_distance by some of the methods alone. */
perp_status perp_distance_by(const perp_problem *p, const double *z, unsigned methods,
                             perp_arena *a, perp_distance_report *out);

/* The box map of an nnls: M = A'A (distance_nnls.c), the kind's hook. */
perp_status perp_distance_nnls(const perp_problem *p, perp_arena *a, perp_distance_map *map,
                               perp_error *e);
/* Of an ncp or mcp that is affine and has bounds of its own. (distance_map.c) */
perp_status perp_distance_affine(const perp_problem *p, perp_arena *a, perp_distance_map *map,
                                 perp_error *e);

/* ---- for the methods ---- */

#define DISTANCE_UNIT (DBL_EPSILON / 2)
#define DISTANCE_OUTWARD (1 + 16 * DBL_EPSILON) /* for the few roundings of a bound itself */

/* k u / (1 - k u) and a little more: a sum of k terms, or k - 1 products of rounded factors, in
 * any order, with or without fused multiplications. */
static inline double distance_gamma(double count)
{
    double g = (count + 4) * DISTANCE_UNIT;
    return g < 0.25 ? g / (1 - g) * DISTANCE_OUTWARD : INFINITY;
}

/* The entries of column j; *row is NULL where entry k is in row k. */
static inline int distance_column(const perp_matrix *M, int j, const int **row, const double **x)
{
    *row = NULL;
    *x = NULL;
    if (M->format == PERP_FORMAT_DENSE) {
        *x = M->as.dense.x + (size_t)j * (size_t)M->as.dense.ld;
        return M->m;
    }
    if (M->format != PERP_FORMAT_CSC) return 0; /* absent: a matrix of zeros */
    *row = M->as.csc.i + M->as.csc.p[j];
    *x = M->as.csc.x + M->as.csc.p[j];
    return M->as.csc.p[j + 1] - M->as.csc.p[j];
}

/* An unknown with one value has no error, and its row and column are of no account. */
static inline bool distance_is_fixed(const perp_distance_map *map, int i)
{
    return map->lo[i] == map->hi[i];
}

/* |x|_2, at least. */
static inline double distance_norm(int n, const double *x)
{
    return vector_norm(n, x) * (1 + (n + 16.0) * DBL_EPSILON) + DBL_MIN;
}

#endif
