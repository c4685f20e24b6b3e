/* linalg/updated_chol.c: Cholesky factor with columns that join and leave.
 * Golub & Van Loan, Matrix Computations, section 6.5; Gill, Golub, Murray, Saunders, Methods for
 * modifying matrix factorizations, Math. Comp. 28 (1974).
 *
 * R is stored by columns, so that joining writes one contiguous column, both solves read columns,
 * and the rotations of a deletion run down columns, four at a time to hide their latency. Memory
 * ld^2 + 2 ld doubles. */
#include "updated_chol.h"

#include "base/clones.h"
#include "lapack.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SMALL 128 /* columns: triangular solves without BLAS */

static const int one = 1;

static double *column(const perp_updated *u, int j)
{
    return u->R + (size_t)j * (size_t)u->ld;
}

size_t perp_updated_doubles(int most)
{
    return (size_t)most * (size_t)most + 2 * (size_t)most;
}

void perp_updated_open(perp_updated *u, int most, double *memory)
{
    *u = (perp_updated){.ld = most > 0 ? most : 1, .R = memory};
    u->cosine = memory + (size_t)most * (size_t)most;
    u->sine = u->cosine + most;
}

void perp_updated_grow(perp_updated *u, int most, double *memory)
{
    perp_updated old = *u;
    assert(most >= old.k);
    perp_updated_open(u, most, memory);
    u->k = old.k;
    for (int j = 0; j < u->k; j++) {
        memcpy(column(u, j), column(&old, j), (size_t)(j + 1) * sizeof *u->R);
    }
}

/* ---- solving ---- */

/* Four columns at a time: their four sums do not wait for each other. BLAS takes longer to start
 * than this takes in all for the small factors that most sets have. */
PERP_CLONED_VOID(forward_small, (int k, const double *R, size_t ld, double *x), (k, R, ld, x))
{
    int j = 0;
    for (; j + 4 <= k; j += 4) {
        const double *a = R + (size_t)j * ld, *b = a + ld, *c = b + ld, *d = c + ld;
        double s[4] = {0}, t[4] = {0}, u[4] = {0}, v[4] = {0};
        for (int i = 0; i < j; i += 4) {
            for (int e = 0; e < 4; e++) {
                s[e] += a[i + e] * x[i + e];
                t[e] += b[i + e] * x[i + e];
                u[e] += c[i + e] * x[i + e];
                v[e] += d[i + e] * x[i + e];
            }
        }
        double *y = x + j;
        a += j;
        b += j;
        c += j;
        d += j;
        double y0 = (y[0] - (s[0] + s[1] + (s[2] + s[3]))) * (1 / a[0]);
        double y1 = (y[1] - (t[0] + t[1] + (t[2] + t[3])) - b[0] * y0) * (1 / b[1]);
        double y2 = (y[2] - (u[0] + u[1] + (u[2] + u[3])) - c[0] * y0 - c[1] * y1) * (1 / c[2]);
        double y3 =
            (y[3] - (v[0] + v[1] + (v[2] + v[3])) - d[0] * y0 - d[1] * y1 - d[2] * y2) * (1 / d[3]);
        y[0] = y0;
        y[1] = y1;
        y[2] = y2;
        y[3] = y3;
    }
    for (; j < k; j++) {
        const double *r = R + (size_t)j * ld;
        double even = x[j], odd = 0;
        for (int i = 0; i + 2 <= j; i += 2) {
            even -= r[i] * x[i];
            odd += r[i + 1] * x[i + 1];
        }
        if (j % 2) even -= r[j - 1] * x[j - 1];
        x[j] = (even - odd) / r[j];
    }
}

