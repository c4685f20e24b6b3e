/* method/pivot_transform.c: principal pivot transform by one LU of M_aa.
 * Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 2.3.
 * With B = M_aa^-1 [I, M_ab, -q_a] and C = M_ba, the rows of a are [B_1, -B_2 | B_3], those of b
 * are [C B_1, M_bb - C B_2 | q_b + C B_3]. */
#include "pivot_transform.h"

#include "linalg/dense.h"

#include <float.h>

#define CONDITION (16 * DBL_EPSILON) /* 1/cond below which M_aa counts as singular */

size_t perp_pivot_transform_doubles(int n)
{
    size_t m = (size_t)n;
    return m * (2 * m + 2) + 4 * m;
}

size_t perp_pivot_transform_ints(int n)
{
    return 3 * (size_t)n;
}

/* A = M[rows, columns], leading dimension `rows`. */
static void gather(const double *M, int ldm, const int *row, int rows, const int *column,
                   int columns, double *A)
{
    for (int j = 0; j < columns; j++) {
        const double *m = M + (size_t)column[j] * (size_t)ldm;
        for (int i = 0; i < rows; i++) *A++ = m[row[i]];
    }
}

/* D[rows, columns] = A */
static void scatter(const double *A, int rows, int columns, const int *row, const int *column,
                    double *D, int ldd)
{
    for (int j = 0; j < columns; j++) {
        double *d = D + (size_t)column[j] * (size_t)ldd;
        for (int i = 0; i < rows; i++) d[row[i]] = *A++;
    }
}

/* B = M_aa^-1 [I, M_ab, -q_a], k x (n + 1). */
static bool solve_block(int n, const double *M, int ldm, const double *q, const int *order, int k,
                        double *B, double *LU, int *pivot, double *work, int *iwork,
                        const perp_watch *watch)
{
    gather(M, ldm, order, k, order, k, LU);
    double norm = perp_norm1(k, k, LU, k);
    if (perp_lu_factor(k, LU, k, pivot, watch)) return false;
    if (!(perp_lu_rcond(k, LU, k, norm, work, iwork) > CONDITION)) return false;
    size_t kk = (size_t)k * (size_t)k;
    for (size_t i = 0; i < kk; i++) B[i] = 0;
    for (int i = 0; i < k; i++) B[(size_t)i * (size_t)(k + 1)] = 1;
    gather(M, ldm, order, k, order + k, n - k, B + kk);
    for (int i = 0; i < k; i++) B[(size_t)n * (size_t)k + (size_t)i] = -q[order[i]];
    return perp_lu_solve_many(k, LU, k, pivot, n + 1, B, watch);
}

bool perp_pivot_transform(int n, const double *M, int ldm, const double *q, const bool *in,
                          double *D, int ldd, double *x, double *work, int *iwork,
                          const perp_watch *watch)
{
    int *order = iwork, k = 0, at;
    for (int i = 0; i < n; i++) {
        if (in[i]) order[k++] = i;
    }
    at = k;
    for (int i = 0; i < n; i++) {
        if (!in[i]) order[at++] = i;
    }
    const int *a = order, *b = order + k, nb = n - k;
    size_t size = (size_t)n + 1, block = (size_t)k * (size_t)k;
    double *B = work, *G = B + (size_t)k * size, *C = G + (size_t)nb * size;
    double *extra = work + (size_t)n * (2 * (size_t)n + 2); /* 4 n, for the condition estimate */

    if (k > 0 &&
        !solve_block(n, M, ldm, q, order, k, B, C, iwork + n, extra, iwork + 2 * n, watch)) {
        return false;
    }
    /* G = [0, M_bb, q_b] + C [B_1, -B_2, B_3], with the sign of B_2 turned first */
    for (size_t i = block; i < (size_t)k * (size_t)n; i++) B[i] = -B[i];
    for (size_t i = 0; i < (size_t)nb * (size_t)k; i++) G[i] = 0;
    gather(M, ldm, b, nb, b, nb, G + (size_t)nb * (size_t)k);
    for (int i = 0; i < nb; i++) G[(size_t)nb * (size_t)n + (size_t)i] = q[b[i]];
    if (k > 0 && nb > 0) {
        gather(M, ldm, b, nb, a, k, C);
        if (!perp_dense_product(nb, n + 1, k, C, nb, B, k, 1, G, nb, watch)) return false;
    }
    scatter(B, k, n, a, order, D, ldd);
    scatter(G, nb, n, b, order, D, ldd);
    for (int i = 0; i < k; i++) x[a[i]] = B[(size_t)k * (size_t)n + (size_t)i];
    for (int i = 0; i < nb; i++) x[b[i]] = G[(size_t)nb * (size_t)n + (size_t)i];
    return true;
}
