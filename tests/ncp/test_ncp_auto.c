/* tests/ncp/test_ncp_auto.c: ncp/auto: affine maps as LCPs, callbacks by mcp/auto, options == NULL.
 */
#include "literature_support.h"

START_TEST(no_options)
{
    perp_arena a = {0};
    literature l;
    perp_result r;
    double z[4];
    ck_assert(literature_make(literature_find("kojima_josephy"), 0, &a, &l));
    ck_assert_int_eq(solve_checked(&l.p, NULL, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_le(difference(4, z, l.solution), 1e-5);
    perp_arena_free(&a);
}
END_TEST

START_TEST(affine)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    perp_problem p = {.kind = PERP_KIND_NCP,
                      .as.ncp.F = {.n = 2, .M = perp_dense(2, 2, M), .q = q}};
    perp_result r;
    double z[2];
    ck_assert_int_eq(solve_checked(&p, NULL, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4.0 / 3, 1e-8);
    ck_assert_double_eq_tol(z[1], 7.0 / 3, 1e-8);
    perp_matrix dense = perp_dense(2, 2, M);
    p.as.ncp.F.M = as_operator(&dense);
    ck_assert_int_eq(solve_checked(&p, NULL, z, NULL, &r), PERP_SOLVED);
    const double apart[] = {1, -1, -1, 1}, minus[] = {-1, -1};
    p.as.ncp.F = (perp_map){.n = 2, .M = perp_dense(2, 2, apart), .q = minus};
    perp_status s = solve_checked(&p, NULL, z, NULL, &r);
    ck_assert_msg(s > 0 && r.detail[0], "%s %s", perp_status_name(s), r.detail);
    perp_problem nothing = {.kind = PERP_KIND_NCP};
    ck_assert_int_eq(solve_checked(&nothing, NULL, NULL, NULL, &r), PERP_SOLVED);
}
END_TEST

/* A warm start at a solution is kept. */
START_TEST(warm)
{
    perp_arena a = {0};
    literature l;
    perp_result r;
    double z[4];
    perp_plain_options o = perp_ncp_auto_defaults();
    o.base.warm_start = true;
    ck_assert(literature_make(literature_find("kojima_shindo"), 0, &a, &l));
    memcpy(z, l.solution, sizeof z);
    ck_assert_int_eq(solve_checked(&l.p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 0);
    ck_assert_double_eq(difference(4, z, l.solution), 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_ncp_auto");
    TCase *t = tcase_create("ncp_ncp_auto");
    tcase_add_test(t, no_options);
    tcase_add_test(t, affine);
    tcase_add_test(t, warm);
    suite_add_tcase(s, t);
    return support_run(s);
}
