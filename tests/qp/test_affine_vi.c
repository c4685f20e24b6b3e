/* tests/qp/test_affine_vi.c: qp/fletcher where H is not symmetric. */
#include "core/defaults.h"
#include "generate_support.h"

#include "perp/solvers.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define MOST 300

static const perp_options *const o = &perp_qp_fletcher.base;

/* x >= 1, y <= 1 and F = (y, -x): x = y = 1, F = (1, -1). A row x + y <= 2 with both bounds at 0:
 * F(x, y) = (y - 1, 1 - x) vanishes at (1, 1). */
START_TEST(hand_worked)
{
    const double H[] = {0, -1, 1, 0}, c[] = {0, 0}, lo[] = {1, -INFINITY}, hi[] = {INFINITY, 1};
    const double d[] = {-1, 1}, zero[] = {0, 0}, A[] = {1, 1}, two[] = {2};
    double z[3], w[3];
    perp_result r;
    perp_problem p = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = lo;
    p.as.qp.xhi = hi;
    ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%s", r.detail);
    ck_assert(z[0] == 1 && z[1] == 1 && w[0] == 1 && w[1] == -1);
    p = perp_make_qp(2, 1, perp_dense(2, 2, H), d, perp_dense(1, 2, A), NULL, two);
    p.as.qp.xlo = zero;
    ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%s", r.detail);
    ck_assert(fabs(z[0] - 1) < 1e-12 && fabs(z[1] - 1) < 1e-12);
}
END_TEST

START_TEST(families)
{
    static double z[MOST], w[MOST];
    perp_result r;
    perp_plain_options warm = perp_qp_fletcher_defaults();
    warm.base.warm_start = true;
    for (uint64_t seed = 1; seed <= 15; seed++) {
        perp_arena a = {0};
        int n = 2 + (int)seed * 3;
        generated_problem g = problem_make("qp_nonsymmetric", NULL, n, seed, &a);
        ck_assert_msg(!solve_checked(&g.p, o, z, w, &r), "%s", r.detail);
        ck_assert_double_lt(difference(n, z, g.z), 1e-9); /* one solution */
        for (int i = 0; i < perp_size(&g.p); i++) z[i] = g.z[i] + 1e-6;
        ck_assert_msg(!solve_checked(&g.p, &warm.base, z, w, &r), "%s", r.detail);
        ck_assert_int_le(r.iterations, 4);
        perp_arena_free(&a);
    }
}
END_TEST

/* F = -1 on x >= 0 beside a rotation: none, and nobody says so who cannot prove it. Rows that
 * contradict are proved to. */
START_TEST(no_solution)
{
    const double H[] = {0, 0, 0, 0, 0, -1, 0, 1, 0}, c[] = {-1, 0, 0}, A[] = {0, 0, 1, 1, 0, 0},
                 lo[] = {1, -INFINITY}, hi[] = {INFINITY, 0}, zero[] = {0, -1, -1};
    double z[5], w[5];
    perp_result r;
    perp_problem p = perp_make_qp(3, 0, perp_dense(3, 3, H), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = zero;
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_STALLED);
    p = perp_make_qp(3, 2, perp_dense(3, 3, H), c, perp_dense(2, 3, A), lo, hi);
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_INFEASIBLE);
}
END_TEST

START_TEST(limits)
{
    static double z[MOST];
    perp_result r = {.status = PERP_E_MEMORY};
    perp_arena own = {0};
    generated_problem g = problem_make("qp_nonsymmetric", NULL, 12, 3, &own);
    for (int left = 0; r.status; left++) {
        supply s = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_solve(&g.p, o, &a, z, NULL, &r);
        ck_assert(r.status == PERP_E_MEMORY || r.status == PERP_SOLVED);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    perp_plain_options short_one = perp_qp_fletcher_defaults();
    for (int k = 0, needed = r.iterations - 1; k < needed; k++) {
        short_one.base.max_iter = k;
        ck_assert_int_eq(solve_checked(&g.p, &short_one.base, z, NULL, &r), PERP_MAX_ITER);
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp/affine_vi");
    TCase *t = tcase_create("avi");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, families);
    tcase_add_test(t, no_solution);
    tcase_add_test(t, limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
