/* tests/support/newton_support.h: what the tests of lcp/newton_min and lcp/newton_fb share. Each
 * names its solver's defaults in NEWTON before it includes this. */
#ifndef PERP_NEWTON_SUPPORT_H
#define PERP_NEWTON_SUPPORT_H

#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};

START_TEST(hand_worked)
{
    perp_lcp_newton_options o = NEWTON;
    perp_result r;
    double z[2], w[2];
    o.base.tol = 1e-14;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-13);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-13);
    ck_assert(fabs(w[0]) < 1e-12 && fabs(w[1]) < 1e-12);

    const double M1[] = {2}, up[] = {3}, down[] = {-3};
    ck_assert(!solve_dense(1, M1, up, &o.base, z, w, &r) && z[0] == 0 && w[0] == 3);
    ck_assert_int_eq(r.iterations, 0);
    ck_assert(!solve_dense(1, M1, down, &o.base, z, w, &r));
    ck_assert_double_eq_tol(z[0], 1.5, 1e-14);
    ck_assert_int_eq(solve_dense(0, NULL, NULL, &o.base, NULL, NULL, &r), PERP_SOLVED);
}
END_TEST

static void solve_family(const char *name, int n, uint64_t seed, perp_status expected)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find(name), n, seed, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_newton_options o = NEWTON;
    perp_result r;
    double *z = perp_alloc(&a, (size_t)g.n, sizeof *z), *w = perp_alloc(&a, (size_t)g.n, sizeof *w);
    o.base.tol = 1e-10;
    perp_status s = solve_checked(&p, &o.base, z, w, &r);
    ck_assert_msg(s == expected, "%s, n = %d, seed %d: %s, %g, %s", name, g.n, (int)seed,
                  perp_status_name(s), r.residual.value, r.detail);
    ck_assert_msg(r.iterations <= 150, "%s: %d iterations", name, r.iterations);
    perp_arena_free(&a);
}

/* Positive semidefinite, or P: every stationary point of the merit is a solution. */
START_TEST(families)
{
    static const char *const names[] = {"pd",        "psd",      "nonsymmetric", "skew",
                                        "murty",     "dominant", "degenerate",   "duplicate",
                                        "zero_rows", "obstacle"};
    static const int sizes[] = {1, 2, 3, 7, 30, 66};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            for (uint64_t seed = 1; seed <= 5; seed++) {
                solve_family(names[k], sizes[s], seed, PERP_SOLVED);
            }
        }
    }
}
END_TEST

/* The iterates run off, and the gradient that vanishes is the proof. */
START_TEST(infeasible)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        solve_family("infeasible_row", 5 + 3 * (int)seed, seed, PERP_INFEASIBLE);
        solve_family("infeasible_skew", 6 + 2 * (int)seed, seed, PERP_INFEASIBLE);
    }
}
END_TEST

/* Ben Gharbia & Gilbert 2012: for odd n and a > 1 the undamped method on the minimum map visits the
 * same few points for ever from many of these starts, though M is a P-matrix: its determinant is
 * 1 + a^n, and the other principal minors are 1. */
START_TEST(cycles_do_not_catch)
{
    static const double entries[] = {0.5, 1, 1.1, 1.4, 1.9, 3, 10};
    for (size_t e = 0; e < sizeof entries / sizeof *entries; e++) {
        for (int n = 3; n <= 7; n += 2) {
            double M[49] = {0}, q[7], z[7];
            for (int i = 0; i < n; i++) {
                M[i * n + i] = 1;
                M[(i + n - 1) % n * n + i] = entries[e];
                q[i] = -1;
            }
            for (int start = 0; start < 1 << n; start++) {
                perp_lcp_newton_options o = NEWTON;
                perp_result r;
                for (int i = 0; i < n; i++) z[i] = start >> i & 1 ? 1 : 0;
                o.base.warm_start = true;
                o.base.tol = 1e-12;
                perp_status s = solve_dense(n, M, q, &o.base, z, NULL, &r);
                ck_assert_msg(!s, "a = %g, n = %d, start %d: %s", entries[e], n, start, r.detail);
                for (int i = 0; i < n; i++) {
                    ck_assert_double_eq_tol(z[i], 1 / (1 + entries[e]), 1e-10);
                }
                ck_assert_int_le(r.iterations, 100);
            }
        }
    }
}
END_TEST

