/* test_cli_report_table.c: escaping, numbers, and the rows. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>

START_TEST(nothing_from_outside_is_markup)
{
    char *text;
    PRINTED(text, out, cli_html_text(out, "<b a=\"1\" c='2'>&amp;\x01\n\xc3\xa9"));
    ck_assert_str_eq(text, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&#xfffd;\n\xc3\xa9");
    free(text);
}
END_TEST

static void shows(double x, const char *kind, const char *expected)
{
    char *text;
    PRINTED(text, out, cli_html_number(out, x, kind));
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(numbers)
{
    shows(NAN, "ratio", "–");
    shows(1.234e-9, "residual", "1.2e-09");
    shows(1.0 / 3, "ratio", "0.33");
    shows(1234.5, "ratio", "1234");
    shows(12, "count", "12");
    shows(4.5e-6, "seconds", "4.5 µs");
    shows(0.0123, "seconds", "12.3 ms");
    shows(75.5, "seconds", "75.500 s");
}
END_TEST

START_TEST(the_shared_directory)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c), none = {0};
    ck_assert_int_eq(cli_common_directory(&rows), 2);
    rows.row[3].problem = "d/";
    ck_assert_int_eq(cli_common_directory(&rows), 2);
    rows.row[3].problem = "e/p";
    ck_assert_int_eq(cli_common_directory(&rows), 0);
    ck_assert_int_eq(cli_common_directory(&none), 0);
    cli_end();
}
END_TEST

START_TEST(the_rows)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[1].status = "crashed";
    rows.row[1].residual = NAN;
    rows.row[1].detail = "<sad>";
    rows.row[2].solved_by = "lcp/other";
    rows.row[3].residual = INFINITY;
    rows.row[5].status = "bad_number";
    char *text;
    PRINTED(text, out, cli_report_table(out, &rows));
    int count = 0;
    for (const char *at = text; (at = strstr(at, "<tr><th scope=\"row\"")); at++) count++;
    ck_assert_int_eq(count, 6);
    ck_assert_ptr_nonnull(strstr(text, "title=\"d/p1\">p1</th>"));
    ck_assert_ptr_nonnull(strstr(text, "<td class=\"bad\">crashed</td><td class=\"num\">–</td>"));
    ck_assert_ptr_nonnull(strstr(text, "<td class=\"open\">max_iter</td>"));
    ck_assert_ptr_nonnull(strstr(text, "<td class=\"good\">solved</td>"));
    ck_assert_ptr_nonnull(strstr(text, "<td class=\"refused\">bad_number</td>"));
    ck_assert_ptr_nonnull(strstr(text, "&lt;sad&gt;"));
    ck_assert_ptr_nonnull(strstr(text, "lcp/a <small>by lcp/other</small>"));
    ck_assert_ptr_nonnull(strstr(text, "data-v=\"Infinity\">∞"));
    ck_assert_ptr_nonnull(strstr(text, "aria-sort=\"none\"><button type=\"button\">time</button>"));
    free(text);
    cli_end();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_report_table");
    TCase *t = tcase_create("cli_report_table");
    tcase_add_test(t, nothing_from_outside_is_markup);
    tcase_add_test(t, numbers);
    tcase_add_test(t, the_shared_directory);
    tcase_add_test(t, the_rows);
    suite_add_tcase(s, t);
    int status = support_run(s);
    call_free();
    return status;
}
