/* tests/lcp/test_dantzig.c: principal pivoting on symmetric semidefinite problems: values, both
 * rules, refusals, proofs, formats, starts, memory. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 200

/* Rule and refactoring, all four. */
static perp_lcp_dantzig_options variant(int k)
{
    perp_lcp_dantzig_options o = perp_lcp_dantzig_defaults();
    o.rule = k % 2 ? PERP_DRIVE_ORDER : PERP_DRIVE_WORST;
    o.refactor = k / 2;
    return o;
}

static perp_status solve_family(const char *family, int n, uint64_t seed, const perp_options *o,
                                double *z, double *w, perp_result *r)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find(family), n, seed, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_status s = solve_checked(&p, o, z, w, r);
    perp_arena_free(&a);
    return s;
}

START_TEST(hand_worked)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, q1[] = {-2, 3}, one[] = {4}, q2[] = {-2};
    for (int k = 0; k < 4; k++) {
        perp_lcp_dantzig_options o = variant(k);
        perp_result r;
        double z[2], w[2];
        ck_assert(!solve_dense(2, M, q, &o.base, z, w, &r));
        ck_assert(fabs(z[0] - 4. / 3) < 1e-15 && fabs(z[1] - 7. / 3) < 1e-15);
        ck_assert_int_eq(r.iterations, 2);
        ck_assert(!solve_dense(2, M, q1, &o.base, z, w, &r));
        ck_assert(z[0] == 1 && z[1] == 0 && w[0] == 0 && w[1] == 4);
        ck_assert_int_eq(r.iterations, 1);
        ck_assert(!solve_dense(1, one, q2, &o.base, z, w, &r));
        ck_assert(z[0] == 0.5);
        ck_assert(!solve_dense(0, NULL, NULL, &o.base, NULL, NULL, &r));
    }
}
END_TEST

/* M = (2 -1; -1 2), q = (1, -2), in order: w_0 = 1 is settled; then z_1 grows, w_0 = 1 - z_1
 * reaches zero together with w_1 = -2 + 2 z_1, at z_1 = 1. With q_0 = 1/2 it does so before, z_0
 * enters, and the end is z = (1/3, 7/6). Rule worst takes z_1 to 1 first, then z_0. */
START_TEST(a_settled_index_enters)
{
    const double M[] = {2, -1, -1, 2}, q[] = {0.5, -2};
    for (int k = 0; k < 4; k++) {
        perp_lcp_dantzig_options o = variant(k);
        perp_result r;
        double z[2], w[2];
        ck_assert(!solve_dense(2, M, q, &o.base, z, w, &r));
        ck_assert(fabs(z[0] - 1. / 3) < 1e-15 && fabs(z[1] - 7. / 6) < 1e-15);
        ck_assert_int_eq(r.iterations, 2);
    }
}
END_TEST

START_TEST(agrees_with_lemke)
{
    static const char *const names[] = {"pd",         "obstacle",  "psd",
                                        "degenerate", "duplicate", "zero_rows"};
    for (int v = 0; v < 24; v++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            double z[MOST], w[MOST], y[MOST], x[MOST];
            perp_result r;
            int n = 4 + 16 * (int)seed;
            perp_lcp_dantzig_options o = variant(v / 6);
            ck_assert_msg(!solve_family(names[v % 6], n, seed, &o.base, z, w, &r), "%s: %s",
                          names[v % 6], r.detail);
            ck_assert_double_lt(r.residual.value, 1e-10);
            ck_assert(!solve_family(names[v % 6], n, seed, perp_find("lcp/lemke"), y, x, &r));
            /* z need not be unique, w is */
            ck_assert_double_lt(difference(n, w, x), 1e-8);
            if (v % 6 < 2) ck_assert_double_lt(difference(n, z, y), 1e-8);
        }
    }
}
END_TEST

START_TEST(infeasible)
{
    const double zero[] = {0}, q1[] = {-1}, sum[] = {1, -1, -1, 1}, q2[] = {-1, -1};
    for (int k = 0; k < 4; k++) {
        perp_lcp_dantzig_options o = variant(k);
        double z[MOST], w[MOST];
        perp_result r;
        ck_assert_int_eq(solve_dense(1, zero, q1, &o.base, z, w, &r), PERP_INFEASIBLE);
        ck_assert_int_eq(solve_dense(2, sum, q2, &o.base, z, w, &r), PERP_INFEASIBLE);
        ck_assert(w[0] == 1 && w[1] == 1); /* w_0 + w_1 = -2 whatever z */
        for (uint64_t seed = 1; seed <= 5; seed++) {
            perp_status s = solve_family("infeasible_row", 30, seed, &o.base, z, w, &r);
            ck_assert_int_eq(s, PERP_INFEASIBLE);
        }
    }
}
END_TEST

