/* tests/lcp/test_auto.c: whatever the structure, something suitable is chosen. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

START_TEST(families)
{
    for (const lcp_family *f = lcp_families; f->name; f++) {
        for (int n = 1; n <= 40; n += 3) {
            perp_arena a = {0};
            generated g;
            double z[48], w[48];
            perp_result r;
            ck_assert(lcp_generate(f, n, (uint64_t)n, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            perp_status s = solve_checked(&p, NULL, z, w, &r);
            perp_status due = f->solvable ? PERP_SOLVED : f->infeasible ? PERP_INFEASIBLE : s;
            ck_assert_msg(s == due, "%s %d: %s", f->name, n, r.detail);
            ck_assert(s >= 0 && (s == PERP_SOLVED || r.detail[0]));
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Solvable, and Lemke's paths end on rays: enumeration has the last word. */
START_TEST(solves_what_enumeration_solves)
{
    generator g = generator_start(4);
    int rays = 0;
    for (int k = 0; k < 400; k++) {
        int n = generator_between(&g, 2, 8);
        double M[64], q[8], x[8], z[8], w[8];
        perp_result r;
        for (int i = 0; i < n * n; i++) M[i] = generator_between(&g, -3, 3);
        for (int i = 0; i < n; i++) x[i] = generator_below(&g, 3);
        for (int i = 0; i < n; i++) {
            q[i] = x[i] > 0 ? 0 : generator_below(&g, 3);
            for (int j = 0; j < n; j++) q[i] -= M[j * n + i] * x[j];
        }
        perp_problem p = perp_make_lcp(n, perp_dense(n, n, M), q);
        perp_arena a = {0};
        rays += perp_solve(&p, perp_find("lcp/lemke"), &a, z, w, &r) == PERP_RAY;
        perp_arena_free(&a);
        ck_assert_msg(solve_checked(&p, NULL, z, w, &r) == PERP_SOLVED, "%d: %s", k, r.detail);
    }
    ck_assert_int_gt(rays, 10);
}
END_TEST

START_TEST(feasible_without_solution)
{
    const double M[] = {0, 0, 1, 0}, q[] = {-1, 1};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    double z[2], w[2];
    perp_result r;
    perp_status s = solve_checked(&p, NULL, z, w, &r);
    ck_assert((s == PERP_RAY || s == PERP_STALLED) && isfinite(z[0]) && isfinite(z[1]));
}
END_TEST

/* ---- which solver: one for each structure ---- */

