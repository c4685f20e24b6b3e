/* tests/core/test_kind_lcp.c: the residual of an LCP against a naive formula, and its proofs. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6}, z2[] = {4.0 / 3, 7.0 / 3};

START_TEST(hand_worked)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_residual r = certify(&p, z2, PERP_SOLVED);
    ck_assert_double_le(r.value, 1e-15);
    ck_assert_double_le(r.complementarity, 1e-14);
    const double zero[2] = {0}; /* w = q */
    r = certify(&p, zero, PERP_SOLVED);
    ck_assert_double_eq_tol(r.value, 1, 1e-15);
    ck_assert_double_eq_tol(r.absolute, sqrt(61), 1e-14);
    ck_assert_double_eq(r.dual, 6);
    ck_assert_double_eq(r.primal, 0);
    ck_assert_double_eq(r.complementarity, 0);
    const double off[2] = {-1, 2}; /* w = (-5, -3) */
    r = certify(&p, off, PERP_SOLVED);
    ck_assert_double_eq(r.primal, 1);
    ck_assert_double_eq(r.dual, 5);
    ck_assert_double_eq(r.complementarity, 6);
    ck_assert_double_eq_tol(r.absolute, sqrt(25 + 9), 1e-14);
    const double large[2] = {4, 7}; /* w = (10, 12): feasible, not complementary */
    r = certify(&p, large, PERP_SOLVED);
    ck_assert_double_eq(r.primal, 0);
    ck_assert_double_eq(r.dual, 0);
    ck_assert_double_eq(r.complementarity, 84);
    ck_assert_double_eq_tol(r.absolute, sqrt(16 + 49), 1e-14);
}
END_TEST

START_TEST(perturbations_are_seen)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    for (int i = 0; i < 2; i++) {
        for (double d = 1e-8; d < 10; d *= 10) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double z[2] = {z2[0], z2[1]};
                z[i] += sign * d;
                ck_assert_double_gt(certify(&p, z, PERP_SOLVED).value, 0.05 * d);
            }
        }
    }
}
END_TEST

START_TEST(no_number_is_never_measured)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            double z[2] = {z2[0], z2[1]};
            z[i] = bad[k];
            perp_residual r = certify(&p, z, PERP_E_NUMBER);
            ck_assert(isinf(r.value) && isinf(r.absolute) && isinf(r.primal));
        }
    }
    const double huge[2] = {DBL_MAX, DBL_MAX}; /* M z overflows */
    ck_assert(isinf(certify(&p, huge, PERP_E_NUMBER).value));
    const double zero[2] = {0};
    const double one[1] = {1}, big[1] = {DBL_MAX};
    perp_problem s = perp_make_lcp(1, perp_dense(1, 1, one), big);
    ck_assert_double_eq(certify(&s, zero, PERP_SOLVED).value, 0);
}
END_TEST

