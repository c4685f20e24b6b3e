/* test_cli_report_machine.c: where, with what, and by which command. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>

static void quoted(const char *word, const char *expected)
{
    char *text;
    PRINTED(text, out, cli_quote(out, word));
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(words_for_a_shell)
{
    quoted("lcp/psor:omega=1.4,symmetric=1", "lcp/psor:omega=1.4,symmetric=1");
    quoted("", "''");
    quoted("a b", "'a b'");
    quoted("it's", "'it'\\''s'");
    quoted("$(x)", "'$(x)'");
    quoted("*.dat", "'*.dat'");
}
END_TEST

START_TEST(the_machine_has_a_name)
{
    cli *c = begin();
    const char *name = cli_machine(c);
    ck_assert_ptr_nonnull(strstr(name, " thread"));
    ck_assert_uint_gt(strlen(name), 12);
    if (cli_blas_kernels()) ck_assert_ptr_nonnull(strstr(name, cli_blas_kernels()));
    cli_end();
}
END_TEST

START_TEST(each_origin_once)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    for (int k = 0; k < 6; k++) {
        rows.row[k].machine = k < 3 ? "<one>" : "two";
        rows.row[k].version = "1.2";
        rows.row[k].residual_version = k == 5 ? 1 : 2;
    }
    cli_report r = {.rows = &rows, .from_file = true};
    char *text;
    PRINTED(text, out, cli_report_machine(c, out, &r));
    const char *one = strstr(text, "&lt;one&gt;, perp 1.2");
    ck_assert_ptr_nonnull(one);
    ck_assert_ptr_null(strstr(one + 1, "&lt;one&gt;"));
    ck_assert_ptr_nonnull(strstr(text, "<dd>two, perp 1.2, residuals of version 2<"));
    ck_assert_ptr_nonnull(strstr(text, "<dd>two, perp 1.2, residuals of version 1<"));
    ck_assert_ptr_nonnull(strstr(text, "<code>perp compare &#39;a b&#39;</code>"));
    ck_assert_ptr_nonnull(strstr(text, "made the page, not the runs"));
    ck_assert_ptr_nonnull(strstr(text, PERP_VERSION));
    ck_assert_ptr_nonnull(strstr(text, "UTC"));
    free(text);
    cli_end();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_report_machine");
    TCase *t = tcase_create("cli_report_machine");
    tcase_add_test(t, words_for_a_shell);
    tcase_add_test(t, the_machine_has_a_name);
    tcase_add_test(t, each_origin_once);
    suite_add_tcase(s, t);
    int status = support_run(s);
    call_free();
    return status;
}