static void expect(const char *family, int n, const char *solver)
{
    perp_arena a = {0};
    generated g;
    perp_result r;
    ck_assert(lcp_generate(lcp_family_find(family), n, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    double *z = perp_alloc(&a, (size_t)g.n, sizeof *z);
    perp_plain_options o = perp_lcp_auto_defaults();
    o.base.tol = 1e-10;
    ck_assert_msg(!perp_solve(&p, &o.base, &a, z, NULL, &r), "%s: %s", family, r.detail);
    ck_assert_msg(strcmp(r.solver, solver) == 0, "%s by %s", family, r.solver);
    perp_arena_free(&a);
}

START_TEST(chooses_by_structure)
{
    expect("pd", 60, "lcp/pivot");
    expect("nonsymmetric", 60, "lcp/pivot");
    expect("murty", 40, "lcp/pivot"); /* 2^n pivots for Lemke */
    expect("psd", 60, "lcp/dantzig");
    expect("skew", 60, "lcp/lemke");
    expect("obstacle", 60, "lcp/pivot"); /* sparse, but small */
    expect("obstacle2d", 2500, "lcp/mprgp");
}
END_TEST

/* Convection with diffusion on a k x k grid, n = k^2; upwind, an M-matrix, or by central
 * differences, where Gauss-Seidel diverges. */
static perp_problem make_convection(perp_arena *a, int k, bool upwind)
{
    int n = k * k, count = 0;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    int *i = perp_alloc(a, 5 * (size_t)n, sizeof *i);
    double *x = perp_alloc(a, 5 * (size_t)n, sizeof *x), *q = perp_alloc(a, (size_t)n, sizeof *q);
    ck_assert(!a->failed);
    generator g = generator_start(3);
    double with = upwind ? -6 : -4, against = upwind ? -1 : 2, middle = upwind ? 14 : 4.01;
    for (int j = 0; j < n; j++) {
        const int row[] = {j - k, j - 1, j, j + 1, j + k};
        const bool there[] = {j >= k, j % k > 0, true, j % k < k - 1, j + k < n};
        const double value[] = {against, against, middle, with, with};
        for (int t = 0; t < 5; t++) {
            if (!there[t]) continue;
            i[count] = row[t];
            x[count++] = value[t];
        }
        p[j + 1] = count;
        q[j] = generator_uniform(&g) - 0.1;
    }
    return perp_make_lcp(n, perp_csc(n, n, p, i, x), q);
}

START_TEST(sparse_and_not_symmetric)
{
    perp_arena a = {0};
    perp_result r;
    static double z[1600];
    perp_problem p = make_convection(&a, 40, true);
    ck_assert(!perp_solve(&p, NULL, &a, z, NULL, &r));
    ck_assert_str_eq(r.solver, "lcp/psor");
    p = make_convection(&a, 40, false);
    ck_assert(!perp_solve(&p, NULL, &a, z, NULL, &r));
    ck_assert_str_eq(r.solver, "lcp/pivot");
    ck_assert(a.peak < 4u << 20); /* no dense matrix */
    perp_arena_free(&a);
}
END_TEST

/* ---- what follows when one fails ---- */

typedef struct record {
    char names[1000];
    const char *last;
    bool at_mcp; /* whose solvers are its own affair */
} record;

static bool take_down(void *ctx, const perp_progress *progress)
{
    record *r = ctx;
    if (r->last == progress->solver || r->at_mcp) return true;
    r->last = progress->solver;
    r->at_mcp = strncmp(r->last, "mcp/", 4) == 0;
    strcat(strcat(r->names, r->at_mcp ? "mcp" : r->last + strlen("lcp/")), " ");
    return true;
}

/* n / 2 problems of two unknowns, w = (z_2 - 1, s z_1 + 1): feasible, but z_2 >= 1 needs w_2 = 0.
 * All are tried but those that refuse: zero diagonals, and s = 0, which is not symmetric. */
static perp_status solve_in_vain(int n, bool symmetric, bool sparse, record *r, perp_result *result)
{
    perp_arena a = {0};
    double *M = perp_alloc(&a, (size_t)n * (size_t)n, sizeof *M);
    double *q = perp_alloc(&a, (size_t)n, sizeof *q), *z = perp_alloc(&a, (size_t)n, sizeof *z);
    ck_assert(!a.failed);
    for (int k = 0; k < n; k += 2) {
        M[(k + 1) * n + k] = 1;
        M[k * n + k + 1] = symmetric;
        q[k] = -1;
        q[k + 1] = 1;
    }
    perp_problem p = perp_make_lcp(n, perp_dense(n, n, M), q);
    if (sparse) ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_CSC, &a, &p.as.lcp.M, NULL));
    perp_plain_options o = perp_lcp_auto_defaults();
    *r = (record){.last = NULL};
    o.base.monitor = take_down;
    o.base.monitor_ctx = r;
    perp_status s = perp_solve(&p, &o.base, &a, z, NULL, result);
    perp_arena_free(&a);
    return s;
}

START_TEST(one_after_the_other)
{
    record r;
    perp_result result;
    ck_assert_int_eq(solve_in_vain(4, true, false, &r, &result), PERP_RAY);
    ck_assert_str_eq(r.names, "pivot dantzig lemke nsqp pivot enumerate ");
    ck_assert_int_eq(solve_in_vain(20, false, false, &r, &result), PERP_RAY);
    ck_assert_str_eq(r.names, "pivot lemke nsqp pivot nsqp newton_fb newton_min mcp ");
    ck_assert_int_eq(solve_in_vain(120, true, true, &r, &result), PERP_RAY);
    ck_assert_str_eq(r.names,
                     "mprgp pivot lemke nsqp pivot newton_min pivot newton_fb cpg nsqp mcp ");
    ck_assert_int_eq(solve_in_vain(120, false, true, &r, &result), PERP_RAY);
    ck_assert_str_eq(r.names, "pivot lemke nsqp pivot newton_min pivot newton_fb nsqp mcp ");
}
END_TEST

