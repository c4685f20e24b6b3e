/* test_cli_output.c: JSON, CSV, colours, and a standard output that is full. */
#include "cli_support.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void prints(const char *expected)
{
    cli_end();
    ck_assert_str_eq(call_out, expected);
}

START_TEST(json_text_is_escaped)
{
    cli_json_text(cli_begin(NULL)->out, "a\"b\\c\n\t\x01\x7f");
    prints("\"a\\\"b\\\\c\\u000a\\u0009\\u0001\\u007f\"");
    cli_json_text(cli_begin(NULL)->out, "\xe2\x8a\xa5 \xf0\x9f\x98\x80 \xc3\xa9");
    prints("\"\xe2\x8a\xa5 \xf0\x9f\x98\x80 \xc3\xa9\"");
    /* a lone byte, a cut sequence, overlong, a surrogate, beyond Unicode */
    cli_json_text(cli_begin(NULL)->out, "\xff");
    prints("\"\\ufffd\"");
    cli_json_text(cli_begin(NULL)->out, "\xe2\x8a");
    prints("\"\\ufffd\\ufffd\"");
    cli_json_text(cli_begin(NULL)->out, "\xc0\x80");
    prints("\"\\ufffd\\ufffd\"");
    cli_json_text(cli_begin(NULL)->out, "\xe0\x80\x80");
    prints("\"\\ufffd\\ufffd\\ufffd\"");
    cli_json_text(cli_begin(NULL)->out, "\xed\xa0\x80");
    prints("\"\\ufffd\\ufffd\\ufffd\"");
    cli_json_text(cli_begin(NULL)->out, "\xf4\x90\x80\x80");
    prints("\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    cli_json_text(cli_begin(NULL)->out, NULL);
    prints("null");
}
END_TEST

START_TEST(numbers_read_back)
{
    const double x[] = {0, 1, 0.1, -1e-300, DBL_MAX, DBL_MIN, 1.0 / 3, 5e-324, 123456789.123456789};
    for (size_t k = 0; k < sizeof x / sizeof x[0]; k++) {
        cli_json_real(cli_begin(NULL)->out, x[k]);
        cli_end();
        ck_assert_double_eq(strtod(call_out, NULL), x[k]);
        cli_csv_real(cli_begin(NULL)->out, x[k]);
        cli_end();
        ck_assert_double_eq(strtod(call_out, NULL), x[k]);
    }
    cli_json_real(cli_begin(NULL)->out, 0.1);
    prints("0.1");
    cli_json_real(cli_begin(NULL)->out, INFINITY);
    prints("null");
    cli_json_real(cli_begin(NULL)->out, NAN);
    prints("null");
    cli_csv_real(cli_begin(NULL)->out, -INFINITY);
    prints("-inf");
    cli_csv_real(cli_begin(NULL)->out, -NAN);
    prints("nan");
}
END_TEST

START_TEST(objects_have_their_commas)
{
    const double z[] = {1, INFINITY, 0.5};
    cli_json j = cli_json_open(cli_begin(NULL)->out);
    cli_json_field_text(&j, "a", "b");
    cli_json_field_int(&j, "n", -3);
    cli_json_field_bool(&j, "yes", true);
    cli_json_field_real(&j, "x", 2.5);
    cli_json_field_reals(&j, "z", 3, z);
    cli_json_field_reals(&j, "none", 0, z);
    cli_json_field_reals(&j, "null", 3, NULL);
    cli_json_close(&j);
    prints("{\"a\": \"b\", \"n\": -3, \"yes\": true, \"x\": 2.5, \"z\": [1, null, 0.5], "
           "\"none\": [], \"null\": null}");
}
END_TEST

START_TEST(csv_is_quoted_where_it_must_be)
{
    cli_csv_text(cli_begin(NULL)->out, "plain text");
    prints("plain text");
    cli_csv_text(cli_begin(NULL)->out, "a,\"b\"\nc");
    prints("\"a,\"\"b\"\"\nc\"");
    cli_csv_text(cli_begin(NULL)->out, NULL);
    prints("");
}
END_TEST

START_TEST(colours_are_for_terminals)
{
    cli *c = cli_begin(NULL);
    ck_assert_str_eq(cli_on(c, c->out, CLI_RED), "");
    c->colour_out = true;
    ck_assert_str_eq(cli_on(c, c->out, CLI_RED), "\033[31m");
    ck_assert_str_eq(cli_off(c, c->out), "\033[0m");
    ck_assert_str_eq(cli_on(c, c->err, CLI_RED), "");
    cli_end();
    ck_assert_int_eq(cli_paint_of(PERP_SOLVED), CLI_GREEN);
    ck_assert_int_eq(cli_paint_of(PERP_RAY), CLI_YELLOW);
    ck_assert_int_eq(cli_paint_of(PERP_E_FILE), CLI_RED);
}
END_TEST

/* What is reported after so many characters went to a disk without room. */
static const char *full_disk(int characters)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full) return NULL;
    cli *c = cli_begin(NULL);
    cli other = *c;
    other.out = full;
    for (int k = 0; k < characters; k++) fputc('x', full);
    ck_assert(!cli_flush(&other));
    fclose(full);
    cli_end();
    return call_err;
}

/* Also where the write that failed was an earlier one, of a full buffer. */
START_TEST(a_full_disk_is_noticed)
{
    static const int lengths[] = {1, 4096, 4097, 65536, 100001};
    for (int k = 0; k < 5; k++) {
        const char *said = full_disk(lengths[k]);
        if (said)
            ck_assert_msg(strstr(said, "standard output: cannot be written: No space left"), "%s",
                          said);
        call_free();
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_output");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, call_free);
    tcase_add_test(t, json_text_is_escaped);
    tcase_add_test(t, numbers_read_back);
    tcase_add_test(t, objects_have_their_commas);
    tcase_add_test(t, csv_is_quoted_where_it_must_be);
    tcase_add_test(t, colours_are_for_terminals);
    tcase_add_test(t, a_full_disk_is_noticed);
    suite_add_tcase(s, t);
    return support_run(s);
}
