/* fc3d/nncg.c: nonsmooth nonlinear conjugate gradients around one Gauss-Seidel sweep.
 * Silcowitz-Hansen, Niebe and Erleben (2010), there for the friction box; here each contact of the
 * sweep is solved on the exact cone.
 *
 * The step of a sweep, d = sweep(r) - r, stands for minus the gradient of f = |d|^2 / 2:
 *     r <- sweep(r) + beta p,    p <- d + beta p,    beta = |d|^2 / |d_old|^2,
 * with a restart, p = 0, where f rises. What a sweep keeps is affine in r and follows p, so an
 * iteration costs one sweep and a few passes over vectors. Memory: that of fc3d/nsgs and, of r and
 * of its state, two to four vectors. */
#include "sweep.h"

#include <math.h>
#include <string.h>

#define REFRESH 50  /* iterations between fresh states: rounding has no time to build up */
#define HALVINGS 4  /* of a step, before the line search gives up and restarts */
#define ARMIJO 0.01 /* of the fall of f that a full step promises; the paper's c_1 */

/* A vector that the sweep changes: r, or the state. */
typedef struct part {
    size_t n;
    double *x;     /* as the sweep left it */
    double *from;  /* as the sweep found it */
    double *p;     /* the direction */
    double *extra; /* what of p was added before the sweep; NULL: no line search */
} part;

typedef struct conjugate {
    part part[2];
    double *d;          /* the step before the last, for Polak-Ribiere; else NULL */
    double old;         /* |d|^2 there; 0: none */
    bool extended;      /* the last sweep started from a point with some of p added */
    int halvings, kept; /* halvings of this step; iterations since the last restart */
} conjugate;

static bool open_part(perp_run *run, bool search, size_t n, double *x, part *v)
{
    *v = (part){.n = n, .x = x};
    v->from = PERP_ALLOC(run, double, n);
    v->p = PERP_ALLOC(run, double, n);
    if (search) v->extra = PERP_ALLOC(run, double, n);
    return !run->arena->failed;
}

/* |d|^2 of the last sweep, and its product with the step before it. */
static double measure_step(conjugate *c, double *product)
{
    const part *v = &c->part[0];
    double sum = 0, mixed = 0;
    for (size_t i = 0; i < v->n; i++) {
        double d = v->x[i] - v->from[i];
        sum += d * d;
        if (!c->d) continue;
        mixed += d * c->d[i];
        c->d[i] = d;
    }
    *product = mixed;
    return sum;
}

/* x <- x + beta p, p <- d + beta p; a restart leaves x and forgets p. */
static void advance(part *v, double beta, bool restart)
{
    for (size_t i = 0; i < v->n; i++) {
        double e = restart ? 0 : beta * v->p[i];
        v->p[i] = restart ? 0 : e + (v->x[i] - v->from[i]);
        if (v->extra) v->extra[i] = e;
        v->from[i] = v->x[i] += e;
    }
}

/* Back to where the sweep began, less half of what had been added there. */
static void retreat(part *v)
{
    for (size_t i = 0; i < v->n; i++) {
        v->extra[i] *= 0.5;
        v->x[i] = v->from[i] -= v->extra[i];
    }
}

/* Between two sweeps. */
static void conjugate_step(conjugate *c, const perp_nncg_options *o)
{
    double product, now = measure_step(c, &product);
    bool rises = c->old > 0 && now > c->old;
    bool short_of = now > (1 - 2 * ARMIJO) * c->old;
    if (o->line_search && c->extended && short_of && c->halvings < HALVINGS) {
        c->halvings++;
        for (int k = 0; k < 2; k++) retreat(&c->part[k]);
        return;
    }
    bool reeves = o->formula == PERP_FLETCHER_REEVES;
    double beta = c->old > 0 ? (reeves ? now : now - product) / c->old : 0;
    bool restart = rises || (o->restart > 0 && c->kept >= o->restart);
    if (!(beta > 0)) beta = 0;
    if (beta > 1) beta = 1; /* Polak-Ribiere's may exceed it where f falls */
    for (int k = 0; k < 2; k++) advance(&c->part[k], beta, restart);
    c->kept = restart ? 0 : c->kept + 1;
    c->extended = !restart && beta > 0;
    c->halvings = 0;
    c->old = now;
}