/* Not P0: it may end where no way leads down, and says so soon. */
START_TEST(honest_where_nothing_is_promised)
{
    static const char *const names[] = {"random", "integer", "copositive"};
    int solved = 0;
    for (int k = 0; k < 90; k++) {
        perp_arena a = {0};
        generated g;
        ck_assert(lcp_generate(lcp_family_find(names[k % 3]), 1 + k / 6, (uint64_t)k + 1, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        perp_result r;
        double z[16], w[16];
        perp_status s = solve_checked(&p, &NEWTON.base, z, w, &r);
        ck_assert_msg(s == PERP_SOLVED || s == PERP_STALLED || s == PERP_INFEASIBLE ||
                          s == PERP_MAX_ITER,
                      "%s: %s", names[k % 3], r.detail);
        ck_assert(r.iterations <= 1000 && (s == PERP_SOLVED) == (r.residual.value <= 1e-8));
        for (int i = 0; i < g.n; i++) ck_assert(isfinite(z[i]));
        solved += s == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(solved, 25);
}
END_TEST

/* z = 0 solves; M is zero, or as large or small as numbers go. */
START_TEST(extremes)
{
    const double zero[4] = {0}, q[] = {0, 0}, up[] = {1, 0}, down[] = {1, -1};
    double z[2], w[2];
    perp_result r;
    ck_assert(!solve_dense(2, zero, q, &NEWTON.base, z, w, &r));
    ck_assert(!solve_dense(2, zero, up, &NEWTON.base, z, w, &r));
    ck_assert_int_eq(solve_dense(2, zero, down, &NEWTON.base, z, w, &r), PERP_INFEASIBLE);
    static const double scales[] = {1e-300, 1e-150, 1e-12, 1e12, 1e150, 1e300};
    for (int k = 0; k < 36; k++) {
        double M[4], b[2], m = scales[k / 6], s = scales[k % 6];
        if (s / m > 1e300 || s / m < 1e-300) continue;
        for (int i = 0; i < 4; i++) M[i] = m / 4 * M2[i];
        for (int i = 0; i < 2; i++) b[i] = s / 8 * q2[i];
        ck_assert_msg(!solve_dense(2, M, b, &NEWTON.base, z, w, &r), "%g, %g: %s", m, s, r.detail);
    }
    for (uint64_t seed = 1; seed <= 20; seed++) solve_family("badly_scaled", 20, seed, PERP_SOLVED);
}
END_TEST

START_TEST(warm_start)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("nonsymmetric"), 40, 7, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_newton_options o = NEWTON;
    perp_result r;
    double z[40], best[40];
    o.base.tol = 1e-12;
    ck_assert(!perp_solve(&p, &o.base, &a, best, NULL, &r));
    ck_assert_int_gt(r.iterations, 1);
    o.base.warm_start = true;
    memcpy(z, best, sizeof z);
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert_int_eq(r.iterations, 0);
    for (int i = 0; i < 40; i++) z[i] = best[i] * (1 + 1e-7);
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert_int_le(r.iterations, 2);
    for (int i = 0; i < 40; i++) z[i] = i % 2 ? -1e300 : 1e300; /* squares overflow */
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert(difference(40, z, best) < 1e-9);
    for (int i = 0; i < 40; i++) z[i] = i % 2 ? -5 : 7;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert(difference(40, z, best) < 1e-9);
    perp_arena_free(&a);
}
END_TEST

/* CSC, unsorted, in pieces, a diagonal entry missing: the same solution. */
START_TEST(sparse_equals_dense)
{
    static const char *const names[] = {"pd",       "nonsymmetric", "dominant",
                                        "obstacle", "zero_rows",    "badly_scaled"};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        perp_arena a = {0};
        generated g;
        perp_result r;
        double y[24], z[24];
        ck_assert(lcp_generate(lcp_family_find(names[f]), 24, 9, &a, &g));
        perp_problem p = lcp_generated_problem(&g), other = p;
        perp_format to = g.M ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE;
        ck_assert(!perp_convert(&p.as.lcp.M, to, &a, &other.as.lcp.M, NULL));
        perp_lcp_newton_options o = NEWTON;
        o.base.tol = 1e-11;
        ck_assert(!perp_solve(&p, &o.base, &a, y, NULL, &r));
        ck_assert_msg(!perp_solve(&other, &o.base, &a, z, NULL, &r), "%s: %s", names[f], r.detail);
        double size = 0;
        for (int i = 0; i < 24; i++) size = fmax(size, fabs(y[i]));
        ck_assert_msg(difference(24, y, z) <= 1e-8 * fmax(size, 1), "%s", names[f]);
        perp_arena_free(&a);
    }
    const int cp[] = {0, 3, 4}, ci[] = {1, 0, 1, 0}; /* (2, -1; 1.5 + 0.5, 0) */
    const double cx[] = {1.5, 2, 0.5, -1}, q[] = {1, -4};
    perp_problem p = perp_make_lcp(2, perp_csc(2, 2, cp, ci, cx), q);
    perp_result r;
    double z[2], w[2];
    ck_assert_int_eq(solve_checked(&p, &NEWTON.base, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 2, 1e-7); /* w = (2 z0 - z1 + 1, 2 z0 - 4) */
    ck_assert_double_eq_tol(z[1], 5, 1e-7);
}
END_TEST

START_TEST(options_matter_and_are_checked)
{
    perp_lcp_newton_options o = NEWTON;
    perp_result r;
    double z[2];
    o.memory = 0;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(r.detail, "memory"));
    o = NEWTON;
    o.halvings = -1;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_E_OPTION);
    o = NEWTON;
    o.regularisation = NAN;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_E_OPTION);
    o = NEWTON;
    o.memory = 1;
    o.halvings = 0;
    o.regularisation = 0;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_SOLVED);
    o.base.max_iter = 0;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_MAX_ITER);
    for (int memory = 1; memory <= 30; memory += 7) { /* every memory solves PSD problems */
        perp_arena a = {0};
        generated g;
        double y[30];
        ck_assert(lcp_generate(lcp_family_find("psd"), 30, 3, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        o = NEWTON;
        o.memory = memory;
        ck_assert_msg(!perp_solve(&p, &o.base, &a, y, NULL, &r), "memory %d", memory);
        perp_arena_free(&a);
    }
}
END_TEST

static void starve(const perp_problem *p)
{
    perp_result r;
    double z[40];
    bool solved = false;
    for (int k = 0; !solved && k < 100; k++) {
        supply left = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &left};
        perp_status s = perp_solve(p, &NEWTON.base, &a, z, NULL, &r);
        ck_assert_msg(s == PERP_SOLVED || s == PERP_E_MEMORY, "%s", r.detail);
        ck_assert((s == PERP_SOLVED) == (r.detail[0] == 0));
        for (int i = 0; i < p->as.lcp.n; i++) ck_assert(isfinite(z[i]));
        solved = s == PERP_SOLVED;
        if (solved) {
            unsigned before = a.allocations;
            ck_assert(!perp_solve(p, &NEWTON.base, &a, z, NULL, &r));
            ck_assert_uint_eq(a.allocations, before);
            ck_assert_uint_eq(a.used, 0);
        }
        perp_arena_free(&a);
        ck_assert_int_eq(left.out, 0);
    }
    ck_assert(solved);
}

