/* test_cli_error.c: the shape of an error, and the nearest name. */
#include "cli_support.h"
#include "support.h"

#include <string.h>

static const cli_command command = {.name = "try"};

static void printed(int status, const char *expected)
{
    cli_end();
    ck_assert_int_eq(status, CLI_WRONG);
    ck_assert_str_eq(call_err, expected);
    ck_assert_str_eq(call_out, "");
}

START_TEST(errors_name_the_place)
{
    perp_error e = {.line = 7, .text = "expected n"};
    printed(cli_fail(cli_begin(&command), "%d is odd", 3), "perp try: 3 is odd\n");
    printed(cli_fail(cli_begin(NULL), "bad"), "perp: bad\n");
    printed(cli_fail_file(cli_begin(&command), "a.dat", &e), "perp try: a.dat:7: expected n\n");
    printed(cli_fail_file(cli_begin(&command), "-", &e),
            "perp try: standard input:7: expected n\n");
    e.line = 0;
    printed(cli_fail_file(cli_begin(&command), "a.dat", &e), "perp try: a.dat: expected n\n");
}
END_TEST

START_TEST(names_get_suggestions)
{
    printed(cli_fail_name(cli_begin(&command), "solver", "lpc", "lcp", "see"),
            "perp try: no solver 'lpc'; did you mean 'lcp'?\n");
    printed(cli_fail_name(cli_begin(&command), "solver", "x", NULL, "see 'perp list'"),
            "perp try: no solver 'x'; see 'perp list'\n");
    printed(cli_fail_name(cli_begin(&command), "solver", "x", NULL, NULL),
            "perp try: no solver 'x'\n");
}
END_TEST

START_TEST(notes_are_no_errors)
{
    cli_note(cli_begin(&command), "n = %d", 2);
    cli_end();
    ck_assert_str_eq(call_err, "perp try: note: n = 2\n");
}
END_TEST

START_TEST(nearest_is_near)
{
    const char *const list[] = {"solve", "compare", "convert", NULL}, *const none[] = {NULL};
    ck_assert_str_eq(cli_nearest("slove", list), "solve");
    ck_assert_str_eq(cli_nearest("convrt", list), "convert");
    ck_assert_str_eq(cli_nearest("SOLVE", list), "solve");
    ck_assert_ptr_null(cli_nearest("xyz", list));
    ck_assert_ptr_null(cli_nearest("version", list)); /* four letters wrong: no help */
    ck_assert_ptr_null(cli_nearest("", list));
    ck_assert_ptr_null(cli_nearest("solve", none));
    char huge[5000];
    memset(huge, 'a', sizeof huge - 1);
    huge[sizeof huge - 1] = 0;
    cli_nearest(huge, list);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_error");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, call_free);
    tcase_add_test(t, errors_name_the_place);
    tcase_add_test(t, names_get_suggestions);
    tcase_add_test(t, notes_are_no_errors);
    tcase_add_test(t, nearest_is_near);
    suite_add_tcase(s, t);
    return support_run(s);
}
