/* lcp/psor.c: projected successive over-relaxation.
 * Cottle, Pang, Stone, The Linear Complementarity Problem (1992), chapter 5.
 *
 * Keeps w = M z + q up to date, so an update of z_i reads column i alone, and one that leaves z_i
 * where it is (a variable at its bound, most of them in contact problems) reads nothing. A sweep
 * costs at most one product with M. Memory: 2n numbers. */
#include "base/clones.h"
#include "core/defaults.h"
#include "perp/solver.h"
#include "quadratic.h"

/* Sweeps between fresh products for w: rounding has no time to build up, and the cost is 3 %. */
#define REFRESH 32

static double diagonal(const perp_matrix *M, int j)
{
    if (M->format == PERP_FORMAT_DENSE)
        return M->as.dense.x[(size_t)j * (size_t)M->as.dense.ld + (size_t)j];
    const struct perp_csc_view *c = &M->as.csc;
    double d = 0;
    for (int k = c->p[j]; k < c->p[j + 1]; k++) {
        if (c->i[k] == j) d += c->x[k];
    }
    return d;
}

/* The new z_i less the old one. The comparison, unlike fmax, lets a NaN through to the estimate. */
static inline double advance(double *z, double w, double step)
{
    double old = *z, t = old - step * w;
    *z = t < 0 ? 0 : t;
    return *z - old;
}

/* From `first` to its opposite end. */
PERP_CLONED_VOID(sweep_dense,
                 (int n, const struct perp_dense_view *M, int first, const double *step, double *z,
                  double *restrict w),
                 (n, M, first, step, z, w))
{
    for (int k = 0, i = first, next = first ? -1 : 1; k < n; k++, i += next) {
        double t = advance(&z[i], w[i], step[i]);
        if (t == 0) continue;
        const double *restrict x = M->x + (size_t)i * (size_t)M->ld;
        for (int r = 0; r < n; r++) w[r] += t * x[r];
    }
}

static void sweep_csc(int n, const struct perp_csc_view *M, int first, const double *step,
                      double *z, double *w)
{
    for (int k = 0, i = first, next = first ? -1 : 1; k < n; k++, i += next) {
        double t = advance(&z[i], w[i], step[i]);
        if (t == 0) continue;
        for (int e = M->p[i]; e < M->p[i + 1]; e++) w[M->i[e]] += t * M->x[e];
    }
}

static void sweep(const perp_matrix *M, bool back, const double *step, double *z, double *w)
{
    int first = back ? M->n - 1 : 0;
    if (M->format == PERP_FORMAT_DENSE)
        sweep_dense(M->n, &M->as.dense, first, step, z, w);
    else
        sweep_csc(M->n, &M->as.csc, first, step, z, w);
}

static void refresh(const perp_lcp *p, const double *z, double *w)
{
    for (int i = 0; i < p->n; i++) w[i] = p->q[i];
    perp_mul(&p->M, 1, z, 1, w);
}

static perp_status psor(perp_run *run, double *z)
{
    const perp_lcp_psor_options *o = (const perp_lcp_psor_options *)run->options;
    const perp_lcp *p = &run->problem->as.lcp;
    double *w = PERP_ALLOC(run, double, p->n);
    double *step = PERP_ALLOC(run, double, p->n);
    if (run->arena->failed) return PERP_E_MEMORY;

    for (int i = 0; i < p->n; i++) {
        double d = diagonal(&p->M, i);
        if (!(d > 0)) {
            return perp_fail(run, PERP_E_NUMBER,
                             "M[%d][%d] = %g is not positive: PSOR divides by it", i, i, d);
        }
        step[i] = o->omega / d;
        if (!isfinite(step[i])) {
            return perp_fail(run, PERP_E_NUMBER, "M[%d][%d] = %g is too small: PSOR divides by it",
                             i, i, d);
        }
        if (!(z[i] > 0)) z[i] = 0; /* a warm start may lie outside */
    }

    refresh(p, z, w);
    double scale = perp_scale(run), estimate = quadratic_residual(p->n, z, w) / scale;
    for (int k = 0; perp_continue(run, z, estimate); k++) {
        /* Going on below tol means that the certificate saw more than w does. */
        if (k > 0 && (k % REFRESH == 0 || estimate <= o->base.tol)) refresh(p, z, w);
        sweep(&p->M, o->symmetric && k % 2, step, z, w);
        estimate = quadratic_residual(p->n, z, w) / scale;
        if (!isfinite(estimate)) {
            return perp_fail(run, PERP_STALLED, "PSOR diverges: overflow in sweep %d", k + 1);
        }
    }
    return run->status;
}

static const perp_option options[] = {
    PERP_OPTION(perp_lcp_psor_options, omega, 1e-6, 1.999999,
                "relaxation; 1 is projected Gauss-Seidel"),
    PERP_OPTION(perp_lcp_psor_options, symmetric, 0, 1, "alternate forward and backward sweeps"),
    {0},
};

static const perp_solver solver = {
    .name = "lcp/psor",
    .about = "projected SOR, for positive diagonals (Cottle, Pang, Stone 1992)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .options_size = sizeof(perp_lcp_psor_options),
    .options = options,
    .solve = psor,
    .room = perp_room_none,
};

const perp_lcp_psor_options perp_lcp_psor = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 10000, .threads = 1},
    .omega = 1,
};
