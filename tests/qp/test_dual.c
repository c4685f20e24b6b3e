/* tests/qp/test_dual.c: the dual active-set method: values, signs of multipliers, proofs, refusals,
 * warm starts, memory. */
#include "core/defaults.h"
#include "generate_support.h"

#include "perp/solvers.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 400

static const perp_options *const o = &perp_qp_dual.base;

/* min x^2/2 + y^2/2 with x + y >= 2: (1, 1), multiplier 1; as x + y <= -2: -1. An upper bound
 * x <= 1/2 makes it (1/2, 3/2), multiplier 3/2, and H x + c - A'y = -1 at x. */
START_TEST(hand_worked)
{
    const double H[] = {1, 0, 0, 1}, c[] = {0, 0}, A[] = {1, 1}, b[] = {2}, low[] = {-2},
                 xhi[] = {0.5, INFINITY};
    double z[3], w[3];
    perp_result r;
    perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), b, NULL);
    ck_assert(!solve_checked(&p, o, z, w, &r));
    for (int i = 0; i < 3; i++) ck_assert_double_lt(fabs(z[i] - 1), 1e-15);
    ck_assert_int_eq(r.iterations, 2); /* one step, and the look for another */
    p.as.qp.xhi = xhi;
    ck_assert(!solve_checked(&p, o, z, w, &r));
    ck_assert(z[0] == 0.5 && fabs(z[1] - 1.5) < 1e-15 && fabs(z[2] - 1.5) < 1e-15);
    ck_assert_double_lt(fabs(w[0] + 1), 1e-15);
    p = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), NULL, low);
    ck_assert(!solve_checked(&p, o, z, w, &r));
    for (int i = 0; i < 3; i++) ck_assert_double_lt(fabs(z[i] + 1), 1e-15);
}
END_TEST

START_TEST(families)
{
    static double z[MOST], w[MOST];
    perp_result r;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        perp_arena a = {0};
        int n = 1 + (int)seed * 4;
        generated_problem g = problem_make("qp_convex", NULL, n, seed, &a);
        ck_assert_msg(!solve_checked(&g.p, o, z, w, &r), "%s", r.detail);
        ck_assert_double_lt(difference(n, z, g.z), 1e-9); /* one solution */
        g = problem_make("qp_sparse", NULL, n, seed, &a);
        ck_assert_msg(!solve_checked(&g.p, o, z, w, &r), "%s", r.detail);
        ck_assert_double_lt(difference(n, z, g.z), 1e-8);
        g = problem_make("qp_infeasible", NULL, n, seed, &a);
        ck_assert_int_eq(solve_checked(&g.p, o, z, w, &r), PERP_INFEASIBLE);
        perp_arena_free(&a);
    }
}
END_TEST

/* Each row a hundred times, equalities that depend on each other. */
START_TEST(redundant)
{
    enum { N = 6, M = 800 };
    static double H[N * N], A[N * M], lo[M], hi[M], z[N + M], w[N + M];
    const double c[N] = {-9, 7, -5, 4, -3, 2};
    generator g = generator_start(1);
    perp_result r;
    for (int j = 0; j < N; j++) H[j * N + j] = 1 + j;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            A[j * M + i] = i < 8 ? generator_between(&g, -3, 3) : A[j * M + i % 8];
        }
        lo[i] = i % 8 == 7 ? 0 : -1;
        hi[i] = i % 8 == 7 ? 0 : 1;
    }
    perp_problem p = perp_make_qp(N, M, perp_dense(N, N, H), c, perp_dense(M, N, A), lo, hi);
    ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%s", r.detail);
    lo[15] = hi[15] = 1; /* the same equality, another side */
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_INFEASIBLE);
    for (int j = 0; j < N; j++) A[j * M + 15] = 0; /* a row of zeros */
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_INFEASIBLE);
    lo[15] = hi[15] = 0;
    ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%s", r.detail);
}
END_TEST

START_TEST(refusals)
{
    const double skew[] = {1, 1, -1, 1}, singular[] = {1, 1, 1, 1}, c[] = {1, 2};
    double z[2];
    perp_result r;
    perp_problem p = perp_make_qp(2, 0, perp_dense(2, 2, skew), c, (perp_matrix){0}, NULL, NULL);
    ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(r.detail, "not symmetric: H[1][0]"));
    p.as.qp.H = perp_dense(2, 2, singular);
    ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(r.detail, "not positive definite at row 1"));
    p.as.qp.H = (perp_matrix){0};
    ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_E_NUMBER);
}
END_TEST

START_TEST(nothing)
{
    const double lo[] = {1}, hi[] = {2};
    double z[1], w[1];
    perp_result r;
    perp_problem p = perp_make_qp(0, 0, (perp_matrix){0}, NULL, (perp_matrix){0}, NULL, NULL);
    ck_assert(!solve_checked(&p, o, NULL, NULL, &r));
    p = perp_make_qp(0, 1, (perp_matrix){0}, NULL, perp_dense(1, 0, NULL), NULL, hi);
    ck_assert(!solve_checked(&p, o, z, w, &r));
    p.as.qp.lo = lo;
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_INFEASIBLE);
}
END_TEST

/* From a point near the solution the set is known; from anywhere it is found all the same. */
START_TEST(warm_start)
{
    static double z[MOST], near[MOST], far[MOST];
    perp_result r;
    perp_plain_options warm = perp_qp_dual_defaults();
    warm.base.warm_start = true;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generator g = generator_start(seed);
        generated_problem p = problem_make("qp_convex", NULL, 40, seed, &a);
        int size = perp_size(&p.p);
        ck_assert(!solve_checked(&p.p, o, z, NULL, &r));
        for (int i = 0; i < size; i++) {
            near[i] = z[i] + 1e-6 * generator_uniform(&g);
            far[i] = 100 * generator_uniform(&g);
        }
        ck_assert(!solve_checked(&p.p, &warm.base, near, NULL, &r));
        ck_assert_int_le(r.iterations, 2);
        ck_assert_double_lt(difference(40, z, near), 1e-10);
        ck_assert(!solve_checked(&p.p, &warm.base, far, NULL, &r));
        ck_assert_double_lt(difference(40, z, far), 1e-10);
        perp_arena_free(&a);
    }
}
END_TEST

/* Every allocation fails in turn; the budget ends at every step. */
START_TEST(limits)
{
    static double z[MOST];
    perp_result r = {.status = PERP_E_MEMORY};
    perp_arena own = {0};
    generated_problem g = problem_make("qp_convex", NULL, 20, 3, &own);
    for (int left = 0; r.status; left++) {
        supply s = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_solve(&g.p, o, &a, z, NULL, &r);
        ck_assert(r.status == PERP_E_MEMORY || r.status == PERP_SOLVED);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    perp_plain_options short_one = perp_qp_dual_defaults();
    for (int k = 0, needed = r.iterations - 1; k < needed; k++) {
        short_one.base.max_iter = k;
        ck_assert_int_eq(solve_checked(&g.p, &short_one.base, z, NULL, &r), PERP_MAX_ITER);
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp/dual");
    TCase *t = tcase_create("dual");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, families);
    tcase_add_test(t, redundant);
    tcase_add_test(t, refusals);
    tcase_add_test(t, nothing);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
