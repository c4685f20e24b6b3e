/* test_nested.c: solves inside solves: refusals, lifts, limits and certificates at depth. */
#include "perp/perp.h"
#include "perp/solver.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* 0 <= z _|_ M z + q >= 0, solved by z = (1, 3) */
static const double M[] = {2, 1, 1, 2}, q[] = {-5, -7};

typedef struct level {
    perp_options base;
    int depth; /* nested solves still to come */
    perp_status (*body)(perp_run *run, double *z);
} level;

static perp_status enter(perp_run *run, double *z)
{
    return ((const level *)run->options)->body(run, z);
}

#define ENTER(k)                                                                                   \
    {                                                                                              \
        .name = "test/level", .about = "test", .kind = k,                                          \
        .formats = {PERP_FORMAT_DENSE, PERP_FORMAT_DENSE}, .options_size = sizeof(level),          \
        .solve = enter                                                                             \
    }
static const perp_solver lcp_level = ENTER(PERP_KIND_LCP), mcp_level = ENTER(PERP_KIND_MCP);

static level make(const perp_solver *s, perp_status (*body)(perp_run *run, double *z), int depth)
{
    return (level){{.solver = s, .tol = 1e-8, .max_iter = 1000, .threads = 1}, depth, body};
}

static perp_result solve(const perp_problem *p, const level *o, double *z, double *w)
{
    perp_arena a = {0};
    perp_result result;
    perp_solve(p, &o->base, &a, z, w, &result);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
    return result;
}

static perp_status ask_badly(perp_run *run, double *z)
{
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    perp_result own;
    memset(&own, 0xab, sizeof own);
    o.omega = 7;
    ck_assert_int_eq(perp_nested(run, run->problem, &o.base, z, &own), PERP_E_OPTION);
    ck_assert_int_eq(own.status, PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(own.detail, "omega = 7"));
    ck_assert(isinf(own.residual.value));
    ck_assert_int_eq(perp_nested(run, NULL, perp_find("lcp/psor"), z, NULL), PERP_E_ARGUMENT);
    perp_problem other = *run->problem;
    other.kind = (perp_kind)99;
    ck_assert_int_eq(perp_nested(run, &other, perp_find("lcp/psor"), z, NULL), PERP_E_ARGUMENT);
    const double nan[] = {NAN, 1};
    other = perp_make_lcp(2, perp_dense(2, 2, M), nan);
    ck_assert_int_eq(perp_nested(run, &other, perp_find("lcp/psor"), z, NULL), PERP_E_NUMBER);
    ck_assert(isfinite(z[0]) && isfinite(z[1]));
    return PERP_STALLED;
}

START_TEST(a_refused_child_leaves_the_parent_alone)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    level o = make(&lcp_level, ask_badly, 0);
    double z[2];
    perp_result r = solve(&p, &o, z, NULL);
    ck_assert_int_eq(r.status, PERP_STALLED);
    ck_assert_str_eq(r.detail, "test/level: no further progress");
}
END_TEST

static perp_status solve_another(perp_run *run, double *z)
{
    static const double N[] = {4}, r[] = {-8};
    perp_problem other = perp_make_lcp(1, perp_dense(1, 1, N), r);
    perp_result own;
    double y[1] = {0};
    ck_assert_int_eq(perp_nested(run, &other, perp_find("lcp/lemke"), y, &own), PERP_SOLVED);
    ck_assert_double_eq(y[0], 2);
    ck_assert_str_eq(own.solver, "lcp/lemke");
    ck_assert_double_eq(own.residual.value, 0);
    z[0] = 1;
    z[1] = 3;
    return PERP_SOLVED;
}

START_TEST(a_nested_solve_of_another_problem_is_judged_alone)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    level o = make(&lcp_level, solve_another, 0);
    double z[2];
    perp_result r = solve(&p, &o, z, NULL);
    ck_assert_int_eq(r.status, PERP_SOLVED);
    ck_assert_str_eq(r.solver, "test/level");
    ck_assert_double_eq(z[1], 3);
}
END_TEST

