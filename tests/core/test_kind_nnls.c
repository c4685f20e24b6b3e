/* tests/core/test_kind_nnls.c: the nearest point in a cone, its residual by hand and by loops. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A = [1 0; 0 1; 1 1], b = (1, -2, 1). Without bounds x = (5/3, -4/3); with x >= 0 the second is 0
 * and the first (1 + 1)/2 = 1: w = A'(A x - b) = (0, 2). */
static const double A32[] = {1, 0, 1, 0, 1, 1}, b3[] = {1, -2, 1};

START_TEST(hand_worked)
{
    perp_problem p = perp_make_nnls(perp_dense(3, 2, A32), b3);
    const double x[] = {1, 0}, free_x[] = {5.0 / 3, -4.0 / 3}, zero[] = {0, 0};
    ck_assert_int_eq(perp_size(&p), 2);
    ck_assert_double_eq(certify(&p, x, PERP_SOLVED).value, 0);
    perp_residual r = certify(&p, free_x, PERP_SOLVED);
    ck_assert_double_eq_tol(r.primal, 4.0 / 3, 1e-15);
    ck_assert_double_eq_tol(r.absolute, 4.0 / 3, 1e-15);
    r = certify(&p, zero, PERP_SOLVED); /* w = -A'b = (-2, 1) */
    ck_assert_double_eq(r.dual, 2);
    ck_assert_double_eq_tol(r.value, 2 / sqrt(5), 1e-15);
    const double both[] = {1, 1}; /* A x - b = (0, 3, 1), w = (1, 4) */
    r = certify(&p, both, PERP_SOLVED);
    ck_assert_double_eq(r.primal + r.dual, 0);
    ck_assert_double_eq(r.complementarity, 4);
    ck_assert_double_eq_tol(r.value, sqrt(2) / sqrt(5), 1e-15);

    const bool second[] = {false, true}, all[] = {true, true};
    p.as.nnls.is_free = all;
    ck_assert_double_le(certify(&p, free_x, PERP_SOLVED).value, 1e-15);
    p.as.nnls.is_free = second;
    ck_assert_double_le(certify(&p, free_x, PERP_SOLVED).value, 1e-15);
    r = certify(&p, x, PERP_SOLVED); /* w = (0, 2): 2 has to vanish now */
    ck_assert_double_eq(r.dual, 2);
    ck_assert_double_eq(r.complementarity, 0);
    ck_assert_double_eq(r.absolute, 2);
}
END_TEST

/* Without memory for A'b there is no scale, and nothing passes. */
START_TEST(no_memory_for_the_scale)
{
    perp_problem p = perp_make_nnls(perp_dense(3, 2, A32), b3);
    perp_arena a = {0};
    char buffer[1];
    perp_scales s = {.s = {1, 2, 3}};
    perp_arena_fixed(&a, buffer, sizeof buffer);
    perp_kind_ops_of(PERP_KIND_NNLS)->scale(&p, &a, &s);
    ck_assert(a.failed && isnan(s.s[0]) && s.s[1] == 1 && s.s[2] == 1);
}
END_TEST

START_TEST(perturbations_are_seen)
{
    const double x[] = {1, 0};
    perp_problem p = perp_make_nnls(perp_dense(3, 2, A32), b3);
    for (int i = 0; i < 2; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double z[] = {x[0], x[1]};
            z[i] += 1e-6 * sign;
            ck_assert_double_gt(certify(&p, z, PERP_SOLVED).value, 1e-8);
            z[i] = sign < 0 ? NAN : INFINITY;
            ck_assert(isinf(certify(&p, z, PERP_E_NUMBER).value));
        }
    }
    const double huge[] = {1e308, 1e308};
    ck_assert(isinf(certify(&p, huge, PERP_E_NUMBER).value));
}
END_TEST

