/* linalg/dense.c: LU and Cholesky over LAPACK.
 * Golub & Van Loan, Matrix Computations, chapters 3 and 4; for refinement in working precision
 * Skeel (1980): one step makes LU with partial pivoting backward stable row by row. The wrappers
 * guard what LAPACK does not: NaN pivots, and arguments on which xerbla would print.
 */
#include "dense.h"

#include "base/vector.h"
#include "lapack.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <string.h>

static const int one = 1;

#define COLUMN_BY_COLUMN 1e6 /* multiplications: the limit of OpenBLAS' kernels that allocate */

void perp_dense_product(int m, int n, int k, const double *A, int lda, const double *B, int ldb,
                        double beta, double *C, int ldc)
{
    const double plus = 1;
    if ((double)m * n * k > COLUMN_BY_COLUMN) {
        dgemm_("N", "N", &m, &n, &k, &plus, A, &lda, B, &ldb, &beta, C, &ldc, 1, 1);
        return;
    }
    for (int j = 0; j < n; j++) {
        dgemv_("N", &m, &k, &plus, A, &lda, B + (size_t)j * (size_t)ldb, &one, &beta,
               C + (size_t)j * (size_t)ldc, &one, 1);
    }
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

int perp_lu_factor(int n, double *A, int ld, int *pivot)
{
    if (n <= 0) return 0;
    assert(ld >= n);
    int info = first_bad_column(n, n, A, ld);
    if (info) return info;
    dgetrf_(&n, &n, A, &ld, pivot, &info);
    assert(info >= 0);
    return first_bad_pivot(n, A, ld);
}

void perp_lu_solve(int n, const double *LU, int ld, const int *pivot, bool transpose, int k,
                   double *B)
{
    if (n <= 0 || k <= 0) return;
    assert(ld >= n);
    int info = 0;
    dgetrs_(transpose ? "T" : "N", &n, &k, LU, &ld, pivot, B, &n, &info, 1);
    assert(info == 0);
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

int perp_cholesky_factor(int n, double *A, int ld)
{
    if (n <= 0) return 0;
    assert(ld >= n);
    int info = 0;
    for (int j = 0; j < n; j++) {
        if (!vector_is_finite((size_t)(n - j), A + (size_t)j * (size_t)ld + j)) return j + 1;
    }
    dpotrf_("L", &n, A, &ld, &info, 1);
    assert(info >= 0);
    return info > 0 ? info : first_bad_pivot(n, A, ld);
}

void perp_cholesky_solve(int n, const double *L, int ld, int k, double *B)
{
    if (n <= 0 || k <= 0) return;
    assert(ld >= n);
    int info = 0;
    dpotrs_("L", &n, &k, L, &ld, B, &n, &info, 1);
    assert(info == 0);
}