static perp_status ask_cold(perp_run *run, double *z)
{
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    perp_result own;
    z[0] = z[1] = 1e10; /* a cold child does not start from here */
    o.base.max_iter = 40;
    return perp_nested(run, run->problem, &o.base, z, &own);
}

START_TEST(a_cold_child_starts_from_zero)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    level o = make(&lcp_level, ask_cold, 0);
    double z[2];
    ck_assert_int_eq(solve(&p, &o, z, NULL).status, PERP_SOLVED);
}
END_TEST

/* min x^2/2 - 5 x, 1 <= x <= 3 as a row: x = 3, y = -2; two multipliers once it is an MCP. The
 * deepest level proposes, every level above must be shown the same. */
static perp_status descend(perp_run *run, double *z)
{
    static const double lifted[] = {3, 0, -2};
    const level *o = (const level *)run->options;
    ck_assert_int_eq(perp_size(run->problem), 3);
    if (o->depth == 0) {
        memcpy(z, lifted, sizeof lifted);
        return PERP_SOLVED;
    }
    level child = make(&mcp_level, descend, o->depth - 1);
    perp_result own;
    perp_status s = perp_nested(run, run->problem, &child.base, z, &own);
    ck_assert_int_eq(s, PERP_SOLVED);
    ck_assert_int_eq(memcmp(z, lifted, sizeof lifted), 0);
    return s;
}

START_TEST(a_lift_is_undone_at_every_depth)
{
    const double H[] = {1}, c[] = {-5}, A[] = {1}, lo[] = {1}, hi[] = {3};
    perp_problem p = perp_make_qp(1, 1, perp_dense(1, 1, H), c, perp_dense(1, 1, A), lo, hi);
    for (int depth = 0; depth < 6; depth++) {
        level o = make(&mcp_level, descend, depth);
        double z[2], w[2];
        ck_assert_int_eq(solve(&p, &o, z, w).status, PERP_SOLVED);
        ck_assert_double_eq(z[0], 3);
        ck_assert_double_eq(z[1], -2);
        ck_assert_double_eq(w[1], 3);
    }
}
END_TEST

/* A map that counts its evaluations; the deepest level gives up without a solution. */
static int evaluations;

static bool count(void *ctx, const double *z, double *F)
{
    (void)ctx;
    evaluations += z[0] == 0.5; /* a certificate looks around, too */
    F[0] = z[0] - 1;
    return true;
}

static int at_stop;

static perp_status give_up(perp_run *run, double *z)
{
    const level *o = (const level *)run->options;
    if (o->depth > 0) {
        level child = make(run->options->solver, give_up, o->depth - 1);
        child.base.warm_start = true;
        return perp_nested(run, run->problem, &child.base, z, NULL);
    }
    z[0] = 0.5;
    at_stop = evaluations;
    return PERP_MAX_SECONDS;
}

START_TEST(one_certificate_follows_the_stop_at_any_depth)
{
    static const perp_solver ncp_level = {.name = "test/level",
                                          .about = "test",
                                          .kind = PERP_KIND_NCP,
                                          .flags = PERP_SOLVER_READS_CALLBACK,
                                          .options_size = sizeof(level),
                                          .solve = enter};
    perp_problem p = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 1, .eval = count}};
    for (int depth = 0; depth < 6; depth++) {
        level o = make(&ncp_level, give_up, depth);
        double z[1], w[1];
        perp_result r = solve(&p, &o, z, w);
        ck_assert_int_eq(r.status, PERP_MAX_SECONDS);
        ck_assert_double_eq(z[0], 0.5);
        ck_assert_double_eq(w[0], -0.5);
        ck_assert_int_eq(evaluations - at_stop, 1);
    }
}
END_TEST

/* Iterations of a millisecond each, without progress, until a limit ends them. */
static perp_status wait_for_a_limit(perp_run *run, double *z)
{
    const struct timespec millisecond = {0, 1000000};
    (void)z;
    while (perp_continue(run, NULL, 0)) nanosleep(&millisecond, NULL);
    return run->status;
}

