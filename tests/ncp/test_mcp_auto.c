/* tests/ncp/test_mcp_auto.c: mcp/auto: the next solver where one fails, honest ends, misbehaving
 * callbacks in bounded time, and every stored mixed and relay problem. */
#include "literature_support.h"
#include "perp/io.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static perp_status solve(const perp_problem *p, double *z, perp_result *r)
{
    perp_plain_options o = perp_mcp_auto_defaults();
    o.base.tol = 1e-10;
    return solve_checked(p, &o.base, z, NULL, r);
}

/* Newton's method gets stuck in a valley; the paths do not. */
START_TEST(another_solver)
{
    perp_arena a = {0};
    literature l;
    perp_result r;
    double z[2];
    ck_assert(literature_make(literature_find("freudenstein"), 0, &a, &l));
    perp_plain_options o = perp_mcp_auto_defaults();
    o.base.tol = 1e-10;
    o.base.warm_start = true;
    memcpy(z, l.start, sizeof z);
    ck_assert_int_eq(solve_checked(&l.p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 5, 1e-6);
    ck_assert_double_eq_tol(z[1], 4, 1e-6);
    ck_assert_str_ne(r.solver, "mcp/newton_fb");
    perp_arena_free(&a);
}
END_TEST

/* Newton's method from the given start, the paths from there, and Lemke's method on what is
 * copositive: who ends it, within how many iterations. */
START_TEST(every_step_helps)
{
    static const struct {
        const char *name, *solver;
        int most;
    } cases[] = {{"kojima_shindo", "mcp/newton_fb", 20}, {"billups", "mcp/path", 70}};
    perp_arena a = {0};
    perp_result r;
    double z[60];
    for (int k = 0; k < 2; k++) {
        literature l;
        perp_plain_options o = perp_mcp_auto_defaults();
        ck_assert(literature_make(literature_find(cases[k].name), 0, &a, &l));
        o.base.tol = 1e-10;
        o.base.warm_start = true;
        memcpy(z, l.start, (size_t)perp_size(&l.p) * sizeof *z);
        ck_assert_int_eq(solve_checked(&l.p, &o.base, z, NULL, &r), PERP_SOLVED);
        ck_assert_str_eq(r.solver, cases[k].solver);
        ck_assert_int_le(r.iterations, cases[k].most);
    }
    generate_request request = generate_defaults;
    generated_problem g;
    request.family = "copositive";
    request.size = 60;
    ck_assert(!generate_problem(&request, &a, &g, NULL));
    ck_assert_int_eq(solve(&g.p, z, &r), PERP_SOLVED);
    ck_assert_msg(r.iterations > 20 && r.iterations <= 110, "%d iterations", r.iterations);
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_solution)
{
    static const char *const names[] = {"below_zero", "no_root", "apart"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        perp_arena a = {0};
        literature l;
        perp_result r;
        double z[2];
        ck_assert(literature_make(literature_find(names[k]), 0, &a, &l));
        perp_status s = solve(&l.p, z, &r);
        ck_assert_msg(s > 0, "%s: %s", names[k], perp_status_name(s));
        ck_assert(r.detail[0] && isfinite(z[0]) && isfinite(r.residual.value));
        perp_arena_free(&a);
    }
    const double M[] = {1, -1, -1, 1}, q[] = {-1, -1}, zero[2] = {0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, zero, NULL);
    perp_result r;
    double z[2];
    ck_assert_int_eq(solve(&p, z, &r), PERP_INFEASIBLE);
}
END_TEST

/* Strictly copositive, and not monotone: Lemke's method, which has a theorem for it. */
START_TEST(copositive)
{
    enum { SIZE = 150 };
    static double M[SIZE * SIZE], q[SIZE], lo[SIZE], z[SIZE];
    generator g = generator_start(11);
    perp_result r;
    for (int k = 0; k < SIZE * SIZE; k++) M[k] = generator_unit(&g) * generator_unit(&g);
    for (int i = 0; i < SIZE; i++) q[i] = -generator_unit(&g);
    perp_problem p = perp_make_mcp(SIZE, perp_dense(SIZE, SIZE, M), q, lo, NULL);
    ck_assert_msg(solve(&p, z, &r) == PERP_SOLVED, "%s", r.detail);
}
END_TEST

/* ---- callbacks that misbehave ---- */

#define N 5

typedef enum fault { NANS, REFUSES, LIES, OVERRUNS, EVAL_OVERRUNS, FLICKERS } fault;

typedef struct bad {
    fault f;
    int calls;
} bad;

static bool bad_eval(void *ctx, const double *z, double *F)
{
    bad *b = (bad *)(uintptr_t)ctx;
    double sum = 0;
    b->calls++;
    for (int i = 0; i < N; i++) sum += z[i];
    for (int i = 0; i < N; i++) F[i] = z[i] * z[i] + 0.3 * sum + (i % 2 ? 1 : -1) * (i + 1.0);
    if (b->f == NANS) F[1] = NAN;
    if (b->f == EVAL_OVERRUNS) F[N] = 0;
    if (b->f == FLICKERS) F[0] += 0.1 * (b->calls % 3); /* no function at all */
    return b->f != REFUSES;
}

static bool bad_jacobian(void *ctx, const double *z, double *x)
{
    const bad *b = ctx;
    for (int k = 0; k < N * N; k++) x[k] = 0.3 + (k % (N + 1) == 0 ? 2 * z[k / N] : 0);
    for (int k = 0; b->f == LIES && k < N * N; k++) x[k] = -1 - x[k];
    for (int k = 0; b->f == OVERRUNS && k < 3; k++) x[N * N + k] = 0;
    return true;
}

START_TEST(misbehaving_callbacks)
{
    static const struct {
        fault f;
        perp_status status;
        const char *word;
    } t[] = {{NANS, PERP_E_NUMBER, "undefined"},         {REFUSES, PERP_E_NUMBER, "undefined"},
             {LIES, PERP_STALLED, "jacobian()"},         {OVERRUNS, PERP_E_ARGUMENT, "beyond"},
             {EVAL_OVERRUNS, PERP_E_ARGUMENT, "beyond"}, {FLICKERS, PERP_STALLED, ""}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        bad b = {.f = t[k].f};
        double z[N + 64], lo[N] = {0}; /* the certificate gives F no guard */
        perp_problem p = {.kind = PERP_KIND_MCP};
        p.as.mcp.F = (perp_map){.n = N, .eval = bad_eval, .jacobian = bad_jacobian, .ctx = &b};
        p.as.mcp.lo = lo;
        perp_result r;
        perp_arena a = {0};
        perp_plain_options o = perp_mcp_auto_defaults();
        o.base.tol = 1e-10;
        perp_status s = perp_solve(&p, &o.base, &a, z, NULL, &r);
        bool lucky = s == PERP_SOLVED && t[k].f == FLICKERS; /* certified in one of its moods */
        ck_assert_msg(s == t[k].status || lucky, "%zu: %s %s", k, perp_status_name(s), r.detail);
        ck_assert_msg(strstr(r.detail, t[k].word) && (r.detail[0] || lucky), "%zu: %s", k,
                      r.detail);
        for (int i = 0; i < N; i++) ck_assert(isfinite(z[i]));
        ck_assert_int_lt(b.calls, 200000);
        perp_arena_free(&a);
    }
}
END_TEST

typedef struct turns {
    bool dantzig, pgs_sm_after, nncg_after, pgs_after; /* each after the one before it */
} turns;

static bool watch_turns(void *ctx, const perp_progress *progress)
{
    turns *t = ctx;
    if (!strcmp(progress->solver, "mcp/dantzig")) t->dantzig = true;
    if (!strcmp(progress->solver, "mcp/pgs_sm") && t->dantzig) t->pgs_sm_after = true;
    if (!strcmp(progress->solver, "mcp/nncg") && t->pgs_sm_after) t->nncg_after = true;
    if (!strcmp(progress->solver, "mcp/pgs") && t->nncg_after) t->pgs_after = true;
    return true;
}

/* To a tolerance that nothing reaches: pivots, Newton steps, then both kinds of sweeps. */
START_TEST(friction_boxes_one_after_the_other)
{
    perp_arena a = {0};
    generate_request request = generate_defaults;
    generated_problem g;
    perp_result r;
    turns t = {0};
    double z[60];
    request.family = "mcp_friction";
    request.size = 4;
    ck_assert(!generate_problem(&request, &a, &g, NULL));
    perp_plain_options o = perp_mcp_auto_defaults();
    o.base.tol = 0;
    o.base.monitor = watch_turns;
    o.base.monitor_ctx = &t;
    ck_assert_int_eq(solve_checked(&g.p, &o.base, z, NULL, &r), PERP_STALLED);
    ck_assert(t.dantzig && t.pgs_sm_after && t.nncg_after && t.pgs_after);
    perp_arena_free(&a);
}
END_TEST

/* Fewer iterations than unknowns: Newton steps between sweeps come before pivots, and leave less
 * than a hundredth of what sweeps do. */
START_TEST(friction_boxes_cut_short)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_arena a = {0};
        generate_request request = generate_defaults;
        generated_problem g;
        perp_result r, swept;
        double z[200];
        request.family = "stack";
        request.form = "mcp";
        request.size = 8;
        request.seed = seed;
        ck_assert(!generate_problem(&request, &a, &g, NULL));
        ck_assert_int_le(perp_size(&g.p), 200);
        perp_plain_options o = perp_mcp_auto_defaults();
        perp_mcp_pgs_options sweeps = perp_mcp_pgs_defaults();
        o.base.max_iter = sweeps.base.max_iter = 20;
        solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_int_le(r.iterations, 20);
        ck_assert_str_eq(r.solver, "mcp/pgs_sm");
        ck_assert_int_eq(solve_checked(&g.p, &sweeps.base, z, NULL, &swept), PERP_MAX_ITER);
        ck_assert_msg(r.residual.value < 0.01 * swept.residual.value, "%g and %g", r.residual.value,
                      swept.residual.value);
        perp_arena_free(&a);
    }
}
END_TEST

