/* tests/lcp/test_newton_min.c: semismooth Newton on the minimum map; what it shares with
 * lcp/newton_fb is in newton_support.h. */
#include "core/defaults.h"
#include "perp/solvers.h"
#define NEWTON perp_lcp_newton_min
#include "newton_support.h"

/* From 0 the rows with q < 0 are active: one solve with M_aa is the solution. */
START_TEST(one_step)
{
    const double M[] = {2, 1, 0, 1, 2, 0, 0, 0, 1}, q[] = {-5, -6, 1};
    perp_result r;
    double z[3], w[3];
    ck_assert(!solve_dense(3, M, q, perp_find("lcp/newton_min"), z, w, &r));
    ck_assert_int_eq(r.iterations, 1);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-14);
    ck_assert(z[2] == 0 && w[2] == 1);
}
END_TEST

/* It ends at the exact solution, not near it: a tolerance near rounding costs no iterations. */
START_TEST(ends_exactly)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("pd"), 60, 4, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_newton_options o = perp_lcp_newton_min_defaults();
    perp_result rough, fine;
    double z[60];
    o.base.tol = 1e-6;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &rough));
    o.base.tol = 1e-13;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &fine));
    ck_assert_int_eq(fine.iterations, rough.iterations);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/newton_min");
    TCase *t = tcase_create("newton_min");
    add_newton_tests(t);
    tcase_add_test(t, one_step);
    tcase_add_test(t, ends_exactly);
    suite_add_tcase(s, t);
    return support_run(s);
}
