/* core/distance_newton.c: a better point of the box than the one beside z.
 *
 * Every point of the box will do for a bound, |z - z*| <= |z - z0| + |z0 - z*|, and where z0 is
 * much nearer to the solution than z the bound is hardly more than |z - z0|: the theorems' factors,
 * which grow with the condition of M, apply to what is left alone. A few steps of Newton's method
 * on the minimum map, each a factorisation of the unknowns that are not held at bounds: dense up to
 * PERP_DISTANCE_DENSE unknowns, sparse where the arena may grow. Nothing here needs to be exact. */
#include "distance.h"
#include "linalg/principal_submatrix.h"

#define STEPS 4   /* they converge quadratically: from 1e-2 to rounding */
#define WORTH 0.5 /* of |d|: a step that leaves more is the last */

typedef struct newton {
    const perp_distance_map *map;
    perp_arena *arena;
    perp_matrix M;
    perp_principal system;
    int k, *set;
    double *step;
    perp_distance_point next;
} newton;

/* Between bounds, or at one with a slack that points away from it. */
static void list_loose(newton *t, const perp_distance_point *point)
{
    t->k = 0;
    for (int i = 0; i < t->map->n; i++) {
        double z = point->z[i], lo = t->map->lo[i], hi = t->map->hi[i];
        bool between = lo < z && z < hi;
        bool away = lo < hi && ((z == lo && point->w[i] < 0) || (z == hi && point->w[i] > 0));
        if (between || away) t->set[t->k++] = i;
    }
}

/* t->next from the point; PERP_STALLED: the matrix is singular. */
static perp_status take_step(newton *t, const perp_distance_point *point)
{
    const perp_distance_map *map = t->map;
    list_loose(t, point);
    perp_status status = perp_principal_factor(&t->system, t->k, t->set, 0);
    if (status) return status;
    for (int c = 0; c < t->k; c++) t->step[c] = point->w[t->set[c]];
    if (!perp_principal_solve(&t->system, t->step)) return PERP_STALLED;
    memcpy(t->next.z, point->z, (size_t)map->n * sizeof *point->z);
    for (int c = 0; c < t->k; c++) {
        int i = t->set[c];
        t->next.z[i] = box_project(point->z[i] - t->step[c], map->lo[i], map->hi[i]);
        if (!isfinite(t->next.z[i])) return PERP_STALLED;
    }
    return perp_distance_settle(map, t->arena, &t->next) ? PERP_SOLVED : PERP_E_MEMORY;
}

static perp_status open_newton(newton *t)
{
    size_t n = (size_t)t->map->n;
    bool dense = t->map->M.format == PERP_FORMAT_DENSE;
    if (t->map->M.format == PERP_FORMAT_ABSENT) return PERP_STALLED;
    if (dense && t->map->n > PERP_DISTANCE_DENSE) return PERP_STALLED;
    t->M = t->map->M;
    if (!dense && perp_lift_csc(&t->map->M, t->arena, &t->M, NULL)) return PERP_E_MEMORY;
    t->set = perp_alloc(t->arena, n, sizeof *t->set);
    t->step = perp_alloc(t->arena, n, sizeof *t->step);
    if (!perp_distance_point_open(&t->next, t->map->n, t->arena)) return PERP_E_MEMORY;
    bool room = perp_principal_open(&t->system, &t->M, false, t->arena);
    return room && !t->arena->failed ? PERP_SOLVED : PERP_E_MEMORY;
}

static perp_status improve(newton *t, perp_distance_point *point)
{
    int n = t->map->n;
    perp_status status = open_newton(t);
    for (int k = 0; k < STEPS && !status; k++) {
        double before = vector_norm(n, point->d);
        status = before > 0 ? take_step(t, point) : PERP_STALLED;
        if (status) break;
        double after = vector_norm(n, t->next.d);
        if (!(after < before)) break;
        const double *from[] = {t->next.z, t->next.w, t->next.error, t->next.d};
        double *to[] = {point->z, point->w, point->error, point->d};
        for (int s = 0; s < 4; s++) memcpy(to[s], from[s], (size_t)n * sizeof *to[s]);
        if (after > WORTH * before) break;
    }
    return status == PERP_STALLED ? PERP_SOLVED : status;
}

perp_status perp_distance_improve(const perp_distance_map *map, perp_distance_point *point,
                                  perp_arena *a)
{
    newton t = {.map = map, .arena = a};
    perp_mark mark = perp_arena_mark(a);
    perp_status status = improve(&t, point);
    perp_arena_release(a, mark);
    return status;
}
