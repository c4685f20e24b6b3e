/* test_cli_info.c: what perp says of a file. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(an_lcp)
{
    const char *path = file_make("singular.dat", lcp_singular);
    calls(CLI_DONE, "lcp, n = 3", NULL, "info %s", path);
    ck_assert_ptr_nonnull(strstr(call_out, "3 x 3, 5 nonzeros"));
    ck_assert_ptr_nonnull(strstr(call_out, "rank       2 of 3"));
    ck_assert_ptr_nonnull(strstr(call_out, "|M - M'| / |M| = 0"));
    calls(CLI_DONE, "\"rank\": 2, \"condition\": null, \"singular\": true", NULL, "info --json %s",
          path);
    calls(CLI_DONE, ",lcp,3,M,3,3,5,0,2,inf,,\n", NULL, "info --csv %s", path);
}
END_TEST

START_TEST(friction)
{
    const char *path = file_make("fc3d.dat", "3\n2\n0\n6\n6\n6\t6\n"
                                             "4 1 0 0 0 0\n1 4 0 0 0 0\n0 0 1 0 0 0\n"
                                             "0 0 0 1 0 0\n0 0 0 0 1 0\n0 0 0 0 0 1\n"
                                             "-1 0 0 -1 0 0\n0.25 0.5\n");
    calls(CLI_DONE, "contacts     2, local form", NULL, "info %s", path);
    ck_assert_ptr_nonnull(strstr(call_out, "mu           0.25 to 0.5"));
    ck_assert_ptr_nonnull(strstr(call_out, "condition  5"));
    calls(CLI_DONE, "\"mu_min\": 0.25, \"mu_max\": 0.5", NULL, "info --json %s", path);
}
END_TEST

START_TEST(several_files_and_a_bad_one)
{
    const char *good = file_make("good.dat", lcp_easy), *bad = file_make("bad.dat", "x y z\n");
    calls(CLI_WRONG, "lcp, n = 2", "bad.dat", "info %s %s", bad, good);
    ck_assert_int_ne(call_out[0], '\n'); /* an empty line stands between two only */
    calls(CLI_WRONG, "\n\nperp_test_", "bad.dat", "info %s %s %s %s", good, bad, good, bad);
    ck_assert_ptr_null(strstr(call_out, "\n\n\n"));
    calls(CLI_WRONG, NULL, "expected FILE...", "info");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_info");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, an_lcp);
    tcase_add_test(t, friction);
    tcase_add_test(t, several_files_and_a_bad_one);
    suite_add_tcase(s, t);
    return support_run(s);
}
