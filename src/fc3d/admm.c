/* fc3d/admm.c: alternating directions: a linear system with W, then the cone, then the multiplier.
 * Boyd et al. (2011); over-relaxation of Eckstein and Bertsekas (1992); Nesterov's extrapolation
 * with restart of Goldstein, O'Donoghue, Setzer and Baraniuk (2014); for friction Acary, Bremond
 * and Huber (2018).
 *
 *     (W + R) x = R (y - l) - q - mu |u_T| n,   y = P_K(x + l),   l <- l + x - y,
 * R = rho times the mean diagonal of each contact's block, u = -R l lagging by one iteration. rho
 * is balanced: where x - y is large against the move of y it grows, in the other case it falls, and
 * the matrix is factored anew; that is done ever more rarely. One pair of triangular solves and one
 * product with W an iteration: many cheap iterations, good for loose tolerances on well-scaled
 * problems. Memory: 39 numbers a contact and the factors. */
#include "contact_matrix.h"

#include "core/defaults.h"
#include "core/internal.h"
#include "method/cone.h"
#include "perp/solver.h"

#include <math.h>
#include <string.h>

#define BALANCE 5     /* ratio of the two residuals that is still balanced */
#define CHANGE 10     /* of rho at most, at a time */
#define FIRST_LOOK 10 /* iterations before rho is looked at; the next look is twice as far */
#define RESTART                                                                                    \
    0.999 /* the combined residual has to fall by this, or the extrapolation restarts              \
           */

typedef struct splitting {
    perp_contact_matrix b;
    int n, *list;
    double rho, theta; /* Nesterov's weight */
    double *B;         /* R, 9 a contact */
    double *x, *y, *l; /* the iterate */
    double *yh, *lh;   /* extrapolated */
    double *u, *z;     /* velocities and the point that is shown */
    double combined;   /* residual of the last iteration; INFINITY: just restarted */
    double primal, dual;
} splitting;

static bool open_splitting(perp_run *run, splitting *s)
{
    size_t n = (size_t)s->b.contacts;
    double **vectors[] = {&s->x, &s->y, &s->l, &s->yh, &s->lh, &s->u};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = PERP_ALLOC(run, double, 3 * n);
    }
    s->B = PERP_ALLOC(run, double, 9 * n);
    s->list = PERP_ALLOC(run, int, n);
    s->n = 3 * (int)n;
    if (run->arena->failed) return false;
    for (size_t c = 0; c < n; c++) s->list[c] = (int)c;
    return true;
}

static double weight(const splitting *s, int contact)
{
    return s->rho * s->b.trace[contact] / 3;
}

static bool factor(splitting *s)
{
    for (int c = 0; c < s->b.contacts; c++) {
        for (int e = 0; e < 3; e++) s->B[9 * (size_t)c + 4 * (size_t)e] = weight(s, c);
    }
    return perp_contact_matrix_factor(&s->b, s->b.contacts, s->list, NULL, s->B);
}

/* x from yh and lh. */
static bool solve_linear(splitting *s)
{
    for (int c = 0; c < s->b.contacts; c++) {
        size_t i = 3 * (size_t)c;
        double w = weight(s, c), t = w * perp_cone_length(s->lh[i + 1], s->lh[i + 2]);
        for (size_t k = 0; k < 3; k++) {
            s->x[i + k] = w * (s->yh[i + k] - s->lh[i + k]) - s->b.q[i + k];
        }
        s->x[i] -= s->b.mu[c] * t;
    }
    return perp_contact_matrix_solve(&s->b, s->x);
}

/* y and l from x, and what they tell. */
static void project(splitting *s, double relaxation)
{
    double primal = 0, dual = 0;
    for (int c = 0; c < s->b.contacts; c++) {
        size_t i = 3 * (size_t)c;
        double w = weight(s, c), p[3], old[3], *y = s->y + i, *l = s->l + i;
        for (size_t k = 0; k < 3; k++) {
            old[k] = s->yh[i + k];
            p[k] = relaxation * s->x[i + k] + (1 - relaxation) * old[k] + s->lh[i + k];
        }
        perp_cone_project(s->b.mu[c], p, y);
        for (size_t k = 0; k < 3; k++) {
            l[k] = p[k] - y[k];
            primal += w * (l[k] - s->lh[i + k]) * (l[k] - s->lh[i + k]);
            dual += w * (y[k] - old[k]) * (y[k] - old[k]);
        }
    }
    s->primal = sqrt(primal);
    s->dual = sqrt(dual);
}

/* yh and lh from y and l and those before, which x holds no longer needed. */
static void extrapolate(splitting *s, const double *y_old, const double *l_old, bool accelerate)
{
    double now = s->primal * s->primal + s->dual * s->dual, beta = 0;
    if (accelerate && now < RESTART * s->combined) {
        double next = (1 + sqrt(1 + 4 * s->theta * s->theta)) / 2;
        beta = (s->theta - 1) / next;
        s->theta = next;
        s->combined = now;
    } else {
        s->theta = 1;
        s->combined = now / RESTART;
    }
    for (int i = 0; i < s->n; i++) {
        s->yh[i] = s->y[i] + beta * (s->y[i] - y_old[i]);
        s->lh[i] = s->l[i] + beta * (s->l[i] - l_old[i]);
    }
}

