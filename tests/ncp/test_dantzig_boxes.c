/* tests/ncp/test_dantzig_boxes.c: principal pivoting with two bounds: by hand, random, singular,
 * proofs. */
#include "mcp_support.h"

#include "ncp/dantzig_boxes.h"

/* A solver that does one boxed solve from z. */
static perp_dantzig_boxes_end ended;

static perp_status once(perp_run *run, double *z)
{
    const perp_mcp *p = &run->problem->as.mcp;
    perp_dantzig_boxes b;
    perp_status status = perp_dantzig_boxes_open(&b, run);
    if (status) return status;
    for (int i = 0; i < b.n; i++) {
        b.lo[i] = p->lo ? p->lo[i] : -INFINITY;
        b.hi[i] = p->hi ? p->hi[i] : INFINITY;
        b.z[i] = z[i];
    }
    if (run->options->warm_start && !perp_dantzig_boxes_take(&b)) return PERP_E_MEMORY;
    ended = perp_dantzig_boxes_solve(&b);
    for (int i = 0; i < b.n; i++) z[i] = b.z[i];
    if (ended == PERP_DANTZIG_BOXES_RAY) return perp_dantzig_boxes_prove(&b);
    return PERP_SOLVED;
}

static const perp_solver solver = {.name = "mcp/once",
                                   .about = "one boxed solve",
                                   .kind = PERP_KIND_MCP,
                                   .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
                                   .options_size = sizeof(perp_plain_options),
                                   .solve = once};

static perp_status run_once(const perp_problem *p, bool warm, double *z, double *w, perp_result *r)
{
    perp_plain_options o = {{.solver = &solver, .tol = 1e-10, .max_iter = 100000, .threads = 1}};
    o.base.warm_start = warm;
    ended = PERP_DANTZIG_BOXES_STOPPED;
    return solve_checked(p, &o.base, z, w, r);
}

START_TEST(hand_worked)
{
    /* z_0 runs into its upper bound, z_1 settles inside, z_2 is free, z_3 fixed */
    const double M[16] = {2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 4, 1, 0, 0, 1, 1};
    const double q[] = {-5, -3, 2, 7}, lo[] = {0, 0, -INFINITY, 2}, hi[] = {1, 5, INFINITY, 2};
    perp_problem p = perp_make_mcp(4, perp_dense(4, 4, M), q, lo, hi);
    perp_result r;
    double z[4], w[4];
    ck_assert_int_eq(run_once(&p, false, z, w, &r), PERP_SOLVED);
    ck_assert(z[0] == 1 && z[3] == 2);
    ck_assert_double_eq_tol(z[1], 1, 1e-15);
    ck_assert_double_eq_tol(z[2], -1, 1e-15);
    ck_assert_double_eq_tol(w[0], -2, 1e-14);
}
END_TEST

