/* tests/ncp/test_infeasible_lp.c: what has no feasible point is refuted, monotone or not; what has
 * one is not. */
#include "core/internal.h"
#include "mcp_support.h"
#include "ncp/infeasible_lp.h"
#include "perp/solvers.h"

/* A solver that does nothing but ask. */
static perp_status ask(perp_run *run, double *z)
{
    (void)z;
    perp_status s = perp_infeasible_lp(run);
    return s ? s : perp_fail(run, PERP_STALLED, "feasible, or not known");
}

static const perp_solver asker = {.name = "mcp/asker",
                                  .about = "test",
                                  .kind = PERP_KIND_MCP,
                                  .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
                                  .flags = PERP_SOLVER_READS_CALLBACK | PERP_SOLVER_READS_FOLLOWS,
                                  .options_size = sizeof(perp_plain_options),
                                  .solve = ask};

static perp_status refute(const perp_problem *p)
{
    perp_plain_options o = {.base = {.solver = &asker, .tol = 1e-8, .max_iter = 100000}};
    perp_arena a = {0};
    perp_result r;
    perp_residual check;
    double z[64] = {0}, w[64];
    o.base.threads = 1;
    perp_status s = perp_solve(p, &o.base, &a, z, w, &r);
    if (s == PERP_INFEASIBLE) ck_assert(!perp_check(p, s, w, NULL, &a, &check));
    perp_arena_free(&a);
    return s;
}

/* Two equations with the same left side, and M that is not monotone. */
START_TEST(contradictions)
{
    const double M[] = {1, 1, -2, -3, -3, 1, 5, 5, 0}, q[] = {1, 2, 0};
    const double lo[] = {-INFINITY, -INFINITY, 0};
    perp_problem p = perp_make_mcp(3, perp_dense(3, 3, M), q, lo, NULL);
    ck_assert_int_eq(refute(&p), PERP_INFEASIBLE);
    const double same[] = {1, 1, 0};
    p.as.mcp.F.q = same;
    ck_assert_int_eq(refute(&p), PERP_STALLED);
}
END_TEST

/* F_0 = z_0 - 5 >= 0 is wanted; z_0 <= 3 asks for nothing, but F_1 = -z_0 - 1 >= 0 does. */
START_TEST(signs_and_bounds)
{
    const double M[] = {1, -1, 0, 1}, q[] = {-5, -1}, lo[] = {0, 0}, hi[] = {3, INFINITY};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
    ck_assert_int_eq(refute(&p), PERP_STALLED); /* z_1 = 4 */
    const double flat[] = {1, -1, 0, 0};
    p.as.mcp.F.M = perp_dense(2, 2, flat);
    ck_assert_int_eq(refute(&p), PERP_INFEASIBLE);
    const double below[] = {-INFINITY, -INFINITY}, zero[] = {0, 0}, up[] = {5, -1};
    p = perp_make_mcp(2, perp_dense(2, 2, flat), up, below, zero); /* z_0 <= -5 and z_0 >= -1 */
    ck_assert_int_eq(refute(&p), PERP_INFEASIBLE);
}
END_TEST

/* No affine map, or bounds that move: nothing is said. */
static bool eval(void *ctx, const double *z, double *F)
{
    (void)ctx, (void)z;
    F[0] = -1;
    return true;
}

START_TEST(others)
{
    const double M[] = {0, 0, 0, 0}, q[] = {-1, -1}, lo[] = {0, 0}, mu[] = {0, 1};
    const int follows[] = {-1, 0};
    perp_problem p = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 1, .eval = eval}};
    ck_assert_int_eq(refute(&p), PERP_STALLED);
    p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    ck_assert_int_eq(refute(&p), PERP_INFEASIBLE);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert_int_eq(refute(&p), PERP_STALLED);
    perp_problem nothing = {.kind = PERP_KIND_MCP};
    ck_assert_int_eq(refute(&nothing), PERP_SOLVED); /* z is certified before anyone asks */
}
END_TEST

/* mcp/auto ends with the proof. */
START_TEST(automatic)
{
    enum { N = 30 };
    double M[N * N], q[N], lo[N], z[N];
    generator g = generator_start(3);
    for (int k = 0; k < N * N; k++) M[k] = generator_uniform(&g);
    for (int i = 0; i < N; i++) {
        q[i] = generator_uniform(&g);
        lo[i] = i < N / 2 ? -INFINITY : 0;
    }
    for (int j = 0; j < N; j++) M[j * N + 1] = M[j * N];
    q[1] = q[0] + 1;
    perp_problem p = perp_make_mcp(N, perp_dense(N, N, M), q, lo, NULL);
    perp_result r;
    ck_assert_int_eq(solve_checked(&p, perp_find("mcp/auto"), z, NULL, &r), PERP_INFEASIBLE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_refute");
    TCase *t = tcase_create("ncp_refute");
    tcase_add_test(t, contradictions);
    tcase_add_test(t, signs_and_bounds);
    tcase_add_test(t, others);
    tcase_add_test(t, automatic);
    suite_add_tcase(s, t);
    return support_run(s);
}