/* A solution planted in 20 random unknowns; the other n - 20 have w = z - 1. */
static perp_problem plant(generator *g, int n, double *M, double *q)
{
    double x[20];
    for (int i = 0; i < n * n; i++) M[i] = i % (n + 1) == 0;
    for (int i = 0; i < n; i++) q[i] = -1;
    for (int i = 0; i < 400; i++) M[i / 20 * n + i % 20] = generator_uniform(g);
    for (int i = 0; i < 20; i++) x[i] = fmax(0, generator_uniform(g));
    for (int i = 0; i < 20; i++) {
        q[i] = x[i] > 0 ? 0 : generator_unit(g);
        for (int j = 0; j < 20; j++) q[i] -= M[j * n + i] * x[j];
    }
    return perp_make_lcp(n, perp_dense(n, n, M), q);
}

/* Does Lemke's method solve it with its second covering vector alone? r is the end of auto. */
static bool is_second(const perp_problem *p, const perp_result *r, double *z)
{
    perp_result alone;
    if (r->status || strcmp(r->solver, "lcp/lemke") != 0) return false;
    return solve_checked(p, perp_find("lcp/lemke"), z, NULL, &alone) == PERP_RAY;
}

/* Each finds solutions that those before it did not; other starts of lcp/nsqp what is left. */
START_TEST(every_fallback_helps)
{
    static const char *const names[] = {"lcp/pivot", "lcp/lemke", "lcp/nsqp"};
    double M[400], q[20], z[20];
    int by[3] = {0}, second = 0;
    generator g = generator_start(4);
    perp_result r;
    for (int k = 0; k < 60; k++) {
        perp_problem p = plant(&g, 20, M, q);
        ck_assert_int_eq(solve_checked(&p, NULL, z, NULL, &r), PERP_SOLVED);
        for (int i = 0; i < 3; i++) by[i] += strcmp(r.solver, names[i]) == 0;
        second += is_second(&p, &r, z);
    }
    ck_assert_int_gt(second, 0);
    for (int i = 0; i < 3; i++) ck_assert_msg(by[i] > 0, "none by %s", names[i]);
}
END_TEST

START_TEST(sparse_fallbacks_help)
{
    static double M[120 * 120], q[120], z[120];
    generator g = generator_start(4);
    int second = 0;
    for (int k = 0; k < 60 && second == 0; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_problem p = plant(&g, 120, M, q);
        ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_CSC, &a, &p.as.lcp.M, NULL));
        solve_checked(&p, NULL, z, NULL, &r);
        second += is_second(&p, &r, z);
        perp_arena_free(&a);
    }
    ck_assert_int_gt(second, 0);
}
END_TEST

/* Pivots leave roundings behind that sweeps take away: within a thousand, from where the pivots
 * ended. */
