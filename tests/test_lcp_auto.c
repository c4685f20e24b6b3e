/* tests/test_lcp_auto.c: whatever the structure, something suitable is chosen. */
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
            if (f->solvable) {
                ck_assert_msg(s == PERP_SOLVED, "%s %d: %s", f->name, n, r.detail);
            }
            if (f->infeasible) {
                ck_assert_msg(s == PERP_INFEASIBLE, "%s %d: %s", f->name, n, r.detail);
            }
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
        rays += perp_solve(&p, &perp_lcp_lemke.base, &a, z, w, &r) == PERP_RAY;
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
    ck_assert(s == PERP_RAY || s == PERP_STALLED);
    ck_assert(isfinite(z[0]) && isfinite(z[1]));
}
END_TEST

/* 2^n pivots for Lemke: cut short, PSOR has it in one sweep. */
START_TEST(exponential_for_lemke)
{
    perp_arena a = {0};
    generated g;
    double z[200], w[200];
    perp_result r;
    ck_assert(lcp_generate(lcp_family_find("murty"), 40, 0, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    ck_assert_int_eq(solve_checked(&p, NULL, z, w, &r), PERP_SOLVED);
    ck_assert_str_eq(r.solver, "lcp/psor");
    ck_assert_int_lt(r.iterations, 10000);
    perp_arena_free(&a);
}
END_TEST

START_TEST(large_and_sparse)
{
    perp_arena a = {0};
    generated g;
    perp_result r;
    int n = 20000;
    ck_assert(lcp_generate(lcp_family_find("obstacle"), n, 1, &a, &g));
    for (int j = 0; j < n; j++) { /* well away from singular, or sweeps take n^2 steps */
        for (int k = g.p[j]; k < g.p[j + 1]; k++) g.x[k] += g.i[k] == j ? 0.1 : 0;
    }
    perp_problem p = lcp_generated_problem(&g);
    double *z = perp_alloc(&a, (size_t)n, sizeof *z);
    ck_assert_int_eq(perp_solve(&p, NULL, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_str_eq(r.solver, "lcp/psor");
    ck_assert(a.peak < 64u << 20); /* no dense matrix */

    g.x[0] = 0; /* nothing is left to try, and it says so */
    perp_status s = perp_solve(&p, NULL, &a, z, NULL, &r);
    ck_assert_int_eq(s, PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(r.detail, "M[0][0] = 0"));
    perp_arena_free(&a);
}
END_TEST

START_TEST(options_pass_down)
{
    perp_arena a = {0};
    generated g;
    double z[30];
    perp_result r;
    perp_plain_options o = perp_lcp_auto;
    ck_assert(lcp_generate(lcp_family_find("pd"), 30, 2, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    o.base.max_iter = 3;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_int_le(r.iterations, 3);
    o.base.max_iter = 0;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_int_eq(r.iterations, 0);
    o = perp_lcp_auto;
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
    perp_plain_options o = perp_lcp_auto;
    ck_assert(lcp_generate(lcp_family_find("pd"), 30, 2, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    o.base.monitor = stop_at_once, o.base.monitor_ctx = &calls;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_CANCELLED);
    ck_assert_int_eq(calls, 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    static char buffer[1 << 16];
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    double z[2];
    perp_result r;
    for (int k = 0; k < 20; k++) {
        supply left = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &left};
        perp_status s = perp_solve(&p, NULL, &a, z, NULL, &r);
        ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
        ck_assert(isfinite(z[0]) && isfinite(z[1]));
        unsigned before = a.allocations;
        if (!s) ck_assert(!perp_solve(&p, NULL, &a, z, NULL, &r) && a.allocations == before);
        perp_arena_free(&a);
        ck_assert_int_eq(left.out, 0);
    }
    perp_status last = PERP_E_MEMORY;
    for (size_t size = 0; size <= sizeof buffer; size += 64) {
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        last = perp_solve(&p, NULL, &a, z, NULL, &r);
        ck_assert(last == PERP_SOLVED || last == PERP_E_MEMORY);
    }
    ck_assert_int_eq(last, PERP_SOLVED);
}
END_TEST

/* Positive definite, if barely, with the solution 2^k (1, 1): nobody may call it infeasible. */
START_TEST(a_far_solution_is_not_infeasible)
{
    for (int k = 20; k < 46; k++) {
        double d = 1 + ldexp(1, -k), M[] = {d, -1, -1, d}, q[] = {-1, -1}, z[2];
        perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
        for (int i = 0; perp_solvers[i]; i++) {
            perp_arena a = {0};
            perp_result r;
            perp_status s = perp_solve(&p, perp_solvers[i], &a, z, NULL, &r);
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
    tcase_add_test(t, exponential_for_lemke);
    tcase_add_test(t, large_and_sparse);
    tcase_add_test(t, options_pass_down);
    tcase_add_test(t, cancelled);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
