/* lcp/dantzig_pivots.c: one index of Dantzig's method on its way into the set.
 * Two triangular solves a pivot, and a product with columns of M where a ray is to be proved. */
#include "dantzig.h"
#include "linalg/principal_submatrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDING 1e-15          /* left of a diagonal entry of the set, at least, over its size */
#define NOISE (4 * DBL_EPSILON) /* of w, over the terms of M z */
#define HOLDS 4                 /* of an index, on average: more are a circle */

/* ---- the set ---- */

void perp_dantzig_find_vertex(dantzig *d)
{
    memset(d->z, 0, (size_t)d->n * sizeof *d->z);
    perp_active_factor_correct(&d->a, d->q, d->z);
    perp_active_factor_slack(&d->a, d->q, d->z, d->w);
}

bool perp_dantzig_take_list(dantzig *d, int count)
{
    if (!perp_active_factor_assign(&d->a, count, d->a.list, DANTZIG_DEPENDENT)) return false;
    perp_dantzig_find_vertex(d);
    return true;
}

static double root(const dantzig *d, int i)
{
    return sqrt(fmax(d->a.diagonal[i], 0));
}

void perp_dantzig_find_size(dantzig *d)
{
    d->size = 0;
    for (int p = 0; p < d->a.u.k; p++) d->size += root(d, d->a.set[p]) * d->z[d->a.set[p]];
}

/* |m_ij| <= root(m_ii m_jj) bounds the terms of M z. */
double perp_dantzig_noise(const dantzig *d, int i)
{
    return d->tiny + NOISE * root(d, i) * d->size;
}

bool perp_dantzig_repair(dantzig *d)
{
    for (;;) {
        int count = 0;
        for (int p = 0; p < d->a.u.k; p++) {
            if (d->z[d->a.set[p]] >= 0) d->a.list[count++] = d->a.set[p];
        }
        if (count == d->a.u.k) break;
        if (!perp_dantzig_take_list(d, count)) return false;
    }
    perp_dantzig_find_size(d);
    for (int i = 0; i < d->n; i++) {
        d->state[i] =
            dantzig_outside(d, i) && d->w[i] < -perp_dantzig_noise(d, i) ? WAITING : SETTLED;
        if (d->state[i] == SETTLED && d->w[i] < 0) d->w[i] = 0;
    }
    d->reach = d->n;
    return true;
}

/* ---- pivots ---- */

/* As z_i grows by 1, z_a falls by v. Returns the size of the terms that make up `left`. */
static double find_direction(dantzig *d, int i)
{
    double size = d->a.diagonal[i];
    memcpy(d->v, d->y, (size_t)d->a.u.k * sizeof *d->v);
    perp_updated_backward(&d->a.u, d->v);
    for (int p = 0; p < d->a.u.k; p++) size += d->v[p] * d->v[p] * d->a.diagonal[d->a.set[p]];
    return size;
}

int perp_dantzig_block(const dantzig *d, double *t)
{
    int at = -1;
    const int *set = d->a.set;
    for (int p = 0; p < d->a.u.k; p++) {
        if (!(d->v[p] > 0)) continue;
        double r = d->z[set[p]] / d->v[p];
        if (r < *t || (r == *t && (at < 0 || set[p] < set[at]))) {
            *t = r;
            at = p;
        }
    }
    return at;
}

void perp_dantzig_move(dantzig *d, int i, double t)
{
    for (int p = 0; p < d->a.u.k; p++) {
        double *z = &d->z[d->a.set[p]], next = *z - t * d->v[p];
        *z = next > 0 ? next : 0;
    }
    d->z[i] += t;
}

bool perp_dantzig_refactor(dantzig *d, int i)
{
    if (!d->options->refactor) return true;
    if (!perp_active_factor_rebuild(&d->a, -ROUNDING)) return false;
    if (dantzig_outside(d, i)) d->left = perp_active_factor_reduce(&d->a, i, d->y);
    return true;
}

bool perp_dantzig_leave(dantzig *d, int i, int at)
{
    int j = d->a.set[at];
    double last = perp_active_factor_drop(&d->a, at, d->y);
    d->left += last * last;
    d->z[j] = d->w[j] = 0;
    d->state[j] = SETTLED;
    return perp_dantzig_refactor(d, i);
}

