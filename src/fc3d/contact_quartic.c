/* fc3d/contact_quartic.c: all solutions of one contact: take-off, sticking, and the sliding ones
 * among the real roots of a quartic, as Bonnefon and Daviet (2011).
 *
 * In the notation of contact_secular.h sliding means |a + alpha b|^2 = (n0 + n1 alpha +
 * n2 alpha^2)^2, of degree 4 in alpha > 0. The roots lie between those of the derivative, found the
 * same way down to degree 1: no formula that loses digits, and none is missed. About 2 us. */
#include "contact.h"
#include "contact_secular.h"

#include <float.h>

#define HALVINGS 120 /* of an interval; Newton's steps need fewer */

static double value(int degree, const double *c, double x, double *slope)
{
    double p = c[degree], d = 0;
    for (int i = degree - 1; i >= 0; i--) {
        d = d * x + p;
        p = p * x + c[i];
    }
    *slope = d;
    return p;
}

/* The root between lo and hi, where the polynomial has different signs. */
static double root_between(int degree, const double *c, double lo, double hi)
{
    double d, x = 0.5 * (lo + hi);
    bool rises = value(degree, c, hi, &d) > 0;
    for (int k = 0; k < HALVINGS && hi - lo > DBL_EPSILON * hi; k++) {
        double p = value(degree, c, x, &d);
        if (p == 0) return x;
        if ((p > 0) == rises)
            hi = x;
        else
            lo = x;
        double next = x - p / d;
        if (!(next > lo && next < hi))
            next = lo > 0 && hi > 4 * lo ? sqrt(lo) * sqrt(hi) : 0.5 * (lo + hi);
        if (fabs(next - x) <= DBL_EPSILON * fabs(next)) return next;
        x = next;
    }
    return x;
}

/* Roots in [0, most], ascending; returns their number. Points where the polynomial only touches
 * zero are listed too: the derivative's roots are offered beside its own. */
static int roots_of(int degree, const double *c, double most, double *root)
{
    double inner[8], derivative[5], d;
    int count = 0, inside = 0;
    if (degree == 0) return 0;
    for (int i = 1; i <= degree; i++) derivative[i - 1] = i * c[i];
    inside = roots_of(degree - 1, derivative, most, inner);
    double left = 0, at_left = c[0];
    for (int i = 0; i <= inside; i++) {
        double right = i < inside ? inner[i] : most, at_right = value(degree, c, right, &d);
        if ((at_left > 0) != (at_right > 0)) root[count++] = root_between(degree, c, left, right);
        left = right;
        at_left = at_right;
    }
    return count;
}

/* Beyond this no root lies (Fujiwara 1916). */
static double bound_of(const double c[5])
{
    double most = 0;
    int degree = 4;
    while (degree > 0 && c[degree] == 0) degree--;
    for (int i = 0; i < degree; i++) {
        most = fmax(most, 2 * pow(fabs(c[i] / c[degree]), 1. / (degree - i)));
    }
    return most;
}

typedef struct search {
    const double *W, *q;
    const perp_contact_block *k;
    double qt[2], r[3], error;
} search;

static void offer(search *s, const double r[3])
{
    double error = perp_contact_error(s->W, s->q, s->k->mu, r);
    if (!(error < s->error)) return;
    s->error = error;
    for (int i = 0; i < 3; i++) s->r[i] = r[i];
}

static void offer_alpha(search *s, double alpha)
{
    double rt[2], r[3];
    if (contact_finish(s->k, s->q[0], s->qt, alpha, r)) offer(s, r);
    contact_tangent(s->k, alpha, s->qt, rt);
    double t = sqrt(rt[0] * rt[0] + rt[1] * rt[1]), normal = contact_normal(s->k, s->q[0], rt);
    if (!(normal > 0) || !(t > 0)) return;
    double scale = alpha > 0 ? s->k->mu * normal / t : 1; /* alpha = 0 sticks: inside, maybe */
    offer(s, (const double[3]){normal, scale * rt[0], scale * rt[1]});
}

double perp_contact_enumerate(const double W[9], const perp_contact_block *k, const double q[3],
                              double r[3])
{
    search s = {.W = W, .q = q, .k = k, .error = perp_contact_error(W, q, k->mu, r)};
    double root[8], stationary[8], d[4], zero[3] = {0};
    for (int i = 0; i < 3; i++) s.r[i] = r[i];
    for (int i = 0; i < 2; i++) s.qt[i] = q[1 + i] - k->l[i] * q[0];
    if (!(s.error >= 0)) s.error = INFINITY;
    offer(&s, zero);
    offer(&s, (const double[3]){fmax(-q[0] * k->inv, 0), 0, 0}); /* smooth */
    offer_alpha(&s, 0);
    contact_curve v = contact_sliding(k, q[0], s.qt);
    double c[5] = {v.a[0] * v.a[0] + v.a[1] * v.a[1] - v.n0 * v.n0,
                   2 * (v.a[0] * v.b[0] + v.a[1] * v.b[1] - v.n0 * v.n1),
                   v.b[0] * v.b[0] + v.b[1] * v.b[1] - v.n1 * v.n1 - 2 * v.n0 * v.n2,
                   -2 * v.n1 * v.n2, -v.n2 * v.n2};
    double most = 2 * bound_of(c);
    int count = isfinite(most) ? roots_of(4, c, most, root) : 0;
    for (int i = 0; i < count; i++) offer_alpha(&s, root[i]);
    for (int i = 1; i <= 4; i++) d[i - 1] = i * c[i];
    count = isfinite(most) ? roots_of(3, d, most, stationary) : 0; /* double roots */
    for (int i = 0; i < count; i++) offer_alpha(&s, stationary[i]);
    for (int i = 0; i < 3; i++) r[i] = s.r[i];
    return s.error;
}