/* The last k % 4 unknowns, then four at a time. */
PERP_CLONED_VOID(backward_small, (int k, const double *R, size_t ld, double *x), (k, R, ld, x))
{
    int j = k;
    for (; j % 4; j--) {
        const double *r = R + (size_t)(j - 1) * ld;
        double y = x[j - 1] /= r[j - 1];
        for (int i = 0; i < j - 1; i++) x[i] -= y * r[i];
    }
    for (; j > 0; j -= 4) {
        const double *a = R + (size_t)(j - 4) * ld, *b = a + ld, *c = b + ld, *d = c + ld;
        const int f = j - 4;
        double y3 = x[f + 3] * (1 / d[f + 3]);
        double y2 = (x[f + 2] - d[f + 2] * y3) * (1 / c[f + 2]);
        double y1 = (x[f + 1] - d[f + 1] * y3 - c[f + 1] * y2) * (1 / b[f + 1]);
        double y0 = (x[f] - d[f] * y3 - c[f] * y2 - b[f] * y1) * (1 / a[f]);
        for (int i = 0; i < f; i++) x[i] -= (a[i] * y0 + b[i] * y1) + (c[i] * y2 + d[i] * y3);
        x[f] = y0;
        x[f + 1] = y1;
        x[f + 2] = y2;
        x[f + 3] = y3;
    }
}

void perp_updated_forward(const perp_updated *u, double *x)
{
    if (u->k <= SMALL)
        forward_small(u->k, u->R, (size_t)u->ld, x);
    else
        dtrsv_("U", "T", "N", &u->k, u->R, &u->ld, x, &one, 1, 1, 1);
}

void perp_updated_backward(const perp_updated *u, double *x)
{
    if (u->k <= SMALL)
        backward_small(u->k, u->R, (size_t)u->ld, x);
    else
        dtrsv_("U", "N", "N", &u->k, u->R, &u->ld, x, &one, 1, 1, 1);
}

/* ---- joining ---- */

double *perp_updated_room(const perp_updated *u)
{
    return column(u, u->k);
}

/* Rows k .. of the panel: M_bb - Y'Y; the upper triangle alone is used. */
static void reduce_panel(const perp_updated *u, int m, double *B)
{
    const double plus = 1, minus = -1;
    if (u->k == 0) return;
    dtrsm_("L", "U", "T", "N", &u->k, &m, &plus, u->R, &u->ld, B, &u->ld, 1, 1, 1, 1);
    dgemm_("T", "N", &m, &m, &u->k, &minus, B, &u->ld, B, &u->ld, &plus, B + u->k, &u->ld, 1, 1);
}

/* x, of length e, becomes T'^-1 x for the e x e triangle T at (k, k); returns |x|^2. */
static double solve_corner(const perp_updated *u, int e, double *x)
{
    double sum = 0;
    for (int s = 0; s < e; s++) {
        const double *t = column(u, u->k + s) + u->k;
        double r = x[s];
        for (int i = 0; i < s; i++) r -= t[i] * x[i];
        x[s] = r / t[s];
        sum += x[s] * x[s];
    }
    return sum;
}

int perp_updated_join(perp_updated *u, int m, double tol, bool *kept)
{
    int joined[PERP_UPDATED_PANEL], e = 0;
    double whole[PERP_UPDATED_PANEL];
    assert(m <= PERP_UPDATED_PANEL && u->k + m <= u->ld);
    double *B = perp_updated_room(u);
    for (int c = 0; c < m; c++) {
        whole[c] = B[(size_t)c * (size_t)u->ld + (size_t)(u->k + c)];
        for (int r = c + 1; r < m; r++) B[(size_t)c * (size_t)u->ld + (size_t)(u->k + r)] = 0;
    }
    reduce_panel(u, m, B);
    for (int c = 0; c < m; c++) {
        double *b = column(u, u->k + c), left = b[u->k + c];
        for (int s = 0; s < e; s++) b[u->k + s] = b[u->k + joined[s]];
        left -= solve_corner(u, e, b + u->k);
        if (tol < 0 && left < -tol * whole[c]) left = -tol * whole[c];
        kept[c] = left > tol * whole[c] && isfinite(left);
        if (!kept[c]) continue;
        double *to = column(u, u->k + e);
        if (e != c) memcpy(to, b, (size_t)(u->k + e) * sizeof *to);
        to[u->k + e] = sqrt(left);
        joined[e++] = c;
    }
    u->k += e;
    return e;
}

