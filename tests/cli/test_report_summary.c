/* test_cli_report_summary.c: the figures of test_cli_profile.c, as the page shows them. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>

/* How often `what` stands between `from` and the end of its table row. */
static int cells(const char *text, const char *from, const char *what)
{
    const char *at = strstr(text, from);
    ck_assert_ptr_nonnull(at);
    const char *end = strstr(at, "</tr>");
    ck_assert_ptr_nonnull(end);
    int count = 0;
    while ((at = strstr(at, what)) && at < end) {
        count++;
        at++;
    }
    return count;
}

START_TEST(one_group)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[0].solver = rows.row[2].solver = rows.row[4].solver = "<a>";
    cli_report r = {.rows = &rows, .dir = "d"};
    r.group = cli_groups(c, &rows, &r.groups);
    cli_figure none[2] = {{0}, {0}};
    r.profile = none;
    char *text;
    PRINTED(text, out, cli_report_summary(out, &r, 0));
    ck_assert_ptr_nonnull(strstr(text, "lcp, tolerance 1e-08 <small>3 problems, 2 solvers"));
    ck_assert_ptr_nonnull(strstr(text, "<th scope=\"row\">&lt;a&gt;</th>"));
    ck_assert_ptr_nonnull(strstr(text, "width:66.7%\"></span></span>2 of 3</td>"));
    ck_assert_int_eq(cells(text, "<thead><tr>", "<th "), cells(text, "<tbody>", "<td ") + 1);
    ck_assert_ptr_nonnull(
        strstr(text, "data-v=\"2\">2.00</td><td class=\"num\" data-v=\"5\">5.000 s"));
    ck_assert_ptr_nonnull(strstr(text, "1.26</td>")); /* the cube root of 2 */
    ck_assert_ptr_nonnull(strstr(text, "1.41 <small>2</small>"));
    ck_assert_ptr_nonnull(strstr(text, "<td class=\"num faster\">0.71 <small>2</small>"));
    ck_assert_ptr_nonnull(strstr(text, "<tr class=\"best\"><th scope=\"row\">virtual best</th>"));
    ck_assert_ptr_null(strstr(text, "<a>"));
    free(text);
    cli_end();
}
END_TEST

START_TEST(nobody_solved_anything)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.count = 1;
    rows.row[0].status = "timeout";
    rows.row[0].tol = NAN;
    cli_report r = {.rows = &rows, .dir = "d"};
    r.group = cli_groups(c, &rows, &r.groups);
    cli_figure none[2] = {{0}, {0}};
    r.profile = none;
    char *text;
    PRINTED(text, out, cli_report_summary(out, &r, 0));
    ck_assert_ptr_nonnull(strstr(text, "0 of 1"));
    ck_assert_ptr_nonnull(strstr(text, "<small>1 problem, 1 solver</small>"));
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "Pair by pair</summary>")); /* there is none */
    free(text);
    cli_end();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_report_summary");
    TCase *t = tcase_create("cli_report_summary");
    tcase_add_test(t, one_group);
    tcase_add_test(t, nobody_solved_anything);
    suite_add_tcase(s, t);
    int status = support_run(s);
    call_free();
    return status;
}
