/* core/distance_map.c: a problem as an affine map over a box, and a point of the box beside any z.
 */
#include "distance.h"

/* ---- the map ---- */

static void fill_bounds(const perp_problem *p, int n, double *lo, double *hi)
{
    for (int i = 0; i < n; i++) perp_map_own_bounds(p, i, lo + i, hi + i);
}

perp_status perp_distance_affine(const perp_problem *p, perp_arena *a, perp_distance_map *map,
                                 perp_error *e)
{
    const perp_map *F = perp_kind_map(p);
    size_t n = (size_t)F->n;
    if (F->eval) {
        return perp_refuse(e, PERP_UNCERTIFIED,
                           "F is a callback, of which nothing is known but at z");
    }
    for (int i = 0; i < F->n; i++) {
        if (!perp_map_follows(p, i)) continue;
        return perp_refuse(e, PERP_UNCERTIFIED,
                           "the bounds of unknown %d follow another, and solutions may be many", i);
    }
    double *lo = perp_alloc_unset(a, n, sizeof *lo), *hi = perp_alloc_unset(a, n, sizeof *hi);
    if (a->failed) return PERP_E_MEMORY;
    fill_bounds(p, F->n, lo, hi);
    *map = (perp_distance_map){.n = F->n, .M = F->M, .q = F->q, .lo = lo, .hi = hi};
    return PERP_SOLVED;
}

/* ---- a point ---- */

/* w = M z + q in pairs. */
static bool find_slack(const perp_distance_map *map, const double *z, perp_arena *a, double *w,
                       double *error)
{
    perp_sums t;
    perp_mark mark = perp_arena_mark(a);
    bool room = perp_sums_open(&t, a, map->n, w);
    for (int pass = 0; pass < 2 && room; pass++) {
        perp_sums_start(&t, pass ? PERP_SUMS_PAIRS : PERP_SUMS_SIZES);
        perp_sums_add(&t, 0, 1, &map->M, z);
        perp_sums_add_vector(&t, 0, map->n, 1, map->q);
    }
    if (room) perp_sums_bound(&t);
    if (room) memcpy(error, t.error, (size_t)map->n * sizeof *error);
    if (room) perp_arena_release(a, mark);
    return room;
}

/* What the slack has to change by at most, where z is at lo, at hi, at both, or between. */
static double need_of(double z, double w, double error, double lo, double hi)
{
    double below = z > lo ? w + error : 0, above = z < hi ? error - w : 0;
    double most = below > above || isnan(below) ? below : above;
    return most > 0 || isnan(most) ? most * DISTANCE_OUTWARD : 0;
}

bool perp_distance_measure(const perp_distance_map *map, perp_arena *a, perp_distance_point *point)
{
    bool (*slack)(const perp_distance_map *, const double *, perp_arena *, double *, double *) =
        map->slack ? map->slack : find_slack;
    if (!slack(map, point->z, a, point->w, point->error)) return false;
    for (int i = 0; i < map->n; i++) {
        point->d[i] = need_of(point->z[i], point->w[i], point->error[i], map->lo[i], map->hi[i]);
    }
    return true;
}

/* The diagonal where it is positive, 1 elsewhere. */
static void read_units(const perp_distance_map *map, double *unit)
{
    for (int j = 0; j < map->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(&map->M, j, &row, &x);
        unit[j] = 1;
        for (int k = 0; k < count; k++) {
            if ((row ? row[k] : k) == j && x[k] > 0) unit[j] = x[k];
        }
    }
}

bool perp_distance_settle(const perp_distance_map *map, perp_arena *a, perp_distance_point *point)
{
    if (!perp_distance_measure(map, a, point)) return false;
    double *unit = point->d; /* free until the next measure */
    read_units(map, unit);
    for (int i = 0; i < map->n; i++) {
        double step = point->w[i] / unit[i], at = point->z[i];
        if (at - map->lo[i] <= step) point->z[i] = map->lo[i];
        if (map->hi[i] - at <= -step) point->z[i] = map->hi[i];
    }
    return perp_distance_measure(map, a, point);
}

bool perp_distance_point_open(perp_distance_point *point, int n, perp_arena *a)
{
    double **part[] = {&point->z, &point->w, &point->error, &point->d};
    for (int k = 0; k < 4; k++) *part[k] = perp_alloc(a, (size_t)n, sizeof(double));
    return !a->failed;
}

bool perp_distance_start(const perp_distance_map *map, const double *z, perp_arena *a,
                         perp_distance_point *point)
{
    if (!perp_distance_point_open(point, map->n, a)) return false;
    for (int i = 0; i < map->n; i++) point->z[i] = box_project(z[i], map->lo[i], map->hi[i]);
    return perp_distance_settle(map, a, point);
}
