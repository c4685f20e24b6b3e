/* linalg/dense_small.c: LU with partial pivoting and Cholesky in plain loops over columns.
 * Golub & Van Loan, Matrix Computations, algorithms 3.4.1 and 4.2.2.
 *
 * 2 n^3 / 3 and n^3 / 3 operations, a solve 2 n^2. No memory. */
#include "dense_small.h"

#include <math.h>
#include <stddef.h>

static inline double *column_of(double *A, int ld, int j)
{
    return A + (size_t)j * (size_t)ld;
}

static inline const double *column_in(const double *A, int ld, int j)
{
    return A + (size_t)j * (size_t)ld;
}

/* ---- LU ---- */

static int find_largest(int n, const double *a, int from)
{
    int at = from;
    for (int i = from + 1; i < n; i++) {
        if (fabs(a[i]) > fabs(a[at])) at = i;
    }
    return at;
}

static void exchange_rows(int n, double *A, int ld, int i, int k)
{
    if (i == k) return;
    for (int j = 0; j < n; j++) {
        double *a = column_of(A, ld, j), kept = a[i];
        a[i] = a[k];
        a[k] = kept;
    }
}

void perp_small_lu(int n, double *A, int ld, int *pivot)
{
    for (int k = 0; k < n; k++) {
        double *l = column_of(A, ld, k);
        int at = find_largest(n, l, k);
        pivot[k] = at + 1;
        if (l[at] == 0) continue;
        exchange_rows(n, A, ld, k, at);
        for (int i = k + 1; i < n; i++) l[i] /= l[k];
        for (int j = k + 1; j < n; j++) {
            double *a = column_of(A, ld, j), t = a[k];
            if (t == 0) continue;
            for (int i = k + 1; i < n; i++) a[i] -= l[i] * t;
        }
    }
}

static void exchange(double *b, const int *pivot, int k)
{
    double kept = b[k];
    b[k] = b[pivot[k] - 1];
    b[pivot[k] - 1] = kept;
}

static void solve_transposed(int n, const double *LU, int ld, const int *pivot, double *b)
{
    for (int j = 0; j < n; j++) {
        const double *u = column_in(LU, ld, j);
        for (int i = 0; i < j; i++) b[j] -= u[i] * b[i];
        b[j] /= u[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *l = column_in(LU, ld, j);
        for (int i = j + 1; i < n; i++) b[j] -= l[i] * b[i];
    }
    for (int k = n - 1; k >= 0; k--) exchange(b, pivot, k);
}

void perp_small_lu_solve(int n, const double *LU, int ld, const int *pivot, bool transpose,
                         double *b)
{
    if (transpose) {
        solve_transposed(n, LU, ld, pivot, b);
        return;
    }
    for (int k = 0; k < n; k++) exchange(b, pivot, k);
    for (int j = 0; j < n; j++) {
        const double *l = column_in(LU, ld, j);
        for (int i = j + 1; i < n; i++) b[i] -= l[i] * b[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *u = column_in(LU, ld, j);
        b[j] /= u[j];
        for (int i = 0; i < j; i++) b[i] -= u[i] * b[j];
    }
}

/* ---- Cholesky ---- */

int perp_small_cholesky(int n, double *A, int ld)
{
    for (int k = 0; k < n; k++) {
        double *l = column_of(A, ld, k);
        if (!(l[k] > 0)) return k + 1;
        l[k] = sqrt(l[k]);
        for (int i = k + 1; i < n; i++) l[i] /= l[k];
        for (int j = k + 1; j < n; j++) {
            double *a = column_of(A, ld, j), t = l[j];
            for (int i = j; i < n; i++) a[i] -= l[i] * t;
        }
    }
    return 0;
}

void perp_small_cholesky_solve(int n, const double *L, int ld, double *b)
{
    for (int j = 0; j < n; j++) {
        const double *l = column_in(L, ld, j);
        b[j] /= l[j];
        for (int i = j + 1; i < n; i++) b[i] -= l[i] * b[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *l = column_in(L, ld, j);
        for (int i = j + 1; i < n; i++) b[j] -= l[i] * b[i];
        b[j] /= l[j];
    }
}