/* Every format against loops over the entries. */
START_TEST(naive_formula)
{
    enum { N = 6 };
    generator g = generator_start((uint64_t)_i);
    double M[N * N], q[N], z[N], norm = 0, q_norm = 0, primal = 0, dual = 0, gap = 0;
    for (int k = 0; k < N * N; k++) M[k] = generator_uniform(&g);
    for (int i = 0; i < N; i++) {
        q[i] = 10 * generator_uniform(&g);
        z[i] = generator_uniform(&g);
    }
    for (int i = 0; i < N; i++) {
        double w = q[i];
        for (int j = 0; j < N; j++) w += M[j * N + i] * z[j];
        norm += pow(z[i] < w ? z[i] : w, 2);
        q_norm += q[i] * q[i];
        primal = -z[i] > primal ? -z[i] : primal;
        dual = -w > dual ? -w : dual;
        gap = fabs(z[i] * w) > gap ? fabs(z[i] * w) : gap;
    }
    perp_matrix D = perp_dense(N, N, M);
    perp_arena a = {0};
    for (int k = 0; k < 4; k++) {
        perp_problem p = perp_make_lcp(N, in_format(k, &D, &a), q);
        perp_residual r = certify(&p, z, PERP_SOLVED);
        ck_assert_double_eq_tol(r.absolute, sqrt(norm), 1e-13);
        ck_assert_double_eq_tol(r.value, sqrt(norm / q_norm), 1e-13);
        ck_assert_double_eq_tol(r.primal, primal, 1e-13);
        ck_assert_double_eq_tol(r.dual, dual, 1e-13);
        ck_assert_double_eq_tol(r.complementarity, gap, 1e-13);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(zero_q_scales_by_one)
{
    const double q[2] = {0}, z[2] = {3, 0}, zero[2] = {0}; /* w = (6, 3) */
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q);
    ck_assert_double_eq(certify(&p, z, PERP_SOLVED).natural, 3);
    ck_assert_double_eq(certify(&p, z, PERP_SOLVED).value, 6); /* z_0 in the units of w: 2 z_0 */
    ck_assert_double_eq(certify(&p, zero, PERP_SOLVED).value, 0);
    perp_problem empty = perp_make_lcp(0, (perp_matrix){0}, NULL);
    ck_assert_double_eq(certify(&empty, NULL, PERP_SOLVED).value, 0);
}
END_TEST

START_TEST(refusals)
{
    perp_matrix M = perp_dense(2, 2, M2), none = {0};
    const double nan_q[] = {1, NAN}, nan_M[] = {1, 2, INFINITY, 4};
    perp_error e;
    perp_problem good = perp_make_lcp(2, M, q2);
    ck_assert_int_eq(perp_validate(&good, &e), PERP_SOLVED);
    ck_assert_int_eq(e.status, PERP_SOLVED);
    invalid(perp_make_lcp(-1, M, q2), PERP_E_ARGUMENT, "n = -1");
    invalid(perp_make_lcp(3, M, q2), PERP_E_ARGUMENT, "M");
    invalid(perp_make_lcp(2, none, q2), PERP_E_ARGUMENT, "M");
    invalid(perp_make_lcp(2, M, NULL), PERP_E_ARGUMENT, "q");
    invalid(perp_make_lcp(2, M, nan_q), PERP_E_NUMBER, "q[1]");
    invalid(perp_make_lcp(2, perp_dense(2, 2, nan_M), q2), PERP_E_NUMBER, "M[0][1]");
    perp_problem p = perp_make_lcp(-1, M, q2);
    ck_assert_int_eq(perp_size(&p), -1);
}
END_TEST

START_TEST(rays)
{
    const double minus[1] = {-1}, q1[1] = {-1}, one[1] = {1}, less[1] = {-1}, none[1] = {0};
    perp_problem p = perp_make_lcp(1, perp_dense(1, 1, minus), q1);
    double value;
    ck_assert_int_eq(check_claim(&p, PERP_RAY, one, &value), PERP_SOLVED);
    ck_assert_double_eq(value, 0);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, none, &value), PERP_UNCERTIFIED);
    ck_assert(isinf(value));
    ck_assert_int_eq(check_claim(&p, PERP_RAY, less, NULL), PERP_UNCERTIFIED);

    /* Skew: (M y)_1 = 0 where y_1 > 0; (M y)_2 = 1 does not matter while y_2 = 0. */
    const double skew[] = {0, 1, -1, 0}, e1[] = {1, 0}, both[] = {1, 1}, sign[] = {1, -1e-6};
    p = perp_make_lcp(2, perp_dense(2, 2, skew), q2);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, e1, NULL), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, both, &value), PERP_UNCERTIFIED);
    ck_assert_double_eq(value, 1);
    const double down[] = {-1, 0, 0, -1};
    p = perp_make_lcp(2, perp_dense(2, 2, down), q2);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, sign, &value), PERP_UNCERTIFIED);
    ck_assert(isinf(value));
    /* Signs are exact: how small an entry is beside another depends on the units. */
    const double last[] = {1, -0x1p-60}, least[] = {1, -0x1p-1074}, zero[] = {1, -0.0};
    ck_assert_int_eq(check_claim(&p, PERP_RAY, last, NULL), PERP_UNCERTIFIED);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, least, NULL), PERP_UNCERTIFIED);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, zero, NULL), PERP_SOLVED);

    /* An entry of y is no zero because another is larger by more than numbers range. */
    const double far[] = {-1, 1, 0, 0}, spread[] = {1e-155, 1e248}, further[] = {1e-300, 1e308};
    p = perp_make_lcp(2, perp_dense(2, 2, far), q2);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, spread, NULL), PERP_UNCERTIFIED);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, further, NULL), PERP_UNCERTIFIED);

    /* No ray for a positive definite matrix. */
    perp_problem pd = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    generator g = generator_start(3);
    for (int k = 0; k < 100; k++) {
        const double y[] = {generator_unit(&g), generator_unit(&g)};
        ck_assert_int_eq(check_claim(&pd, PERP_RAY, y, NULL), PERP_UNCERTIFIED);
    }
}
END_TEST

