/* tests/lcp/test_cpg.c: conjugate projected gradient: values, families, formats, honest ends. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};

/* From 0, p = (5, 6): slope 61, p'M p = 182. The second, conjugate step is exact. */
START_TEST(hand_worked)
{
    perp_plain_options o = perp_lcp_cpg_defaults();
    perp_result r;
    double z[2], w[2];
    o.base.tol = 1e-14;
    o.base.max_iter = 1;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, w, &r), PERP_MAX_ITER);
    ck_assert_double_eq_tol(z[0], 5 * 61. / 182, 1e-15);
    ck_assert_double_eq_tol(z[1], 6 * 61. / 182, 1e-15);
    o.base.max_iter = 2;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-14);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-14);
}
END_TEST

/* n conjugate steps where no bound is met. */
START_TEST(conjugate)
{
    double M[100], q[10], z[10];
    generator g = generator_start(4);
    perp_plain_options o = perp_lcp_cpg_defaults();
    perp_result r;
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) M[10 * i + j] = i == j ? i + 1 : 0;
        q[i] = -1 - generator_unit(&g);
    }
    o.base.tol = 1e-12;
    ck_assert_msg(!solve_dense(10, M, q, &o.base, z, NULL, &r), "%s", r.detail);
    ck_assert_int_le(r.iterations, 12);
    for (int i = 0; i < 10; i++) ck_assert_double_eq_tol(z[i], -q[i] / (i + 1), 1e-10);
}
END_TEST

START_TEST(families)
{
    static const char *const names[] = {"pd",        "psd",       "degenerate", "duplicate",
                                        "zero_rows", "obstacle",  "obstacle2d", "pd",
                                        "psd",       "degenerate"};
    for (int k = 0; k < 10; k++) {
        for (int format = 0; format < 4; format++) {
            perp_arena a = {0};
            generated g;
            ck_assert(lcp_generate(lcp_family_find(names[k]), k < 7 ? 36 : 90, 7, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            perp_matrix dense;
            ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_DENSE, &a, &dense, NULL));
            p.as.lcp.M = in_format(format, &dense, &a);
            perp_plain_options o = perp_lcp_cpg_defaults();
            perp_result r;
            double z[90], w[90], y[90], v[90];
            o.base.tol = 1e-10;
            ck_assert_msg(!solve_checked(&p, &o.base, z, w, &r), "%s, format %d: %s, %g", names[k],
                          format, r.detail, r.residual.value);
            p.as.lcp.M = dense;
            ck_assert(!solve_checked(&p, perp_find("lcp/lemke"), y, v, &r));
            /* M z is unique for semidefinite M */
            ck_assert_double_le(difference(g.n, w, v), 1e-6 * plain_norm(g.n, g.q));
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(small_sizes)
{
    const double m = 4, q = -2, positive = 3;
    perp_result r;
    double z = 0;
    ck_assert(!solve_dense(1, &m, &q, perp_find("lcp/cpg"), &z, NULL, &r));
    ck_assert(z == 0.5);
    ck_assert(!solve_dense(1, &m, &positive, perp_find("lcp/cpg"), &z, NULL, &r));
    ck_assert(z == 0 && r.iterations == 0);
    ck_assert(!solve_dense(0, NULL, NULL, perp_find("lcp/cpg"), &z, NULL, &r));
}
END_TEST

START_TEST(refuses_nonsymmetric)
{
    const double M[] = {2, 1, 1.001, 2};
    double z[2];
    perp_result r;
    ck_assert_int_eq(solve_dense(2, M, q2, perp_find("lcp/cpg"), z, NULL, &r), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(r.detail, "symmetric"));
}
END_TEST

/* p'M p = 0 at once. Where p >= 0 that proves that nothing is feasible; where M is indefinite it
 * proves nothing, and the end says what was seen. */
START_TEST(vanishing_curvature)
{
    const double zero[] = {0, 0, 0, 0}, down[] = {1, -1}, flat[] = {1, 0, 0, -1}, q[] = {-1, -1};
    const double bowl[] = {-1, 4, 4, -1};
    double z[2], w[2];
    perp_result r;
    ck_assert_int_eq(solve_dense(2, zero, down, perp_find("lcp/cpg"), z, w, &r), PERP_INFEASIBLE);
    ck_assert(w[0] == 0 && w[1] > 0);
    ck_assert_int_eq(solve_dense(2, flat, q, perp_find("lcp/cpg"), z, w, &r), PERP_STALLED);
    ck_assert_msg(strlen(r.detail) > 20, "%s", r.detail);
    perp_status s = solve_dense(2, bowl, q, perp_find("lcp/cpg"), z, w, &r);
    ck_assert(s == PERP_SOLVED || s == PERP_STALLED);
}
END_TEST

START_TEST(indefinite_ends)
{
    generator g = generator_start(9);
    for (int k = 0; k < 300; k++) {
        int n = 1 + k % 7;
        double M[49], q[7], z[7], w[7];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) M[n * i + j] = M[n * j + i] = generator_uniform(&g);
            q[i] = generator_uniform(&g);
        }
        perp_result r;
        perp_status s = solve_dense(n, M, q, perp_find("lcp/cpg"), z, w, &r);
        ck_assert_msg(s >= 0, "%s", r.detail);
        ck_assert(s == PERP_SOLVED || r.detail[0]);
        for (int i = 0; i < n; i++) ck_assert(isfinite(z[i]));
    }
}
END_TEST

START_TEST(warm_start)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_plain_options o = perp_lcp_cpg_defaults();
    perp_result r;
    double z[2] = {4. / 3, 7. / 3};
    o.base.warm_start = true;
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
    ck_assert_int_eq(r.iterations, 0);
    z[0] = -100;
    z[1] = 1e6;
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-7);
}
END_TEST

START_TEST(memory)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    solve_starved(&p, perp_find("lcp/cpg"), PERP_SOLVED);
    solve_confined(&p, perp_find("lcp/cpg"), PERP_SOLVED);
}
END_TEST

/* A few dozen steps show where z runs off to. */
START_TEST(infeasible_soon)
{
    for (int n = 6; n <= 96; n += 30) {
        perp_arena a = {0};
        generated g;
        double z[96], w[96];
        perp_result r;
        ck_assert(lcp_generate(lcp_family_find("infeasible_row"), n, 2, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        ck_assert_int_eq(solve_checked(&p, perp_find("lcp/cpg"), z, w, &r), PERP_INFEASIBLE);
        ck_assert_int_le(r.iterations, 64);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/cpg");
    TCase *t = tcase_create("cpg");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, conjugate);
    tcase_add_test(t, families);
    tcase_add_test(t, small_sizes);
    tcase_add_test(t, refuses_nonsymmetric);
    tcase_add_test(t, vanishing_curvature);
    tcase_add_test(t, indefinite_ends);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, infeasible_soon);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
