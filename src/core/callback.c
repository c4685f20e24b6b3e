/* core/callback.c: the residual of a map that is a callback.
 *
 * A certificate costs a Jacobian and 4 evaluations of F, 3 more where it is not reached. */
#include "callback.h"

#include "base/format.h"
#include "kinds.h"

#define FAR 100.0     /* times its typical size: an unknown that is larger makes F no larger */
#define STEEP 16.0    /* times the change of F_i over moves of t is its size at most */
#define MOVES 3       /* such moves (the literature in other units: tests/random/sweep_units.c), */
#define SHORTER 0.25  /* each of them a part of the one before it, */
#define SHORTEST 1e-5 /* of t, where F is undefined further off */
#define TREMORS 3     /* moves by units in the last place, */
#define LAST_PLACES 4 /* so many of them at most */
#define UNIT (DBL_EPSILON / 2)

perp_callback *perp_callback_open(const perp_problem *p, perp_arena *a)
{
    const perp_map *F = perp_kind_map(p);
    size_t n = (size_t)F->n;
    perp_callback *k = perp_alloc(a, 1, sizeof *k);
    double *room = perp_alloc_unset(a, 5 * n, sizeof *room); /* what is not used has no pages */
    bool ncp = p->kind == PERP_KIND_NCP;
    if (a->failed) return NULL;
    k->lo = ncp ? NULL : p->as.mcp.lo;
    k->hi = ncp ? NULL : p->as.mcp.hi;
    k->move = room;
    k->size = k->move + n;
    k->change = k->size + n;
    k->there = k->change + n;
    k->rounding = k->there + n;
    if (!perp_jacobian_open(&k->map, a, F, k->lo, k->hi)) return NULL;
    if (ncp) k->map.least = 0;
    return k;
}

/* ---- sizes ---- */

void perp_callback_sizes(const perp_map *map, const perp_matrix *J, const double *z,
                         const double *F, double *move, double *size)
{
    int n = map->n;
    perp_mul(J, -1, z, 0, size);
    for (int i = 0; i < n; i++) {
        double typical = kind_typical(map, i);
        size[i] = fabs(size[i] + F[i]);
        move[i] = box_project(fabs(z[i]), typical, FAR * typical);
    }
    perp_format_of(J->format)->add_sizes(J, move, size);
}

/* xorshift64*, uniform in [-1, 1): the same moves every time. */
static double draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-52 - 1;
}

/* From z by `step`, or the other way where there is more room between the bounds. */
static double move_inside(const perp_callback *k, int j, double z, double step)
{
    double lo = kind_bound(k->lo, j, k->map.least), hi = kind_bound(k->hi, j, INFINITY);
    double there = box_project(z + step, lo, hi), other = box_project(z - step, lo, hi);
    const double both[2] = {other, there}; /* no branch: moves are random, and so would it be */
    return both[fabs(there - z) >= fabs(other - z)];
}

/* All unknowns by `part` of t, or down to half of that, either way. */
static void move_far(perp_callback *k, const double *z, double part, uint64_t *state)
{
    for (int j = 0; j < k->map.n; j++) {
        double w = draw(state), step = part * k->move[j] * (w + copysign(1, w)) / 2;
        k->there[j] = move_inside(k, j, z[j], step);
    }
}

/* Where F bends on a shorter scale than t its slopes are no measure of its size. */
static void limit_sizes(perp_callback *k, const double *z, const double *F)
{
    uint64_t state = UINT64_C(88172645463325252);
    int n = k->map.n, moves = 0;
    double longest = 0;
    for (int i = 0; i < n; i++) k->change[i] = 0;
    for (double part = 1; moves < MOVES && part >= SHORTEST; part *= SHORTER) {
        move_far(k, z, part, &state);
        if (!perp_jacobian_map(&k->map, k->there, k->map.F)) continue;
        for (int i = 0; i < n; i++) {
            k->change[i] = perp_worst(k->change[i], fabs(k->map.F[i] - F[i]));
        }
        longest = fmax(longest, part);
        moves++;
    }
    for (int i = 0; i < n; i++) {
        double most = STEEP * k->change[i] / longest;
        if (most > 0 && most < k->size[i]) k->size[i] = most;
    }
}

/* ---- residuals ---- */

double perp_callback_part(const perp_map *map, int i, double z, double F, double size, double lo,
                          double hi)
{
    double theta = fmax(fabs(z), kind_typical(map, i));
    double relative = size > 0 ? F / size : F; /* a size of 0 is that of F = 0 */
    return fabs(box_natural(z, theta * relative, lo, hi)) / theta;
}

