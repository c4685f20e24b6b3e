/* tests/method/test_dictionary.c: the dictionary with delayed updates, against one that applies
 * each pivot at once in long double. */
#include "generate.h"
#include "method/dictionary.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The oracle: the same dictionary, every pivot applied entry by entry. */
typedef struct naive {
    int m, n;
    long double *A, *x;
} naive;

typedef struct pair {
    naive exact;
    perp_dictionary d;
    double *memory, *a;
    generator g;
} pair;

static long double *at(const naive *e, int i, int j)
{
    return e->A + (size_t)j * (size_t)e->m + (size_t)i;
}

static void naive_pivot(naive *e, int r, int c)
{
    long double p = *at(e, r, c), step = -e->x[r] / p;
    for (int i = 0; i < e->m; i++) e->x[i] = i == r ? step : e->x[i] + step * *at(e, i, c);
    for (int j = 0; j < e->n; j++) {
        if (j == c) continue;
        long double b = *at(e, r, j) / p;
        for (int i = 0; i < e->m; i++) *at(e, i, j) -= *at(e, i, c) * b;
        *at(e, r, j) = -b;
    }
    for (int i = 0; i < e->m; i++) *at(e, i, c) = i == r ? 1 / p : *at(e, i, c) / p;
}

/* Memory of exactly the promised size, NaN wherever the dictionary has to write first. */
static void open_pair(pair *t, int m, int n, uint64_t seed)
{
    size_t size = perp_dictionary_size(m, n);
    void *memory = NULL;
    ck_assert_int_eq(posix_memalign(&memory, 64, size * sizeof(double) + 1), 0);
    t->memory = memory;
    for (size_t i = 0; i < size; i++) t->memory[i] = NAN;
    t->g = generator_start(seed);
    perp_dictionary_open(&t->d, m, n, t->memory);
    ck_assert(t->d.ld >= m && t->d.ldv >= n && t->d.ld > 0 && t->d.ld % 8 == 0);
    t->a = malloc((size_t)t->d.ld * sizeof *t->a);
    t->exact = (naive){.m = m, .n = n};
    t->exact.A = malloc((size_t)m * (size_t)n * sizeof *t->exact.A);
    t->exact.x = malloc((size_t)m * sizeof *t->exact.x);
    ck_assert(t->a && t->exact.A && t->exact.x);
}

static void set_entry(pair *t, int i, int j, double value)
{
    t->d.D[(size_t)j * (size_t)t->d.ld + (size_t)i] = value;
    *at(&t->exact, i, j) = value;
}

static void fill_pair(pair *t)
{
    for (int j = 0; j < t->d.n; j++) {
        for (int i = 0; i < t->d.m; i++) set_entry(t, i, j, generator_uniform(&t->g));
    }
    for (int i = 0; i < t->d.m; i++) t->exact.x[i] = t->d.x[i] = generator_uniform(&t->g);
}

static void close_pair(pair *t)
{
    free(t->memory);
    free(t->a);
    free(t->exact.A);
    free(t->exact.x);
}

static void pivot_both(pair *t, int r, int c)
{
    perp_dictionary_column(&t->d, c, t->a);
    perp_dictionary_pivot(&t->d, r, c, t->a);
    naive_pivot(&t->exact, r, c);
}

static double size_of(const naive *e)
{
    double most = 0;
    for (size_t k = 0; k < (size_t)e->m * (size_t)e->n; k++)
        most = fmax(most, (double)fabsl(e->A[k]));
    for (int i = 0; i < e->m; i++) most = fmax(most, (double)fabsl(e->x[i]));
    return most;
}

/* Worst error of one column, fetched at once, and of its entries, fetched one by one (some of them
 * where they are many: an entry walks through the panel). */
