/* test_cli_list.c: solvers, and the options of one. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(all_solvers_are_listed)
{
    calls(CLI_DONE, "lcp/psor", NULL, "list");
    for (int k = 0; perp_solvers()[k]; k++) {
        ck_assert_ptr_nonnull(strstr(call_out, perp_solver_name(perp_solvers()[k])));
        ck_assert_ptr_nonnull(strstr(call_out, perp_solver_about(perp_solvers()[k])));
    }
    calls(CLI_DONE, "lcp/lemke", NULL, "list lcp");
    calls(CLI_DONE, "solver,kind,about\n", NULL, "list --csv");
}
END_TEST

START_TEST(options_of_one)
{
    calls(CLI_DONE, "omega", NULL, "list lcp/psor");
    ck_assert_ptr_nonnull(strstr(call_out, "max_iter"));
    ck_assert_ptr_nonnull(strstr(call_out, "perp solve -s lcp/psor:omega="));
    calls(CLI_DONE, "ones|rows", NULL, "list lcp/lemke");
    calls(CLI_DONE, "\"choices\": \"ones|rows\"", NULL, "list --json lcp/lemke");
    for (int k = 0; perp_solvers()[k]; k++) {
        calls(CLI_DONE, perp_solver_about(perp_solvers()[k]), NULL, "list %s",
              perp_solver_name(perp_solvers()[k]));
    }
}
END_TEST

START_TEST(json_is_one_object_a_line)
{
    calls(CLI_DONE, "{\"solver\": \"lcp/", NULL, "list --json");
    int lines = 0, solvers = 0;
    for (const char *s = call_out; *s; s++) lines += *s == '\n';
    while (perp_solvers()[solvers]) solvers++;
    ck_assert_int_eq(lines, solvers);
}
END_TEST

START_TEST(wrong_names_are_refused)
{
    calls(CLI_WRONG, NULL, "did you mean 'lcp'?", "list lpc");
    calls(CLI_WRONG, NULL, "did you mean 'lcp/psor'?", "list lcp/psr");
    calls(CLI_WRONG, NULL, "too many arguments", "list lcp lcp");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_list");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, all_solvers_are_listed);
    tcase_add_test(t, options_of_one);
    tcase_add_test(t, json_is_one_object_a_line);
    tcase_add_test(t, wrong_names_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
