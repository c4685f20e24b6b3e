/* method/dictionary.c: pivoting with delayed rank-1 updates.
 *
 * With a = A[:,c], b = A[r,:] and p = a_r, solving row r for nonbasic c and substituting gives
 *     A_ij - a_i b_j / p,   row r: -b_j / p,   column c: a_i / p,   (r, c): 1 / p.
 * Row r and column c are written anew (they count as zero in D, U and V), so the change is one
 * product u v' with u = a / p, u_r = 1 / p, v = b, v_c = -1 and nothing cancels, whatever the size
 * of p. The rows b of a panel are not fetched one by one: b_l = D[r_l,:] - sum_m U[r_l,m] v_m is a
 * triangular system in the v's, solved for one column when it enters and for all at the flush. */
#include "dictionary.h"

#include "base/clones.h"
#include "linalg/lapack.h"

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
    return ld * (size_t)n + ld + (ld + ldv + PERP_PANEL) * PERP_PANEL;
}

void perp_dictionary_open(perp_dictionary *d, int m, int n, double *memory)
{
    d->m = m;
    d->n = n;
    d->ld = padded(m);
    d->ldv = padded(n);
    d->pending = 0;
    size_t ld = (size_t)d->ld, ldv = (size_t)d->ldv;
    d->panel = m <= SMALL ? NARROW : PERP_PANEL;
    d->D = memory;
    d->x = d->D + ld * (size_t)n;
    d->U = d->x + ld;
    d->V = d->U + ld * PERP_PANEL;
    d->L = d->V + ldv * PERP_PANEL;
    for (size_t j = 0; j < (size_t)n; j++) {
        for (size_t i = (size_t)m; i < ld; i++) d->D[i + j * ld] = 0;
    }
    memset(d->x, 0, ld * sizeof(double));
    memset(d->U, 0, ld * (size_t)d->panel * sizeof(double));
    memset(d->V, 0, ldv * (size_t)d->panel * sizeof(double));
}

/* y -= X s: n a multiple of 8, s with stride inc. */
PERP_CLONED_VOID(subtract_panel,
                 (int n, int k, const double *restrict X, int ld, const double *restrict s, int inc,
                  double *restrict y),
                 (n, k, X, ld, s, inc, y))
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

/* v = row c of V: what each pending update takes from column c. */
static void coefficients(const perp_dictionary *d, int c, double v[PERP_PANEL])
{
    const double *x = d->D + (size_t)c * (size_t)d->ld;
    int from = 0; /* updates before the last pivot on c have been written over */
    for (int l = d->pending; l-- > 0 && !from;) {
        if (d->column[l] == c) from = l + 1;
    }
    for (int l = 0; l < from; l++) v[l] = 0;
    if (from) v[from - 1] = -1;
    for (int l = from; l < d->pending; l++) {
        const double *lower = d->L + (size_t)l * PERP_PANEL;
        double s = from || d->again[l] ? 0 : x[d->row[l]];
        for (int m = from ? from - 1 : 0; m < l; m++) s -= lower[m] * v[m];
        v[l] = s;
    }
}

void perp_dictionary_column(const perp_dictionary *d, int c, double *a)
{
    double v[PERP_PANEL];
    coefficients(d, c, v);
    memcpy(a, d->D + (size_t)c * (size_t)d->ld, (size_t)d->ld * sizeof(double));
    for (int l = 0; l < d->pending; l++) a[d->row[l]] = 0;
    subtract_panel(d->ld, d->pending, d->U, d->ld, v, 1, a);
}

double perp_dictionary_entry(const perp_dictionary *d, int r, int c)
{
    double v[PERP_PANEL], s = d->D[(size_t)c * (size_t)d->ld + (size_t)r];
    coefficients(d, c, v);
    for (int l = 0; l < d->pending; l++) s = d->row[l] == r ? 0 : s;
    const double *u = d->U + r;
    for (int l = 0; l < d->pending; l++, u += d->ld) s -= *u * v[l];
    return s;
}

/* Is update l the last one on its column? */
static bool is_last(const perp_dictionary *d, int l)
{
    for (int k = l + 1; k < d->pending; k++) {
        if (d->column[k] == d->column[l]) return false;
    }
    return true;
}