static double column_error(pair *t, int c)
{
    double worst = 0;
    int stride = t->d.m > 50 ? 29 : 1;
    perp_dictionary_column(&t->d, c, t->a);
    for (int i = 0; i < t->d.m; i++) {
        double error = fabs(t->a[i] - (double)*at(&t->exact, i, c));
        if (error > worst || isnan(error)) worst = error; /* a NaN stays */
    }
    for (int i = c % stride; i < t->d.m; i += stride) {
        double e = perp_dictionary_entry(&t->d, i, c), exact = (double)*at(&t->exact, i, c);
        ck_assert(isfinite(e));
        worst = fmax(worst, fabs(e - exact));
    }
    for (int i = t->d.m; i < t->d.ld; i++) ck_assert(t->a[i] == 0); /* padding */
    ck_assert(isfinite(worst));
    return worst;
}

static double x_error(const pair *t)
{
    double worst = 0;
    for (int i = 0; i < t->d.m; i++) {
        ck_assert(isfinite(t->d.x[i]));
        worst = fmax(worst, fabs(t->d.x[i] - (double)t->exact.x[i]));
    }
    return worst;
}

static double whole_error(pair *t)
{
    double worst = x_error(t);
    for (int j = 0; j < t->d.n; j++) worst = fmax(worst, column_error(t, j));
    return worst;
}

/* A pivot a cautious method might choose: the largest of column c among a few rows. */
static int choose_row(pair *t, int c)
{
    int r = generator_below(&t->g, t->d.m);
    for (int k = 0; k < 24; k++) {
        int i = generator_below(&t->g, t->d.m);
        if (fabsl(*at(&t->exact, i, c)) > fabsl(*at(&t->exact, r, c))) r = i;
    }
    return r;
}

/* `pivots` random ones; x, the pivot's column and another checked after each, everything after some
 * and at the end, before and after a flush. */
static void walk(int m, int n, int pivots, double tolerance)
{
    pair t;
    open_pair(&t, m, n, (uint64_t)(1000 * m + n));
    fill_pair(&t);
    for (int k = 0; k < pivots; k++) {
        int c = generator_below(&t.g, n), other = generator_below(&t.g, n);
        pivot_both(&t, choose_row(&t, c), c);
        ck_assert(t.d.pending >= 0 && t.d.pending < t.d.panel && t.d.panel <= PERP_PANEL);
        double allowed = tolerance * size_of(&t.exact);
        double error = fmax(x_error(&t), fmax(column_error(&t, c), column_error(&t, other)));
        if (k % 37 == 36 || k == pivots - 1) error = fmax(error, whole_error(&t));
        if (k % 50 == 49) {
            perp_dictionary_flush(&t.d);
            ck_assert_int_eq(t.d.pending, 0);
            error = fmax(error, whole_error(&t));
        }
        ck_assert_msg(error <= allowed, "%d x %d, pivot %d: %g > %g", m, n, k, error, allowed);
    }
    perp_dictionary_flush(&t.d);
    perp_dictionary_flush(&t.d); /* nothing left to do */
    ck_assert(whole_error(&t) <= tolerance * size_of(&t.exact));
    close_pair(&t);
}

START_TEST(small)
{
    walk(1, 1, 300, 1e-13);
    walk(1, 2, 300, 1e-12);
    walk(2, 2, 300, 1e-11);
    walk(2, 3, 300, 1e-11);
    walk(7, 8, 600, 1e-11);
    walk(40, 41, 1000, 1e-11);
}
END_TEST

START_TEST(large)
{
    walk(160, 161, 200, 1e-11); /* the last of plain loops */
    walk(161, 161, 200, 1e-11); /* the first with the library's product */
    walk(170, 171, 300, 1e-11);
    walk(512, 513, 70, 1e-11); /* leading dimensions padded away from 512 */
    walk(520, 521, 140, 1e-11);
}
END_TEST

START_TEST(oblong)
{
    walk(3, 200, 200, 1e-11);
    walk(200, 3, 200, 1e-11);
    walk(1, 600, 100, 1e-12);
    walk(512, 1, 100, 1e-12);
}
END_TEST

