/* tests/method/test_fischer.c: the Fischer-Burmeister function of a box: zeros, signs, slopes,
 * corners. */
#include "generate.h"
#include "method/fischer.h"
#include "support.h"

#include <check.h>

/* Bounds of every kind. */
static void draw_bounds(generator *g, double *lo, double *hi)
{
    int sort = generator_below(g, 5);
    double a = generator_uniform(g), room = 0.1 + generator_unit(g);
    *lo = sort & 1 ? a : -INFINITY;
    *hi = sort & 2 ? a + room : INFINITY;
    if (sort == 4) *lo = *hi = a;
}

START_TEST(zeros_are_solutions)
{
    const double inf = INFINITY;
    ck_assert_double_eq(perp_fischer(3, 0, -inf, inf), 0);
    ck_assert_double_eq(perp_fischer(3, -2, -inf, inf), -2);
    ck_assert_double_eq(perp_fischer(1, 7, 1, inf), 0);
    ck_assert_double_eq(perp_fischer(5, 0, 1, inf), 0);
    ck_assert_double_eq(perp_fischer(2, -7, -inf, 2), 0);
    ck_assert_double_eq(perp_fischer(0, 7, 0, 1), 0);
    ck_assert_double_eq(perp_fischer(1, -7, 0, 1), 0);
    ck_assert_double_eq(perp_fischer(0.5, 0, 0, 1), 0);
    ck_assert_double_eq(perp_fischer(4, 9, 3, 3), 1);
    ck_assert_double_eq_tol(perp_fischer(1, 1, 0, inf), 2 - sqrt(2), 1e-15);
    for (uint64_t seed = 1; seed <= 2000; seed++) { /* and nothing else is a zero */
        generator g = generator_start(seed);
        double lo, hi, z = 3 * generator_uniform(&g), F = generator_uniform(&g);
        draw_bounds(&g, &lo, &hi);
        double natural = z - clip(z - F, lo, hi), G = perp_fischer(z, F, lo, hi);
        ck_assert_double_ge(fabs(G), 0.05 * fabs(natural));
        ck_assert_double_le(fabs(G), 20 * fabs(natural));
    }
}
END_TEST

START_TEST(digits_survive)
{
    const double inf = INFINITY;
    ck_assert_double_eq_tol(perp_fischer(1e-20, 1, 0, inf) / 1e-20, 1, 1e-12);
    ck_assert_double_eq_tol(perp_fischer(1e10, 1e-10, 0, inf) / 1e-10, 1, 1e-12);
    ck_assert_double_eq_tol(perp_fischer(-1e200, 1e-200, 0, inf) / -2e200, 1, 1e-12);
    perp_fischer_slope s = perp_fischer_differentiate(1e-10, 1, 0, inf, 1);
    ck_assert_double_eq_tol(s.a, 1, 1e-9);
    ck_assert_double_eq_tol(s.b / 5e-21, 1, 1e-6);
}
END_TEST

START_TEST(slopes)
{
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        generator g = generator_start(seed);
        double lo, hi, z = 2 * generator_uniform(&g), F = generator_uniform(&g), h = 1e-6;
        draw_bounds(&g, &lo, &hi);
        perp_fischer_slope s = perp_fischer_differentiate(z, F, lo, hi, 1);
        double a = (perp_fischer(z + h, F, lo, hi) - perp_fischer(z - h, F, lo, hi)) / (2 * h);
        double b = (perp_fischer(z, F + h, lo, hi) - perp_fischer(z, F - h, lo, hi)) / (2 * h);
        ck_assert_double_eq_tol(s.a, a, 1e-4);
        ck_assert_double_eq_tol(s.b, b, 1e-4);
        ck_assert(s.a >= 0 && s.b >= 0 && s.a + s.b > 0.1);
    }
}
END_TEST

/* At a corner: the limit along the way that leads inside. */
START_TEST(corners)
{
    const double inf = INFINITY, t = 1e-9, corner = 0.7;
    const double lo[] = {0, -inf, 0, 0}, hi[] = {inf, 0, 5, 5}, at[] = {0, 0, 0, 5};
    const int side[] = {1, -1, 1, -1};
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(perp_fischer_corner(at[k], 0, lo[k], hi[k]), side[k]);
        perp_fischer_slope s = perp_fischer_differentiate(at[k], 0, lo[k], hi[k], corner);
        perp_fischer_slope near =
            perp_fischer_differentiate(at[k] + side[k] * t, side[k] * corner * t, lo[k], hi[k], 1);
        ck_assert_double_eq_tol(s.a, near.a, 1e-6);
        ck_assert_double_eq_tol(s.b, near.b, 1e-6);
    }
    ck_assert_int_eq(perp_fischer_corner(0, 1e-300, 0, inf), 0);
    ck_assert_int_eq(perp_fischer_corner(3, 0, 3, 3), 0);
    ck_assert_int_eq(perp_fischer_corner(3, 0, -inf, inf), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fischer");
    TCase *t = tcase_create("fischer");
    tcase_add_test(t, zeros_are_solutions);
    tcase_add_test(t, digits_survive);
    tcase_add_test(t, slopes);
    tcase_add_test(t, corners);
    suite_add_tcase(s, t);
    return support_run(s);
}