START_TEST(naive_formula)
{
    enum { M = 6, N = 3 };
    generator g = generator_start((uint64_t)_i + 5);
    double A[M * N], b[M], x[N], rest[M], map = 0, base = 0, units = 0, b_norm = 0;
    bool free_x[N];
    for (int k = 0; k < M * N; k++) A[k] = generator_unit(&g) < 0.4 ? 0 : generator_uniform(&g);
    for (int i = 0; i < M; i++) {
        b[i] = generator_uniform(&g);
        b_norm += b[i] * b[i];
    }
    for (int j = 0; j < N; j++) {
        x[j] = generator_uniform(&g);
        free_x[j] = generator_unit(&g) < 0.5;
    }
    for (int i = 0; i < M; i++) {
        rest[i] = -b[i];
        for (int j = 0; j < N; j++) rest[i] += A[j * M + i] * x[j];
    }
    for (int j = 0; j < N; j++) {
        double w = 0, Atb = 0, length = 0;
        for (int i = 0; i < M; i++) {
            w += A[j * M + i] * rest[i];
            Atb += A[j * M + i] * b[i];
            length += A[j * M + i] * A[j * M + i];
        }
        length = sqrt(length);
        if (length > 0) {
            units = fmax(units, fabs(free_x[j] ? w / length : fmin(length * x[j], w / length)));
        }
        map += pow(free_x[j] ? w : x[j] < w ? x[j] : w, 2);
        base += Atb * Atb;
    }
    perp_arena a = {0};
    perp_matrix D = perp_dense(M, N, A);
    for (int k = 0; k < 4; k++) {
        perp_problem p = perp_make_nnls(in_format(k, &D, &a), b);
        p.as.nnls.is_free = free_x;
        perp_residual r = certify(&p, x, PERP_SOLVED);
        ck_assert_double_eq_tol(r.absolute, sqrt(map), 1e-13);
        ck_assert_double_eq_tol(r.natural, sqrt(map / base), 1e-12);
        if (k < 3) ck_assert_double_eq_tol(r.units, units / sqrt(b_norm), 1e-12);
        ck_assert_double_eq(r.value, fmax(r.natural, r.units));
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(scale_of_orthogonal_b)
{
    const double A[] = {1, 0}, b[] = {0, 5}, x = 0.5; /* A'b = 0: over 1 */
    perp_problem p = perp_make_nnls(perp_dense(2, 1, A), b);
    ck_assert_double_eq(certify(&p, &x, PERP_SOLVED).value, 0.5);
}
END_TEST

/* A'A = diag(1e12, 2e12), A'b = (1, 1): x = (1e-12, 5e-13). The natural map takes 9e-9 for small;
 * in units of b it is 9e-3 beside 1e-6. */
START_TEST(units_of_columns)
{
    const double root = sqrt(2), A[] = {1e6, 0, 0, root * 1e6}, b[] = {1e-6, 1e-6 / root};
    const double far[] = {9e-9, 5e-13}, near[] = {1e-12, 5e-13};
    perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b);
    perp_residual r = certify(&p, far, PERP_SOLVED);
    ck_assert_double_lt(r.natural, 1e-8);
    ck_assert_double_gt(r.value, 1e3);
    ck_assert_double_lt(certify(&p, near, PERP_SOLVED).value, 1e-15);
}
END_TEST

/* min |a x - b|: x = b / a, whatever under- or overflows on the way; 0 is no solution. */
START_TEST(far_from_one)
{
    static const double data[][2] = {{1e-162, 1e-162}, {1e-300, 1e-300}, {1e300, 1e300},
                                     {1e-200, 1e100},  {1e200, 1e-100},  {1e150, 1e200}};
    for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
        const double *a = &data[k][0], *b = &data[k][1], x = *b / *a, zero = 0;
        perp_problem p = perp_make_nnls(perp_dense(1, 1, a), b);
        ck_assert_double_eq_tol(certify(&p, &zero, PERP_SOLVED).value, 1, 1e-12);
        perp_residual r = certify(&p, &x, PERP_SOLVED);
        ck_assert_double_lt(r.value + r.bound, 1e-11);
        for (const perp_options *const *o = perp_solvers(); *o; o++) {
            if (strncmp(perp_solver_name(*o), "nnls/", 5) != 0) continue;
            double z;
            perp_arena arena = {0};
            perp_result result;
            perp_status status = perp_solve(&p, *o, &arena, &z, NULL, &result);
            ck_assert(status != PERP_SOLVED || fabs(z - x) <= 1e-7 * x);
            perp_arena_free(&arena);
        }
    }
}
END_TEST

