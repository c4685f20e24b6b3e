/* tests/support/format_support.h: every operation of a row of perp_formats against the dense matrix
 * that it means. Products, checks and conversions have their own tests too: test_matrix.c,
 * test_view.c, test_convert.c. */
#ifndef PERP_FORMAT_SUPPORT_H
#define PERP_FORMAT_SUPPORT_H

#include "base/format.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_TRIALS 40

static inline double format_draw(generator *g)
{
    return 2 * generator_unit(g) - 1;
}

/* y = A x, and y = A'x, of the dense matrix; with sizes, of its absolute values. */
static inline void format_expect(const random_matrix *s, bool t, const double *x, double *y)
{
    int rows = t ? s->A.n : s->A.m, columns = t ? s->A.m : s->A.n;
    for (int i = 0; i < rows; i++) {
        y[i] = 0;
        for (int k = 0; k < columns; k++) y[i] += (t ? s->full[k][i] : s->full[i][k]) * x[k];
    }
}

static inline void format_check_products(const perp_matrix_ops *f, const random_matrix *s,
                                         generator *g)
{
    double x[RANDOM_MOST], y[RANDOM_MOST], expected[RANDOM_MOST];
    for (int i = 0; i < RANDOM_MOST; i++) {
        x[i] = format_draw(g);
        y[i] = NAN;
    }
    format_expect(s, false, x, expected);
    f->mul(&s->A, 1, x, 0, y);
    ck_assert_double_le(difference(s->A.m, y, expected), 1e-12);
    format_expect(s, true, x, expected);
    f->mul_t(&s->A, 1, x, 0, y);
    ck_assert_double_le(difference(s->A.n, y, expected), 1e-12);
    for (int i = 0; i < RANDOM_MOST; i++) y[i] = 1;
    format_expect(s, false, x, expected);
    f->mul(&s->A, -2, x, 3, y);
    for (int i = 0; i < s->A.m; i++) ck_assert_double_eq_tol(y[i], 3 - 2 * expected[i], 1e-12);
}

/* |a_ij| of duplicates is summed one by one, so the sizes are at least those of the sum. */
static inline void format_check_sizes(const perp_matrix_ops *f, const random_matrix *s,
                                      generator *g)
{
    double x[RANDOM_MOST], y[RANDOM_MOST] = {0}, z[RANDOM_MOST] = {0};
    for (int i = 0; i < RANDOM_MOST; i++) x[i] = format_draw(g);
    f->add_sizes(&s->A, x, y);
    f->add_sizes_t(&s->A, x, z);
    for (int i = 0; i < s->A.m; i++) {
        double least = 0;
        for (int j = 0; j < s->A.n; j++) least += fabs(s->full[i][j] * x[j]);
        ck_assert_double_ge(y[i], least - 1e-12);
        ck_assert(least > 0 || s->A.format != PERP_FORMAT_DENSE || y[i] == 0);
    }
    for (int j = 0; j < s->A.n; j++) {
        double least = 0;
        for (int i = 0; i < s->A.m; i++) least += fabs(s->full[i][j] * x[i]);
        ck_assert_double_ge(z[j], least - 1e-12);
    }
}

static inline void format_check_dense(const random_matrix *s, const perp_matrix *A)
{
    perp_arena a = {0};
    perp_matrix D;
    ck_assert_int_eq(perp_convert(A, PERP_FORMAT_DENSE, &a, &D, NULL), PERP_SOLVED);
    size_t ld = (size_t)D.as.dense.ld;
    for (int i = 0; i < s->A.m; i++) {
        for (int j = 0; j < s->A.n; j++)
            ck_assert_double_eq_tol(D.as.dense.x[(size_t)j * ld + (size_t)i], s->full[i][j], 1e-12);
    }
    perp_arena_free(&a);
}

static inline void format_check_entries(const perp_matrix_ops *f, const random_matrix *s)
{
    perp_arena a = {0};
    perp_matrix C, back;
    double d[RANDOM_MOST] = {0};
    ck_assert_int_eq(f->to_csc(&s->A, &a, &C, NULL), PERP_SOLVED);
    ck_assert_int_eq(C.format, PERP_FORMAT_CSC);
    format_check_dense(s, &C);
    ck_assert_int_eq(f->from(&C, &a, &back, NULL), PERP_SOLVED);
    ck_assert_ptr_eq(perp_format_of(back.format), f);
    format_check_dense(s, &back);
    ck_assert_int_ge(f->count(&s->A), C.as.csc.p[C.n]);
    if (s->A.m == s->A.n) {
        f->read_diagonal(&s->A, d);
        for (int i = 0; i < s->A.n; i++) ck_assert_double_eq_tol(d[i], s->full[i][i], 1e-12);
    }
    perp_arena_free(&a);
}

static inline void format_check_row(perp_format format)
{
    static const random_entries entries = {.draw = format_draw, .zeros = 0.3, .padding = NAN};
    const perp_matrix_ops *f = perp_format_of(format);
    ck_assert_ptr_nonnull(f);
    for (int k = 0; k < FORMAT_TRIALS; k++) {
        generator g = generator_start((uint64_t)k + 1);
        int m = 1 + k % 13, n = k % 3 == 0 ? m : 1 + k * 7 % 15;
        random_matrix *s = random_matrix_new(format, m, n, &entries, &g);
        ck_assert_int_eq(f->check(&s->A, "A", NULL), PERP_SOLVED);
        format_check_products(f, s, &g);
        format_check_sizes(f, s, &g);
        format_check_entries(f, s);
        free(s);
    }
}

/* A matrix without rows or columns, whose arrays are NULL. */
static inline void format_check_empty(perp_matrix A)
{
    const perp_matrix_ops *f = perp_format_of(A.format);
    double x[3] = {1, 2, 3}, y[3] = {4, 5, NAN};
    A.m = 2;
    A.n = 0;
    f->mul(&A, 1, x, 0.5, y);
    ck_assert(y[0] == 2 && y[1] == 2.5);
    A.m = 0;
    A.n = 3;
    f->mul_t(&A, 1, x, 0, y);
    ck_assert(y[0] == 0 && y[1] == 0 && y[2] == 0);
}

#endif
