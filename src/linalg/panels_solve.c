/* linalg/panels_solve.c: solves with the panels of A = L D U, of which L D L' is one.
 *
 * Forward through the panels of L and back through those of U', which look the same; with A' the
 * other way round. Most panels of a KKT matrix are narrow, so
 * there is no call of BLAS here: a panel of up to four columns reads and writes the entries of x
 * where they are; a wider one has its entries gathered first, and takes four columns at a time. */
#include "panels.h"

#include "base/simd4.h"

/* own[c] -= A_c' y of `width` <= 4 columns of length m, then the columns among themselves: own =
 * T'^-1 own, where T is the unit lower triangle above them. */
PERP_INLINED void back_substitute(int width, int m, const double *T, size_t ld,
                                  double *restrict own)
{
    perp_simd4 sum[4];
    double dot[4];
    const double *A = T + width, *y = own + width;
    int r = 0;
    memset(sum, 0, sizeof sum);
    for (; r + 4 <= m; r += 4) {
        for (int c = 0; c < width; c++) simd4_add_product(&sum[c], A + (size_t)c * ld + r, y + r);
    }
    for (int c = 0; c < width; c++) dot[c] = simd4_sum(&sum[c]);
    for (; r < m; r++) {
        for (int c = 0; c < width; c++) dot[c] += A[(size_t)c * ld + (size_t)r] * y[r];
    }
    for (int c = width - 1; c >= 0; c--) {
        double x = own[c] - dot[c];
        for (int l = c + 1; l < width; l++) x -= T[(size_t)c * ld + (size_t)l] * own[l];
        own[c] = x;
    }
}

/* own = T^-1 own of `width` <= 4 columns, and what they have below it: y -= A own. */
PERP_INLINED void substitute(int width, int m, const double *T, size_t ld, double *restrict own)
{
    double a[4];
    for (int c = 0; c < width; c++) {
        double x = own[c];
        for (int l = 0; l < c; l++) x -= T[(size_t)l * ld + (size_t)c] * a[l];
        own[c] = a[c] = x;
    }
    const double *restrict A = T + width;
    double *restrict y = own + width;
    for (int r = 0; r < m; r++) {
        double x = y[r];
        for (int c = 0; c < width; c++) x -= A[(size_t)c * ld + (size_t)r] * a[c];
        y[r] = x;
    }
}

/* The same of a panel of `width` <= 4 columns, whose further rows are scattered in x. */
PERP_INLINED void substitute_narrow(int width, int below, const double *L, const int *list,
                                    double *own, double *x)
{
    size_t ld = (size_t)width + (size_t)below;
    double a[4];
    for (int c = 0; c < width; c++) {
        double sum = own[c];
        for (int l = 0; l < c; l++) sum -= L[(size_t)l * ld + (size_t)c] * a[l];
        own[c] = a[c] = sum;
    }
    for (int r = 0; r < below; r++) {
        double sum = x[list[r]];
        for (int c = 0; c < width; c++) sum -= L[(size_t)c * ld + (size_t)(width + r)] * a[c];
        x[list[r]] = sum;
    }
}

PERP_INLINED void back_substitute_narrow(int width, int below, const double *L, const int *list,
                                         double *own, const double *x)
{
    size_t ld = (size_t)width + (size_t)below;
    double a[4];
    for (int c = 0; c < width; c++) a[c] = own[c];
    for (int r = 0; r < below; r++) {
        double y = x[list[r]];
        for (int c = 0; c < width; c++) a[c] -= L[(size_t)c * ld + (size_t)(width + r)] * y;
    }
    for (int c = width - 1; c >= 0; c--) {
        for (int l = c + 1; l < width; l++) a[c] -= L[(size_t)c * ld + (size_t)l] * a[l];
        own[c] = a[c];
    }
}

/* Four columns at a time, in a vector that has the panel's rows one after the other. */
PERP_INLINED void substitute_wide(int k, int below, const double *L, const int *list, double *own,
                                  double *x, double *restrict y)
{
    int c = 0;
    size_t ld = (size_t)k + (size_t)below;
    memcpy(y, own, (size_t)k * sizeof *y);
    for (int r = 0; r < below; r++) y[k + r] = 0;
    for (; c + 4 <= k; c += 4) substitute(4, (int)ld - c - 4, L + (size_t)c * (ld + 1), ld, y + c);
    const double *T = L + (size_t)c * (ld + 1);
    if (k - c == 3) substitute(3, below, T, ld, y + c);
    if (k - c == 2) substitute(2, below, T, ld, y + c);
    if (k - c == 1) substitute(1, below, T, ld, y + c);
    memcpy(own, y, (size_t)k * sizeof *y);
    for (int r = 0; r < below; r++) x[list[r]] += y[k + r];
}

