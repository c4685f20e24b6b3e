/* test_options.c: options by name, their ranges, and the sentences that refuse them. */
#include "core/defaults.h"
#include "core/internal.h"
#include "perp/perp.h"
#include "perp/solver.h"
#include "support.h"

#include <check.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static perp_arena arena;

static void reset(void)
{
    perp_arena_free(&arena);
}

START_TEST(defaults_are_copied)
{
    perp_lcp_psor_options *o = (perp_lcp_psor_options *)perp_options_new(&arena, "lcp/psor");
    ck_assert_ptr_nonnull(o);
    perp_lcp_psor_options same = perp_lcp_psor;
    same.base.size = sizeof same;
    ck_assert_int_eq(memcmp(o, &same, sizeof same), 0);
    ck_assert_ptr_null(perp_options_new(NULL, "lcp/psor"));
}
END_TEST

/* A program that was built with an earlier perp has fewer fields: the others have their defaults.
 * One that was built with a later perp is refused. */
START_TEST(options_of_other_versions)
{
    const double M[] = {4, 1, 1, 3}, q[] = {-1, -2};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    struct { /* lcp/psor before it had `symmetric`, with the caller's own numbers behind */
        perp_options base;
        double omega, own;
    } old = {.own = 7};
    size_t size = offsetof(perp_lcp_psor_options, symmetric);
    perp_error e;
    perp_result r, expected;
    double z[2], x[2];
    ck_assert_int_eq(perp_options_init(&old.base, size, "lcp/psor"), PERP_SOLVED);
    ck_assert(old.base.size == size && old.own == 7 && old.omega == 1);
    old.omega = 1.3;
    ck_assert_int_eq(perp_options_check(&old.base, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_options_set(&old.base, "symmetric", "1", &e), PERP_E_OPTION);
    perp_lcp_psor_options now = perp_lcp_psor_defaults();
    now.omega = 1.3;
    ck_assert_int_eq(perp_solve(&p, &old.base, &arena, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(perp_solve(&p, &now.base, &arena, x, NULL, &expected), PERP_SOLVED);
    ck_assert_int_eq(memcmp(z, x, sizeof z), 0);
    ck_assert_int_eq(r.iterations, expected.iterations);
    now.base.size = sizeof now + 8;
    ck_assert_int_eq(perp_solve(&p, &now.base, &arena, x, NULL, &r), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(r.detail, "was built with a later version"));
    now.base.size = 8;
    ck_assert_int_eq(perp_options_check(&now.base, &e), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(e.text, "have 8 bytes"));
    ck_assert_int_eq(perp_options_init(NULL, 100, "lcp/psor"), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_options_init(&now.base, 8, "lcp/psor"), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_options_init(&now.base, sizeof now, "lcp/sor"), PERP_E_OPTION);
    ck_assert_int_eq(perp_solve(&p, &now.base, &arena, x, NULL, &r), PERP_E_OPTION);
}
END_TEST

/* Options of no solver: refused when a field is set and when they are used. */
START_TEST(a_misspelt_solver_gets_a_suggestion)
{
    perp_options *o = perp_options_new(&arena, "lcp/psr"), *none = perp_options_new(&arena, NULL);
    perp_error e = {0};
    ck_assert(o && none);
    ck_assert_int_eq(perp_options_set(o, "tol", "1e-3", &e), PERP_E_OPTION);
    ck_assert_msg(strstr(e.text, "'lcp/psor'"), "%s", e.text);
    ck_assert_int_eq(perp_options_check(o, &e), PERP_E_OPTION);
    ck_assert_msg(strstr(e.text, "'lcp/psor'"), "%s", e.text);
    ck_assert_int_eq(perp_options_check(none, &e), PERP_E_OPTION);
}
END_TEST

START_TEST(every_type_is_set_by_name)
{
    perp_lcp_psor_options *o = (perp_lcp_psor_options *)perp_options_new(&arena, "lcp/psor");
    ck_assert_int_eq(perp_options_set(&o->base, "omega", "1.25", NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_options_set(&o->base, "symmetric", "true", NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_options_set(&o->base, "max_iter", "17", NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_options_set(&o->base, "warm_start", "1", NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_options_set(&o->base, "tol", "1e-3", NULL), PERP_SOLVED);
    ck_assert_double_eq(o->omega, 1.25);
    ck_assert(o->symmetric && o->base.warm_start);
    ck_assert_int_eq(o->base.max_iter, 17);
    ck_assert_double_eq(o->base.tol, 1e-3);
    ck_assert_int_eq(perp_options_set(&o->base, "symmetric", "false", NULL), PERP_SOLVED);
    ck_assert(!o->symmetric);
    perp_lcp_lemke_options *l = (perp_lcp_lemke_options *)perp_options_new(&arena, "lcp/lemke");
    ck_assert_int_eq(perp_options_set(&l->base, "cover", "rows", NULL), PERP_SOLVED);
    ck_assert_int_eq(l->cover, PERP_COVER_ROWS);
}
END_TEST

static void refused(const char *name, const char *value, const char *says)
{
    perp_lcp_psor_options *o = (perp_lcp_psor_options *)perp_options_new(&arena, "lcp/psor"),
                          copy = *o;
    perp_error e;
    ck_assert_int_eq(perp_options_set(&o->base, name, value, &e), PERP_E_OPTION);
    ck_assert_int_eq(e.status, PERP_E_OPTION);
    ck_assert_msg(strstr(e.text, says) != NULL, "'%s' does not say '%s'", e.text, says);
    ck_assert_int_eq(memcmp(o, &copy, sizeof copy), 0); /* nothing was changed */
}

START_TEST(bad_values_are_refused)
{
    refused("omega", "2", "omega = 2 is outside [");
    refused("omega", "0", "omega = 0 is outside [");
    refused("omega", "nan", "is not a number");
    refused("omega", "1.5x", "'1.5x' is not a number");
    refused("omega", "", "is not a number");
    refused("max_iter", "1.5", "is not a whole number");
    refused("max_iter", "-1", "max_iter = -1 is outside [0, ");
    refused("max_iter", "3e9", "is outside");
    refused("symmetric", "maybe", "is not 0, 1, true or false");
    refused("symmetric", "2", "outside [0, 1]");
    refused("tol", "-1e-9", "outside");
    refused("tol", "inf", "outside"); /* what cannot be measured would count as solved */
    refused("threads", "0", "outside");
}
END_TEST

START_TEST(renamed_options_name_the_new_one)
{
    perp_arena a = {0};
    perp_error e;
    perp_options *o = perp_options_new(&a, "fc3d/nsgs");
    ck_assert_int_eq(perp_options_set(o, "stretch", "0", &e), PERP_E_OPTION);
    ck_assert_str_eq(e.text, "the option 'stretch' of fc3d/nsgs is called 'extrapolate' now");
    ck_assert_int_eq(perp_options_set(o, "extrapolate", "0", &e), PERP_SOLVED);
    refused("stretch", "0", "lcp/psor has no option 'stretch'");
    perp_arena_free(&a);
}
END_TEST

START_TEST(misspelt_names_get_a_suggestion)
{
    refused("omgea", "1", "lcp/psor has no option 'omgea'; did you mean 'omega'?");
    refused("OMEGA", "1", "did you mean 'omega'?");
    refused("time_limit", "1", "lcp/psor has no option 'time_limit'; it has omega");
    refused("memory", "1", "has no option 'memory'; lcp/newton_min has one");
    refused("max-iter", "1", "did you mean 'max_iter'?");
    refused("", "1", "has no option ''");
    char longest[300];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    refused(longest, "1", "has no option 'xxx");
}
END_TEST

START_TEST(choices_are_named)
{
    perp_error e;
    perp_options *o = perp_options_new(&arena, "lcp/lemke");
    ck_assert_int_eq(perp_options_set(o, "cover", "row", &e), PERP_E_OPTION);
    ck_assert_str_eq(e.text, "cover = 'row' is none of ones|rows");
    ck_assert_int_eq(perp_options_set(o, "cover", "ones|rows", &e), PERP_E_OPTION);
}
END_TEST

START_TEST(the_check_sees_fields_set_by_hand)
{
    perp_error e;
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    ck_assert_int_eq(perp_options_check(&o.base, &e), PERP_SOLVED);
    o.omega = NAN;
    ck_assert_int_eq(perp_options_check(&o.base, &e), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(e.text, "omega"));
    o = perp_lcp_psor_defaults();
    o.base.tol = -1;
    ck_assert_int_eq(perp_options_check(&o.base, &e), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(e.text, "tol"));
    perp_lcp_lemke_options l = perp_lcp_lemke_defaults();
    l.cover = (perp_cover)7;
    ck_assert_int_eq(perp_options_check(&l.base, &e), PERP_E_OPTION);
    ck_assert_str_eq(e.text, "cover = 7 is not a choice of ones|rows");
    perp_options none = {0};
    ck_assert_int_eq(perp_options_check(&none, &e), PERP_E_OPTION);
    ck_assert_ptr_nonnull(strstr(e.text, "no solver"));
    ck_assert_int_eq(perp_options_check(NULL, NULL), PERP_E_ARGUMENT);
}
END_TEST

START_TEST(null_arguments_are_refused)
{
    perp_options *o = perp_options_new(&arena, "lcp/psor");
    ck_assert_int_eq(perp_options_set(NULL, "tol", "1", NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_options_set(o, NULL, "1", NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_options_set(o, "tol", NULL, NULL), PERP_E_ARGUMENT);
}
END_TEST

START_TEST(distance_of_names)
{
    ck_assert_int_eq(perp_name_distance("omega", "omega"), 0);
    ck_assert_int_eq(perp_name_distance("Omega", "oMEGA"), 0);
    ck_assert_int_eq(perp_name_distance("kitten", "sitting"), 3);
    ck_assert_int_eq(perp_name_distance("", "abc"), 3);
    ck_assert_int_eq(perp_name_distance("abc", ""), 3);
    char huge[100];
    memset(huge, 'a', 99);
    huge[99] = 0;
    ck_assert_int_eq(perp_name_distance("a", huge), INT_MAX);
    ck_assert_int_eq(perp_name_distance(huge, "a"), 98);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("options");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, defaults_are_copied);
    tcase_add_test(t, a_misspelt_solver_gets_a_suggestion);
    tcase_add_test(t, every_type_is_set_by_name);
    tcase_add_test(t, bad_values_are_refused);
    tcase_add_test(t, options_of_other_versions);
    tcase_add_test(t, renamed_options_name_the_new_one);
    tcase_add_test(t, misspelt_names_get_a_suggestion);
    tcase_add_test(t, choices_are_named);
    tcase_add_test(t, the_check_sees_fields_set_by_hand);
    tcase_add_test(t, null_arguments_are_refused);
    tcase_add_test(t, distance_of_names);
    Suite *s = suite_create("options");
    suite_add_tcase(s, t);
    return support_run(s);
}
