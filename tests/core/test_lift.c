/* tests/core/test_lift.c: which kind is part of which, there and back, and in every amount of
 * memory. */
#include "lift_support.h"

#include <check.h>

START_TEST(which_kinds)
{
    const char *wider[] = {[PERP_KIND_LCP] = "lcp ncp mcp",  [PERP_KIND_NCP] = "ncp mcp",
                           [PERP_KIND_MCP] = "mcp",          [PERP_KIND_FC3D] = "fc3d",
                           [PERP_KIND_NNLS] = "nnls qp mcp", [PERP_KIND_QP] = "qp mcp",
                           [PERP_KIND_CONE] = "cone"};
    for (int from = 0; from <= PERP_KIND_CONE; from++) {
        for (int to = 0; to < PERP_KINDS; to++) {
            const char *name = perp_kind_name((perp_kind)to), *at = strstr(wider[from], name);
            bool word = at && (at == wider[from] || at[-1] == ' ');
            ck_assert_int_eq(perp_can_lift((perp_kind)from, (perp_kind)to), word);
        }
    }
    ck_assert(!perp_can_lift((perp_kind)PERP_KINDS, (perp_kind)PERP_KINDS));
    ck_assert(!perp_can_lift(PERP_KIND_LCP, (perp_kind)PERP_KINDS));
    perp_arena a = {0};
    perp_lift lift;
    perp_error e = {0};
    const double one[] = {1};
    perp_problem p = perp_make_mcp(1, perp_dense(1, 1, one), one, NULL, NULL);
    ck_assert_int_eq(perp_lift_problem(&p, PERP_KIND_LCP, &a, &lift, &e), PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(e.text, "mcp"));
    perp_arena_free(&a);
}
END_TEST

static bool cubes(void *ctx, const double *z, double *F)
{
    (void)ctx;
    for (int i = 0; i < 2; i++) F[i] = z[i] * z[i] * z[i] - (i ? -1 : 8);
    return true;
}

START_TEST(lcp_and_ncp)
{
    const double A[] = {2, 1, 1, 2}, q[] = {-5, -6}, z[] = {4.0 / 3, 7.0 / 3}, off[] = {-1, 2};
    perp_problem lcp = perp_make_lcp(2, perp_dense(2, 2, A), q);
    perp_problem ncp = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 2, .eval = cubes}};
    const double root[] = {2, 0};
    perp_arena a = {0};
    perp_lift lift;
    const perp_kind targets[] = {PERP_KIND_LCP, PERP_KIND_NCP, PERP_KIND_MCP};
    for (int k = 0; k < 3; k++) {
        lift_to(lcp, targets[k], &a, &lift);
        ck_assert(!lift.up);
        ck_assert_double_le(value_at(&lift.problem, z), 1e-15);
        ck_assert_double_eq(value_at(&lift.problem, off), value_at(&lcp, off));
        double up[2], down[2];
        perp_lift_up(&lift, off, up);
        perp_lift_down(&lift, up, down);
        ck_assert_mem_eq(up, off, sizeof up);
        ck_assert_mem_eq(down, off, sizeof down);
    }
    lift_to(ncp, PERP_KIND_MCP, &a, &lift);
    ck_assert_double_eq(value_at(&lift.problem, root), 0);
    ck_assert_double_eq(value_at(&lift.problem, off), value_at(&ncp, off));
    perp_arena_free(&a);
}
END_TEST

static unsigned char buffer[16384];

/* Every amount of room: lifted, or no_memory with a sentence. */
START_TEST(every_amount_of_room)
{
    sample s;
    make_sample(12, &s);
    perp_matrix H = perp_dense(N, N, s.H), A = perp_dense(M, N, s.A);
    perp_arena keep = {0};
    double b[M] = {1};
    for (int k = 0; k < 4; k++) {
        perp_problem qp = problem_of(&s, in_format(k % 3, &H, &keep), in_format(k % 3, &A, &keep));
        const perp_problem list[] = {perp_complete(&qp), perp_make_nnls(in_format(k, &A, &keep), b),
                                     perp_make_lcp(N, in_format(k, &H, &keep), s.c)};
        for (int l = 0; l < 3; l++) {
            perp_status status = PERP_E_MEMORY;
            for (size_t size = 0; size <= sizeof buffer; size += 64) {
                perp_arena a;
                perp_lift lift;
                perp_error e = {0};
                perp_arena_fixed(&a, buffer, size);
                status = perp_lift_problem(&list[l], PERP_KIND_MCP, &a, &lift, &e);
                ck_assert(status == PERP_SOLVED || status == PERP_E_MEMORY);
                if (status) ck_assert(e.status == status && e.text[0]);
            }
            ck_assert_int_eq(status, PERP_SOLVED);
        }
    }
    perp_arena_free(&keep);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lift");
    TCase *c = tcase_create("lift");
    tcase_add_test(c, which_kinds);
    tcase_add_test(c, lcp_and_ncp);
    tcase_add_test(c, every_amount_of_room);
    suite_add_tcase(s, c);
    return support_run(s);
}
