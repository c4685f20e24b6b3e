/* tests/support/qp_enumerate.h: small QPs judged naively, in long double: the residual, the proofs,
 * and all stationary points of active sets with regular KKT systems. */
#ifndef PERP_QP_ENUMERATE_H
#define PERP_QP_ENUMERATE_H

#include "generate.h"
#include "qp_residual.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SMALL_N 4
#define SMALL_M 4
#define SMALL_ALL (SMALL_N + SMALL_M)

typedef struct small_qp {
    int n, m;
    double H[SMALL_N * SMALL_N], A[SMALL_N * SMALL_M], c[SMALL_N]; /* column-major, ld n and m */
    double lo[SMALL_M], hi[SMALL_M], xlo[SMALL_N], xhi[SMALL_N];
} small_qp;

static inline perp_problem small_problem(const small_qp *q)
{
    perp_problem p = perp_make_qp(q->n, q->m, perp_dense(q->n, q->n, q->H), q->c,
                                  perp_dense(q->m, q->n, q->A), q->lo, q->hi);
    p.as.qp.xlo = q->xlo;
    p.as.qp.xhi = q->xhi;
    return p;
}

/* ---- residual ---- */

/* Entry j of constraint i's normal, bounds of variables first; its bounds. */
static inline double small_normal(const small_qp *q, int i, int j)
{
    return i < q->n ? i == j : q->A[j * q->m + i - q->n];
}

static inline double small_lo(const small_qp *q, int i)
{
    return i < q->n ? q->xlo[i] : q->lo[i - q->n];
}

static inline double small_hi(const small_qp *q, int i)
{
    return i < q->n ? q->xhi[i] : q->hi[i - q->n];
}

/* The residual of problem.h, and in *rounding what double arithmetic may err by. */
static inline long double small_residual(const small_qp *q, const double *z, long double *rounding)
{
    perp_problem p = small_problem(q);
    naive_residual r = naive_qp_residual(&p.as.qp, q->H, q->A, z);
    *rounding = r.rounding;
    return r.value;
}

static inline long double small_objective(const small_qp *q, const double *x)
{
    long double sum = 0;
    for (int i = 0; i < q->n; i++) {
        long double g = 0;
        for (int j = 0; j < q->n; j++) g += (long double)q->H[j * q->n + i] * x[j];
        sum += x[i] * (g / 2 + q->c[i]);
    }
    return sum;
}

/* ---- proofs ---- */

/* sum y+ lo - y- hi of the rows is more than A'y can be over the box. */
static inline bool small_is_infeasible(const small_qp *q, const double *w, double tol)
{
    long double gain = 0, terms = 0;
    for (int i = 0; i < q->m; i++) {
        double y = w[q->n + i], bound = y > 0 ? q->lo[i] : q->hi[i];
        if (y == 0) continue;
        if (isinf(bound)) return false;
        gain += (long double)y * bound;
        terms += fabsl((long double)y * bound);
    }
    for (int j = 0; j < q->n; j++) {
        long double g = 0, size = 0;
        for (int i = 0; i < q->m; i++) {
            long double t = (long double)w[q->n + i] * q->A[j * q->m + i];
            g += t;
            size += fabsl(t);
        }
        double bound = g > 0 ? q->xhi[j] : q->xlo[j];
        if (fabsl(g) <= tol * size && isinf(bound)) continue;
        if (isinf(bound)) return false;
        gain -= g * bound;
        terms += fabsl(g * bound);
    }
    return gain > 0 && gain > 1e-13L * terms;
}

/* d is a direction of recession with d'H d < 0, or with (H + H')d = 0 and c'd < 0. */
static inline bool small_is_unbounded(const small_qp *q, const double *d, double tol)
{
    long double most = 0, curve = 0, slope = 0, bend = 0, size = 0;
    for (int j = 0; j < q->n; j++) most = fmaxl(most, fabsl(d[j]));
    if (!(most > 0)) return false;
    for (int i = 0; i < q->n + q->m; i++) {
        long double v = 0, terms = 0;
        for (int j = 0; j < q->n; j++) {
            long double t = (long double)small_normal(q, i, j) * d[j];
            v += t;
            terms += fabsl(t);
        }
        terms = i < q->n ? most : terms;
        if (isfinite(small_lo(q, i)) && v < -tol * terms) return false;
        if (isfinite(small_hi(q, i)) && v > tol * terms) return false;
    }
    for (int i = 0; i < q->n; i++) {
        long double s = 0;
        for (int j = 0; j < q->n; j++) {
            long double h = ((long double)q->H[j * q->n + i] + q->H[i * q->n + j]) / 2 * d[j];
            s += h;
            size += fabsl(h * d[i]);
        }
        curve += s * d[i];
        bend = fmaxl(bend, fabsl(s));
        slope += (long double)q->c[i] * d[i];
    }
    if (curve < -1e-17L * size) return true; /* sums of long doubles are that exact */
    return slope < 0 && bend * most <= tol * (size + most * most);
}

