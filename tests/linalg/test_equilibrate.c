/* tests/linalg/test_equilibrate.c: powers of two, small spread afterwards, well-scaled matrices
 * left alone. */
#include "countdown.h"
#include "generate.h"
#include "linalg/equilibrate.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define MOST 60

static bool is_power_of_two(double x)
{
    int e;
    return x > 0 && isfinite(x) && frexp(x, &e) == 0.5;
}

/* Largest and smallest of the rows' and columns' largest entries, zero ones left out. */
static void extremes(int n, const double *M, int ld, const double *r, const double *s,
                     double *least, double *most)
{
    double row[MOST] = {0}, column[MOST] = {0};
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double a = fabs(M[(size_t)j * (size_t)ld + (size_t)i]) * r[i] * s[j];
            row[i] = fmax(row[i], a);
            column[j] = fmax(column[j], a);
        }
    }
    *least = INFINITY;
    *most = 0;
    for (int i = 0; i < n; i++) {
        if (row[i] > 0) *least = fmin(*least, row[i]);
        if (column[i] > 0) *least = fmin(*least, column[i]);
        *most = fmax(*most, fmax(row[i], column[i]));
    }
}

/* Scaled, by exact powers of two, to largest entries within `spread` of each other and 1. */
static void check_scaled(int n, const double *M, int ld, double spread)
{
    double r[MOST], s[MOST], work[2 * MOST], least, most;
    ck_assert(perp_equilibrate(n, M, ld, r, s, work));
    for (int i = 0; i < n; i++) ck_assert(is_power_of_two(r[i]) && is_power_of_two(s[i]));
    extremes(n, M, ld, r, s, &least, &most);
    ck_assert_msg(most / least <= spread && most <= spread && least >= 1 / spread, "%g to %g",
                  least, most);
    for (int j = 0; j < n; j++) { /* and back again: nothing was rounded */
        for (int i = 0; i < n; i++) {
            double m = M[(size_t)j * (size_t)ld + (size_t)i], scaled = r[i] * m * s[j];
            ck_assert(scaled / r[i] / s[j] == m);
        }
    }
}

static void check_untouched(int n, const double *M, int ld)
{
    double r[MOST], s[MOST], work[2 * MOST];
    ck_assert(!perp_equilibrate(n, M, ld, r, s, work));
    for (int i = 0; i < n; i++) ck_assert(r[i] == 1 && s[i] == 1);
}

START_TEST(wide_entries)
{
    for (int n = 1; n <= MOST; n += n < 8 ? 1 : 13) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            double M[MOST * MOST];
            generator g = generator_start(seed);
            for (int k = 0; k < n * n; k++) {
                M[k] = generator_uniform(&g) * pow(10, 12 * generator_uniform(&g));
            }
            double least, most, one[MOST];
            for (int i = 0; i < n; i++) one[i] = 1;
            extremes(n, M, n, one, one, &least, &most);
            if (most / least > 64 || most > 64 || least < 1. / 64) check_scaled(n, M, n, 64);
        }
    }
}
END_TEST

/* D A E for well-scaled A: what bad units do. */
START_TEST(bad_units)
{
    for (int n = 2; n <= MOST; n += 7) {
        double M[MOST * MOST], d[MOST], e[MOST];
        generator g = generator_start((uint64_t)n);
        for (int i = 0; i < n; i++) {
            d[i] = pow(10, 12 * generator_uniform(&g));
            e[i] = pow(10, 12 * generator_uniform(&g));
        }
        d[0] = 1e-12;
        d[1] = 1e12;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) M[j * n + i] = d[i] * (0.5 + generator_unit(&g)) * e[j];
        }
        check_scaled(n, M, n, 16);
    }
}
END_TEST

/* A leading dimension; what lies between the columns is not read. */
START_TEST(leading_dimension)
{
    const double M[] = {1e9, 2, NAN, 3, 1e-7, NAN};
    check_scaled(2, M, 3, 16);
}
END_TEST

