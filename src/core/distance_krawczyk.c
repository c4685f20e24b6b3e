/* core/distance_krawczyk.c: the distance to a solution where no slack and no distance to a bound is
 * 0 together.
 *
 * With B the rows and columns of M between bounds, R about its inverse and G = I - R B: where the
 * row sums of |G| are below 1 B is regular, and the solution x of B (x - z) = -w has x - z = -R w +
 * G (x - z). So |x - z| <= |R w| + |G| 1 (max |R w| / (1 - max |G| 1)). One step of that system,
 * then the enclosure around the new point. Dense: 5 k^3 flops, 24 k^2 bytes for k unknowns between
 * bounds. */
#include "distance.h"
#include "linalg/dense.h"

typedef struct krawczyk {
    const perp_distance_map *map;
    perp_distance_point *point;
    perp_arena *arena;
    int k;
    int *index, *place; /* unknowns between bounds; of each unknown its place among them, or -1 */
    double *B, *R, *rest;
    double *rows;        /* |G| 1, at most */
    double *x, *y, *off; /* k each */
} krawczyk;

static void list_between(krawczyk *t)
{
    const perp_distance_map *map = t->map;
    t->k = 0;
    for (int i = 0; i < map->n; i++) {
        double z = t->point->z[i];
        bool between = map->lo[i] < z && z < map->hi[i];
        t->place[i] = between ? t->k : -1;
        if (between) t->index[t->k++] = i;
    }
}

static bool open_krawczyk(krawczyk *t)
{
    size_t k = (size_t)t->k;
    double **square[] = {&t->B, &t->R, &t->rest}, **vector[] = {&t->rows, &t->x, &t->y, &t->off};
    for (int s = 0; s < 3; s++) *square[s] = perp_alloc(t->arena, k * k, sizeof(double));
    for (int s = 0; s < 4; s++) *vector[s] = perp_alloc(t->arena, k, sizeof(double));
    return !t->arena->failed;
}

static void fill_basis(krawczyk *t)
{
    size_t size = (size_t)t->k;
    for (int c = 0; c < t->k; c++) {
        const int *row;
        const double *x;
        int count = distance_column(&t->map->M, t->index[c], &row, &x);
        for (int k = 0; k < count; k++) {
            int i = t->place[row ? row[k] : k];
            if (i >= 0) t->B[(size_t)c * size + (size_t)i] = x[k];
        }
    }
}

/* R is about B^-1; false: B is singular. */
static bool invert(krawczyk *t)
{
    size_t k = (size_t)t->k;
    perp_mark mark = perp_arena_mark(t->arena);
    int *pivot = perp_alloc(t->arena, k, sizeof *pivot);
    bool regular = pivot != NULL;
    if (regular) {
        memcpy(t->rest, t->B, k * k * sizeof *t->rest);
        regular = perp_lu_factor(t->k, t->rest, t->k, pivot, NULL) == 0;
        for (size_t j = 0; j < k; j++) t->R[j * k + j] = 1;
        if (regular) perp_lu_solve(t->k, t->rest, t->k, pivot, false, t->k, t->R);
        perp_arena_release(t->arena, mark);
    }
    return regular && vector_is_finite(k * k, t->R);
}

/* out = |A| x, plainly; x >= 0. */
static void multiply_sizes(int k, const double *A, const double *x, double *out)
{
    for (int i = 0; i < k; i++) out[i] = 0;
    for (int j = 0; j < k; j++) {
        const double *column = A + (size_t)j * (size_t)k;
        for (int i = 0; i < k; i++) out[i] += fabs(column[i]) * x[j];
    }
}

/* rows = |I - R B| 1, at most, with the roundings of the product and of B. The largest of them. */
static double bound_rows(krawczyk *t)
{
    int k = t->k;
    size_t size = (size_t)k;
    double g = distance_gamma(2.0 * k + 8), all = 0;
    perp_dense_product(k, k, k, t->R, k, t->B, k, 0, t->rest, k, NULL);
    for (size_t j = 0; j < size; j++) t->rest[j * size + j] -= 1;
    for (int i = 0; i < k; i++) t->x[i] = 1;
    multiply_sizes(k, t->rest, t->x, t->rows);
    multiply_sizes(k, t->B, t->x, t->y);
    for (int i = 0; i < k && t->map->root; i++) all += t->map->root[t->index[i]];
    for (int i = 0; i < k; i++) {
        double root = t->map->root ? t->map->root[t->index[i]] : 0;
        t->y[i] = 2 * g * t->y[i] + 2 * t->map->relative * root * all;
    }
    multiply_sizes(k, t->R, t->y, t->off);
    for (int i = 0; i < k; i++) {
        t->rows[i] =
            (t->rows[i] * (1 + g) + 4 * DISTANCE_UNIT + t->off[i] * (1 + g)) * DISTANCE_OUTWARD +
            k * DBL_MIN;
    }
    return vector_max(k, t->rows);
}

