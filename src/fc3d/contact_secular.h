/* fc3d/contact_secular.h: take-off, sticking and sliding of one contact, in line for sweeps.
 *
 * With qt = q_T - l q_N, y(alpha) = adj(S) qt + alpha qt and D(alpha) = det(S + alpha I),
 *     r_T = -y / D,    r_N = N / (W_NN D),    N = c.y - q_N D,
 * so sliding means |y| = (mu / W_NN) N. As for trust regions (More and Sorensen 1983) Newton's
 * method runs on 1/|r_T| - 1/(mu r_N), which is nearly linear, inside a bracket: |r_T| exceeds
 * mu r_N at alpha = 0 where the contact does not stick, and falls below it for large alpha where
 * q_N < 0. A last step with one refinement of r_T brings back the digits that D and N lose.
 * 20 to 60 ns. */
#ifndef PERP_FC3D_CONTACT_SECULAR_H
#define PERP_FC3D_CONTACT_SECULAR_H

#include "base/clones.h"
#include "contact.h"

#include <math.h>

#define CONTACT_CLOSE 1e-7   /* |y| and mu N / W_NN agree so far: the last step squares it */
#define CONTACT_NEAR 3e-5    /* of |y|^2 and of alpha: after such a step none is needed */
#define CONTACT_FOLLOW 4     /* steps from the last alpha, before the bracketed iteration */
#define CONTACT_STEPS 60     /* of the bracketed iteration; usually 0 to 6 */
#define CONTACT_SMOOTH 1e-30 /* a smaller mu is below rounding: no friction */

/* adj(S + alpha I) x */
PERP_INLINED void contact_adjugate(const perp_contact_block *k, double alpha, const double x[2],
                                   double y[2])
{
    y[0] = (k->S[3] + alpha) * x[0] - k->S[2] * x[1];
    y[1] = (k->S[0] + alpha) * x[1] - k->S[1] * x[0];
}

/* r_T = -(S + alpha I)^-1 qt, refined once where the block is not plain. Returns 1 / D. */
PERP_INLINED double contact_tangent(const perp_contact_block *k, double alpha, const double qt[2],
                                    double rt[2])
{
    double inverse = 1 / (k->det + alpha * (k->trace + alpha)), rest[2], step[2];
    contact_adjugate(k, alpha, qt, rt);
    rt[0] *= -inverse;
    rt[1] *= -inverse;
    if (k->plain) return inverse;
    rest[0] = qt[0] + alpha * rt[0] + (k->S[0] * rt[0] + k->S[2] * rt[1]);
    rest[1] = qt[1] + alpha * rt[1] + (k->S[1] * rt[0] + k->S[3] * rt[1]);
    contact_adjugate(k, alpha, rest, step);
    rt[0] -= inverse * step[0];
    rt[1] -= inverse * step[1];
    return inverse;
}

PERP_INLINED double contact_normal(const perp_contact_block *k, double qn, const double rt[2])
{
    return -(qn + (k->c[0] * rt[0] + k->c[1] * rt[1])) * k->inv;
}

/* The coefficients of the secular equation, |a + alpha b| = n0 + alpha (n1 + alpha n2). */
typedef struct contact_curve {
    double a[2], b[2], n0, n1, n2, trace, det;
} contact_curve;

PERP_INLINED contact_curve contact_sliding(const perp_contact_block *k, double qn,
                                           const double qt[2])
{
    double m = k->mu * k->inv;
    contact_curve s = {.b = {qt[0], qt[1]}, .n2 = -m * qn, .trace = k->trace, .det = k->det};
    contact_adjugate(k, 0, qt, s.a);
    s.n1 = m * (k->c[0] * qt[0] + k->c[1] * qt[1]) + s.n2 * k->trace;
    s.n0 = m * (k->c[0] * s.a[0] + k->c[1] * s.a[1]) + s.n2 * k->det;
    return s;
}

