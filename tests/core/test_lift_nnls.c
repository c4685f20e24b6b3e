/* tests/core/test_lift_nnls.c: an nnls as a qp and an mcp: slacks and solutions are the same. */
#include "lift_support.h"

#include <check.h>

/* The slack at any x is the same in all three problems. */
START_TEST(nnls)
{
    generator g = generator_start((uint64_t)_i + 1);
    double A[M * N], b[M], z[N], w[N], expected[N];
    bool free_x[N] = {false, true, false, true, false, false};
    fill(&g, M * N, 0.4, A);
    fill(&g, M, 0, b);
    fill(&g, N, 0, z);
    perp_matrix D = perp_dense(M, N, A);
    const perp_format H_format[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_CSC,
                                    PERP_FORMAT_OPERATOR};
    for (int k = 0; k < 4; k++) {
        perp_arena a = {0};
        perp_lift qp, mcp;
        perp_problem p = perp_make_nnls(in_format(k, &D, &a), b);
        p.as.nnls.is_free = free_x;
        slack(&p, z, expected);
        lift_to(p, PERP_KIND_QP, &a, &qp);
        lift_to(p, PERP_KIND_MCP, &a, &mcp);
        ck_assert(qp.problem.as.qp.H.format == H_format[k]);
        ck_assert(mcp.problem.as.mcp.F.M.format == H_format[k]);
        if (H_format[k] == PERP_FORMAT_CSC) ck_assert(sorted(&qp.problem.as.qp.H));
        ck_assert_int_eq(qp.problem.as.qp.m, 0);
        ck_assert(!qp.up && !mcp.up);
        slack(&qp.problem, z, w);
        for (int j = 0; j < N; j++) ck_assert_double_eq_tol(w[j], expected[j], 1e-13);
        slack(&mcp.problem, z, w);
        for (int j = 0; j < N; j++) ck_assert_double_eq_tol(w[j], expected[j], 1e-13);
        for (int j = 0; j < N; j++) {
            ck_assert_double_eq(qp.problem.as.qp.xlo[j], free_x[j] ? -INF : 0);
            ck_assert_double_eq(mcp.problem.as.mcp.lo[j], free_x[j] ? -INF : 0);
            ck_assert_double_eq(mcp.problem.as.mcp.hi[j], INF);
        }
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(nnls_solutions)
{
    /* Columns (1, 1, 0) and (1, -1, 0). b = (3, -1, 5): x = (1, 2), A x - b = (0, 0, -5). b = (0,
     * 2, 5): x = (1, 0), A x - b = (1, -1, -5), w = (0, 2). */
    const double A[] = {1, 1, 0, 1, -1, 0}, inside[] = {3, -1, 5}, edge[] = {0, 2, 5};
    const double x_inside[] = {1, 2}, x_edge[] = {1, 0};
    const perp_kind targets[] = {PERP_KIND_QP, PERP_KIND_MCP};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        perp_lift lift;
        double back[2];
        perp_problem p = perp_make_nnls(perp_dense(3, 2, A), inside);
        lift_to(p, targets[k], &a, &lift);
        ck_assert_double_eq(value_at(&lift.problem, x_inside), 0);
        perp_lift_down(&lift, x_inside, back);
        ck_assert_double_eq(value_at(&p, back), 0);
        p = perp_make_nnls(perp_dense(3, 2, A), edge);
        lift_to(p, targets[k], &a, &lift);
        ck_assert_double_eq(value_at(&lift.problem, x_edge), 0);
        ck_assert_double_eq(value_at(&p, x_edge), 0);
        ck_assert_double_gt(value_at(&lift.problem, x_inside), 0.1);
        perp_arena_free(&a);
    }
    const double huge[] = {1e200, 1e200, 0, 1, 1, 0};
    perp_arena a = {0};
    perp_lift lift;
    perp_matrix D = perp_dense(3, 2, huge);
    for (int k = 0; k < 2; k++) {
        perp_problem p = perp_make_nnls(in_format(k, &D, &a), inside);
        ck_assert_int_eq(perp_lift_problem(&p, PERP_KIND_QP, &a, &lift, NULL), PERP_E_NUMBER);
    }
    perp_arena_free(&a);
}
END_TEST

/* CSC with duplicates and unsorted rows is the same matrix. */
START_TEST(nnls_of_untidy_columns)
{
    const int p[] = {0, 3, 5}, i[] = {2, 0, 2, 1, 0};
    const double x[] = {1, 2, 4, 3, -1}, b[] = {1, 2, 3}, z[] = {0.5, -2};
    const double dense[] = {2, 0, 5, -1, 3, 0};
    perp_arena a = {0};
    perp_lift lift;
    double w[2], expected[2];
    perp_problem untidy = perp_make_nnls(perp_csc(3, 2, p, i, x), b);
    perp_problem tidy = perp_make_nnls(perp_dense(3, 2, dense), b);
    slack(&tidy, z, expected);
    lift_to(untidy, PERP_KIND_QP, &a, &lift);
    ck_assert(sorted(&lift.problem.as.qp.H));
    slack(&lift.problem, z, w);
    for (int j = 0; j < 2; j++) ck_assert_double_eq_tol(w[j], expected[j], 1e-14);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lift_nnls");
    TCase *c = tcase_create("lift_nnls");
    tcase_add_loop_test(c, nnls, 0, 10);
    tcase_add_test(c, nnls_solutions);
    tcase_add_test(c, nnls_of_untidy_columns);
    suite_add_tcase(s, c);
    return support_run(s);
}
