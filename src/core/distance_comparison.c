/* core/distance_comparison.c: the distance to the solution where M is an H-matrix with a positive
 * diagonal.
 *
 * v with <M>v > 0 is looked for in the direction of <M>^-1 |d|, which makes the bound as small as
 * it can be: by Jacobi's iteration, which needs one product an iteration and is enough for dominant
 * diagonals, then by a factorisation, dense up to PERP_DISTANCE_DENSE unknowns, sparse where the
 * arena may grow. Whatever found v, <M>v is then computed with all of its roundings. */
#include "distance.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#define SWEEPS 60  /* of Jacobi: 1e-9 is left where rows dominate by 30 % */
#define ENOUGH 0.5 /* of its right-hand side: then a bound is at most twice <M>^-1 |d| */
/* |d| may be 0 in places, where rounding would make <M>v negative: a part of the largest is added,
 * little at first. */
static const double parts[] = {1e-6, 1};

typedef struct comparison {
    const perp_distance_map *map;
    double *diagonal;
    double *count; /* entries in each row */
    double *aim;   /* what <M>v is to be */
    double *v, *product, *next;
    bool starved, hopeless; /* memory ended; <M>^-1 has a negative entry */
    perp_arena *arena;
} comparison;

/* out = (the sizes beside the diagonal) v, plainly. */
static void multiply_beside(const comparison *c, const double *v, double *out)
{
    const perp_distance_map *map = c->map;
    for (int i = 0; i < map->n; i++) out[i] = 0;
    for (int j = 0; j < map->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(&map->M, j, &row, &x);
        if (distance_is_fixed(map, j)) continue;
        for (int k = 0; k < count; k++) {
            int i = row ? row[k] : k;
            if (i != j) out[i] += fabs(x[k]) * v[j];
        }
    }
}

/* product = <M>v, at most; terms that vanish by underflow are counted too. */
static void multiply_below(const comparison *c)
{
    multiply_beside(c, c->v, c->product);
    for (int i = 0; i < c->map->n; i++) {
        double own = c->diagonal[i] * c->v[i], beside = c->product[i];
        double lost = distance_gamma(c->count[i]) * beside + 4 * DISTANCE_UNIT * own;
        if (!distance_is_fixed(c->map, i)) {
            c->product[i] = own - beside - lost * DISTANCE_OUTWARD - (c->count[i] + 2) * DBL_MIN;
        } else {
            c->product[i] = INFINITY;
        }
    }
}

static bool is_enough(const comparison *c)
{
    for (int i = 0; i < c->map->n; i++) {
        if (!(c->v[i] > 0 && isfinite(c->v[i]) && c->product[i] >= ENOUGH * c->aim[i]))
            return false;
    }
    return true;
}

/* v rises from sweep to sweep, to <M>^-1 aim where M is an H-matrix. */
static bool find_by_sweeps(comparison *c)
{
    int n = c->map->n;
    for (int i = 0; i < n; i++) c->v[i] = c->aim[i] / c->diagonal[i];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        multiply_below(c);
        if (is_enough(c)) return true;
        multiply_beside(c, c->v, c->next);
        for (int i = 0; i < n; i++) c->v[i] = (c->aim[i] + c->next[i]) / c->diagonal[i];
        if (!vector_is_finite((size_t)n, c->v)) return false;
    }
    return false;
}

static double entry_of(const comparison *c, int i, int j, double x)
{
    if (i == j) return c->diagonal[i];
    return distance_is_fixed(c->map, i) || distance_is_fixed(c->map, j) ? 0 : -fabs(x);
}

static bool solve_dense(comparison *c)
{
    size_t n = (size_t)c->map->n;
    double *A = perp_alloc(c->arena, n * n, sizeof *A);
    int *pivot = perp_alloc(c->arena, n, sizeof *pivot);
    if (c->arena->failed) return false;
    for (int j = 0; j < c->map->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(&c->map->M, j, &row, &x);
        for (int k = 0; k < count; k++) {
            int i = row ? row[k] : k;
            A[(size_t)j * n + (size_t)i] = entry_of(c, i, j, x[k]);
        }
        A[(size_t)j * n + (size_t)j] = c->diagonal[j];
    }
    if (perp_lu_factor(c->map->n, A, c->map->n, pivot, NULL)) return false;
    kind_copy(c->map->n, c->aim, c->v);
    perp_lu_solve(c->map->n, A, c->map->n, pivot, false, 1, c->v);
    return true;
}

