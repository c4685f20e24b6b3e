/* test_progress.c: perp_continue's stop tests, and how certificates are spaced. */
#include "perp/perp.h"
#include "perp/solver.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* M = I, q = -1: z = 1. The solver below walks z towards 1 (or elsewhere) as the test says. */
static const double M[] = {1}, q[] = {-1};

typedef struct walk_options {
    perp_options base;
    double factor;  /* error of z shrinks by this each iteration */
    double pretend; /* estimate = pretend * true error; NaN from iteration nan_at */
    int nan_at;     /* 0: never */
    int sleep_ms;   /* per iteration */
    bool constant;  /* estimate is always pretend */
    double wave;    /* every third error is so many times as large; 0: none is */
    int praised;    /* the estimate of this iteration is a hundred times too small; 0: of none */
    bool pivoting;  /* gives no iterate until it returns */
    double model;   /* walks to this instead, and says so; 0: to 1 */
} walk_options;

static void nap(int ms)
{
    struct timespec t = {0, ms * 1000000L};
    if (ms) nanosleep(&t, NULL);
}

/* The residual on the model, with M = 1 and the solution *ctx; w = z - 1. */
static double model_error(const void *ctx, const double scale[3], const double *z, const double *w)
{
    ck_assert_double_eq(w[0], z[0] - 1);
    return fabs(z[0] - *(const double *)ctx) / scale[0];
}

static bool has_model(const perp_options *o)
{
    return ((const walk_options *)o)->model > 0;
}

static perp_status walk(perp_run *run, double *z)
{
    const walk_options *o = (const walk_options *)run->options;
    double error = 1, estimate = INFINITY, goal = o->model > 0 ? o->model : 1;
    perp_model *m = PERP_ALLOC(run, perp_model, 1);
    int k = 0;
    *m = (perp_model){
        .name = "the model", .exact = "the problem", .measure = model_error, .ctx = &o->model};
    if (o->model > 0 && perp_approximate(run, m)) return PERP_SOLVED;
    while (perp_continue(run, o->pivoting ? NULL : z, estimate)) {
        k++;
        error *= o->factor;
        double shown = o->wave > 0 && k % 3 == 0 ? o->wave * error : error;
        z[0] = goal - shown;
        nap(o->sleep_ms);
        estimate = o->constant ? o->pretend : o->pretend * fabs(shown);
        if (o->praised && k == o->praised) estimate *= 0.01;
        if (o->nan_at && k >= o->nan_at) {
            estimate = NAN;
            z[0] = NAN;
        }
    }
    return run->status;
}

static const perp_solver walker = {.name = "test/walk",
                                   .about = "walks to 1",
                                   .kind = PERP_KIND_LCP,
                                   .formats = {PERP_FORMAT_DENSE},
                                   .options_size = sizeof(walk_options),
                                   .solve = walk,
                                   .approximates = has_model};

static const walk_options defaults = {
    .base = {.solver = &walker, .tol = 1e-8, .max_iter = 1000, .threads = 1},
    .factor = 0.5,
    .pretend = 1};

static perp_result run(const walk_options *o, double *z)
{
    perp_problem p = perp_make_lcp(1, perp_dense(1, 1, M), q);
    perp_arena a = {0};
    perp_result result;
    perp_solve(&p, &o->base, &a, z, NULL, &result);
    perp_arena_free(&a);
    return result;
}

START_TEST(an_honest_estimate_ends_at_once)
{
    double z[1];
    perp_result r = run(&defaults, z);
    ck_assert_int_eq(r.status, PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 27); /* 2^-27 < 1e-8 */
    ck_assert_double_le(r.residual.value, 1e-8);
    ck_assert_double_le(fabs(z[0] - 1), 1e-8);
    ck_assert_int_le(r.certificates, 4);
    ck_assert_str_eq(r.detail, "");
    ck_assert_str_eq(r.solver, "test/walk");
}
END_TEST

