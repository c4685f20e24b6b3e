/* lcp/cone_nearest.c: nearest point of a finitely generated cone, by an active set.
 * Lawson, Hanson, Solving Least Squares Problems (1974), chapter 23.
 *
 * The passive columns are kept as Q R by Gram-Schmidt done twice, which shows a dependent column as
 * it comes and refuses it. Columns and b are scaled by powers of two, so no unit of measure
 * matters. For small dense problems: O(m n) a step, O(m k^2) when a column leaves. */
#include "cone_nearest.h"

#include "base/vector.h"

#include <float.h>
#include <stdbool.h>

enum { ACTIVE, PASSIVE, REFUSED, ZERO }; /* a refused column is not tried until x moves */

typedef struct cone {
    int m, n, k;      /* k passive columns */
    int rank;         /* most there can be */
    double *A;        /* m x n, scaled columns of norm about 1 */
    double *Q, *R;    /* m x k and k x k (leading dimension rank), of the passive columns */
    double *b, *r;    /* scaled right-hand side, residual b - A x */
    double *Qb, *s;   /* Q'b, unconstrained solution on the passive columns */
    double *norm, *x; /* of the columns; x in the scaled problem */
    int *passive;     /* their numbers, in the order of Q */
    int *state, *shift;
} cone;

static double dot(int m, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < m; i++) sum += a[i] * b[i];
    return sum;
}

static void add(int m, double t, const double *a, double *b)
{
    for (int i = 0; i < m; i++) b[i] += t * a[i];
}

static double *column(double *A, int ld, int j)
{
    return A + (size_t)j * (size_t)ld;
}

static int exponent(int m, const double *a)
{
    double max = vector_max(m, a);
    return max > 0 && isfinite(max) ? ilogb(max) : 0;
}

static void scale(cone *c, const double *C, int ld)
{
    for (int j = 0; j < c->n; j++) {
        const double *from = C + (size_t)j * (size_t)ld;
        double *to = column(c->A, c->m, j);
        c->shift[j] = exponent(c->m, from);
        for (int i = 0; i < c->m; i++) to[i] = scalbn(from[i], -c->shift[j]);
        c->norm[j] = vector_norm(c->m, to);
        c->state[j] = c->norm[j] > 0 && isfinite(c->norm[j]) ? ACTIVE : ZERO;
        c->x[j] = 0;
    }
}

/* Append column j to Q R; false when it depends on those already there. */
static bool append(cone *c, int j)
{
    if (c->k == c->rank) return false;
    double *v = column(c->Q, c->m, c->k), *h = column(c->R, c->rank, c->k);
    for (int i = 0; i < c->m; i++) v[i] = column(c->A, c->m, j)[i];
    for (int p = 0; p < c->k; p++) h[p] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < c->k; p++) {
            double t = dot(c->m, column(c->Q, c->m, p), v);
            h[p] += t;
            add(c->m, -t, column(c->Q, c->m, p), v);
        }
    }
    double left = vector_norm(c->m, v);
    if (!(left > 64 * DBL_EPSILON * c->norm[j])) return false;
    for (int i = 0; i < c->m; i++) v[i] /= left;
    h[c->k] = left;
    c->Qb[c->k] = dot(c->m, v, c->b);
    c->passive[c->k++] = j;
    c->state[j] = PASSIVE;
    return true;
}

static void solve_passive(cone *c)
{
    for (int p = c->k - 1; p >= 0; p--) {
        double t = c->Qb[p];
        for (int s = p + 1; s < c->k; s++) t -= column(c->R, c->rank, s)[p] * c->s[s];
        c->s[p] = t / column(c->R, c->rank, p)[p];
    }
}

/* r = b - A x; returns the size of the terms, which rounding is relative to. */
static double residual(cone *c)
{
    double size = vector_norm(c->m, c->b);
    for (int i = 0; i < c->m; i++) c->r[i] = c->b[i];
    for (int p = 0; p < c->k; p++) {
        int j = c->passive[p];
        add(c->m, -c->x[j], column(c->A, c->m, j), c->r);
        size += c->x[j] * c->norm[j];
    }
    return size;
}

