/* tests/ncp/test_dantzig.c: boxed problems by pivoting, friction boxes bounded anew. */
#include "mcp_support.h"

/* One contact, pushed sideways: with frozen bounds of 0 the first round leaves it sliding. */
START_TEST(hand_worked)
{
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, lo[] = {0, 0, 0}, hi[] = {INFINITY, 0, 0};
    const double q[] = {-2, 0.5, -3}, mu[] = {0, 0.5, 0.5};
    const int follows[] = {-1, 0, 0};
    perp_problem p = perp_make_mcp(3, perp_dense(3, 3, M), q, lo, hi);
    perp_mcp_dantzig_options o = perp_mcp_dantzig_defaults();
    perp_result r;
    double z[3], w[3];
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, w, &r), PERP_SOLVED);
    ck_assert(z[0] == 2 && z[1] == -0.5 && z[2] == 1 && w[2] == -2);
    o.rounds = 1;
    o.sweeps = 0;
    o.lemke = false;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, w, &r), PERP_STALLED);
    ck_assert_str_eq(
        r.detail,
        "the friction bounds did not converge: they still disagree with the normal forces");
}
END_TEST

/* From a start that presses, with bounds of friction to match, the contact opens: all unknowns are
 * at their bounds, and the next bounds come without a linear system. */
START_TEST(nothing_between_the_bounds)
{
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, lo[] = {0, 0, 0}, hi[] = {INFINITY, 0, 0};
    const double q[] = {1, 10, -10}, mu[] = {0, 0.5, 0.5};
    const int follows[] = {-1, 0, 0};
    perp_problem p = perp_make_mcp(3, perp_dense(3, 3, M), q, lo, hi);
    perp_mcp_dantzig_options o = perp_mcp_dantzig_defaults();
    perp_result r;
    double z[3] = {1, 0, 0};
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    o.base.warm_start = true;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert(z[0] == 0 && z[1] == 0 && z[2] == 0);
}
END_TEST

