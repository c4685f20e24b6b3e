/* method/newton.c: Fischer-Burmeister merit, directions and line search.
 * De Luca, Facchinei, Kanzow, A semismooth equation approach to the solution of nonlinear
 * complementarity problems, Mathematical Programming 75 (1996); the same, A theoretical and
 * numerical comparison of some semismooth algorithms, Computational Optimization and Applications
 * 16 (2000); Grippo, Lampariello, Lucidi, SIAM Journal on Numerical Analysis 23 (1986).
 * A direction costs a factorisation (linalg/newton_system.c) or at most 2 CG_STEPS products with M.
 */
#include "newton.h"

#include "base/convert.h"
#include "base/vector.h"
#include "linalg/equilibrate.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#define ARMIJO 1e-4  /* part of the predicted fall of the merit that has to come true */
#define DESCENT 1e-3 /* least slope of a direction, against that of an exact Newton step */
#define CG_STEPS 50  /* of a truncated Levenberg-Marquardt direction */
#define CG_ACCURACY 0.01
#define MONOTONE 5    /* first steps, in which the merit must fall: De Luca et al., section 7 */
#define CLEARLY 0.99  /* a fall of the merit to this part of it is progress, */
#define PATIENCE 80   /* and so many steps without are none */
#define FARTHEST 1e10 /* q has the size of 1, and should not drown in the rounding of M z */

/* ---- opening: the scaled problem ---- */

static bool scale_dense(perp_newton *k, perp_arena *arena, const perp_matrix *M)
{
    size_t n = (size_t)k->n;
    k->M = *M;
    if (!perp_equilibrate(k->n, M->as.dense.x, M->as.dense.ld, k->r, k->s, k->work)) return true;
    double *x = perp_alloc_unset(arena, n * n, sizeof *x);
    if (!x) return false;
    for (size_t j = 0; j < n; j++) {
        const double *from = M->as.dense.x + j * (size_t)M->as.dense.ld;
        for (size_t i = 0; i < n; i++) x[j * n + i] = k->r[i] * from[i] * k->s[j];
    }
    k->M = perp_dense(k->n, k->n, x);
    return true;
}

/* A canonical copy in which every diagonal entry is there; false: no memory. */
static bool copy_with_diagonal(perp_newton *k, perp_arena *arena, const perp_matrix *M)
{
    perp_matrix sorted;
    if (perp_sort_csc(M, arena, &sorted)) return false;
    const struct perp_csc_view *c = &sorted.as.csc;
    if (c->p[k->n] > INT_MAX - k->n) return false;
    size_t most = (size_t)c->p[k->n] + (size_t)k->n;
    int *p = perp_alloc_unset(arena, (size_t)k->n + 1, sizeof *p);
    int *rows = perp_alloc_unset(arena, most, sizeof *rows);
    double *x = perp_alloc_unset(arena, most, sizeof *x);
    if (arena->failed) return false;
    int to = p[0] = 0;
    for (int j = 0; j < k->n; j++) {
        bool seen = false;
        for (int e = c->p[j]; e < c->p[j + 1]; e++) {
            if (c->i[e] > j && !seen) rows[to] = j, x[to++] = 0;
            seen |= c->i[e] >= j;
            rows[to] = c->i[e], x[to++] = c->x[e];
        }
        if (!seen) rows[to] = j, x[to++] = 0;
        p[j + 1] = to;
    }
    k->M = perp_csc(k->n, k->n, p, rows, x);
    return true;
}

/* The size of q becomes 1, so that squares neither overflow nor vanish. */
static void scale_q(perp_newton *k, const double *q)
{
    double most = 0;
    for (int i = 0; i < k->n; i++) most = fmax(most, fabs(k->r[i] * q[i]));
    k->unit = most > 0 && isfinite(most) ? exp2(floor(log2(most))) : 1;
    for (int i = 0; i < k->n; i++) k->q[i] = k->r[i] * q[i] / k->unit;
}

static bool allocate(perp_newton *k, perp_arena *arena)
{
    double **const vectors[] = {&k->q, &k->r, &k->s, &k->z,  &k->w,     &k->G,     &k->a,
                                &k->b, &k->g, &k->d, &k->Md, &k->try_z, &k->try_w, &k->try_G};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        *vectors[v] = perp_alloc(arena, (size_t)k->n, sizeof(double));
    }
    k->work = perp_alloc(arena, 4 * (size_t)k->n, sizeof(double));
    k->recent = perp_alloc(arena, (size_t)k->memory, sizeof(double));
    return !arena->failed;
}

bool perp_newton_open(perp_newton *k, perp_arena *arena, const perp_matrix *M, const double *q,
                      int memory)
{
    *k = (perp_newton){.n = M->n, .memory = memory};
    if (!allocate(k, arena)) return false;
    if (M->format == PERP_FORMAT_DENSE) {
        if (!scale_dense(k, arena, M)) return false;
    } else {
        if (arena->fixed || !copy_with_diagonal(k, arena, M)) return false;
        perp_equilibrate_csc(k->n, k->M.as.csc.p, k->M.as.csc.i, (double *)k->M.as.csc.x, k->r,
                             k->s, k->work); /* our own copy */
    }
    scale_q(k, q);
    return perp_newton_system_open(&k->system, arena, &k->M);
}