START_TEST(an_optimistic_estimate_is_not_believed)
{
    walk_options o = defaults;
    double z[1];
    o.pretend = 1e-6;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_SOLVED);
    ck_assert_double_le(r.residual.value, 1e-8);
    ck_assert_int_ge(r.iterations, 27);
    ck_assert_int_le(r.iterations, 40);
}
END_TEST

START_TEST(a_pessimistic_estimate_is_seen_through)
{
    walk_options o = defaults;
    double z[1];
    o.pretend = 3.5;
    o.factor = 0.9;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_SOLVED);
    ck_assert_double_le(r.residual.value, 1e-8);
    ck_assert_int_ge(r.iterations, 175); /* 0.9^175 < 1e-8 */
    ck_assert_int_le(r.iterations, 177); /* 187 until 3.5 times that */
}
END_TEST

START_TEST(a_liar_costs_at_most_a_tenth)
{
    walk_options o = defaults;
    double z[1];
    o.factor = 1;
    o.constant = true;
    o.pretend = 0;
    o.base.max_iter = 100;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_MAX_ITER);
    ck_assert_int_eq(r.iterations, 100);
    ck_assert_int_le(r.certificates, 10 + 7);
}
END_TEST

START_TEST(certificates_on_a_slow_way_are_rare)
{
    walk_options o = defaults;
    double z[1];
    o.factor = 0.99;
    o.base.max_iter = 1000;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_MAX_ITER);
    ck_assert_int_le(r.certificates, 100);
    ck_assert_int_ge(r.certificates, 3);
    ck_assert_double_eq_tol(r.residual.value, pow(0.99, 1000), 1e-9);
}
END_TEST

START_TEST(a_diverging_run_returns_its_best)
{
    walk_options o = defaults;
    double z[1];
    o.factor = -3;
    o.base.max_iter = 50;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_MAX_ITER);
    ck_assert(isfinite(z[0]));
    ck_assert_double_le(r.residual.value, 1.0); /* never worse than the start, z = 0 */
}
END_TEST

START_TEST(nan_ends_the_run_and_leaves_z_finite)
{
    walk_options o = defaults;
    double z[1] = {0};
    o.nan_at = 15;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_STALLED);
    ck_assert_ptr_nonnull(strstr(r.detail, "overflowed in iteration"));
    ck_assert(isfinite(z[0]));
    ck_assert_double_le(r.residual.value, 0.5);
}
END_TEST

START_TEST(no_iterations_are_made_when_none_are_allowed)
{
    walk_options o = defaults;
    double z[1];
    o.base.max_iter = 0;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_MAX_ITER);
    ck_assert_int_eq(r.iterations, 0);
    ck_assert_double_eq(z[0], 0);
    ck_assert_double_eq(r.residual.value, 1);
    ck_assert_str_eq(r.detail, "test/walk: the iteration limit was reached");
}
END_TEST

START_TEST(a_start_that_is_a_solution_needs_no_iteration)
{
    walk_options o = defaults;
    double z[1] = {1};
    o.base.warm_start = true;
    o.base.max_iter = 0;
    ck_assert_int_eq(run(&o, z).status, PERP_SOLVED);
    ck_assert_double_eq(z[0], 1);
}
END_TEST

START_TEST(the_time_limit_is_overrun_by_one_iteration)
{
    walk_options o = defaults;
    double z[1];
    o.factor = 0.999;
    o.sleep_ms = 2;
    o.base.max_seconds = 0.02;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_MAX_SECONDS);
    ck_assert_int_le(r.iterations, 11);
    ck_assert_double_ge(r.seconds, 0.02);
    ck_assert_double_lt(r.residual.value, 1);
}
END_TEST

START_TEST(no_progress_is_a_stall)
{
    walk_options o = defaults;
    double z[1];
    o.factor = 1;
    o.base.max_iter = 100000;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_STALLED);
    ck_assert_int_le(r.iterations, 150);
    ck_assert_int_ge(r.iterations, 100);
}
END_TEST

