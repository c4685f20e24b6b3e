/* fc3d/ipm.c: primal-dual interior points on the friction cone.
 * Nesterov and Todd (1998) for the scaling, Mehrotra (1992) for predictor and corrector; the
 * bipotential's |u_T| is part of the Newton system, which makes it nonsymmetric and fast.
 *
 * In x = (mu r_N, r_T) and z = (u_N / mu + |u_T|, u_T) friction reads: x and z in the Lorentz cone,
 * x o z = 0, z = D^-1 (W r + q) + |z_T| e, r = D^-1 x, D = diag(mu, 1, 1). The central path
 * x o z = m e is followed with the full derivative of |z_T|. A contact without friction is a
 * half-line. The last steps are fc3d/prox's. One factorisation with all contacts and two solves an
 * iteration, 20 to 40 of them on most problems whatever their size, and no start is needed; where W
 * is far from monotone it may stop short. Memory: 51 numbers a contact and the factors. */
#include "contact_matrix.h"

#include "core/defaults.h"
#include "core/internal.h"
#include "method/lorentz.h"
#include "perp/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NEAR 0.99     /* of the way to the boundary */
#define SHORT 0.1     /* a shorter predictor step asks for centring */
#define CENTRING 0.3  /* then at least this */
#define LITTLE 0.01   /* so short a step is no progress */
#define SHORT_STEPS 5 /* nor are so many of them */
#define STARTS 3      /* when stuck, again from farther off, more carefully */
#define FARTHER 10
#define FINISH_STEPS 20
#define FINISH_ALPHA 1e-3 /* of prox: it starts near a solution */
#define FINISH_AGAIN 0.1  /* of the error at which it failed: then once more */

typedef struct scaling {
    double root, w[3]; /* method/lorentz.h */
} scaling;

typedef struct interior {
    perp_contact_matrix b;
    int *list;               /* all contacts */
    double *x, *z, *dx, *dz; /* 3 a contact; x_T = z_T = 0 where mu = 0 */
    double *gap;             /* z - |z_T| e - D^-1 (W r + q), which a full step takes to 0 */
    double *correction;      /* second order */
    double *A, *B;           /* 9 a contact: the system */
    double *r, *u, *rhs, *zero;
    scaling *scaling;
    double m;        /* x.z / contacts */
    bool corrects;   /* with Mehrotra's corrector */
    int short_steps; /* in a row */
} interior;

static bool open_interior(perp_run *run, interior *t)
{
    size_t n = (size_t)t->b.contacts;
    double **vectors[] = {&t->x,   &t->z,          &t->dx, &t->dz, &t->gap,
                          &t->rhs, &t->correction, &t->r,  &t->u,  &t->zero};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = PERP_ALLOC(run, double, 3 * n);
    }
    t->A = PERP_ALLOC(run, double, 9 * n);
    t->B = PERP_ALLOC(run, double, 9 * n);
    t->scaling = PERP_ALLOC(run, scaling, n);
    t->list = PERP_ALLOC(run, int, n);
    if (run->arena->failed) return false;
    for (size_t c = 0; c < n; c++) t->list[c] = (int)c;
    return true;
}

/* On the central path of W = its mean diagonal; from a warm start, near it. */
static void start(interior *t, double scale, const double *warm)
{
    double typical = scale / sqrt(3.0 * t->b.contacts);
    t->short_steps = 0;
    memset(t->x, 0, 3 * (size_t)t->b.contacts * sizeof *t->x);
    memset(t->z, 0, 3 * (size_t)t->b.contacts * sizeof *t->z);
    for (int c = 0; c < t->b.contacts; c++) {
        double mu = t->b.mu[c], *x = t->x + 3 * (size_t)c, *z = t->z + 3 * (size_t)c;
        const double *r = warm + 3 * (size_t)c;
        double d = mu > 0 ? mu : 1;
        x[0] = d * typical / t->b.mean;
        z[0] = typical / d;
        if (!(r[0] > 0)) continue;
        x[0] += d * r[0];
        if (mu > 0) {
            x[1] = r[1];
            x[2] = r[2];
        }
        if (lorentz_det(3, x) <= 0 || x[0] <= 0) {
            x[0] = d * (typical / t->b.mean + r[0]);
            x[1] = x[2] = 0;
        }
    }
}

static void find_forces(const interior *t, double *r)
{
    for (size_t i = 0; i < 3 * (size_t)t->b.contacts; i++) {
        double mu = t->b.mu[i / 3];
        r[i] = i % 3 == 0 && mu > 0 ? t->x[i] / mu : t->x[i];
    }
}

/* gap and m, from u = W r + q. */
static void measure(interior *t)
{
    double sum = 0;
    for (int c = 0; c < t->b.contacts; c++) {
        size_t i = 3 * (size_t)c;
        double mu = t->b.mu[c], *z = t->z + i, *gap = t->gap + i;
        const double *u = t->u + i, *x = t->x + i;
        sum += x[0] * z[0] + x[1] * z[1] + x[2] * z[2];
        gap[0] = z[0] - (mu > 0 ? u[0] / mu + sqrt(z[1] * z[1] + z[2] * z[2]) : u[0]);
        gap[1] = mu > 0 ? z[1] - u[1] : 0;
        gap[2] = mu > 0 ? z[2] - u[2] : 0;
    }
    t->m = sum / t->b.contacts;
}

