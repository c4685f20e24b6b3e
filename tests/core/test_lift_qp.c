/* tests/core/test_lift_qp.c: a qp as an mcp: F by hand, solutions there and back. */
#include "lift_support.h"

#include <check.h>

/* The formula of the header of lift_qp.c, entry by entry, at any lifted point. */
static void naive_F(const sample *s, bool has_H, const int *range, int extra, const double *z,
                    double *F)
{
    for (int j = 0; j < N; j++) {
        F[j] = s->c[j];
        for (int k = 0; has_H && k < N; k++) F[j] += s->H[k * N + j] * z[k];
        for (int i = 0; i < M; i++) F[j] -= s->A[j * M + i] * z[N + i];
        for (int k = 0; k < extra; k++) F[j] -= s->A[j * M + range[k]] * z[N + M + k];
    }
    for (int r = 0; r < M + extra; r++) {
        int i = r < M ? r : range[r - M];
        double bound = r >= M || s->lo[i] == -INF ? s->hi[i] : s->lo[i];
        F[N + r] = bound == INF ? 0 : -bound;
        for (int j = 0; j < N; j++) F[N + r] += s->A[j * M + i] * z[j];
    }
}

/* Rows of make_sample: ranges are 6, 7 and 8. */
START_TEST(qp_in_every_format)
{
    sample s;
    make_sample((uint64_t)_i + 31, &s);
    generator g = generator_start((uint64_t)_i);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    const int range[] = {6, 7, 8};
    for (int k = 0; k < 12; k++) { /* H: three formats and absent; A: three formats */
        perp_arena a = {0};
        perp_lift lift;
        bool has_H = k < 9;
        perp_matrix Hk = has_H ? in_format(k / 3, &H, &a) : (perp_matrix){0};
        perp_problem p = problem_of(&s, Hk, in_format(k % 3, &A, &a));
        lift_to(p, PERP_KIND_MCP, &a, &lift);
        const perp_mcp *mcp = &lift.problem.as.mcp;
        ck_assert(mcp->F.M.format == (k == 0 ? PERP_FORMAT_DENSE : PERP_FORMAT_CSC));
        if (k > 0) ck_assert(sorted(&mcp->F.M));
        ck_assert_int_eq(mcp->F.n, N + M + 3);
        double z[N + M + 3], w[N + M + 3], F[N + M + 3], up[N + M + 3], back[N + M];
        fill(&g, N + M + 3, 0, z);
        slack(&lift.problem, z, w);
        naive_F(&s, has_H, range, 3, z, F);
        for (int r = 0; r < N + M + 3; r++) ck_assert_double_eq_tol(w[r], F[r], 1e-13);
        perp_lift_up(&lift, s.z, up);
        perp_lift_down(&lift, up, back);
        ck_assert_mem_eq(back, s.z, sizeof back);
        if (has_H) {
            ck_assert_double_le(value_at(&p, s.z), 1e-14);
            ck_assert_double_le(value_at(&lift.problem, up), 1e-14);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* Where each multiplier may live, row by row of make_sample. */
START_TEST(qp_bounds)
{
    sample s;
    make_sample(5, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    const double lo[] = {-INF, 0, 0, -INF, -INF, 0, 0, 0, 0, -INF, -INF, -INF};
    const double hi[] = {INF, INF, INF, 0, 0, 0, INF, INF, INF, 0, 0, 0};
    perp_arena a = {0};
    perp_lift lift;
    lift_to(problem_of(&s, in_format(0, &H, &a), in_format(0, &A, &a)), PERP_KIND_MCP, &a, &lift);
    const perp_mcp *mcp = &lift.problem.as.mcp;
    for (int j = 0; j < N; j++) {
        ck_assert_double_eq(mcp->lo[j], s.xlo[j]);
        ck_assert_double_eq(mcp->hi[j], s.xhi[j]);
    }
    for (int r = 0; r < M + 3; r++) {
        ck_assert_double_eq(mcp->lo[N + r], lo[r]);
        ck_assert_double_eq(mcp->hi[N + r], hi[r]);
    }
    perp_arena_free(&a);
}
END_TEST

/* What nearly solves the lifted problem nearly solves the qp: every component moved in turn. Some
 * moves lead to another solution. */
START_TEST(qp_residuals_agree)
{
    sample s;
    make_sample((uint64_t)_i + 400, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    perp_arena a = {0};
    perp_lift lift;
    perp_problem p = problem_of(&s, in_format(1, &H, &a), in_format(1, &A, &a));
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    double up[N + M + 3], down[N + M];
    int seen = 0;
    for (int k = 0; k < N + M + 3; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            perp_lift_up(&lift, s.z, up);
            up[k] += sign * 1e-3;
            perp_lift_down(&lift, up, down);
            double wide = value_at(&lift.problem, up), narrow = value_at(&p, down);
            seen += wide > 1e-6;
            ck_assert_double_le(narrow, 100 * wide + 1e-14);
        }
    }
    ck_assert_int_gt(seen, N + M);
    perp_arena_free(&a);
}
END_TEST

/* y and y2 of a range may both move; their sum is what counts. */
START_TEST(range_multipliers)
{
    const double c[] = {1}, A[] = {1, 1}, lo[] = {0, 0}, hi[] = {INF, 1};
    perp_matrix none = {0};
    perp_problem p = perp_make_qp(1, 2, none, c, perp_dense(2, 1, A), lo, hi);
    perp_arena a = {0};
    perp_lift lift;
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    ck_assert_int_eq(perp_size(&lift.problem), 4);
    const double z[] = {7, 8, -3}, pos[] = {7, 8, 3};
    double up[4], down[3];
    perp_lift_up(&lift, z, up);
    ck_assert(up[0] == 7 && up[1] == 8 && up[2] == 0 && up[3] == -3);
    perp_lift_up(&lift, pos, up);
    ck_assert(up[2] == 3 && up[3] == 0);
    const double both[] = {7, 8, 5, -2};
    perp_lift_down(&lift, both, down);
    ck_assert(down[0] == 7 && down[1] == 8 && down[2] == 3);
    const double nan_z[] = {7, 8, NAN};
    perp_lift_up(&lift, nan_z, up);
    ck_assert(isnan(up[2]));
    perp_arena_free(&a);
}
END_TEST

START_TEST(operators)
{
    sample s;
    make_sample(8, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    perp_arena a = {0};
    perp_lift lift;
    perp_error e;
    for (int k = 0; k < 2; k++) {
        perp_problem p = problem_of(&s, in_format(k ? 0 : 3, &H, &a), in_format(k ? 3 : 0, &A, &a));
        p = perp_complete(&p);
        ck_assert_int_eq(perp_lift_problem(&p, PERP_KIND_MCP, &a, &lift, &e), PERP_E_FORMAT);
        ck_assert_ptr_nonnull(strstr(e.text, "operator"));
    }
    /* Without rows the matrix is H itself, whatever it is. */
    perp_problem p = perp_make_qp(N, 0, in_format(3, &H, &a), s.c, (perp_matrix){0}, NULL, NULL);
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    ck_assert(lift.problem.as.mcp.F.M.format == PERP_FORMAT_OPERATOR);
    p = perp_make_qp(N, 0, (perp_matrix){0}, s.c, (perp_matrix){0}, NULL, NULL);
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    ck_assert(lift.problem.as.mcp.F.M.format == PERP_FORMAT_CSC);
    p = perp_make_qp(0, 0, (perp_matrix){0}, NULL, (perp_matrix){0}, NULL, NULL);
    lift_to(p, PERP_KIND_MCP, &a, &lift);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lift_qp");
    TCase *c = tcase_create("lift_qp");
    tcase_add_loop_test(c, qp_in_every_format, 0, 10);
    tcase_add_test(c, qp_bounds);
    tcase_add_loop_test(c, qp_residuals_agree, 0, 5);
    tcase_add_test(c, range_multipliers);
    tcase_add_test(c, operators);
    suite_add_tcase(s, c);
    return support_run(s);
}
