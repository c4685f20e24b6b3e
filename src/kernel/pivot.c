/* kernel/pivot.c: pivoting with delayed rank-1 updates.
 *
 * With a = A[:,c], b = A[r,:] and p = a_r, solving row r for nonbasic c and substituting gives
 *     A_ij - a_i b_j / p,   row r: -b_j / p,   column c: a_i / p,   (r, c): 1 / p.
 * Row r and column c are written anew (zeroed in D, U and V), so the change is one product u v'
 * with u = a / p, u_r = 1 / p, v = b, v_c = -1 and nothing cancels, whatever the size of p. */
#include "pivot.h"

#include "clones.h"
#include "lapack.h"

#include <string.h>

#define SMALL 160 /* up to here plain loops beat the library's matrix product */
#define NARROW 16 /* panel of a small dictionary */
#define BAD_STRIDE                                                                                 \
    64 /* doubles; leading dimensions at multiples of eight of it share cache sets                 \
        */

static int padded(int m)
{
    int ld = (m + 7) / 8 * 8;
    return ld % (8 * BAD_STRIDE) == 0 ? ld + 8 : ld;
}

size_t perp_dictionary_size(int m, int n)
{
    size_t ld = (size_t)padded(m), ldv = (size_t)padded(n);
    return ld * (size_t)n + ld + ldv + (ld + ldv) * PERP_PANEL;
}

void perp_dictionary_open(perp_dictionary *d, int m, int n, double *memory)
{
    *d = (perp_dictionary){.m = m, .n = n, .ld = padded(m), .ldv = padded(n)};
    size_t ld = (size_t)d->ld, ldv = (size_t)d->ldv;
    d->panel = m <= SMALL ? NARROW : PERP_PANEL;
    d->D = memory;
    d->x = d->D + ld * (size_t)n;
    d->row = d->x + ld;
    d->U = d->row + ldv;
    d->V = d->U + ld * PERP_PANEL;
    for (size_t j = 0; j < (size_t)n; j++) {
        for (size_t i = (size_t)m; i < ld; i++) d->D[i + j * ld] = 0;
    }
    memset(d->x, 0, ld * sizeof(double));
    memset(d->row, 0, ldv * sizeof(double));
    memset(d->U, 0, ld * (size_t)d->panel * sizeof(double));
    memset(d->V, 0, ldv * (size_t)d->panel * sizeof(double));
}

/* y -= X s: n a multiple of 8, s with stride inc. */
PERP_CLONED static void subtract_panel(int n, int k, const double *restrict X, int ld,
                                       const double *restrict s, int inc, double *restrict y)
{
    int j = 0;
    for (; j + 4 <= k; j += 4) {
        const double *x = X + (size_t)j * (size_t)ld;
        const double *x1 = x + ld, *x2 = x1 + ld, *x3 = x2 + ld;
        double s0 = s[(size_t)j * (size_t)inc], s1 = s[(size_t)(j + 1) * (size_t)inc];
        double s2 = s[(size_t)(j + 2) * (size_t)inc], s3 = s[(size_t)(j + 3) * (size_t)inc];
        for (int i = 0; i < n; i++) y[i] -= x[i] * s0 + x1[i] * s1 + x2[i] * s2 + x3[i] * s3;
    }
    for (; j < k; j++) {
        const double *x = X + (size_t)j * (size_t)ld;
        double s0 = s[(size_t)j * (size_t)inc];
        for (int i = 0; i < n; i++) y[i] -= x[i] * s0;
    }
}

void perp_dictionary_column(const perp_dictionary *d, int c, double *a)
{
    memcpy(a, d->D + (size_t)c * (size_t)d->ld, (size_t)d->ld * sizeof(double));
    subtract_panel(d->ld, d->pending, d->U, d->ld, d->V + c, d->ldv, a);
}

double perp_dictionary_entry(const perp_dictionary *d, int r, int c)
{
    double s = d->D[(size_t)c * (size_t)d->ld + (size_t)r];
    const double *u = d->U + r, *v = d->V + c;
    for (int k = 0; k < d->pending; k++, u += d->ld, v += d->ldv) s -= *u * *v;
    return s;
}

static void write_row(perp_dictionary *d, int r)
{
    double *x = d->D + r;
    for (int j = 0; j < d->n; j++, x += d->ld) {
        d->row[j] = *x;
        *x = 0;
    }
    subtract_panel(d->ldv, d->pending, d->V, d->ldv, d->U + r, d->ld, d->row);
    for (int k = 0; k < d->pending; k++) d->U[(size_t)k * (size_t)d->ld + (size_t)r] = 0;
}

PERP_CLONED static void move_point(int m, double step, const double *restrict a, double *restrict x)
{
    for (int i = 0; i < m; i++) x[i] += step * a[i];
}

PERP_CLONED static void scale_into(int m, double s, const double *restrict a, double *restrict u)
{
    for (int i = 0; i < m; i++) u[i] = s * a[i];
}

void perp_dictionary_pivot(perp_dictionary *d, int r, int c, const double *a)
{
    double inverse = 1 / a[r], step = -d->x[r] / a[r];
    size_t k = (size_t)d->pending;
    double *u = d->U + k * (size_t)d->ld, *v = d->V + k * (size_t)d->ldv;

    write_row(d, r);
    memset(d->D + (size_t)c * (size_t)d->ld, 0, (size_t)d->ld * sizeof(double));
    for (size_t j = 0; j < k; j++) d->V[j * (size_t)d->ldv + (size_t)c] = 0;

    scale_into(d->m, inverse, a, u);
    u[r] = inverse;
    memcpy(v, d->row, (size_t)d->n * sizeof(double));
    v[c] = -1;

    move_point(d->m, step, a, d->x);
    d->x[r] = step;
    if (++d->pending == d->panel) perp_dictionary_flush(d);
}

void perp_dictionary_flush(perp_dictionary *d)
{
    const double one = 1, minus = -1;
    if (d->pending > 0 && d->m > SMALL) {
        dgemm_("N", "T", &d->m, &d->n, &d->pending, &minus, d->U, &d->ld, d->V, &d->ldv, &one, d->D,
               &d->ld, 1, 1);
    } else {
        for (int j = 0; j < d->n; j++) {
            subtract_panel(d->ld, d->pending, d->U, d->ld, d->V + j, d->ldv,
                           d->D + (size_t)j * (size_t)d->ld);
        }
    }
    d->pending = 0;
}