/* ---- all active sets ---- */

typedef struct small_found {
    int points;        /* sets that have a stationary point */
    long double least; /* of the objective at them */
} small_found;

/* Gauss with full pivoting; false: singular. */
static inline bool small_solve(int n, long double K[SMALL_ALL][SMALL_ALL + 1], long double *x)
{
    int place[SMALL_ALL];
    for (int j = 0; j < n; j++) place[j] = j;
    for (int k = 0; k < n; k++) {
        int r = k, c = k;
        for (int i = k; i < n; i++) {
            for (int j = k; j < n; j++) {
                if (fabsl(K[i][j]) > fabsl(K[r][c])) {
                    r = i;
                    c = j;
                }
            }
        }
        if (fabsl(K[r][c]) < 1e-9L) return false;
        for (int j = 0; j <= n; j++) {
            long double t = K[k][j];
            K[k][j] = K[r][j];
            K[r][j] = t;
        }
        for (int i = 0; i < n; i++) {
            long double t = K[i][k];
            K[i][k] = K[i][c];
            K[i][c] = t;
        }
        int t = place[k];
        place[k] = place[c];
        place[c] = t;
        for (int i = k + 1; i < n; i++) {
            long double by = K[i][k] / K[k][k];
            for (int j = k; j <= n; j++) K[i][j] -= by * K[k][j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        long double sum = K[k][n];
        for (int j = k + 1; j < n; j++) sum -= K[k][j] * x[place[j]];
        x[place[k]] = sum / K[k][k];
    }
    return true;
}

/* x and multipliers with the constraints `set` held at their sides; false: no stationary point. */
static inline bool small_point(const small_qp *q, int k, const int *set, const int *side, double *x)
{
    long double K[SMALL_ALL][SMALL_ALL + 1] = {{0}}, s[SMALL_ALL] = {0};
    int n = q->n;
    if (k > n) return false;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) K[i][j] = q->H[j * n + i];
        for (int p = 0; p < k; p++) {
            K[i][n + p] = -(long double)small_normal(q, set[p], i);
            K[n + p][i] = small_normal(q, set[p], i);
        }
        K[i][n + k] = -(long double)q->c[i];
    }
    for (int p = 0; p < k; p++) {
        K[n + p][n + k] = side[p] > 0 ? small_lo(q, set[p]) : small_hi(q, set[p]);
    }
    if (!small_solve(n + k, K, s)) return false;
    for (int p = 0; p < k; p++) {
        bool equality = small_lo(q, set[p]) == small_hi(q, set[p]);
        if (!equality && side[p] * s[n + p] < -1e-11L) return false;
    }
    for (int i = 0; i < n + q->m; i++) {
        long double v = 0;
        for (int j = 0; j < n; j++) v += small_normal(q, i, j) * s[j];
        if (v < small_lo(q, i) - 1e-11L || v > small_hi(q, i) + 1e-11L) return false;
    }
    for (int j = 0; j < n; j++) x[j] = (double)s[j];
    return true;
}

/* Each constraint is outside the set, at lo, or at hi. */
static inline small_found small_enumerate(const small_qp *q)
{
    small_found found = {0};
    int all = q->n + q->m, count = 1;
    for (int i = 0; i < all; i++) count *= 3;
    for (int code = 0; code < count; code++) {
        int set[SMALL_ALL], side[SMALL_ALL], k = 0;
        double x[SMALL_N];
        bool good = true;
        for (int i = 0, c = code; i < all && good; i++, c /= 3) {
            double lo = small_lo(q, i), hi = small_hi(q, i);
            if (c % 3 == 0) continue; /* an equality too: it may depend on others */
            good = c % 3 == 1 ? isfinite(lo) : isfinite(hi) && lo != hi;
            set[k] = i;
            side[k++] = c % 3 == 1 ? 1 : -1;
            good &= k <= q->n;
        }
        if (!good || !small_point(q, k, set, side, x)) continue;
        long double value = small_objective(q, x);
        if (found.points == 0 || value < found.least) found.least = value;
        found.points++;
    }
    return found;
}

#endif
