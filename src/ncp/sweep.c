/* ncp/sweep.c: projected Gauss-Seidel over an affine MCP with bounds and friction boxes.
 * Cottle, Pang, Stone (1992), chapter 5; Silcowitz-Hansen, Niebe, Erleben (2010), section 3.
 *
 * With w kept up to date an update of z_i reads column i alone, and one that leaves z_i where it is
 * reads nothing. In factors a row costs 24 multiplications, whatever the number of its neighbours.
 * Memory: 4n numbers; in factors 15 a row and 6 a body. */
#include "sweep.h"

#include "base/clones.h"
#include "base/vector.h"

#include <string.h>

static double project(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x; /* a NaN stays */
}

/* The new z_i less the old one. */
static inline double advance(const perp_box_sweep *s, double *z, int i, double w)
{
    double lo, hi, old = z[i];
    perp_box_bounds_at(s, z, i, &lo, &hi);
    z[i] = project(old - s->step[i] * w, lo, hi);
    return z[i] - old;
}

PERP_CLONED(double, sweep_dense, (const perp_box_sweep *s, double *z, double *restrict w),
            (s, z, w))
{
    const struct perp_dense_view *M = &s->p->F.M.as.dense;
    double square = 0;
    int n = s->p->F.n;
    for (int i = 0; i < n; i++) {
        double t = advance(s, z, i, w[i]);
        if (t == 0) continue;
        const double *restrict x = M->x + (size_t)i * (size_t)M->ld;
        for (int r = 0; r < n; r++) w[r] += t * x[r];
        square += t * t;
    }
    return square;
}

static double sweep_csc(const perp_box_sweep *s, double *z, double *restrict w)
{
    const struct perp_csc_view *M = &s->p->F.M.as.csc;
    double square = 0;
    for (int i = 0; i < s->p->F.n; i++) {
        double t = advance(s, z, i, w[i]);
        if (t == 0) continue;
        for (int e = M->p[i]; e < M->p[i + 1]; e++) w[M->i[e]] += t * M->x[e];
        square += t * t;
    }
    return square;
}

/* z - P(z - w), with w unspoilt by a large z. */
static double natural(const perp_box_sweep *s, const double *z, int i, double w)
{
    double lo, hi;
    perp_box_bounds_at(s, z, i, &lo, &hi);
    return project(w, z[i] - hi, z[i] - lo);
}

/* Unscaled. */
static double residual(const perp_box_sweep *s, const double *z)
{
    double sum = 0;
    for (int i = 0; i < s->p->F.n; i++) {
        double r = natural(s, z, i, s->state[i]);
        sum += r * r;
    }
    return sqrt(sum);
}

/* Velocities in place of w: w_i = q_i + J_i v as the sweep comes to i. */
static double sweep_factors(const perp_box_sweep *s, double *z, double *square)
{
    const double *q = s->p->F.q;
    double sum = 0, *v = s->state;
    for (int i = 0; i < s->p->F.n; i++) {
        const double *J = s->factors->J + 12 * (size_t)i, *B = s->B + 12 * (size_t)i;
        double *a = v + 6 * (size_t)s->slot[2 * (size_t)i];
        double *b = v + 6 * (size_t)s->slot[2 * (size_t)i + 1];
        double w = q[i] + (velocity_along(J, a) + velocity_along(J + 6, b));
        double r = natural(s, z, i, w), t = advance(s, z, i, w);
        sum += r * r;
        if (t == 0) continue;
        for (int j = 0; j < 6; j++) {
            a[j] += t * B[j];
            b[j] += t * B[6 + j];
        }
        *square += t * t;
    }
    return sqrt(sum);
}

double perp_box_residual(const perp_box_sweep *s, const double *z)
{
    return residual(s, z) / s->scale;
}

double perp_box_run(perp_box_sweep *s, double *z, double *square)
{
    *square = 0;
    if (s->factors) return sweep_factors(s, z, square) / s->scale;
    bool dense = s->p->F.M.format == PERP_FORMAT_DENSE;
    *square = dense ? sweep_dense(s, z, s->state) : sweep_csc(s, z, s->state);
    return perp_box_residual(s, z);
}

void perp_box_refresh(perp_box_sweep *s, const double *z)
{
    const perp_map *F = &s->p->F;
    if (!s->factors) {
        perp_mul(&F->M, 1, z, 0, s->state);
        for (int i = 0; i < F->n; i++) s->state[i] += F->q[i];
        return;
    }
    for (size_t k = 0; k < s->state_size; k++) s->state[k] = 0;
    for (int e = 0; e < 2 * F->n; e++) {
        const double *B = s->B + 6 * (size_t)e;
        double *v = s->state + 6 * (size_t)s->slot[e], t = z[e / 2];
        for (int j = 0; j < 6; j++) v[j] += t * B[j];
    }
}