START_TEST(sweeps_polish)
{
    int polished = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generated g;
        record names = {.last = NULL};
        perp_result r;
        double z[30];
        perp_plain_options o = perp_lcp_auto_defaults();
        ck_assert(lcp_generate(lcp_family_find("degenerate"), 30, seed, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        o.base.tol = 2e-16;
        o.base.monitor = take_down;
        o.base.monitor_ctx = &names;
        perp_status s = solve_checked(&p, &o.base, z, NULL, &r);
        bool by_sweeps = strcmp(names.names, "pivot dantzig lemke psor ") == 0;
        polished += !s && by_sweeps && r.iterations <= 1100;
        perp_arena_free(&a);
    }
    ck_assert_int_gt(polished, 0);
}
END_TEST

/* z of a long string is of the size n^2: its own rounding is more than the tolerance. */
START_TEST(rounding_ends_the_search)
{
    perp_arena a = {0};
    generated g;
    record names = {.last = NULL};
    perp_result r;
    int n = 20000;
    ck_assert(lcp_generate(lcp_family_find("obstacle"), n, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    double *z = perp_alloc(&a, (size_t)n, sizeof *z);
    perp_plain_options o = perp_lcp_auto_defaults();
    o.base.tol = 1e-11;
    o.base.monitor = take_down;
    o.base.monitor_ctx = &names;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_STALLED);
    ck_assert_msg(strstr(r.detail, "rounding of z"), "%s", r.detail);
    ck_assert(r.residual.value < 1e-7);
    ck_assert_str_eq(names.names, "mprgp ");
    o.base.tol = 1e-7;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert(a.peak < 64u << 20);
    perp_arena_free(&a);
}
END_TEST

/* ---- operators ---- */

START_TEST(operators)
{
    const double M[] = {2, 1, 1, 2}, skew[] = {1, -1, 1, 1}, vain[] = {0, 1, 1, 0}, q[] = {-5, -6};
    const double other[] = {-1, 1};
    double z[2];
    perp_result r;
    record names = {.last = NULL};
    perp_plain_options o = perp_lcp_auto_defaults();
    perp_matrix A = perp_dense(2, 2, M);
    perp_problem p = perp_make_lcp(2, as_operator(&A), q);
    ck_assert_int_eq(solve_checked(&p, NULL, z, NULL, &r), PERP_SOLVED);
    ck_assert_str_eq(r.solver, "lcp/mprgp");
    ck_assert(fabs(z[0] - 4. / 3) < 1e-6 && fabs(z[1] - 7. / 3) < 1e-6);
    A = perp_dense(2, 2, skew);
    ck_assert_int_eq(solve_checked(&p, NULL, z, NULL, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "needs a symmetric M"), "%s", r.detail);
    A = perp_dense(2, 2, vain);
    p.as.lcp.q = other;
    o.base.monitor = take_down;
    o.base.monitor_ctx = &names;
    ck_assert_int_gt(solve_checked(&p, &o.base, z, NULL, &r), 0);
    ck_assert_str_eq(names.names, "mprgp cpg ");
}
END_TEST

/* ---- memory that does not grow ---- */

START_TEST(fixed_arena)
{
    static char buffer[1 << 21], small[1 << 16];
    static double z[400];
    perp_arena data = {0}, a;
    generated g;
    perp_result r;
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 400, 1, &data, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert(!perp_solve(&p, NULL, &a, z, NULL, &r));
    ck_assert_str_eq(r.solver, "lcp/mprgp");

    p = make_convection(&data, 15, false);
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert(!perp_solve(&p, NULL, &a, z, NULL, &r));
    ck_assert_str_eq(r.solver, "lcp/pivot");
    perp_arena_fixed(&a, small, sizeof small);
    ck_assert_int_eq(perp_solve(&p, NULL, &a, z, NULL, &r), PERP_E_MEMORY);

    ck_assert(lcp_generate(lcp_family_find("skew"), 120, 1, &data, &g));
    p = lcp_generated_problem(&g);
    for (int k = 0; k < 120 * 120; k++) g.M[k] = k % 5 == k / 120 % 5 ? g.M[k] : 0;
    for (int i = 0; i < 120; i++) {
        g.q[i] = g.z[i] > 0 ? 0 : 1;
        for (int j = 0; j < 120; j++) g.q[i] -= g.M[j * 120 + i] * g.z[j];
    }
    ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_CSC, &data, &p.as.lcp.M, NULL));
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert_msg(!perp_solve(&p, NULL, &a, z, NULL, &r), "%s", r.detail);
    perp_arena_free(&data);
}
END_TEST

