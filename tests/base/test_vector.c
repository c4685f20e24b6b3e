/* tests/base/test_vector.c: norms near both ends of the range, and numbers that are none, at every
 * place of every length that the loops treat differently. */
#include "base/vector.h"

#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

#define MOST 17 /* four blocks of four, and one more */

static const double none[] = {NAN, -NAN, INFINITY, -INFINITY};
static const double ends[] = {0,   -0.0, 5e-324,  -5e-324,  DBL_MIN, -DBL_MIN,
                              1.5, -1.5, DBL_MAX, -DBL_MAX, 1e154,   -1e-162};
enum { NONE = sizeof none / sizeof *none, ENDS = sizeof ends / sizeof *ends };

/* ---- finite or not ---- */

START_TEST(every_finite_number_is_finite)
{
    double x[MOST];
    for (int shift = 0; shift < ENDS; shift++) {
        for (int i = 0; i < MOST; i++) x[i] = ends[(i + shift) % ENDS];
        for (size_t n = 0; n <= MOST; n++) ck_assert(vector_is_finite(n, x));
    }
    ck_assert(vector_is_finite(0, NULL));
}
END_TEST

START_TEST(what_is_not_finite_is_seen_everywhere)
{
    double x[MOST + 1];
    for (int k = 0; k < NONE; k++) {
        for (size_t n = 0; n <= MOST; n++) {
            for (size_t at = 0; at <= n; at++) { /* at = n: just behind, and nobody's business */
                for (size_t i = 0; i <= n; i++) x[i] = i == at ? none[k] : ends[i % ENDS];
                ck_assert_msg(vector_is_finite(n, x) == (at == n), "%g at %d of %d", none[k],
                              (int)at, (int)n);
            }
        }
    }
}
END_TEST

/* One bit of another number must not make up for, or add to, a bad one. */
START_TEST(several_are_seen_too)
{
    for (int k = 0; k < NONE; k++) {
        double x[MOST];
        for (int i = 0; i < MOST; i++) x[i] = none[(i + k) % NONE];
        for (size_t n = 1; n <= MOST; n++) ck_assert(!vector_is_finite(n, x));
    }
}
END_TEST

/* Every exponent, with the smallest and the largest mantissa. */
START_TEST(every_exponent)
{
    for (uint64_t e = 0; e <= 0x7ff; e++) {
        for (int k = 0; k < 4; k++) {
            uint64_t bits =
                e << 52 | (k & 1 ? UINT64_C(0xfffffffffffff) : 0) | (k & 2 ? UINT64_C(1) << 63 : 0);
            double x;
            memcpy(&x, &bits, sizeof x);
            ck_assert(vector_is_finite(1, &x) == (e != 0x7ff));
        }
    }
}
END_TEST

/* ---- the largest ---- */

START_TEST(max_at_every_place)
{
    for (int n = 0; n <= MOST; n++) {
        for (int at = 0; at < n; at++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double x[MOST];
                for (int i = 0; i < n; i++) x[i] = i == at ? sign * 7 : i % 2 ? 6 : -6.5;
                ck_assert_double_eq(vector_max(n, x), 7);
                x[at] = copysign(INFINITY, sign);
                ck_assert_double_eq(vector_max(n, x), INFINITY);
            }
        }
    }
    const double zeros[] = {-0.0, 0}, tiny[] = {0, -5e-324}, huge[] = {DBL_MAX, -1};
    ck_assert_double_eq(vector_max(0, NULL), 0);
    ck_assert_double_eq(vector_max(2, zeros), 0);
    ck_assert(!signbit(vector_max(2, zeros)));
    ck_assert_double_eq(vector_max(2, tiny), 5e-324);
    ck_assert_double_eq(vector_max(2, huge), DBL_MAX);
}
END_TEST

/* Before it and behind it stand large numbers, and infinite ones. */
START_TEST(nan_is_kept)
{
    const double others[] = {0, 1, 1e300, INFINITY, -INFINITY};
    for (int k = 0; k < 5; k++) {
        for (int n = 1; n <= MOST; n++) {
            for (int at = 0; at < n; at++) {
                double x[MOST];
                for (int i = 0; i < n; i++) x[i] = i == at ? NAN : others[k];
                ck_assert_msg(isnan(vector_max(n, x)), "max: at %d of %d", at, n);
                ck_assert_msg(isnan(vector_norm(n, x)), "norm: at %d of %d", at, n);
            }
        }
    }
}
END_TEST

