/* linalg/dense_panels.c: LU, Cholesky and the inverse of a triangle, a panel of columns at a time.
 * Golub & Van Loan, Matrix Computations, sections 3.2.11, 3.4.5 and 4.2.6: a panel is factored by
 * LAPACK, and what is behind it is brought up to date by products of matrices, some columns at a
 * time. Between two calls the watch is looked at.
 *
 * Nearly all of the time is spent in products, as in LAPACK's own. With OPENBLAS_NUM_THREADS=1 and
 * OPENBLAS_CORETYPE=Haswell on busy cores, panels of 128 columns and n = 1000, 1500 and 3000, LU
 * took 3, 3 and 8 % more processor time than dgetrf, Cholesky 7, 1 and 4 % less than dpotrf. */
#include "dense_panels.h"

#include "dense.h"
#include "lapack.h"

#include <math.h>

#define PANEL 128 /* columns: for n = 3000 a panel's LU takes 5e7 multiplications */

static const double plus = 1, minus = -1;
static const int one = 1;

static int at_most(int count, int most)
{
    return count < most ? count : most;
}

/* Columns of an update at once, of `columns` in parts of the same size: the kernels of OpenBLAS
 * that allocate (dense.h) are those for small products. */
static int slab(int columns, double per_column)
{
    double parts = ceil(per_column * columns / PERP_DENSE_MOST);
    return parts > 1 ? (int)(columns / parts) + 1 : columns;
}

/* Columns of the panel at `from`: the last one has what is left. */
static int width(int n, int from)
{
    return n - from <= PERP_DENSE_WHOLE ? n - from : PANEL;
}

static double *entry(double *A, int ld, int row, int column)
{
    return A + (size_t)column * (size_t)ld + (size_t)row;
}

/* ---- LU ---- */

/* Columns behind a panel at `from` of w columns: their rows exchanged, then U, then the rest. */
static bool update_lu(int n, double *A, int ld, const int *pivot, int from, int w,
                      perp_watched *seen)
{
    int first = from + 1, last = from + w, below = n - last;
    int some = slab(below, (double)below * w);
    for (int c = last, q; c < n; c += q) {
        double *U = entry(A, ld, from, c);
        q = at_most(n - c, some);
        dlaswp_(&q, entry(A, ld, 0, c), &ld, &first, &last, pivot, &one);
        dtrsm_("L", "L", "N", "U", &w, &q, &plus, entry(A, ld, from, from), &ld, U, &ld, 1, 1, 1,
               1);
        dgemm_("N", "N", &below, &q, &w, &minus, entry(A, ld, last, from), &ld, U, &ld, &plus,
               U + w, &ld, 1, 1);
        if (perp_watch_spent(seen, (double)below * q * w)) return false;
    }
    return true;
}

bool perp_dense_lu_panels(int n, double *A, int ld, int *pivot, const perp_watch *watch)
{
    perp_watched seen = {.watch = watch};
    for (int j = 0; j < n; j++) pivot[j] = j + 1;
    for (int j = 0, w; j < n; j += w) {
        w = width(n, j);
        int rows = n - j, info = 0, first = j + 1, last = j + w;
        dgetrf_(&rows, &w, entry(A, ld, j, j), &ld, pivot + j, &info);
        for (int k = j; k < last; k++) pivot[k] += j;
        if (j > 0) dlaswp_(&j, A, &ld, &first, &last, pivot, &one);
        if (perp_watch_spent(&seen, (double)rows * w * w)) return false;
        if (!update_lu(n, A, ld, pivot, j, w, &seen)) return false;
    }
    return true;
}

/* ---- Cholesky ---- */

/* The lower triangle behind a panel at `from` of w columns. */
static bool update_cholesky(int n, double *A, int ld, int from, int w, perp_watched *seen)
{
    int last = from + w, some = slab(n - last, (double)(n - last) * w);
    for (int c = last, q; c < n; c += q) {
        q = at_most(n - c, some);
        int below = n - c - q;
        const double *L = entry(A, ld, c, from);
        dsyrk_("L", "N", &q, &w, &minus, L, &ld, &plus, entry(A, ld, c, c), &ld, 1, 1);
        if (below > 0) {
            dgemm_("N", "T", &below, &q, &w, &minus, L + q, &ld, L, &ld, &plus,
                   entry(A, ld, c + q, c), &ld, 1, 1);
        }
        if (perp_watch_spent(seen, (double)(n - c) * q * w)) return false;
    }
    return true;
}

int perp_dense_cholesky_panels(int n, double *A, int ld, const perp_watch *watch)
{
    perp_watched seen = {.watch = watch};
    for (int j = 0, w; j < n; j += w) {
        w = width(n, j);
        int below = n - j - w, info = 0;
        double *D = entry(A, ld, j, j);
        dpotrf_("L", &w, D, &ld, &info, 1);
        if (info) return j + info;
        if (below == 0) return 0;
        dtrsm_("R", "L", "T", "N", &below, &w, &plus, D, &ld, D + w, &ld, 1, 1, 1, 1);
        if (!update_cholesky(n, A, ld, j, w, &seen)) return PERP_STOPPED;
    }
    return 0;
}

/* ---- the inverse of a triangle ---- */

/* From the last panel to the first: the inverse behind a panel is there, and
 * -L22^-1 L21 L11^-1 takes the place of L21. */
int perp_dense_invert_panels(int n, double *L, int ld, const perp_watch *watch)
{
    perp_watched seen = {.watch = watch};
    for (int j = (n - 1) / PANEL * PANEL; j >= 0; j -= PANEL) {
        int w = at_most(n - j, PANEL), below = n - j - w, info = 0,
            some = slab(w, 0.5 * below * below);
        double *D = entry(L, ld, j, j);
        for (int c = 0, q; below > 0 && c < w; c += q) {
            q = at_most(w - c, some);
            dtrmm_("L", "L", "N", "N", &below, &q, &plus, entry(D, ld, w, w), &ld,
                   entry(D, ld, w, c), &ld, 1, 1, 1, 1);
            if (perp_watch_spent(&seen, 0.5 * below * below * q)) return PERP_STOPPED;
        }
        if (below > 0) {
            dtrsm_("R", "L", "N", "N", &below, &w, &minus, D, &ld, D + w, &ld, 1, 1, 1, 1);
        }
        dtrtri_("L", "N", &w, D, &ld, &info, 1, 1);
        if (info) return j + info;
    }
    return 0;
}