/* By hand: basic = (1, 2) + (2 1; 3 4) nonbasic, exchanging row 0 and column 1. */
START_TEST(hand_worked)
{
    pair t;
    open_pair(&t, 2, 2, 1);
    set_entry(&t, 0, 0, 2);
    set_entry(&t, 0, 1, 1);
    set_entry(&t, 1, 0, 3);
    set_entry(&t, 1, 1, 4);
    t.d.x[0] = 1;
    t.d.x[1] = 2;
    perp_dictionary_column(&t.d, 1, t.a);
    ck_assert(t.a[0] == 1 && t.a[1] == 4);
    perp_dictionary_pivot(&t.d, 0, 1, t.a);
    for (int pass = 0; pass < 2; pass++) { /* pending, then applied */
        ck_assert(perp_dictionary_entry(&t.d, 0, 0) == -2);
        ck_assert(perp_dictionary_entry(&t.d, 0, 1) == 1);
        ck_assert(perp_dictionary_entry(&t.d, 1, 0) == -5);
        ck_assert(perp_dictionary_entry(&t.d, 1, 1) == 4);
        ck_assert(t.d.x[0] == -1 && t.d.x[1] == -2);
        perp_dictionary_flush(&t.d);
    }
    ck_assert(t.d.D[0] == -2 && t.d.D[t.d.ld + 1] == 4);
    close_pair(&t);
}
END_TEST

static const int sizes[] = {1, 2, 7, 40, 170, 520};
#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))

/* Two exchanges of the same pair are none. Row r and column c come back to the last digits whatever
 * the pivot; elsewhere a_i b_j / p came and went, and left its rounding. `before` pivots wait in
 * the panel first. */
static void there_and_back(int n, double p, int before)
{
    pair t;
    open_pair(&t, n, n, (uint64_t)(n + before));
    fill_pair(&t);
    int r = n / 2, c = n / 3;
    for (int k = 0; k < before; k++) {
        int j = generator_below(&t.g, n);
        pivot_both(&t, choose_row(&t, j), j);
    }
    perp_dictionary_flush(&t.d);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            set_entry(&t, i, j, i == r && j == c ? p : generator_uniform(&t.g));
        }
    }
    for (int i = 0; i < n; i++) t.exact.x[i] = t.d.x[i] = generator_uniform(&t.g);
    naive old = t.exact;
    size_t size = (size_t)n * (size_t)n * sizeof *old.A;
    t.exact.A = malloc(size);
    t.exact.x = malloc((size_t)n * sizeof *old.x);
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) t.exact.A[k] = old.A[k];
    for (int i = 0; i < n; i++) t.exact.x[i] = old.x[i];

    pivot_both(&t, r, c);
    double once = whole_error(&t), allowed = 8 * DBL_EPSILON * (1 + 1 / fabs(p));
    ck_assert_msg(once <= allowed, "n = %d, p = %g: %g > %g", n, p, once, allowed);
    for (int i = 0; i < n; i++) { /* what is written anew is exact to a few units */
        double row = perp_dictionary_entry(&t.d, r, i), column = perp_dictionary_entry(&t.d, i, c);
        ck_assert(fabsl(row - *at(&t.exact, r, i)) <= 3 * DBL_EPSILON * fabs(row));
        ck_assert(fabsl(column - *at(&t.exact, i, c)) <= 3 * DBL_EPSILON * fabs(column));
    }
    perp_dictionary_column(&t.d, c, t.a);
    perp_dictionary_pivot(&t.d, r, c, t.a);
    free(t.exact.A);
    free(t.exact.x);
    t.exact = old;
    double back = whole_error(&t);
    ck_assert_msg(back <= 2 * allowed, "n = %d, p = %g: back %g > %g", n, p, back, 2 * allowed);
    for (int i = 0; i < n; i++) {
        double row = perp_dictionary_entry(&t.d, r, i), column = perp_dictionary_entry(&t.d, i, c);
        ck_assert(fabsl(row - *at(&old, r, i)) <= 8 * DBL_EPSILON * fabs(row));
        ck_assert(fabsl(column - *at(&old, i, c)) <= 8 * DBL_EPSILON * fabs(column));
    }
    ck_assert(fabsl(t.d.x[r] - old.x[r]) <= 8 * DBL_EPSILON * fabsl(old.x[r]));
    close_pair(&t);
}

