/* kernel/conjugate.c: nonsmooth nonlinear conjugate gradients around a sweep: the step between two
 * sweeps. Silcowitz-Hansen, Niebe and Erleben (2010), section 4. A few passes over the vectors. */
#include "conjugate.h"

#include <string.h>

#define HALVINGS 4  /* of a step, before the line search gives up and restarts */
#define ARMIJO 0.01 /* of the fall of f that a full step promises; the paper's c_1 */

/* |d|^2 of the last sweep, and its product with the step before it. */
static double measure_step(conjugate *c, double *product)
{
    const conjugate_part *v = &c->part[0];
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
static void advance(conjugate_part *v, double beta, bool restart)
{
    for (size_t i = 0; i < v->n; i++) {
        double e = restart ? 0 : beta * v->p[i];
        v->p[i] = restart ? 0 : e + (v->x[i] - v->from[i]);
        if (v->extra) v->extra[i] = e;
        v->from[i] = v->x[i] += e;
    }
}

/* Back to where the sweep began, less half of what had been added there. */
static void retreat(conjugate_part *v)
{
    for (size_t i = 0; i < v->n; i++) {
        v->extra[i] *= 0.5;
        v->x[i] = v->from[i] -= v->extra[i];
    }
}

static void keep(conjugate_part *v)
{
    if (v->n) memcpy(v->from, v->x, v->n * sizeof *v->x);
}

void conjugate_start(conjugate *c)
{
    for (int k = 0; k < 2; k++) keep(&c->part[k]);
}

void conjugate_refresh(conjugate *c)
{
    keep(&c->part[1]);
}

double conjugate_step(conjugate *c)
{
    double product, now = measure_step(c, &product);
    bool rises = c->old > 0 && now > c->old;
    bool short_of = now > (1 - 2 * ARMIJO) * c->old;
    if (c->part[0].extra && c->extended && short_of && c->halvings < HALVINGS) {
        c->halvings++;
        for (int k = 0; k < 2; k++) retreat(&c->part[k]);
        return now;
    }
    double beta = c->old > 0 ? (c->d ? now - product : now) / c->old : 0;
    bool restart = rises || (c->restart > 0 && c->kept >= c->restart);
    if (!(beta > 0)) beta = 0;
    if (beta > 1) beta = 1; /* Polak-Ribiere's may exceed it where f falls */
    for (int k = 0; k < 2; k++) advance(&c->part[k], beta, restart);
    c->kept = restart ? 0 : c->kept + 1;
    c->extended = !restart && beta > 0;
    c->halvings = 0;
    c->old = now;
    return now;
}
