/* test_cli_load.c: files for commands, and their names. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(base_names)
{
    cli *c = cli_begin(NULL);
    ck_assert_str_eq(cli_base_name(c, "a/b/lcp_mmc.dat"), "lcp_mmc");
    ck_assert_str_eq(cli_base_name(c, "x.hdf5.dat"), "x.hdf5");
    ck_assert_str_eq(cli_base_name(c, "plain"), "plain");
    ck_assert_str_eq(cli_base_name(c, "a.b/.hidden"), ".hidden");
    ck_assert_str_eq(cli_base_name(c, "-"), "stdin");
    cli_end();
}
END_TEST

START_TEST(a_problem_is_read_and_named)
{
    const char *path = file_make("easy.dat", lcp_easy);
    cli *c = cli_begin(NULL);
    perp_file file;
    ck_assert(cli_load(c, path, NULL, &file));
    ck_assert_int_eq(file.problem.kind, PERP_KIND_LCP);
    ck_assert_int_eq(perp_size(&file.problem), 2);
    ck_assert_ptr_nonnull(strstr(file.problem.name, "easy"));
    ck_assert(cli_load(c, path, "lcp", &file));
    cli_end();
}
END_TEST

START_TEST(bad_files_are_refused)
{
    const char *cut = file_make("cut.dat", "2\n0\n2\n2\n2\t2\n2 1\n");
    perp_file file;
    ck_assert(!cli_load(cli_begin(NULL), cut, NULL, &file));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "cut.dat"));
    ck_assert(!cli_load(cli_begin(NULL), cut, "lpc", &file));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "did you mean 'lcp'?"));
    ck_assert(!cli_load(cli_begin(NULL), "/nonexistent/a.dat", NULL, &file));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "/nonexistent/a.dat: "));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_load");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, base_names);
    tcase_add_test(t, a_problem_is_read_and_named);
    tcase_add_test(t, bad_files_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