bool perp_dantzig_settle(dantzig *d, int i)
{
    return perp_active_factor_push(&d->a, i, d->y, d->left) && perp_dantzig_refactor(d, i);
}

double perp_dantzig_slack(dantzig *d, int i)
{
    double w = d->q[i];
    perp_active_factor_gather(&d->a, i, d->x);
    for (int p = 0; p < d->a.u.k; p++) w += d->x[p] * d->z[d->a.set[p]];
    return w;
}

/* Along a flat direction w stays: z moves until one of the set leaves, or back until z_i = 0. */
static bool slide(dantzig *d, int i)
{
    double t = INFINITY;
    int at = perp_dantzig_block(d, &t);
    if (at < 0) {
        t = d->z[i];
        for (int p = 0; p < d->a.u.k; p++) {
            double z = d->z[d->a.set[p]];
            if (d->v[p] < 0 && z < -d->v[p] * t) {
                t = z / -d->v[p];
                at = p;
            }
        }
        t = -t;
    }
    perp_dantzig_move(d, i, t);
    if (at < 0) d->z[i] = 0;
    return at < 0 || perp_dantzig_leave(d, i, at);
}

dantzig_way perp_dantzig_begin(dantzig *d, int i, double w)
{
    d->left = perp_active_factor_reduce(&d->a, i, d->y);
    return (dantzig_way){.w = w};
}

bool perp_dantzig_over(const dantzig *d, int i, const dantzig_way *y)
{
    return !dantzig_outside(d, i) || (y->arrived && d->z[i] == 0);
}

dantzig_ending perp_dantzig_aim(dantzig *d, int i, dantzig_way *y)
{
    y->size = find_direction(d, i);
    if (d->left < -DANTZIG_INDEFINITE * y->size) return INDEFINITE_M;
    y->flat = d->left <= DANTZIG_DEPENDENT * y->size;
    perp_dantzig_find_size(d);
    d->size += root(d, i) * d->z[i];
    y->arrived = y->w >= -perp_dantzig_noise(d, i);
    if (!y->arrived) return DONE;
    return (y->flat ? slide(d, i) : perp_dantzig_settle(d, i)) ? DONE : NO_MEMORY;
}

void perp_dantzig_find_slope(dantzig *d, int i)
{
    const double whole = 1;
    perp_matrix rows = d->M;
    if (rows.format == PERP_FORMAT_DENSE) rows.m = d->reach;
    memset(d->dw, 0, (size_t)d->n * sizeof *d->dw);
    perp_add_columns(&rows, 1, &i, 1, &whole, d->dw);
    perp_add_columns(&rows, d->a.u.k, d->a.set, -1, d->v, d->dw);
}

/* The direction along which z_i grows for ever, as a proof. PERP_UNCERTIFIED: it is none. */
static perp_status prove(dantzig *d, int i)
{
    d->reach = d->n;
    perp_dantzig_find_slope(d, i); /* zero on a, but for rounding that one step takes away */
    memset(d->ray, 0, (size_t)d->n * sizeof *d->ray);
    for (int p = 0; p < d->a.u.k; p++) d->ray[d->a.set[p]] = -d->v[p];
    perp_active_factor_correct(&d->a, d->dw, d->ray);
    for (int j = 0; j < d->n; j++) d->proof[j] = d->ray[j] > 0 ? d->ray[j] : 0;
    d->proof[i] = 1;
    return perp_prove(d->run, PERP_INFEASIBLE, d->proof);
}

dantzig_ending perp_dantzig_meet_ray(dantzig *d, int i)
{
    perp_status s = prove(d, i);
    if (s == PERP_E_MEMORY) return NO_MEMORY;
    if (s == PERP_SOLVED) return RAY;
    d->z[i] = 0;
    perp_dantzig_find_vertex(d);
    if (++d->holds > HOLDS * (d->n + 1.)) return STUCK;
    if (!perp_dantzig_repair(d)) return NO_MEMORY;
    d->state[i] = HELD;
    return DONE;
}