/* The column at the smallest angle to the residual; -1: none has an acute one beyond rounding. */
static int entering(cone *c, double size)
{
    double best = 4 * DBL_EPSILON * (c->m + 1) * size;
    int found = -1;
    for (int j = 0; j < c->n; j++) {
        if (c->state[j] != ACTIVE) continue;
        double g = dot(c->m, column(c->A, c->m, j), c->r) / c->norm[j];
        if (g > best) {
            best = g;
            found = j;
        }
    }
    return found;
}

/* Drop the passive columns at zero and rebuild Q R behind the first of them. */
static void drop(cone *c)
{
    int first = 0, k = c->k;
    while (first < k && c->x[c->passive[first]] > 0) first++;
    c->k = first;
    for (int p = first; p < k; p++) {
        int j = c->passive[p];
        c->state[j] = ACTIVE;
        if (!(c->x[j] > 0) || !append(c, j)) c->x[j] = 0;
    }
}

/* From x >= 0 towards s, as far as x stays >= 0; true when it came all the way. */
static bool move(cone *c)
{
    double step = 1;
    int block = -1;
    for (int p = 0; p < c->k; p++) {
        double x = c->x[c->passive[p]];
        if (c->s[p] > 0 || x - c->s[p] <= 0) continue;
        double t = x / (x - c->s[p]);
        if (block < 0 || t < step) {
            step = t;
            block = p;
        }
    }
    for (int p = 0; p < c->k; p++) {
        double *x = &c->x[c->passive[p]];
        *x = block < 0 ? c->s[p] : *x + step * (c->s[p] - *x);
        if (p == block || !(*x > 0)) *x = 0;
    }
    return block < 0;
}

/* One entering column, and what leaves because of it. Each pass of the loop drops a column. */
static void pivot(cone *c, int j)
{
    if (!append(c, j)) {
        c->state[j] = REFUSED;
        return;
    }
    solve_passive(c);
    if (!(c->s[c->k - 1] > 0)) { /* the angle was acute by rounding only */
        c->state[j] = REFUSED;
        c->k--;
        return;
    }
    while (!move(c)) {
        drop(c);
        solve_passive(c);
    }
    drop(c);
    for (int i = 0; i < c->n; i++) {
        if (c->state[i] == REFUSED) c->state[i] = ACTIVE;
    }
}

static cone lay_out(int m, int n, double *work, int *iwork)
{
    cone c = {.m = m, .n = n, .rank = m < n ? m : n};
    size_t rows = (size_t)m, columns = (size_t)n, rank = (size_t)c.rank;
    c.A = work;
    c.Q = c.A + rows * columns;
    c.R = c.Q + rows * rank;
    c.b = c.R + rank * rank;
    c.r = c.b + rows;
    c.Qb = c.r + rows;
    c.s = c.Qb + rank;
    c.norm = c.s + rank;
    c.x = c.norm + columns;
    c.passive = iwork;
    c.state = c.passive + rank;
    c.shift = c.state + columns;
    return c;
}

double perp_cone_nearest(int m, int n, const double *C, int ld, const double *b, double *x,
                         double *work, int *iwork)
{
    cone c = lay_out(m, n, work, iwork);
    int shift = exponent(m, b);
    scale(&c, C, ld);
    for (int i = 0; i < m; i++) c.b[i] = scalbn(b[i], -shift);

    /* In exact arithmetic the distance falls with each pivot, so it ends; the limit is for
     * rounding. A refusal costs a pass too, at most n between two moves. */
    for (int pass = 0, limit = 10 * (n + 1); pass < limit; pass++) {
        int j = entering(&c, residual(&c));
        if (j < 0) break;
        pivot(&c, j);
    }
    residual(&c);
    for (int j = 0; j < n; j++) x[j] = scalbn(c.x[j], shift - c.shift[j]);
    return scalbn(vector_norm(m, c.r), shift);
}
