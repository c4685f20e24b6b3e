/* test_cli_parse.c: every way to write an option, and the sentences for those that are none. */
#include "cli_support.h"
#include "support.h"

#include <string.h>

typedef struct sample {
    bool flag, other;
    int count, whole, choice;
    double tol;
    const char *text;
    cli_list list;
} sample;

#define ROW(n, l, t, a) .name = n, .letter = l, .type = t, .argument = a, .help = "help"

static const cli_option rows[] = {
    {ROW("flag", 'f', CLI_FLAG, NULL), .offset = offsetof(sample, flag)},
    {ROW("flavour", 'g', CLI_FLAG, NULL), .offset = offsetof(sample, other)},
    {ROW("count", 'n', CLI_INT, "N"), .offset = offsetof(sample, count), .min = 1, .max = 10},
    {ROW("whole", 0, CLI_INT, "N"), .offset = offsetof(sample, whole), .max = 2147483647},
    {ROW("tol", 't', CLI_REAL, "TOL"), .offset = offsetof(sample, tol)},
    {ROW("text", 'x', CLI_TEXT, "FILE"), .offset = offsetof(sample, text)},
    {ROW("rule", 0, CLI_CHOICE, "RULE"), .offset = offsetof(sample, choice), .choices = "a|bc|d"},
    {ROW("item", 'i', CLI_LIST, "ITEM"), .offset = offsetof(sample, list)},
    {.name = NULL},
};

static const cli_command command = {
    .name = "try", .summary = "s", .operands = "FILE...", .options = rows, .least = 0, .most = 3};

static sample got;
static int count;
static const char *operand[16];
static bool help, parsed;

static void parse(int argc, const char *const *argv)
{
    cli *c = cli_begin(&command);
    memset(&got, 0, sizeof got);
    parsed = cli_parse(c, &command, argc, argv, &got, &count, operand, &help);
}

#define PARSE(...)                                                                                 \
    do {                                                                                           \
        const char *const words[] = {__VA_ARGS__};                                                 \
        parse((int)(sizeof words / sizeof words[0]), words);                                       \
    } while (0)

START_TEST(every_way_to_write_an_option)
{
    PARSE("--count=3", "--tol", "1e-8", "-x", "file", "--rule=bc", "-fg");
    ck_assert(parsed && got.flag && got.other && !help);
    ck_assert_int_eq(got.count, 3);
    ck_assert_double_eq(got.tol, 1e-8);
    ck_assert_str_eq(got.text, "file");
    ck_assert_int_eq(got.choice, 1);
    ck_assert_int_eq(count, 0);
    cli_end();
    PARSE("-n4", "-ft2", "-x=1", "--cou", "5");
    ck_assert(parsed && got.flag);
    ck_assert_int_eq(got.count, 5); /* the last one counts */
    ck_assert_double_eq(got.tol, 2);
    ck_assert_str_eq(got.text, "=1");
    cli_end();
    PARSE("--flag"); /* a whole name that begins no other is not ambiguous */
    ck_assert(parsed && got.flag && !got.other);
    cli_end();
}
END_TEST

START_TEST(lists_grow)
{
    PARSE("-ia", "--item=b", "--item", "c");
    ck_assert(parsed);
    ck_assert_int_eq(got.list.count, 3);
    ck_assert_str_eq(got.list.item[0], "a");
    ck_assert_str_eq(got.list.item[2], "c");
    cli_end();
}
END_TEST

START_TEST(operands_and_their_end)
{
    PARSE("a", "-f", "-", "--", "-g");
    ck_assert(parsed && got.flag && !got.other);
    ck_assert_int_eq(count, 3);
    ck_assert_str_eq(operand[0], "a");
    ck_assert_str_eq(operand[1], "-");
    ck_assert_str_eq(operand[2], "-g");
    cli_end();
    PARSE("--text", "--", "--", "--"); /* a value is taken as it is */
    ck_assert(parsed);
    ck_assert_str_eq(got.text, "--");
    ck_assert_int_eq(count, 1);
    cli_end();
}
END_TEST

START_TEST(help_needs_no_operands)
{
    const cli_command strict = {.name = "try", .operands = "FILE", .options = rows, .least = 1};
    const char *const ways[] = {"--help", "-h", "--he", "-fh"};
    for (int k = 0; k < 4; k++) {
        cli *c = cli_begin(&strict);
        ck_assert(cli_parse(c, &strict, 1, ways + k, &got, &count, operand, &help));
        ck_assert(help);
        cli_end();
    }
}
END_TEST

static void refused(const char *says)
{
    ck_assert(!parsed);
    cli_end();
    ck_assert_msg(strstr(call_err, says) != NULL, "'%s' does not say '%s'", call_err, says);
    ck_assert_int_eq(strncmp(call_err, "perp try: ", 10), 0);
    ck_assert_ptr_eq(strchr(call_err, '\n'), call_err + strlen(call_err) - 1); /* one line */
    ck_assert_str_eq(call_out, "");
}

START_TEST(wrong_options_are_refused)
{
    PARSE("--conut=3");
    refused("unknown option '--conut'; did you mean '--count'?");
    PARSE("--qqqqqqqq");
    refused("unknown option '--qqqqqqqq'; see 'perp try --help'");
    PARSE("-q");
    refused("unknown option '-q'");
    PARSE("-fq");
    refused("unknown option '-q'");
    PARSE("--fla");
    refused("ambiguous");
    PARSE("--flag=1");
    refused("takes no value");
    PARSE("--tol");
    refused("'--tol' needs a value");
    PARSE("-t");
    refused("'-t' needs a value");
    PARSE("--rule=b");
    refused("--rule: 'b' is none of a|bc|d");
    PARSE("--rule=");
    refused("is none of");
    PARSE("a", "b", "c", "d");
    refused("too many arguments");
}
END_TEST

START_TEST(wrong_numbers_are_refused)
{
    PARSE("-n", "x");
    refused("-n: 'x' is not a whole number");
    PARSE("--count=1.5");
    refused("--count: '1.5' is not a whole number");
    PARSE("--count=0");
    refused("0 is outside [1, 10]");
    PARSE("--count=11");
    refused("11 is outside [1, 10]");
    PARSE("--count=99999999999999999999");
    refused("outside");
    PARSE("--whole=99999999999");
    refused("99999999999 is outside [0, 2147483647]");
    PARSE("--whole=-1");
    refused("-1 is less than 0");
    PARSE("--tol=");
    refused("'' is not a number");
    PARSE("--tol=nan");
    refused("is not a number");
    PARSE("--tol=1e-8x");
    refused("is not a number");
}
END_TEST

START_TEST(missing_operands_are_named)
{
    const cli_command strict = {.name = "try", .operands = "IN OUT", .least = 2, .most = 2};
    const char *const one[] = {"a"};
    cli *c = cli_begin(&strict);
    parsed = cli_parse(c, &strict, 1, one, &got, &count, operand, &help);
    refused("expected IN OUT");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_parse");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, call_free);
    tcase_add_test(t, every_way_to_write_an_option);
    tcase_add_test(t, lists_grow);
    tcase_add_test(t, operands_and_their_end);
    tcase_add_test(t, help_needs_no_operands);
    tcase_add_test(t, wrong_options_are_refused);
    tcase_add_test(t, wrong_numbers_are_refused);
    tcase_add_test(t, missing_operands_are_named);
    suite_add_tcase(s, t);
    return support_run(s);
}
