/* method/conjugate.c: nonsmooth nonlinear conjugate gradients around a sweep: the step between two
 * sweeps. Silcowitz-Hansen, Niebe and Erleben (2010), section 4; the step length of Polak and
 * Ribiere's variant by the secant. A few passes over the vectors. */
#include "conjugate.h"

#include <string.h>

#define HALVINGS 4  /* of a step, before the line search gives up and restarts */
#define ARMIJO 0.01 /* of the fall of f that a full step promises; the paper's c_1 */
#define LONGEST 10  /* step by the secant */

static bool open_part(perp_arena *a, bool ribiere, bool search, size_t n, double *x,
                      conjugate_part *v)
{
    *v = (conjugate_part){.n = n, .x = x};
    v->from = perp_alloc(a, n, sizeof *x);
    v->p = perp_alloc(a, n, sizeof *x);
    if (ribiere) v->d = perp_alloc(a, n, sizeof *x);
    if (search) v->extra = perp_alloc(a, n, sizeof *x);
    return !a->failed;
}

bool perp_conjugate_open(conjugate *c, perp_arena *a, bool ribiere, bool line_search, size_t n,
                         double *x, size_t m, double *beside)
{
    *c = (conjugate){0};
    return open_part(a, ribiere, line_search, n, x, &c->part[0]) &&
           open_part(a, ribiere, line_search, m, beside, &c->part[1]);
}

static void keep(conjugate_part *v)
{
    if (v->n) memcpy(v->from, v->x, v->n * sizeof *v->x);
}

void perp_conjugate_start(conjugate *c)
{
    for (int k = 0; k < 2; k++) keep(&c->part[k]);
}

void perp_conjugate_refresh(conjugate *c)
{
    keep(&c->part[1]);
}

/* |d|^2 of the last sweep. */
static double measure_step(const conjugate_part *v)
{
    double sum = 0;
    for (size_t i = 0; i < v->n; i++) sum += (v->x[i] - v->from[i]) * (v->x[i] - v->from[i]);
    return sum;
}

/* ---- line search ---- */

/* Back to where the sweep began, less half of what had been added there. */
static void retreat(conjugate_part *v)
{
    for (size_t i = 0; i < v->n; i++) {
        v->extra[i] *= 0.5;
        v->x[i] = v->from[i] -= v->extra[i];
        if (v->d) v->p[i] -= v->extra[i];
    }
}

/* True: the last step was too long, and half of it is tried. */
static bool shortens(conjugate *c, double now)
{
    bool short_of = now > (1 - 2 * ARMIJO) * c->old;
    if (!c->part[0].extra || !c->extended || !short_of || c->halvings >= HALVINGS) return false;
    c->halvings++;
    for (int k = 0; k < 2; k++) retreat(&c->part[k]);
    return true;
}

/* ---- Fletcher and Reeves ---- */

/* x <- x + beta p, p <- d + beta p; a restart leaves x and forgets p. */
static void advance_reeves(conjugate_part *v, double beta, bool restart)
{
    for (size_t i = 0; i < v->n; i++) {
        double e = restart ? 0 : beta * v->p[i];
        v->p[i] = restart ? 0 : e + (v->x[i] - v->from[i]);
        if (v->extra) v->extra[i] = e;
        v->from[i] = v->x[i] += e;
    }
}

static void step_reeves(conjugate *c, double now, bool restart)
{
    double beta = c->old > 0 ? now / c->old : 0;
    for (int k = 0; k < 2; k++) advance_reeves(&c->part[k], beta, restart);
    c->extended = !restart && beta > 0;
    c->old = now;
}

/* ---- Polak and Ribiere ---- */

/* The length of the last step that makes d and p orthogonal. */
static double secant(const conjugate_part *v)
{
    double fall = 0, whole = 0;
    for (size_t i = 0; i < v->n; i++) {
        fall += (v->d[i] - (v->x[i] - v->from[i])) * v->p[i];
        whole += v->d[i] * v->p[i];
    }
    if (!(whole > 0)) return 1; /* p leads upwards */
    return fall * LONGEST > whole ? whole / fall : LONGEST;
}

/* beta after a step of length 1 + e, and |d|^2 there. */
static double find_beta(const conjugate_part *v, double e, double *square)
{
    double product = 0, old = 0;
    *square = 0;
    for (size_t i = 0; i < v->n; i++) {
        double now = v->x[i] - v->from[i], d = now - e * (v->d[i] - now);
        *square += d * d;
        product += d * v->d[i];
        old += v->d[i] * v->d[i];
    }
    double beta = (*square - product) / old;
    return beta > 1 ? 1 : beta > 0 ? beta : 0;
}

/* From 1 + e of the last step: p <- d + beta p, x <- x + p. */
static void advance_ribiere(conjugate_part *v, double e, double beta)
{
    for (size_t i = 0; i < v->n; i++) {
        double now = v->x[i] - v->from[i], d = now - e * (v->d[i] - now);
        double base = v->from[i] + e * v->p[i], p = d + beta * v->p[i];
        if (v->extra) v->extra[i] = base + p - v->x[i];
        v->p[i] = p;
        v->d[i] = d;
        v->from[i] = v->x[i] = base + p;
    }
}

/* The sweep itself, as the first step. */
static void begin_ribiere(conjugate_part *v)
{
    for (size_t i = 0; i < v->n; i++) {
        v->p[i] = v->d[i] = v->x[i] - v->from[i];
        if (v->extra) v->extra[i] = 0;
        v->from[i] = v->x[i];
    }
}

static void step_ribiere(conjugate *c, double now, bool restart)
{
    bool begins = restart || !(c->old > 0);
    double e = begins ? 0 : secant(&c->part[0]) - 1, square = now;
    double beta = begins ? 0 : find_beta(&c->part[0], e, &square);
    for (int k = 0; k < 2; k++) {
        if (begins)
            begin_ribiere(&c->part[k]);
        else
            advance_ribiere(&c->part[k], e, beta);
    }
    c->extended = !begins;
    c->old = square;
}

double perp_conjugate_step(conjugate *c)
{
    double now = measure_step(&c->part[0]);
    if (shortens(c, now)) return now;
    bool rises = c->old > 0 && now > c->old;
    bool restart = rises || (c->restart > 0 && c->kept >= c->restart);
    c->kept = restart ? 0 : c->kept + 1;
    c->halvings = 0;
    (c->part[0].d ? step_ribiere : step_reeves)(c, now, restart);
    return now;
}