/* Bounds of every kind, definite and of low rank, dense and CSC, from 0 and from anywhere. */
START_TEST(random_boxes)
{
    generator g = generator_start(5);
    for (int k = 0; k < 60; k++) {
        int n = 1 + k % 20, rank = k % 3 ? n : (n + 1) / 2;
        double A[400], M[400], q[20], lo[20], hi[20], z[20], w[20];
        perp_result r;
        for (int i = 0; i < n * rank; i++) A[i] = generator_uniform(&g);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                M[j * n + i] = 0;
                for (int l = 0; l < rank; l++) M[j * n + i] += A[l * n + i] * A[l * n + j];
            }
            int sort = generator_below(&g, 4);
            lo[i] = sort & 1 ? -generator_unit(&g) : -INFINITY;
            hi[i] = sort & 2 ? generator_unit(&g) : INFINITY;
            z[i] = 2 * generator_uniform(&g);
        }
        for (int i = 0; i < n; i++) { /* q in the range of M: there is a solution */
            q[i] = 0;
            for (int j = 0; j < n; j++) q[i] += 3 * M[j * n + i] * (j % 2 ? 1 : -1);
        }
        perp_arena a = {0};
        perp_matrix dense = perp_dense(n, n, M);
        perp_problem p = perp_make_mcp(n, in_format(k / 2 % 2, &dense, &a), q, lo, hi);
        perp_status status = run_once(&p, k % 2, z, w, &r);
        ck_assert_msg(status == PERP_SOLVED, "%d: %s, %d, %g", k, r.detail, ended,
                      r.residual.value);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(proves_that_there_is_none)
{
    /* z_0 - z_1 is what M sees, and q pushes both up without a bound above */
    const double M[] = {1, -1, -1, 1}, q[] = {-1, -1}, lo[] = {0, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    perp_result r;
    double z[2], w[2];
    ck_assert_int_eq(run_once(&p, false, z, w, &r), PERP_INFEASIBLE);
    const double hi[] = {INFINITY, 7}; /* bounded, and solved */
    p.as.mcp.hi = hi;
    ck_assert_int_eq(run_once(&p, false, z, w, &r), PERP_SOLVED);
    ck_assert(z[1] == 7 && fabs(z[0] - 8) < 1e-14);
}
END_TEST

START_TEST(refusals)
{
    const double skew[] = {1, 1, -1, 1}, indefinite[] = {1, 3, 3, 1}, q[] = {-1, -1};
    const double lo[] = {0, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, skew), q, lo, NULL);
    perp_result r;
    double z[2];
    ck_assert_int_eq(run_once(&p, false, z, NULL, &r), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(r.detail, "not symmetric"));
    const double rounded[] = {1, 0.5, 0.5 + 1e-7, 1}; /* read, for a shift to mend */
    p.as.mcp.F.M = perp_dense(2, 2, rounded);
    ck_assert_int_ge(run_once(&p, false, z, NULL, &r), 0);
    p.as.mcp.lo = NULL; /* both are driven */
    p.as.mcp.F.M = perp_dense(2, 2, indefinite);
    run_once(&p, false, z, NULL, &r);
    ck_assert_int_eq(ended, PERP_DANTZIG_BOXES_INDEFINITE);
}
END_TEST

/* The symmetric part with a larger diagonal, dense and CSC, and the factor of the set with it. */
static perp_status shift(perp_run *run, double *z)
{
    const perp_map *F = &run->problem->as.mcp.F;
    const double first[] = {1, 0}, second[] = {0, 1};
    perp_dantzig_boxes b;
    double column[2];
    perp_status status = perp_dantzig_boxes_open(&b, run);
    if (status) return status;
    ck_assert(b.rounded);
    b.z[0] = b.z[1] = 1;
    b.lo[0] = b.lo[1] = 0;
    b.hi[0] = b.hi[1] = INFINITY;
    ck_assert(perp_dantzig_boxes_take(&b) && b.a.u.k == 2);
    for (double part = 0.5; part >= 0.25; part /= 2) {
        ck_assert(perp_dantzig_boxes_shift(&b, &F->M, part));
        perp_mul(&b.M, 1, first, 0, column);
        ck_assert(column[0] == 2 * (1 + part) && column[1] == 1 + 0x1p-21);
        perp_mul(&b.M, 1, second, 0, column);
        ck_assert(column[0] == 1 + 0x1p-21 && column[1] == 3 * (1 + part));
        ck_assert(b.a.u.k == 2 && b.a.diagonal[1] == 3 * (1 + part));
        double r[] = {2 * (1 + part), 1 + 0x1p-21}, x[] = {0, 0};
        perp_active_factor_correct(&b.a, r, x);
        ck_assert(fabs(x[0] + 1) < 1e-14 && fabs(x[1]) < 1e-14);
    }
    z[0] = z[1] = 0;
    return PERP_SOLVED;
}

START_TEST(shifted)
{
    perp_solver s = solver;
    s.solve = shift;
    perp_plain_options o = {{.solver = &s, .tol = 1e-10, .max_iter = 10, .threads = 1}};
    const double M[] = {2, 1, 1 + 0x1p-20, 3}, q[] = {1, 1}, lo[] = {0, 0};
    const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1};
    perp_problem dense = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    perp_problem sparse = perp_make_mcp(2, perp_csc(2, 2, p, i, M), q, lo, NULL);
    perp_result r;
    double z[2];
    ck_assert_int_eq(solve_checked(&dense, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(solve_checked(&sparse, &o.base, z, NULL, &r), PERP_SOLVED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_boxed");
    TCase *t = tcase_create("ncp_boxed");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, random_boxes);
    tcase_add_test(t, proves_that_there_is_none);
    tcase_add_test(t, refusals);
    tcase_add_test(t, shifted);
    suite_add_tcase(s, t);
    return support_run(s);
}
