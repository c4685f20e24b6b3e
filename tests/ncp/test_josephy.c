/* tests/ncp/test_josephy.c: mcp/josephy: few steps near a solution, one for an affine map, inner
 * solvers, ends. */
#include "literature_support.h"

static perp_status solve(const perp_problem *p, perp_josephy_inner inner, double *z, perp_result *r)
{
    perp_mcp_josephy_options o = perp_mcp_josephy_defaults();
    o.base.tol = 1e-10;
    o.base.warm_start = true;
    o.inner = inner;
    return solve_checked(p, &o.base, z, NULL, r);
}

START_TEST(published_solutions)
{
    static const char *const names[] = {"kojima_josephy", "taji", "rosen_suzuki", "nash5",
                                        "braess"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        for (int inner = PERP_JOSEPHY_INNER_AUTO; inner <= PERP_JOSEPHY_INNER_NEWTON; inner++) {
            perp_arena a = {0};
            literature l;
            perp_result r;
            double z[32];
            ck_assert(literature_make(literature_find(names[k]), 0, &a, &l));
            memcpy(z, l.start, (size_t)l.n * sizeof *z);
            perp_status s = solve(&l.p, (perp_josephy_inner)inner, z, &r);
            ck_assert_msg(s == PERP_SOLVED, "%s, %d: %s", names[k], inner, r.detail);
            for (int i = 0; i < l.n; i++) {
                double far = fabs(z[i] - l.solution[i]);
                ck_assert_double_le(far, fmax(1e-7, l.accuracy) * (1 + fabs(z[i])));
            }
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Bounds that change on the way cost nothing: the Jacobian is evaluated once for an affine map. */
typedef struct counter {
    int jacobians;
} counter;

static bool affine(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = 2 * z[0] + z[1] - 5;
    F[1] = z[0] + 2 * z[1] - 6;
    F[2] = z[2] + 1;
    return true;
}

static bool affine_jacobian(void *ctx, const double *z, double *x)
{
    const double J[] = {2, 1, 0, 1, 2, 0, 0, 0, 1};
    (void)z;
    ((counter *)(uintptr_t)ctx)->jacobians++;
    memcpy(x, J, sizeof J);
    return true;
}

START_TEST(one_step_for_an_affine_map)
{
    counter c = {0};
    perp_problem p = {.kind = PERP_KIND_NCP};
    p.as.ncp.F = (perp_map){.n = 3, .eval = affine, .jacobian = affine_jacobian, .ctx = &c};
    perp_result r;
    double z[3] = {100, 0, 50};
    ck_assert_int_eq(solve(&p, PERP_JOSEPHY_INNER_PATH, z, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4.0 / 3, 1e-9);
    ck_assert_int_le(c.jacobians, 5); /* two of them for the certificates at both ends */
}
END_TEST

START_TEST(large_and_sparse)
{
    perp_arena a = {0};
    literature l;
    perp_result r;
    ck_assert(literature_make(literature_find("bratu"), 1600, &a, &l));
    double *z = perp_alloc(&a, (size_t)l.n, sizeof *z);
    ck_assert_int_eq(solve(&l.p, PERP_JOSEPHY_INNER_AUTO, z, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

START_TEST(ends)
{
    perp_arena a = {0};
    literature l;
    perp_result r;
    double z[2] = {0};
    ck_assert(literature_make(literature_find("below_zero"), 0, &a, &l));
    perp_status s = solve(&l.p, PERP_JOSEPHY_INNER_AUTO, z, &r);
    ck_assert_msg(s > 0 && r.detail[0], "%s", perp_status_name(s));
    const double M[] = {1, -1, -1, 1}, q[] = {-1, -1}, zero[2] = {0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, zero, NULL);
    s = solve(&p, PERP_JOSEPHY_INNER_AUTO, z, &r);
    ck_assert_msg(s > 0, "%s", perp_status_name(s));
    perp_problem nothing = {.kind = PERP_KIND_MCP};
    ck_assert_int_eq(solve(&nothing, PERP_JOSEPHY_INNER_AUTO, NULL, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_josephy");
    TCase *t = tcase_create("ncp_josephy");
    tcase_add_test(t, published_solutions);
    tcase_add_test(t, one_step_for_an_affine_map);
    tcase_add_test(t, large_and_sparse);
    tcase_add_test(t, ends);
    suite_add_tcase(s, t);
    return support_run(s);
}