/* A new rho, with R l kept. False: the old one does. */
static bool balance(splitting *s)
{
    double ratio = s->dual > 0 ? s->primal / s->dual : BALANCE * 2;
    if (ratio <= BALANCE && ratio >= 1.0 / BALANCE) return false;
    double change = sqrt(ratio);
    change = change > CHANGE ? CHANGE : change < 1.0 / CHANGE ? 1.0 / CHANGE : change;
    s->rho *= change;
    for (int i = 0; i < s->n; i++) {
        s->l[i] /= change;
        s->lh[i] = s->l[i];
        s->yh[i] = s->y[i];
    }
    s->theta = 1;
    s->combined = INFINITY;
    return true;
}

static perp_status iterate(perp_run *run, splitting *s, double *z, double *y_old, double *l_old)
{
    const perp_fc3d_admm_options *o = (const perp_fc3d_admm_options *)run->options;
    int worst = 0, look = FIRST_LOOK;
    double scale = perp_scale(run), error = INFINITY;
    size_t bytes = (size_t)s->n * sizeof *z;
    bool factored = s->n == 0 || factor(s);
    for (int k = 0; factored; k++) {
        perp_contact_matrix_velocity(&s->b, s->y, s->u);
        error = perp_contact_matrix_error(&s->b, s->y, s->u, &worst);
        memcpy(z, s->y, bytes);
        if (!perp_contact_matrix_continue(run, &s->b, z, error / scale)) break;
        if (o->balance && k == look) {
            look *= 2;
            if (balance(s)) factored = factor(s);
        }
        memcpy(y_old, s->y, bytes);
        memcpy(l_old, s->l, bytes);
        factored = factored && solve_linear(s);
        project(s, o->relaxation);
        extrapolate(s, y_old, l_old, o->accelerate);
    }
    perp_contact_matrix_release(&s->b);
    if (s->b.starved) return PERP_E_MEMORY;
    if (!factored) return perp_fail(run, PERP_STALLED, "W + %g I is singular", s->rho * s->b.mean);
    return perp_contact_matrix_end(run, &s->b, z, worst);
}

/* The multiplier that belongs to a start: -R^-1 (u + mu |u_T| n). */
static void start(splitting *s, const double *z)
{
    memcpy(s->y, z, (size_t)s->n * sizeof *z);
    perp_contact_matrix_velocity(&s->b, z, s->u);
    for (int c = 0; c < s->b.contacts; c++) {
        size_t i = 3 * (size_t)c;
        perp_cone_project(s->b.mu[c], s->y + i, s->y + i);
        for (size_t k = 0; k < 3; k++) s->l[i + k] = -s->u[i + k] / weight(s, c);
        s->l[i] -= s->b.mu[c] * perp_cone_length(s->u[i + 1], s->u[i + 2]) / weight(s, c);
    }
    memcpy(s->yh, s->y, (size_t)s->n * sizeof *z);
    memcpy(s->lh, s->l, (size_t)s->n * sizeof *z);
}

static perp_status admm(perp_run *run, double *z)
{
    const perp_fc3d_admm_options *o = (const perp_fc3d_admm_options *)run->options;
    splitting s = {.rho = o->rho, .theta = 1, .combined = INFINITY};
    perp_status status = perp_contact_matrix_open(run, &s.b);
    if (status) return status;
    double *y_old = PERP_ALLOC(run, double, 3 * (size_t)s.b.contacts);
    double *l_old = PERP_ALLOC(run, double, 3 * (size_t)s.b.contacts);
    if (!open_splitting(run, &s)) return PERP_E_MEMORY;
    perp_contact_matrix_room(&s.b);
    if (perp_is_sizing(run)) return PERP_MAX_ITER;
    if (o->base.warm_start) start(&s, z);
    return iterate(run, &s, z, y_old, l_old);
}

static const perp_option options[] = {
    PERP_OPTION(perp_fc3d_admm_options, rho, 1e-8, 1e8,
                "penalty, relative to the mean diagonal of each contact's block"),
    PERP_OPTION(perp_fc3d_admm_options, relaxation, 0.1, 1.999, "over-relaxation of x; 1: none"),
    PERP_OPTION(perp_fc3d_admm_options, balance, 0, 1, "adapt rho to the two residuals"),
    PERP_OPTION(perp_fc3d_admm_options, accelerate, 0, 1, "Nesterov's extrapolation with restart"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/admm",
    .about = "alternating directions with a balanced penalty, over-relaxed and accelerated (Boyd "
             "et al. 2011; Goldstein et al. 2014)",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_fc3d_admm_options),
    .options = options,
    .solve = admm,
    .room = perp_room_none,
};

const perp_fc3d_admm_options perp_fc3d_admm = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 20000, .threads = 1},
    .rho = 1,
    .relaxation = 1,
    .balance = true,
    .accelerate = true,
};
