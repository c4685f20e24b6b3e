/* tests/adversary/simplex.c: the simplex method on a full tableau of rational numbers, two phases,
 * Bland's rule (New finite pivoting rules for the simplex method, 1977). m (n + m) numbers. */
#include "simplex.h"

#include "exact.h"

#include <stdlib.h>

/* Row m holds the reduced costs; column n + m the right side. Artificial unknowns are n .. n+m-1.
 */
typedef struct tableau {
    int m, n, width;
    mpq_t *x;
    int *basis;
} tableau;

static mpq_t *entry(const tableau *t, int i, int j)
{
    return &t->x[i * t->width + j];
}

static void fill(tableau *t, mpq_t *A, mpq_t *b)
{
    mpq_t one;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    for (int i = 0; i < t->m; i++) {
        int sign = mpq_sgn(b[i]) < 0;
        for (int j = 0; j < t->n; j++) {
            mpq_set(*entry(t, i, j), A[i * t->n + j]);
            if (sign) mpq_neg(*entry(t, i, j), *entry(t, i, j));
        }
        mpq_abs(*entry(t, i, t->width - 1), b[i]);
        mpq_set(*entry(t, i, t->n + i), one);
        t->basis[i] = t->n + i;
    }
    mpq_clear(one);
}

/* Row i minus factor times row k. */
static void subtract_row(tableau *t, int i, int k, const mpq_t factor)
{
    mpq_t product;
    mpq_init(product);
    for (int j = 0; j < t->width; j++) {
        if (mpq_sgn(*entry(t, k, j)) == 0) continue;
        mpq_mul(product, factor, *entry(t, k, j));
        mpq_sub(*entry(t, i, j), *entry(t, i, j), product);
    }
    mpq_clear(product);
}

static void pivot(tableau *t, int row, int column)
{
    mpq_t factor;
    mpq_init(factor);
    mpq_set(factor, *entry(t, row, column));
    for (int j = 0; j < t->width; j++) mpq_div(*entry(t, row, j), *entry(t, row, j), factor);
    for (int i = 0; i <= t->m; i++) {
        mpq_set(factor, *entry(t, i, column));
        if (i != row && mpq_sgn(factor) != 0) subtract_row(t, i, row, factor);
    }
    t->basis[row] = column;
    mpq_clear(factor);
}

/* The first of the first `columns` unknowns with a negative reduced cost; -1: none. */
static int entering(const tableau *t, int columns)
{
    for (int j = 0; j < columns; j++) {
        if (mpq_sgn(*entry(t, t->m, j)) < 0) return j;
    }
    return -1;
}

/* The row of the smallest ratio, of equal ones that of the first unknown; -1: none blocks. */
static int leaving(const tableau *t, int column)
{
    int best = -1;
    mpq_t ratio, least;
    mpq_inits(ratio, least, NULL);
    for (int i = 0; i < t->m; i++) {
        if (mpq_sgn(*entry(t, i, column)) <= 0) continue;
        mpq_div(ratio, *entry(t, i, t->width - 1), *entry(t, i, column));
        int order = best < 0 ? -1 : mpq_cmp(ratio, least);
        if (order > 0 || (order == 0 && t->basis[i] > t->basis[best])) continue;
        best = i;
        mpq_set(least, ratio);
    }
    mpq_clears(ratio, least, NULL);
    return best;
}

static simplex_end minimise(tableau *t, int columns, int *pivots)
{
    for (;; --*pivots) {
        int column = entering(t, columns);
        if (column < 0) return SIMPLEX_OPTIMAL;
        if (*pivots <= 0) return SIMPLEX_LIMIT;
        int row = leaving(t, column);
        if (row < 0) return SIMPLEX_UNBOUNDED;
        pivot(t, row, column);
    }
}

/* Reduced costs of the given ones, or with NULL of the sum of the artificial unknowns. */
static void set_costs(tableau *t, mpq_t *c)
{
    mpq_t factor;
    mpq_init(factor);
    for (int j = 0; j < t->width; j++) {
        mpq_set_ui(*entry(t, t->m, j), !c && j >= t->n && j < t->n + t->m, 1);
        if (c && j < t->n) mpq_set(*entry(t, t->m, j), c[j]);
    }
    for (int i = 0; i < t->m; i++) {
        mpq_set(factor, *entry(t, t->m, t->basis[i]));
        if (mpq_sgn(factor) != 0) subtract_row(t, t->m, i, factor);
    }
    mpq_clear(factor);
}

/* Artificial unknowns that are still in the basis, at zero, leave it where a row has room. */
static void expel(tableau *t)
{
    for (int i = 0; i < t->m; i++) {
        int j = 0;
        if (t->basis[i] < t->n) continue;
        while (j < t->n && mpq_sgn(*entry(t, i, j)) == 0) j++;
        if (j < t->n) pivot(t, i, j);
    }
}

static simplex_end both_phases(tableau *t, mpq_t *c, int pivots)
{
    set_costs(t, NULL);
    simplex_end end = minimise(t, t->n, &pivots);
    if (end != SIMPLEX_OPTIMAL) return end;
    if (mpq_sgn(*entry(t, t->m, t->width - 1)) != 0) return SIMPLEX_INFEASIBLE;
    expel(t);
    set_costs(t, c);
    return minimise(t, t->n, &pivots);
}

simplex_end simplex_solve(int m, int n, mpq_t *A, mpq_t *b, mpq_t *c, int pivots, mpq_t value,
                          mpq_t *x)
{
    tableau t = {.m = m, .n = n, .width = n + m + 1};
    t.x = exact_new((m + 1) * t.width);
    t.basis = malloc((size_t)(m > 0 ? m : 1) * sizeof *t.basis);
    if (!t.basis) abort();
    fill(&t, A, b);
    simplex_end end = both_phases(&t, c, pivots);
    mpq_neg(value, *entry(&t, m, t.width - 1));
    for (int j = 0; x && j < n; j++) mpq_set_ui(x[j], 0, 1);
    for (int i = 0; x && i < m; i++) {
        if (t.basis[i] < n) mpq_set(x[t.basis[i]], *entry(&t, i, t.width - 1));
    }
    exact_free((m + 1) * t.width, t.x);
    free(t.basis);
    return end;
}
