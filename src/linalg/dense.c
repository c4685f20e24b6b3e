/* linalg/dense.c: LU and Cholesky over LAPACK; large ones by panels (dense_panels.h), small ones by
 * loops (dense_small.h).
 * Golub & Van Loan, Matrix Computations, chapters 3 and 4; for refinement in working precision
 * Skeel (1980): one step makes LU with partial pivoting backward stable row by row. The wrappers
 * guard what LAPACK does not: NaN pivots, and arguments on which xerbla would print.
 */
#include "dense.h"

#include "base/vector.h"
#include "dense_panels.h"
#include "dense_small.h"
#include "lapack.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <string.h>

static const int one = 1;

#define COLUMN_BY_COLUMN 1e6 /* multiplications: the limit of OpenBLAS' kernels that allocate */

/* Columns of a product at once: those of so many multiplications, in whole registers. */
static int slab(int n, double per_column)
{
    double some = PERP_DENSE_MOST / (per_column + 1);
    return some < n ? (some < 8 ? 8 : (int)some / 8 * 8) : n;
}

bool perp_dense_product(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                        double beta, double *C, int ldc, const perp_watch *watch)
{
    const double plus = 1;
    perp_watched seen = {.watch = watch};
    bool whole = (double)m * n * k > COLUMN_BY_COLUMN;
    int some = whole ? slab(n, (double)m * k) : 1;
    for (int j = 0; j < n; j += some) {
        int q = n - j < some ? n - j : some;
        const double *from = B + (size_t)j * (size_t)ldb;
        double *to = C + (size_t)j * (size_t)ldc;
        if (whole)
            dgemm_("N", "N", &m, &q, &k, &plus, A, &lda, from, &ldb, &beta, to, &ldc, 1, 1);
        else
            dgemv_("N", &m, &k, &plus, A, &lda, from, &one, &beta, to, &one, 1);
        if (perp_watch_spent(&seen, (double)m * q * k)) return false;
    }
    return true;
}

bool perp_dense_product_t(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                          double *C, int ldc, const perp_watch *watch)
{
    const double plus = 1, zero = 0;
    perp_watched seen = {.watch = watch};
    int some = slab(n, (double)m * k);
    for (int j = 0; j < n; j += some) {
        int q = n - j < some ? n - j : some;
        dgemm_("T", "N", &m, &q, &k, &plus, A, &lda, B + (size_t)j * (size_t)ldb, &ldb, &zero,
               C + (size_t)j * (size_t)ldc, &ldc, 1, 1);
        if (perp_watch_spent(&seen, (double)m * q * k)) return false;
    }
    return true;
}

bool perp_dense_gram(int n, int k, const double *A, int lda, double *C, int ldc,
                     const perp_watch *watch)
{
    const double plus = 1, zero = 0;
    perp_watched seen = {.watch = watch};
    int some = slab(n, (double)n * k);
    for (int j = 0; j < n; j += some) {
        int q = n - j < some ? n - j : some;
        const double *B = A + (size_t)j * (size_t)lda;
        double *to = C + (size_t)j * (size_t)ldc;
        if (j > 0) dgemm_("T", "N", &j, &q, &k, &plus, A, &lda, B, &lda, &zero, to, &ldc, 1, 1);
        dsyrk_("U", "T", &q, &k, &plus, B, &lda, &zero, to + j, &ldc, 1, 1);
        if (perp_watch_spent(&seen, (double)(j + q) * q * k)) return false;
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++)
            C[(size_t)i * (size_t)ldc + (size_t)j] = C[(size_t)j * (size_t)ldc + (size_t)i];
    }
    return true;
}

/* The first column, from 1, with a NaN or Inf; 0: none. */
static int first_bad_column(int m, int n, const double *A, int ld)
{
    for (int j = 0; j < n; j++) {
        if (!vector_is_finite((size_t)m, A + (size_t)j * (size_t)ld)) return j + 1;
    }
    return 0;
}

static double diagonal(const double *A, int ld, int j)
{
    return A[(size_t)j * (size_t)ld + (size_t)j];
}

/* LAPACK runs through NaN, which is neither zero nor negative; finite data can still overflow. */
static int first_bad_pivot(int n, const double *A, int ld)
{
    for (int j = 0; j < n; j++) {
        double d = diagonal(A, ld, j);
        if (d == 0 || !isfinite(d)) return j + 1;
    }
    return 0;
}

/* ---- LU ---- */

/* Pivots that exchange nothing, so that whoever follows them stays inside. */
static int stop_lu(int n, int *pivot)
{
    for (int j = 0; j < n; j++) pivot[j] = j + 1;
    return PERP_STOPPED;
}