START_TEST(slow_progress_is_no_stall)
{
    walk_options o = defaults;
    double z[1];
    o.factor = 0.999;
    o.base.max_iter = 100000;
    ck_assert_int_eq(run(&o, z).status, PERP_SOLVED);
}
END_TEST

START_TEST(pivoting_methods_do_not_stall)
{
    walk_options o = defaults;
    double z[1];
    o.pivoting = true;
    o.base.max_iter = 5000;
    o.factor = 0.999;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.iterations, 5000);
    ck_assert_int_le(r.certificates, 2);
    ck_assert_double_eq_tol(r.residual.value, pow(0.999, 5000), 1e-6);
}
END_TEST

typedef struct watch {
    int calls, stop_at;
    perp_progress last;
} watch;

static bool look(void *ctx, const perp_progress *p)
{
    watch *w = ctx;
    w->last = *p;
    return ++w->calls < w->stop_at;
}

START_TEST(the_monitor_sees_and_cancels)
{
    walk_options o = defaults;
    watch w = {.stop_at = 21};
    double z[1];
    o.base.monitor = look;
    o.base.monitor_ctx = &w;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_CANCELLED);
    ck_assert_int_eq(r.iterations, 20);
    ck_assert_int_eq(w.last.iteration, 20);
    ck_assert_double_eq_tol(w.last.estimate, pow(0.5, 20), 1e-12);
    ck_assert_double_le(w.last.residual, pow(0.5, 9));
    ck_assert_double_ge(w.last.seconds, 0);
    ck_assert_str_eq(w.last.solver, "test/walk");
    ck_assert_double_eq_tol(r.residual.value, pow(0.5, 20), 1e-12);
}
END_TEST

/* Wherever it is stopped, a longer run returns nothing worse, and spends one certificate more at
 * most. */
START_TEST(a_longer_run_returns_nothing_worse)
{
    walk_options o = defaults;
    double z[1], before = INFINITY;
    o.factor = 0.97;
    o.wave = 5;
    o.base.monitor = look;
    for (int k = 1; k < 200; k++) {
        watch w = {.stop_at = k};
        o.base.monitor_ctx = &w;
        perp_result r = run(&o, z);
        ck_assert_int_eq(r.status, PERP_CANCELLED);
        ck_assert_msg(r.residual.value <= before, "%d: %g after %g", k, r.residual.value, before);
        ck_assert_double_le(r.residual.value, 1.12 * pow(0.97, k - 3));
        ck_assert_int_le(r.certificates, 3 + k / 10);
        before = r.residual.value;
    }
}
END_TEST

/* An iterate that has its certificate is not kept for the stop: with an estimate that was far too
 * small it would stand in the way of better ones after it. Iteration 9 has the first regular
 * certificate, and iterate 14 is the last one that is kept. */
START_TEST(what_was_certified_is_not_kept)
{
    walk_options o = defaults;
    watch w = {.stop_at = 16};
    double z[1];
    o.factor = 0.97;
    o.praised = 9;
    o.base.monitor = look;
    o.base.monitor_ctx = &w;
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_CANCELLED);
    ck_assert_int_eq(r.iterations, 15);
    ck_assert_double_eq_tol(r.residual.value, pow(0.97, 14), 1e-12);
}
END_TEST

/* Stop test and best iterate follow the model, the status and the residual the certificate. */
START_TEST(a_solver_of_a_model_is_judged_there)
{
    walk_options o = defaults;
    for (int warm = 0; warm < 4; warm++) { /* from 0; from the problem's solution; nearer; at it */
        double z[1] = {warm == 3 ? 1.25 : warm == 2 ? 1.1 : warm};
        o.model = 1.25;
        o.base.warm_start = warm > 0;
        perp_result r = run(&o, z);
        ck_assert_int_eq(r.status, PERP_UNCERTIFIED);
        ck_assert_int_eq(r.iterations, warm == 3 ? 0 : 27);
        ck_assert_double_eq_tol(z[0], 1.25, 1e-8);
        ck_assert_double_le(r.model_residual, 1e-8);
        ck_assert_double_eq_tol(r.residual.value, 0.25, 1e-8);
        ck_assert_msg(strstr(r.detail, "on the model, 2.50e-01 on the problem"), "%s", r.detail);
    }
}
END_TEST