/* From the solution of a neighbour: its set is nearly right. */
START_TEST(warm_start)
{
    static const char *const names[] = {"pd", "psd"};
    static const int most[] = {1, 5};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        generated g;
        double z[60];
        perp_result cold, warm;
        perp_plain_options o = perp_lcp_auto_defaults();
        ck_assert(lcp_generate(lcp_family_find(names[k]), 60, 2, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        ck_assert(!solve_checked(&p, &o.base, z, NULL, &cold));
        for (int i = 0; i < 60; i++) g.q[i] *= 1 + 1e-9 * i;
        o.base.warm_start = true;
        o.base.tol = 1e-12;
        ck_assert(!solve_checked(&p, &o.base, z, NULL, &warm));
        ck_assert_msg(warm.iterations <= most[k], "%s: %d", names[k], warm.iterations);
        ck_assert_int_gt(cold.iterations, most[k]);
        perp_arena_free(&a);
    }
}
END_TEST

/* ---- options and ends ---- */

START_TEST(options_pass_down)
{
    perp_arena a = {0};
    generated g;
    double z[30];
    perp_result r;
    perp_plain_options o = perp_lcp_auto_defaults();
    ck_assert(lcp_generate(lcp_family_find("pd"), 30, 2, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    o.base.max_iter = 1;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_int_eq(r.iterations, 1);
    o.base.max_iter = 0;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_int_eq(r.iterations, 0);
    o = perp_lcp_auto_defaults();
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
    o.base.warm_start = true; /* from the solution: nothing to do */
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
    ck_assert_int_le(r.iterations, 1);
    o.base.tol = 1e-300;
    perp_status s = solve_checked(&p, &o.base, z, NULL, &r);
    ck_assert(s > 0 || r.residual.value <= 1e-300);
    ck_assert(r.residual.value < 1e-13);
    perp_arena_free(&a);
}
END_TEST

static bool stop_at_once(void *ctx, const perp_progress *progress)
{
    (void)progress;
    ++*(int *)ctx;
    return false;
}

START_TEST(cancelled)
{
    perp_arena a = {0};
    generated g;
    double z[30];
    perp_result r;
    int calls = 0;
    perp_plain_options o = perp_lcp_auto_defaults();
    ck_assert(lcp_generate(lcp_family_find("pd"), 30, 2, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    o.base.monitor = stop_at_once;
    o.base.monitor_ctx = &calls;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_CANCELLED);
    ck_assert_int_eq(calls, 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    solve_starved(&p, NULL, PERP_SOLVED);
    solve_confined(&p, NULL, PERP_SOLVED);
}
END_TEST

/* Positive definite, if barely, with the solution 2^k (1, 1): nobody may call it infeasible. */
START_TEST(a_far_solution_is_not_infeasible)
{
    for (int k = 20; k < 46; k++) {
        double d = 1 + ldexp(1, -k), M[] = {d, -1, -1, d}, q[] = {-1, -1}, z[2];
        perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
        for (int i = 0; perp_solvers()[i]; i++) {
            perp_arena a = {0};
            perp_result r;
            perp_status s = perp_solve(&p, perp_solvers()[i], &a, z, NULL, &r);
            ck_assert_int_ne(s, PERP_INFEASIBLE);
            ck_assert_int_ne(s, PERP_RAY);
            perp_arena_free(&a);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/auto");
    TCase *t = tcase_create("auto");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_far_solution_is_not_infeasible);
    tcase_add_test(t, families);
    tcase_add_test(t, solves_what_enumeration_solves);
    tcase_add_test(t, feasible_without_solution);
    tcase_add_test(t, chooses_by_structure);
    tcase_add_test(t, sparse_and_not_symmetric);
    tcase_add_test(t, one_after_the_other);
    tcase_add_test(t, every_fallback_helps);
    tcase_add_test(t, sparse_fallbacks_help);
    tcase_add_test(t, sweeps_polish);
    tcase_add_test(t, rounding_ends_the_search);
    tcase_add_test(t, operators);
    tcase_add_test(t, fixed_arena);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, options_pass_down);
    tcase_add_test(t, cancelled);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
