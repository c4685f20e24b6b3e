/* tests/lcp/test_enumerate.c: the oracle itself, on problems worked by hand and on families whose
 * answer is known. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static perp_status solve(int n, const double *M, const double *q, double *z, double *w,
                         perp_result *r)
{
    return solve_dense(n, M, q, perp_find("lcp/enumerate"), z, w, r);
}

START_TEST(hand_worked)
{
    double z[3], w[3];
    perp_result r;
    const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};
    ck_assert_int_eq(solve(2, M2, q2, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-15);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-15);
    ck_assert_int_eq(r.iterations, 4); /* the last of four bases */

    const double q3[] = {1, 0};
    ck_assert_int_eq(solve(2, M2, q3, z, w, &r), PERP_SOLVED);
    ck_assert(r.iterations == 0 && z[0] == 0 && z[1] == 0);

    /* not a P-matrix, two solutions with z > 0 in one place: one is found */
    const double M4[] = {1, 2, 2, 1}, q4[] = {-1, -1};
    ck_assert_int_eq(solve(2, M4, q4, z, w, &r), PERP_SOLVED);
    ck_assert(z[0] == 1 && z[1] == 0);
}
END_TEST

/* M_aa is singular on every basis that has the solution. */
START_TEST(singular_bases)
{
    double z[3], w[3];
    perp_result r;
    const double A[] = {0, 1, 0, 0}, qa[] = {0, -1}; /* z_0 >= 1, w = (0, z_0 - 1) */
    ck_assert_int_eq(solve(2, A, qa, z, w, &r), PERP_SOLVED);
    ck_assert(z[0] >= 1 - 1e-12);

    const double B[] = {1, 1, 1, 1}, qb[] = {-1, -1}; /* z_0 + z_1 = 1 */
    ck_assert_int_eq(solve(2, B, qb, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0] + z[1], 1, 1e-15);

    /* w = (-z_2, 0, z_0 - 1): z_0 >= 1, z_2 = 0, z_1 whatever */
    const double C[] = {0, 0, 1, 0, 0, 0, -1, 0, 0}, qc[] = {0, 0, -1};
    ck_assert_int_eq(solve(3, C, qc, z, w, &r), PERP_SOLVED);
}
END_TEST

START_TEST(no_solution)
{
    double z[2], w[2];
    perp_result r;
    /* feasible, z_1 >= 1, but then w_1 = 1 must be 0 */
    const double M[] = {0, 0, 1, 0}, q[] = {-1, 1};
    ck_assert_int_eq(solve(2, M, q, z, w, &r), PERP_STALLED);
    ck_assert_str_eq(r.detail, "none of the 4 complementary bases meets the tolerance");
    ck_assert(isfinite(z[0]) && isfinite(z[1]));

    const double N[] = {-1}, p[] = {-1};
    ck_assert_int_eq(solve(1, N, p, z, w, &r), PERP_INFEASIBLE);
    ck_assert(w[0] > 0);
}
END_TEST

START_TEST(refuses_large)
{
    static double M[21 * 21], q[21], z[21];
    perp_result r;
    for (int i = 0; i < 21; i++) {
        M[22 * i] = 1;
        q[i] = -1;
    }
    ck_assert_int_eq(solve(21, M, q, z, NULL, &r), PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(r.detail, "n = 21"));
}
END_TEST

