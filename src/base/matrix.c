/* base/matrix.c: y = a A x + b y and y = a A' x + b y for every format.
 * Plain loops in a fixed order: no BLAS, so that small sizes pay nothing and the bits do not depend
 * on a thread count; the certificate stands on these products. Dense columns go four at a time, so
 * that y (or x) is read once for four columns. Cost: one pass over the stored values, no memory. */
#include "perp/matrix.h"

/* y = b y, without reading y when b = 0: it may hold NaN. */
static void scale(int n, double b, double *y)
{
    if (b == 0) {
        for (int i = 0; i < n; i++) y[i] = 0;
    } else if (b != 1) {
        for (int i = 0; i < n; i++) y[i] *= b;
    }
}

/* y = t + b y for one entry, under the same rule. */
static double blend(double t, double b, double y)
{
    return b == 0 ? t : t + b * y;
}

/* ---- dense ---- */

/* y += A x for four columns of length m, ld apart; pairs of rows, which compilers turn into vectors
 * at -O2 too. */
static void add_four_columns(int m, const double *restrict A, size_t ld, const double x[4],
                             double *restrict y)
{
    const double *A1 = A + ld, *A2 = A1 + ld, *A3 = A2 + ld;
    double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        y[i] += (A[i] * x0 + A1[i] * x1) + (A2[i] * x2 + A3[i] * x3);
        y[i + 1] += (A[i + 1] * x0 + A1[i + 1] * x1) + (A2[i + 1] * x2 + A3[i + 1] * x3);
    }
    if (i < m) y[i] += (A[i] * x0 + A1[i] * x1) + (A2[i] * x2 + A3[i] * x3);
}

static void dense_mul(const perp_matrix *A, double a, const double *x, double *y)
{
    const double *column = A->as.dense.x;
    int m = A->m, n = A->n, j = 0;
    size_t ld = (size_t)A->as.dense.ld;
    for (; j + 4 <= n; j += 4) {
        if (x[j] == 0 && x[j + 1] == 0 && x[j + 2] == 0 && x[j + 3] == 0) continue;
        const double ax[4] = {a * x[j], a * x[j + 1], a * x[j + 2], a * x[j + 3]};
        add_four_columns(m, column + (size_t)j * ld, ld, ax, y);
    }
    for (; j < n; j++) {
        const double *c = column + (size_t)j * ld;
        double ax = a * x[j];
        for (int i = 0; i < m; i++) y[i] += c[i] * ax;
    }
}

/* Two partial sums, even and odd rows: without them each addition waits for the one before. */
static double dot(int m, const double *c, const double *x)
{
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        even += c[i] * x[i];
        odd += c[i + 1] * x[i + 1];
    }
    if (i < m) even += c[i] * x[i];
    return even + odd;
}

/* s = A' x for four columns, each summed as dot() does: a column's sum does not depend on where it
 * stands. */
static void dot_four_columns(int m, const double *A, size_t ld, const double *x, double s[4])
{
    const double *A1 = A + ld, *A2 = A1 + ld, *A3 = A2 + ld;
    double s0[2] = {0}, s1[2] = {0}, s2[2] = {0}, s3[2] = {0};
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        for (int k = 0; k < 2; k++) {
            double xi = x[i + k];
            s0[k] += A[i + k] * xi;
            s1[k] += A1[i + k] * xi;
            s2[k] += A2[i + k] * xi;
            s3[k] += A3[i + k] * xi;
        }
    }
    if (i < m) {
        s0[0] += A[i] * x[i];
        s1[0] += A1[i] * x[i];
        s2[0] += A2[i] * x[i];
        s3[0] += A3[i] * x[i];
    }
    s[0] = s0[0] + s0[1];
    s[1] = s1[0] + s1[1];
    s[2] = s2[0] + s2[1];
    s[3] = s3[0] + s3[1];
}

