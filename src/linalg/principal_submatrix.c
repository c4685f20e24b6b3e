/* linalg/principal_submatrix.c: principal submatrices gathered, factored and solved with; symmetry.
 *
 * Dense: Cholesky of the lower triangle, k^3 / 3 flops, or LU, twice as many. Sparse: M's own
 * pattern with the rows and columns outside the set made those of the identity, so that one
 * analysis serves all sets and, kept in the arena, all solves. */
#include "principal_submatrix.h"

#include "base/clones.h"
#include "base/vector.h"
#include "dense.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define TILE 32

static const double *dense_column(const perp_matrix *M, int j)
{
    return M->as.dense.x + (size_t)j * (size_t)M->as.dense.ld;
}

double perp_diagonal(const perp_matrix *M, int j)
{
    if (M->format == PERP_FORMAT_DENSE) return dense_column(M, j)[j];
    const struct perp_csc_view *c = &M->as.csc;
    double d = 0;
    for (int k = c->p[j]; k < c->p[j + 1]; k++) d += c->i[k] == j ? c->x[k] : 0;
    return d;
}

/* ---- symmetry ---- */

static bool differ(double a, double b, double tol, double size)
{
    double gap = fabs(a - b);
    return gap > 0 && gap > tol * (fmax(fabs(a), fabs(b)) + size);
}

/* The first of rows from .. end - 1 of column j that differs from column j of those rows; end:
 * none. Most matrices that come here are symmetric to the last bit, and that is seen without a
 * branch. */
static int first_difference(const perp_matrix *M, int j, int from, int end, double tol,
                            const double *root)
{
    const double *m = dense_column(M, j), *across = M->as.dense.x + j;
    size_t ld = (size_t)M->as.dense.ld;
    uint64_t seen = 0;
    for (int i = from; i < end; i++) {
        uint64_t down, right;
        memcpy(&down, m + i, sizeof down);
        memcpy(&right, across + (size_t)i * ld, sizeof right);
        seen |= down ^ right;
    }
    for (int i = from; seen && i < end; i++) {
        if (differ(m[i], across[(size_t)i * ld], tol, root[i] * root[j])) return i;
    }
    return end;
}

static bool dense_is_symmetric(const perp_matrix *M, double tol, const double *root, int *bad_i,
                               int *bad_j)
{
    int n = M->n;
    for (int at = 0; at < n; at += TILE) { /* by tiles: one of the two walks across columns */
        for (int below = at; below < n; below += TILE) {
            int end = below + TILE < n ? below + TILE : n;
            for (int j = at; j < at + TILE && j < n; j++) {
                int i = first_difference(M, j, below > j ? below : j + 1, end, tol, root);
                if (i >= end) continue;
                *bad_i = i;
                *bad_j = j;
                return false;
            }
        }
    }
    return true;
}

