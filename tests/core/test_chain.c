/* tests/core/test_chain.c: the runner of plans, with solvers that end as they are told to: order,
 * conditions, budgets, starts, refusals, memory, rays, the clock's and the monitor's end, other
 * problems, sweeps, and the closing sentence. */
#include "chain_support.h"

#include <stdint.h>

/* ---- order and ends ---- */

START_TEST(a_refusal_in_the_middle)
{
    static const perp_chain_step steps[] = {
        {.options = &stalls.base}, {.options = &refuses.base}, {.options = &solves.base}, {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_SOLVED, "a b c ", "");
    ck_assert_str_eq(x.r.solver, "fake/c");
    ck_assert_int_eq(x.r.iterations, 3);
}
END_TEST

static void change(perp_options *o)
{
    ((fake_options *)o)->share = 0.25;
}

/* The same solver, options and start are not asked again; a change of one of them is. */
START_TEST(a_refusal_is_not_repeated)
{
    static const perp_chain_step steps[] = {{.options = &refuses.base},
                                            {.options = &refuses.base, .iterations = 9},
                                            {.options = &refuses.base, .from = PERP_FROM_ZERO},
                                            {.options = &refuses.base, .adjust = change},
                                            {.options = &stalls.base},
                                            {.options = &stalls.base},
                                            {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_STALLED, "b b b a a ", "it is at its end; fake/b refused: row 0 is bad");
}
END_TEST

START_TEST(all_refuse)
{
    static const perp_chain_step steps[] = {{.options = &refuses.base}, {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_E_NUMBER, "b ", "row 0 is bad");
    x = run((auto_options){.plan = NULL}, steps + 1);
    expect(&x, PERP_E_FORMAT, "", "no solver of the plan is for this problem");
}
END_TEST

/* A want of memory hides what might have been: it is told, and the others are tried. */
START_TEST(a_want_of_memory)
{
    static const perp_chain_step steps[] = {
        {.options = &starves.base}, {.options = &stalls.base}, {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_E_MEMORY, "b a ", "row 0 is bad");
    ck_assert_double_le(x.r.residual.value, 0.3); /* of the solver that had enough */
}
END_TEST

/* A callback that writes beyond its values is not called again. */
START_TEST(a_bad_argument)
{
    static const perp_chain_step steps[] = {
        {.options = &stalls.base}, {.options = &wrong.base}, {.options = &solves.base}, {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_E_ARGUMENT, "a b ", "row 1 is bad");
}
END_TEST

/* w = (z_2 - 1, 1): feasible, without a solution. The ray is told before a later stall. */
START_TEST(a_ray)
{
    static const perp_chain_step steps[] = {
        {.options = &perp_lcp_lemke.base}, {.options = &stalls.base}, {0}};
    const double M[] = {0, 0, 1, 0}, other[] = {-1, 1};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), other);
    perp_residual r;
    perp_arena a = {0};
    outcome x = run_problem(&p, (auto_options){.plan = NULL}, steps);
    ck_assert_int_eq(x.status, PERP_RAY);
    ck_assert_str_eq(journal.names, "a ");
    ck_assert_int_eq(perp_check(&p, PERP_RAY, x.w, NULL, &a, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

static bool has_stalled(const perp_chain *c)
{
    return c->last.status == PERP_STALLED && perp_chain_residual(c) < 0.3;
}

static bool is_large(const perp_chain *c)
{
    return perp_chain_size(c) > 2;
}

START_TEST(conditions)
{
    static const perp_chain_step steps[] = {{.options = &again.base, .when = has_stalled},
                                            {.options = &stalls.base},
                                            {.options = &solves.base, .when = is_large},
                                            {.options = &again.base, .when = has_stalled},
                                            {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    ck_assert_int_eq(x.status, PERP_STALLED);
    ck_assert_str_eq(journal.names, "a b ");
}
END_TEST

/* perp_bytes counts the steps that fit, whatever came before them. */
START_TEST(counted_steps)
{
    static const perp_chain_step steps[] = {{.options = &again.base, .when = has_stalled},
                                            {.options = &stalls.base},
                                            {.options = &solves.base, .fits = is_large},
                                            {0}};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, identity), q);
    perp_chain_plan plan = {.steps = steps};
    auto_options o = {.plan = &plan};
    perp_arena a = {0};
    perp_error e;
    o.base = (perp_options){.solver = &automatic, .tol = 1e-8, .max_iter = 100, .threads = 1};
    journal = (struct journal){.calls = 0};
    ck_assert_uint_eq(perp_bytes(&p, &o.base, &a, &e), SIZE_MAX); /* these have no room */
    ck_assert_str_eq(journal.names, "b a ");
    outcome x = run((auto_options){.plan = NULL}, steps);
    ck_assert_int_eq(x.status, PERP_STALLED);
    ck_assert_str_eq(journal.names, "a ");
    perp_arena_free(&a);
}
END_TEST

/* ---- budgets ---- */

START_TEST(budgets)
{
    static const perp_chain_step steps[] = {
        {.options = &endless.base, .iterations = 5},
        {.options = &endless.base, .per_row = 4},
        {.options = &endless.base, .iterations = 1, .per_row = 2},
        {.options = &endless.base},
        {0}};
    outcome x = run((auto_options){.base.max_iter = 2000}, steps);
    expect(&x, PERP_STALLED, "c c c c ",
           "fake/c did not reach the tolerance within 88 iterations; the best residual is "
           "1.0e+00, that of the start");
    ck_assert_int_eq(x.r.iterations, 5 + 8 + 5 + 70);
    const int limits[] = {5, 8, 5, 70};
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(journal.limit[k], limits[k]);
        ck_assert_double_eq(journal.tol[k], 1e-8);
    }
    x = run((auto_options){.base.max_iter = 9}, steps); /* the run's own limit */
    expect(&x, PERP_MAX_ITER, "c c ", "fake/c: the iteration limit was reached");
    ck_assert_int_eq(x.r.iterations, 9);
}
END_TEST

static bool stop_later(void *ctx, const perp_progress *p)
{
    (void)p;
    return ++*(int *)ctx < 4;
}

START_TEST(cut_off)
{
    static const perp_chain_step steps[] = {
        {.options = &stalls.base}, {.options = &endless.base}, {.options = &solves.base}, {0}};
    int calls = 0;
    outcome x = run((auto_options){.base = {.monitor = stop_later, .monitor_ctx = &calls}}, steps);
    ck_assert_int_eq(x.status, PERP_CANCELLED);
    ck_assert_str_eq(journal.names, "a c ");
    ck_assert_int_eq(calls, 4);
    x = run((auto_options){.base = {.max_seconds = 1e-9}}, steps);
    ck_assert_int_eq(x.status, PERP_MAX_SECONDS);
    ck_assert_int_le(journal.calls, 1);
}
END_TEST

/* ---- starts ---- */

START_TEST(starts)
{
    static const perp_chain_step steps[] = {
        {.options = &again.base},                          /* half of the way */
        {.options = &again.base, .from = PERP_FROM_GIVEN}, /* the same again */
        {.options = &again.base, .from = PERP_FROM_ZERO},
        {.options = &again.base}, /* the best so far */
        {0}};
    run((auto_options){.base.warm_start = true}, steps);
    const double warm[] = {0.25, 0.25, 0, 0.625}, cold[] = {0, 0, 0, 0.5};
    const bool warm_flags[] = {true, true, false, true}, cold_flags[] = {false, false, false, true};
    for (int k = 0; k < 4; k++) {
        ck_assert_double_eq(journal.start[k], warm[k]);
        ck_assert_int_eq(journal.warm[k], warm_flags[k]);
    }
    run((auto_options){.base.warm_start = false}, steps);
    for (int k = 0; k < 4; k++) {
        ck_assert_double_eq(journal.start[k], cold[k]);
        ck_assert_int_eq(journal.warm[k], cold_flags[k]);
    }
}
END_TEST

/* ---- the closing sentence ---- */

START_TEST(who_got_how_far)
{
    static const perp_chain_step steps[] = {
        {.options = &stalls.base}, {.options = &endless.base, .iterations = 9}, {0}};
    static const perp_chain_step with_refusal[] = {{.options = &refuses.base},
                                                   {.options = &stalls.base},
                                                   {.options = &endless.base, .iterations = 9},
                                                   {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_STALLED, "a c ",
           "none of 2 solvers reached the tolerance within 11 iterations; the best residual is "
           "2.5e-01, by fake/a");
    x = run((auto_options){.plan = NULL}, with_refusal);
    expect(&x, PERP_STALLED, "b a c ",
           "none of 2 solvers reached the tolerance within 11 iterations; the best residual is "
           "2.5e-01, by fake/a; fake/b refused: row 0 is bad");
}
END_TEST

/* ---- steps of a plan's own ---- */

static perp_chain_outcome say(perp_chain *c, const perp_chain_step *s)
{
    ck_assert(!s->options && c->ctx);
    perp_fail(c->run, PERP_STALLED, "the step knows why");
    return PERP_CHAIN_SAID;
}

static perp_chain_outcome in_stages(perp_chain *c, const perp_chain_step *s)
{
    perp_chain_step stage = *s;
    for (int k = 1; k <= 4; k *= 2) {
        stage.iterations = k;
        if (perp_chain_try(c, &stage)) return PERP_CHAIN_END;
        if (perp_chain_has_refused(c, s->options)) return PERP_CHAIN_NEXT;
    }
    return PERP_CHAIN_NEXT;
}

START_TEST(own_steps)
{
    static const perp_chain_step steps[] = {{.options = &endless.base, .run = in_stages},
                                            {.options = &refuses.base, .run = in_stages},
                                            {.run = say},
                                            {.options = &solves.base},
                                            {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_STALLED, "c c c b ", "the step knows why");
    ck_assert_int_eq(x.r.iterations, 7);
}
END_TEST

static bool is_near(perp_chain *c)
{
    if (perp_chain_residual(c) > 0.3) return false;
    perp_fail(c->run, PERP_STALLED, "nothing can be better");
    return true;
}

START_TEST(settled)
{
    static const perp_chain_step steps[] = {
        {.options = &again.base}, {.options = &again.base}, {.options = &solves.base}, {0}};
    static const perp_chain_plan plan = {
        .steps = steps, .settled = is_near, .sweeps = &perp_lcp_psor.base};
    outcome x = run((auto_options){.plan = &plan}, NULL);
    expect(&x, PERP_STALLED, "b b ", "nothing can be better");
    ck_assert_double_eq(x.r.residual.value, 0.25); /* not swept */
}
END_TEST

/* Half of q: its solution is none here. What solves the other problem is certified on this one, an
 * iteration each. */
START_TEST(another_problem)
{
    static const perp_chain_step steps[] = {
        {.options = &perp_lcp_pivot.base},
        {.options = &again.base, .adjust = change, .from = PERP_FROM_ZERO},
        {0}};
    static const double half[] = {-0.5, -1};
    perp_problem wrong_one = perp_make_lcp(2, perp_dense(2, 2, identity), half);
    perp_problem copy = perp_make_lcp(2, perp_dense(2, 2, identity), q);
    outcome x = run((auto_options){.other = &wrong_one}, steps);
    ck_assert_int_eq(x.status, PERP_STALLED);
    ck_assert_str_eq(journal.names, "b ");
    x = run((auto_options){.other = &copy}, steps);
    expect(&x, PERP_SOLVED, "", "");
}
END_TEST

/* A certificate that finds no progress over many iterations is no end of the plan. */
START_TEST(another_problem_for_long)
{
    static const perp_chain_step steps[] = {
        {.options = &perp_lcp_pivot.base},
        {.options = &endless.base, .iterations = 400, .from = PERP_FROM_ZERO},
        {.options = &again.base, .adjust = change, .from = PERP_FROM_ZERO},
        {0}};
    static const double half[] = {-0.5, -1};
    perp_problem wrong_one = perp_make_lcp(2, perp_dense(2, 2, identity), half);
    outcome x = run((auto_options){.other = &wrong_one}, steps);
    ck_assert_msg(x.r.iterations > 100, "%d: %s", x.r.iterations, x.r.detail);
    ck_assert_str_eq(journal.names, "c b ");
}
END_TEST

/* The plan refuses or gets stuck, the sweeps beside it solve the problem or are counted. */
START_TEST(sweeps_beside)
{
    static const perp_chain_step steps[] = {{.options = &stalls.base}, {0}},
                                 refused[] = {{.options = &refuses.base}, {0}};
    static const perp_chain_plan plan = {.steps = steps, .sweeps = &perp_lcp_psor.base},
                                 other = {.steps = refused, .sweeps = &perp_lcp_psor.base};
    const double M[] = {2, 1, 1, 2}, far[] = {-5, -7};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), far);
    outcome x = run_problem(&p, (auto_options){.plan = &plan}, NULL);
    expect(&x, PERP_SOLVED, "a ", "");
    ck_assert_str_eq(x.r.solver, "lcp/psor");
    x = run_problem(&p, (auto_options){.plan = &other}, NULL);
    expect(&x, PERP_SOLVED, "b ", "");
    x = run_problem(&p, (auto_options){.plan = &plan, .base.max_iter = 4}, NULL);
    ck_assert_int_eq(x.status, PERP_STALLED);
    ck_assert_msg(strstr(x.r.detail, "none of 2 solvers") && strstr(x.r.detail, "within 4 iter") &&
                      strstr(x.r.detail, "by lcp/psor"),
                  "%s", x.r.detail);
}
END_TEST

/* ---- memory ---- */

START_TEST(fixed_arena)
{
    static const perp_chain_step steps[] = {{.options = &behind.base},
                                            {.options = &solves.base},
                                            {0}},
                                 only[] = {{.options = &behind.base}, {0}};
    static char buffer[1 << 15];
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, identity), q);
    perp_chain_plan plan = {.steps = steps};
    auto_options o = {.base = {.solver = &automatic, .tol = 1e-8, .max_iter = 9, .threads = 1},
                      .plan = &plan};
    perp_arena a;
    perp_result r;
    double z[2];
    journal = (struct journal){.calls = 0};
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_str_eq(journal.names, "c ");
    plan.steps = only;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_E_MEMORY);
    ck_assert_str_eq(r.detail, "all solvers for this problem need an arena that may grow");
    outcome x = run((auto_options){.plan = NULL}, only);
    expect(&x, PERP_SOLVED, "big ", "");
}
END_TEST

START_TEST(little_memory)
{
    static const perp_chain_step steps[] = {{.options = &stalls.base}, {0}};
    static const perp_chain_plan plan = {.steps = steps},
                                 swept = {.steps = steps, .sweeps = &perp_lcp_psor.base};
    static const perp_problem nothing = {.kind = PERP_KIND_LCP};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, identity), q);
    auto_options o = {.base = {.solver = &automatic, .tol = 1e-8, .max_iter = 9, .threads = 1},
                      .plan = &plan};
    perp_result r;
    perp_arena a = {0};
    journal = (struct journal){.calls = 0};
    solve_starved(&p, &o.base, PERP_STALLED);
    journal = (struct journal){.calls = 0};
    o.plan = &swept;
    solve_starved(&p, &o.base, PERP_SOLVED);
    ck_assert_int_eq(perp_solve(&nothing, &o.base, &a, NULL, NULL, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

/* Steps change copies of the options. */
START_TEST(options_are_copied)
{
    static const perp_chain_step steps[] = {{.options = &again.base, .adjust = change},
                                            {.options = &again.base, .from = PERP_FROM_ZERO},
                                            {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    ck_assert_int_eq(x.status, PERP_STALLED);
    ck_assert_double_eq(x.r.residual.value, 0.5);
    ck_assert(again.share == 0.5 && again.base.tol == 1e-3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("chain");
    TCase *c = tcase_create("chain");
    tcase_add_test(c, a_refusal_in_the_middle);
    tcase_add_test(c, a_refusal_is_not_repeated);
    tcase_add_test(c, all_refuse);
    tcase_add_test(c, a_want_of_memory);
    tcase_add_test(c, a_bad_argument);
    tcase_add_test(c, a_ray);
    tcase_add_test(c, conditions);
    tcase_add_test(c, counted_steps);
    tcase_add_test(c, budgets);
    tcase_add_test(c, cut_off);
    tcase_add_test(c, starts);
    tcase_add_test(c, who_got_how_far);
    tcase_add_test(c, own_steps);
    tcase_add_test(c, settled);
    tcase_add_test(c, another_problem);
    tcase_add_test(c, another_problem_for_long);
    tcase_add_test(c, sweeps_beside);
    tcase_add_test(c, fixed_arena);
    tcase_add_test(c, little_memory);
    tcase_add_test(c, options_are_copied);
    suite_add_tcase(s, c);
    return support_run(s);
}
