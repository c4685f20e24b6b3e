/* tests/support/primal_support.h: a small program in the hands of the primal kernel, from a
 * feasible x. */
#ifndef PERP_PRIMAL_SUPPORT_H
#define PERP_PRIMAL_SUPPORT_H

#include "method/primal_set.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define PRIMAL_N 12
#define PRIMAL_M 24

typedef struct program {
    perp_constraint_rows rows;
    double H[PRIMAL_N * PRIMAL_N], c[PRIMAL_N], A[PRIMAL_N * PRIMAL_M];
    double lo[PRIMAL_N + PRIMAL_M], hi[PRIMAL_N + PRIMAL_M];
    double doubles[6 * PRIMAL_N * PRIMAL_N + 40 * (PRIMAL_N + PRIMAL_M)];
    int ints[8 * (PRIMAL_N + PRIMAL_M)];
    perp_primal p;
} program;

/* All free, H and c zero. */
static inline void program_open(program *f, int n, int m)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < n + m; i++) {
        f->lo[i] = -INFINITY;
        f->hi[i] = INFINITY;
    }
    f->rows = (perp_constraint_rows){.n = n, .m = m, .A = f->A, .lo = f->lo, .hi = f->hi};
    ck_assert_uint_le(perp_primal_doubles(n, m), sizeof f->doubles / sizeof *f->doubles);
    ck_assert_uint_le(perp_primal_ints(n, m), sizeof f->ints / sizeof *f->ints);
}

/* Row i becomes a, scaled to length 1. */
static inline void program_row(program *f, int i, const double *a, double lo, double hi)
{
    int n = f->rows.n;
    double norm = plain_norm(n, a);
    for (int j = 0; j < n; j++) f->A[i * n + j] = a[j] / norm;
    f->lo[n + i] = lo / norm;
    f->hi[n + i] = hi / norm;
}

/* Equalities join, then the dual method makes x feasible; false: it cannot. */
static inline bool program_begin(program *f, const double *x)
{
    int n = f->rows.n;
    perp_dual_step step = PERP_DUAL_MOVED;
    perp_primal_open(&f->p, &f->rows, f->H, n, f->c, f->doubles, f->ints);
    memcpy(f->p.s.value, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n + f->rows.m; i++) {
        if (rows_is_equality(&f->rows, i)) perp_dual_join(&f->p.s, i, 1, 0);
    }
    perp_dual_measure(&f->p.s);
    double g[PRIMAL_N] = {0};
    perp_dual_correct(&f->p.s, g);
    for (int p = 0; p < f->p.s.set.R.k; p++) f->p.s.y[f->p.s.set.set[p]] = 0;
    while (step == PERP_DUAL_MOVED) step = perp_dual_advance(&f->p.s);
    if (step == PERP_DUAL_FEASIBLE) perp_primal_begin(&f->p);
    return step == PERP_DUAL_FEASIBLE;
}

static inline perp_primal_step program_run(program *f, int *steps)
{
    perp_primal_step step = PERP_PRIMAL_MOVED;
    *steps = 0;
    while (step == PERP_PRIMAL_MOVED) {
        ck_assert_int_lt(++*steps, 2000);
        step = perp_primal_advance(&f->p);
    }
    return step;
}

/* The worst of feasibility, signs, complementarity and H x + c = sum y_i a_i. */
static inline double program_error(const program *f)
{
    int n = f->rows.n, all = n + f->rows.m;
    double g[PRIMAL_N], worst = 0;
    const double *v = f->p.s.value, *y = f->p.s.y;
    for (int i = 0; i < n; i++) {
        g[i] = f->c[i];
        for (int j = 0; j < n; j++) g[i] += f->H[j * n + i] * v[j];
    }
    for (int i = 0; i < all; i++) {
        worst = fmax(worst, fmax(f->lo[i] - v[i], v[i] - f->hi[i]));
        if (y[i] > 0) worst = fmax(worst, fmin(y[i], v[i] - f->lo[i]));
        if (y[i] < 0) worst = fmax(worst, fmin(-y[i], f->hi[i] - v[i]));
        rows_add_normal(&f->rows, i, -y[i], g);
    }
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(g[i]));
    return worst;
}

#endif
