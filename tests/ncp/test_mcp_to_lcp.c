/* tests/ncp/test_mcp_to_lcp.c: the LCP of an MCP with bounds and friction boxes has its solutions.
 */
#include "mcp_support.h"

#include "ncp/mcp_to_lcp.h"

START_TEST(hand_worked)
{
    /* >= 1; <= 2; free; in [3, 5]; |z_4| <= z_0 / 2 */
    double M[25] = {0};
    const double q[] = {1, 2, 3, 4, 5};
    const double lo[] = {1, -INFINITY, -INFINITY, 3, 0}, hi[] = {INFINITY, 2, INFINITY, 5, 0};
    const int follows[] = {-1, -1, -1, -1, 0};
    const double mu[] = {0, 0, 0, 0, 0.5};
    for (int i = 0; i < 5; i++) M[6 * i] = 1;
    M[1] = 10; /* F_1 += 10 z_0 */
    perp_problem p = perp_make_mcp(5, perp_dense(5, 5, M), q, lo, hi);
    perp_arena a = {0};
    perp_mcp_as_lcp u;
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert(!perp_mcp_to_lcp(&p.as.mcp, &a, &u));
    ck_assert_int_eq(u.size, 1 + 1 + 2 + 2 + 3);
    /* columns: x_0 | y_1 | x_2 y_2 | x_3 s_3 | x_4 y_4 s_4 */
    const double x[] = {2, 3, 5, 1, 1.5, 7, 0.25, 0.5, 11};
    double z[5], w[9];
    perp_mcp_from_lcp(&u, x, z);
    const double expected[] = {3, -1, 4, 4.5, -0.25};
    ck_assert_double_le(difference(5, z, expected), 0);
    perp_mul(&u.lcp.as.lcp.M, 1, x, 0, w);
    for (int i = 0; i < 9; i++) w[i] += u.lcp.as.lcp.q[i];
    const double F[] = {4, 31, 7, 8.5, 4.75};
    const double slack[] = {F[0], -F[1],     F[2],      -F[2],     F[3] + 7,
                            0.5,  F[4] + 11, 11 - F[4], 1.5 - 0.75};
    ck_assert_double_le(difference(9, w, slack), 1e-14);
    perp_arena_free(&a);
}
END_TEST

/* A solution of the one gives one of the other; dense and CSC agree. */
START_TEST(same_solutions)
{
    static const char *const names[] = {"mcp_box", "mcp_friction", "boxes", "chain"};
    perp_arena a = {0};
    perp_mcp_as_lcp u, v;
    perp_result r;
    generated_problem g = mcp_generate(names[_i % 4], 2 + _i / 4, (uint64_t)_i + 1, &a);
    perp_problem other = g.p;
    perp_format format =
        g.p.as.mcp.F.M.format == PERP_FORMAT_DENSE ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE;
    ck_assert(!perp_convert(&g.p.as.mcp.F.M, format, &a, &other.as.mcp.F.M, NULL));
    ck_assert(!perp_mcp_to_lcp(&g.p.as.mcp, &a, &u));
    ck_assert(!perp_mcp_to_lcp(&other.as.mcp, &a, &v));
    ck_assert(!perp_validate(&u.lcp, NULL) && !perp_validate(&v.lcp, NULL));
    size_t size = (size_t)u.size, n = (size_t)u.n;
    double *x = perp_alloc(&a, size, sizeof *x), *z = perp_alloc(&a, n, sizeof *z);
    double *one = perp_alloc(&a, size, sizeof *one), *two = perp_alloc(&a, size, sizeof *two);
    ck_assert_msg(!perp_solve(&u.lcp, perp_find("lcp/lemke"), &a, x, NULL, &r), "%s", r.detail);
    perp_mul(&u.lcp.as.lcp.M, 1, x, 0, one);
    perp_mul(&v.lcp.as.lcp.M, 1, x, 0, two);
    ck_assert_double_le(difference(u.size, one, two), 1e-12);
    ck_assert_double_le(difference(u.size, u.lcp.as.lcp.q, v.lcp.as.lcp.q), 1e-12);
    perp_mcp_from_lcp(&u, x, z);
    ck_assert_double_le(certify(&g.p, z, PERP_SOLVED).value, 1e-7);
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    const double M[] = {1, 0, 0, 1}, q[] = {1, 1}, lo[] = {-1, 0};
    const int follows[] = {-1, 0};
    const double mu[] = {0, 1};
    perp_matrix dense = perp_dense(2, 2, M);
    perp_problem p = perp_make_mcp(2, dense, q, lo, NULL);
    perp_arena a = {0};
    perp_mcp_as_lcp u;
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert_int_eq(perp_mcp_to_lcp(&p.as.mcp, &a, &u), PERP_E_FORMAT); /* max(z_0, 0) bends */
    p.as.mcp.lo = NULL;
    ck_assert_int_eq(perp_mcp_to_lcp(&p.as.mcp, &a, &u), PERP_E_FORMAT);
    p.as.mcp.follows = NULL;
    p.as.mcp.F.M = as_operator(&dense);
    ck_assert_int_eq(perp_mcp_to_lcp(&p.as.mcp, &a, &u), PERP_E_FORMAT);
    p.as.mcp.F.M = dense;
    for (int k = 0; k < 9; k++) {
        supply left = {.left = k};
        perp_arena scarce_arena = {.resize = scarce, .ctx = &left};
        perp_status status = perp_mcp_to_lcp(&p.as.mcp, &scarce_arena, &u);
        ck_assert(status == PERP_SOLVED || status == PERP_E_MEMORY);
        perp_arena_free(&scarce_arena);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_unfold");
    TCase *t = tcase_create("ncp_unfold");
    tcase_add_test(t, hand_worked);
    tcase_add_loop_test(t, same_solutions, 0, 16);
    tcase_add_test(t, refusals);
    suite_add_tcase(s, t);
    return support_run(s);
}
