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
    ck_assert(cli_load(c, path, NULL, NULL, &file));
    ck_assert_int_eq(file.problem.kind, PERP_KIND_LCP);
    ck_assert_int_eq(perp_size(&file.problem), 2);
    ck_assert_ptr_nonnull(strstr(file.problem.name, "easy"));
    ck_assert(cli_load(c, path, "lcp", NULL, &file));
    cli_end();
}
END_TEST

/* Rolling contacts in the plane and old plasticity have one shape. */
START_TEST(the_layout_decides)
{
    const char *path =
        file_make("either.dat", "3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.7 0.1\n");
    perp_file file;
    ck_assert(!cli_load(cli_begin(NULL), path, NULL, NULL, &file));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "say --layout=rfc2d or --layout=plasticity-old"));
    ck_assert(cli_load(cli_begin(NULL), path, NULL, "rfc2d", &file));
    ck_assert(!file.problem.as.cone.s);
    cli_end();
    ck_assert_int_eq(call("info --layout=plasticity-old %s", path), 0);
    ck_assert_int_eq(call("solve --layout=plasticity-old %s", path), 0);
    ck_assert_int_eq(call("convert --layout=rfc2d %s %s.perp", path, path), 0);
    ck_assert_int_eq(call("solve --layout=none %s", path), 2);
    ck_assert_ptr_nonnull(strstr(call_err, "there is no layout 'none'"));
}
END_TEST

START_TEST(bad_files_are_refused)
{
    const char *cut = file_make("cut.dat", "2\n0\n2\n2\n2\t2\n2 1\n");
    perp_file file;
    ck_assert(!cli_load(cli_begin(NULL), cut, NULL, NULL, &file));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "cut.dat"));
    ck_assert(!cli_load(cli_begin(NULL), cut, "lpc", NULL, &file));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "did you mean 'lcp'?"));
    ck_assert(!cli_load(cli_begin(NULL), "/nonexistent/a.dat", NULL, NULL, &file));
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
    tcase_add_test(t, the_layout_decides);
    tcase_add_test(t, bad_files_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
