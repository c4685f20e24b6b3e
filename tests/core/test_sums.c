/* tests/core/test_sums.c: sums in three ways against exact ones, and bounds that hold. */
#include "core/sums.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

enum { ROWS = 6, COLUMNS = 9 };

/* Numbers of widely different sizes, few bits each, so that long double sums of their products are
 * exact to many more digits than double ones. */
static double wide(generator *g, int spread)
{
    return ldexp(generator_uniform(g), (int)(spread * generator_uniform(g)));
}

typedef struct parts {
    perp_matrix A;
    const double *x, *q;
    double sign;
    bool transposed;
} parts;

static void add_all(perp_sums *t, const parts *p)
{
    if (p->transposed)
        perp_sums_add_t(t, 0, p->sign, &p->A, p->x);
    else
        perp_sums_add(t, 0, p->sign, &p->A, p->x);
    perp_sums_add_vector(t, 0, t->n, -p->sign, p->q);
}

static long double exact_entry(const double *A, const parts *p, int i, long double *size)
{
    int terms = p->transposed ? ROWS : COLUMNS;
    long double sum = -p->sign * (long double)p->q[i];
    *size = fabsl(sum);
    for (int k = 0; k < terms; k++) {
        double a = p->transposed ? A[i * ROWS + k] : A[k * ROWS + i];
        sum += p->sign * (long double)a * p->x[k];
        *size += fabsl((long double)a * p->x[k]);
    }
    return sum;
}

static void compare(const double *A, const parts *p, perp_sums *t)
{
    perp_sums_start(t, PERP_SUMS_PLAIN);
    add_all(t, p);
    double first[COLUMNS];
    for (int i = 0; i < t->n; i++) first[i] = t->w[i];
    perp_sums_start(t, PERP_SUMS_SIZES);
    add_all(t, p);
    perp_sums_bound(t);
    for (int i = 0; i < t->n; i++) {
        long double size, sum = exact_entry(A, p, i, &size);
        ck_assert(t->w[i] == first[i]);
        ck_assert(fabsl(sum - t->w[i]) <= t->error[i]);
        ck_assert(t->error[i] <= 20 * DBL_EPSILON * size);
        ck_assert_double_eq_tol(t->size[i], (double)size, 1e-12 * (double)size);
    }
    perp_sums_start(t, PERP_SUMS_PAIRS);
    add_all(t, p);
    perp_sums_bound(t);
    for (int i = 0; i < t->n; i++) {
        long double size, sum = exact_entry(A, p, i, &size);
        long double own = 20 * LDBL_EPSILON * size; /* the oracle's rounding */
        ck_assert(fabsl(sum - t->w[i]) <= t->error[i] + own);
        ck_assert(t->error[i] <= DBL_EPSILON * fabs(t->w[i]) + 1e-29 * (double)size);
    }
}

START_TEST(every_format)
{
    generator g = generator_start((uint64_t)_i + 1);
    double A[ROWS * COLUMNS], x[COLUMNS], q[COLUMNS], w[COLUMNS];
    for (int k = 0; k < ROWS * COLUMNS; k++) A[k] = wide(&g, _i % 30);
    for (int k = 0; k < COLUMNS; k++) x[k] = wide(&g, _i % 30);
    for (int k = 0; k < COLUMNS; k++) q[k] = wide(&g, _i % 30);
    perp_matrix dense = perp_dense(ROWS, COLUMNS, A);
    for (int format = 0; format < 3; format++) {
        for (int way = 0; way < 4; way++) {
            perp_arena a = {0};
            parts p = {in_format(format, &dense, &a), x, q, way % 2 ? -1 : 1, way >= 2};
            perp_sums t;
            ck_assert(perp_sums_open(&t, &a, p.transposed ? COLUMNS : ROWS, w));
            compare(A, &p, &t);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* 1e16 + 1 - 1e16: a plain sum loses the 1, a pair keeps it. */
START_TEST(pairs_keep_what_cancels)
{
    const double A[] = {1e8, 1, -1e8}, x[] = {1e8, 1, 1e8};
    double w[1];
    perp_arena a = {0};
    perp_sums t;
    perp_matrix row = perp_dense(1, 3, A);
    ck_assert(perp_sums_open(&t, &a, 1, w));
    perp_sums_start(&t, PERP_SUMS_SIZES);
    perp_sums_add(&t, 0, 1, &row, x);
    perp_sums_bound(&t);
    ck_assert_double_ge(t.error[0], 1);
    perp_sums_start(&t, PERP_SUMS_PAIRS);
    perp_sums_add(&t, 0, 1, &row, x);
    perp_sums_bound(&t);
    ck_assert_double_eq(w[0], 1);
    ck_assert_double_le(t.error[0], 1e-13);
    perp_arena_free(&a);
}
END_TEST

/* What an operator returns counts as exact; only the addition of the rest is rounded. */
START_TEST(operators_are_exact)
{
    const double A[] = {3}, x[] = {1.0 / 3}, q[] = {-1};
    double w[1];
    perp_arena a = {0};
    perp_sums t;
    perp_matrix dense = perp_dense(1, 1, A), hidden = as_operator(&dense);
    parts p = {hidden, x, q, 1, false};
    ck_assert(perp_sums_open(&t, &a, 1, w));
    for (int mode = PERP_SUMS_PLAIN; mode <= PERP_SUMS_PAIRS; mode++) {
        perp_sums_start(&t, (perp_sums_mode)mode);
        add_all(&t, &p);
        if (mode != PERP_SUMS_PLAIN) perp_sums_bound(&t);
        ck_assert_double_eq(w[0], 2);
    }
    ck_assert_double_eq(t.size[0], 2);
    ck_assert_double_eq(t.count[0], 2);
    perp_arena_free(&a);
}
END_TEST

/* Products that vanish are counted. */
START_TEST(underflow)
{
    const double A[] = {1e-200}, x[] = {1e-200};
    double w[1];
    perp_arena a = {0};
    perp_sums t;
    perp_matrix tiny = perp_dense(1, 1, A);
    ck_assert(perp_sums_open(&t, &a, 1, w));
    perp_sums_start(&t, PERP_SUMS_PLAIN);
    perp_sums_add(&t, 0, 1, &tiny, x);
    perp_sums_start(&t, PERP_SUMS_SIZES);
    perp_sums_add(&t, 0, 1, &tiny, x);
    perp_sums_bound(&t);
    ck_assert(w[0] == 0 && t.error[0] > 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sums");
    TCase *c = tcase_create("sums");
    tcase_add_loop_test(c, every_format, 0, 40);
    tcase_add_test(c, pairs_keep_what_cancels);
    tcase_add_test(c, operators_are_exact);
    tcase_add_test(c, underflow);
    suite_add_tcase(s, c);
    return support_run(s);
}
