/* test_cli_convert.c: a problem in another format. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(there_and_back)
{
    const char *path = file_make("easy.dat", lcp_easy), *text = file_path("easy.perp");
    const char *again = file_path("again.dat"), *third = file_path("third.perp");
    calls(CLI_DONE, NULL, NULL, "convert %s %s", path, text);
    calls(CLI_DONE, NULL, NULL, "convert %s %s", text, again);
    calls(CLI_DONE, NULL, NULL, "convert --to=text %s %s", again, third);
    char *a = file_read(text), *b = file_read(third);
    ck_assert(a && b);
    calls(CLI_DONE, "z[1]       2.333333333333333", NULL, "solve -z %s", again);
    free(a);
    free(b);
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    const char *path = file_make("easy.dat", lcp_easy);
    calls(CLI_WRONG, NULL, "did you mean 'text'?", "convert --to=txt %s -", path);
    calls(CLI_WRONG, NULL, "/nonexistent/x.dat", "convert %s /nonexistent/x.dat", path);
    calls(CLI_WRONG, NULL, "expected IN OUT", "convert %s", path);
    const char *qps = file_path("x.qps");
    calls(CLI_WRONG, NULL, "x.qps", "convert %s %s", path, qps);
    ck_assert_ptr_null(file_read(qps));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_convert");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, there_and_back);
    tcase_add_test(t, wrong_calls_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