/* An alpha beyond the root: where |a| + alpha |b| = n0 + alpha (n1 + alpha n2), n2 > 0. */
PERP_INLINED double contact_beyond(const contact_curve *s)
{
    double p = sqrt(s->b[0] * s->b[0] + s->b[1] * s->b[1]) - s->n1;
    double c = sqrt(s->a[0] * s->a[0] + s->a[1] * s->a[1]) - s->n0;
    double root = sqrt(fmax(p * p + 4 * s->n2 * c, 0));
    return p > 0 ? (p + root) / (2 * s->n2) : 2 * fmax(c, 0) / (root - p);
}

/* The root near alpha, to CONTACT_CLOSE. False: none was found. */
PERP_INLINED bool contact_root(const contact_curve *s, double *alpha)
{
    double x = *alpha, lo = 0, hi = INFINITY;
    for (int i = 0; i < CONTACT_STEPS; i++) {
        double y0 = s->a[0] + x * s->b[0], y1 = s->a[1] + x * s->b[1];
        double tt = y0 * y0 + y1 * y1, t = sqrt(tt), g = s->n0 + x * (s->n1 + x * s->n2);
        double gap = t - g;
        if (fabs(gap) <= CONTACT_CLOSE * t) {
            *alpha = x;
            return t > 0;
        }
        if (gap > 0)
            lo = x;
        else
            hi = x;
        double d = s->det + x * (s->trace + x), dd = s->trace + 2 * x;
        double slope = (dd * tt - d * (y0 * s->b[0] + y1 * s->b[1])) * (g * g) -
                       (dd * g - d * (s->n1 + 2 * x * s->n2)) * tt * t;
        double next = x + d * gap * tt * g / slope;
        if (!(g > 0 && next > lo && next < hi)) { /* also NaN */
            if (hi == INFINITY)
                next = fmax(2 * contact_beyond(s), 2 * x);
            else
                next = lo > 0 ? sqrt(lo) * sqrt(hi) : 0.125 * hi;
        }
        x = next;
    }
    return false;
}

/* One Newton step from alpha with everything that follows from r_T itself. */
PERP_INLINED bool contact_finish(const perp_contact_block *k, double qn, const double qt[2],
                                 double alpha, double r[3])
{
    double rt[2], p[2], inverse = contact_tangent(k, alpha, qt, rt);
    contact_adjugate(k, alpha, rt, p);
    double cp = inverse * k->inv * (k->c[0] * p[0] + k->c[1] * p[1]);
    double g = k->mu * contact_normal(k, qn, rt), tt = rt[0] * rt[0] + rt[1] * rt[1], t = sqrt(tt);
    double slope = inverse * (rt[0] * p[0] + rt[1] * p[1]) * (g * g) + k->mu * cp * tt * t;
    double step = inverse * (tt * g * (t - g) / slope);
    if (!(fabs(t - g) <= 1e-3 * t && fabs(step) < INFINITY)) return false;
    rt[0] -= step * p[0];
    rt[1] -= step * p[1];
    r[0] = contact_normal(k, qn, rt);
    r[1] = rt[0];
    r[2] = rt[1];
    return r[0] > 0;
}

/* A first alpha: what a start r_T says, else what W_TT = s I would give. */
PERP_INLINED double contact_guess(const perp_contact_block *k, double qn, const double qt[2],
                                  const double r[3])
{
    double tt = r[1] * r[1] + r[2] * r[2];
    if (tt > 0) {
        double w1 = qt[0] + k->S[0] * r[1] + k->S[2] * r[2];
        double w2 = qt[1] + k->S[1] * r[1] + k->S[3] * r[2], alpha = -(r[1] * w1 + r[2] * w2) / tt;
        if (alpha > 0 && alpha < INFINITY) return alpha;
    }
    double length = sqrt(qt[0] * qt[0] + qt[1] * qt[1]);
    return fmax(length / (-qn * k->inv * k->mu) - 0.5 * k->trace, 0);
}

/* Solve with q_N and qt = q_T - l q_N, k->regular. False: try perp_contact_solve; r is as it was.
 */