/* ---- the iterate ---- */

static void find_slack(const perp_newton *k, const double *z, double *w)
{
    memcpy(w, k->q, (size_t)k->n * sizeof *w);
    perp_mul(&k->M, 1, z, 1, w);
}

/* |(x, y)|; hypot only where squares would overflow or vanish. */
static inline double length_of(double x, double y)
{
    double sum = x * x + y * y;
    return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : hypot(x, y);
}

/* G, and |G|^2 / 2; the first form would lose the digits of the smaller of two positive numbers.
 * INFINITY where z is so far off that rounding could make up a w that suits. */
static double find_map(int n, const double *z, const double *w, double *G)
{
    double sum = 0, farthest = 0;
    for (int i = 0; i < n; i++) {
        double length = length_of(z[i], w[i]), both = z[i] + w[i];
        G[i] = both > 0 ? 2 * z[i] * (w[i] / (both + length)) : both - length;
        sum += G[i] * G[i];
        farthest = fmax(farthest, fabs(z[i]));
    }
    return farthest <= FARTHEST ? 0.5 * sum : INFINITY;
}

/* 1 - x / |(x, y)|, without cancellation. */
static inline double derivative(double x, double y, double length)
{
    return x > 0 ? y / length * (y / (length + x)) : 1 - x / length;
}

/* a and b where z_i = w_i = 0: limits from the direction c, 1 there and 0 elsewhere. */
static void differentiate_corners(perp_newton *k)
{
    double *c = k->work, *Mc = k->work + k->n;
    for (int i = 0; i < k->n; i++) c[i] = k->z[i] == 0 && k->w[i] == 0;
    perp_mul(&k->M, 1, c, 0, Mc);
    for (int i = 0; i < k->n; i++) {
        if (c[i] == 0) continue;
        double length = sqrt(1 + Mc[i] * Mc[i]);
        k->a[i] = derivative(1, Mc[i], length);
        k->b[i] = derivative(Mc[i], 1, length);
    }
}

/* y = (diag(a) + diag(b) M)' x; uses the last quarter of work. */
static void mul_derivative_t(const perp_newton *k, const double *x, double *y)
{
    double *bx = k->work + 3 * (size_t)k->n;
    for (int i = 0; i < k->n; i++) {
        bx[i] = k->b[i] * x[i];
        y[i] = k->a[i] * x[i];
    }
    perp_mul_t(&k->M, 1, bx, 1, y);
}

static void differentiate(perp_newton *k)
{
    bool corners = false;
    for (int i = 0; i < k->n; i++) {
        double z = k->z[i], w = k->w[i], length = length_of(z, w);
        corners |= length == 0;
        k->a[i] = length > 0 ? derivative(z, w, length) : 1;
        k->b[i] = length > 0 ? derivative(w, z, length) : 1;
    }
    if (corners) differentiate_corners(k);
    mul_derivative_t(k, k->G, k->g);
}

/* z is new: everything else follows. */
static bool arrive(perp_newton *k)
{
    find_slack(k, k->z, k->w);
    k->merit = find_map(k->n, k->z, k->w, k->G);
    if (!isfinite(k->merit)) return false;
    differentiate(k);
    k->recent[k->steps++ % k->memory] = k->merit;
    k->since++;
    if (k->merit < k->lowest) k->lowest = k->merit;
    if (k->merit < CLEARLY * k->mark) k->mark = k->merit, k->since = 0;
    return true;
}

static bool begin(perp_newton *k)
{
    k->steps = 0, k->lowest = k->mark = INFINITY;
    return arrive(k);
}

bool perp_newton_start(perp_newton *k, const double *z)
{
    for (int i = 0; i < k->n; i++) k->z[i] = z[i] / k->s[i] / k->unit;
    return begin(k);
}

bool perp_newton_start_at(perp_newton *k, double value)
{
    for (int i = 0; i < k->n; i++) k->z[i] = value;
    return begin(k);
}

/* |min(z, w)| in the problem's own units; uses the last quarter of work. */
static double natural_norm(const perp_newton *k, const double *z, const double *w)
{
    double *m = k->work + 3 * (size_t)k->n;
    for (int i = 0; i < k->n; i++) {
        double own_z = z[i] * k->s[i] * k->unit, own_w = w[i] / k->r[i] * k->unit;
        m[i] = own_w < own_z || isnan(own_w) ? own_w : own_z;
    }
    return vector_norm(k->n, m);
}

