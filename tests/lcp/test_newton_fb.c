/* tests/lcp/test_newton_fb.c: semismooth Newton on the Fischer-Burmeister map; what it shares with
 * lcp/newton_min is in newton_support.h. */
#include "core/defaults.h"
#include "perp/solvers.h"
#define NEWTON perp_lcp_newton_fb
#include "newton_support.h"

/* One unknown, M = 1, q = -1, from 0: w = -1, G = -2, a = 1, b = 2, so d = 2/3; the merit falls
 * from 2 to the value at (2/3, -1/3). */
START_TEST(first_step_by_hand)
{
    const double M[] = {1}, q[] = {-1};
    perp_lcp_newton_options o = perp_lcp_newton_fb_defaults();
    perp_result r;
    double z[1];
    o.base.max_iter = 1;
    ck_assert_int_eq(solve_dense(1, M, q, &o.base, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_double_eq_tol(z[0], 2. / 3, 1e-15);
}
END_TEST

/* The last steps double the digits: from 1e-6 to 1e-12 in two at most. */
START_TEST(converges_fast)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("nonsymmetric"), 60, 4, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_newton_options o = perp_lcp_newton_fb_defaults();
    perp_result rough, fine;
    double z[60];
    o.base.tol = 1e-6;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &rough));
    o.base.tol = 1e-12;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &fine));
    ck_assert_int_le(fine.iterations, rough.iterations + 2);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/newton_fb");
    TCase *t = tcase_create("newton_fb");
    add_newton_tests(t);
    tcase_add_test(t, first_step_by_hand);
    tcase_add_test(t, converges_fast);
    suite_add_tcase(s, t);
    return support_run(s);
}