PERP_INLINED bool perp_contact_step(const perp_contact_block *k, double qn, const double qt[2],
                                    double r[3])
{
    if (qn >= 0) {
        r[0] = r[1] = r[2] = 0;
        return true;
    }
    if (k->mu < CONTACT_SMOOTH) {
        r[0] = -qn * k->inv;
        r[1] = r[2] = 0;
        return true;
    }
    contact_curve s = contact_sliding(k, qn, qt);
    if (s.n0 > 0 && s.a[0] * s.a[0] + s.a[1] * s.a[1] <= s.n0 * s.n0) {
        double rt[2];
        contact_tangent(k, 0, qt, rt);
        r[0] = contact_normal(k, qn, rt);
        r[1] = rt[0];
        r[2] = rt[1];
        return r[0] > 0;
    }
    double alpha = contact_guess(k, qn, qt, r);
    return contact_root(&s, &alpha) && contact_finish(k, qn, qt, alpha, r);
}

/* The same where u = W r + q is known at the start r. */
PERP_INLINED bool perp_contact_step_from(const perp_contact_block *k, const double u[3],
                                         double r[3])
{
    double qn = u[0] - (k->wn * r[0] + k->c[0] * r[1] + k->c[1] * r[2]);
    double qt[2] = {u[1] - k->l[0] * u[0] - (k->S[0] * r[1] + k->S[2] * r[2]),
                    u[2] - k->l[1] * u[0] - (k->S[1] * r[1] + k->S[3] * r[2])};
    return perp_contact_step(k, qn, qt, r);
}

/* The same for a contact that does much what it did at r, k->plain: no square roots, and few
 * divisions that wait for each other. Slides by Newton steps on |y|^2 = (mu N / W_NN)^2 from the
 * alpha that r has, usually one; what then remains is below CONTACT_NEAR squared of r. False:
 * something else happens, r is as it was. */
PERP_INLINED bool perp_contact_follow(const perp_contact_block *k, const double u[3], double r[3])
{
    double v1 = u[1] - k->l[0] * u[0], v2 = u[2] - k->l[1] * u[0];
    double alpha = -(r[1] * v1 + r[2] * v2) / (r[1] * r[1] + r[2] * r[2]);
    double qn = u[0] - (k->wn * r[0] + (k->c[0] * r[1] + k->c[1] * r[2]));
    double q1 = v1 - (k->S[0] * r[1] + k->S[2] * r[2]);
    double q2 = v2 - (k->S[1] * r[1] + k->S[3] * r[2]);
    if (qn >= 0) {
        r[0] = r[1] = r[2] = 0;
        return true;
    }
    double m = k->mu * k->inv, a1 = k->S[3] * q1 - k->S[2] * q2, a2 = k->S[0] * q2 - k->S[1] * q1;
    double n0 = m * ((k->c[0] * a1 + k->c[1] * a2) - qn * k->det), scale = k->idet;
    if (!(n0 > 0 && a1 * a1 + a2 * a2 <= n0 * n0)) {
        double n2 = -m * qn, n1 = m * (k->c[0] * q1 + k->c[1] * q2) + n2 * k->trace;
        bool near = false;
        for (int i = 0; i < CONTACT_FOLLOW && !near; i++) {
            double y1 = a1 + alpha * q1, y2 = a2 + alpha * q2, yy = y1 * y1 + y2 * y2;
            double g = n0 + alpha * (n1 + alpha * n2), gap = yy - g * g;
            double slope = 2 * (g * (n1 + 2 * alpha * n2) - (y1 * q1 + y2 * q2));
            double step = gap / slope, reach = alpha + k->trace;
            if (!(g > 0 && slope > 0 && fabs(step) < reach && alpha + step > 0)) return false;
            near = fabs(gap) <= CONTACT_NEAR * yy && fabs(step) <= CONTACT_NEAR * reach;
            alpha += step;
        }
        if (!near) return false; /* also NaN */
        a1 += alpha * q1;
        a2 += alpha * q2;
        scale = 1 / (k->det + alpha * (k->trace + alpha));
    }
    double t1 = -scale * a1, t2 = -scale * a2;
    double n = -(qn + (k->c[0] * t1 + k->c[1] * t2)) * k->inv;
    if (!(n > 0)) return false;
    r[0] = n;
    r[1] = t1;
    r[2] = t2;
    return true;
}

#endif
