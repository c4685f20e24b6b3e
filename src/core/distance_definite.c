/* core/distance_definite.c: the distance to the solution where M + M' is positive definite.
 *
 * Rump, "Verification of positive definiteness" (2006): where the Cholesky factorisation of S - s I
 * runs to its end, R'R = S - s I + E, and |E| is at most g |R'||R| entry by entry, g = k u / (1 - k
 * u), k the unknowns and a few (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
 * theorem 10.3, for every order of its sums). The norm of |R'||R| is at most the trace of R'R, so
 * that the smallest eigenvalue of S is at least s - g / (1 - g) trace(S - s I).
 *
 * S = D (M + M') D, D powers of two, exact, that make its diagonal 1 to 4: units of unknowns do not
 * matter. s is taken from an estimate by inverse iteration. Two or three factorisations, dense up
 * to PERP_DISTANCE_DENSE unknowns (8 n^2 bytes twice), sparse for sparse M. */
#include "distance.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#define DENSE_ENOUGH 100 /* unknowns for which a sparse M is factored as a dense one */
#define ITERATIONS 6 /* of inverse iteration: `parts` make up for an estimate that is too large */

/* Parts of the estimate, which is too large, that are tried as s. */
static const double parts[] = {0.75, 0.4, 0.1};

typedef struct definite {
    const perp_distance_map *map;
    perp_arena *arena;
    int n;
    bool sparse, starved;
    bool *apart;       /* fixed, or nothing of S in its row: 1 on the diagonal instead */
    int *power;        /* D = 2^power */
    double trace, sum; /* of S; its largest row sum of sizes */
    double *S, *L;     /* dense: both n x n; S's upper triangle is not set */
    perp_matrix C;     /* sparse: S, sorted, all of it */
    double *x, *y;     /* C's own values; with s subtracted */
    perp_factor *factor;
    double *vector;
} definite;

/* ---- S ---- */

static perp_status refuse_matrix(const definite *t, perp_error *e)
{
    return perp_refuse(e, PERP_UNCERTIFIED,
                       t->map->root ? "A is not, or hardly, of full column rank"
                                    : "M + M' is not, or hardly, positive definite");
}

/* Positive, or 0 with nothing beside it. False: then S is not semidefinite. */
static bool read_diagonal(definite *t)
{
    const perp_distance_map *map = t->map;
    double *d = t->vector;
    for (int j = 0; j < t->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(&map->M, j, &row, &x);
        d[j] = 0;
        for (int k = 0; k < count; k++) {
            if ((row ? row[k] : k) == j) d[j] = x[k];
        }
    }
    for (int i = 0; i < t->n; i++) {
        int exponent = 0;
        t->apart[i] = distance_is_fixed(map, i) || d[i] == 0;
        if (!t->apart[i] && d[i] < 0) return false;
        if (!t->apart[i]) (void)frexp(d[i], &exponent); /* d < 2^exponent: 4^power 2 d is 1 to 4 */
        int half = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
        t->power[i] = -half;
    }
    return true;
}

/* M_ij + M_ji where both unknowns count; false: it is not 0 though the diagonal is. */
static bool scale_entry(const definite *t, int i, int j, double *x)
{
    const perp_distance_map *map = t->map;
    if (i == j && t->apart[i]) *x = 1;
    if (i == j && t->apart[i]) return true;
    if (t->apart[i] || t->apart[j]) {
        bool fixed = distance_is_fixed(map, i) || distance_is_fixed(map, j);
        bool zero = *x == 0;
        *x = 0;
        return fixed || zero;
    }
    *x = ldexp(*x, t->power[i] + t->power[j]);
    return true;
}

static perp_status make_dense(definite *t, perp_error *e)
{
    size_t n = (size_t)t->n;
    t->S = perp_alloc(t->arena, n * n, sizeof *t->S);
    t->L = perp_alloc_unset(t->arena, n * n, sizeof *t->L);
    if (t->arena->failed) return PERP_E_MEMORY;
    for (int j = 0; j < t->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(&t->map->M, j, &row, &x);
        for (int k = 0; k < count; k++) {
            size_t i = (size_t)(row ? row[k] : k), c = (size_t)j;
            t->S[i < c ? i * n + c : c * n + i] += i == c ? 2 * x[k] : x[k];
        }
    }
    for (int j = 0; j < t->n; j++) {
        for (int i = j; i < t->n; i++) {
            if (scale_entry(t, i, j, t->S + (size_t)j * n + (size_t)i)) continue;
            return refuse_matrix(t, e);
        }
    }
    return PERP_SOLVED;
}

