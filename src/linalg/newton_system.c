/* linalg/newton_system.c: systems that mix rows of the identity and of a matrix, block by block.
 * Golub & Van Loan, Matrix Computations, chapters 3 and 4.
 * A dense factorisation costs k^3 / 3 (Cholesky) or 2/3 k^3 flops for a block of k rows, a solve
 * one product with M more than the 2 k^2 of the factors. */
#include "newton_system.h"

#include "base/vector.h"
#include "dense.h"

#include <float.h>
#include <string.h>

#define CHOLESKY_TRIES 3 /* failures after which M is not taken for definite any more */

/* ---- opening ---- */

static bool differ(double x, double y, double slack)
{
    return x != y && !(fabs(x - y) <= slack * (fabs(x) + fabs(y)));
}

static bool dense_is_symmetric(const perp_matrix *M, double slack)
{
    size_t ld = (size_t)M->as.dense.ld, n = (size_t)M->n;
    const double *x = M->as.dense.x;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++) {
            if (differ(x[j * ld + i], x[i * ld + j], slack)) return false;
        }
    }
    return true;
}

/* Column by column, entry (i, j) must be the next of column i: both are sorted. */
static bool csc_is_symmetric(const perp_matrix *M, double slack, int *next)
{
    const struct perp_csc_view *c = &M->as.csc;
    memcpy(next, c->p, (size_t)M->n * sizeof *next);
    for (int j = 0; j < M->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            int i = c->i[k], twin = next[i]++;
            if (twin >= c->p[i + 1] || c->i[twin] != j) return false;
            if (differ(c->x[twin], c->x[k], slack)) return false;
        }
    }
    return true;
}

/* In a run of perp_bytes: the factors of a sparse M; a later M may be symmetric. */
static void count_factors(const perp_newton_system *m)
{
    const struct perp_csc_view *M = &m->M.as.csc;
    if (!m->arena->counting || m->M.format == PERP_FORMAT_DENSE) return;
    perp_factor_open(m->arena, PERP_CHOLESKY, m->n, M->p, M->i);
    perp_factor_open(m->arena, PERP_LU, m->n, M->p, M->i);
}

bool perp_newton_system_open(perp_newton_system *m, perp_arena *arena, const perp_matrix *M,
                             double slack)
{
    size_t n = (size_t)M->n;
    bool dense = M->format == PERP_FORMAT_DENSE;
    *m = (perp_newton_system){.n = M->n, .M = *M, .slack = slack, .arena = arena};
    if (perp_watch_stops(arena)) return false;
    m->set = perp_alloc(arena, n, sizeof *m->set);
    m->pivot = perp_alloc(arena, 2 * n, sizeof *m->pivot);
    m->unit = perp_alloc(arena, n, sizeof *m->unit);
    m->rhs = perp_alloc(arena, n, sizeof *m->rhs);
    m->work = perp_alloc(arena, 4 * n, sizeof *m->work);
    /* large and written before it is read */
    size_t size = dense ? n * n : (size_t)M->as.csc.p[n];
    m->block = perp_alloc_unset(arena, size, sizeof *m->block);
    if (arena->failed) return false;
    perp_newton_system_refresh(m);
    count_factors(m);
    return true;
}

void perp_newton_system_refresh(perp_newton_system *m)
{
    bool dense = m->M.format == PERP_FORMAT_DENSE;
    m->symmetric =
        dense ? dense_is_symmetric(&m->M, m->slack) : csc_is_symmetric(&m->M, m->slack, m->pivot);
}

/* ---- the symmetric block: unit (diag(a / b) + e I + M_kk) unit, ones on its diagonal ---- */

static double diagonal(const perp_matrix *M, int j)
{
    if (M->format == PERP_FORMAT_DENSE)
        return M->as.dense.x[(size_t)j * (size_t)M->as.dense.ld + (size_t)j];
    const struct perp_csc_view *c = &M->as.csc;
    int lo = c->p[j], hi = c->p[j + 1] - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (c->i[mid] < j)
            lo = mid + 1;
        else
            hi = mid;
    }
    return c->x[lo];
}