START_TEST(families)
{
    for (const lcp_family *f = lcp_families; f->name; f++) {
        for (uint64_t seed = 0; seed < 60; seed++) {
            perp_arena a = {0};
            generated g;
            double z[16], w[16];
            perp_result r;
            ck_assert(lcp_generate(f, 1 + (int)(seed % 9), seed, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            perp_status s = solve_checked(&p, perp_find("lcp/enumerate"), z, w, &r);
            if (f->solvable && f->scaled) {
                ck_assert_msg(s == PERP_SOLVED, "%s %d: %s %s", f->name, (int)seed,
                              perp_status_name(s), r.detail);
            }
            if (f->infeasible && strcmp(f->name, "infeasible_psd") != 0) { /* proved by many rows */
                ck_assert_msg(s == PERP_INFEASIBLE, "%s %d: %s", f->name, (int)seed, r.detail);
            }
            ck_assert(s == PERP_SOLVED || s == PERP_STALLED || s == PERP_INFEASIBLE);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Planted: solvable whatever the matrix, by a basis that may be singular. Integers. */
START_TEST(planted_solutions)
{
    generator g = generator_start(99);
    for (int k = 0; k < 3000; k++) {
        int n = generator_between(&g, 1, 7), range = generator_between(&g, 1, 3);
        double M[49], q[7], z[7], start[7];
        perp_result r;
        for (int i = 0; i < n * n; i++) M[i] = generator_between(&g, -range, range);
        for (int i = 0; i < n; i++) start[i] = fmax(0, generator_between(&g, -2, 2));
        for (int i = 0; i < n; i++) {
            q[i] = start[i] > 0 ? 0 : generator_below(&g, 3);
            for (int j = 0; j < n; j++) q[i] -= M[j * n + i] * start[j];
        }
        ck_assert_msg(solve(n, M, q, z, NULL, &r) == PERP_SOLVED, "problem %d: %s", k, r.detail);
    }
}
END_TEST

/* The solution of D M E, D q is E^-1 z: exactly, for powers of two. */
START_TEST(badly_scaled)
{
    int solved = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        perp_arena a = {0};
        generated g;
        generator s = generator_start(seed);
        double y[6], z[6], column[6];
        perp_result r;
        ck_assert(lcp_generate(lcp_family_find("nonsymmetric"), 6, seed, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        ck_assert(!perp_solve(&p, perp_find("lcp/enumerate"), &a, y, NULL, &r));
        double row = exp2(floor(80 * generator_uniform(&s)));
        for (int j = 0; j < 6; j++) {
            column[j] = exp2(floor(80 * generator_uniform(&s)));
            for (int i = 0; i < 6; i++) g.M[6 * j + i] *= row * column[j];
            g.q[j] *= row;
        }
        perp_status status = perp_solve(&p, perp_find("lcp/enumerate"), &a, z, NULL, &r);
        for (int j = 0; status == PERP_SOLVED && j < 6; j++) {
            ck_assert(isfinite(z[j]));
            solved += fabs(z[j] * column[j] - y[j]) <= 1e-9;
        }
        perp_arena_free(&a);
    }
    ck_assert_int_gt(solved, 300);
}
END_TEST

START_TEST(limits)
{
    static double M[20 * 20], q[20], z[20];
    perp_arena a = {0};
    perp_result r;
    perp_plain_options o = perp_lcp_enumerate_defaults();
    for (int i = 0; i < 20; i++) {
        M[21 * i] = 1;
        q[i] = -1;
    }
    perp_problem p = perp_make_lcp(20, perp_dense(20, 20, M), q);
    o.base.max_iter = 1000;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_int_eq(r.iterations, 1000);
    o.base.max_iter = 0;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    o = perp_lcp_enumerate_defaults(); /* all 2^20: ruled out by signs but for the last */
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert(z[0] == 1 && z[19] == 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    const double M[] = {0, 0, 1, 0}, q[] = {-1, 1};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    solve_starved(&p, perp_find("lcp/enumerate"), PERP_STALLED);
    solve_confined(&p, perp_find("lcp/enumerate"), PERP_STALLED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/enumerate");
    TCase *t = tcase_create("enumerate");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, singular_bases);
    tcase_add_test(t, no_solution);
    tcase_add_test(t, refuses_large);
    tcase_add_test(t, families);
    tcase_add_test(t, planted_solutions);
    tcase_add_test(t, badly_scaled);
    tcase_add_test(t, limits);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
