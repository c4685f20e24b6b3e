/* tests/lcp/test_lemke.c: Lemke's method through perp_solve: families, ends with proofs, limits,
 * warm starts. */
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define MOST 64

static perp_status solve(int n, const double *M, const double *q, double *z, double *w,
                         perp_result *r)
{
    return solve_dense(n, M, q, perp_find("lcp/lemke"), z, w, r);
}

static bool accepts(int n, const double *M, const double *q, perp_status claim, const double *w)
{
    perp_problem p = perp_make_lcp(n, perp_dense(n, n, M), q);
    return check_claim(&p, claim, w, NULL) == PERP_SOLVED;
}

/* One member of a family to a residual of `tol`; the slack is M z + q. Returns the pivots. */
static int solve_family(const char *name, int n, uint64_t seed, double tol, perp_cover cover)
{
    perp_arena a = {0};
    generated g;
    perp_result r;
    ck_assert(lcp_generate(lcp_family_find(name), n, seed, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
    o.base.tol = tol;
    o.cover = cover;
    double *z = perp_alloc(&a, (size_t)g.n, sizeof *z), *w = perp_alloc(&a, (size_t)g.n, sizeof *w);
    double *slack = perp_alloc(&a, (size_t)g.n, sizeof *slack);
    perp_status s = perp_solve(&p, &o.base, &a, z, w, &r);
    ck_assert_msg(s == PERP_SOLVED, "%s, n = %d, seed %d: %s, residual %g: %s", name, n, (int)seed,
                  perp_status_name(s), r.residual.value, r.detail);
    ck_assert(r.residual.value <= tol && r.detail[0] == 0);
    ck_assert_int_le(r.certificates, 2); /* the start, and the polished solution was it */
    perp_mul(&p.as.lcp.M, 1, z, 0, slack);
    for (int i = 0; i < g.n; i++) {
        ck_assert(z[i] >= 0);
        slack[i] += g.q[i];
        ck_assert(fabs(w[i] - slack[i]) <= 1e-13 * (1 + fabs(g.q[i])) * (1 + fabs(slack[i])) * n);
    }
    perp_arena_free(&a);
    return r.iterations;
}

/* ---- values ---- */

START_TEST(textbook)
{
    static const struct {
        int n;
        double M[16], q[4], z[4];
    } cases[] = {
        {1, {2}, {-4}, {2}},
        {1, {0}, {0}, {0}},
        {2, {-1, 2, 3, -4}, {0, 7}, {0, 0}}, /* nothing to do */
        {2, {2, 1, 1, 2}, {-5, -6}, {4. / 3, 7. / 3}},
        {2, {0, 1, -1, 0}, {1, -2}, {2, 1}},
        {3, {1, 2, 2, 0, 1, 2, 0, 0, 1}, {-8, -12, -14}, {8, 0, 0}},
        {3, {1, 0, 2, 2, 1, 0, 0, 2, 1}, {-1, -1, -1}, {1. / 3, 1. / 3, 1. / 3}},
        {4,
         {2, 0, 1, -1, 0, 2, -2, -2, -1, 2, 0, 0, 1, 2, 0, 0},
         {-2, -5, 2, 6},
         {1.4, 1.7, 0.8, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double z[4], w[4];
        perp_result r;
        ck_assert(!solve(cases[k].n, cases[k].M, cases[k].q, z, w, &r));
        for (int i = 0; i < cases[k].n; i++) {
            ck_assert_double_eq_tol(z[i], cases[k].z[i], 4 * DBL_EPSILON * (1 + cases[k].z[i]));
        }
        ck_assert(r.residual.value < 1e-15);
        ck_assert_str_eq(r.solver, "lcp/lemke");
        ck_assert(!solve(cases[k].n, cases[k].M, cases[k].q, z, NULL, &r)); /* w is optional */
    }
}
END_TEST

START_TEST(empty)
{
    perp_arena a = {0};
    perp_result r;
    perp_problem p = perp_make_lcp(0, perp_dense(0, 0, NULL), NULL);
    ck_assert_int_eq(perp_solve(&p, perp_find("lcp/lemke"), &a, NULL, NULL, &r), PERP_SOLVED);
    ck_assert(r.iterations == 0 && r.residual.value == 0);
    perp_arena_free(&a);
}
END_TEST

/* ---- families ---- */

START_TEST(accurate)
{
    static const char *const names[] = {"pd", "psd", "nonsymmetric", "dominant", "copositive"};
    static const int sizes[] = {1, 2, 3, 10, 40, 100, 200};
    for (int f = 0; f < 5; f++) {
        for (int k = 0; k < 7; k++) {
            for (uint64_t seed = 1; seed <= (sizes[k] < 100 ? 10 : 2); seed++) {
                solve_family(names[f], sizes[k], seed, 1e-13, PERP_COVER_ONES);
            }
        }
    }
    solve_family("nonsymmetric", 520, 1, 1e-13, PERP_COVER_ONES);
    for (uint64_t seed = 1; seed <= 6; seed++) { /* 1e-11 without the final solve */
        solve_family("obstacle", 150, seed, 1e-12, PERP_COVER_ONES);
    }
}
END_TEST

START_TEST(difficult)
{
    static const char *const names[] = {"skew",      "degenerate",   "duplicate",
                                        "zero_rows", "badly_scaled", "obstacle"};
    for (int f = 0; f < 6; f++) {
        for (int n = 2; n <= 100; n += n < 12 ? 1 : 22) {
            for (uint64_t seed = 1; seed <= 6; seed++) {
                solve_family(names[f], n, seed, 1e-12, PERP_COVER_ONES);
            }
        }
    }
}
END_TEST

START_TEST(cover_rows)
{
    static const char *const names[] = {"pd", "psd", "nonsymmetric", "degenerate", "zero_rows"};
    for (int f = 0; f < 5; f++) {
        for (int n = 1; n <= 60; n += n < 8 ? 1 : 13) {
            for (uint64_t seed = 1; seed <= 5; seed++) {
                solve_family(names[f], n, seed, 1e-12, PERP_COVER_ROWS);
            }
        }
    }
}
END_TEST

/* Murty's triangular matrices take every basis: 2^n - 1 pivots. */
START_TEST(exponential)
{
    for (int n = 1; n <= 12; n++) {
        ck_assert_int_eq(solve_family("murty", n, 1, 1e-15, PERP_COVER_ONES), (1 << n) - 1);
    }
}
END_TEST

/* The units of M do not matter: the same problem in others is the same path. */
START_TEST(units)
{
    static const double factors[] = {0x1p-900, 0x1p-43, 0x1p20, 0x1p43, 0x1p900};
    static const char *const names[] = {"pd", "degenerate", "skew"};
    for (int f = 0; f < 3; f++) {
        for (int k = 0; k < 5; k++) {
            perp_arena a = {0};
            generated g;
            perp_result r;
            double z[MOST], y[MOST];
            ck_assert(lcp_generate(lcp_family_find(names[f]), 30, 3, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            ck_assert(!perp_solve(&p, perp_find("lcp/lemke"), &a, z, NULL, &r));
            for (int i = 0; i < 900; i++) g.M[i] *= factors[k];
            perp_status s = perp_solve(&p, perp_find("lcp/lemke"), &a, y, NULL, &r);
            ck_assert_msg(!s, "%s * %g: %s", names[f], factors[k], r.detail);
            ck_assert(r.residual.value < 1e-12);
            for (int i = 0; f == 0 && i < 30; i++) {
                ck_assert_double_eq_tol(y[i] * factors[k], z[i], 1e-10);
            }
            for (int i = 0; i < 30; i++) g.q[i] *= 0x1p-40; /* and those of q */
            ck_assert(!perp_solve(&p, perp_find("lcp/lemke"), &a, y, NULL, &r));
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* A matrix of rank 1, one of zeros, one whose bases but one are singular. */
START_TEST(rank_deficient)
{
    double M[MOST * MOST], q[MOST], z[MOST];
    perp_result r;
    for (int n = 1; n <= MOST; n += 9) {
        for (int k = 0; k < n * n; k++) M[k] = (1 + k % n) * (1 + k / n);
        for (int i = 0; i < n; i++) q[i] = -3 * (1 + i);
        ck_assert_msg(!solve(n, M, q, z, NULL, &r), "n = %d: %s", n, r.detail);
        ck_assert(r.residual.value <= 1e-13);
        memset(M, 0, sizeof M);
        for (int i = 0; i < n; i++) q[i] = i % 2;
        ck_assert(!solve(n, M, q, z, NULL, &r));
    }
    const double J[] = {0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, -1, 0, 0}, b[] = {1, 0, -2, 0};
    ck_assert(!solve(4, J, b, z, NULL, &r));
    ck_assert(r.residual.value == 0 && z[0] == 2);
}
END_TEST

START_TEST(ill_conditioned)
{
    double M[144], q[12], z[12];
    perp_result r;
    for (int n = 2; n <= 12; n++) { /* Hilbert: every other z is 1 */
        for (int k = 0; k < n * n; k++) M[k] = 1. / (1 + k % n + k / n);
        for (int i = 0; i < n; i++) {
            q[i] = 0;
            for (int j = 1; j < n; j += 2) q[i] -= M[j * n + i];
        }
        ck_assert_msg(!solve(n, M, q, z, NULL, &r), "n = %d: %s", n, r.detail);
        ck_assert(r.residual.value <= 1e-11);
    }
}
END_TEST

/* PSD, singular and degenerate, then every entry wrong in its twelfth digit or tenth: what was a
 * tie is none, what was singular is regular, and the solution is still one to 1e-8. */
START_TEST(noisy_data)
{
    double M[MOST * MOST], q[MOST], z[MOST];
    perp_result r;
    for (int k = 0; k < 60; k++) {
        generator g = generator_start((uint64_t)k);
        int n = 8 + 7 * (k % 8), row[MOST];
        memset(M, 0, sizeof M);
        memset(q, 0, sizeof q);
        for (int rank = 0; rank <= n / 4; rank++) {
            for (int i = 0; i < n; i++) {
                row[i] = generator_unit(&g) < 6. / n ? generator_between(&g, -2, 2) : 0;
            }
            for (int i = 0; i < n * n; i++) M[i] += row[i % n] * row[i / n];
        }
        double noise = k % 2 ? 1e-12 : 1e-10;
        for (int i = 0; i < n * n; i++) M[i] *= 1 + noise * generator_uniform(&g);
        for (int j = 0; j < n; j++) {
            int kind = generator_below(&g, 3), zj = kind == 1 ? generator_between(&g, 1, 3) : 0;
            if (kind == 2) q[j] += generator_below(&g, 3);
            for (int i = 0; i < n; i++) q[i] -= M[j * n + i] * zj;
        }
        perp_status s = solve(n, M, q, z, NULL, &r);
        ck_assert_msg(!s, "%d, n = %d: %s", k, n, perp_status_name(s));
    }
}
END_TEST

/* ---- ends with a proof ---- */

/* D M D and D q: other units for each pair, and still positive semidefinite. */
static void change_units(generated *g)
{
    for (int k = 0; k < g->n; k++) {
        double unit = ldexp(1, 7 * (k % 5) - 14);
        for (int i = 0; i < g->n; i++) {
            g->M[k * g->n + i] *= unit;
            g->M[i * g->n + k] *= unit;
        }
        g->q[k] *= unit;
    }
}

START_TEST(infeasible)
{
    static const char *const names[] = {"infeasible_row", "infeasible_skew"};
    for (int f = 0; f < 2; f++) {
        for (int n = 2; n <= MOST; n += n < 8 ? 1 : 14) {
            for (int k = 0; k < 6; k++) {
                perp_arena a = {0};
                generated g;
                perp_result r;
                double z[MOST], w[MOST];
                ck_assert(lcp_generate(lcp_family_find(names[f]), n, (uint64_t)k + 1, &a, &g));
                perp_problem p = lcp_generated_problem(&g);
                perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
                o.cover = k % 2 ? PERP_COVER_ROWS : PERP_COVER_ONES;
                if (k > 3) change_units(&g);
                perp_status s = perp_solve(&p, &o.base, &a, z, w, &r);
                /* in other units what has no solution may be within the tolerance of one */
                bool ray = k > 3 && s == PERP_RAY;
                ck_assert_msg(s == PERP_INFEASIBLE || ray, "%s, n = %d, %d: %s", names[f], n, k,
                              perp_status_name(s));
                ck_assert(r.detail[0] && accepts(g.n, g.M, g.q, s, w));
                perp_arena_free(&a);
            }
        }
    }
    const double M = -2, q = -1; /* -2 z - 1 >= 0 */
    double z, w;
    perp_result r;
    ck_assert_int_eq(solve(1, &M, &q, &z, &w, &r), PERP_INFEASIBLE);
    ck_assert(w > 0 && z == 0 && accepts(1, &M, &q, PERP_INFEASIBLE, &w));
    ck_assert_int_eq(solve(1, &M, &q, &z, NULL, &r), PERP_INFEASIBLE);
}
END_TEST

/* w = (z_2 - 1, 2): feasible, but z_2 > 0 asks for w_2 = 0, so there is no solution. */
START_TEST(ray)
{
    const double M[] = {0, 0, 1, 0}, q[] = {-1, 2};
    double z[2], w[2];
    perp_result r;
    ck_assert_int_eq(solve(2, M, q, z, w, &r), PERP_RAY);
    ck_assert(accepts(2, M, q, PERP_RAY, w) && !accepts(2, M, q, PERP_INFEASIBLE, w));
    ck_assert_ptr_nonnull(strstr(r.detail, "ray"));
}
END_TEST

/* Any matrix: whatever the end, it is proven. */
START_TEST(every_end_is_proven)
{
    static const char *const names[] = {"random", "integer"};
    int count[16] = {0};
    for (int f = 0; f < 2; f++) {
        for (int n = 1; n <= MOST; n += n < 10 ? 1 : 9) {
            for (uint64_t seed = 1; seed <= 12; seed++) {
                perp_arena a = {0};
                generated g;
                perp_result r;
                double z[MOST], w[MOST];
                ck_assert(lcp_generate(lcp_family_find(names[f]), n, seed, &a, &g));
                if (seed % 2) change_units(&g);
                perp_problem p = lcp_generated_problem(&g);
                perp_status s = perp_solve(&p, perp_find("lcp/lemke"), &a, z, w, &r);
                ck_assert_msg(s == PERP_SOLVED || s == PERP_RAY || s == PERP_INFEASIBLE,
                              "%s, n = %d, seed %d: %s", names[f], n, (int)seed, r.detail);
                if (s) ck_assert(accepts(n, g.M, g.q, s, w));
                count[s]++;
                perp_arena_free(&a);
            }
        }
    }
    ck_assert(count[PERP_SOLVED] > 20 && count[PERP_RAY] > 20 && count[PERP_INFEASIBLE] > 5);
}
END_TEST

/* ---- limits, starts ---- */

START_TEST(limits)
{
    perp_arena a = {0};
    generated g;
    perp_result r;
    double z[40], w[40];
    ck_assert(lcp_generate(lcp_family_find("pd"), 40, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    for (int k = 0; k <= 3; k += 3) {
        perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
        o.base.max_iter = k;
        ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, w, &r), PERP_MAX_ITER);
        ck_assert(r.iterations == k && r.detail[0]);
        ck_assert(isfinite(r.residual.value) && r.residual.value > o.base.tol);
        for (int i = 0; i < 40; i++) ck_assert(isfinite(z[i]) && isfinite(w[i]));
        perp_residual again;
        ck_assert(!perp_certify(&p, z, &a, &again));
        ck_assert(again.value == r.residual.value);
    }
    perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
    ck_assert(!perp_solve(&p, &o.base, &a, z, w, &r));
    o.base.max_iter = r.iterations; /* exactly enough */
    ck_assert(!perp_solve(&p, &o.base, &a, z, w, &r));
    perp_arena_free(&a);
}
END_TEST

/* From its own solution, scaled or not. */
START_TEST(warm_from_the_solution)
{
    static const char *const names[] = {"pd", "psd", "nonsymmetric", "badly_scaled", "degenerate"};
    for (int f = 0; f < 5; f++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            perp_arena a = {0};
            generated g;
            perp_result r;
            double z[50];
            ck_assert(lcp_generate(lcp_family_find(names[f]), 50, seed, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
            ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
            o.base.warm_start = true;
            ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
            ck_assert_msg(r.iterations <= 2, "%s: %d", names[f], r.iterations);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(warm_from_garbage)
{
    static const char *const names[] = {"pd",        "psd",        "nonsymmetric", "skew",
                                        "duplicate", "degenerate", "badly_scaled", "zero_rows"};
    generator random = generator_start(77);
    for (int f = 0; f < 8; f++) {
        for (int k = 0; k < 8; k++) {
            perp_arena a = {0};
            generated g;
            perp_result r;
            double z[40];
            ck_assert(lcp_generate(lcp_family_find(names[f]), 40, (uint64_t)k + 1, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
            o.base.warm_start = true;
            for (int i = 0; i < 40; i++) {
                z[i] = generator_uniform(&random) * pow(10, 20 * generator_uniform(&random));
                if (k == 0) z[i] = 1e300; /* every variable */
                if (k == 1) z[i] = -1;    /* none */
            }
            perp_status s = perp_solve(&p, &o.base, &a, z, NULL, &r);
            ck_assert_msg(!s, "%s %d: %s: %s", names[f], k, perp_status_name(s), r.detail);
            perp_arena_free(&a);
        }
    }
    /* an infeasible problem stays so from anywhere */
    const double M[] = {1, 0, 0, 0}, q[] = {1, -1};
    double z[] = {3, 4}, w[2];
    perp_result r;
    perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
    o.base.warm_start = true;
    ck_assert_int_eq(solve_dense(2, M, q, &o.base, z, w, &r), PERP_INFEASIBLE);
    ck_assert(accepts(2, M, q, PERP_INFEASIBLE, w));
}
END_TEST

START_TEST(options_by_name)
{
    perp_arena a = {0};
    perp_options *o = perp_options_new(&a, "lcp/lemke");
    ck_assert_ptr_nonnull(o);
    ck_assert(!perp_options_set(o, "cover", "rows", NULL));
    ck_assert_int_eq(((perp_lcp_lemke_options *)o)->cover, PERP_COVER_ROWS);
    ck_assert_int_eq(perp_options_set(o, "cover", "columns", NULL), PERP_E_OPTION);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/lemke");
    TCase *t = tcase_create("lemke");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, textbook);
    tcase_add_test(t, empty);
    tcase_add_test(t, accurate);
    tcase_add_test(t, difficult);
    tcase_add_test(t, cover_rows);
    tcase_add_test(t, exponential);
    tcase_add_test(t, units);
    tcase_add_test(t, rank_deficient);
    tcase_add_test(t, ill_conditioned);
    tcase_add_test(t, noisy_data);
    tcase_add_test(t, infeasible);
    tcase_add_test(t, ray);
    tcase_add_test(t, every_end_is_proven);
    tcase_add_test(t, limits);
    tcase_add_test(t, warm_from_the_solution);
    tcase_add_test(t, warm_from_garbage);
    tcase_add_test(t, options_by_name);
    suite_add_tcase(s, t);
    return support_run(s);
}
