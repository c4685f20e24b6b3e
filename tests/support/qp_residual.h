/* tests/support/qp_residual.h: the residual of a qp as problem.h has it, naively and in long
 * double.
 */
#ifndef PERP_QP_RESIDUAL_H
#define PERP_QP_RESIDUAL_H

#include "perp/problem.h"

#include <float.h>
#include <math.h>

typedef struct naive_residual {
    long double value, units, gap, natural, objective;
    long double rounding; /* by which plain sums of doubles may err in value */
} naive_residual;

static inline long double naive_map(long double z, long double w, double lo, double hi)
{
    long double t = z - w;
    return z - (t < lo ? lo : t > hi ? hi : t);
}

/* What v has to the bound on the side of a multiplier's sign. */
static inline long double naive_reach(long double v, long double force, double lo, double hi)
{
    double bound = force > 0 ? lo : hi;
    return fabsl(v - (isfinite(bound) ? bound : 0));
}

static inline double naive_bound(const double *b, int i, double none)
{
    return b ? b[i] : none;
}

/* sum += x_j M_ij of column j = `at` of M', or of row `at` of M; and the sizes. */
static inline long double naive_dot(int n, const double *M, int first, int step, const double *x,
                                    long double *size)
{
    long double sum = 0;
    for (int k = 0; M && k < n; k++) {
        long double t = (long double)M[first + k * step] * x[k];
        sum += t;
        *size += fabsl(t);
    }
    return sum;
}

typedef struct naive_sums {
    long double columns, rows, c, nearest; /* squares of the natural map and its scales */
    long double gap, gap_error, objective_size;
} naive_sums;

static inline void naive_worst(naive_residual *r, long double part, long double error)
{
    r->units = fmaxl(r->units, part);
    r->rounding = fmaxl(r->rounding, error);
}

static inline void naive_column(const perp_qp *qp, const double *H, const double *A,
                                const double *z, int j, naive_residual *r, naive_sums *s)
{
    int n = qp->n, m = qp->m;
    double lo = naive_bound(qp->xlo, j, -INFINITY), hi = naive_bound(qp->xhi, j, INFINITY);
    long double size = fabs(qp->c[j]), x = z[j], c = qp->c[j];
    long double h = naive_dot(n, H, j, n, z, &size), a = naive_dot(m, A, j * m, 1, z + n, &size);
    long double g = h + c - a, sigma = 1 + fmaxl(fabsl(c), fmaxl(fabsl(h), fabsl(a)));
    naive_worst(r, fabsl(naive_map(x, g / sigma, lo, hi)) / (1 + fabsl(x)), size / sigma);
    s->gap += fabsl(g) * naive_reach(x, g, lo, hi);
    s->gap_error += size * fmaxl(naive_reach(x, 1, lo, hi), naive_reach(x, -1, lo, hi));
    s->objective_size += size * fabsl(x);
    r->objective += x * (h / 2 + c);
    s->columns += powl(naive_map(x, g, lo, hi), 2);
    s->c += c * c;
}

static inline void naive_row(const perp_qp *qp, const double *A, const double *z, int i,
                             naive_residual *r, naive_sums *s)
{
    double lo = naive_bound(qp->lo, i, -INFINITY), hi = naive_bound(qp->hi, i, INFINITY);
    long double size = 0, y = z[qp->n + i], v = naive_dot(qp->n, A, i, qp->m, z, &size);
    if (isfinite(lo)) naive_worst(r, fmaxl(lo - v, 0) / (1 + fabs(lo)), size / (1 + fabs(lo)));
    if (isfinite(hi)) naive_worst(r, fmaxl(v - hi, 0) / (1 + fabs(hi)), size / (1 + fabs(hi)));
    long double map = naive_map(v, y, lo, hi), scale = 1 + fmaxl(fabsl(v), fabsl(y));
    naive_worst(r, fabsl(map) / scale, 2 * size / scale);
    s->gap += fabsl(y) * naive_reach(v, y, lo, hi);
    s->gap_error += fabsl(y) * size;
    s->rows += map * map;
    s->nearest += powl(naive_map(0, 0, lo, hi), 2);
}

/* H and A are dense, column by column; H may be NULL. */
static inline naive_residual naive_qp_residual(const perp_qp *qp, const double *H, const double *A,
                                               const double *z)
{
    naive_residual r = {0};
    naive_sums s = {0};
    for (int j = 0; j < qp->n; j++) naive_column(qp, H, A, z, j, &r, &s);
    for (int i = 0; i < qp->m; i++) naive_row(qp, A, z, i, &r, &s);
    long double scale = 1 + fabsl(r.objective);
    r.gap = s.gap / scale;
    r.value = fmaxl(r.units, r.gap);
    r.rounding = fmaxl(r.rounding, (s.gap_error + s.gap + r.gap * s.objective_size) / scale);
    r.rounding *= 4 * (qp->n + qp->m + 4) * DBL_EPSILON;
    r.natural = hypotl(sqrtl(s.columns) / (1 + sqrtl(s.c)), sqrtl(s.rows) / (1 + sqrtl(s.nearest)));
    return r;
}

#endif
