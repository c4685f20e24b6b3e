/* test_cli_simulate_plot.c: plots of a run, where gnuplot is; a sentence where it is not. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(runs_and_paths_are_drawn)
{
    const char *run = file_path("it's.svg"), *paths = file_path("paths.svg");
    calls(CLI_DONE, "steps", NULL, "simulate triangle --steps=200 --plot %s --paths %s", run,
          paths);
    char *a = file_read(run), *b = file_read(paths);
    ck_assert(a && b);
    ck_assert_ptr_nonnull(strstr(a, "kinetic"));
    ck_assert_ptr_nonnull(strstr(a, "error"));
    ck_assert_ptr_nonnull(strstr(b, "<path"));
    free(a);
    free(b);
}
END_TEST

START_TEST(without_gnuplot_it_is_told)
{
    char *path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
    setenv("PATH", "/nonexistent", 1);
    const char *run = file_path("none.svg");
    calls(CLI_WRONG, "steps", "gnuplot did not draw", "simulate triangle --steps=3 --plot %s", run);
    if (path) setenv("PATH", path, 1);
    free(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_simulate_plot");
    TCase *c = tcase_create("plot");
    tcase_add_checked_fixture(c, NULL, reset);
    if (system("gnuplot -V >/dev/null 2>&1") == 0) tcase_add_test(c, runs_and_paths_are_drawn);
    tcase_add_test(c, without_gnuplot_it_is_told);
    suite_add_tcase(s, c);
    return support_run(s);
}
