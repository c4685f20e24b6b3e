/* tests/lcp/test_psor.c: projected SOR: values, formats, options, refusals, divergence. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};

START_TEST(hand_worked)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2], w[2];
    o.base.tol = 1e-14;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-13);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-13);
    ck_assert(fabs(w[0]) < 1e-12 && fabs(w[1]) < 1e-12);

    /* One sweep by hand: z_0 = 5/2, then w_1 = -6 + 5/2, z_1 = 7/4; the worst w is 7/4. */
    o.base.max_iter = 1;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, w, &r), PERP_MAX_ITER);
    ck_assert(z[0] == 2.5 && z[1] == 1.75 && w[0] == 1.75 && w[1] == 0);
    ck_assert_double_eq_tol(r.residual.value, 1.75 / sqrt(61), 1e-15);

    o.omega = 0.5;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    ck_assert(z[0] == 1.25 && z[1] == 0.25 * (6 - 1.25));
    perp_arena_free(&a);
}
END_TEST

START_TEST(symmetric_goes_back)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2];
    o.symmetric = true;
    o.base.max_iter = 2;
    perp_solve(&p, &o.base, &a, z, NULL, &r);
    /* the backward sweep leaves z_1 (w_1 = 0) and mends z_0 */
    ck_assert(z[1] == 1.75 && z[0] == 2.5 - 1.75 / 2);
    perp_arena_free(&a);
}
END_TEST

/* Families with a P-matrix on which the method is known to converge. */
START_TEST(families_and_options)
{
    static const char *const names[] = {"pd", "dominant", "obstacle"};
    static const double omegas[] = {0.7, 1, 1.4};
    for (int k = 0; k < 3; k++) {
        for (int v = 0; v < 6; v++) {
            perp_arena a = {0};
            generated g;
            ck_assert(lcp_generate(lcp_family_find(names[k]), 30, 5, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            perp_lcp_psor_options o = perp_lcp_psor_defaults();
            perp_result r;
            double z[30];
            o.omega = k == 1 ? fmin(omegas[v / 2], 1) : omegas[v / 2];
            o.symmetric = v % 2;
            o.base.max_iter = 100000;
            ck_assert_msg(!perp_solve(&p, &o.base, &a, z, NULL, &r), "%s: %s, %g", names[k],
                          r.detail, r.residual.value);
            ck_assert(r.residual.value <= o.base.tol);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* CSC, unsorted with a diagonal in two pieces, is the same matrix. */
START_TEST(formats_agree)
{
    const int cp[] = {0, 3, 5}, ci[] = {1, 0, 0, 0, 1};
    const double cx[] = {1, 1.5, 0.5, 1, 2};
    perp_problem d = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_problem c = perp_make_lcp(2, perp_csc(2, 2, cp, ci, cx), q2);
    perp_arena a = {0};
    perp_result r, s;
    double z[2], y[2];
    ck_assert(!perp_solve(&d, perp_find("lcp/psor"), &a, z, NULL, &r));
    ck_assert(!perp_solve(&c, perp_find("lcp/psor"), &a, y, NULL, &s));
    ck_assert(z[0] == y[0] && z[1] == y[1] && r.iterations == s.iterations);

    /* and with a leading dimension */
    const double L[] = {2, 1, NAN, 1, 2, NAN};
    perp_matrix view = perp_dense(2, 2, L);
    view.as.dense.ld = 3;
    perp_problem l = perp_make_lcp(2, view, q2);
    ck_assert(!perp_solve(&l, perp_find("lcp/psor"), &a, y, NULL, &s));
    ck_assert(z[0] == y[0] && z[1] == y[1]);
    perp_arena_free(&a);
}
END_TEST

START_TEST(refuses_a_diagonal)
{
    const double zero[] = {1, 0, 0, 0}, negative[] = {1, 0, 0, -3}, tiny[] = {1, 0, 0, 4e-324};
    perp_result r;
    double z[2] = {NAN, 1};
    ck_assert_int_eq(solve_dense(2, zero, q2, perp_find("lcp/psor"), z, NULL, &r), PERP_E_NUMBER);
    ck_assert_str_eq(r.detail, "M[1][1] = 0 is not positive: PSOR divides by it");
    ck_assert(isfinite(z[0]) && isfinite(z[1]));
    ck_assert_int_eq(solve_dense(2, negative, q2, perp_find("lcp/psor"), z, NULL, &r),
                     PERP_E_NUMBER);
    ck_assert_str_eq(r.detail, "M[1][1] = -3 is not positive: PSOR divides by it");
    ck_assert_int_eq(solve_dense(2, tiny, q2, perp_find("lcp/psor"), z, NULL, &r), PERP_E_NUMBER);

    const int cp[] = {0, 1, 2}, ci[] = {0, 0}; /* no diagonal entry in the second column */
    const double cx[] = {1, 1};
    perp_problem p = perp_make_lcp(2, perp_csc(2, 2, cp, ci, cx), q2);
    perp_arena a = {0};
    ck_assert_int_eq(perp_solve(&p, perp_find("lcp/psor"), &a, z, NULL, &r), PERP_E_NUMBER);
    perp_arena_free(&a);
}
END_TEST

START_TEST(refuses_options)
{
    static const double bad[] = {0, -1, 2, 2.5, NAN, INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        perp_lcp_psor_options o = perp_lcp_psor_defaults();
        perp_result r;
        double z[2];
        o.omega = bad[k];
        ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_E_OPTION);
        ck_assert_ptr_nonnull(strstr(r.detail, "omega"));
    }
}
END_TEST

/* Each sweep about quadruples z until it overflows: the honest end is a finite best iterate. */
START_TEST(divergence_ends)
{
    const double M[] = {1, -2, -2, 1}, q[] = {-1, -1};
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    perp_result r;
    double z[2];
    o.base.max_iter = 1000000;
    perp_status s = solve_dense(2, M, q, &o.base, z, NULL, &r);
    ck_assert_int_eq(s, PERP_STALLED);
    ck_assert(isfinite(z[0]) && isfinite(z[1]) && isfinite(r.residual.value));
    ck_assert(r.residual.value <= 1); /* that of z = 0 */
    ck_assert(r.iterations < 2000 && r.detail[0]);
}
END_TEST

START_TEST(warm_start)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2] = {4. / 3, 7. / 3};
    o.base.warm_start = true;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert_int_eq(r.iterations, 0);
    z[0] = -100;
    z[1] = 1e6; /* outside and far away */
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-7);
    o.base.max_iter = 0;
    z[0] = 1;
    z[1] = 1;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    ck_assert(z[0] == 1 && z[1] == 1);
    perp_arena_free(&a);
}
END_TEST

/* A start 1e12 away costs w twelve digits; fresh products win them back. */
START_TEST(drift_does_not_stay)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("dominant"), 20, 3, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    perp_result r;
    double z[20];
    for (int i = 0; i < 20; i++) z[i] = 1e12;
    o.base.warm_start = true;
    o.base.tol = 1e-14;
    ck_assert_msg(!perp_solve(&p, &o.base, &a, z, NULL, &r), "%s %g", r.detail, r.residual.value);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    solve_starved(&p, perp_find("lcp/psor"), PERP_SOLVED);
    solve_confined(&p, perp_find("lcp/psor"), PERP_SOLVED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/psor");
    TCase *t = tcase_create("psor");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, symmetric_goes_back);
    tcase_add_test(t, families_and_options);
    tcase_add_test(t, formats_agree);
    tcase_add_test(t, refuses_a_diagonal);
    tcase_add_test(t, refuses_options);
    tcase_add_test(t, divergence_ends);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, drift_does_not_stay);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
