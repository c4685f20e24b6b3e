/* tests/core/test_kind_nnls.c: the nearest point in a cone, its residual by hand and by loops. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <math.h>
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
    double A[M * N], b[M], x[N], rest[M], map = 0, base = 0;
    bool free_x[N];
    for (int k = 0; k < M * N; k++) A[k] = generator_unit(&g) < 0.4 ? 0 : generator_uniform(&g);
    for (int i = 0; i < M; i++) b[i] = generator_uniform(&g);
    for (int j = 0; j < N; j++) {
        x[j] = generator_uniform(&g);
        free_x[j] = generator_unit(&g) < 0.5;
    }
    for (int i = 0; i < M; i++) {
        rest[i] = -b[i];
        for (int j = 0; j < N; j++) rest[i] += A[j * M + i] * x[j];
    }
    for (int j = 0; j < N; j++) {
        double w = 0, Atb = 0;
        for (int i = 0; i < M; i++) {
            w += A[j * M + i] * rest[i];
            Atb += A[j * M + i] * b[i];
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
        ck_assert_double_eq_tol(r.value, sqrt(map / base), 1e-12);
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
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