static perp_status iterate(perp_run *run, perp_sweep *s, conjugate *c, double *z)
{
    const perp_nncg_options *o = (const perp_nncg_options *)run->options;
    double scale = perp_scale(run), estimate = INFINITY;
    perp_sweep_refresh(s, z);
    for (int k = 0; k < 2; k++) {
        if (c->part[k].n) memcpy(c->part[k].from, c->part[k].x, c->part[k].n * sizeof(double));
    }
    for (int k = 0;; k++) {
        if (!perp_sweep_continue(run, s, z, k == 0 || perp_sweep_measures(k - 1), estimate)) break;
        bool doubtful = estimate <= o->base.tol; /* the certificate saw more than we do */
        if (k > 0) conjugate_step(c, o);
        if (k > 0 && (k % REFRESH == 0 || doubtful)) {
            perp_sweep_refresh(s, z);
            if (c->part[1].n) memcpy(c->part[1].from, s->state, c->part[1].n * sizeof(double));
        }
        double error = perp_sweep_run(s, z, perp_sweep_measures(k));
        if (perp_sweep_measures(k)) estimate = error / scale;
    }
    return perp_sweep_end(run, s, z);
}

static perp_status nncg(perp_run *run, double *z)
{
    const perp_nncg_options *o = (const perp_nncg_options *)run->options;
    perp_sweep_options how = {.local = o->local,
                              .order = o->order,
                              .relaxation = 1,
                              .facets = 8,
                              .threads = o->base.threads};
    perp_sweep s;
    conjugate c = {0};
    perp_status status = perp_sweep_open(run, &how, &s);
    if (status) return status;
    bool room = open_part(run, o->line_search, 3 * (size_t)s.contacts, z, &c.part[0]) &&
                open_part(run, o->line_search, s.state_size, s.state, &c.part[1]);
    if (o->formula == PERP_POLAK_RIBIERE) c.d = PERP_ALLOC(run, double, 3 * (size_t)s.contacts);
    status = room && !run->arena->failed ? iterate(run, &s, &c, z) : PERP_E_MEMORY;
    perp_sweep_close(&s);
    return status;
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_nncg_options, local, PERP_CONTACT_SOLVERS,
                       "one contact: auto is exact and quick; explicit is exact for spheres only, "
                       "lemke for its pyramid only"),
    PERP_OPTION_CHOICE(perp_nncg_options, order, "given|coloured",
                       "coloured: contacts without a common body together, on several threads"),
    PERP_OPTION_CHOICE(perp_nncg_options, formula, "fletcher_reeves|polak_ribiere",
                       "how much of the last direction is kept"),
    PERP_OPTION(perp_nncg_options, restart, 0, 1000000,
                "forget the direction after so many iterations; 0: only where the steps grow"),
    PERP_OPTION(perp_nncg_options, line_search, 0, 1,
                "halve what is added of the direction until the steps shrink"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/nncg",
    .about = "nonsmooth nonlinear conjugate gradients around a Gauss-Seidel sweep "
             "(Silcowitz-Hansen, Niebe, Erleben 2010)",
    .kind = PERP_FC3D,
    .formats = {PERP_DENSE | PERP_CSC | PERP_BSR3, PERP_DENSE | PERP_CSC | PERP_BSR3},
    .flags = PERP_READS_BODY | PERP_MAY_ALLOCATE | PERP_PATIENT,
    .options_size = sizeof(perp_nncg_options),
    .options = options,
    .solve = nncg,
};

const perp_nncg_options perp_fc3d_nncg = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
