/* qp/nnls_line.c: a search on a line in the dual of a proximal problem, by false position kept
 * away from the ends of its bracket. */
#include "nnls_line.h"

#include <math.h>

#define SEARCHES 30 /* slopes on one line at most, beside those at its ends */
#define FLAT 0.1    /* slope, against the first, at which a search ends */

double perp_nnls_dual_x(const perp_nnls_line *l, double t, int j)
{
    double slope = l->from_slope[j] + t * (l->to_slope[j] - l->from_slope[j]);
    double x = l->c[j] + slope / l->e;
    return x > 0 || (l->p->is_free && l->p->is_free[j]) ? x : 0;
}

static double slope_at(const perp_nnls_line *l, double t)
{
    double sum = 0;
    for (int i = 0; i < l->p->A.m; i++) {
        double d = l->to[i] - l->from[i];
        sum += (l->from[i] + t * d - l->p->b[i]) * d;
    }
    for (int j = 0; j < l->p->A.n; j++) {
        sum += perp_nnls_dual_x(l, t, j) * (l->to_slope[j] - l->from_slope[j]);
    }
    return sum;
}

double perp_nnls_search(const perp_nnls_line *l)
{
    double low = 0, high = 1, first = slope_at(l, 0), at_low = first, at_high = slope_at(l, 1);
    if (!(at_high > FLAT * fabs(first)) || !(first < 0)) return 1;
    for (int k = 0; k < SEARCHES; k++) {
        double t = low + (high - low) * at_low / (at_low - at_high);
        t = fmin(fmax(t, low + 0.1 * (high - low)), high - 0.1 * (high - low));
        double s = slope_at(l, t);
        if (fabs(s) <= FLAT * fabs(first)) return t;
        if (s < 0) {
            low = t;
            at_low = s;
        } else {
            high = t;
            at_high = s;
        }
    }
    return low > 0 ? low : high;
}
