/* tests/core/test_limits.c: what a solve does once its time is over, by what is counted: looks,
 * orders, factorisations, certificates. No time is measured. */
#include "base/cache.h"
#include "generate.h"
#include "perp/perp.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static perp_problem generate(const char *family, const char *form, int size, perp_arena *a)
{
    generate_request r = generate_defaults;
    generated_problem g = {0};
    perp_error e = {0};
    r.family = family;
    r.form = form;
    r.size = size;
    ck_assert_msg(generate_problem(&r, a, &g, &e) == PERP_SOLVED, "%s", e.text);
    return g.p;
}

static bool never(void *ctx, const perp_progress *p)
{
    (void)ctx, (void)p;
    return false;
}

static bool always(void *ctx, const perp_progress *p)
{
    (void)p;
    ++*(int *)ctx;
    return true;
}

static bool is_finite(int n, const double *z)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(z[i])) return false;
    }
    return true;
}

/* One solver, whose time is over before it begins, or that is cancelled at the first question. */
static void solve_late(const perp_problem *p, const char *solver, bool cancel)
{
    perp_arena a = {0};
    perp_result r = {0};
    int n = perp_size(p);
    double *z = calloc((size_t)n, sizeof *z);
    perp_options *o = perp_options_new(&a, solver);
    o->max_seconds = cancel ? 0 : 1e-9;
    o->monitor = cancel ? never : NULL;
    o->tol = 1e-12;
    perp_status s = perp_solve(p, o, &a, z, NULL, &r),
                end = cancel ? PERP_CANCELLED : PERP_MAX_SECONDS;
    ck_assert_msg(s <= 0 || s == end, "%s: %s", solver, r.detail);
    ck_assert_msg(s != PERP_E_MEMORY, "%s: %s", solver, r.detail);
    ck_assert_msg(s < 0 || isfinite(r.residual.value), "%s: no certificate", solver);
    ck_assert_msg(is_finite(n, z), "%s: %s", solver, r.detail);
    if (!cancel) {
        unsigned begun = a.work[PERP_WORK_ORDER] + a.work[PERP_WORK_FACTOR];
        ck_assert_msg(begun == 0, "%s: %u orders and factorisations", solver, begun);
        ck_assert_msg(s < 0 || r.certificates <= 3, "%s: %d certificates", solver, r.certificates);
    }
    free(z);
    perp_arena_free(&a);
}

static void solve_all_late(const perp_problem *p)
{
    const char *kind = perp_kind_name(p->kind);
    size_t length = strlen(kind);
    for (const perp_options *const *o = perp_solvers(); *o; o++) {
        const char *solver = perp_solver_name(*o);
        if (strncmp(solver, kind, length) != 0 || solver[length] != '/') continue;
        solve_late(p, solver, false);
        solve_late(p, solver, true);
    }
}

/* Arrays of more than a megabyte, so that opening has to stop too. */
START_TEST(who_is_late_factors_nothing)
{
    static const struct {
        const char *family, *form;
        int size;
    } subjects[] = {{"obstacle2d", NULL, 150000},
                    {"packing", "fc3d", 3000},
                    {"packing", "fc3d_body", 3000},
                    {"pd", NULL, 600}};
    perp_arena a = {0};
    perp_problem p = generate(subjects[_i].family, subjects[_i].form, subjects[_i].size, &a);
    solve_all_late(&p);
    if (p.kind == PERP_KIND_LCP) {
        perp_problem qp =
            perp_make_qp(p.as.lcp.n, 0, p.as.lcp.M, p.as.lcp.q, (perp_matrix){0}, NULL, NULL);
        perp_problem ncp =
            perp_make_ncp((perp_map){.n = p.as.lcp.n, .M = p.as.lcp.M, .q = p.as.lcp.q});
        perp_problem nnls = perp_make_nnls(p.as.lcp.M, p.as.lcp.q);
        perp_problem mcp = perp_make_mcp(p.as.lcp.n, p.as.lcp.M, p.as.lcp.q, NULL, NULL);
        solve_all_late(&qp);
        solve_all_late(&ncp);
        solve_all_late(&nnls);
        solve_all_late(&mcp);
    }
    perp_arena_free(&a);
}
END_TEST

/* Where the rate that the arena remembers says that an order takes longer than is left, it is not
 * begun; mcp/auto goes on with sweeps. */
START_TEST(no_call_is_made_that_would_not_end)
{
    perp_arena data = {0};
    perp_problem p = generate("obstacle2d", NULL, 400, &data);
    static const char *const solvers[] = {"lcp/newton_fb", "lcp/newton_min", "lcp/pivot",
                                          "mcp/path"};
    double z[400];
    perp_result r = {0};
    for (int k = 0; k < 4; k++) {
        perp_arena a = {.rates = {1e-3F, 1e-3F}};
        perp_options *o = perp_options_new(&a, solvers[k]);
        o->max_seconds = 1000;
        ck_assert_int_eq(perp_solve(&p, o, &a, z, NULL, &r), PERP_MAX_SECONDS);
        ck_assert_msg(strstr(r.detail, "s order, predicted to take"), "%s", r.detail);
        ck_assert_int_eq(a.work[PERP_WORK_FACTOR], 0);
        ck_assert(isfinite(r.residual.value));
        o->max_seconds = 0; /* without a limit no rate is looked at */
        ck_assert_int_eq(perp_solve(&p, o, &a, z, NULL, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
    perp_arena a = {.rates = {1e-3F, 1e-3F}};
    perp_options *o = perp_options_new(&a, "mcp/auto");
    o->max_seconds = 1000;
    ck_assert_int_eq(perp_solve(&p, o, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(a.work[PERP_WORK_FACTOR], 0);
    perp_arena_free(&a);
    perp_arena_free(&data);
}
END_TEST

/* A monitor that never cancels, and a limit that is not met, change nothing: dense factors have the
 * same panels. */
START_TEST(who_only_looks_changes_nothing)
{
    static const char *const solvers[] = {"lcp/newton_fb", "lcp/newton_min", "lcp/pivot",
                                          "mcp/newton_fb"};
    enum { n = 600 };
    perp_arena data = {0}, a = {0};
    perp_problem p = generate("pd", NULL, n, &data);
    for (int k = 0; k < 4; k++) {
        double z[n], watched[n];
        int calls = 0;
        perp_result r = {0}, other = {0};
        perp_options *o = perp_options_new(&data, solvers[k]);
        perp_solve(&p, o, &a, z, NULL, &r);
        o->monitor = always;
        o->monitor_ctx = &calls;
        o->max_seconds = 1e6;
        perp_solve(&p, o, &a, watched, NULL, &other);
        ck_assert_int_eq(r.status, other.status);
        ck_assert_int_eq(r.iterations, other.iterations);
        ck_assert_int_eq(memcmp(z, watched, sizeof z), 0);
        ck_assert_int_gt(calls, 0);
    }
    perp_arena_free(&a);
    perp_arena_free(&data);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("limits");
    TCase *t = tcase_create("limits");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, who_is_late_factors_nothing, 0, 4);
    tcase_add_test(t, no_call_is_made_that_would_not_end);
    tcase_add_test(t, who_only_looks_changes_nothing);
    suite_add_tcase(s, t);
    return support_run(s);
}
