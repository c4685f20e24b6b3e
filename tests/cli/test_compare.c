/* test_cli_compare.c: the command's face; tests/cli/compare.py runs the built one. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(wrong_calls)
{
    const char *easy = file_make("easy.dat", lcp_easy);
    calls(2, NULL, "there is no FILE to solve", "compare");
    calls(2, NULL, "there is no FILE to merge", "compare --merge --csv x.csv");
    calls(2, NULL, "--merge needs --csv", "compare --merge a.csv");
    calls(2, NULL, "exclude each other", "compare --merge --from a.csv --csv b.csv c.csv");
    calls(2, NULL, "--from needs --report", "compare --from a.csv");
    calls(2, NULL, "--from takes no problems", "compare --from a.csv --report d %s", easy);
    calls(2, NULL, "run nothing", "compare --from a.csv --report d -s lcp/psor");
    calls(2, NULL, "run nothing", "compare --merge a.csv --csv b.csv --resume");
    calls(2, NULL, "--resume needs", "compare --resume %s", easy);
    calls(2, NULL, "--resume needs", "compare --resume --csv - %s", easy);
    calls(2, NULL, "--resume needs", "compare --resume --csv /dev/null %s", easy);
    calls(2, NULL, "lcp/psor", "compare -s lcp/psro %s", easy);
    calls(2, NULL, "did you mean 'lcp/psor'", "compare -s psro %s", easy);
    calls(2, NULL, "omega", "compare -s lcp/psor:omegu=1 %s", easy);
    calls(2, NULL, "lcp", "compare --kind lcpp %s", easy);
    calls(2, NULL, "-j: 0", "compare -j 0 %s", easy);
    calls(2, NULL, "--timeout", "compare --timeout 0 %s", easy);
}
END_TEST

START_TEST(a_comparison_with_its_report)
{
    char dir[] = "/tmp/perp_compare_XXXXXX", csv[64], from[64], command[64];
    const char *easy = file_make("easy.dat", lcp_easy);
    ck_assert_ptr_nonnull(mkdtemp(dir));
    calls(0, "file:///tmp/perp_compare_", NULL, "compare %s -s lemke -r 2 --report %s", easy, dir);
    ck_assert_ptr_nonnull(strstr(call_out, "lcp/lemke"));
    snprintf(csv, sizeof csv, "%s/results.csv", dir);
    ck_assert_int_eq(access(csv, R_OK), 0);
    snprintf(from, sizeof from, "%s/again", dir);
    calls(0, "open it in a browser: file://", NULL, "compare --from %s --report %s", csv, from);
    calls(0, "lcp/lemke,solved", NULL, "compare %s -s lemke --csv -", easy);
    ck_assert_ptr_null(strstr(call_out, "virtual best")); /* nothing but the CSV */
    calls(0, "lcp/lemke,solved", NULL, "compare --merge %s --csv -", csv);
    ck_assert_int_eq(access("-", F_OK), -1);
    calls(0, NULL, NULL, "compare --quiet %s -s lemke -r 2 --report %s --resume", easy, dir);
    calls(0, "open it in a browser: file://", NULL, "compare %s -s lemke -r 2 --report %s --resume",
          easy, dir);
    snprintf(command, sizeof command, "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(help_tells_the_words)
{
    calls(0, "crashed", NULL, "compare --help");
    ck_assert_ptr_nonnull(strstr(call_out, "timeout"));
    ck_assert_ptr_nonnull(strstr(call_out, "--shard"));
    ck_assert_ptr_nonnull(strstr(call_out, "seconds_jobs"));
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "worker") == 0) /* a run executes this program */
        return cli_main(argc, (const char *const *)argv, stdout, stderr);
    Suite *s = suite_create("cli_compare");
    TCase *t = tcase_create("cli_compare");
    tcase_add_test(t, wrong_calls);
    tcase_add_test(t, a_comparison_with_its_report);
    tcase_add_test(t, help_tells_the_words);
    suite_add_tcase(s, t);
    int status = support_run(s);
    files_remove();
    call_free();
    return status;
}