START_TEST(zero_rows)
{
    const double M[] = {0, 0, 0, 0, 1e10, 2e3, 0, 5, 1e-8}; /* first row and column */
    double r[3], s[3], work[6];
    check_scaled(3, M, 3, 16);
    perp_equilibrate(3, M, 3, r, s, work);
    ck_assert(r[0] == 1 && s[0] == 1);
    const double row[] = {0, 1e9, 0, 1e-9}; /* a zero row without a zero column */
    check_scaled(2, row, 2, 16);
    const double nothing[9] = {0};
    check_untouched(3, nothing, 3);
}
END_TEST

START_TEST(well_scaled)
{
    const double identity[] = {1, 0, 0, 1}, mild[] = {8, 1, -1, 0.25}, one[] = {-3};
    check_untouched(2, identity, 2);
    check_untouched(2, mild, 2);
    check_untouched(1, one, 1);
    check_untouched(0, NULL, 1);
    for (int n = 2; n <= MOST; n += 11) {
        double M[MOST * MOST];
        generator g = generator_start((uint64_t)n);
        for (int k = 0; k < n * n; k++) M[k] = generator_uniform(&g);
        for (int i = 0; i < n; i++) M[i * n + i] = 1 + generator_unit(&g);
        check_untouched(n, M, n);
    }
}
END_TEST

/* All of one size, but not that of 1: one factor, so that the proportions stay. */
START_TEST(level)
{
    static const double levels[] = {1e-300, 1e-13, 1e-3, 1e3, 1e13, 1e300};
    for (int k = 0; k < 6; k++) {
        double M[] = {8, 1, -1, 3}, r[2], s[2], work[4];
        for (int i = 0; i < 4; i++) M[i] *= levels[k];
        check_scaled(2, M, 2, 16);
        perp_equilibrate(2, M, 2, r, s, work);
        ck_assert(r[0] == r[1] && s[0] == s[1]);
    }
}
END_TEST

/* The far ends of the range of numbers. */
START_TEST(extreme)
{
    const double a[] = {1e300, 1, 1, 1e-300}, b[] = {DBL_MAX, DBL_MIN, DBL_MIN, DBL_MAX};
    const double c[] = {1e308, 1e308, 1e-308, 1e-308}, d[] = {DBL_MIN, 0, 0, DBL_MAX};
    const double e[] = {4e-324, 0, 0, 4e-324};
    const double *const all[] = {a, b, c, d, e};
    for (int k = 0; k < 5; k++) {
        double r[2], s[2], work[4];
        perp_equilibrate(2, all[k], 2, r, s, work);
        for (int i = 0; i < 2; i++) {
            ck_assert_msg(is_power_of_two(r[i]) && is_power_of_two(s[i]), "%d: %g %g", k, r[i],
                          s[i]);
        }
        for (int i = 0; i < 4; i++) ck_assert(isfinite(r[i % 2] * all[k][i] * s[i / 2]));
    }
}
END_TEST

/* Compressed columns take a pass at least; a watch ends the others, and what there is fits. */
START_TEST(stops_after_a_pass)
{
    static const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1};
    static const double M[] = {1e12, 1, 1, 1e-3};
    double r[3][2], s[3][2], x[3][4], work[4];
    for (int k = 0; k < 3; k++) {
        countdown c = {.left = k == 1 ? 0 : 100};
        perp_watch watch = {.stop = count_down, .ctx = &c};
        memcpy(x[k], M, sizeof M);
        perp_equilibrate_csc(2, p, i, x[k], r[k], s[k], work, k ? &watch : NULL);
        for (int e = 0; e < 4; e++) ck_assert_double_eq(x[k][e], r[k][i[e]] * M[e] * s[k][e / 2]);
        ck_assert_int_eq(c.looks > 1, k == 2);
    }
    ck_assert_mem_eq(x[0], x[2], sizeof x[0]);
    ck_assert_mem_ne(x[0], x[1], sizeof x[0]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("linalg/equilibrate");
    TCase *t = tcase_create("equilibrate");
    tcase_add_test(t, wide_entries);
    tcase_add_test(t, bad_units);
    tcase_add_test(t, leading_dimension);
    tcase_add_test(t, zero_rows);
    tcase_add_test(t, well_scaled);
    tcase_add_test(t, level);
    tcase_add_test(t, extreme);
    tcase_add_test(t, stops_after_a_pass);
    suite_add_tcase(s, t);
    return support_run(s);
}