/* Symmetric M of the families, dense and CSC, also from a warm start. */
START_TEST(families)
{
    static const char *const names[] = {"mcp_friction", "boxes", "stack", "chain", "plate"};
    for (int k = 0; k < 50; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_mcp_dantzig_options o = perp_mcp_dantzig_defaults();
        generated_problem g = mcp_generate(names[k % 5], 1 + k / 5, (uint64_t)k + 1, &a);
        size_t n = (size_t)perp_size(&g.p);
        double *z = perp_alloc(&a, n, sizeof *z);
        perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_msg(status == PERP_SOLVED, "%s %d: %s, %g", names[k % 5], k, r.detail,
                      r.residual.value);
        o.base.warm_start = true;
        ck_assert_int_eq(solve_checked(&g.p, &o.base, z, NULL, &r), PERP_SOLVED);
        ck_assert_int_eq(r.iterations, 0);
        for (size_t i = 0; i < n; i++) z[i] *= 1.001;
        ck_assert_int_eq(solve_checked(&g.p, &o.base, z, NULL, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

/* Where rounds go in circles, sweeps, proximal steps or Lemke's method on the unfolded boxes
 * find the way. */
START_TEST(circles)
{
    int alone = 0, swept = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        perp_arena a = {0};
        perp_result r;
        perp_mcp_dantzig_options o = perp_mcp_dantzig_defaults();
        generated_problem g = mcp_generate("boxes", 30, seed, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o.sweeps = 0;
        ck_assert_int_eq(solve_checked(&g.p, &o.base, z, NULL, &r), PERP_SOLVED);
        o.lemke = false;
        alone += solve_checked(&g.p, &o.base, z, NULL, &r) == PERP_SOLVED;
        o.sweeps = 300;
        swept += solve_checked(&g.p, &o.base, z, NULL, &r) == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_lt(alone, 12);
    ck_assert_int_gt(swept, alone);
}
END_TEST

/* Stacks whose M went through single precision, symmetric or not: no longer semidefinite, but
 * solved to 1e-6, for M as it is given. */
START_TEST(rounded)
{
    int solved = 0;
    for (int k = 0; k < 12; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_mcp_dantzig_options o = perp_mcp_dantzig_defaults();
        generated_problem g = mcp_generate("stack", 3 + k / 2, (uint64_t)k + 1, &a);
        size_t n = (size_t)perp_size(&g.p);
        double *M = perp_alloc(&a, n * n, sizeof *M), *z = perp_alloc(&a, n, sizeof *z);
        for (size_t j = 0; j < n; j++) {
            z[j] = 1;
            perp_mul(&g.p.as.mcp.F.M, 1, z, 0, M + j * n);
            z[j] = 0;
            for (size_t i = 0; i < n; i++) {
                float x = (float)M[j * n + i];
                M[j * n + i] = k % 2 && i < j ? (double)(x * (1 + 0x1p-22f)) : (double)x;
            }
        }
        g.p.as.mcp.F.M = perp_dense((int)n, (int)n, M);
        o.base.tol = 1e-6;
        solved += solve_checked(&g.p, &o.base, z, NULL, &r) == PERP_SOLVED;
        ck_assert_int_ge(r.status, 0);
        perp_arena_free(&a);
    }
    ck_assert_int_eq(solved, 12);
}
END_TEST

/* A box that follows a force of either sign, and bounds without friction. */
START_TEST(other_boxes)
{
    const double M[4] = {2, 1, 1, 2}, q[] = {3, -5}, lo[] = {-INFINITY, 0}, hi[] = {INFINITY, 0};
    const int follows[] = {-1, 0};
    const double mu[] = {0, 1};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
    perp_result r;
    double z[2];
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert_int_eq(solve_checked(&p, perp_find("mcp/dantzig"), z, NULL, &r), PERP_SOLVED);
    ck_assert(z[0] == -1.5 && z[1] == 0); /* a negative force leaves no box */
    p.as.mcp.follows = NULL;
    ck_assert_int_eq(solve_checked(&p, perp_find("mcp/dantzig"), z, NULL, &r), PERP_SOLVED);
    perp_problem none = perp_make_mcp(0, perp_dense(0, 0, NULL), NULL, NULL, NULL);
    ck_assert_int_eq(solve_checked(&none, perp_find("mcp/dantzig"), NULL, NULL, &r), PERP_SOLVED);
}
END_TEST

/* LCPs through lifting, and a proof that comes back. */
START_TEST(lifted)
{
    perp_arena a = {0};
    generated g;
    perp_result r;
    double z[20], w[20];
    ck_assert(lcp_generate(lcp_family_find("pd"), 20, 3, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    ck_assert_int_eq(solve_checked(&p, perp_find("mcp/dantzig"), z, w, &r), PERP_SOLVED);
    const double M[] = {1, -1, -1, 1}, q[] = {-1, -1}, lo[] = {0, 0};
    perp_problem m = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    ck_assert_int_eq(solve_checked(&m, perp_find("mcp/dantzig"), z, w, &r), PERP_INFEASIBLE);
    perp_arena_free(&a);
}
END_TEST

START_TEST(limits)
{
    perp_arena a = {0};
    perp_result r;
    perp_mcp_dantzig_options o = perp_mcp_dantzig_defaults();
    generated_problem g = mcp_generate("boxes", 30, 2, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    for (int k = 0; k < 300; k += 7) {
        o.base.max_iter = k;
        perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert(status == PERP_MAX_ITER || status == PERP_SOLVED);
        ck_assert_int_le(r.iterations, k);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    generated_problem g = mcp_generate("boxes", 4, 1, &a);
    perp_mcp_dantzig_options o = perp_mcp_dantzig_defaults();
    mcp_memory(&g.p, &o.base);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_dantzig");
    TCase *t = tcase_create("ncp_dantzig");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, nothing_between_the_bounds);
    tcase_add_test(t, families);
    tcase_add_test(t, circles);
    tcase_add_test(t, rounded);
    tcase_add_test(t, other_boxes);
    tcase_add_test(t, lifted);
    tcase_add_test(t, limits);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
