/* test_cli_solutions.c: all solutions of a small lcp, as text and as JSON. */
#include "cli/solutions.h"
#include "cli_support.h"
#include "support.h"

#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

static const char *three = "perp 1 lcp\nM dense 2 2\n1 2\n2 1\nq -1 -1\nend\n";
static const char *face = "perp 1 lcp\nM dense 2 2\n1 1\n1 1\nq -1 -1\nend\n";
static const char *none = "perp 1 lcp\nM dense 1 1\n-1\nq -1\nend\n";

START_TEST(text)
{
    const char *path = file_make("three.perp", three);
    calls(CLI_DONE,
          "solutions  3 bases solve, 0 of them with a singular block\n"
          "basis      {0}, residual 0.000e+00\nbasis      {1}, residual 0.000e+00\n"
          "basis      {0 1}, residual ",
          NULL, "solve -s lcp/enumerate:all=1 %s", path);
    calls(CLI_DONE, "basis      {1}, residual 0.000e+00, z = 0 1\n", NULL,
          "solve -z -s lcp/enumerate:all=1 %s", path);
    path = file_make("face.perp", face);
    calls(CLI_DONE, "basis      {0 1}, a point of a face, residual ", NULL,
          "solve -s lcp/enumerate:all=1 %s", path);
    calls(CLI_DONE, "solved", NULL, "solve -s lcp/enumerate %s", path);
    ck_assert_ptr_null(strstr(call_out, "basis"));
    calls(CLI_UNSOLVED, "solutions  0 bases solve", NULL, "solve -s lcp/enumerate:all=1 %s",
          file_make("none.perp", none));
}
END_TEST

START_TEST(json)
{
    const char *path = file_make("three.perp", three);
    calls(CLI_DONE,
          "\"bases\": 3, \"solutions\": [{\"basis\": [0], \"face\": false, \"residual\": 0, "
          "\"z\": [1, 0]}, {\"basis\": [1], ",
          NULL, "solve --json -s lcp/enumerate:all=1 %s", path);
    ck_assert_ptr_nonnull(strstr(call_out, "{\"basis\": [0, 1], \"face\": false, "));
    calls(CLI_UNSOLVED, "\"bases\": 0, \"solutions\": []", NULL,
          "solve --json -s lcp/enumerate:all=1 %s", file_make("none.perp", none));
    calls(CLI_DONE, "solved", NULL, "solve --json %s", path);
    ck_assert_ptr_null(strstr(call_out, "solutions"));
}
END_TEST

/* M = 0, q = 0: all 2^11 bases solve, all but one by a face. */
START_TEST(many)
{
    char path[64];
    snprintf(path, sizeof path, "%s",
             file_make("zero.perp", "perp 1 lcp\nM sparse 11 11\nq 0 0 0 0 0 "
                                    "0 0 0 0 0 0\nend\n"));
    calls(CLI_DONE, "solutions  2048 bases solve, 2047 of them with a singular block\n", NULL,
          "solve -s lcp/enumerate:all=1 %s", path);
    ck_assert_ptr_nonnull(strstr(call_out, "the first 1000 are shown\n"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_solutions");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, text);
    tcase_add_test(t, json);
    tcase_add_test(t, many);
    suite_add_tcase(s, t);
    return support_run(s);
}