/* More than 1000 unknowns: sweeps come before pivots. */
START_TEST(many_friction_boxes)
{
    perp_arena a = {0};
    generate_request request = generate_defaults;
    generated_problem g;
    perp_result r;
    request.family = "wall";
    request.form = "mcp";
    request.size = 6;
    ck_assert(!generate_problem(&request, &a, &g, NULL));
    ck_assert_int_gt(perp_size(&g.p), 1000);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    perp_plain_options o = perp_mcp_auto_defaults();
    o.base.tol = 1e-4;
    ck_assert_int_eq(solve_checked(&g.p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_str_eq(r.solver, "mcp/nncg");
    ck_assert_int_le(r.iterations, 1000);
    perp_arena_free(&a);
}
END_TEST

START_TEST(friction_boxes_and_operators)
{
    perp_arena a = {0};
    generate_request request = generate_defaults;
    generated_problem g;
    perp_result r;
    double z[60];
    request.family = "mcp_friction";
    request.size = 4;
    ck_assert(!generate_problem(&request, &a, &g, NULL));
    perp_plain_options o = perp_mcp_auto_defaults();
    perp_status s = solve_checked(&g.p, &o.base, z, NULL, &r);
    ck_assert_msg(s == PERP_SOLVED, "%s", r.detail);
    ck_assert_str_eq(r.solver, "mcp/dantzig");
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, lo[2] = {0};
    perp_matrix dense = perp_dense(2, 2, M);
    perp_problem p = perp_make_mcp(2, as_operator(&dense), q, lo, NULL);
    s = solve_checked(&p, &o.base, z, NULL, &r);
    ck_assert_msg(s == PERP_SOLVED || s == PERP_E_FORMAT, "%s", r.detail);
    perp_arena_free(&a);
}
END_TEST

START_TEST(limits)
{
    perp_arena a = {0};
    literature l;
    perp_result r;
    double z[400];
    ck_assert(literature_make(literature_find("obstacle"), 0, &a, &l));
    perp_plain_options o = perp_mcp_auto_defaults();
    o.base.max_iter = 1;
    o.base.tol = 1e-14;
    ck_assert_int_eq(solve_checked(&l.p, &o.base, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_int_le(r.iterations, 1);
    perp_problem nothing = {.kind = PERP_KIND_MCP};
    ck_assert_int_eq(solve(&nothing, NULL, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

/* ---- stored problems ---- */

static void check_file(const char *path)
{
    perp_arena a = {0};
    perp_problem p;
    perp_error e;
    perp_result r;
    double z[1000];
    ck_assert_msg(!perp_load(path, &a, &p, &e), "%s: %s", path, e.text);
    ck_assert_int_le(perp_size(&p), 1000);
    perp_status s = solve(&p, z, &r);
    ck_assert_msg(s == PERP_SOLVED, "%s: %s %g", path, r.detail, r.residual.value);
    perp_arena_free(&a);
}

START_TEST(mixed_and_relay_files)
{
    char directory[400], path[800];
    const char *set = getenv("PERP_PROBLEMS");
    snprintf(directory, sizeof directory, "%s/mcp", set ? set : SOURCE_ROOT "/../shared/problems");
    DIR *d = opendir(directory);
    if (!d) {
        fprintf(stderr, "skipped: there is no %s\n", directory);
        return;
    }
    for (struct dirent *f = readdir(d); f; f = readdir(d)) {
        if (!strstr(f->d_name, ".dat")) continue;
        snprintf(path, sizeof path, "%s/%s", directory, f->d_name);
        check_file(path);
    }
    closedir(d);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_mcp_auto");
    TCase *t = tcase_create("ncp_mcp_auto");
    tcase_add_test(t, another_solver);
    tcase_add_test(t, every_step_helps);
    tcase_add_test(t, no_solution);
    tcase_add_test(t, copositive);
    tcase_add_test(t, misbehaving_callbacks);
    tcase_add_test(t, friction_boxes_one_after_the_other);
    tcase_add_test(t, friction_boxes_cut_short);
    tcase_add_test(t, many_friction_boxes);
    tcase_add_test(t, friction_boxes_and_operators);
    tcase_add_test(t, limits);
    tcase_add_test(t, mixed_and_relay_files);
    suite_add_tcase(s, t);
    return support_run(s);
}