/* s = V't: the columns that were not pivoted on are in D t already, those that were follow. */
void perp_dictionary_apply(const perp_dictionary *d, const double *t, double *y)
{
    double s[PERP_PANEL], v[PERP_PANEL];
    memset(y, 0, (size_t)d->ld * sizeof(double));
    for (int j = 0; j < d->n; j++) {
        double step = -t[j];
        if (step != 0)
            subtract_panel(d->ld, 1, d->D + (size_t)j * (size_t)d->ld, d->ld, &step, 1, y);
    }
    for (int l = 0; l < d->pending; l++) {
        const double *lower = d->L + (size_t)l * PERP_PANEL;
        s[l] = d->again[l] ? 0 : y[d->row[l]];
        for (int m = 0; m < l; m++) s[l] -= lower[m] * s[m];
    }
    for (int l = 0; l < d->pending; l++) {
        if (t[d->column[l]] == 0 || !is_last(d, l)) continue;
        coefficients(d, d->column[l], v);
        for (int k = 0; k < d->pending; k++) s[k] += t[d->column[l]] * v[k];
    }
    for (int l = 0; l < d->pending; l++) y[d->row[l]] = 0;
    subtract_panel(d->ld, d->pending, d->U, d->ld, s, 1, y);
}

PERP_CLONED_VOID(move_point, (int m, double step, const double *restrict a, double *restrict x),
                 (m, step, a, x))
{
    for (int i = 0; i < m; i++) x[i] += step * a[i];
}

PERP_CLONED_VOID(scale_into, (int m, double s, const double *restrict a, double *restrict u),
                 (m, s, a, u))
{
    for (int i = 0; i < m; i++) u[i] = s * a[i];
}

void perp_dictionary_pivot(perp_dictionary *d, int r, int c, const double *a)
{
    double inverse = 1 / a[r], step = -d->x[r] / a[r];
    int k = d->pending;
    size_t ld = (size_t)d->ld;
    double *u = d->U + (size_t)k * ld, *lower = d->L + (size_t)k * PERP_PANEL;

    d->again[k] = false;
    for (int l = 0; l < k; l++) {
        double *old = d->U + (size_t)l * ld + r;
        lower[l] = *old;
        *old = 0;
        d->again[k] |= d->row[l] == r;
    }
    d->row[k] = r;
    d->column[k] = c;
    memset(d->D + (size_t)c * ld, 0, ld * sizeof(double));
    scale_into(d->m, inverse, a, u);
    u[r] = inverse;

    move_point(d->m, step, a, d->x);
    d->x[r] = step;
    if (++d->pending == d->panel) perp_dictionary_flush(d);
}

/* Move the pivoted rows from D to V, and solve for the updates' rows. */
static void find_rows(perp_dictionary *d)
{
    size_t ld = (size_t)d->ld, ldv = (size_t)d->ldv;
    for (int j = 0; j < d->n; j++) {
        double *x = d->D + (size_t)j * ld, *v = d->V + j;
        for (int l = 0; l < d->pending; l++, v += ldv) {
            *v = x[d->row[l]]; /* zero where the row comes again */
            x[d->row[l]] = 0;
        }
    }
    if (d->m <= SMALL) {
        for (int l = 1; l < d->pending; l++) {
            subtract_panel(d->ldv, l, d->V, d->ldv, d->L + (size_t)l * PERP_PANEL, 1,
                           d->V + (size_t)l * ldv);
        }
    } else { /* L is stored by rows, so V = V L'^-1 with L' upper as LAPACK reads it */
        const double one = 1;
        const int panel = PERP_PANEL;
        dtrsm_("R", "U", "N", "U", &d->n, &d->pending, &one, d->L, &panel, d->V, &d->ldv, 1, 1, 1,
               1);
    }
    for (int l = 0; l < d->pending; l++) {
        double v[PERP_PANEL];
        coefficients(d, d->column[l], v);
        for (int k = 0; k < d->pending; k++) d->V[(size_t)k * ldv + (size_t)d->column[l]] = v[k];
    }
}

void perp_dictionary_flush(perp_dictionary *d)
{
    const double one = 1, minus = -1;
    if (d->pending == 0) return;
    find_rows(d);
    if (d->m > SMALL) {
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
