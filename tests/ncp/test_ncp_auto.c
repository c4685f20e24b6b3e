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
    double w[2];
    ck_assert_int_eq(solve_checked(&p, NULL, z, w, &r), PERP_INFEASIBLE);
    perp_problem nothing = {.kind = PERP_KIND_NCP};
    ck_assert_int_eq(solve_checked(&nothing, NULL, NULL, NULL, &r), PERP_SOLVED);
}
END_TEST

#define MOST 42

/* Any M, but that its last row contradicts the others: y'M < 0 with y >= 0, and y'q = -1. */
static int draw_infeasible(generator *g, double *M, double *q)
{
    int n = 3 + (int)(39 * generator_unit(g));
    double y[MOST], sum = 0;
    for (int k = 0; k < n * n; k++) M[k] = generator_uniform(g);
    for (int i = 0; i < n - 1; i++) {
        q[i] = generator_uniform(g);
        y[i] = fmax(generator_uniform(g), 0);
        sum += y[i] * q[i];
    }
    q[n - 1] = -sum - 1;
    for (int j = 0; j < n; j++) {
        double *last = M + j * n + n - 1;
        *last = -generator_unit(g);
        for (int i = 0; i < n - 1; i++) *last -= y[i] * M[j * n + i];
    }
    return n;
}

/* Lemke's path ends on a ray of most of them. What proves that one is infeasible proves it of the
 * same problem as an lcp and as an ncp, whoever finds it. */
START_TEST(proofs_come_down)
{
    generator g = generator_start((uint64_t)_i + 1);
    double M[MOST * MOST], q[MOST], z[MOST], w[MOST];
    const char *const solvers[] = {"lcp/auto", "ncp/auto", "mcp/auto"};
    for (int k = 0; k < 3; k++) {
        int n = draw_infeasible(&g, M, q);
        perp_problem lcp = perp_make_lcp(n, perp_dense(n, n, M), q), ncp = {.kind = PERP_KIND_NCP};
        ncp.as.ncp.F = (perp_map){.n = n, .M = perp_dense(n, n, M), .q = q};
        for (int s = 0; s < 3; s++) {
            perp_result r;
            perp_status end = solve_checked(&lcp, perp_find(solvers[s]), z, w, &r);
            ck_assert_msg(end == PERP_INFEASIBLE, "%s: %s", solvers[s], r.detail);
            if (s == 0) continue;
            end = solve_checked(&ncp, perp_find(solvers[s]), z, w, &r);
            ck_assert_msg(end == PERP_INFEASIBLE, "%s: %s", solvers[s], r.detail);
        }
    }
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
    tcase_add_loop_test(t, proofs_come_down, 0, 4);
    tcase_add_test(t, warm);
    suite_add_tcase(s, t);
    return support_run(s);
}