/* ---- the norm ---- */

START_TEST(norm_by_hand)
{
    const double x[] = {3, -4, 12}, zero[] = {0, -0.0}, infinite[] = {1, -INFINITY, 2};
    ck_assert_double_eq(vector_norm(0, NULL), 0);
    ck_assert_double_eq(vector_norm(1, x), 3);
    ck_assert_double_eq(vector_norm(2, x), 5);
    ck_assert_double_eq(vector_norm(3, x), 13);
    ck_assert_double_eq(vector_norm(2, zero), 0);
    ck_assert_double_eq(vector_norm(3, infinite), INFINITY);
}
END_TEST

/* 3, 4, 12 by every power of two: squares overflow above 2^511 and vanish below 2^-537. */
START_TEST(norm_over_the_whole_range)
{
    for (int e = -1074; e <= 1020; e++) {
        const double x[] = {ldexp(3, e), ldexp(-4, e), ldexp(12, e)};
        double expected = ldexp(13, e);
        ck_assert_msg(fabs(vector_norm(3, x) - expected) <= 4 * DBL_EPSILON * expected,
                      "2^%d: %g instead of %g", e, vector_norm(3, x), expected);
    }
    for (int e = -1074; e <= 1023; e++) {
        double one = ldexp(-1, e);
        ck_assert_double_eq_tol(vector_norm(1, &one) / -one, 1, 2 * DBL_EPSILON);
    }
}
END_TEST

/* Some squares vanish or overflow and others do not. */
START_TEST(norm_of_mixed_sizes)
{
    const double small[] = {3e-170, 4e-170, 1e-320}, large[] = {3e170, 1e-300, 4e170};
    const double far[] = {5e-324, 1e308, 1}, most[] = {DBL_MAX / 2, DBL_MAX / 2};
    const double much[] = {DBL_MAX, DBL_MAX};
    ck_assert_double_eq_tol(vector_norm(3, small) / 5e-170, 1, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(vector_norm(3, large) / 5e170, 1, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(vector_norm(3, far) / 1e308, 1, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(vector_norm(2, most) / (DBL_MAX / 2), sqrt(2), 4 * DBL_EPSILON);
    ck_assert_double_eq(vector_norm(2, much), INFINITY); /* the norm itself has no number */
}
END_TEST

static long double long_norm(int n, const double *x)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) sum += (long double)x[i] * x[i];
    return sqrtl(sum);
}

/* Against long double, whose exponents hold every square; some entries are far smaller. */
START_TEST(norm_of_random_vectors)
{
    ck_assert_int_gt(LDBL_MAX_EXP, 2 * DBL_MAX_EXP + 10); /* or the oracle is none */
    generator g = generator_start(21);
    for (int k = 0; k < 20000; k++) {
        int n = generator_between(&g, 1, MOST), e = generator_between(&g, -1000, 1000);
        double x[MOST];
        for (int i = 0; i < n; i++) {
            int below = generator_unit(&g) < 0.3 ? generator_below(&g, 400) : 0;
            x[i] = ldexp(generator_uniform(&g), e - below);
        }
        long double expected = long_norm(n, x);
        ck_assert_msg(fabsl(vector_norm(n, x) - expected) <= 20 * DBL_EPSILON * expected + 5e-324L,
                      "n = %d, 2^%d: %.17g instead of %.17Lg", n, e, vector_norm(n, x), expected);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vector");
    TCase *c = tcase_create("vector");
    tcase_add_test(c, every_finite_number_is_finite);
    tcase_add_test(c, what_is_not_finite_is_seen_everywhere);
    tcase_add_test(c, several_are_seen_too);
    tcase_add_test(c, every_exponent);
    tcase_add_test(c, max_at_every_place);
    tcase_add_test(c, nan_is_kept);
    tcase_add_test(c, norm_by_hand);
    tcase_add_test(c, norm_over_the_whole_range);
    tcase_add_test(c, norm_of_mixed_sizes);
    tcase_add_test(c, norm_of_random_vectors);
    suite_add_tcase(s, c);
    return support_run(s);
}