static void find_residual(const perp_problem *p, const perp_callback *k, const double *z,
                          const double *F, double *map, perp_residual *r)
{
    double lo, hi;
    *r = (perp_residual){.omega = NAN, .floor = NAN};
    for (int i = 0; i < k->map.n; i++) {
        perp_map_bounds_at(p, z, i, &lo, &hi);
        map[i] = box_natural(z[i], F[i], lo, hi);
        box_violations(z[i], F[i], lo, hi, r);
        double part = perp_callback_part(k->map.map, i, z[i], F[i], k->size[i], lo, hi);
        r->value = perp_worst(r->value, part);
    }
    r->units = r->value;
    r->natural = r->absolute = vector_norm(k->map.n, map);
}

/* ---- the floor ---- */

/* Some units in the last place, of the typical size where z is 0. */
static void move_little(perp_callback *k, const double *z, uint64_t *state)
{
    for (int j = 0; j < k->map.n; j++) {
        double unit = DBL_EPSILON * (z[j] != 0 ? fabs(z[j]) : k->move[j]);
        double w = LAST_PLACES * draw(state), step = unit * (trunc(w) + copysign(1, w));
        k->there[j] = move_inside(k, j, z[j], step);
    }
}

/* What F changes by when z does by hardly anything, beyond what the Jacobian says, to change. */
static void find_noise(perp_callback *k, const double *z, const double *F, double *explained)
{
    uint64_t state = UINT64_C(2463534242);
    int n = k->map.n;
    for (int i = 0; i < n; i++) k->change[i] = 0;
    for (int t = 0; t < TREMORS; t++) {
        move_little(k, z, &state);
        if (!perp_jacobian_map(&k->map, k->there, k->map.F)) continue;
        for (int j = 0; j < n; j++) k->there[j] -= z[j];
        perp_mul(&k->map.J, 1, k->there, 0, explained);
        for (int i = 0; i < n; i++) {
            k->change[i] = fmax(k->change[i], fabs(k->map.F[i] - F[i] - explained[i]));
        }
    }
}

/* How far the value follows when F is off by `change`. */
static double find_response(const perp_problem *p, const perp_callback *k, const double *z,
                            const double *F, const double *change)
{
    double lo, hi, most = 0;
    for (int i = 0; i < k->map.n; i++) {
        double theta = fmax(fabs(z[i]), kind_typical(k->map.map, i)), size = k->size[i];
        perp_map_bounds_at(p, z, i, &lo, &hi);
        if (!(size > 0)) continue;
        double least = box_natural(z[i], theta * (F[i] - change[i]) / size, lo, hi);
        double largest = box_natural(z[i], theta * (F[i] + change[i]) / size, lo, hi);
        most = fmax(most, (largest - least) / (2 * theta));
    }
    return most;
}

static void find_floor(const perp_problem *p, perp_callback *k, const double *z, const double *F,
                       double *scratch, perp_residual *r)
{
    int n = k->map.n;
    for (int i = 0; i < n; i++) k->rounding[i] = 0;
    perp_format_of(k->map.J.format)->add_sizes(&k->map.J, z, k->rounding);
    for (int i = 0; i < n; i++) k->rounding[i] *= UNIT;
    find_noise(k, z, F, scratch);
    r->floor = fmax(find_response(p, k, z, F, k->rounding), find_response(p, k, z, F, k->change));
}

/* ---- the certificate ---- */

static perp_status judge(const perp_problem *p, perp_callback *k, const double *z, double *w,
                         double tol, double *map, perp_arena *a, perp_residual *r)
{
    size_t n = (size_t)k->map.n;
    if (!vector_is_finite(n, z) || !perp_jacobian_map(&k->map, z, w)) return PERP_E_NUMBER;
    bool defined =
        perp_jacobian_at(&k->map, z, w) || perp_jacobian_by_differences(&k->map, a, z, w);
    if (!defined) return a->failed ? PERP_E_MEMORY : PERP_E_NUMBER;
    perp_callback_sizes(k->map.map, &k->map.J, z, w, k->move, k->size);
    if (!vector_is_finite(n, k->size)) return PERP_E_NUMBER;
    limit_sizes(k, z, w);
    find_residual(p, k, z, w, map, r);
    if (!isfinite(r->value)) return PERP_E_NUMBER;
    if (r->value > tol && !perp_watch_asks(k->watch)) find_floor(p, k, z, w, map, r);
    return PERP_SOLVED;
}

perp_status perp_callback_measure(const perp_problem *p, perp_callback *k, const double *z,
                                  double *w, double tol, perp_arena *a, perp_residual *r)
{
    perp_mark mark = perp_arena_mark(a);
    double *map = perp_alloc_unset(a, (size_t)k->map.n, sizeof *map);
    perp_status status = map ? judge(p, k, z, w, tol, map, a, r) : PERP_E_MEMORY;
    perp_arena_release(a, mark);
    if (status) *r = perp_unmeasured;
    return status;
}

void perp_callback_room(const perp_callback *k, perp_arena *a)
{
    perp_mark mark = perp_arena_mark(a);
    perp_jacobian differences = k->map;
    perp_count(a, (size_t)k->map.n, sizeof(double));
    if (!k->map.differences) perp_jacobian_colour(&differences, a);
    perp_arena_release(a, mark);
}
