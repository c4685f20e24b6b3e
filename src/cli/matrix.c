/* cli/matrix.c: nonzeros, symmetry, rank and condition of a matrix.
 *
 * Small: all singular values (LAPACK's dgesvd, 4 n^3 flops or so), rank as MATLAB counts it, those
 * above max(m, n) eps times the largest. Large, square and sparse: the largest by the power method,
 * the smallest by inverse iteration with a sparse LU (Golub, Van Loan, Matrix Computations, chapter
 * 8); both from inside, so that the true condition is somewhat larger. */
#include "matrix.h"

#include "base/format.h"
#include "base/vector.h"
#include "core/internal.h"
#include "linalg/lapack.h"
#include "linalg/sparse.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define POWER_STEPS 60
#define INVERSE_STEPS 12

static long long count_stored(const perp_matrix *A)
{
    return perp_has_entries(A) ? perp_formats[A->format]->count(A) : 0;
}

static void count_nonzeros(const perp_matrix *A, cli_matrix_info *info)
{
    const double *x = A->as.csc.x;
    double scale = 0, sum = 0;
    for (int k = 0; k < A->as.csc.p[A->n]; k++) {
        info->nonzeros += x[k] != 0;
        if (fabs(x[k]) > scale) scale = fabs(x[k]);
    }
    for (int k = 0; scale > 0 && k < A->as.csc.p[A->n]; k++) sum += x[k] / scale * (x[k] / scale);
    info->norm = scale * sqrt(sum);
}

/* A' of a CSC matrix, columns sorted; false: no memory. */
static bool transpose(const perp_matrix *A, perp_arena *a, perp_matrix *out)
{
    const struct perp_csc_view *c = &A->as.csc;
    int nz = c->p[A->n];
    int *p = perp_alloc(a, (size_t)A->m + 2, sizeof *p);
    int *i = perp_alloc(a, (size_t)nz + 1, sizeof *i);
    double *x = perp_alloc(a, (size_t)nz + 1, sizeof *x);
    if (a->failed) return false;
    for (int k = 0; k < nz; k++) p[c->i[k] + 2]++; /* one ahead: filling moves them back */
    for (int j = 0; j < A->m; j++) p[j + 2] += p[j + 1];
    for (int j = 0; j < A->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            int at = p[c->i[k] + 1]++;
            i[at] = j;
            x[at] = c->x[k];
        }
    }
    *out = perp_csc(A->n, A->m, p, i, x);
    return true;
}

/* |A - B| over the norm, columns sorted. */
static double difference(const perp_matrix *A, const perp_matrix *B, double norm)
{
    const struct perp_csc_view *f = &A->as.csc, *g = &B->as.csc;
    double sum = 0;
    for (int j = 0; norm > 0 && j < A->n; j++) {
        int k = f->p[j], l = g->p[j];
        while (k < f->p[j + 1] || l < g->p[j + 1]) {
            int row = k < f->p[j + 1] ? f->i[k] : A->m, other = l < g->p[j + 1] ? g->i[l] : A->m;
            double d = 0;
            if (row <= other) d += f->x[k++];
            if (other <= row) d -= g->x[l++];
            sum += d / norm * (d / norm);
        }
    }
    return sqrt(sum);
}

/* ---- rank and condition ---- */

/* From all singular values, largest first. */
static void judge_values(const double *s, int k, cli_matrix_info *info)
{
    double floor = fmax(info->m, info->n) * DBL_EPSILON * (k ? s[0] : 0);
    info->rank = 0;
    while (info->rank < k && s[info->rank] > floor) info->rank++;
    info->spread = info->rank ? s[0] / s[info->rank - 1] : NAN;
    info->condition = k == 0 ? NAN : info->rank < k ? INFINITY : s[0] / s[k - 1];
}

