/* tests/ncp/test_semismooth_mcp.c: an mcp's map and bounds in a Newton method, and how runs end:
 * proofs, callbacks that misbehave, stalls. The struct needs a run, so small solvers are driven. */
#include "ncp/semismooth_mcp.h"

#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static perp_status drive(perp_status (*solve)(perp_run *run, double *z), const perp_map *F,
                         const double *lo, const double *hi, perp_result *r, double *z)
{
    const perp_solver solver = {.name = "mcp/inspector",
                                .about = "looks at the pieces",
                                .kind = PERP_KIND_MCP,
                                .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
                                .flags = PERP_SOLVER_READS_CALLBACK,
                                .options_size = sizeof(perp_options),
                                .solve = solve};
    perp_problem p = {.kind = PERP_KIND_MCP, .as.mcp = {.F = *F, .lo = lo, .hi = hi}};
    perp_options o = {.solver = &solver, .tol = 1e-10, .max_iter = 10, .threads = 1};
    perp_arena a = {0};
    perp_status status = perp_solve(&p, &o, &a, z, NULL, r);
    perp_arena_free(&a);
    return status;
}

/* ---- a solution ---- */

/* F = (exp(z0) - 2 + z1, z1 - z0 - 1/2): undefined for z0 < 0 or z1 > 2. */
static bool eval(void *ctx, const double *z, double *F)
{
    int *outside = ctx;
    F[0] = exp(z[0]) - 2 + z[1];
    F[1] = z[1] - z[0] - 0.5;
    bool defined = z[0] >= 0 && z[1] <= 2;
    *outside += !defined;
    return defined;
}

static perp_status step_to_the_end(perp_run *run, double *z)
{
    semismooth_mcp k;
    const double far[] = {-3, 9};
    ck_assert_int_eq(perp_semismooth_mcp_open(&k, run, 3), PERP_SOLVED);
    ck_assert(!k.s.map.outside && k.s.lo[0] == 0 && k.s.hi[0] == INFINITY); /* no bound given */
    ck_assert(k.s.lo[1] == -INFINITY && k.s.hi[1] == 2);
    ck_assert(perp_semismooth_box_start(&k.s, far));
    while (perp_semismooth_box_natural(&k.s) > 1e-12) {
        ck_assert(perp_semismooth_box_step(&k.s, 12, 1e-8));
    }
    memcpy(z, k.s.z, 2 * sizeof *z);
    return PERP_SOLVED;
}

START_TEST(callback)
{
    int outside = 0;
    const double lo[] = {0, -INFINITY}, hi[] = {INFINITY, 2};
    const perp_map F = {.n = 2, .eval = eval, .ctx = &outside};
    perp_result r;
    double z[2] = {0};
    ck_assert_int_eq(drive(step_to_the_end, &F, lo, hi, &r, z), PERP_SOLVED);
    ck_assert_double_eq_tol(exp(z[0]) + z[0], 1.5, 1e-9);
    ck_assert_int_eq(outside, 0); /* F is not asked outside, by differences either */
}
END_TEST

/* ---- ends ---- */

static perp_status stop_at_start(perp_run *run, double *z)
{
    semismooth_mcp k;
    ck_assert_int_eq(perp_semismooth_mcp_open(&k, run, 1), PERP_SOLVED);
    if (!perp_semismooth_box_start_near(&k.s, z)) return perp_semismooth_mcp_refuse(&k);
    perp_status status = perp_semismooth_mcp_end(&k);
    return status == PERP_STALLED ? perp_semismooth_mcp_stall(&k) : status;
}

/* 0 z - 1 >= 0 has no solution, and the gradient says so; z - 1 has one, which the start is not. */
START_TEST(proof_or_stall)
{
    const double zero[] = {0}, one[] = {1}, q[] = {-1};
    perp_map F = {.n = 1, .M = perp_dense(1, 1, zero), .q = q};
    perp_result r;
    double z[1] = {0};
    ck_assert_int_eq(drive(stop_at_start, &F, zero, NULL, &r, z), PERP_INFEASIBLE);
    F.M = perp_dense(1, 1, one);
    ck_assert_int_eq(drive(stop_at_start, &F, zero, NULL, &r, z), PERP_STALLED);
    ck_assert_ptr_nonnull(strstr(r.detail, "stationary"));
}
END_TEST

static bool eval_faulty(void *ctx, const double *z, double *F)
{
    const char *fault = ctx;
    F[0] = z[0] - 1;
    if (*fault == 'o') F[1] = 0;
    return *fault != 'u';
}

static bool jacobian_faulty(void *ctx, const double *z, double *x)
{
    const char *fault = ctx;
    (void)z;
    x[0] = *fault == 'l' ? -1 : 1;
    return true;
}

START_TEST(callbacks_that_misbehave)
{
    static const struct {
        const char *fault;
        perp_status status;
        const char *word;
    } t[] = {{"undefined", PERP_E_NUMBER, "undefined"},
             {"overruns", PERP_E_ARGUMENT, "beyond"},
             {"lies", PERP_STALLED, "jacobian() is wrong"},
             {"none", PERP_STALLED, "stationary"}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        char fault = *t[k].fault;
        const perp_map F = {
            .n = 1, .eval = eval_faulty, .jacobian = jacobian_faulty, .ctx = &fault};
        const double lo[] = {0};
        perp_result r;
        double z[1] = {0};
        ck_assert_int_eq(drive(stop_at_start, &F, lo, NULL, &r, z), t[k].status);
        ck_assert_msg(strstr(r.detail, t[k].word) != NULL, "%s: %s", t[k].fault, r.detail);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("semismooth_mcp");
    TCase *t = tcase_create("semismooth_mcp");
    tcase_add_test(t, callback);
    tcase_add_test(t, proof_or_stall);
    tcase_add_test(t, callbacks_that_misbehave);
    suite_add_tcase(s, t);
    return support_run(s);
}
