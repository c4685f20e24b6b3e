/* tests/method/test_differences.c: colourings of columns, and steps that stay inside a box. */
#include "generate.h"
#include "method/differences.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* No row has two columns of one colour. Arrays of exactly the promised sizes. */
static int colour_and_check(int m, int n, const int *p, const int *i, int *colour)
{
    int *work = malloc(((size_t)m + 1 + (size_t)p[n] + (size_t)n) * sizeof *work + 1);
    int colours = perp_colour_columns(m, n, p, i, colour, work), most = -1;
    int *seen = malloc(((size_t)m * (size_t)(colours + 1) + 1) * sizeof *seen);
    for (int k = 0; k < m * colours; k++) seen[k] = -1;
    for (int j = 0; j < n; j++) {
        ck_assert_int_ge(colour[j], 0);
        ck_assert_int_lt(colour[j], colours);
        if (colour[j] > most) most = colour[j];
        for (int k = p[j]; k < p[j + 1]; k++) {
            int *other = &seen[i[k] * colours + colour[j]];
            ck_assert(*other == -1 || *other == j); /* duplicates are the same column */
            *other = j;
        }
    }
    ck_assert_int_eq(most, colours - 1);
    free(seen);
    free(work);
    return colours;
}

START_TEST(known_patterns)
{
    enum { N = 30 };
    int p[N + 1], i[3 * N], colour[N], e = 0;
    for (int j = 0; j < N; j++) { /* tridiagonal */
        p[j] = e;
        for (int r = j - 1; r <= j + 1; r++) {
            if (r >= 0 && r < N) i[e++] = r;
        }
    }
    p[N] = e;
    ck_assert_int_eq(colour_and_check(N, N, p, i, colour), 3);
    for (int j = 0; j <= N; j++) p[j] = j; /* diagonal */
    for (int j = 0; j < N; j++) i[j] = j;
    ck_assert_int_eq(colour_and_check(N, N, p, i, colour), 1);
    for (int j = 0; j < N; j++) i[j] = 7; /* a full row */
    ck_assert_int_eq(colour_and_check(N, N, p, i, colour), N);
    for (int j = 0; j <= N; j++) p[j] = 0; /* nothing */
    ck_assert_int_eq(colour_and_check(N, N, p, i, colour), 1);
    ck_assert_int_eq(colour_and_check(0, 0, p, i, colour), 0);
}
END_TEST

START_TEST(random_patterns)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        generator g = generator_start(seed);
        int m = generator_between(&g, 1, 20), n = generator_between(&g, 1, 20), e = 0;
        int p[21], i[200], colour[20];
        for (int j = 0; j < n; j++) {
            p[j] = e;
            for (int k = generator_below(&g, 6); k > 0; k--) i[e++] = generator_below(&g, m);
        }
        p[n] = e;
        colour_and_check(m, n, p, i, colour);
    }
}
END_TEST

START_TEST(steps_stay_inside)
{
    const double r = 1e-8, inf = INFINITY;
    ck_assert_double_eq_tol(perp_difference_step(3, 1, -inf, inf, r), 3e-8, 1e-15);
    ck_assert_double_eq_tol(perp_difference_step(0, 1, 0, inf, r), 1e-8, 1e-20);
    ck_assert_double_eq_tol(perp_difference_step(0, 1, -inf, 0, r), -1e-8, 1e-20);
    ck_assert_double_eq_tol(perp_difference_step(5, 1, 0, 5, r), -5e-8, 1e-15);
    ck_assert_double_eq(perp_difference_step(2, 1, 2, 2, r), 0);
    ck_assert_double_eq_tol(perp_difference_step(3, 1e3, -inf, inf, r), 1e-5, 1e-12);
    ck_assert_double_eq_tol(perp_difference_step(1e-6, 1e-6, 0, inf, r), 1e-14, 1e-20);
    const double narrow = 1e-10; /* both sides are nearer than a step */
    ck_assert_double_eq(perp_difference_step(0, 1, 0, narrow, r), narrow);
    ck_assert_double_eq(perp_difference_step(narrow, 1, 0, narrow, r), -narrow);
    ck_assert_double_eq(perp_difference_step(1, 1, 1, nextafter(1, 2), r), 0); /* only rounding */
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        generator g = generator_start(seed);
        double lo = generator_uniform(&g), hi = lo + exp(-30 * generator_unit(&g));
        double z = lo + generator_unit(&g) * (hi - lo), h = perp_difference_step(z, 1, lo, hi, r);
        ck_assert_double_ge(z + h, lo);
        ck_assert_double_le(z + h, hi);
        ck_assert_double_eq((z + h) - z, h);
        if (hi - lo > 3e-3 * r) ck_assert_double_ne(h, 0);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("differences");
    TCase *t = tcase_create("differences");
    tcase_add_test(t, known_patterns);
    tcase_add_test(t, random_patterns);
    tcase_add_test(t, steps_stay_inside);
    suite_add_tcase(s, t);
    return support_run(s);
}
