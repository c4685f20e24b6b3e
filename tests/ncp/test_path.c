/* tests/ncp/test_path.c: mcp/path: every form of a problem, each of its means alone, callbacks that
 * misbehave, limits, memory that ends. */
#include "literature_support.h"

static perp_status solve_with(const perp_problem *p, perp_mcp_path_options o, double *z,
                              perp_result *r)
{
    o.base.tol = 1e-10;
    return solve_checked(p, &o.base, z, NULL, r);
}

static perp_status solve(const perp_problem *p, double *z, perp_result *r)
{
    return solve_with(p, perp_mcp_path_defaults(), z, r);
}

/* The published solutions; without the crash, the watchdog and restarts too, but for the first,
 * where the merit has a valley that leads elsewhere. */
START_TEST(published_solutions)
{
    static const char *const names[] = {"kojima_josephy", "taji", "rosen_suzuki", "nash5"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_arena a = {0};
        literature l;
        perp_result r;
        ck_assert(literature_make(literature_find(names[k]), 0, &a, &l));
        for (int t = 0; t < 2 * l.starts; t++) {
            double z[32];
            perp_mcp_path_options o = perp_mcp_path_defaults();
            o.base.warm_start = true;
            if (t & 1 && k > 0) {
                o.crash = o.watchdog = o.restarts = 0;
                o.memory = 1;
            }
            memcpy(z, l.start + t / 2 * l.n, (size_t)l.n * sizeof *z);
            ck_assert_msg(solve_with(&l.p, o, z, &r) == PERP_SOLVED, "%s %d: %s", names[k], t,
                          r.detail);
            for (int i = 0; i < l.n; i++) {
                double far = fabs(z[i] - l.solution[i]);
                ck_assert_double_le(far, fmax(1e-7, l.accuracy) * (1 + fabs(z[i])));
            }
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* ---- one problem dense, sparse and by both kinds of callback ---- */

typedef struct twin {
    const perp_matrix *M;
    const double *q;
} twin;

static bool twin_eval(void *ctx, const double *z, double *F)
{
    const twin *t = ctx;
    memcpy(F, t->q, (size_t)t->M->n * sizeof *F);
    perp_mul(t->M, 1, z, 1, F);
    return true;
}

static bool twin_jacobian(void *ctx, const double *z, double *values)
{
    const twin *t = ctx;
    (void)z;
    memcpy(values, t->M->as.csc.x, (size_t)t->M->as.csc.p[t->M->n] * sizeof *values);
    return true;
}

START_TEST(every_form)
{
    for (int k = 0; k < 6; k++) {
        static const char *const families[] = {"mcp_box", "mcp_degenerate", "mcp_saddle"};
        perp_arena a = {0};
        generate_request request = generate_defaults;
        generated_problem g;
        request.family = families[k % 3];
        request.size = 30;
        request.seed = (uint64_t)k + 1;
        ck_assert(!generate_problem(&request, &a, &g, NULL));
        perp_problem p = g.p;
        perp_matrix M = p.as.mcp.F.M, C;
        ck_assert(!perp_convert(&M, PERP_FORMAT_CSC, &a, &C, NULL));
        const twin t = {&C, p.as.mcp.F.q};
        perp_mcp_path_options o = perp_mcp_path_defaults();
        perp_result r;
        double z[30];
        o.crash = k < 3 ? o.crash : 0;
        ck_assert_int_eq(solve_with(&p, o, z, &r), PERP_SOLVED);
        p.as.mcp.F.M = C;
        ck_assert_int_eq(solve_with(&p, o, z, &r), PERP_SOLVED);
        p.as.mcp.F = (perp_map){.n = 30, .eval = twin_eval, .ctx = (void *)&t, .pattern = C};
        ck_assert_int_eq(solve_with(&p, o, z, &r), PERP_SOLVED);
        p.as.mcp.F.jacobian = twin_jacobian;
        ck_assert_int_eq(solve_with(&p, o, z, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

/* ---- callbacks that misbehave: 0 <= z _|_ z_i + 0.1 sum z - i >= 0 ---- */

#define N 6

typedef enum fault { NONE, NANS, REFUSES, LIES, OVERRUNS, NAN_JACOBIAN, FAR } fault;

static bool fault_eval(void *ctx, const double *z, double *F)
{
    const fault *f = ctx;
    double sum = 0;
    for (int i = 0; i < N; i++) sum += z[i];
    for (int i = 0; i < N; i++) F[i] = z[i] + 0.1 * sum + (i % 2 ? 1 : -1) * (i + 1.0);
    if (*f == NANS) F[2] = NAN;
    if (*f == FAR) return sum < 1; /* the solution is beyond */
    return *f != REFUSES;
}

static bool fault_jacobian(void *ctx, const double *z, double *x)
{
    const fault *f = ctx;
    (void)z;
    for (int k = 0; k < N * N; k++) x[k] = 0.1 + (k % (N + 1) == 0);
    if (*f == LIES) {
        for (int k = 0; k < N * N; k++) x[k] = -1e6 * x[k];
    }
    if (*f == OVERRUNS) x[N * N] = 1;
    if (*f == NAN_JACOBIAN) x[3] = NAN;
    return true;
}

START_TEST(faulty_callbacks)
{
    static const struct {
        fault f;
        bool jacobian;
        perp_status status;
        const char *word;
    } t[] = {{NONE, true, PERP_SOLVED, ""},
             {NONE, false, PERP_SOLVED, ""},
             {NANS, true, PERP_E_NUMBER, "undefined"},
             {NANS, false, PERP_E_NUMBER, "undefined"},
             {REFUSES, true, PERP_E_NUMBER, "undefined"},
             {REFUSES, false, PERP_E_NUMBER, "undefined"},
             {LIES, true, PERP_STALLED, "jacobian() is wrong"},
             {OVERRUNS, true, PERP_E_ARGUMENT, "beyond"},
             {NAN_JACOBIAN, true, PERP_E_NUMBER, "undefined"},
             {FAR, true, PERP_STALLED, ""},
             {FAR, false, PERP_STALLED, ""}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        perp_problem p = {.kind = PERP_KIND_NCP,
                          .as.ncp.F = {.n = N, .eval = fault_eval, .ctx = (void *)&t[k].f}};
        perp_result r;
        double z[N];
        if (t[k].jacobian) p.as.ncp.F.jacobian = fault_jacobian;
        ck_assert_msg(solve(&p, z, &r) == t[k].status, "%zu: %s %s", k, perp_status_name(r.status),
                      r.detail);
        ck_assert_msg(strstr(r.detail, t[k].word) != NULL, "%zu: %s", k, r.detail);
        for (int i = 0; i < N; i++) ck_assert(isfinite(z[i]));
        ck_assert_int_lt(r.iterations, 20000);
    }
}
END_TEST

/* ---- small ones ---- */

START_TEST(proofs_and_corners)
{
    perp_result r;
    double z[3];
    const double apart[] = {1, -1, -1, 1}, q[] = {-1, -1}, zero[2] = {0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, apart), q, zero, NULL);
    ck_assert_int_eq(solve(&p, z, &r), PERP_INFEASIBLE);
    perp_problem nothing = {.kind = PERP_KIND_MCP};
    ck_assert_int_eq(solve(&nothing, NULL, &r), PERP_SOLVED);
    const double one = 1, five[] = {5}, minus = -3; /* fixed, and free */
    p = perp_make_mcp(1, perp_dense(1, 1, &one), &minus, five, five);
    ck_assert_int_eq(solve(&p, z, &r), PERP_SOLVED);
    ck_assert_double_eq(z[0], 5);
    p = perp_make_mcp(1, perp_dense(1, 1, &one), &minus, NULL, NULL);
    ck_assert_int_eq(solve(&p, z, &r), PERP_SOLVED);
    ck_assert_double_eq(z[0], 3);
    const int follows[] = {-1, 0};
    p = perp_make_mcp(2, perp_dense(2, 2, apart), q, zero, NULL);
    const double mu[] = {0, 1};
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert_int_eq(solve(&p, z, &r), PERP_E_FORMAT);
}
END_TEST

/* The path of a monotone problem without a feasible point ends on a ray that says so, soon. */
START_TEST(infeasible)
{
    static const char *const names[] = {"infeasible_row", "infeasible_skew", "infeasible_psd"};
    for (int k = 0; k < 12; k++) {
        perp_arena a = {0};
        generated g;
        perp_result r;
        double z[64];
        ck_assert(lcp_generate(lcp_family_find(names[k % 3]), 4 + 5 * k, (uint64_t)k + 1, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        if (k & 1) {
            perp_matrix M = p.as.lcp.M;
            ck_assert(!perp_convert(&M, PERP_FORMAT_CSC, &a, &p.as.lcp.M, NULL));
        }
        ck_assert_int_eq(solve(&p, z, &r), PERP_INFEASIBLE);
        ck_assert_int_lt(r.iterations, 40 + 4 * g.n);
        perp_arena_free(&a);
    }
}
END_TEST

/* Every LCP family that has one solution. */
START_TEST(lifted)
{
    static const char *const names[] = {"pd",       "nonsymmetric", "dominant", "tied",
                                        "obstacle", "sparse",       "murty",    "badly_scaled"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        for (int n = 1; n <= 41; n += 10) {
            perp_arena a = {0};
            generated g;
            perp_result r;
            double z[64];
            ck_assert(lcp_generate(lcp_family_find(names[k]), n, 1, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            ck_assert_msg(solve(&p, z, &r) == PERP_SOLVED, "%s %d: %s %g", names[k], n, r.detail,
                          r.residual.value);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* A limit ends it wherever it is: in the crash, on a path, between. */
START_TEST(limits)
{
    perp_arena a = {0};
    literature l;
    ck_assert(literature_make(literature_find("obstacle"), 400, &a, &l));
    double *z = perp_alloc(&a, (size_t)l.n, sizeof *z);
    perp_mcp_path_options o = perp_mcp_path_defaults();
    o.crash = 0;
    perp_status s = PERP_MAX_ITER;
    for (int limit = 0; s == PERP_MAX_ITER; limit++) {
        perp_result r;
        o.base.max_iter = limit;
        s = solve_with(&l.p, o, z, &r);
        ck_assert_int_le(r.iterations, limit);
        ck_assert_int_lt(limit, 500);
    }
    ck_assert_int_eq(s, PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    literature l;
    ck_assert(literature_make(literature_find("obstacle"), 225, &a, &l));
    double *z = perp_alloc(&a, (size_t)l.n, sizeof *z);
    for (int crash = 0; crash < 2; crash++) {
        perp_mcp_path_options o = perp_mcp_path_defaults();
        perp_status s = PERP_E_MEMORY;
        o.crash = crash ? o.crash : 0;
        for (int left = 0; s == PERP_E_MEMORY; left++) {
            supply end = {.left = left};
            perp_arena b = {.resize = scarce, .ctx = &end};
            perp_result r;
            s = perp_solve(&l.p, &o.base, &b, z, NULL, &r);
            ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
            perp_arena_free(&b);
            ck_assert_int_eq(end.out, 0);
        }
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_fixed_arena)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, lo[2] = {0};
    const int cp[] = {0, 2, 4}, ci[] = {0, 1, 0, 1};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    static char buffer[100000];
    perp_arena a = {0};
    perp_result r;
    double z[2];
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert_int_eq(perp_solve(&p, perp_find("mcp/path"), &a, z, NULL, &r), PERP_SOLVED);
    p.as.mcp.F.M = perp_csc(2, 2, cp, ci, M);
    ck_assert_int_eq(perp_solve(&p, perp_find("mcp/path"), &a, z, NULL, &r), PERP_SOLVED);
    perp_arena_fixed(&a, buffer, 4000);
    ck_assert_int_eq(perp_solve(&p, perp_find("mcp/path"), &a, z, NULL, &r), PERP_E_MEMORY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_path");
    TCase *t = tcase_create("ncp_path");
    tcase_add_test(t, published_solutions);
    tcase_add_test(t, every_form);
    tcase_add_test(t, faulty_callbacks);
    tcase_add_test(t, proofs_and_corners);
    tcase_add_test(t, infeasible);
    tcase_add_test(t, lifted);
    tcase_add_test(t, limits);
    tcase_add_test(t, memory);
    tcase_add_test(t, a_fixed_arena);
    suite_add_tcase(s, t);
    return support_run(s);
}