static bool solve_sparse(comparison *c)
{
    perp_matrix S;
    if (perp_lift_csc(&c->map->M, c->arena, &S, NULL)) return false;
    const int *p = S.as.csc.p, *row = S.as.csc.i;
    double *x = perp_alloc_unset(c->arena, (size_t)p[S.n], sizeof *x);
    perp_factor *f = x ? perp_factor_open(c->arena, PERP_LU, S.n, p, row) : NULL;
    c->starved = !f;
    if (!f) return false;
    for (int j = 0; j < S.n; j++) {
        for (int k = p[j]; k < p[j + 1]; k++) x[k] = entry_of(c, row[k], j, S.as.csc.x[k]);
    }
    int column = perp_factor_compute(f, x);
    c->starved = column < 0;
    return column == 0 && perp_factor_solve(f, false, c->aim, c->v) == 0;
}

static bool find_by_factor(comparison *c)
{
    perp_mark mark = perp_arena_mark(c->arena);
    bool dense = c->map->M.format == PERP_FORMAT_DENSE, found = false;
    if (!dense)
        found = solve_sparse(c);
    else if (c->map->n <= PERP_DISTANCE_DENSE)
        found = solve_dense(c);
    c->starved |= c->arena->failed;
    perp_arena_release(c->arena, mark);
    if (!found) return false;
    multiply_below(c);
    for (int i = 0; i < c->map->n; i++) {
        c->hopeless |= !(c->v[i] > 0 && isfinite(c->v[i]));
        found &= c->product[i] > 0;
    }
    return found && !c->hopeless;
}

static bool open_comparison(comparison *c)
{
    const perp_distance_map *map = c->map;
    size_t n = (size_t)map->n;
    c->diagonal = perp_alloc(c->arena, n, sizeof(double));
    c->count = perp_alloc(c->arena, n, sizeof(double));
    c->aim = perp_alloc(c->arena, n, sizeof(double));
    c->v = perp_alloc(c->arena, n, sizeof(double));
    c->product = perp_alloc(c->arena, n, sizeof(double));
    c->next = perp_alloc(c->arena, n, sizeof(double));
    if (c->arena->failed) return false;
    for (int j = 0; j < map->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(&map->M, j, &row, &x);
        for (int k = 0; k < count; k++) {
            int i = row ? row[k] : k;
            c->count[i]++;
            if (i == j) c->diagonal[i] = x[k];
        }
        if (distance_is_fixed(map, j)) c->diagonal[j] = 1;
    }
    return true;
}

static void set_aim(comparison *c, const double *d, double part)
{
    double least = part * vector_max(c->map->n, d);
    for (int i = 0; i < c->map->n; i++) c->aim[i] = d[i] + (least > 0 ? least : 1);
}

/* bound = v max d_i / (<M>v)_i */
static bool state_bound(const comparison *c, const double *d, double *bound)
{
    double most = 0;
    for (int i = 0; i < c->map->n; i++) most = perp_worst(most, d[i] / c->product[i]);
    most *= DISTANCE_OUTWARD;
    for (int i = 0; i < c->map->n; i++) {
        bool exact = most == 0 || distance_is_fixed(c->map, i);
        bound[i] = exact ? 0 : most * c->v[i] * DISTANCE_OUTWARD + DBL_MIN;
    }
    return vector_is_finite((size_t)c->map->n, bound);
}

static perp_status prove(comparison *c, const double *d, double *bound, perp_error *e)
{
    int n = c->map->n;
    bool positive = true;
    if (!open_comparison(c)) return PERP_E_MEMORY;
    for (int i = 0; i < n; i++) positive &= c->diagonal[i] > 0;
    c->hopeless = !positive;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && !c->hopeless; k++) {
        set_aim(c, d, parts[k]);
        bool found = find_by_sweeps(c) || find_by_factor(c);
        if (c->starved) return PERP_E_MEMORY;
        if (found && state_bound(c, d, bound)) return PERP_SOLVED;
    }
    return perp_refuse(e, PERP_UNCERTIFIED, "M is no H-matrix with a positive diagonal");
}

perp_status perp_distance_comparison(const perp_distance_map *map, const perp_distance_point *point,
                                     perp_arena *a, double *bound, perp_error *e)
{
    comparison c = {.map = map, .arena = a};
    perp_mark mark = perp_arena_mark(a);
    perp_status status = prove(&c, point->d, bound, e);
    perp_arena_release(a, mark);
    return status;
}