static void dense_mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    const double *column = A->as.dense.x;
    int m = A->m, n = A->n, j = 0;
    size_t ld = (size_t)A->as.dense.ld;
    for (; j + 4 <= n; j += 4) {
        double s[4];
        dot_four_columns(m, column + (size_t)j * ld, ld, x, s);
        for (int k = 0; k < 4; k++) y[j + k] = blend(a * s[k], b, y[j + k]);
    }
    for (; j < n; j++) y[j] = blend(a * dot(m, column + (size_t)j * ld, x), b, y[j]);
}

/* ---- compressed columns ---- */

static void csc_mul(const perp_matrix *A, double a, const double *x, double *y)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double ax = a * x[j];
        for (int k = v->p[j]; k < v->p[j + 1]; k++) y[v->i[k]] += v->x[k] * ax;
    }
}

static void csc_mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        double s = 0;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) s += v->x[k] * x[v->i[k]];
        y[j] = blend(a * s, b, y[j]);
    }
}

/* ---- compressed rows of 3x3 blocks ---- */

static void bsr3_mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int row = 0; row < A->m / 3; row++) {
        double s0 = 0, s1 = 0, s2 = 0;
        for (int k = v->p[row]; k < v->p[row + 1]; k++) {
            const double *B = v->x + 9 * (size_t)k, *c = x + 3 * (size_t)v->j[k];
            s0 += B[0] * c[0] + B[3] * c[1] + B[6] * c[2];
            s1 += B[1] * c[0] + B[4] * c[1] + B[7] * c[2];
            s2 += B[2] * c[0] + B[5] * c[1] + B[8] * c[2];
        }
        double *r = y + 3 * (size_t)row;
        r[0] = blend(a * s0, b, r[0]);
        r[1] = blend(a * s1, b, r[1]);
        r[2] = blend(a * s2, b, r[2]);
    }
}

static void bsr3_mul_t(const perp_matrix *A, double a, const double *x, double *y)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int row = 0; row < A->m / 3; row++) {
        const double *r = x + 3 * (size_t)row;
        double r0 = a * r[0], r1 = a * r[1], r2 = a * r[2];
        for (int k = v->p[row]; k < v->p[row + 1]; k++) {
            const double *B = v->x + 9 * (size_t)k;
            double *c = y + 3 * (size_t)v->j[k];
            c[0] += B[0] * r0 + B[1] * r1 + B[2] * r2;
            c[1] += B[3] * r0 + B[4] * r1 + B[5] * r2;
            c[2] += B[6] * r0 + B[7] * r1 + B[8] * r2;
        }
    }
}

/* ---- the calls ---- */

/* The arrays of an empty matrix may be NULL, and NULL must not be moved by an offset. */
static bool is_empty(const perp_matrix *A)
{
    return A->format == PERP_ABSENT || A->m == 0 || A->n == 0;
}

void perp_mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    if (A->format == PERP_OPERATOR) {
        A->as.op.mul(A->as.op.ctx, a, x, b, y);
    } else if (!is_empty(A) && A->format == PERP_BSR3) {
        bsr3_mul(A, a, x, b, y);
    } else {
        scale(A->m, b, y);
        if (is_empty(A)) return;
        if (A->format == PERP_DENSE) dense_mul(A, a, x, y);
        if (A->format == PERP_CSC) csc_mul(A, a, x, y);
    }
}

void perp_mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    if (A->format == PERP_OPERATOR) {
        A->as.op.mul_t(A->as.op.ctx, a, x, b, y);
    } else if (!is_empty(A) && A->format == PERP_DENSE) {
        dense_mul_t(A, a, x, b, y);
    } else if (!is_empty(A) && A->format == PERP_CSC) {
        csc_mul_t(A, a, x, b, y);
    } else {
        scale(A->n, b, y);
        if (!is_empty(A) && A->format == PERP_BSR3) bsr3_mul_t(A, a, x, y);
    }
}