START_TEST(memory_ends)
{
    static const char *const names[] = {"pd", "nonsymmetric", "psd", "badly_scaled", "obstacle"};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        perp_arena a = {0};
        generated g;
        ck_assert(lcp_generate(lcp_family_find(names[f]), 20, 2, &a, &g));
        perp_problem p = lcp_generated_problem(&g), sparse = p;
        starve(&p);
        ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_CSC, &a, &sparse.as.lcp.M, NULL));
        starve(&sparse);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(fixed_arenas)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    static char buffer[1 << 16];
    perp_result r;
    double z[2];
    bool solved = false;
    for (size_t size = 0; size <= sizeof buffer; size += 64) {
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        perp_status s = perp_solve(&p, &NEWTON.base, &a, z, NULL, &r);
        ck_assert(s == PERP_E_MEMORY || s == PERP_SOLVED);
        ck_assert(s == PERP_SOLVED || !solved);
        solved = s == PERP_SOLVED;
    }
    ck_assert(solved);
    const int cp[] = {0, 2, 4}, ci[] = {0, 1, 0, 1};
    perp_problem sparse = perp_make_lcp(2, perp_csc(2, 2, cp, ci, M2), q2);
    solved = false;
    for (size_t size = 0; size <= sizeof buffer; size += 64) {
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        perp_status s = perp_solve(&sparse, &NEWTON.base, &a, z, NULL, &r);
        ck_assert(s == PERP_E_MEMORY || s == PERP_SOLVED);
        ck_assert(s == PERP_SOLVED || !solved);
        solved = s == PERP_SOLVED;
    }
    ck_assert(solved);
}
END_TEST

static void add_newton_tests(TCase *t)
{
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, families);
    tcase_add_test(t, infeasible);
    tcase_add_test(t, cycles_do_not_catch);
    tcase_add_test(t, honest_where_nothing_is_promised);
    tcase_add_test(t, extremes);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, sparse_equals_dense);
    tcase_add_test(t, options_matter_and_are_checked);
    tcase_add_test(t, memory_ends);
    tcase_add_test(t, fixed_arenas);
    tcase_set_timeout(t, 60);
}

#endif
