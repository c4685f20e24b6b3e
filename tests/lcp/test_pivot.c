/* tests/lcp/test_pivot.c: block principal pivoting: values, the safeguard, singular and badly
 * scaled matrices, formats, starts, memory. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 200

static perp_status solve_family(const char *family, int n, uint64_t seed, const perp_options *o,
                                double *z, perp_result *r)
{
    perp_arena a = {0};
    generated g;
    double w[MOST];
    ck_assert(lcp_generate(lcp_family_find(family), n, seed, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_status s = solve_checked(&p, o, z, w, r);
    perp_arena_free(&a);
    return s;
}

START_TEST(hand_worked)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, q1[] = {-2, 3}, one[] = {4}, q2[] = {-2};
    perp_result r;
    double z[2], w[2];
    ck_assert(!solve_dense(2, M, q, perp_find("lcp/pivot"), z, w, &r));
    ck_assert(fabs(z[0] - 4. / 3) < 1e-15 && fabs(z[1] - 7. / 3) < 1e-15);
    ck_assert(!solve_dense(2, M, q1, perp_find("lcp/pivot"), z, w, &r));
    ck_assert(z[0] == 1 && z[1] == 0 && w[0] == 0 && w[1] == 4);
    ck_assert(!solve_dense(1, one, q2, perp_find("lcp/pivot"), z, w, &r));
    ck_assert(z[0] == 0.5);
    ck_assert(!solve_dense(0, NULL, NULL, perp_find("lcp/pivot"), NULL, NULL, &r));
}
END_TEST

/* From {0, 1, 2} block exchanges alone run in a circle: (Kostreva's example) M is a P-matrix with
 * q = (-1, -1, -1). With no trials the method is Murty's, and ends. */
START_TEST(safeguard)
{
    const double M[] = {1, 0, 2, 2, 1, 0, 0, 2, 1}, q[] = {-1, -1, -1};
    for (int trials = 0; trials <= 20; trials += 5) {
        perp_lcp_pivot_options o = perp_lcp_pivot_defaults();
        perp_result r;
        double z[3], w[3];
        o.trials = trials;
        o.sweeps = 0;
        ck_assert(!solve_dense(3, M, q, &o.base, z, w, &r));
        for (int i = 0; i < 3; i++) ck_assert(fabs(z[i] - 1. / 3) < 1e-15);
    }
    for (int n = 1; n <= 12; n++) { /* 2^n pivots for Lemke */
        perp_lcp_pivot_options o = perp_lcp_pivot_defaults();
        perp_result r;
        double z[MOST];
        o.trials = n % 2 * 10;
        o.sweeps = 0;
        ck_assert(!solve_family("murty", n, 1, &o.base, z, &r));
        ck_assert(z[0] == 1);
    }
}
END_TEST

START_TEST(agrees_with_lemke)
{
    static const char *const names[] = {"pd", "nonsymmetric", "dominant", "obstacle",
                                        "badly_scaled"};
    for (int k = 0; k < 5; k++) {
        for (uint64_t seed = 1; seed <= 10; seed++) {
            double z[MOST], y[MOST];
            perp_result r, s;
            int n = 5 + 11 * (int)seed;
            ck_assert_msg(!solve_family(names[k], n, seed, perp_find("lcp/pivot"), z, &r), "%s: %s",
                          names[k], r.detail);
            ck_assert(!solve_family(names[k], n, seed, perp_find("lcp/lemke"), y, &s));
            double size = 0;
            for (int i = 0; i < n; i++) size = fmax(size, fabs(y[i]));
            ck_assert_double_lt(difference(n, z, y), 1e-8 * size);
            ck_assert_double_lt(r.residual.value, 1e-12);
        }
    }
}
END_TEST

/* Singular blocks: proximal problems find what there is, or prove that there is nothing. */
START_TEST(semidefinite)
{
    static const char *const names[] = {"psd",       "degenerate",     "duplicate",
                                        "zero_rows", "infeasible_row", "infeasible_skew"};
    for (int k = 0; k < 6; k++) {
        for (uint64_t seed = 1; seed <= 10; seed++) {
            double z[MOST];
            perp_result r;
            perp_lcp_pivot_options o = perp_lcp_pivot_defaults();
            o.base.tol = seed % 2 ? 1e-8 : 1e-12;
            perp_status s = solve_family(names[k], 6 + 12 * (int)seed, seed, &o.base, z, &r);
            ck_assert_msg(s == (k < 4 ? PERP_SOLVED : PERP_INFEASIBLE), "%s, seed %d: %s, %g",
                          names[k], (int)seed, r.detail, r.residual.value);
        }
    }
}
END_TEST

/* Not a P-matrix and not monotone: an honest end. */
START_TEST(hopeless)
{
    const double zero[] = {0}, minus[] = {-1}, q[] = {-1};
    double z[MOST], w[1];
    perp_result r;
    ck_assert_int_eq(solve_dense(1, zero, q, perp_find("lcp/pivot"), z, w, &r), PERP_INFEASIBLE);
    perp_status s = solve_dense(1, minus, q, perp_find("lcp/pivot"), z, w, &r);
    ck_assert(s == PERP_INFEASIBLE || s == PERP_STALLED);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        s = solve_family("random", 30, seed, perp_find("lcp/pivot"), z, &r);
        ck_assert(s == PERP_SOLVED || s == PERP_STALLED || s == PERP_INFEASIBLE);
        ck_assert(s == PERP_SOLVED || r.detail[0]);
    }
}
END_TEST

