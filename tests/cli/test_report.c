/* test_cli_report.c: the page as a whole; tests/report/check looks at it in a browser. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *page(cli *c, const cli_rows *rows, bool from_file)
{
    char dir[] = "/tmp/perp_report_XXXXXX", path[64], command[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    ck_assert(cli_report_write(c, rows, dir, from_file));
    snprintf(path, sizeof path, "%s/index.html", dir);
    size_t length;
    char *text = cli_read_all(&c->arena, path, &length);
    ck_assert_ptr_nonnull(text);
    snprintf(command, sizeof command, "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
    return text;
}

START_TEST(one_page_with_everything)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[0].status = "crashed";
    rows.row[4].status = "infeasible";
    const char *text = page(c, &rows, false);
    ck_assert_int_eq(strncmp(text, "<!DOCTYPE html>", 15), 0);
    ck_assert_ptr_nonnull(strstr(text, "default-src 'none'"));
    ck_assert_ptr_nonnull(strstr(text, "6 runs, 4 solved, 1 ended with a proof"));
    ck_assert_ptr_nonnull(strstr(text, "<strong>1 crashed, hung"));
    ck_assert_ptr_nonnull(strstr(text, "prefers-color-scheme: dark"));
    ck_assert_ptr_nonnull(strstr(text, "var(--c7)"));
    ck_assert_ptr_nonnull(strstr(text, "aria-sort"));
    ck_assert_ptr_nonnull(strstr(text, "</script>\n</body></html>\n"));
    ck_assert_ptr_null(strstr(text, "several runs at a time"));
    ck_assert_ptr_null(strstr(text, "src=\""));
    ck_assert_ptr_null(strstr(text, "@import"));
    cli_end();
}
END_TEST

START_TEST(disturbed_times_are_marked)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[2].jobs = 4;
    ck_assert_ptr_nonnull(strstr(page(c, &rows, false), "several runs at a time"));
    cli_end();
}
END_TEST

START_TEST(without_gnuplot_the_page_says_so)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    char *path = strdup(getenv("PATH"));
    char dir[] = "/tmp/perp_report_XXXXXX", file[64], command[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    setenv("PATH", "/nowhere", 1);
    ck_assert(cli_report_write(c, &rows, dir, true));
    setenv("PATH", path, 1);
    snprintf(file, sizeof file, "%s/index.html", dir);
    size_t length;
    const char *text = cli_read_all(&c->arena, file, &length);
    ck_assert_ptr_nonnull(strstr(text, "There are no plots: gnuplot is not installed"));
    ck_assert_ptr_nonnull(strstr(text, "made the page, not the runs"));
    snprintf(command, sizeof command, "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
    free(path);
    cli_end();
}
END_TEST

START_TEST(the_link_is_for_a_browser)
{
    cli *c = begin();
    char dir[] = "/tmp/perp link% XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(dir));
    const char *link = cli_report_link(c, dir);
    ck_assert_int_eq(strncmp(link, "file:///tmp/perp%20link%25%20", 29), 0);
    ck_assert_ptr_nonnull(strstr(link, "/index.html"));
    ck_assert_int_eq(chdir(dir), 0);
    ck_assert_str_eq(cli_report_link(c, "."), link);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(dir), 0);
    ck_assert_str_eq(cli_report_link(c, "/nowhere"), "file:///nowhere/index.html");
    cli_end();
}
END_TEST

/* A page of `count` problems, each with a history. */
static const char *page_of_histories(cli *c, int count)
{
    char dir[] = "/tmp/perp_report_XXXXXX", path[64], command[64];
    cli_rows rows = {0};
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/history", dir);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    for (int k = 0; k < count; k++) {
        cli_row *row = cli_rows_add(&c->arena, &rows);
        char *name = perp_alloc(&c->arena, 16, 1);
        ck_assert(row && name);
        snprintf(name, 16, "d/p%d", k);
        *row = sample_rows(c).row[0];
        row->problem = name;
        FILE *f = fopen(cli_history_path(c, dir, row), "w");
        ck_assert_ptr_nonnull(f);
        fputs("iteration,seconds,residual,estimate\n0,0,1,\n3,0.1,1e-9,\n", f);
        fclose(f);
    }
    ck_assert(cli_report_write(c, &rows, dir, false));
    snprintf(path, sizeof path, "%s/index.html", dir);
    size_t length;
    const char *text = cli_read_all(&c->arena, path, &length);
    ck_assert_ptr_nonnull(text);
    snprintf(command, sizeof command, "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
    return strstr(text, "<section id=\"histories\">");
}

START_TEST(many_histories_start_folded)
{
    cli *c = begin();
    const char *few = page_of_histories(c, 8), *many = page_of_histories(c, 9);
    ck_assert(few && many);
    ck_assert_ptr_nonnull(strstr(few, "<details open><summary>p7"));
    ck_assert_ptr_nonnull(strstr(few, ">Fold all<"));
    ck_assert_ptr_nonnull(strstr(many, "<details><summary>p8"));
    ck_assert_ptr_nonnull(strstr(many, ">Unfold all<"));
    cli_end();
}
END_TEST

START_TEST(no_rows_and_no_place)
{
    cli *c = begin();
    cli_rows none = {0}, rows = sample_rows(c);
    ck_assert_ptr_nonnull(strstr(page(c, &none, true), "0 runs, 0 solved"));
    ck_assert(!cli_report_write(c, &rows, "/nowhere", false));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "/nowhere"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_report");
    TCase *t = tcase_create("cli_report");
    tcase_add_test(t, one_page_with_everything);
    tcase_add_test(t, disturbed_times_are_marked);
    tcase_add_test(t, without_gnuplot_the_page_says_so);
    tcase_add_test(t, the_link_is_for_a_browser);
    tcase_add_test(t, many_histories_start_folded);
    tcase_add_test(t, no_rows_and_no_place);
    suite_add_tcase(s, t);
    int status = support_run(s);
    call_free();
    return status;
}