/* ---- opening ---- */

static void set_bounds(perp_box_sweep *s, double *z)
{
    for (int i = 0; i < s->p->F.n; i++) {
        s->lo[i] = s->p->lo ? s->p->lo[i] : -INFINITY;
        s->hi[i] = s->p->hi ? s->p->hi[i] : INFINITY;
        bool own = !s->p->follows || s->p->follows[i] < 0;
        if (own) z[i] = project(z[i], s->lo[i], s->hi[i]);
    }
    for (int i = 0; i < s->p->F.n; i++) {
        double lo, hi;
        perp_box_bounds_at(s, z, i, &lo, &hi);
        z[i] = project(z[i], lo, hi);
    }
}

static double diagonal(const perp_box_sweep *s, int j)
{
    const perp_matrix *M = &s->p->F.M;
    if (s->factors) {
        const double *J = s->factors->J + 12 * (size_t)j, *B = s->B + 12 * (size_t)j;
        return velocity_along(J, B) + velocity_along(J + 6, B + 6);
    }
    if (M->format == PERP_FORMAT_DENSE)
        return M->as.dense.x[(size_t)j * (size_t)M->as.dense.ld + (size_t)j];
    const struct perp_csc_view *c = &M->as.csc;
    double d = 0;
    for (int k = c->p[j]; k < c->p[j + 1]; k++) {
        if (c->i[k] == j) d += c->x[k];
    }
    return d;
}

/* any: a row whose diagonal is not positive never moves. */
static perp_status set_steps(perp_run *run, double omega, bool any, perp_box_sweep *s)
{
    for (int i = 0; i < s->p->F.n; i++) {
        bool own = !s->p->follows || s->p->follows[i] < 0;
        if (own && s->lo[i] == s->hi[i]) continue; /* never moves */
        double d = diagonal(s, i);
        s->step[i] = omega / d;
        if (d > 0 && isfinite(s->step[i])) continue;
        s->step[i] = 0;
        if (any) continue;
        return perp_fail(run, PERP_E_NUMBER, "M[%d][%d] = %g is %s: a sweep divides by it", i, i, d,
                         d > 0 ? "too small" : "not positive");
    }
    return PERP_SOLVED;
}

/* The rows of M^-1 J', and a body at rest for those that have none. */
static void set_factors(perp_box_sweep *s)
{
    for (int e = 0; e < 2 * s->p->F.n; e++) {
        int b = s->factors->body[e];
        s->slot[e] = b < 0 ? s->factors->bodies : b;
        if (b < 0) continue;
        velocity_of(s->factors->inverse + 10 * (size_t)b, s->factors->J + 6 * (size_t)e,
                    s->B + 6 * (size_t)e);
    }
}

static perp_status open_sweep(perp_run *run, double omega, bool any, double *z, perp_box_sweep *s)
{
    const perp_mcp *p = &run->problem->as.mcp;
    const perp_matrix *M = &p->F.M;
    size_t n = (size_t)p->F.n;
    *s = (perp_box_sweep){.p = p, .scale = perp_scale(run), .state_size = n};
    s->factors = perp_velocity_factors(M);
    if (M->format == PERP_FORMAT_OPERATOR && !s->factors)
        return perp_fail(run, PERP_E_FORMAT,
                         "a sweep reads M dense, CSC or in factors, not as an operator");
    if (s->factors) {
        s->state_size = 6 * ((size_t)s->factors->bodies + 1);
        s->B = PERP_ALLOC(run, double, 12 * n);
        s->slot = PERP_ALLOC(run, int, 2 * n);
    }
    s->lo = PERP_ALLOC(run, double, n);
    s->hi = PERP_ALLOC(run, double, n);
    s->step = PERP_ALLOC(run, double, n);
    s->state = PERP_ALLOC(run, double, s->state_size);
    if (run->arena->failed) return PERP_E_MEMORY;
    set_bounds(s, z);
    if (s->factors) set_factors(s);
    perp_status status = set_steps(run, omega, any, s);
    if (!status) perp_box_refresh(s, z);
    return status;
}

perp_status perp_box_open(perp_run *run, double omega, double *z, perp_box_sweep *s)
{
    return open_sweep(run, omega, false, z, s);
}

perp_status perp_box_open_any(perp_run *run, double *z, perp_box_sweep *s)
{
    return open_sweep(run, 1, true, z, s);
}