PERP_INLINED void back_substitute_wide(int k, int below, const double *L, const int *list,
                                       double *own, const double *x, double *restrict y)
{
    int c = k & ~3;
    size_t ld = (size_t)k + (size_t)below;
    memcpy(y, own, (size_t)k * sizeof *y);
    for (int r = 0; r < below; r++) y[k + r] = x[list[r]];
    const double *T = L + (size_t)c * (ld + 1);
    if (k - c == 3) back_substitute(3, below, T, ld, y + c);
    if (k - c == 2) back_substitute(2, below, T, ld, y + c);
    if (k - c == 1) back_substitute(1, below, T, ld, y + c);
    for (c -= 4; c >= 0; c -= 4) {
        back_substitute(4, (int)ld - c - 4, L + (size_t)c * (ld + 1), ld, y + c);
    }
    memcpy(own, y, (size_t)k * sizeof *y);
}

/* Rows of the own block of s as its pivots came, and back. */
static void swap_rows(const int *swap, int k, double *own)
{
    for (int j = 0; j < k; j++) {
        double x = own[j];
        own[j] = own[swap[j]];
        own[swap[j]] = x;
    }
}

static void swap_rows_back(const int *swap, int k, double *own)
{
    for (int j = k - 1; j >= 0; j--) {
        double x = own[j];
        own[j] = own[swap[j]];
        own[swap[j]] = x;
    }
}

PERP_INLINED void solve_forward(perp_panels *f, int s, const double *panels, double *x)
{
    const perp_supernodes *of = &f->of;
    int k = perp_super_width(of, s), below = of->count[s];
    const int *list = of->row + of->rows[s];
    const double *L = panels + of->panel[s];
    double *own = x + of->first[s];
    if (k == 1)
        substitute_narrow(1, below, L, list, own, x);
    else if (k == 2)
        substitute_narrow(2, below, L, list, own, x);
    else if (k == 3)
        substitute_narrow(3, below, L, list, own, x);
    else if (k == 4)
        substitute_narrow(4, below, L, list, own, x);
    else
        substitute_wide(k, below, L, list, own, x, f->work);
}

PERP_INLINED void solve_backward(perp_panels *f, int s, const double *panels, double *x)
{
    const perp_supernodes *of = &f->of;
    int k = perp_super_width(of, s), below = of->count[s];
    const int *list = of->row + of->rows[s];
    const double *L = panels + of->panel[s];
    double *own = x + of->first[s];
    if (k == 1)
        back_substitute_narrow(1, below, L, list, own, x);
    else if (k == 2)
        back_substitute_narrow(2, below, L, list, own, x);
    else if (k == 3)
        back_substitute_narrow(3, below, L, list, own, x);
    else if (k == 4)
        back_substitute_narrow(4, below, L, list, own, x);
    else
        back_substitute_wide(k, below, L, list, own, x, f->work);
}

PERP_CLONED_VOID(solve_panels, (perp_panels * f, bool transpose, double *x), (f, transpose, x))
{
    const perp_supernodes *of = &f->of;
    const double *forward = transpose ? f->U : f->L, *backward = transpose ? f->L : f->U;
    for (int s = 0; s < of->supers; s++) {
        int first = of->first[s], k = perp_super_width(of, s);
        if (f->swapped && !transpose) swap_rows(f->swap + first, k, x + first);
        solve_forward(f, s, forward, x);
    }
    for (int k = 0; k < of->n; k++) x[k] /= f->d[k];
    for (int s = of->supers - 1; s >= 0; s--) {
        int first = of->first[s], k = perp_super_width(of, s);
        solve_backward(f, s, backward, x);
        if (f->swapped && transpose) swap_rows_back(f->swap + first, k, x + first);
    }
}

void perp_panels_solve(perp_panels *f, bool transpose, const double *b, double *x)
{
    const int *perm = f->of.perm;
    double *y = f->x;
    for (int k = 0; k < f->of.n; k++) y[k] = b[perm[k]];
    solve_panels(f, transpose, y);
    for (int k = 0; k < f->of.n; k++) x[perm[k]] = y[k];
}