static double csc_entry(const struct perp_csc_view *c, int i, int j)
{
    int low = c->p[j], high = c->p[j + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->i[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->p[j + 1] && c->i[low] == i ? c->x[low] : 0;
}

static bool csc_is_symmetric(const perp_matrix *M, double tol, const double *root, int *bad_i,
                             int *bad_j)
{
    const struct perp_csc_view *c = &M->as.csc;
    for (int j = 0; j < M->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            int i = c->i[k];
            if (!differ(c->x[k], csc_entry(c, j, i), tol, root[i] * root[j])) continue;
            *bad_i = i;
            *bad_j = j;
            return false;
        }
    }
    return true;
}

perp_status perp_symmetry(const perp_matrix *M, double tol, perp_arena *a, int *i, int *j)
{
    perp_mark mark = perp_arena_mark(a);
    double *root = perp_alloc_unset(a, (size_t)M->n, sizeof *root);
    if (!root) return PERP_E_MEMORY;
    for (int k = 0; k < M->n; k++) root[k] = sqrt(fabs(perp_diagonal(M, k)));
    bool same = M->format == PERP_FORMAT_DENSE ? dense_is_symmetric(M, tol, root, i, j)
                                               : csc_is_symmetric(M, tol, root, i, j);
    perp_arena_release(a, mark);
    return same ? PERP_SOLVED : PERP_STALLED;
}

/* ---- products ---- */

PERP_CLONED_VOID(add_four,
                 (int m, const double *restrict a, const double *restrict b,
                  const double *restrict c, const double *restrict d, const double x[4],
                  double *restrict y),
                 (m, a, b, c, d, x, y))
{
    for (int i = 0; i < m; i++) y[i] += a[i] * x[0] + b[i] * x[1] + c[i] * x[2] + d[i] * x[3];
}

static void add_dense_columns(const perp_matrix *M, int k, const int *set, double t,
                              const double *x, double *y)
{
    int j = 0;
    for (; j + 3 < k; j += 4) {
        const double four[4] = {t * x[j], t * x[j + 1], t * x[j + 2], t * x[j + 3]};
        add_four(M->m, dense_column(M, set[j]), dense_column(M, set[j + 1]),
                 dense_column(M, set[j + 2]), dense_column(M, set[j + 3]), four, y);
    }
    for (; j < k; j++) {
        const double *m = dense_column(M, set[j]);
        for (int i = 0; i < M->m; i++) y[i] += t * x[j] * m[i];
    }
}

void perp_add_columns(const perp_matrix *M, int k, const int *set, double t, const double *x,
                      double *y)
{
    if (M->format == PERP_FORMAT_DENSE) {
        add_dense_columns(M, k, set, t, x, y);
        return;
    }
    const struct perp_csc_view *c = &M->as.csc;
    for (int j = 0; j < k; j++) {
        for (int e = c->p[set[j]]; e < c->p[set[j] + 1]; e++) y[c->i[e]] += t * x[j] * c->x[e];
    }
}

/* ---- factors ---- */

/* The pattern of M with all diagonal entries. */
static void open_pattern(perp_principal *p)
{
    const struct perp_csc_view *c = &p->M->as.csc;
    int to = 0;
    p->start[0] = 0;
    for (int j = 0; j < p->M->n; j++) {
        bool there = false;
        for (int e = c->p[j]; e < c->p[j + 1]; e++) {
            if (!there && c->i[e] > j) p->row[to++] = j;
            there |= c->i[e] >= j;
            p->row[to++] = c->i[e];
        }
        if (!there) p->row[to++] = j;
        p->start[j + 1] = to;
    }
}

/* In a run of perp_bytes: the factors that some set may need. */
static void count_factors(perp_principal *p)
{
    if (!p->arena->counting) return;
    if (p->symmetric) perp_factor_open(p->arena, PERP_CHOLESKY, p->M->n, p->start, p->row);
    perp_factor_open(p->arena, PERP_LU, p->M->n, p->start, p->row);
}

bool perp_principal_open(perp_principal *p, const perp_matrix *M, bool symmetric, perp_arena *a)
{
    size_t n = (size_t)M->n;
    *p = (perp_principal){.M = M, .arena = a, .symmetric = symmetric};
    if (M->format == PERP_FORMAT_DENSE) {
        p->F = perp_alloc_unset(a, n * n, sizeof *p->F);
        p->pivot = perp_alloc_unset(a, n, sizeof *p->pivot);
        return !a->failed;
    }
    size_t count = n + (size_t)M->as.csc.p[n];
    p->start = perp_alloc_unset(a, n + 1, sizeof *p->start);
    p->row = perp_alloc_unset(a, count, sizeof *p->row);
    p->values = perp_alloc_unset(a, count, sizeof *p->values);
    p->x = perp_alloc_unset(a, n, sizeof *p->x);
    p->in = perp_alloc(a, n, sizeof *p->in);
    if (a->failed) return false;
    open_pattern(p);
    for (int e = 0; e < M->as.csc.p[n]; e++) p->size = fmax(p->size, fabs(M->as.csc.x[e]));
    if (p->size == 0) p->size = 1;
    count_factors(p);
    return true;
}

static void gather_dense(perp_principal *p, const int *set, double shift, bool lower)
{
    int k = p->k;
    for (int j = 0; j < k; j++) {
        const double *m = dense_column(p->M, set[j]);
        double *f = p->F + (size_t)j * (size_t)k;
        for (int i = lower ? j : 0; i < k; i++) f[i] = m[set[i]];
        f[j] += shift;
    }
}

/* Smallest over largest entry of the factor's diagonal. */
static double diagonal_ratio(const perp_principal *p)
{
    double least = INFINITY, most = 0;
    for (int j = 0; j < p->k; j++) {
        double d = fabs(p->F[(size_t)j * (size_t)p->k + (size_t)j]);
        least = fmin(least, d);
        most = fmax(most, d);
    }
    return p->k > 0 ? least / most : 1;
}

static perp_status factor_dense(perp_principal *p, const int *set, double shift)
{
    double noise = (p->k + 10) * DBL_EPSILON;
    p->cholesky = p->symmetric;
    if (p->cholesky) {
        gather_dense(p, set, shift, true);
        if (!perp_cholesky_factor(p->k, p->F, p->k, p->arena->watch)) {
            double ratio = diagonal_ratio(p);
            return ratio * ratio > noise ? PERP_SOLVED : PERP_STALLED;
        }
        if (p->definite) return PERP_STALLED;
        p->cholesky = false;
    }
    gather_dense(p, set, shift, false);
    if (perp_lu_factor(p->k, p->F, p->k, p->pivot, p->arena->watch)) return PERP_STALLED;
    return diagonal_ratio(p) > noise ? PERP_SOLVED : PERP_STALLED;
}

/* M_aa + shift I, and outside it the identity times something of M's size. */
static void gather_sparse(perp_principal *p, double shift)
{
    const struct perp_csc_view *c = &p->M->as.csc;
    for (int j = 0; j < p->M->n; j++) {
        int e = c->p[j];
        for (int to = p->start[j]; to < p->start[j + 1]; to++) {
            int i = p->row[to];
            bool there = e < c->p[j + 1] && c->i[e] == i;
            double m = there ? c->x[e++] : 0, outside = i == j ? p->size : 0;
            p->values[to] = p->in[i] && p->in[j] ? m + (i == j ? shift : 0) : outside;
        }
    }
}

/* With one analysis for all sets. */
static perp_status try_sparse(perp_principal *p, perp_factor **f, perp_factor_kind kind)
{
    if (!*f) *f = perp_factor_open(p->arena, kind, p->M->n, p->start, p->row);
    if (!*f) return PERP_E_MEMORY;
    int failed = perp_factor_compute(*f, p->values);
    if (failed) return failed < 0 ? PERP_E_MEMORY : PERP_STALLED;
    p->factor = *f;
    return perp_factor_rcond(*f) > (p->k + 10) * DBL_EPSILON ? PERP_SOLVED : PERP_STALLED;
}

static perp_status factor_sparse(perp_principal *p, const int *set, double shift)
{
    perp_status s = PERP_STALLED;
    p->set = set;
    for (int j = 0; j < p->k; j++) p->in[set[j]] = true;
    gather_sparse(p, shift);
    for (int j = 0; j < p->k; j++) p->in[set[j]] = false;
    p->factor = NULL;
    p->cholesky = p->symmetric;
    if (p->symmetric) s = try_sparse(p, &p->chol, PERP_CHOLESKY);
    if (s != PERP_STALLED || p->factor || (p->symmetric && p->definite)) return s;
    p->cholesky = false;
    return try_sparse(p, &p->lu, PERP_LU);
}

static bool solve_sparse(perp_principal *p, double *x)
{
    memset(p->x, 0, (size_t)p->M->n * sizeof *p->x);
    for (int j = 0; j < p->k; j++) p->x[p->set[j]] = x[j];
    if (perp_factor_solve(p->factor, false, p->x, p->x)) return false;
    for (int j = 0; j < p->k; j++) x[j] = p->x[p->set[j]];
    return true;
}

perp_status perp_principal_factor(perp_principal *p, int k, const int *set, double shift)
{
    if (perp_watch_stops(p->arena)) return PERP_STALLED; /* the driver says why */
    p->k = k;
    return p->M->format == PERP_FORMAT_DENSE ? factor_dense(p, set, shift)
                                             : factor_sparse(p, set, shift);
}

bool perp_principal_solve(perp_principal *p, double *x)
{
    if (p->M->format != PERP_FORMAT_DENSE) return solve_sparse(p, x);
    if (p->cholesky)
        perp_cholesky_solve(p->k, p->F, p->k, 1, x);
    else
        perp_lu_solve(p->k, p->F, p->k, p->pivot, false, 1, x);
    return vector_is_finite((size_t)p->k, x);
}