/* Columns of M, of M', and a diagonal, one after another. */
static perp_status make_sum(definite *t, const perp_matrix *M, const perp_matrix *T)
{
    int n = t->n, next = 0;
    int half = kind_sum(M->as.csc.p[n], n), count = kind_sum(half, M->as.csc.p[n]);
    if (count < 0) return PERP_E_MEMORY;
    int *p = perp_alloc(t->arena, (size_t)n + 1, sizeof *p);
    int *row = perp_alloc_unset(t->arena, (size_t)count, sizeof *row);
    double *x = perp_alloc_unset(t->arena, (size_t)count, sizeof *x);
    if (t->arena->failed) return PERP_E_MEMORY;
    const perp_matrix *both[] = {M, T};
    for (int j = 0; j < n; j++) {
        row[next] = j;
        x[next++] = 0;
        for (int side = 0; side < 2; side++) {
            const struct perp_csc_view *v = &both[side]->as.csc;
            for (int k = v->p[j]; k < v->p[j + 1]; k++) {
                row[next] = v->i[k];
                x[next++] = v->x[k];
            }
        }
        p[j + 1] = next;
    }
    perp_matrix unsorted = perp_csc(n, n, p, row, x);
    return perp_sort_csc(&unsorted, t->arena, &t->C) ? PERP_E_MEMORY : PERP_SOLVED;
}

static perp_status make_sparse(definite *t, perp_error *e)
{
    perp_matrix M, T;
    perp_status status = perp_lift_csc(&t->map->M, t->arena, &M, NULL);
    if (!status) status = perp_lift_transpose(&M, t->arena, &T, NULL);
    if (!status) status = make_sum(t, &M, &T);
    if (status) return PERP_E_MEMORY;
    const int *p = t->C.as.csc.p, *row = t->C.as.csc.i;
    t->x = perp_alloc_unset(t->arena, (size_t)p[t->n], sizeof *t->x);
    t->y = perp_alloc_unset(t->arena, (size_t)p[t->n], sizeof *t->y);
    if (t->arena->failed) return PERP_E_MEMORY;
    for (int j = 0; j < t->n; j++) {
        for (int k = p[j]; k < p[j + 1]; k++) {
            t->x[k] = t->C.as.csc.x[k];
            if (scale_entry(t, row[k], j, t->x + k)) continue;
            return refuse_matrix(t, e);
        }
    }
    t->factor = perp_factor_open(t->arena, PERP_CHOLESKY, t->n, p, row);
    return t->factor ? PERP_SOLVED : PERP_E_MEMORY;
}

static void add_sizes(definite *t, int i, int j, double x)
{
    t->vector[i] += fabs(x);
    if (i != j && !t->sparse) t->vector[j] += fabs(x); /* one triangle alone is stored */
    if (i == j) t->trace += x;
}

static void find_sizes(definite *t)
{
    for (int i = 0; i < t->n; i++) t->vector[i] = 0;
    for (int j = 0; j < t->n; j++) {
        if (t->sparse) {
            for (int k = t->C.as.csc.p[j]; k < t->C.as.csc.p[j + 1]; k++) {
                add_sizes(t, t->C.as.csc.i[k], j, t->x[k]);
            }
        } else {
            size_t n = (size_t)t->n;
            for (int i = j; i < t->n; i++) add_sizes(t, i, j, t->S[(size_t)j * n + (size_t)i]);
        }
    }
    t->sum = vector_max(t->n, t->vector);
}

/* ---- factors ---- */

/* Does the factorisation of S - shift I run to its end? */
static bool factor(definite *t, double shift)
{
    size_t n = (size_t)t->n;
    if (t->sparse) {
        for (int j = 0; j < t->n; j++) {
            for (int k = t->C.as.csc.p[j]; k < t->C.as.csc.p[j + 1]; k++) {
                t->y[k] = t->C.as.csc.i[k] == j ? t->x[k] - shift : t->x[k];
            }
        }
        int column = perp_factor_compute(t->factor, t->y);
        t->starved = column < 0;
        return column == 0;
    }
    for (size_t k = 0; k < n * n; k++) t->L[k] = t->S[k];
    for (size_t k = 0; k < n; k++) t->L[k * n + k] -= shift;
    return perp_cholesky_factor(t->n, t->L, t->n, NULL) == 0;
}

static bool solve(definite *t, double *x)
{
    if (t->sparse) return perp_factor_solve(t->factor, false, x, x) == 0;
    perp_cholesky_solve(t->n, t->L, t->n, 1, x);
    return true;
}

/* At least the smallest eigenvalue, and near it as a rule. */
static double estimate(definite *t)
{
    double *x = t->vector, smallest = INFINITY;
    for (int i = 0; i < t->n; i++) x[i] = 1 + 0.5 * cos(i * 1.618);
    for (int k = 0; k < ITERATIONS; k++) {
        double before = vector_norm(t->n, x);
        for (int i = 0; i < t->n; i++) x[i] /= before;
        if (!solve(t, x)) return 0;
        smallest = 1 / vector_norm(t->n, x);
    }
    return smallest;
}

