/* lcp/dantzig_order.c: Dantzig's method with the rule of Baraff, Fast contact force computation for
 * nonpenetrating rigid bodies, SIGGRAPH 1994: one index after the other, and a w that was settled
 * before stays nonnegative. Three to fifteen times as many pivots as with the most negative w
 * first, each with one more product: all settled w move. */
#include "dantzig.h"
#include "linalg/principal_submatrix.h"

#include <float.h>
#include <math.h>

/* The first settled w to reach zero before t. */
static int block_w(const dantzig *d, double size, double *t)
{
    int at = -1;
    double unit = 16 * DBL_EPSILON * sqrt(size);
    for (int j = 0; j < d->reach; j++) {
        if (!dantzig_outside(d, j) || d->state[j] != SETTLED || !(d->dw[j] < 0)) continue;
        double r = d->w[j] / -d->dw[j];
        if (r < *t && -d->dw[j] > unit * sqrt(d->a.diagonal[j])) {
            *t = r;
            at = j;
        }
    }
    return at;
}

static void move_w(dantzig *d, double t)
{
    for (int j = 0; j < d->reach; j++) {
        if (!dantzig_outside(d, j) || d->state[j] == WAITING) continue;
        double next = d->w[j] + t * d->dw[j];
        d->w[j] = next > 0 ? next : 0;
    }
}

/* Index j, whose w is zero now, joins. M_jj may have nothing left but rounding: w_j is held. */
static bool enter(dantzig *d, int i, int j)
{
    int k = d->a.u.k;
    double product = 0, left = perp_active_factor_reduce(&d->a, j, d->x);
    d->w[j] = 0;
    if (!(left > DANTZIG_DEPENDENT * d->a.diagonal[j])) {
        d->state[j] = HELD;
        return true;
    }
    for (int p = 0; p < k; p++) product += d->x[p] * d->y[p];
    if (!perp_active_factor_push(&d->a, j, d->x, left)) return false;
    perp_active_factor_gather(&d->a, i, d->x);
    d->y[k] = (d->x[k] - product) / sqrt(left);
    d->left -= d->y[k] * d->y[k];
    return perp_dantzig_refactor(d, i);
}

/* Raise z_i until w_i = 0, those settled before kept complementary. */
static dantzig_ending drive_keeping(dantzig *d, int i, double w)
{
    int idle = 0;
    dantzig_way y = perp_dantzig_begin(d, i, w);
    while (perp_continue(d->run, NULL, INFINITY)) {
        dantzig_ending e = perp_dantzig_aim(d, i, &y);
        if (e != DONE || perp_dantzig_over(d, i, &y)) return e;
        if (y.arrived) continue;
        double t = y.flat ? INFINITY : -y.w / d->left;
        int at = perp_dantzig_block(d, &t), entering = -1;
        if (!y.flat) {
            perp_dantzig_find_slope(d, i);
            entering = block_w(d, y.size, &t);
        }
        if (!(t < INFINITY)) return isnan(t) ? STUCK : perp_dantzig_meet_ray(d, i);
        idle = t > 0 ? 0 : idle + 1;
        if (idle > 2 * d->n) return STUCK;
        perp_dantzig_move(d, i, t);
        if (!y.flat) move_w(d, t);
        y.w += y.flat ? 0 : t * d->left;
        bool room = entering >= 0 ? enter(d, i, entering)
                    : at >= 0     ? perp_dantzig_leave(d, i, at)
                                  : perp_dantzig_settle(d, i);
        if (!room) return NO_MEMORY;
        if (!dantzig_outside(d, i)) return DONE;
    }
    return STOPPED;
}

dantzig_ending perp_dantzig_drive_in_order(dantzig *d, int *i)
{
    for (*i = 0; *i < d->n; ++*i) {
        int at = *i;
        if (at >= d->reach) d->reach = at + 1;
        if (!dantzig_outside(d, at) || d->state[at] != WAITING) continue;
        double w = perp_dantzig_slack(d, at);
        perp_dantzig_find_size(d);
        dantzig_ending e = w < -perp_dantzig_noise(d, at) ? drive_keeping(d, at, w) : DONE;
        if (e != DONE) return e;
        d->w[at] = w > 0 ? w : 0;
        d->state[at] = SETTLED;
        for (int j = 0; j < at; j++) d->state[j] = d->state[j] == HELD ? SETTLED : d->state[j];
    }
    return DONE;
}