static bool examine_values(const perp_matrix *A, perp_arena *a, cli_matrix_info *info)
{
    int m = A->m, n = A->n, k = m < n ? m : n, lwork = 8 * (m + n) + 64 * k + 64, fail = 0, one = 1;
    perp_matrix D;
    if (k == 0) {
        judge_values(NULL, 0, info);
        return true;
    }
    double *copy = perp_alloc(a, (size_t)m * (size_t)n, sizeof *copy);
    double *s = perp_alloc(a, (size_t)k, sizeof *s);
    double *work = perp_alloc(a, (size_t)lwork, sizeof *work);
    if (a->failed || perp_convert(A, PERP_FORMAT_DENSE, a, &D, NULL)) return false;
    for (int j = 0; j < n; j++) {
        memcpy(copy + (size_t)j * (size_t)m, D.as.dense.x + (size_t)j * (size_t)D.as.dense.ld,
               (size_t)m * sizeof *copy);
    }
    dgesvd_("N", "N", &m, &n, copy, &m, s, NULL, &one, NULL, &one, work, &lwork, &fail, 1, 1);
    if (fail)
        info->why = "the singular values did not converge";
    else
        judge_values(s, k, info);
    return true;
}

static void normalise(int n, double *x)
{
    double norm = vector_norm(n, x);
    for (int i = 0; norm > 0 && i < n; i++) x[i] /= norm;
}

/* Deterministic and in no special direction. */
static void fill_start(int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = 1 + 0.5 * sin(1.0 + 7.0 * i);
    normalise(n, x);
}

/* Largest singular value, from below. */
static double estimate_largest(const perp_matrix *A, double *x, double *y)
{
    double sigma = 0;
    fill_start(A->n, x);
    for (int k = 0; k < POWER_STEPS; k++) {
        perp_mul(A, 1, x, 0, y);
        sigma = vector_norm(A->m, y);
        perp_mul_t(A, 1, y, 0, x);
        normalise(A->n, x);
    }
    return sigma;
}

/* Smallest singular value, from above; 0: singular; NAN: no memory. */
static double estimate_smallest(const perp_matrix *A, perp_factor *f, double *x)
{
    int fail = perp_factor_compute(f, A->as.csc.x);
    if (fail) return fail < 0 ? NAN : 0;
    double grown = 1;
    fill_start(A->n, x);
    for (int k = 0; k < INVERSE_STEPS; k++) {
        if (perp_factor_solve(f, false, x, x)) return 0;
        grown = vector_norm(A->n, x);
        normalise(A->n, x);
        if (perp_factor_solve(f, true, x, x)) return 0;
        normalise(A->n, x);
    }
    return 1 / grown;
}

static bool estimate(const perp_matrix *A, perp_arena *a, cli_matrix_info *info)
{
    double *x = perp_alloc(a, (size_t)A->n, sizeof *x);
    double *y = perp_alloc(a, (size_t)A->m, sizeof *y);
    perp_factor *f = perp_factor_open(a, PERP_LU, A->n, A->as.csc.p, A->as.csc.i);
    if (a->failed) return false;
    double smallest = f ? estimate_smallest(A, f, x) : NAN;
    double largest = estimate_largest(A, x, y);
    info->estimated = true;
    info->why = "estimated by inverse iteration";
    if (isnan(smallest)) {
        info->why = "the sparse LU ran out of memory";
    } else if (smallest > A->n * DBL_EPSILON * largest) {
        info->rank = A->n;
        info->condition = info->spread = largest / smallest;
    } else {
        info->condition = INFINITY;
        info->why = "singular by a sparse LU; its rank needs all singular values, see --limit";
    }
    return true;
}

static bool examine_rank(const perp_matrix *A, int limit, perp_arena *a, cli_matrix_info *info)
{
    int largest = A->m > A->n ? A->m : A->n;
    if (largest <= limit) return examine_values(A, a, info);
    if (A->m != A->n)
        info->why = "not square, and larger than --limit";
    else if ((double)info->nonzeros > 0.2 * A->m * A->n)
        info->why = "nearly full, and larger than --limit";
    else
        return estimate(A, a, info);
    return true;
}

bool cli_examine(const perp_matrix *A, int limit, perp_arena *a, cli_matrix_info *info)
{
    *info = (cli_matrix_info){.m = A->m, .n = A->n, .stored = count_stored(A), .rank = -1};
    info->asymmetry = info->condition = info->spread = NAN;
    perp_mark mark = perp_arena_mark(a);
    perp_matrix C, T;
    bool good = !perp_convert(A, PERP_FORMAT_CSC, a, &C, NULL) && !perp_sort_csc(&C, a, &C);
    if (good) count_nonzeros(&C, info);
    if (good && A->m == A->n) {
        good = transpose(&C, a, &T);
        if (good) info->asymmetry = difference(&C, &T, info->norm);
    }
    good = good && examine_rank(&C, limit, a, info);
    perp_arena_release(a, mark);
    return good;
}