int perp_lu_factor(int n, double *A, int ld, int *pivot, const perp_watch *watch)
{
    if (n <= 0) return 0;
    assert(ld >= n);
    if (n > PERP_DENSE_WHOLE && perp_watch_asks(watch)) return stop_lu(n, pivot);
    int info = first_bad_column(n, n, A, ld);
    if (info) return info;
    if (n <= PERP_DENSE_SMALL)
        perp_small_lu(n, A, ld, pivot);
    else if (n <= PERP_DENSE_WHOLE)
        dgetrf_(&n, &n, A, &ld, pivot, &info);
    else if (!perp_dense_lu_panels(n, A, ld, pivot, watch))
        return PERP_STOPPED;
    assert(info >= 0);
    return first_bad_pivot(n, A, ld);
}

void perp_lu_solve(int n, const double *LU, int ld, const int *pivot, bool transpose, int k,
                   double *B)
{
    if (n <= 0 || k <= 0) return;
    assert(ld >= n);
    int info = 0;
    if (n <= PERP_DENSE_SMALL) {
        for (int j = 0; j < k; j++) {
            perp_small_lu_solve(n, LU, ld, pivot, transpose, B + (size_t)j * (size_t)n);
        }
        return;
    }
    dgetrs_(transpose ? "T" : "N", &n, &k, LU, &ld, pivot, B, &n, &info, 1);
    assert(info == 0);
}

bool perp_lu_solve_many(int n, const double *LU, int ld, const int *pivot, int k, double *B,
                        const perp_watch *watch)
{
    perp_watched seen = {.watch = watch};
    int some = slab(k, (double)n * n);
    for (int j = 0; j < k; j += some) {
        int q = k - j < some ? k - j : some;
        perp_lu_solve(n, LU, ld, pivot, false, q, B + (size_t)j * (size_t)n);
        if (perp_watch_spent(&seen, (double)n * n * q)) return false;
    }
    return true;
}

double perp_lu_refine(int n, const double *A, const double *LU, int ld, const int *pivot,
                      bool transpose, const double *b, double *x, double *work)
{
    if (n <= 0) return 0;
    const double minus = -1, plus = 1;
    memcpy(work, b, (size_t)n * sizeof *work);
    dgemv_(transpose ? "T" : "N", &n, &n, &minus, A, &ld, x, &one, &plus, work, &one, 1);
    perp_lu_solve(n, LU, ld, pivot, transpose, 1, work);
    if (!vector_is_finite((size_t)n, work)) return INFINITY;
    for (int i = 0; i < n; i++) x[i] += work[i];
    double step = vector_max(n, work);
    return step == 0 ? 0 : step / vector_max(n, x);
}

double perp_lu_rcond(int n, const double *LU, int ld, double norm, double *work, int *iwork)
{
    if (n <= 0) return 1;
    if (!(norm > 0) || !isfinite(norm) || first_bad_pivot(n, LU, ld)) return 0;
    double rcond = 0;
    int info = 0;
    dgecon_("1", &n, LU, &ld, &norm, &rcond, work, iwork, &info, 1);
    return info == 0 && rcond > 0 ? rcond : 0;
}

double perp_norm1(int m, int n, const double *A, int ld)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        const double *a = A + (size_t)j * (size_t)ld;
        double sum = 0;
        for (int i = 0; i < m; i++) sum += fabs(a[i]);
        norm = sum > norm || isnan(sum) ? sum : norm;
    }
    return norm;
}

/* ---- Cholesky ---- */

int perp_cholesky_factor(int n, double *A, int ld, const perp_watch *watch)
{
    if (n <= 0) return 0;
    assert(ld >= n);
    int info = 0;
    if (n > PERP_DENSE_WHOLE && perp_watch_asks(watch)) return PERP_STOPPED;
    for (int j = 0; j < n; j++) {
        if (!vector_is_finite((size_t)(n - j), A + (size_t)j * (size_t)ld + j)) return j + 1;
    }
    if (n <= PERP_DENSE_SMALL)
        info = perp_small_cholesky(n, A, ld);
    else if (n <= PERP_DENSE_WHOLE)
        dpotrf_("L", &n, A, &ld, &info, 1);
    else
        info = perp_dense_cholesky_panels(n, A, ld, watch);
    assert(info >= 0 || info == PERP_STOPPED);
    return info ? info : first_bad_pivot(n, A, ld);
}

void perp_cholesky_solve(int n, const double *L, int ld, int k, double *B)
{
    if (n <= 0 || k <= 0) return;
    assert(ld >= n);
    int info = 0;
    if (n <= PERP_DENSE_SMALL) {
        for (int j = 0; j < k; j++) {
            perp_small_cholesky_solve(n, L, ld, B + (size_t)j * (size_t)n);
        }
        return;
    }
    dpotrs_("L", &n, &k, L, &ld, B, &n, &info, 1);
    assert(info == 0);
}

int perp_triangle_invert(int n, double *L, int ld, const perp_watch *watch)
{
    if (n <= 0) return 0;
    assert(ld >= n);
    int info = 0;
    if (n > PERP_DENSE_WHOLE) return perp_dense_invert_panels(n, L, ld, watch);
    dtrtri_("L", "N", &n, L, &ld, &info, 1, 1);
    assert(info >= 0);
    return info;
}