/* Powers of two change no digit of the second part. */
START_TEST(powers_of_two)
{
    const double x[] = {1.1, 0.3};
    perp_problem p = perp_make_nnls(perp_dense(3, 2, A32), b3);
    double units = certify(&p, x, PERP_SOLVED).units;
    for (int i = -900; i <= 900; i += 300) {
        for (int k = -900; k <= 900; k += 300) {
            if (abs(i - k) > 900) continue; /* x itself */
            double A[6], b[3], y[2];
            for (int e = 0; e < 6; e++) A[e] = ldexp(A32[e], i);
            for (int e = 0; e < 3; e++) b[e] = ldexp(b3[e], k);
            for (int e = 0; e < 2; e++) y[e] = ldexp(x[e], k - i);
            p = perp_make_nnls(perp_dense(3, 2, A), b);
            ck_assert_double_eq_tol(certify(&p, y, PERP_SOLVED).units, units, 1e-15);
        }
    }
}
END_TEST

/* Whole numbers whose sums are exact in long double, and not in double. */
START_TEST(bound_of_rounding)
{
    enum { M = 4, N = 2 };
    generator g = generator_start((uint64_t)_i + 77);
    double A[M * N], b[M], x[N], w[N];
    long double rest[M], sum = 0, scale = 0, worst = 0, b_norm = 0;
    for (int k = 0; k < M * N; k++) A[k] = floor(ldexp(generator_uniform(&g), 17));
    for (int j = 0; j < N; j++) x[j] = floor(ldexp(generator_unit(&g), 26));
    for (int i = 0; i < M; i++) {
        rest[i] = (long double)A[i] * x[0] + (long double)A[M + i] * x[1];
        b[i] = (double)rest[i] + floor(3 * generator_uniform(&g));
        rest[i] -= b[i];
        b_norm += (long double)b[i] * b[i];
    }
    for (int j = 0; j < N; j++) {
        long double slope = 0, Atb = 0, length = 0;
        for (int i = 0; i < M; i++) {
            slope += A[j * M + i] * rest[i];
            Atb += (long double)A[j * M + i] * b[i];
            length += (long double)A[j * M + i] * A[j * M + i];
        }
        length = sqrtl(length);
        worst = fmaxl(worst, fabsl(fminl(x[j] * length, slope / length)));
        slope = fminl(x[j], slope);
        sum += slope * slope;
        scale += Atb * Atb;
    }
    long double exact = fmaxl(sqrtl(sum / scale), worst / sqrtl(b_norm));
    perp_problem p = perp_make_nnls(perp_dense(M, N, A), b);
    const perp_kind_ops *ops = perp_kind_ops_of(PERP_KIND_NNLS);
    perp_arena a = {0};
    perp_scales s;
    perp_residual plain, pairs;
    ops->scale(&p, &a, &s);
    ck_assert_int_eq(ops->measure(&p, &s, x, w, 1, &a, &plain), PERP_SOLVED);
    ck_assert_int_eq(ops->measure(&p, &s, x, w, -1, &a, &pairs), PERP_SOLVED);
    ck_assert_ldouble_le(fabsl(plain.value - exact), plain.bound);
    ck_assert_ldouble_le(fabsl(pairs.value - exact), pairs.bound);
    ck_assert_double_le(pairs.bound, 1e-11 * pairs.value + 1e-24);
    ck_assert_double_gt(plain.bound, pairs.bound);
    perp_arena_free(&a);
}
END_TEST

/* A large entry of b that meets no column: with b near 1 A'b would be lost. Then A'b that no power
 * of two saves, so that nothing is certified; and one that is zero to the last bit, or not. */
