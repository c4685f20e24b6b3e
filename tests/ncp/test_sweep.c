/* tests/ncp/test_sweep.c: one sweep over boxes and friction boxes: by hand, in every format. */
#include "mcp_support.h"

#include "ncp/sweep.h"

/* A solver that makes `max_iter` sweeps and no more. */
typedef struct tally {
    perp_status status;
    double square, estimate, state[64];
} tally;

static tally seen;

static perp_status sweeps(perp_run *run, double *z)
{
    perp_box_sweep s;
    perp_status status = perp_box_open(run, 1, z, &s);
    if (status) return seen.status = status;
    while (perp_continue(run, z, INFINITY)) seen.estimate = perp_box_run(&s, z, &seen.square);
    if (s.state_size <= 64) memcpy(seen.state, s.state, s.state_size * sizeof *s.state);
    perp_box_refresh(&s, z);
    if (s.state_size <= 64) /* what was kept is what z gives */
        ck_assert_double_le(difference((int)s.state_size, seen.state, s.state), 1e-12);
    return run->status;
}

static const perp_solver solver = {
    .name = "mcp/sweeps",
    .about = "sweeps",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_READS_FOLLOWS,
    .options_size = sizeof(perp_plain_options),
    .solve = sweeps};

static perp_status run_sweeps(const perp_problem *p, int count, double *z, perp_result *r)
{
    perp_plain_options o = {{.solver = &solver, .tol = 1e-13, .max_iter = count, .threads = 1}};
    perp_arena a = {0};
    o.base.warm_start = true;
    seen = (tally){0};
    perp_status status = perp_solve(p, &o.base, &a, z, NULL, r);
    perp_arena_free(&a);
    return status;
}

START_TEST(hand_worked)
{
    /* normal 0, friction 1 within 0.5 z_0, free 2, box [-1, 1] 3 */
    const double M[16] = {2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1};
    const double q[] = {-4, -9, 2, 5}, lo[] = {0, 7, -INFINITY, -1},
                 hi[] = {INFINITY, 8, INFINITY, 1};
    const int follows[] = {-1, 0, -1, -1};
    const double mu[] = {NAN, 0.5, NAN, NAN};
    perp_problem p = perp_make_mcp(4, perp_dense(4, 4, M), q, lo, hi);
    perp_result r;
    double z[4] = {0};
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    run_sweeps(&p, 1, z, &r);
    /* z_0 = 2, w_1 = -7: 3.5 is cut to 0.5 z_0; z_2 = -1/2; z_3 = -5 is cut to -1 */
    ck_assert(z[0] == 2 && z[1] == 1 && z[2] == -0.5 && z[3] == -1);
    ck_assert_double_eq(seen.square, 4 + 1 + 0.25 + 1);
    /* natural map: w = (1, -5, 0, 4): z_0 would go to 1, the others stay at their bounds */
    ck_assert_double_eq_tol(seen.estimate, 1 / sqrt(16 + 81 + 4 + 25), 1e-15);
}
END_TEST

/* Starts outside: own bounds first, then those that follow. */
START_TEST(starts_inside)
{
    const double M[4] = {1, 0, 0, 1}, q[] = {0, 0}, lo[] = {-INFINITY, 1}, hi[] = {INFINITY, 3};
    const int follows[] = {1, -1};
    const double mu[] = {0.5, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
    perp_result r;
    double z[2] = {-50, 80};
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    run_sweeps(&p, 0, z, &r);
    ck_assert(z[1] == 3 && z[0] == -1.5);
}
END_TEST

/* The same numbers from dense, CSC and, up to rounding, factors. */
START_TEST(formats_agree)
{
    static const char *const scenes[] = {"stack", "chain", "boxes", "tower"};
    perp_arena a = {0};
    perp_problem p, f, d;
    perp_result r;
    perp_error e;
    mcp_twice(scenes[_i % 4], 2 + _i / 4, (uint64_t)_i + 1, &a, &p, &f);
    size_t n = (size_t)perp_size(&p);
    d = p;
    ck_assert(!perp_convert(&p.as.mcp.F.M, PERP_FORMAT_DENSE, &a, &d.as.mcp.F.M, &e));
    double *x = perp_alloc(&a, n, sizeof *x), *y = perp_alloc(&a, n, sizeof *y);
    double *z = perp_alloc(&a, n, sizeof *z);
    for (size_t i = 0; i < n; i++) x[i] = y[i] = z[i] = 0.01 * (double)(i % 7);
    run_sweeps(&p, 5, x, &r);
    double square = seen.square;
    run_sweeps(&d, 5, y, &r);
    ck_assert_double_le(difference((int)n, x, y), 1e-14);
    run_sweeps(&f, 5, z, &r);
    ck_assert_double_le(difference((int)n, x, z), 1e-12);
    ck_assert_double_eq_tol(seen.square, square, 1e-12);
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    const double M[] = {1, 0, 0, 0}, q[] = {-0.5, -1}, lo[] = {0, 0}, hi[] = {1, 1},
                 same[] = {1, 0};
    perp_matrix dense = perp_dense(2, 2, M);
    perp_problem p = perp_make_mcp(2, dense, q, lo, hi);
    perp_result r;
    double z[2] = {0};
    ck_assert_int_eq(run_sweeps(&p, 1, z, &r), PERP_E_NUMBER);
    ck_assert_str_eq(r.detail, "M[1][1] = 0 is not positive: a sweep divides by it");
    p.as.mcp.hi = same; /* z_1 = 0 never moves */
    ck_assert_int_eq(run_sweeps(&p, 1, z, &r), PERP_SOLVED);
    p.as.mcp.F.M = as_operator(&dense);
    z[0] = 0;
    ck_assert_int_eq(run_sweeps(&p, 1, z, &r), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.detail, "not as an operator"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_sweep");
    TCase *t = tcase_create("ncp_sweep");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, starts_inside);
    tcase_add_loop_test(t, formats_agree, 0, 12);
    tcase_add_test(t, refusals);
    suite_add_tcase(s, t);
    return support_run(s);
}