/* unit_i is 0 outside the block. False: a diagonal entry is not positive. */
static bool find_unit(perp_newton_system *m, double e)
{
    memset(m->unit, 0, (size_t)m->n * sizeof *m->unit);
    for (int k = 0; k < m->size; k++) {
        int i = m->set[k];
        double d = m->a[i] / m->b[i] + e + diagonal(&m->M, i);
        if (!(d > 0) || !isfinite(d)) return false;
        m->unit[i] = 1 / sqrt(d);
    }
    return true;
}

/* The smallest pivot is relative to the diagonal, which is 1. */
static bool pivots_are_sound(int k, const double *L)
{
    double least = k * DBL_EPSILON;
    for (int j = 0; j < k; j++) {
        double pivot = L[(size_t)j * (size_t)k + (size_t)j];
        if (!(pivot * pivot > least)) return false;
    }
    return true;
}

static bool factor_dense_symmetric(perp_newton_system *m)
{
    const struct perp_dense_view *M = &m->M.as.dense;
    int k = m->size;
    for (int c = 0; c < k; c++) {
        int j = m->set[c];
        const double *x = M->x + (size_t)j * (size_t)M->ld;
        double *to = m->block + (size_t)c * (size_t)k, unit = m->unit[j];
        to[c] = 1;
        for (int r = c + 1; r < k; r++) to[r] = x[m->set[r]] * (m->unit[m->set[r]] * unit);
    }
    return perp_cholesky_factor(k, m->block, k, m->arena->watch) == 0 &&
           pivots_are_sound(k, m->block);
}

/* 0 outside the block, but for ones on the diagonal. */
static int factor_sparse_symmetric(perp_newton_system *m)
{
    const struct perp_csc_view *M = &m->M.as.csc;
    if (!m->cholesky) m->cholesky = perp_factor_open(m->arena, PERP_CHOLESKY, m->n, M->p, M->i);
    if (!m->cholesky) return -1;
    for (int j = 0; j < m->n; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            int i = M->i[k];
            m->block[k] = i == j ? 1 : M->x[k] * (m->unit[i] * m->unit[j]);
        }
    }
    int status = perp_factor_compute(m->cholesky, m->block);
    if (status) return status;
    return perp_factor_rcond(m->cholesky) > m->n * DBL_EPSILON ? 0 : 1;
}

static int factor_symmetric(perp_newton_system *m, double e)
{
    if (!find_unit(m, e)) return 1;
    if (m->M.format != PERP_FORMAT_DENSE) return factor_sparse_symmetric(m);
    return factor_dense_symmetric(m) ? 0 : 1;
}

/* ---- the general block: diag(a) + diag(b) (e I + M_kk) ---- */

static int factor_dense(perp_newton_system *m, double e)
{
    const struct perp_dense_view *M = &m->M.as.dense;
    int k = m->size;
    for (int c = 0; c < k; c++) {
        int j = m->set[c];
        const double *x = M->x + (size_t)j * (size_t)M->ld;
        double *to = m->block + (size_t)c * (size_t)k;
        for (int r = 0; r < k; r++) to[r] = m->b[m->set[r]] * x[m->set[r]];
        to[c] += m->a[j] + m->b[j] * e;
    }
    double norm = perp_norm1(k, k, m->block, k);
    int status = perp_lu_factor(k, m->block, k, m->pivot, m->arena->watch);
    if (status) return status;
    return perp_lu_rcond(k, m->block, k, norm, m->work, m->pivot + k) > DBL_EPSILON ? 0 : 1;
}

