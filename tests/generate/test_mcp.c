/* tests/generate/test_mcp.c: the answers that problems are built around hold. */
#include "generate_support.h"

START_TEST(answers)
{
    check_answers("mcp_box", PERP_KIND_MCP);
    check_answers("mcp_degenerate", PERP_KIND_MCP);
    check_answers("mcp_saddle", PERP_KIND_MCP);
    check_answers("mcp_friction", PERP_KIND_MCP);
}
END_TEST

/* Every sort of unknown occurs: free, at lo, at hi, between; and F has the sign that it allows. */
START_TEST(every_place)
{
    perp_arena a = {0};
    generated_problem m = problem_make("mcp_box", NULL, 100, 1, &a);
    const perp_mcp *p = &m.p.as.mcp;
    int free = 0, lo = 0, hi = 0, between = 0;
    double F[100];
    memcpy(F, p->F.q, sizeof F);
    perp_mul(&p->F.M, 1, m.z, 1, F);
    for (int i = 0; i < 100; i++) {
        bool at_lo = m.z[i] == p->lo[i], at_hi = m.z[i] == p->hi[i];
        free += isinf(p->lo[i]) && isinf(p->hi[i]);
        lo += at_lo;
        hi += at_hi;
        between += !at_lo && !at_hi;
        ck_assert(at_lo ? F[i] > 0.09 : at_hi ? F[i] < -0.09 : fabs(F[i]) < 1e-12);
    }
    ck_assert(free > 10 && lo > 5 && hi > 5 && between > 20);
    perp_arena_free(&a);
}
END_TEST

START_TEST(friction)
{
    perp_arena a = {0};
    generated_problem m = problem_make("mcp_friction", NULL, 30, 1, &a);
    const perp_mcp *p = &m.p.as.mcp;
    int sliding = 0;
    ck_assert_int_eq(p->F.n, 90);
    for (int i = 0; i < 90; i++) {
        ck_assert_int_eq(p->follows[i], i % 3 ? i / 3 * 3 : -1);
        if (i % 3 == 0) continue;
        double most = p->mu[i] * m.z[i / 3 * 3];
        ck_assert(fabs(m.z[i]) <= most);
        sliding += most > 0 && fabs(m.z[i]) == most;
    }
    ck_assert_int_gt(sliding, 10);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_mcp");
    TCase *t = tcase_create("generate_mcp");
    tcase_add_test(t, answers);
    tcase_add_test(t, every_place);
    tcase_add_test(t, friction);
    suite_add_tcase(s, t);
    return support_run(s);
}