/* What roundings may lower the smallest eigenvalue by: of the factorisation, of M itself, of
 * sums and differences; numbers that vanish count DBL_MIN. */
static double find_loss(const definite *t, double shift)
{
    double n = t->n, g = distance_gamma(n + 8);
    double trace = t->trace * (1 + distance_gamma(n));
    double loss = g / (1 - g) * trace + t->map->relative * 2 * trace;
    return (loss + 4 * DISTANCE_UNIT * (t->sum * (1 + distance_gamma(n)) + shift)) *
               DISTANCE_OUTWARD +
           n * n * DBL_MIN;
}

/* At most the smallest eigenvalue of S; 0: nothing is proved. */
static double find_eigenvalue(definite *t)
{
    double near = factor(t, 0) ? estimate(t) : 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && near > 0 && !t->starved; k++) {
        double shift = parts[k] * near, loss = find_loss(t, shift);
        if (factor(t, shift)) return shift > loss ? (shift - loss) * (1 - 4 * DBL_EPSILON) : 0;
    }
    return 0;
}

/* ---- the bound ---- */

/* With e = D f: f'S f / 2 <= |D d| |f|, and so |f| <= 2 |D d| / eigenvalue. */
static void state_bound(definite *t, const double *d, double eigenvalue, double *bound,
                        double *norm)
{
    double most = 0;
    for (int i = 0; i < t->n; i++) {
        t->vector[i] = t->apart[i] ? 0 : ldexp(d[i], t->power[i]) + DBL_MIN * DISTANCE_UNIT;
    }
    double length = 2 * distance_norm(t->n, t->vector) / eigenvalue * DISTANCE_OUTWARD;
    if (vector_max(t->n, d) == 0) length = 0;
    for (int i = 0; i < t->n; i++) {
        bool exact = t->apart[i] || length == 0;
        bound[i] = exact ? 0 : ldexp(length, t->power[i]) + DBL_MIN;
        most = perp_worst(most, bound[i]);
    }
    double entries = distance_norm(t->n, bound);
    *norm = most < entries ? most : entries;
}

static bool has_flat_unknowns(const definite *t)
{
    for (int i = 0; i < t->n; i++) {
        if (t->apart[i] && !distance_is_fixed(t->map, i)) return true;
    }
    return false;
}

static perp_status make_matrix(definite *t, perp_error *e)
{
    size_t n = (size_t)t->n;
    t->apart = perp_alloc(t->arena, n, sizeof *t->apart);
    t->power = perp_alloc(t->arena, n, sizeof *t->power);
    t->vector = perp_alloc(t->arena, n, sizeof *t->vector);
    if (t->arena->failed) return PERP_E_MEMORY;
    if (!read_diagonal(t)) return refuse_matrix(t, e);
    bool dense = t->map->M.format != PERP_FORMAT_CSC || t->n <= DENSE_ENOUGH;
    if (dense && t->n > PERP_DISTANCE_DENSE) {
        return perp_refuse(e, PERP_UNCERTIFIED, "M is a dense matrix of more than %d unknowns",
                           PERP_DISTANCE_DENSE);
    }
    t->sparse = !dense;
    return dense ? make_dense(t, e) : make_sparse(t, e);
}

static perp_status prove(definite *t, const double *d, double *bound, double *norm, bool *monotone,
                         perp_error *e)
{
    perp_status status = make_matrix(t, e);
    if (status) return status;
    find_sizes(t);
    double eigenvalue = find_eigenvalue(t);
    if (t->starved) return PERP_E_MEMORY;
    if (t->n > 0 && !(eigenvalue > 0)) return refuse_matrix(t, e);
    *monotone = true;
    if (has_flat_unknowns(t)) {
        return perp_refuse(e, PERP_UNCERTIFIED, "M + M' is only positive semidefinite");
    }
    state_bound(t, d, eigenvalue, bound, norm);
    if (isfinite(*norm)) return PERP_SOLVED;
    return perp_refuse(e, PERP_UNCERTIFIED, "the bound overflows");
}

perp_status perp_distance_definite(const perp_distance_map *map, const perp_distance_point *point,
                                   perp_arena *a, double *bound, double *norm, bool *monotone,
                                   perp_error *e)
{
    definite t = {.map = map, .arena = a, .n = map->n};
    perp_mark mark = perp_arena_mark(a);
    *monotone = map->monotone;
    perp_status status = prove(&t, point->d, bound, norm, monotone, e);
    perp_arena_release(a, mark);
    return status;
}
