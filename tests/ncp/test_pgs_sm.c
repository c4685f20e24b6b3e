/* tests/ncp/test_pgs_sm.c: sweeps of projected Gauss-Seidel and Newton steps in their subspace. */
#include "mcp_support.h"

/* A sweep to (1.5, 0.75), and a step with the diagonal a hundredth larger. */
START_TEST(hand_worked)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-3, -3};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, NULL, NULL);
    perp_mcp_pgs_sm_options o = perp_mcp_pgs_sm_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2], d = 2.02, w = 2 * 1.5 + 0.75 - 3, det = d * d - 1;
    o.base.tol = 0;
    o.base.max_iter = 2;
    o.sweeps = 1;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_double_eq_tol(z[0], 1.5 - d * w / det, 1e-14);
    ck_assert_double_eq_tol(z[1], 0.75 + w / det, 1e-14);
    perp_arena_free(&a);
}
END_TEST

/* A body of mass 1 that is pushed down on a plane and along it: it sticks or slides. The bound
 * moves with the normal force, which the friction changes: one step finds both. */
START_TEST(bounds_move)
{
    const double M[] = {2, 0.5, 0.5, 1}, mu[] = {0, 0.5}, q[] = {-2, -3};
    const double lo[] = {0, -INFINITY};
    const int follows[] = {-1, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    perp_mcp_pgs_sm_options o = perp_mcp_pgs_sm_defaults();
    perp_result r;
    double z[2];
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 2 / 2.25, 1e-7); /* 2 z + 0.5 (0.5 z) = 2 */
    ck_assert_double_eq(z[1], 0.5 * z[0]);
}
END_TEST

/* Stacks and chains of any rank, cold, and families with known solutions: in how many iterations.
 */
START_TEST(families)
{
    static const struct {
        const char *family;
        int size, most;
    } t[] = {{"mcp_friction", 8, 100}, {"mcp_saddle", 20, 60}, {"stack", 8, 100},
             {"chain", 12, 100},       {"boxes", 6, 100},      {"incline", 6, 60}};
    perp_mcp_pgs_sm_options o = perp_mcp_pgs_sm_defaults();
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            perp_arena a = {0};
            perp_result r;
            generated_problem g = mcp_generate(t[k].family, t[k].size, seed, &a);
            double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
            perp_status s = solve_checked(&g.p, &o.base, z, NULL, &r);
            ck_assert_msg(s == PERP_SOLVED && r.iterations <= t[k].most, "%s %d: %d, %s",
                          t[k].family, (int)seed, r.iterations, r.detail);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Friction boxes with velocities as unknowns: m v = J' z, u = J v - g, a skew coupling, a zero
 * diagonal, and u of a contact whose normal slides along with its friction. */
#define BODIES 6
#define CONTACTS 8
#define ALL (3 * BODIES + 2 * CONTACTS)
typedef struct saddle {
    double M[ALL * ALL], q[ALL], lo[ALL], mu[ALL];
    int follows[ALL];
} saddle;

static perp_problem make_saddle(saddle *s, uint64_t seed, bool csc, perp_arena *a)
{
    generator g = generator_start(seed);
    int bodies = 3 * BODIES;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ALL; i++) {
        s->lo[i] = -INFINITY;
        s->follows[i] = -1;
    }
    for (int i = 0; i < bodies; i++) {
        s->M[i * ALL + i] = 0.5 + generator_unit(&g);
        s->q[i] = generator_uniform(&g);
    }
    for (int c = 0; c < 2 * CONTACTS; c++) {
        int row = bodies + c;
        s->lo[row] = c % 2 ? -INFINITY : 0;
        s->follows[row] = c % 2 ? row - 1 : -1;
        s->mu[row] = c % 2 ? 0.3 : 0;
        for (int i = 0; i < bodies; i++) {
            double J = (i / 3 + c / 2) % 3 == 0 ? generator_uniform(&g) : 0;
            s->M[i * ALL + row] = J;
            s->M[row * ALL + i] = -J;
        }
    }
    perp_problem p = perp_make_mcp(ALL, perp_dense(ALL, ALL, s->M), s->q, s->lo, NULL);
    p.as.mcp.follows = s->follows;
    p.as.mcp.mu = s->mu;
    if (csc) ck_assert(!perp_convert(&p.as.mcp.F.M, PERP_FORMAT_CSC, a, &p.as.mcp.F.M, NULL));
    return p;
}

/* Sweeps and pivots refuse them; mcp/auto does not. */
START_TEST(saddles)
{
    static saddle s;
    for (int k = 0; k < 20; k++) {
        perp_arena a = {0};
        perp_problem p = make_saddle(&s, (uint64_t)k / 2 + 1, k % 2, &a);
        perp_mcp_pgs_sm_options o = perp_mcp_pgs_sm_defaults();
        perp_mcp_pgs_options sweeps = perp_mcp_pgs_defaults();
        perp_mcp_dantzig_options pivots = perp_mcp_dantzig_defaults();
        perp_plain_options any = perp_mcp_auto_defaults();
        perp_result r;
        double z[ALL];
        ck_assert_int_eq(solve_checked(&p, &sweeps.base, z, NULL, &r), PERP_E_NUMBER);
        ck_assert_int_eq(solve_checked(&p, &pivots.base, z, NULL, &r), PERP_E_NUMBER);
        perp_status end = solve_checked(&p, &o.base, z, NULL, &r);
        ck_assert_msg(end == PERP_SOLVED && r.iterations <= 200, "%d: %d, %s", k, r.iterations,
                      r.detail);
        ck_assert_int_eq(solve_checked(&p, &any.base, z, NULL, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

/* z1 + z2 - 1 >= 0 and -z1 - z2 - 1 >= 0: it ends, and says why. */
START_TEST(no_solution)
{
    const double M[] = {1, -1, -1, 1}, q[] = {-1, -1}, lo[2] = {0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    perp_mcp_pgs_sm_options o = perp_mcp_pgs_sm_defaults();
    perp_result r;
    double z[2];
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_STALLED);
    ck_assert_int_le(r.iterations, 2000);
    ck_assert(r.detail[0] && isfinite(z[0]) && isfinite(z[1]));
    perp_problem nothing = {.kind = PERP_KIND_MCP};
    ck_assert_int_eq(solve_checked(&nothing, &o.base, NULL, NULL, &r), PERP_SOLVED);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    generated_problem g = mcp_generate("mcp_friction", 4, 1, &a);
    perp_mcp_pgs_sm_options o = perp_mcp_pgs_sm_defaults();
    mcp_memory(&g.p, &o.base);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_pgs_sm");
    TCase *t = tcase_create("ncp_pgs_sm");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, bounds_move);
    tcase_add_test(t, families);
    tcase_add_test(t, saddles);
    tcase_add_test(t, no_solution);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