/* out = T y, T = I - e (0, z_T / |z_T|)': z less its own |z_T|, to first order. */
static void apply_tangent(const double z[3], const double y[3], double out[3])
{
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    double along = t > 0 ? (z[1] * y[1] + z[2] * y[2]) / t : 0;
    out[0] = y[0] - along;
    out[1] = y[1];
    out[2] = y[2];
}

/* y = P x of contact c, or P^-1 x. */
static void apply_scaling(const interior *t, int c, int inverse, const double x[3], double y[3])
{
    lorentz_apply(3, t->scaling[c].root, t->scaling[c].w, inverse, x, y);
}

/* B = D T P^2 D of each contact; (z / x, 1, 1) and a row of W where there is no friction. */
static bool assemble(interior *t)
{
    memset(t->A, 0, 9 * (size_t)t->b.contacts * sizeof *t->A);
    memset(t->B, 0, 9 * (size_t)t->b.contacts * sizeof *t->B);
    for (int c = 0; c < t->b.contacts; c++) {
        double mu = t->b.mu[c], *A = t->A + 9 * (size_t)c, *B = t->B + 9 * (size_t)c;
        const double *x = t->x + 3 * (size_t)c, *z = t->z + 3 * (size_t)c;
        A[0] = 1;
        if (mu == 0) {
            B[0] = z[0] / x[0];
            B[4] = B[8] = 1;
            continue;
        }
        A[4] = A[8] = 1;
        if (!lorentz_scale(3, x, z, &t->scaling[c].root, t->scaling[c].w)) return false;
        for (int j = 0; j < 3; j++) {
            double e[3] = {j == 0 ? mu : 0, j == 1, j == 2}, y[3];
            apply_scaling(t, c, 0, e, y);
            apply_scaling(t, c, 0, y, y);
            apply_tangent(z, y, B + 3 * j);
            B[3 * j] *= mu;
        }
    }
    return perp_contact_matrix_factor(&t->b, t->b.contacts, t->list, t->A, t->B);
}

/* What dz is beside -P^2 dx: sigma m / x - z - correction, 1 / x the inverse in the algebra. */
static void complementarity(const interior *t, int c, double sigma, double out[3])
{
    const double *x = t->x + 3 * (size_t)c, *z = t->z + 3 * (size_t)c;
    const double *e = t->correction + 3 * (size_t)c;
    double det = t->b.mu[c] > 0 ? lorentz_det(3, x) : x[0] * x[0];
    out[0] = sigma * t->m * x[0] / det - z[0] - e[0];
    out[1] = -sigma * t->m * x[1] / det - z[1] - e[1];
    out[2] = -sigma * t->m * x[2] / det - z[2] - e[2];
}

static bool find_direction(interior *t, double sigma)
{
    for (int c = 0; c < t->b.contacts; c++) {
        double mu = t->b.mu[c], part[3], y[3], *b = t->rhs + 3 * (size_t)c;
        complementarity(t, c, sigma, part);
        apply_tangent(t->z + 3 * (size_t)c, part, y);
        for (int i = 0; i < 3; i++) b[i] = t->gap[3 * (size_t)c + (size_t)i] + y[i];
        if (mu > 0) b[0] *= mu;
        if (mu == 0) b[1] = b[2] = 0;
    }
    if (!perp_contact_matrix_solve(&t->b, t->rhs)) return false;
    for (int c = 0; c < t->b.contacts; c++) {
        size_t i = 3 * (size_t)c;
        double mu = t->b.mu[c], y[3], *dx = t->dx + i, *dz = t->dz + i;
        memcpy(dx, t->rhs + i, 3 * sizeof *dx);
        complementarity(t, c, sigma, dz);
        if (mu == 0) {
            dz[0] -= t->z[i] / t->x[i] * dx[0];
            dx[1] = dx[2] = dz[1] = dz[2] = 0;
            continue;
        }
        dx[0] *= mu;
        apply_scaling(t, c, 0, dx, y);
        apply_scaling(t, c, 0, y, y);
        for (int k = 0; k < 3; k++) dz[k] -= y[k];
    }
    return true;
}

/* Mehrotra's: P (lambda \ (P dx o P^-1 dz)), lambda = P x. */
static void find_correction(interior *t)
{
    for (int c = 0; c < t->b.contacts; c++) {
        size_t i = 3 * (size_t)c;
        double *e = t->correction + i, a[3], b[3], lambda[3];
        if (t->b.mu[c] == 0) {
            e[0] = t->dx[i] * t->dz[i] / t->x[i];
            continue;
        }
        apply_scaling(t, c, 0, t->dx + i, a);
        apply_scaling(t, c, 1, t->dz + i, b);
        apply_scaling(t, c, 0, t->x + i, lambda);
        lorentz_product(3, a, b, a);
        lorentz_divide(3, lambda, a, b);
        apply_scaling(t, c, 0, b, e);
    }
}