/* M' y <= 0 and q'y < 0 with y = (1, 2): w1 + 2 w2 = -z1 - 3 z2 - 3 < 0. */
static const double bad_M[] = {1, -1, 1, -2}, bad_q[] = {1, -2}, proof[] = {1, 2};

START_TEST(infeasible)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, bad_M), bad_q);
    const double e1[] = {1, 0}, e2[] = {0, 1}, minus[] = {-1, -2}, none[] = {0, 0};
    double value;
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, proof, &value), PERP_SOLVED);
    ck_assert_double_le(value, 1e-14);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, e1, &value), PERP_UNCERTIFIED); /* q'y > 0 */
    ck_assert(isinf(value));
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, e2, &value), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, minus, NULL), PERP_UNCERTIFIED);
    const double sign_only[] = {-1, 0}; /* M'y = (-1, -1), q'y = -1: all is well but y >= 0 */
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, sign_only, &value), PERP_UNCERTIFIED);
    ck_assert(isinf(value));
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, none, NULL), PERP_UNCERTIFIED);

    /* A feasible problem has none: M'y > 0 here. */
    perp_problem pd = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    ck_assert_int_eq(check_claim(&pd, PERP_INFEASIBLE, proof, &value), PERP_UNCERTIFIED);
    ck_assert_double_ge(value, 1);

    /* w1 = z1 - 1, w2 = 1 - z1 is feasible at z1 = 1: q'(1, 1) = 0 proves nothing. One bit less in
     * q, and there is no z any more: that is seen, exactly. */
    const double tight_M[] = {1, -1, 0, 0}, tight_q[] = {-1, 1}, ones[] = {1, 1};
    const double round_q[] = {-1 - DBL_EPSILON, 1};
    perp_problem tight = perp_make_lcp(2, perp_dense(2, 2, tight_M), tight_q);
    ck_assert_int_eq(check_claim(&tight, PERP_INFEASIBLE, ones, NULL), PERP_UNCERTIFIED);
    tight.as.lcp.q = round_q;
    perp_arena a = {0};
    perp_residual r;
    perp_check(&tight, PERP_INFEASIBLE, ones, NULL, &a, &r);
    ck_assert_double_gt(r.radius, 1e14); /* exactly there is none; what is known is as much */
    perp_arena_free(&a);
}
END_TEST

/* The value depends on the scale of neither y, nor M, nor q, nor the rows together. */
START_TEST(checks_do_not_depend_on_scale)
{
    const double rough[] = {1, 0.9}; /* M'y = (0.1, -0.8), of terms 1.9; q'y = -0.8, of 2.8 */
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, bad_M), bad_q);
    double base, ray_base;
    check_claim(&p, PERP_INFEASIBLE, rough, &base);
    check_claim(&p, PERP_RAY, rough, &ray_base);
    ck_assert_double_eq_tol(base, 0.1 / 1.9 / (24 * DBL_EPSILON) * (2.8 / 0.8), 1e-12 * base);
    const double factors[] = {1e-300, 1e-9, 3, 1e12, 1e300};
    for (int k = 0; k < 5; k++) {
        double y[2], good[2], M[4], q[2], value, f = factors[k], h = k % 2 ? 7 : 1e-5;
        for (int i = 0; i < 2; i++) {
            y[i] = f * rough[i];
            good[i] = f * proof[i];
            q[i] = h * bad_q[i];
        }
        for (int i = 0; i < 4; i++) M[i] = bad_M[i] / h;
        perp_problem s = perp_make_lcp(2, perp_dense(2, 2, M), q);
        ck_assert_int_eq(check_claim(&s, PERP_INFEASIBLE, good, NULL), PERP_SOLVED);
        ck_assert_int_eq(check_claim(&s, PERP_INFEASIBLE, y, &value), PERP_UNCERTIFIED);
        ck_assert_double_eq_tol(value, base, 1e-12 * base);
        check_claim(&s, PERP_RAY, y, &value);
        ck_assert_double_eq_tol(value, ray_base, 1e-13);
    }
}
END_TEST

START_TEST(operator_proofs)
{
    perp_matrix bad = perp_dense(2, 2, bad_M), pd = perp_dense(2, 2, M2);
    perp_problem p = perp_make_lcp(2, as_operator(&bad), bad_q);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, proof, NULL), PERP_SOLVED);
    const double e2[] = {0, 1}, e1[] = {1, 0};
    ck_assert_int_eq(check_claim(&p, PERP_RAY, e2, NULL), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, e1, NULL), PERP_UNCERTIFIED);
    p = perp_make_lcp(2, as_operator(&pd), q2);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, proof, NULL), PERP_UNCERTIFIED);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, proof, NULL), PERP_UNCERTIFIED);
}
END_TEST