void perp_updated_push(perp_updated *u, const double *y, double root)
{
    assert(u->k < u->ld);
    double *r = column(u, u->k);
    memcpy(r, y, (size_t)u->k * sizeof *r);
    r[u->k++] = root;
}

/* ---- leaving ---- */

/* Rotations q = first .. last - 1 act on entries q and q + 1 of x; the results go to `to`, which
 * may be x or the column before it. Returns what has come to entry `last`. */
PERP_CLONED(double, rotate,
            (int first, int last, const double *cosine, const double *sine, const double *x,
             double *to),
            (first, last, cosine, sine, x, to))
{
    double carry = x[first];
    for (int q = first; q < last; q++) {
        double next = x[q + 1];
        to[q] = cosine[q] * carry + sine[q] * next;
        carry = cosine[q] * next - sine[q] * carry;
    }
    return carry;
}

/* The same for four neighbouring columns x, x + ld, .. whose results go one column to the left. */
PERP_CLONED_VOID(rotate_four,
                 (int first, int last, const double *cosine, const double *sine, double *x,
                  size_t ld, double carry[4]),
                 (first, last, cosine, sine, x, ld, carry))
{
    double *w = x - ld, *y = x + ld, *z = x + 2 * ld, *v = x + 3 * ld;
    double a = x[first], b = y[first], c = z[first], d = v[first];
    for (int q = first; q < last; q++) {
        double cq = cosine[q], sq = sine[q];
        double an = x[q + 1], bn = y[q + 1], cn = z[q + 1], dn = v[q + 1];
        w[q] = cq * a + sq * an;
        x[q] = cq * b + sq * bn;
        y[q] = cq * c + sq * cn;
        z[q] = cq * d + sq * dn;
        a = cq * an - sq * a;
        b = cq * bn - sq * b;
        c = cq * cn - sq * c;
        d = cq * dn - sq * d;
    }
    carry[0] = a;
    carry[1] = b;
    carry[2] = c;
    carry[3] = d;
}

/* Column j, whose entries up to `from` are rotated already with `carry` at `from`, moves to j - 1;
 * then its last two entries become one by rotation j - 1. */
static void finish_column(perp_updated *u, int j, int from, double carry)
{
    double *x = column(u, j), *to = column(u, j - 1);
    for (int q = from; q < j - 1; q++) {
        double next = x[q + 1];
        to[q] = u->cosine[q] * carry + u->sine[q] * next;
        carry = u->cosine[q] * next - u->sine[q] * carry;
    }
    double r = hypot(carry, x[j]);
    u->cosine[j - 1] = r > 0 ? carry / r : 1;
    u->sine[j - 1] = r > 0 ? x[j] / r : 0;
    to[j - 1] = r;
}

double perp_updated_delete(perp_updated *u, int at, double *y)
{
    assert(0 <= at && at < u->k);
    size_t ld = (size_t)u->ld;
    int j = at + 1;
    for (int i = j; i < u->k; i++) memcpy(column(u, i - 1), column(u, i), (size_t)at * sizeof *y);
    for (; j + 3 < u->k; j += 4) {
        double carry[4];
        rotate_four(at, j - 1, u->cosine, u->sine, column(u, j), ld, carry);
        for (int c = 0; c < 4; c++) finish_column(u, j + c, j - 1, carry[c]);
    }
    for (; j < u->k; j++) {
        double carry = rotate(at, j - 1, u->cosine, u->sine, column(u, j), column(u, j - 1));
        finish_column(u, j, j - 1, carry);
    }
    u->k--;
    return y ? rotate(at, u->k, u->cosine, u->sine, y, y) : 0;
}
