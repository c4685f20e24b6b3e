/* tests/qp/test_ipm.c: the interior point solver on every family of QPs, on what has no solution,
 * and on problems made to be awkward. */
#include "generate_support.h"
#include "support.h"

#include "perp/solvers.h"

static perp_status solve_family(const char *family, int size, uint64_t seed, double tol,
                                perp_result *r)
{
    perp_arena a = {0};
    generated_problem g = problem_make(family, NULL, size, seed, &a);
    perp_plain_options o = perp_qp_ipm_defaults();
    o.base.tol = tol;
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p) + 1, sizeof *z);
    double *w = perp_alloc(&a, (size_t)perp_size(&g.p) + 1, sizeof *w);
    perp_status s = solve_checked(&g.p, &o.base, z, w, r);
    perp_arena_free(&a);
    return s;
}

static const struct {
    const char *family;
    perp_status end;
} families[] = {
    {"qp_convex", PERP_SOLVED},       {"qp_degenerate", PERP_SOLVED},
    {"qp_nonsymmetric", PERP_SOLVED}, {"qp_linear", PERP_SOLVED},
    {"qp_sparse", PERP_SOLVED},       {"qp_infeasible", PERP_INFEASIBLE},
    {"qp_unbounded", PERP_UNBOUNDED},
};

START_TEST(every_family)
{
    static const int sizes[] = {1, 2, 3, 5, 10, 30, 60};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (uint64_t seed = 0; seed < 10; seed++) {
            perp_result r;
            perp_status end = solve_family(families[_i].family, sizes[s], seed, 1e-10, &r);
            ck_assert_msg(end == families[_i].end, "%s %d %d: %s, %.1e, %d: %s",
                          families[_i].family, sizes[s], (int)seed, perp_status_name(end),
                          r.residual.value, r.iterations, r.detail);
        }
    }
}
END_TEST

/* problems/qp/redundant.perp, one row stated three times: the last step is longer than 1 before it
 * is cut and taken whole, 0.9995 of it would need another one. */
START_TEST(redundant_rows_take_four_steps)
{
    const double H[] = {2, 0, 0, 2}, c[] = {-2, -4}, A[] = {1, 1, 2, 1, 1, 2};
    const double lo[] = {-INFINITY, -INFINITY, -INFINITY}, hi[] = {1, 1, 2};
    perp_problem p = perp_make_qp(2, 3, perp_dense(2, 2, H), c, perp_dense(3, 2, A), lo, hi);
    perp_plain_options o = perp_qp_ipm_defaults();
    perp_result r;
    double z[5];
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 4);
    ck_assert_double_eq_tol(z[0], 0, 1e-8);
    ck_assert_double_eq_tol(z[1], 1, 1e-8);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm");
    TCase *t = tcase_create("ipm");
    tcase_add_loop_test(t, every_family, 0, (int)(sizeof families / sizeof *families));
    tcase_add_test(t, redundant_rows_take_four_steps);
    suite_add_tcase(s, t);
    return support_run(s);
}