START_TEST(refusals)
{
    const double skew[] = {1, 2, 3, 1}, q[] = {-1, -3}, indefinite[] = {1, 2, 2, 1};
    const double minus[] = {-1}, nearly[] = {2, 1, 1 + 1e-12, 2};
    for (int k = 0; k < 4; k++) {
        perp_lcp_dantzig_options o = variant(k);
        double z[2];
        perp_result r;
        ck_assert_int_eq(solve_dense(2, skew, q, &o.base, z, NULL, &r), PERP_E_NUMBER);
        ck_assert_ptr_nonnull(strstr(r.detail, "not symmetric: M[1][0] and M[0][1]"));
        ck_assert_int_eq(solve_dense(1, minus, q, &o.base, z, NULL, &r), PERP_E_NUMBER);
        ck_assert_ptr_nonnull(strstr(r.detail, "index 0"));
        ck_assert(!solve_dense(2, nearly, q, &o.base, z, NULL, &r));
        perp_status s = solve_dense(2, indefinite, q, &o.base, z, NULL, &r);
        ck_assert(s == PERP_SOLVED || s == PERP_E_NUMBER); /* e_1 solves it, in order it is seen */
        ck_assert(s == PERP_SOLVED || strstr(r.detail, "not positive semidefinite"));
        if (k % 2) ck_assert_int_eq(s, PERP_E_NUMBER);
    }
}
END_TEST

/* The factor of a sparse one grows; the pivots are the same. */
START_TEST(sparse_and_dense)
{
    for (int k = 0; k < 4; k++) {
        perp_arena a = {0};
        generated g;
        perp_result r, t;
        double z[MOST], y[MOST];
        perp_lcp_dantzig_options o = variant(k);
        ck_assert(lcp_generate(lcp_family_find("obstacle"), MOST, 5, &a, &g));
        perp_problem p = lcp_generated_problem(&g), d = p;
        ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_DENSE, &a, &d.as.lcp.M, NULL));
        ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
        ck_assert(!perp_solve(&d, &o.base, &a, y, NULL, &t));
        ck_assert_double_lt(difference(MOST, z, y), 1e-9);
        ck_assert_int_eq(r.iterations, t.iterations);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(warm_start)
{
    for (int k = 0; k < 4; k++) {
        double z[MOST], w[MOST], first[MOST];
        perp_result r;
        perp_lcp_dantzig_options o = variant(k);
        ck_assert(!solve_family("pd", 100, 3, &o.base, z, w, &r));
        memcpy(first, z, sizeof z);
        ck_assert_int_gt(r.iterations, 20);
        o.base.warm_start = true;
        ck_assert(!solve_family("pd", 100, 3, &o.base, z, w, &r));
        ck_assert_int_eq(r.iterations, 0);
        z[7] = 1; /* one too many, or nothing new */
        ck_assert(!solve_family("pd", 100, 3, &o.base, z, w, &r));
        ck_assert_int_lt(r.iterations, 20);
        for (int i = 0; i < 100; i++) z[i] = i % 2 ? 1e6 : -3;
        ck_assert(!solve_family("pd", 100, 3, &o.base, z, w, &r));
        ck_assert_double_lt(difference(100, z, first), 1e-9);
        for (int i = 0; i < 100; i++) z[i] = 1; /* all: more than the rank */
        ck_assert(!solve_family("psd", 100, 3, &o.base, z, w, &r));
        o.base.max_iter = 3;
        o.base.warm_start = false;
        ck_assert_int_eq(solve_family("pd", 100, 3, &o.base, z, w, &r), PERP_MAX_ITER);
        ck_assert_int_eq(r.iterations, 3);
    }
}
END_TEST

START_TEST(memory)
{
    static const struct {
        const char *name;
        int n;
        perp_status end;
    } cases[] = {{"pd", 9, PERP_SOLVED},
                 {"psd", 20, PERP_SOLVED},
                 {"infeasible_row", 12, PERP_INFEASIBLE},
                 {"obstacle", 150, PERP_SOLVED}}; /* grows twice */
    for (int k = 0; k < 16; k++) {
        perp_arena own = {0};
        generated g;
        perp_lcp_dantzig_options o = variant(k / 4);
        ck_assert(lcp_generate(lcp_family_find(cases[k % 4].name), cases[k % 4].n, 2, &own, &g));
        perp_problem p = lcp_generated_problem(&g);
        solve_starved(&p, &o.base, cases[k % 4].end);
        solve_confined(&p, &o.base, cases[k % 4].end);
        o.base.warm_start = true;
        solve_starved(&p, &o.base, cases[k % 4].end);
        solve_confined(&p, &o.base, cases[k % 4].end);
        perp_arena_free(&own);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/dantzig");
    TCase *t = tcase_create("dantzig");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, a_settled_index_enters);
    tcase_add_test(t, agrees_with_lemke);
    tcase_add_test(t, infeasible);
    tcase_add_test(t, refusals);
    tcase_add_test(t, sparse_and_dense);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
