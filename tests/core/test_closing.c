/* tests/core/test_closing.c: the sentence of a solve that the clock or the monitor ended names the
 * solver that ran, and the one whose iterate is returned where that is another. */
#include "chain_support.h"

typedef struct stopper {
    int calls, last;
} stopper;

static bool stop_at_last(void *ctx, const perp_progress *p)
{
    stopper *s = ctx;
    (void)p;
    return ++s->calls < s->last;
}

static outcome stop_after(int calls, const perp_chain_step *steps)
{
    stopper s = {0, calls};
    return run((auto_options){.base = {.monitor = stop_at_last, .monitor_ctx = &s}}, steps);
}

/* fake/a gets three quarters of the way, fake/c does not move from there. */
START_TEST(both_are_named)
{
    static const perp_chain_step steps[] = {
        {.options = &stalls.base}, {.options = &endless.base}, {0}};
    outcome x = stop_after(4, steps);
    ck_assert_int_eq(x.status, PERP_CANCELLED);
    ck_assert_str_eq(x.r.solver, "fake/a");
    ck_assert_str_eq(x.r.detail, "fake/c: the monitor stopped the solve; the best residual is "
                                 "2.5e-01, by fake/a");
}
END_TEST

START_TEST(one_that_is_both_is_named_once)
{
    static const perp_chain_step steps[] = {{.options = &stalls.base}, {0}};
    outcome x = stop_after(2, steps);
    ck_assert_int_eq(x.status, PERP_CANCELLED);
    ck_assert_str_eq(x.r.solver, "fake/a");
    ck_assert_str_eq(x.r.detail, "fake/a: the monitor stopped the solve");
}
END_TEST

/* The best iterate is the start, which no solver of the plan has made. */
START_TEST(a_start_is_nobodys)
{
    static const perp_chain_step steps[] = {{.options = &endless.base}, {0}};
    outcome x = run((auto_options){.base = {.max_seconds = 1e-9}}, steps);
    ck_assert_int_eq(x.status, PERP_MAX_SECONDS);
    ck_assert_ptr_null(strstr(x.r.detail, "best residual"));
    ck_assert_ptr_nonnull(strstr(x.r.detail, "the time limit was reached"));
}
END_TEST

/* Other ends have sentences of their own. */
START_TEST(a_stall_is_as_before)
{
    static const perp_chain_step steps[] = {{.options = &stalls.base}, {0}};
    outcome x = run((auto_options){.plan = NULL}, steps);
    expect(&x, PERP_STALLED, "a ", "it is at its end");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("closing");
    TCase *c = tcase_create("closing");
    tcase_add_test(c, both_are_named);
    tcase_add_test(c, one_that_is_both_is_named_once);
    tcase_add_test(c, a_start_is_nobodys);
    tcase_add_test(c, a_stall_is_as_before);
    suite_add_tcase(s, c);
    return support_run(s);
}