static perp_status ask_without_a_limit(perp_run *run, double *z)
{
    level child = make(&lcp_level, wait_for_a_limit, 0);
    perp_result own;
    child.base.max_seconds = ((const level *)run->options)->depth;
    perp_status s = perp_nested(run, run->problem, &child.base, z, &own);
    ck_assert_int_eq(s, PERP_MAX_SECONDS);
    ck_assert_int_lt(own.iterations, child.base.max_iter);
    return s;
}

/* The child has no time limit, or one that is later than its parent's: the parent's ends it, before
 * its thousand iterations do. */
START_TEST(a_child_stops_at_its_parents_deadline)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    for (int seconds = 0; seconds < 100; seconds += 60) {
        level o = make(&lcp_level, ask_without_a_limit, seconds);
        double z[2];
        o.base.max_seconds = 0.02;
        perp_result r = solve(&p, &o, z, NULL);
        ck_assert_int_eq(r.status, PERP_MAX_SECONDS);
        ck_assert_double_ge(r.seconds, 0.02);
    }
}
END_TEST

static perp_status no_status(perp_run *run, double *z)
{
    (void)z;
    return (perp_status)((const level *)run->options)->depth;
}

START_TEST(an_unknown_status_is_not_passed_on)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    const int wild[] = {42, -77, 9, -7};
    for (int k = 0; k < 4; k++) {
        level o = make(&lcp_level, no_status, wild[k]);
        double z[2];
        perp_result r = solve(&p, &o, z, NULL);
        ck_assert_int_eq(r.status, PERP_UNCERTIFIED);
        ck_assert_ptr_nonnull(strstr(r.detail, "which is no status"));
    }
}
END_TEST

static bool forwards(void *ctx, const perp_progress *p)
{
    perp_progress *last = ctx;
    ck_assert(p->seconds >= last->seconds && p->iteration >= last->iteration);
    *last = *p;
    return true;
}

START_TEST(progress_never_runs_backwards)
{
    /* Lemke ends on rays, the quadratic program of lcp/nsqp does not */
    const double K[] = {1, -1, 2, -3, 2, -2, 3, -3, 1}, r[] = {3, 0, -2};
    perp_problem p = perp_make_lcp(3, perp_dense(3, 3, K), r);
    perp_plain_options o = perp_lcp_auto_defaults();
    perp_progress last = {0};
    perp_arena a = {0};
    perp_result result;
    double z[3];
    o.base.monitor = forwards;
    o.base.monitor_ctx = &last;
    perp_solve(&p, &o.base, &a, z, NULL, &result);
    ck_assert_int_eq(result.status, PERP_SOLVED);
    ck_assert_str_eq(result.solver, "lcp/nsqp");
    ck_assert_int_gt(last.iteration, 20);
    perp_arena_free(&a);
}
END_TEST

START_TEST(z_and_w_are_two_arrays)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    perp_arena a = {0};
    perp_result r;
    double z[2];
    ck_assert_int_eq(perp_solve(&p, NULL, &a, z, z, &r), PERP_E_ARGUMENT);
    ck_assert_str_eq(r.detail, "w must not be z");
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("nested");
    tcase_add_test(t, a_refused_child_leaves_the_parent_alone);
    tcase_add_test(t, a_nested_solve_of_another_problem_is_judged_alone);
    tcase_add_test(t, a_cold_child_starts_from_zero);
    tcase_add_test(t, a_lift_is_undone_at_every_depth);
    tcase_add_test(t, one_certificate_follows_the_stop_at_any_depth);
    tcase_add_test(t, a_child_stops_at_its_parents_deadline);
    tcase_add_test(t, an_unknown_status_is_not_passed_on);
    tcase_add_test(t, progress_never_runs_backwards);
    tcase_add_test(t, z_and_w_are_two_arrays);
    Suite *s = suite_create("nested");
    suite_add_tcase(s, t);
    return support_run(s);
}
