/* test_cli_generate.c: seeded problems from the command. */
#include "cli_support.h"
#include "generate/generate.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(families_are_listed)
{
    calls(CLI_DONE, "[50 unknowns]", NULL, "generate --list");
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) ck_assert_ptr_nonnull(strstr(call_out, e.name));
    calls(CLI_DONE, "forms: fc3d, ", NULL, "generate --list tower");
    ck_assert_ptr_null(strstr(call_out, "murty"));
    calls(CLI_DONE, "{\"family\": \"", NULL, "generate --list --json");
}
END_TEST

START_TEST(every_family_can_be_written_and_read)
{
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) {
        char name[80];
        snprintf(name, sizeof name, "%s.perp", e.name);
        const char *path = file_path(name);
        calls(CLI_DONE, NULL, NULL, "generate %s -o %s", e.name, path);
        calls(CLI_DONE, "n = ", NULL, "info --limit=0 %s", path);
        files_remove();
    }
}
END_TEST

START_TEST(the_same_seed_gives_the_same_problem)
{
    const char *a = file_path("a.dat"), *b = file_path("b.dat"), *c = file_path("c.dat");
    calls(CLI_DONE, NULL, NULL, "generate pd -n 7 -s 3 -o %s", a);
    calls(CLI_DONE, NULL, NULL, "generate pd --size=7 --seed=3 -o %s --to=siconos", b);
    calls(CLI_DONE, NULL, NULL, "generate pd -n 7 -s 4 -o %s", c);
    char *x = file_read(a), *y = file_read(c);
    ck_assert(x && y);
    ck_assert_str_ne(x, y);
    free(x);
    free(y);
    calls(CLI_DONE, "lcp, n = 7", NULL, "solve %s", a);
}
END_TEST

START_TEST(the_file_says_what_made_it)
{
    const char *path = file_path("a.perp");
    calls(CLI_DONE, NULL, NULL,
          "generate plate -n 3 -f lcp_facets --mu 0.3 --ratio 10 --facets 6 -o %s", path);
    char *text = file_read(path);
    ck_assert_ptr_nonnull(strstr(text, "perp generate plate --size=3 --seed=1 --form=lcp_facets "
                                       "--mu=0.3 --ratio=10 --facets=6\""));
    free(text);
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    calls(CLI_WRONG, NULL, "expected FAMILY", "generate");
    calls(CLI_WRONG, NULL, "did you mean 'murty'?", "generate mutry");
    calls(CLI_WRONG, NULL, "no family 'xyzzyxyzzy'; see", "generate xyzzyxyzzy");
    calls(CLI_WRONG, NULL, "-n: 0 is less than 1", "generate pd -n 0");
    calls(CLI_WRONG, NULL, "did you mean 'siconos'?", "generate pd --to=siconso");
    calls(CLI_WRONG, NULL, "pd: ", "generate pd --form=nosuch -o %s", file_path("x.dat"));
    calls(CLI_WRONG, NULL, "/nonexistent/x.dat", "generate pd -o /nonexistent/x.dat");
    calls(CLI_WRONG, NULL, "for scenes, and pd is none", "generate pd --mu=0.3");
    calls(CLI_WRONG, NULL, "can be standard output", "generate psd -z -");
    calls(CLI_WRONG, NULL, "pd: the family knows no solution", "generate pd -n 3 -z %s",
          file_path("z.txt"));
    ck_assert_str_eq(call_out, ""); /* no problem without the solution asked for */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_generate");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, families_are_listed);
    tcase_add_test(t, every_family_can_be_written_and_read);
    tcase_add_test(t, the_same_seed_gives_the_same_problem);
    tcase_add_test(t, the_file_says_what_made_it);
    tcase_add_test(t, wrong_calls_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