/* How far x and z can go, at most 1. */
static double find_step(const interior *t)
{
    double step = 1;
    for (int c = 0; c < t->b.contacts; c++) {
        size_t i = 3 * (size_t)c;
        double a = lorentz_step(3, t->x + i, t->dx + i, 1);
        double b = lorentz_step(3, t->z + i, t->dz + i, 1);
        step = a < step ? a : step;
        step = b < step ? b : step;
    }
    return step;
}

/* x.z / contacts after a step, over what it is now. */
static double foresee(const interior *t, double step)
{
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)t->b.contacts; i++) {
        sum += (t->x[i] + step * t->dx[i]) * (t->z[i] + step * t->dz[i]);
    }
    return sum / t->b.contacts / t->m;
}

/* Predictor and corrector; the step taken, 0: none. The corrector, which is made for long steps,
 * may be the shorter way: then without it. */
static double advance(interior *t)
{
    size_t n = 3 * (size_t)t->b.contacts;
    memset(t->correction, 0, n * sizeof *t->correction);
    if (!assemble(t) || !find_direction(t, 0)) return 0;
    double step = find_step(t), left = foresee(t, step), sigma = left * left * left;
    if (!(sigma < 1)) sigma = 1;
    if (step < SHORT && sigma < CENTRING) sigma = CENTRING;
    if (t->corrects) {
        find_correction(t);
        if (!find_direction(t, sigma)) return 0;
        step = find_step(t);
    }
    if (!t->corrects || step < SHORT) {
        memset(t->correction, 0, n * sizeof *t->correction);
        if (!find_direction(t, sigma)) return 0;
        step = find_step(t);
    }
    step *= NEAR;
    t->short_steps = step < LITTLE ? t->short_steps + 1 : 0;
    for (size_t i = 0; i < n; i++) {
        t->x[i] += step * t->dx[i];
        t->z[i] += step * t->dz[i];
    }
    return step;
}

/* Close to a solution, or where rounding leaves no more room inside the cone, Newton on the natural
 * side of it is the shorter way. */
static perp_status finish(perp_run *run, double *z)
{
    perp_fc3d_prox_options o = perp_fc3d_prox;
    o.base.tol = run->options->tol;
    o.base.max_iter = FINISH_STEPS;
    o.base.warm_start = true;
    o.sweeps = 0;
    o.alpha = FINISH_ALPHA;
    return perp_nested(run, run->problem, &o.base, z, NULL);
}

static perp_status iterate(perp_run *run, interior *t, double *z)
{
    const perp_fc3d_ipm_options *o = (const perp_fc3d_ipm_options *)run->options;
    double scale = perp_scale(run), step = 1, goal = o->finish, scale_up = 1;
    int worst = 0, starts = 1;
    t->corrects = true;
    start(t, scale, z);
    for (;;) {
        find_forces(t, t->r);
        perp_contact_matrix_velocity(&t->b, t->r, t->u);
        measure(t);
        double error = perp_contact_matrix_error(&t->b, t->r, t->u, &worst) / scale;
        memcpy(z, t->r, 3 * (size_t)t->b.contacts * sizeof *z);
        if (!perp_contact_matrix_continue(run, &t->b, z, error)) break;
        bool stuck = !(step > 0) || t->short_steps >= SHORT_STEPS;
        if (o->finish > 0 && (error <= goal || stuck)) {
            perp_status status = finish(run, z);
            if (status != PERP_MAX_ITER && status != PERP_STALLED) return status;
            goal = FINISH_AGAIN * error;
        }
        if (stuck && starts++ < STARTS) {
            t->corrects = false;
            scale_up *= FARTHER;
            start(t, scale_up * scale, t->zero);
            step = 1;
            continue;
        }
        if (stuck) {
            return perp_fail(run, PERP_STALLED,
                             "the step to the boundary of the cone is too short at contact %d",
                             worst);
        }
        step = advance(t);
        perp_contact_matrix_release(&t->b);
        if (t->b.starved) return PERP_E_MEMORY;
    }
    return perp_contact_matrix_end(run, &t->b, z, worst);
}

static perp_status ipm(perp_run *run, double *z)
{
    interior t;
    perp_status status = perp_contact_matrix_open(run, &t.b);
    if (status) return status;
    if (!open_interior(run, &t)) return PERP_E_MEMORY;
    perp_contact_matrix_room(&t.b);
    if (perp_is_sizing(run)) return finish(run, z); /* which counts */
    return iterate(run, &t, z);
}

static const perp_option options[] = {
    PERP_OPTION(perp_fc3d_ipm_options, finish, 0, 1,
                "residual from which steps of fc3d/prox finish, there and when stuck; 0: never"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/ipm",
    .about = "primal-dual interior points on the friction cone, |u_T| in the Newton system "
             "(Nesterov, Todd 1998; Mehrotra 1992)",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_fc3d_ipm_options),
    .options = options,
    .solve = ipm,
    .room = perp_room_none,
};

const perp_fc3d_ipm_options perp_fc3d_ipm = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000, .threads = 1},
    .finish = 1e-4,
};
