/* generate/nnls.c: nonnegative least squares around a known x. For a residual R = A x - b, column j
 * gets the part along R that makes w_j = R'a_j what x_j allows: 0 where x_j > 0 or free, else >= 0.
 * Then x is a minimiser, unique where A has full column rank. */
#include "problem_parts.h"

/* a_j += (w - R'a_j) / (R'R) R */
static void set_slack(int m, const double *R, double w, double *column)
{
    double RR = 0, Ra = 0;
    for (int i = 0; i < m; i++) {
        RR += R[i] * R[i];
        Ra += R[i] * column[i];
    }
    for (int i = 0; i < m; i++) column[i] += (w - Ra) / RR * R[i];
}

/* b = A x - R; R NULL: zero */
static void finish(int m, int n, const double *A, const double *x, const double *R,
                   const bool *free, perp_arena *a, generated_problem *out)
{
    double *b = problem_vector(a, m);
    perp_matrix view = perp_dense(m, n, A);
    if (a->failed) return;
    for (int i = 0; i < m && R; i++) b[i] = -R[i];
    perp_mul(&view, 1, x, 1, b);
    *out = (generated_problem){.p = perp_make_nnls(view, b), .z = x};
    out->p.as.nnls.free = free;
}

/* One zero x in eight has a zero slack, never the first, so that A'b is not zero.
 * Every `step`-th x is free (0: none); `copies` columns at the end repeat others, so that A has no
 * full rank and x is one of many. */
static void plant(generator *g, int n, int step, int copies, perp_arena *a, generated_problem *out)
{
    int m = 2 * n + 1, own = n - copies;
    double *A = problem_matrix(g, a, m, n), *R = problem_matrix(g, a, m, 1);
    double *x = problem_vector(a, n);
    bool *free = step ? perp_alloc(a, (size_t)n, sizeof *free) : NULL;
    if (a->failed) return;
    for (int j = 0; j < own; j++) {
        double w = problem_multiplier(g, j > 0 ? 8 : 0), *column = A + (size_t)j * (size_t)m;
        bool positive = generator_unit(g) < 0.5;
        if (free) free[j] = j % step == 0;
        if (free && free[j])
            x[j] = generator_uniform(g);
        else if (positive)
            x[j] = w;
        set_slack(m, R, x[j] != 0 ? 0 : w, column);
    }
    for (int j = own; j < n; j++) {
        const double *from = A + (size_t)(j - own) * (size_t)m;
        for (int i = 0; i < m; i++) A[(size_t)j * (size_t)m + (size_t)i] = from[i];
        x[j] = 0.5 * x[j - own];
        x[j - own] -= x[j];
    }
    finish(m, n, A, x, R, free, a, out);
}

void make_nnls_random(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, 0, 0, a, out);
}

void make_nnls_deficient(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, 0, size / 2, a, out);
}

void make_nnls_free(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, 3, 0, a, out);
}

/* Half as many rows as columns and b in the cone: the residual is zero, and x one of many. */
void make_nnls_wide(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int m = (size + 1) / 2;
    double *A = problem_matrix(g, a, m, size), *x = problem_vector(a, size);
    if (a->failed) return;
    for (int j = 0; j < size; j++) x[j] = generator_below(g, 2) * generator_unit(g);
    finish(m, size, A, x, NULL, NULL, a, out);
}