static int factor_sparse(perp_newton_system *m, double e)
{
    const struct perp_csc_view *M = &m->M.as.csc;
    if (!m->lu) m->lu = perp_factor_open(m->arena, PERP_LU, m->n, M->p, M->i);
    if (!m->lu) return -1;
    memset(m->unit, 0, (size_t)m->n * sizeof *m->unit);
    for (int k = 0; k < m->size; k++) m->unit[m->set[k]] = 1;
    for (int j = 0; j < m->n; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++) {
            int i = M->i[k];
            bool inside = m->unit[i] > 0 && m->unit[j] > 0;
            m->block[k] = inside ? m->b[i] * M->x[k] : i == j;
            if (inside && i == j) m->block[k] += m->a[j] + m->b[j] * e;
        }
    }
    int status = perp_factor_compute(m->lu, m->block);
    if (status) return status;
    return perp_factor_rcond(m->lu) > DBL_EPSILON ? 0 : 1;
}

int perp_newton_system_factor(perp_newton_system *m, const double *a, const double *b, double e)
{
    if (perp_watch_stops(m->arena)) return PERP_STOPPED;
    m->a = a;
    m->b = b;
    m->size = 0;
    for (int i = 0; i < m->n; i++) {
        /* what b adds to the row would be rounded away */
        if (b[i] > DBL_EPSILON * a[i]) m->set[m->size++] = i;
    }
    if (m->symmetric && m->cholesky_failures < CHOLESKY_TRIES) {
        int status = factor_symmetric(m, e);
        m->by_cholesky = status == 0;
        if (status <= 0) return status;
        m->cholesky_failures++;
    }
    m->by_cholesky = false;
    return m->M.format == PERP_FORMAT_DENSE ? factor_dense(m, e) : factor_sparse(m, e);
}

/* ---- solving ---- */

static int solve_dense(perp_newton_system *m, double *d)
{
    int k = m->size;
    double *x = m->work;
    for (int c = 0; c < k; c++) {
        int i = m->set[c];
        x[c] = m->by_cholesky ? m->rhs[i] * m->unit[i] : m->rhs[i];
    }
    if (m->by_cholesky)
        perp_cholesky_solve(k, m->block, k, 1, x);
    else
        perp_lu_solve(k, m->block, k, m->pivot, false, 1, x);
    for (int c = 0; c < k; c++) {
        int i = m->set[c];
        d[i] = m->by_cholesky ? x[c] * m->unit[i] : x[c];
    }
    return 0;
}

static int solve_sparse(perp_newton_system *m, double *d)
{
    double *x = m->work;
    memset(x, 0, (size_t)m->n * sizeof *x);
    for (int c = 0; c < m->size; c++) {
        int i = m->set[c];
        x[i] = m->by_cholesky ? m->rhs[i] * m->unit[i] : m->rhs[i];
    }
    int status = perp_factor_solve(m->by_cholesky ? m->cholesky : m->lu, false, x, x);
    if (status) return status;
    for (int c = 0; c < m->size; c++) {
        int i = m->set[c];
        d[i] = m->by_cholesky ? x[i] * m->unit[i] : x[i];
    }
    return 0;
}

int perp_newton_system_solve(perp_newton_system *m, const double *r, double *d)
{
    for (int i = 0; i < m->n; i++) d[i] = r[i] / m->a[i];
    for (int c = 0; c < m->size; c++) d[m->set[c]] = 0;
    if (!vector_is_finite((size_t)m->n, d)) return 1;
    perp_mul(&m->M, 1, d, 0, m->rhs); /* what the known part of d leaves to the block */
    for (int c = 0; c < m->size; c++) {
        int i = m->set[c];
        double rest = r[i] - m->b[i] * m->rhs[i];
        m->rhs[i] = m->by_cholesky ? rest / m->b[i] : rest;
    }
    int status = m->M.format == PERP_FORMAT_DENSE ? solve_dense(m, d) : solve_sparse(m, d);
    if (status) return status;
    return vector_is_finite((size_t)m->n, d) ? 0 : 1;
}