/* Large and sparse by sparse factors, and the same made dense. */
START_TEST(sparse_and_dense)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_arena a = {0};
        generated g;
        perp_result r;
        double z[MOST], y[MOST];
        ck_assert(lcp_generate(lcp_family_find("obstacle"), MOST, seed, &a, &g));
        perp_problem p = lcp_generated_problem(&g), d = p;
        ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_DENSE, &a, &d.as.lcp.M, NULL));
        ck_assert(!perp_solve(&p, perp_find("lcp/pivot"), &a, z, NULL, &r));
        ck_assert(!perp_solve(&d, perp_find("lcp/pivot"), &a, y, NULL, &r));
        ck_assert_double_lt(difference(MOST, z, y), 1e-9);

        for (int k = g.p[50]; k < g.p[51]; k++) g.x[k] *= 1.25; /* LU for the sparse one too */
        ck_assert(!perp_solve(&p, perp_find("lcp/pivot"), &a, z, NULL, &r));
        ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_DENSE, &a, &d.as.lcp.M, NULL));
        ck_assert(!perp_solve(&d, perp_find("lcp/pivot"), &a, y, NULL, &r));
        ck_assert_double_lt(difference(MOST, z, y), 1e-9);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(warm_start)
{
    double z[MOST], first[MOST];
    perp_result r;
    perp_lcp_pivot_options o = perp_lcp_pivot_defaults();
    ck_assert(!solve_family("pd", 100, 3, &o.base, z, &r));
    memcpy(first, z, sizeof z);
    o.base.warm_start = true;
    ck_assert(!solve_family("pd", 100, 3, &o.base, z, &r));
    ck_assert_int_le(r.iterations, 1);
    for (int i = 0; i < 100; i++) z[i] = i % 2 ? 1e6 : -3;
    ck_assert(!solve_family("pd", 100, 3, &o.base, z, &r));
    ck_assert_double_lt(difference(100, z, first), 1e-9);
    o.base.max_iter = 0;
    o.base.warm_start = false;
    o.sweeps = 0;
    ck_assert_int_eq(solve_family("pd", 100, 3, &o.base, z, &r), PERP_MAX_ITER);
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
                 {"badly_scaled", 12, PERP_SOLVED},
                 {"infeasible_skew", 8, PERP_INFEASIBLE},
                 {"obstacle", 15, PERP_SOLVED},
                 {"obstacle", 120, PERP_SOLVED}}; /* sparse factors */
    for (int k = 0; k < 6; k++) {
        perp_arena own = {0};
        generated g;
        ck_assert(lcp_generate(lcp_family_find(cases[k].name), cases[k].n, 2, &own, &g));
        perp_problem p = lcp_generated_problem(&g);
        solve_starved(&p, perp_find("lcp/pivot"), cases[k].end);
        solve_confined(&p, perp_find("lcp/pivot"), cases[k].end); /* a sparse one is made dense */
        perp_arena_free(&own);
    }
}
END_TEST

/* Without proximal problems a singular M ends the solve at once, and not as a solution. */
START_TEST(no_proximal_problems)
{
    double z[40];
    perp_result r;
    perp_lcp_pivot_options o = perp_lcp_pivot_defaults();
    o.proximal = 0;
    ck_assert_int_eq(solve_family("psd", 40, 1, &o.base, z, &r), PERP_STALLED);
    ck_assert_msg(strstr(r.detail, "singular"), "%s", r.detail);
    ck_assert_int_le(r.iterations, 3);
    ck_assert(!solve_family("pd", 40, 1, &o.base, z, &r));
    ck_assert(!solve_family("nonsymmetric", 40, 1, &o.base, z, &r));
    ck_assert(!solve_family("badly_scaled", 40, 1, &o.base, z, &r)); /* scaled, and tried again */
    o.proximal = 1;
    ck_assert_int_eq(solve_family("skew", 40, 1, &o.base, z, &r), PERP_STALLED);
}
END_TEST

/* Large entries throughout are no reason to scale: the exchanges are those of the same matrix of
 * the size of 1, and the matrix is not copied. */
START_TEST(uniform_size_is_not_bad_scaling)
{
    perp_arena a = {0}, b = {0}, c = {0};
    generated g;
    double z[60];
    perp_result small, large;
    ck_assert(lcp_generate(lcp_family_find("psd"), 60, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    ck_assert(!perp_solve(&p, perp_find("lcp/pivot"), &b, z, NULL, &small));
    for (int k = 0; k < 3600; k++) g.M[k] *= 1024;
    for (int k = 0; k < 60; k++) g.q[k] *= 1024;
    ck_assert(!perp_solve(&p, perp_find("lcp/pivot"), &c, z, NULL, &large));
    ck_assert_int_eq(small.iterations, large.iterations);
    ck_assert_uint_eq(b.peak, c.peak);
    perp_arena_free(&a);
    perp_arena_free(&b);
    perp_arena_free(&c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/pivot");
    TCase *t = tcase_create("pivot");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, safeguard);
    tcase_add_test(t, agrees_with_lemke);
    tcase_add_test(t, semidefinite);
    tcase_add_test(t, hopeless);
    tcase_add_test(t, sparse_and_dense);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, no_proximal_problems);
    tcase_add_test(t, uniform_size_is_not_bad_scaling);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
