/* tests/base/test_watch.c: who asks to stop, calls of libraries that are predicted, and memory that
 * nobody gets who was asked. */
#include "base/watch.h"

#include "base/system.h"
#include "support.h"

#include <check.h>
#include <math.h>

typedef struct limit {
    int looks, stop_at; /* from this look on the answer is yes; 0: never */
    double left;
    perp_call last;
    int reports;
    float rates[2];
} limit;

static bool stop(void *ctx)
{
    limit *l = ctx;
    l->looks++;
    return l->stop_at > 0 && l->looks >= l->stop_at;
}

static double left(void *ctx)
{
    return ((const limit *)ctx)->left;
}

static void report(void *ctx, const perp_call *call)
{
    limit *l = ctx;
    l->last = *call;
    l->reports++;
}

static perp_watch watch_of(limit *l)
{
    return (perp_watch){.stop = stop, .ctx = l, .left = left, .report = report, .rates = l->rates};
}

START_TEST(without_a_watch_all_calls_are_made)
{
    perp_call call = {"a call", PERP_RATE_ORDER, .units = 1e30};
    ck_assert(perp_call_begin(NULL, &call));
    perp_call_end(NULL, &call);
    ck_assert_double_eq(call.begin, 0); /* no clock was read */
}
END_TEST

START_TEST(a_call_is_made_if_it_ends_in_time)
{
    limit l = {.left = 1, .rates = {100, 1000}};
    perp_watch w = watch_of(&l);
    perp_call orders = {"an order", PERP_RATE_ORDER, .units = 100};
    perp_call more = {"an order", PERP_RATE_ORDER, .units = 101};
    perp_call factor = {"a factor", PERP_RATE_FACTOR, .units = 101};
    ck_assert(perp_call_begin(&w, &orders));
    ck_assert_int_eq(l.reports, 0);
    ck_assert(!perp_call_begin(&w, &more));
    ck_assert_int_eq(l.reports, 1);
    ck_assert(l.last.refused);
    ck_assert_str_eq(l.last.name, "an order");
    ck_assert_double_eq_tol(l.last.seconds, 1.01, 1e-6);
    ck_assert(perp_call_begin(&w, &factor));
}
END_TEST

/* Before one was measured, a million entries are predicted to take less than a second, 1e9 more. */
START_TEST(the_first_call_is_predicted_too)
{
    limit l = {.left = 1};
    perp_watch w = watch_of(&l);
    perp_call some = {"an order", PERP_RATE_ORDER, .units = 1e6};
    perp_call many = {"an order", PERP_RATE_ORDER, .units = 1e9};
    ck_assert(perp_call_begin(&w, &some));
    ck_assert(!perp_call_begin(&w, &many));
    l.left = INFINITY;
    ck_assert(perp_call_begin(&w, &many));
}
END_TEST

START_TEST(the_rate_is_what_the_last_call_took)
{
    limit l = {.left = INFINITY};
    perp_watch w = watch_of(&l);
    perp_call call = {"an order", PERP_RATE_ORDER, .units = 5000};
    ck_assert(perp_call_begin(&w, &call));
    call.begin = perp_now() - 1000; /* as if it had taken so long */
    perp_call_end(&w, &call);
    ck_assert_double_eq_tol(l.rates[PERP_RATE_ORDER], 5, 0.1);
    ck_assert_double_eq(l.rates[PERP_RATE_FACTOR], 0);
    ck_assert(!l.last.refused);
    ck_assert_double_ge(l.last.seconds, 1000);
    ck_assert(perp_call_begin(&w, &call));
    call.begin = perp_now(); /* too short to say anything */
    perp_call_end(&w, &call);
    ck_assert_double_eq_tol(l.rates[PERP_RATE_ORDER], 5, 0.1);
}
END_TEST

START_TEST(who_is_asked_to_stop_makes_no_call)
{
    limit l = {.left = INFINITY, .stop_at = 1};
    perp_watch w = watch_of(&l);
    perp_call call = {"an order", PERP_RATE_ORDER, .units = 1};
    ck_assert(!perp_call_begin(&w, &call));
    ck_assert_int_eq(l.reports, 0);
}
END_TEST

/* Nor gets much memory. Zeros are written a megabyte at a time, with a look before each. */
START_TEST(who_is_asked_to_stop_gets_no_memory)
{
    const size_t mega = (size_t)1 << 20;
    for (int k = 1; k <= 9; k++) {
        limit l = {.stop_at = k};
        perp_watch w = watch_of(&l);
        perp_arena a = {.watch = &w};
        ck_assert_ptr_nonnull(perp_alloc(&a, 1000, 8)); /* too little to be asked for */
        ck_assert_int_eq(l.looks, 0);
        char *p = perp_alloc(&a, 8 * mega, 1);
        ck_assert_int_eq(p == NULL, k <= 8);
        ck_assert_int_eq(a.failed, k <= 8);
        ck_assert_int_eq(l.looks, k <= 8 ? k : 8);
        a.failed = false;
        p = perp_alloc_unset(&a, 2 * mega, 1);
        ck_assert_int_eq(p == NULL, true);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("watch");
    TCase *t = tcase_create("watch");
    tcase_add_test(t, without_a_watch_all_calls_are_made);
    tcase_add_test(t, a_call_is_made_if_it_ends_in_time);
    tcase_add_test(t, the_first_call_is_predicted_too);
    tcase_add_test(t, the_rate_is_what_the_last_call_took);
    tcase_add_test(t, who_is_asked_to_stop_makes_no_call);
    tcase_add_test(t, who_is_asked_to_stop_gets_no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
