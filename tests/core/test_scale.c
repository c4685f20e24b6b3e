/* tests/core/test_scale.c: norms of data against closed forms, where sums cancel, vanish or are
 * beyond numbers. */
#include "core/scale.h"
#include "generate.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

static perp_matrix dense(int m, int n, const double *x)
{
    perp_matrix A = {.format = PERP_FORMAT_DENSE, .m = m, .n = n};
    A.as.dense.x = x;
    A.as.dense.ld = m;
    return A;
}

static double affine(int n, const double *x, const double *q, const double *z)
{
    static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_CSR};
    perp_matrix A = dense(n, n, x), B;
    perp_arena a = {0};
    double norm = 0;
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(perp_convert(&A, formats[k], &a, &B, NULL), PERP_SOLVED);
        double other = perp_scale_affine(n, &B, q, z, &a);
        ck_assert(k == 0 || norm == other || (isnan(norm) && isnan(other)));
        norm = other;
    }
    perp_arena_free(&a);
    return norm;
}

START_TEST(plain_norms)
{
    const double M[] = {1, 2, 3, 4}, q[] = {3, 4}, zero[] = {0, 0}, z[] = {1, -1};
    ck_assert_double_eq(affine(2, M, q, zero), 5);
    ck_assert_double_eq_tol(affine(2, M, q, z), hypot(1, 2), 1e-15); /* (1 - 3 + 3, 2 - 4 + 4) */
    ck_assert_double_eq(affine(2, M, zero, zero), 1);
    ck_assert_double_eq(affine(0, NULL, NULL, NULL), 1);
}
END_TEST

/* 3 x + q with q = -3 x rounded, and with one that leaves nothing at all. */
START_TEST(sums_that_cancel)
{
    const double M[] = {3}, z[] = {0.1}, rounded[] = {-(3 * 0.1)}, half[] = {0.5}, none[] = {-1.5};
    double left = fma(3, 0.1, -(3 * 0.1));
    ck_assert_double_ne(left, 0);
    ck_assert_double_eq_tol(affine(1, M, rounded, z) / fabs(left), 1, 1e-14);
    ck_assert_double_eq(affine(1, M, none, half), 1);
}
END_TEST

/* What is below all numbers is not 0: a scale of 1 would let everything pass. */
START_TEST(products_that_vanish)
{
    const double M[] = {64 * DBL_TRUE_MIN}, z[] = {-0.00025}, zero[] = {0}, one[] = {1},
                 large[] = {4};
    ck_assert_double_eq(affine(1, M, zero, z), DBL_TRUE_MIN);
    ck_assert_double_eq(affine(1, M, zero, large), 256 * DBL_TRUE_MIN);
    ck_assert_double_eq(affine(1, M, one, z), 1);
    const double cancel[] = {1, 0x1p-1000, 1, 0x1p-1000}, apart[] = {0x1p-70, -0x1p-70};
    const double nothing[] = {0, 0};
    ck_assert_double_eq(affine(2, cancel, nothing, apart), 1); /* each row is 0 exactly */
}
END_TEST

START_TEST(numbers_beyond_range)
{
    const double M[] = {1e300}, z[] = {1e300}, q[] = {1};
    ck_assert_double_eq(affine(1, M, q, z), 1);
    const double wide[] = {1e300, 0, DBL_TRUE_MIN, 1e300}, edge[] = {0x1p-1000, 0x1p-60};
    const double q2[] = {0, 0};
    double norm = affine(2, wide, q2, edge);
    ck_assert_double_eq_tol(norm / (1e300 * 0x1p-60), 1, 1e-14);
}
END_TEST

/* Long double sums of short numbers are exact. */
START_TEST(random_norms)
{
    enum { N = 7 };
    generator g = generator_start((uint64_t)_i + 40);
    double M[N * N], q[N], z[N];
    for (int k = 0; k < N * N; k++) M[k] = rint(1024 * generator_uniform(&g));
    for (int i = 0; i < N; i++) z[i] = ldexp(rint(1024 * generator_uniform(&g)), -20);
    long double sum = 0;
    for (int i = 0; i < N; i++) {
        long double w = 0;
        for (int j = 0; j < N; j++) w += (long double)M[j * N + i] * z[j];
        q[i] = -(double)(w * (1 + 0x1p-50L));
        sum += (w + q[i]) * (w + q[i]);
    }
    double norm = affine(N, M, q, z), exact = (double)sqrtl(sum);
    ck_assert_double_eq_tol(norm / exact, 1, 1e-13);
}
END_TEST

static void count(void *ctx, double alpha, const double *x, double beta, double *y)
{
    (*(int *)ctx)++;
    y[0] = beta * y[0] + alpha * 2 * x[0];
}

/* What an operator returns counts as exact. */
START_TEST(operators)
{
    int calls = 0;
    double z[] = {2}, q[] = {-4};
    perp_matrix op = {.format = PERP_FORMAT_OPERATOR, .m = 1, .n = 1};
    op.as.op = (struct perp_operator){.ctx = &calls, .mul = count, .mul_t = count};
    perp_arena a = {0};
    ck_assert_double_eq(perp_scale_affine(1, &op, q, z, &a), 1);
    ck_assert_int_gt(calls, 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_memory)
{
    const double x[] = {64 * DBL_TRUE_MIN}, z[] = {0.25}, q[] = {0};
    perp_matrix A = dense(1, 1, x);
    size_t enough = 0;
    static double buffer[1 << 14];
    for (size_t bytes = 128; bytes < sizeof buffer && !enough; bytes += 8) {
        perp_arena a;
        perp_arena_fixed(&a, buffer, bytes);
        double norm = perp_scale_affine(1, &A, q, z, &a);
        if (!a.failed) enough = bytes;
        ck_assert(a.failed ? isnan(norm) : norm == 16 * DBL_TRUE_MIN);
    }
    ck_assert_uint_gt(enough, 128);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scale");
    TCase *c = tcase_create("scale");
    tcase_add_test(c, plain_norms);
    tcase_add_test(c, sums_that_cancel);
    tcase_add_test(c, products_that_vanish);
    tcase_add_test(c, numbers_beyond_range);
    tcase_add_loop_test(c, random_norms, 0, 20);
    tcase_add_test(c, operators);
    tcase_add_test(c, no_memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