START_TEST(nothing_else_is_defined)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, bad_M), bad_q);
    const perp_status others[] = {PERP_UNBOUNDED, PERP_SOLVED, PERP_MAX_ITER, PERP_E_MEMORY};
    double value;
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(check_claim(&p, others[k], proof, &value), PERP_E_ARGUMENT);
        ck_assert(isinf(value));
    }
}
END_TEST

START_TEST(no_memory)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, bad_M), bad_q);
    perp_residual r;
    unsigned char buffer[600];
    int refused_at = 0;
    for (size_t size = 0; size <= sizeof buffer; size += 20) {
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        perp_status s = perp_certify(&p, proof, &a, &r),
                    c = perp_check(&p, PERP_RAY, proof, NULL, &a, &r);
        ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
        ck_assert(c == PERP_UNCERTIFIED || c == PERP_E_MEMORY);
        if (c == PERP_E_MEMORY) ck_assert(isinf(r.value));
        refused_at += s == PERP_E_MEMORY;
        if (size == sizeof buffer) ck_assert(s == PERP_SOLVED && c == PERP_UNCERTIFIED);
        ck_assert_uint_eq(a.used, 0);
        ck_assert(!a.failed);
    }
    ck_assert_int_gt(refused_at, 0);
}
END_TEST

/* M'y is positive by 1e-12 of its terms, and q'y negative by as little: no proof, for
 * z = (2, 2 - 1e-12, 1) is feasible. */
START_TEST(a_proof_must_reach_as_far_as_the_unknowns)
{
    static const double M[] = {1, -(1 - 1e-12), 0, -1, 1, 0, 0, 0, 1};
    static const double q[] = {-5e-13, -5e-13, -1}, y[] = {1, 1, 0};
    perp_problem p = perp_make_lcp(3, perp_dense(3, 3, M), q);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, y, NULL), PERP_UNCERTIFIED);
}
END_TEST

/* q + 1e17 - 1e17 is 0 in double; the certificate must not lose q that way. */
START_TEST(a_large_solution_does_not_hide_q)
{
    const double M[] = {1, -1, -1, 1}, q[] = {-1, -1}, z[] = {1e17, 1e17};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    ck_assert_double_eq(certify(&p, z, PERP_SOLVED).value, 1);
}
END_TEST

/* 2^-1073 z >= 1e-7 has a solution, 1e316, which is no double: not even then is the radius
 * infinite, which says that there is none at all. */
START_TEST(a_solution_beyond_all_numbers)
{
    const double M[] = {0x1p-1073}, q[] = {-1e-7}, y[] = {1};
    perp_problem p = perp_make_lcp(1, perp_dense(1, 1, M), q);
    perp_arena a = {0};
    perp_residual r;
    ck_assert_int_eq(perp_check(&p, PERP_INFEASIBLE, y, NULL, &a, &r), PERP_UNCERTIFIED);
    ck_assert_double_eq(r.radius, DBL_MAX);
    const double none[] = {0};
    p.as.lcp.M = perp_dense(1, 1, none);
    ck_assert_int_eq(perp_check(&p, PERP_INFEASIBLE, y, NULL, &a, &r), PERP_SOLVED);
    ck_assert(isinf(r.radius));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_lcp");
    TCase *c = tcase_create("lcp");
    tcase_add_test(c, a_large_solution_does_not_hide_q);
    tcase_add_test(c, a_proof_must_reach_as_far_as_the_unknowns);
    tcase_add_test(c, hand_worked);
    tcase_add_test(c, perturbations_are_seen);
    tcase_add_test(c, no_number_is_never_measured);
    tcase_add_loop_test(c, naive_formula, 0, 20);
    tcase_add_test(c, zero_q_scales_by_one);
    tcase_add_test(c, refusals);
    tcase_add_test(c, rays);
    tcase_add_test(c, a_solution_beyond_all_numbers);
    tcase_add_test(c, infeasible);
    tcase_add_test(c, checks_do_not_depend_on_scale);
    tcase_add_test(c, operator_proofs);
    tcase_add_test(c, nothing_else_is_defined);
    tcase_add_test(c, no_memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
