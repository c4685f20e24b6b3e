/* lcp/quadratic.h: what methods that minimise z'M z / 2 + q'z over z >= 0 share: the product
 * with a symmetric M, the test for symmetry, the diagonal, and the residual. */
#ifndef PERP_LCP_QUADRATIC_H
#define PERP_LCP_QUADRATIC_H

#include "base/format.h"
#include "base/vector.h"
#include "base/watch.h"

/* Relative |M v - M'v| that passes for symmetric: far above rounding, far below any real skew. */
#define QUADRATIC_SYMMETRY 1e-8

/* y = M x for symmetric M. Compressed columns are gathered, not scattered: the sums stay in
 * registers, which saves a fifth of the time on a five-point Laplacian. */
static inline void quadratic_mul(const perp_matrix *M, const double *x, double *y)
{
    if (M->format == PERP_FORMAT_CSC)
        perp_mul_t(M, 1, x, 0, y);
    else
        perp_mul(M, 1, x, 0, y);
}

/* w = M z + q */
static inline void quadratic_slope(const perp_matrix *M, const double *q, const double *z,
                                   double *w)
{
    quadratic_mul(M, z, w);
    for (int i = 0; i < M->n; i++) w[i] += q[i];
}

/* Numbers in [0.5, 1.5) without pattern, the same every time. */
static inline void quadratic_probe(int n, double *v)
{
    uint64_t s = UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < n; i++) {
        s ^= s >> 12;
        s ^= s << 25;
        s ^= s >> 27;
        v[i] = 0.5 + (double)(s * UINT64_C(2685821657736338717) >> 11) * 0x1p-53;
    }
}

/* |M v - M'v| / |M v| for a probe v whose signs alternate at random; 0 for symmetric M. Three
 * vectors of scratch. */
static inline double quadratic_skew(const perp_matrix *M, double *v, double *Mv, double *Mtv)
{
    int n = M->n;
    quadratic_probe(n, v);
    for (int i = 0; i < n; i++) v[i] = v[i] < 1 ? -v[i] : v[i];
    perp_mul(M, 1, v, 0, Mv);
    perp_mul_t(M, 1, v, 0, Mtv);
    double size = vector_norm(n, Mv), other = vector_norm(n, Mtv);
    for (int i = 0; i < n; i++) Mtv[i] -= Mv[i];
    size = other > size ? other : size;
    return size > 0 ? vector_norm(n, Mtv) / size : 0;
}

/* The diagonal of M; false: an operator does not show it. */
static inline bool quadratic_diagonal(const perp_matrix *M, double *d)
{
    for (int j = 0; j < M->n; j++) d[j] = 0;
    if (perp_has_entries(M)) perp_formats[M->format]->read_diagonal(M, d);
    return perp_has_entries(M);
}

/* The largest eigenvalue of D M, which is |D^1/2 M D^1/2|, from below, by so many steps of the
 * power method, one at least; none is begun after the watch asks to stop. Two vectors of scratch.
 */
static inline double quadratic_norm(const perp_matrix *M, const double *d, int steps, double *v,
                                    double *Mv, const perp_watch *watch)
{
    int n = M->n;
    double norm = 0;
    quadratic_probe(n, v);
    for (int i = 0; i < n; i++) v[i] *= i % 2 ? sqrt(d[i]) : -sqrt(d[i]);
    for (int k = 0; k < steps; k++) {
        double up = 0, down = 0, size = 0;
        if (k > 0 && perp_watch_asks(watch)) break;
        quadratic_mul(M, v, Mv);
        for (int i = 0; i < n; i++) {
            up += Mv[i] * Mv[i] * d[i];
            down += v[i] * v[i] / d[i];
            v[i] = Mv[i] * d[i];
            size = fabs(v[i]) > size ? fabs(v[i]) : size;
        }
        if (!(up > 0) || !(size > 0)) break;
        norm = up > norm * norm * down ? sqrt(up / down) : norm;
        for (int i = 0; i < n; i++) v[i] /= size;
    }
    return norm;
}

/* |min(z, w)|, scaled where squares would overflow or vanish; NaN when there is one. */
static inline double quadratic_residual(int n, const double *z, const double *w)
{
    double sum = 0, most = 0;
    for (int i = 0; i < n; i++) {
        double m = w[i] < z[i] || isnan(w[i]) ? w[i] : z[i];
        sum += m * m;
    }
    if (sum > 1e-200 && sum < 1e200) return sqrt(sum);
    for (int i = 0; i < n; i++) {
        double m = fabs(w[i] < z[i] || isnan(w[i]) ? w[i] : z[i]);
        most = m > most || isnan(m) ? m : most;
    }
    if (most == 0 || !isfinite(most)) return most;
    sum = 0;
    for (int i = 0; i < n; i++) {
        double m = (w[i] < z[i] ? w[i] : z[i]) / most;
        sum += m * m;
    }
    return most * sqrt(sum);
}

/* What the energy z'M z / 2 + q'z lost between two points with their slopes w = M z + q. Formed
 * from the difference, it holds to the last digits of a solve, where the energies themselves agree.
 */
static inline double quadratic_fall(int n, const double *old_z, const double *old_w,
                                    const double *z, const double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (old_z[i] - z[i]) * (w[i] + old_w[i]);
    return sum / 2;
}

#endif
