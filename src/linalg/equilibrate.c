/* linalg/equilibrate.c: simultaneous row and column scaling in the maximum norm, a few passes.
 * Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices,
 * RAL-TR-2001-034. One pass reads M once. */
#include "equilibrate.h"

#include "base/clones.h"

#include <math.h>
#include <stddef.h>

#define PASSES 8
#define STRIP 32        /* running maxima of a column: a fixed number lets the loop vectorise */
#define SPREAD 64.0     /* ratio of largest to smallest row or column that is left alone */
#define LEVEL 64.0      /* and the factor from 1, either way, of the largest entry */
#define CONTENT 4.0     /* the ratio that ends the passes */
#define FARTHEST 1000.0 /* no factor beyond 2 to this: the reciprocal of a denormal overflows */

/* row_i = max(row_i, |m_i| r_i s), and the largest of those entries. */
PERP_CLONED(double, measure_column,
            (int n, const double *restrict m, double s, const double *restrict r,
             double *restrict row),
            (n, m, s, r, row))
{
    double most[STRIP] = {0}, result = 0;
    for (int i = 0; i < n; i += STRIP) {
        int width = n - i < STRIP ? n - i : STRIP;
        for (int k = 0; k < width; k++) {
            double a = fabs(m[i + k]) * r[i + k] * s;
            row[i + k] = a > row[i + k] ? a : row[i + k];
            most[k] = a > most[k] ? a : most[k];
        }
    }
    for (int k = 0; k < STRIP; k++) result = most[k] > result ? most[k] : result;
    return result;
}

/* Largest entries of the scaled rows and columns. */
static void measure(int n, const double *M, int ld, const double *r, const double *s, double *row,
                    double *column)
{
    for (int i = 0; i < n; i++) row[i] = 0;
    for (int j = 0; j < n; j++) {
        column[j] = measure_column(n, M + (size_t)j * (size_t)ld, s[j], r, row);
    }
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
    return most;
}

static double spread(int n, const double *x)
{
    double least = INFINITY, most = largest(n, x);
    for (int i = 0; i < n; i++) {
        if (x[i] > 0 && x[i] < least) least = x[i];
    }
    return most > 0 ? most / least : 1;
}

/* All entries of one size, but not that of 1: one factor for all keeps the rows' proportions. */
static bool shift_level(int n, double most, double *s)
{
    if (most == 0 || (most <= LEVEL && most >= 1 / LEVEL)) return false;
    double factor = exp2(fmin(fmax(-nearbyint(log2(most)), -FARTHEST), FARTHEST));
    for (int i = 0; i < n; i++) s[i] = factor;
    return true;
}

/* Multiply by the power of two nearest to the root of 1 / norm; rows of zeros stay. */
static void improve(int n, const double *norm, double *scale)
{
    for (int i = 0; i < n; i++) {
        if (norm[i] > 0) scale[i] *= exp2(nearbyint(-0.5 * log2(norm[i])));
    }
}

bool perp_equilibrate(int n, const double *M, int ld, double *r, double *s, double *work)
{
    double *row = work, *column = work + n;
    for (int i = 0; i < n; i++) r[i] = s[i] = 1;
    measure(n, M, ld, r, s, row, column);
    if (spread(n, row) <= SPREAD && spread(n, column) <= SPREAD) {
        return shift_level(n, largest(n, row), s);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        improve(n, row, r);
        improve(n, column, s);
        measure(n, M, ld, r, s, row, column);
        if (spread(n, row) <= CONTENT && spread(n, column) <= CONTENT) break;
    }
    return true;
}

/* The power of two nearest to the root of 1 / norm, in norm's place; 1 for a norm of zero. */
static void find_factors(int n, double *norm)
{
    for (int i = 0; i < n; i++) {
        norm[i] = norm[i] > 0 ? exp2(nearbyint(-0.5 * log2(norm[i]))) : 1;
    }
}

void perp_equilibrate_csc(int n, const int *p, const int *i, double *x, double *r, double *s,
                          double *work, const perp_watch *watch)
{
    double *row = work, *column = work + n;
    for (int k = 0; k < n; k++) r[k] = s[k] = 1;
    for (int pass = 0; pass < PASSES; pass++) {
        if (pass > 0 && perp_watch_asks(watch)) return;
        for (int k = 0; k < 2 * n; k++) work[k] = 0;
        for (int j = 0; j < n; j++) {
            for (int e = p[j]; e < p[j + 1]; e++) {
                row[i[e]] = fmax(row[i[e]], fabs(x[e]));
                column[j] = fmax(column[j], fabs(x[e]));
            }
        }
        if (pass > 0 && spread(n, row) <= CONTENT && spread(n, column) <= CONTENT) return;
        find_factors(2 * n, work);
        for (int k = 0; k < n; k++) {
            r[k] *= row[k];
            s[k] *= column[k];
        }
        for (int j = 0; j < n; j++) {
            for (int e = p[j]; e < p[j + 1]; e++) x[e] *= row[i[e]] * column[j];
        }
    }
}