START_TEST(twice_restores)
{
    static const double pivots[] = {1, -0.5, 1e8, -1e8, 1e-8, -1e-8, 3};
    for (int s = 0; s < SIZES; s++) {
        for (int k = 0; k<7; k += sizes[s]> 200 ? 2 : 1)
            there_and_back(sizes[s], pivots[k], k % 3 * 5);
    }
}
END_TEST

/* A column a million times the others, a row a millionth: errors stay relative to each entry's own
 * terms, also while updates wait. */
START_TEST(units_do_not_mix)
{
    const int n = 40;
    pair t;
    open_pair(&t, n, n, 9);
    fill_pair(&t);
    for (int i = 0; i < n; i++) { /* dominant: any diagonal pivots are safe */
        set_entry(&t, i, i, 2 * n);
    }
    for (int i = 0; i < n; i++) {
        set_entry(&t, i, 3, 1e8 * (double)*at(&t.exact, i, 3));
        set_entry(&t, 5, i, 1e-8 * (double)*at(&t.exact, 5, i));
    }
    t.exact.x[5] = t.d.x[5] = 1e-8 * t.d.x[5];
    static const int order[] = {3, 5, 7, 3, 9, 5, 11, 3, 5, 0, 5, 3, 7, 20, 21, 3, 22, 5, 23, 24};
    bool in[40] = {0};
    for (int k = 0; k < 20; k++) {
        pivot_both(&t, order[k], order[k]);
        in[order[k]] = !in[order[k]];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                /* units: w_5 1e-8, z_3 1e-8; a pivot exchanges w and z */
                double row = i == 5 && !in[5] ? 1e-8 : i == 3 && in[3] ? 1e-8 : 1;
                double column = j == 3 && !in[3] ? 1e8 : j == 5 && in[5] ? 1e8 : 1;
                double e = (double)fabsl(perp_dictionary_entry(&t.d, i, j) - *at(&t.exact, i, j));
                ck_assert_msg(e <= 1e-12 * row * column, "(%d, %d): %g", i, j, e);
            }
        }
    }
    close_pair(&t);
}
END_TEST

/* The product with a vector, with updates pending on rows and columns that repeat. */
START_TEST(products)
{
    for (int k = 0; k < 5; k++) {
        int m = sizes[k], n = m + 1;
        pair t;
        open_pair(&t, m, n, 77 + (uint64_t)k);
        fill_pair(&t);
        double *x = calloc((size_t)n, sizeof *x), *y = malloc((size_t)t.d.ld * sizeof *y);
        for (int step = 0; step < 50; step++) {
            int c = generator_below(&t.g, n < 5 ? n : 5);
            pivot_both(&t, choose_row(&t, c), c);
            for (int j = 0; j < n; j++) x[j] = j % 3 == 1 ? 0 : generator_uniform(&t.g);
            perp_dictionary_apply(&t.d, x, y);
            for (int i = 0; i < m; i++) {
                long double exact = 0, size = 0;
                for (int j = 0; j < n; j++) {
                    exact += *at(&t.exact, i, j) * x[j];
                    size += fabsl(*at(&t.exact, i, j) * x[j]);
                }
                double allowed = 1e-10 * (size_of(&t.exact) + (double)size);
                ck_assert_double_le((double)fabsl(y[i] - exact), allowed);
            }
        }
        free(x);
        free(y);
        close_pair(&t);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("method/dictionary");
    TCase *t = tcase_create("pivot");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, products);
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, small);
    tcase_add_test(t, large);
    tcase_add_test(t, oblong);
    tcase_add_test(t, twice_restores);
    tcase_add_test(t, units_do_not_mix);
    suite_add_tcase(s, t);
    return support_run(s);
}