/* Solved is what the certificate says, and never what the model says. */
START_TEST(a_model_solves_nothing)
{
    walk_options o = defaults;
    double z[1] = {1};
    ck_assert(isnan(run(&o, z).model_residual));
    o.model = 1 + 1e-9; /* within the tolerance of the problem itself */
    perp_result r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_SOLVED);
    ck_assert_double_le(r.model_residual, 1e-8);
    o.model = 1.25;
    o.base.max_iter = 5;
    r = run(&o, z);
    ck_assert_int_eq(r.status, PERP_MAX_ITER);
    ck_assert_double_eq(z[0], 1.25 - pow(0.5, 5));
    ck_assert_double_eq(r.model_residual, pow(0.5, 5));
    ck_assert_double_eq(r.residual.value, 0.25 - pow(0.5, 5));
}
END_TEST

START_TEST(the_same_bits_every_time)
{
    walk_options o = defaults;
    double first[1], again[1];
    o.factor = 0.93;
    perp_result a = run(&o, first), b = run(&o, again);
    ck_assert_int_eq(a.iterations, b.iterations);
    ck_assert_int_eq(memcmp(first, again, sizeof first), 0);
}
END_TEST

/* The rounding of hi = mu z_0 over q is beyond all numbers: z may be as good as it likes. */
START_TEST(an_infinite_bound_counts)
{
    const double faint[] = {1e-310, 0, 0, 1e-310}, rhs[] = {-1e-310, 0}, mu[] = {0, 1e8},
                 lo[] = {0, 0};
    const int follows[] = {-1, 0};
    double z[] = {1, 0};
    perp_arena a = {0};
    perp_result r;
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, faint), rhs, lo, NULL);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    perp_options *o = perp_options_new(&a, "mcp/auto");
    o->warm_start = true;
    ck_assert_int_ne(perp_solve(&p, o, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq(r.residual.value, 0);
    ck_assert_double_gt(r.residual.bound, 1);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("progress");
    tcase_add_test(t, an_honest_estimate_ends_at_once);
    tcase_add_test(t, an_optimistic_estimate_is_not_believed);
    tcase_add_test(t, a_pessimistic_estimate_is_seen_through);
    tcase_add_test(t, a_liar_costs_at_most_a_tenth);
    tcase_add_test(t, certificates_on_a_slow_way_are_rare);
    tcase_add_test(t, a_diverging_run_returns_its_best);
    tcase_add_test(t, nan_ends_the_run_and_leaves_z_finite);
    tcase_add_test(t, no_iterations_are_made_when_none_are_allowed);
    tcase_add_test(t, a_start_that_is_a_solution_needs_no_iteration);
    tcase_add_test(t, the_time_limit_is_overrun_by_one_iteration);
    tcase_add_test(t, no_progress_is_a_stall);
    tcase_add_test(t, slow_progress_is_no_stall);
    tcase_add_test(t, pivoting_methods_do_not_stall);
    tcase_add_test(t, the_monitor_sees_and_cancels);
    tcase_add_test(t, a_longer_run_returns_nothing_worse);
    tcase_add_test(t, what_was_certified_is_not_kept);
    tcase_add_test(t, a_solver_of_a_model_is_judged_there);
    tcase_add_test(t, a_model_solves_nothing);
    tcase_add_test(t, the_same_bits_every_time);
    Suite *s = suite_create("progress");
    tcase_add_test(t, an_infinite_bound_counts);
    suite_add_tcase(s, t);
    return support_run(s);
}