START_TEST(scale_of_a_lonely_entry)
{
    const double A[] = {0, -5.909106315382871e-126, -9.639679460411536e-181, 0,
                        0, 4.819839730205768e-181};
    const double b[] = {-1.1064338440007215e142, -4.4461387241367956e-126, 1.4212063531246056e-181};
    const double x[] = {0, 0}, tiny[] = {4e-322}, one[] = {1};
    const double ones[] = {1, 1, 1}, cancels[] = {0.1, 0.2, -0.30000000000000004};
    const double third[] = {0.1, 0.2, -0.3};
    perp_problem p = perp_make_nnls(perp_dense(3, 2, A), b);
    ck_assert_double_gt(certify(&p, x, PERP_SOLVED).value, 0.9);
    const double nothing[] = {0, 0}, huge[] = {1e260, 1}, below[] = {-0.5};
    p = perp_make_nnls(perp_dense(2, 1, nothing), huge);
    ck_assert_double_eq(certify(&p, below, PERP_SOLVED).value, 0.5);
    const double thin[] = {0, 1e-158}, apart[] = {1e216, -1e-159};
    p = perp_make_nnls(perp_dense(2, 1, thin), apart);
    certify(&p, x, PERP_E_NUMBER);
    p = perp_make_nnls(perp_dense(1, 1, tiny), one);
    certify(&p, x, PERP_E_NUMBER);
    p = perp_make_nnls(perp_dense(3, 1, ones), cancels);
    ck_assert_double_eq(certify(&p, x, PERP_SOLVED).value, 0); /* -2^-55 is left of the sum */
    p = perp_make_nnls(perp_dense(3, 1, ones), third);
    ck_assert_double_gt(certify(&p, x, PERP_SOLVED).value, 0.9);
}
END_TEST

START_TEST(refusals)
{
    const double nan_b[] = {1, 2, NAN}, nan_A[] = {1, 2, 3, NAN, 5, 6}, x[] = {0, 0};
    invalid(perp_make_nnls((perp_matrix){0}, b3), PERP_E_ARGUMENT, "A");
    invalid(perp_make_nnls(perp_dense(-3, 2, A32), b3), PERP_E_ARGUMENT, "A");
    invalid(perp_make_nnls(perp_dense(3, -2, A32), b3), PERP_E_ARGUMENT, "A");
    invalid(perp_make_nnls(perp_dense(3, 2, NULL), b3), PERP_E_ARGUMENT, "A");
    invalid(perp_make_nnls(perp_dense(3, 2, nan_A), b3), PERP_E_NUMBER, "A[0][1]");
    invalid(perp_make_nnls(perp_dense(3, 2, A32), NULL), PERP_E_ARGUMENT, "b");
    invalid(perp_make_nnls(perp_dense(3, 2, A32), nan_b), PERP_E_NUMBER, "b[2]");
    perp_problem p = perp_make_nnls(perp_dense(3, -2, A32), b3);
    ck_assert_int_eq(perp_size(&p), -1);
    p = perp_make_nnls(perp_dense(3, 2, A32), b3);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, x, NULL), PERP_E_ARGUMENT);
    perp_problem no_rows = perp_make_nnls(perp_dense(0, 2, NULL), NULL); /* any x, and 0 */
    ck_assert_double_eq(certify(&no_rows, x, PERP_SOLVED).value, 0);
    perp_problem no_columns = perp_make_nnls(perp_dense(3, 0, NULL), b3);
    ck_assert_double_eq(certify(&no_columns, NULL, PERP_SOLVED).value, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_nnls");
    TCase *c = tcase_create("nnls");
    tcase_add_test(c, hand_worked);
    tcase_add_test(c, no_memory_for_the_scale);
    tcase_add_test(c, perturbations_are_seen);
    tcase_add_loop_test(c, naive_formula, 0, 30);
    tcase_add_test(c, scale_of_orthogonal_b);
    tcase_add_test(c, units_of_columns);
    tcase_add_test(c, far_from_one);
    tcase_add_test(c, powers_of_two);
    tcase_add_loop_test(c, bound_of_rounding, 0, 200);
    tcase_add_test(c, scale_of_a_lonely_entry);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
