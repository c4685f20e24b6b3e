/* tests/ncp/test_newton_fb.c: mcp/newton_fb: dense and sparse, affine and by callback, callbacks
 * that misbehave, proofs. */
#include "literature_support.h"

#include <stdlib.h>

static perp_status solve(const perp_problem *p, double *z, perp_result *r)
{
    perp_mcp_newton_fb_options o = perp_mcp_newton_fb_defaults();
    o.base.tol = 1e-10;
    return solve_checked(p, &o.base, z, NULL, r);
}

START_TEST(published_solutions)
{
    static const char *const names[] = {"kojima_josephy", "billups", "taji", "rosen_suzuki",
                                        "nash5"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_arena a = {0};
        literature l;
        perp_result r;
        ck_assert(literature_make(literature_find(names[k]), 0, &a, &l));
        for (int t = 0; t < l.starts; t++) {
            double z[32];
            perp_mcp_newton_fb_options o = perp_mcp_newton_fb_defaults();
            o.base.tol = 1e-10;
            o.base.warm_start = true;
            memcpy(z, l.start + t * l.n, (size_t)l.n * sizeof *z);
            ck_assert_int_eq(solve_checked(&l.p, &o.base, z, NULL, &r), PERP_SOLVED);
            for (int i = 0; i < l.n; i++) {
                double far = fabs(z[i] - l.solution[i]);
                ck_assert_double_le(far, fmax(1e-7, l.accuracy) * (1 + fabs(z[i])));
            }
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* One problem dense, sparse and by both kinds of callback gives one solution. */
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
    for (int k = 0; k < 3; k++) {
        static const char *const families[] = {"mcp_box", "mcp_degenerate", "mcp_saddle"};
        perp_arena a = {0};
        generate_request request = generate_defaults;
        generated_problem g;
        request.family = families[k];
        request.size = 30;
        ck_assert(!generate_problem(&request, &a, &g, NULL));
        perp_problem p = g.p;
        perp_matrix M = p.as.mcp.F.M, C;
        ck_assert(!perp_convert(&M, PERP_FORMAT_CSC, &a, &C, NULL));
        const twin t = {&C, p.as.mcp.F.q};
        perp_result r;
        double z[30];
        ck_assert_int_eq(solve(&p, z, &r), PERP_SOLVED);
        p.as.mcp.F.M = C;
        ck_assert_int_eq(solve(&p, z, &r), PERP_SOLVED);
        p.as.mcp.F = (perp_map){.n = 30, .eval = twin_eval, .ctx = (void *)&t, .pattern = C};
        ck_assert_int_eq(solve(&p, z, &r), PERP_SOLVED);
        p.as.mcp.F.jacobian = twin_jacobian;
        ck_assert_int_eq(solve(&p, z, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

/* ---- callbacks that misbehave: 0 <= z _|_ z_i + 0.1 sum z - i >= 0 ---- */

#define N 6

typedef enum fault { NONE, NANS, REFUSES, LIES, OVERRUNS, NAN_JACOBIAN, FAR, SHRINKING } fault;

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
        for (int k = 0; k < N * N; k++) x[k] = -x[k];
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
        ck_assert_int_lt(r.iterations, 501);
    }
}
END_TEST

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
}
END_TEST

/* No solution, and nothing to prove that: -1 - z^2 stays negative. The origin, which is the first
 * start already, is not tried again; the next one is. */
static bool eval_hopeless(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = -1 - (z[0] - 3) * (z[0] - 3);
    return true;
}

START_TEST(other_starts)
{
    perp_problem p = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 1, .eval = eval_hopeless}};
    int iterations[4];
    for (int starts = 0; starts < 4; starts++) {
        perp_mcp_newton_fb_options o = perp_mcp_newton_fb_defaults();
        perp_result r;
        double z[1];
        o.starts = starts;
        ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_STALLED);
        iterations[starts] = r.iterations;
    }
    ck_assert_int_gt(iterations[1], iterations[0]); /* jumps */
    ck_assert_int_eq(iterations[2], iterations[1]);
    ck_assert_int_gt(iterations[3], iterations[2]);
}
END_TEST

START_TEST(a_fixed_arena)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, lo[2] = {0};
    const int cp[] = {0, 2, 4}, ci[] = {0, 1, 0, 1};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    static char buffer[40000];
    perp_arena a = {0};
    perp_result r;
    double z[2];
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert_int_eq(perp_solve(&p, perp_find("mcp/newton_fb"), &a, z, NULL, &r), PERP_SOLVED);
    p.as.mcp.F.M = perp_csc(2, 2, cp, ci, M);
    ck_assert_int_eq(perp_solve(&p, perp_find("mcp/newton_fb"), &a, z, NULL, &r), PERP_SOLVED);
    perp_arena_fixed(&a, buffer, 4000);
    ck_assert_int_eq(perp_solve(&p, perp_find("mcp/newton_fb"), &a, z, NULL, &r), PERP_E_MEMORY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_newton_fb");
    TCase *t = tcase_create("ncp_newton_fb");
    tcase_add_test(t, published_solutions);
    tcase_add_test(t, every_form);
    tcase_add_test(t, faulty_callbacks);
    tcase_add_test(t, proofs_and_corners);
    tcase_add_test(t, other_starts);
    tcase_add_test(t, a_fixed_arena);
    suite_add_tcase(s, t);
    return support_run(s);
}