double perp_newton_read(perp_newton *k, double *z)
{
    const double *best = k->z;
    k->natural = natural_norm(k, k->z, k->w);
    for (int i = 0; i < k->n; i++) k->try_z[i] = k->z[i] > 0 ? k->z[i] : 0;
    find_slack(k, k->try_z, k->try_w);
    double positive = natural_norm(k, k->try_z, k->try_w);
    if (positive <= k->natural) k->natural = positive, best = k->try_z;
    for (int i = 0; i < k->n; i++) z[i] = best[i] * k->s[i] * k->unit;
    return k->natural;
}

/* ---- directions ---- */

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static bool solve_system(perp_newton *k, const double *a, const double *b, double e,
                         const double *rhs)
{
    int status = perp_newton_system_factor(&k->system, a, b, e);
    if (status == 0) status = perp_newton_system_solve(&k->system, rhs, k->d);
    k->starved |= status < 0;
    return status == 0;
}

bool perp_newton_direct_fb(perp_newton *k, double e)
{
    double *rhs = k->try_G;
    for (int i = 0; i < k->n; i++) rhs[i] = -k->G[i];
    if (!solve_system(k, k->a, k->b, e, rhs)) return false;
    /* an exact Newton step has the slope -2 merit */
    return dot(k->n, k->g, k->d) <= -DESCENT * k->merit;
}

bool perp_newton_direct_min(perp_newton *k)
{
    double *a = k->try_z, *b = k->try_w, *rhs = k->try_G;
    for (int i = 0; i < k->n; i++) {
        bool active = k->w[i] < k->z[i];
        a[i] = !active, b[i] = active;
        rhs[i] = active ? -k->w[i] : -k->z[i];
    }
    return solve_system(k, a, b, 0, rhs);
}

/* Conjugate gradients on (J'J + e |G| I) d = -g, J = G'(z), from 0: every iterate descends, the
 * first along the gradient. work: residual -G - J d, direction and its product with J. */
bool perp_newton_direct_descent(perp_newton *k, double e)
{
    int n = k->n;
    double *d = k->d, *p = k->work, *Jp = k->work + n, *rest = k->try_z, *s = k->try_w;
    double shift = e * sqrt(2 * k->merit);
    for (int i = 0; i < n; i++) {
        d[i] = 0;
        rest[i] = -k->G[i];
        p[i] = s[i] = -k->g[i];
    }
    double size = dot(n, s, s), enough = CG_ACCURACY * CG_ACCURACY * size;
    if (!(size > 0) || !isfinite(size)) return false;
    for (int step = 0; step < CG_STEPS && size > enough; step++) {
        perp_mul(&k->M, 1, p, 0, Jp);
        for (int i = 0; i < n; i++) Jp[i] = k->a[i] * p[i] + k->b[i] * Jp[i];
        double curvature = dot(n, Jp, Jp) + shift * dot(n, p, p);
        double length = size / curvature, last = size;
        if (!(curvature > 0) || !isfinite(length)) break;
        for (int i = 0; i < n; i++) {
            d[i] += length * p[i];
            rest[i] -= length * Jp[i];
        }
        mul_derivative_t(k, rest, s);
        for (int i = 0; i < n; i++) s[i] -= shift * d[i];
        size = dot(n, s, s);
        for (int i = 0; i < n; i++) p[i] = s[i] + size / last * p[i];
    }
    return vector_is_finite((size_t)n, d) && dot(n, k->g, d) < 0;
}

/* ---- line search ---- */

static double reference(const perp_newton *k)
{
    int count = k->steps < k->memory ? k->steps : k->memory;
    double most = k->merit;
    if (k->steps <= MONOTONE) return most;
    for (int i = 0; i < count; i++) most = fmax(most, k->recent[i]);
    return most;
}

/* A direction with no slope of its own to speak of has to bring what a Newton step would. */
bool perp_newton_search(perp_newton *k, int halvings)
{
    double slope = dot(k->n, k->g, k->d), highest = reference(k), t = 1;
    if (!(slope < 0)) slope = -2 * k->merit;
    perp_mul(&k->M, 1, k->d, 0, k->Md);
    for (int h = 0; h <= halvings; h++, t /= 2) {
        for (int i = 0; i < k->n; i++) {
            k->try_z[i] = k->z[i] + t * k->d[i];
            k->try_w[i] = k->w[i] + t * k->Md[i];
        }
        double merit = find_map(k->n, k->try_z, k->try_w, k->try_G);
        if (!(merit <= highest + ARMIJO * t * slope)) continue; /* NaN too */
        memcpy(k->z, k->try_z, (size_t)k->n * sizeof *k->z);
        return arrive(k);
    }
    return false;
}

bool perp_newton_is_stuck(const perp_newton *k)
{
    return k->since > PATIENCE;
}

void perp_newton_proof(const perp_newton *k, double noise, double *y)
{
    double most = 0;
    for (int i = 0; i < k->n; i++) {
        y[i] = -k->b[i] * k->G[i];
        most = fmax(most, y[i]);
    }
    for (int i = 0; i < k->n; i++) y[i] = y[i] > noise * most ? k->r[i] * y[i] : 0;
}