/* x = R w, off = what its roundings and the error of w leave open. */
static void multiply_slack(krawczyk *t)
{
    int k = t->k;
    double g = distance_gamma(k + 2.0);
    for (int i = 0; i < k; i++) t->x[i] = 0;
    for (int j = 0; j < k; j++) {
        const double *column = t->R + (size_t)j * (size_t)k;
        double w = t->point->w[t->index[j]], error = t->point->error[t->index[j]];
        for (int i = 0; i < k; i++) t->x[i] += column[i] * w;
        t->y[j] = (2 * g * fabs(w) + error * (1 + g)) * DISTANCE_OUTWARD;
    }
    multiply_sizes(k, t->R, t->y, t->off);
    for (int i = 0; i < k; i++) {
        t->off[i] = t->off[i] * (1 + g) * DISTANCE_OUTWARD + k * DBL_MIN;
    }
}

static perp_status refuse_tie(const krawczyk *t, int i, perp_error *e)
{
    (void)t;
    return perp_refuse(e, PERP_UNCERTIFIED,
                       "unknown %d is too near to a tie of its bound and its slack", i);
}

static perp_status move_point(krawczyk *t, perp_error *e)
{
    multiply_slack(t);
    for (int k = 0; k < t->k; k++) {
        int i = t->index[k];
        double z = t->point->z[i] - t->x[k];
        if (!(t->map->lo[i] < z && z < t->map->hi[i])) return refuse_tie(t, i, e);
        t->point->z[i] = z;
    }
    if (!perp_distance_measure(t->map, t->arena, t->point)) return PERP_E_MEMORY;
    return PERP_SOLVED;
}

/* The solution of the system is within bound of the point. */
static void enclose(krawczyk *t, double largest, double *bound)
{
    double most = 0;
    multiply_slack(t);
    for (int i = 0; i < t->k; i++) most = perp_worst(most, fabs(t->x[i]) + t->off[i]);
    most = most / (1 - largest) * DISTANCE_OUTWARD;
    for (int i = 0; i < t->map->n; i++) bound[i] = 0;
    for (int i = 0; i < t->k; i++) {
        bound[t->index[i]] = (fabs(t->x[i]) + t->off[i] + t->rows[i] * most) * DISTANCE_OUTWARD;
    }
}

/* change = |M| bound, at most: what slacks may differ by from those of the point. */
static void bound_slacks(const krawczyk *t, const double *bound, double *change)
{
    const perp_distance_map *map = t->map;
    double all = 0, g = distance_gamma(2.0 * t->k + 4);
    for (int i = 0; i < map->n; i++) change[i] = 0;
    for (int c = 0; c < t->k; c++) {
        const int *row;
        const double *x;
        int j = t->index[c], count = distance_column(&map->M, j, &row, &x);
        for (int k = 0; k < count; k++) change[row ? row[k] : k] += fabs(x[k]) * bound[j];
        if (map->root) all += map->root[j] * bound[j];
    }
    for (int i = 0; i < map->n; i++) {
        double own = map->root ? 2 * map->relative * map->root[i] * all : 0;
        change[i] = (change[i] + own) * (1 + g) * DISTANCE_OUTWARD + t->k * DBL_MIN;
    }
}

/* Is what is enclosed strictly between its bounds, and has every other slack its sign? */
static perp_status check_signs(const krawczyk *t, const double *bound, const double *change,
                               perp_error *e)
{
    const perp_distance_map *map = t->map;
    const perp_distance_point *at = t->point;
    for (int i = 0; i < map->n; i++) {
        double gap, need = (change[i] + at->error[i]) * DISTANCE_OUTWARD;
        if (distance_is_fixed(map, i)) continue;
        if (t->place[i] >= 0) {
            double below = at->z[i] - map->lo[i], above = map->hi[i] - at->z[i];
            gap = below < above ? below : above;
            need = bound[i] * DISTANCE_OUTWARD;
        } else {
            gap = at->z[i] == map->lo[i] ? at->w[i] : -at->w[i];
        }
        if (!(gap > need)) return refuse_tie(t, i, e);
    }
    return PERP_SOLVED;
}

static perp_status prove(krawczyk *t, int most, double *bound, perp_error *e)
{
    size_t n = (size_t)t->map->n;
    t->index = perp_alloc(t->arena, n, sizeof *t->index);
    t->place = perp_alloc(t->arena, n, sizeof *t->place);
    double *change = perp_alloc(t->arena, n, sizeof *change);
    if (t->arena->failed) return PERP_E_MEMORY;
    list_between(t);
    if (t->k > most) {
        return perp_refuse(e, PERP_UNCERTIFIED, "%d unknowns, more than %d, are between bounds",
                           t->k, most);
    }
    if (!open_krawczyk(t)) return PERP_E_MEMORY;
    fill_basis(t);
    bool regular = invert(t);
    if (t->arena->failed) return PERP_E_MEMORY;
    double largest = regular ? bound_rows(t) : INFINITY;
    if (!(largest < 0.5)) {
        return perp_refuse(e, PERP_UNCERTIFIED, "the matrix between the bounds is nearly singular");
    }
    perp_status status = move_point(t, e);
    if (status) return status;
    enclose(t, largest, bound);
    bound_slacks(t, bound, change);
    return check_signs(t, bound, change, e);
}

perp_status perp_distance_krawczyk(const perp_distance_map *map, perp_distance_point *point,
                                   int most, perp_arena *a, double *bound, perp_error *e)
{
    krawczyk t = {.map = map, .point = point, .arena = a};
    perp_mark mark = perp_arena_mark(a);
    perp_status status = prove(&t, most, bound, e);
    perp_arena_release(a, mark);
    return status;
}
