/* generate/nnls.c: nonnegative least squares around a known x. For a residual R = A x - b, column j
 * gets the part along R that makes w_j = R'a_j what x_j allows: 0 where x_j > 0 or free, else >= 0.
 * Then x is a minimiser, unique where A has full column rank. */
#include "problem_parts.h"

#include <string.h>

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
    out->p.as.nnls.is_free = free;
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

/* Columns of every length from 1e-4 to 1e4, x as much the other way; the first is the longest, so
 * that A'b has its size. */
void make_nnls_scaled(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, 0, 0, a, out);
    if (a->failed) return;
    int m = out->p.as.nnls.A.m;
    double *A = (double *)out->p.as.nnls.A.as.dense.x, *x = (double *)out->z;
    for (int j = 0; j < size; j++) {
        double s = j > 0 ? exp2(generator_between(g, -13, 13)) : exp2(13);
        for (int i = 0; i < m; i++) A[(size_t)j * (size_t)m + (size_t)i] *= s;
        x[j] /= s;
    }
}

/* Every fourth column is zero, the one after it repeats the one before. */
void make_nnls_zero_columns(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, 0, 0, a, out);
    if (a->failed) return;
    int m = out->p.as.nnls.A.m;
    perp_nnls *p = &out->p.as.nnls;
    double *A = (double *)p->A.as.dense.x, *b = (double *)p->b, *x = (double *)out->z;
    for (int j = 2; j < size; j += 4) {
        double *zero = A + (size_t)j * (size_t)m, drop = x[j];
        for (int i = 0; i < m; i++) b[i] -= drop * zero[i];
        memset(zero, 0, (size_t)m * sizeof *zero);
        x[j] = 0;
        if (j + 1 == size) break;
        drop = x[j + 1];
        for (int i = 0; i < m; i++) b[i] -= drop * zero[m + i];
        memcpy(zero + m, zero - m, (size_t)m * sizeof *zero);
        x[j + 1] = 0;
    }
}

/* Of two bodies, which may be the same, six numbers each; ascending rows. */
static int add_row(generator *g, int bodies, int at, int *row, double *x)
{
    int one = generator_below(g, bodies), two = generator_below(g, bodies);
    int first = one < two ? one : two, last = one < two ? two : one;
    for (int body = first; body <= last; body += last > first ? last - first : 1) {
        for (int k = 0; k < 6; k++, at++) {
            row[at] = 6 * body + k;
            x[at] = generator_uniform(g);
        }
    }
    return at;
}

void nnls_jacobian(generator *g, int bodies, int per_body, perp_arena *a, generated_problem *out)
{
    int m = 6 * bodies, n = bodies * per_body;
    double *b = problem_vector(a, m), *x = problem_vector(a, 12 * n);
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p),
        *row = perp_alloc(a, 12 * (size_t)n, sizeof *p);
    if (a->failed) return;
    for (int j = 0; j < n; j++) p[j + 1] = add_row(g, bodies, p[j], row, x);
    for (int i = 0; i < m; i++) b[i] = generator_uniform(g);
    *out = (generated_problem){.p = perp_make_nnls(perp_csc(m, n, p, row, x), b)};
}

void make_nnls_jacobian(generator *g, int size, perp_arena *a, generated_problem *out)
{
    nnls_jacobian(g, size, 10, a, out);
}
