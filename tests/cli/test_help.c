/* test_cli_help.c: help comes from the tables. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(every_option_is_explained)
{
    for (int k = 0; cli_commands[k]; k++) {
        const cli_command *d = cli_commands[k];
        cli *c = cli_begin(NULL);
        cli_print_help(c, d, c->out);
        cli_end();
        for (const cli_option *t = d->options; t && t->name; t++) {
            char text[64];
            snprintf(text, sizeof text, "--%s%s%s", t->name, t->argument ? "=" : "",
                     t->argument ? t->argument : "");
            ck_assert_msg(strstr(call_out, text) != NULL, "%s: %s", d->name, text);
        }
    }
}
END_TEST

START_TEST(lines_fit_a_terminal)
{
    for (int k = 0; cli_commands[k]; k++) {
        cli *c = cli_begin(NULL);
        cli_print_help(c, cli_commands[k], c->out);
        cli_end();
        for (char *line = strtok(call_out, "\n"); line; line = strtok(NULL, "\n")) {
            ck_assert_msg(strlen(line) <= 80, "%s", line);
        }
    }
}
END_TEST

typedef struct sample {
    int n, rule;
    double x, none;
    const char *text;
} sample;

START_TEST(defaults_are_shown)
{
    const sample defaults = {.n = 3, .rule = 1, .x = 0.5, .text = "auto"};
    const cli_command d = {.defaults = &defaults};
    const cli_option rows[] = {
        {.name = "n", .type = CLI_INT, .offset = offsetof(sample, n)},
        {.name = "x", .type = CLI_REAL, .offset = offsetof(sample, x)},
        {.name = "t", .type = CLI_TEXT, .offset = offsetof(sample, text)},
        {.name = "r", .type = CLI_CHOICE, .offset = offsetof(sample, rule), .choices = "a|bc|d"},
        {.name = "o", .type = CLI_REAL, .offset = offsetof(sample, none)}};
    const char *const expected[] = {"3", "0.5", "auto", "bc", ""};
    for (int k = 0; k < 5; k++) {
        char text[32] = "?";
        cli_describe_default(&d, &rows[k], text, sizeof text);
        ck_assert_str_eq(text, expected[k]);
    }
}
END_TEST

START_TEST(paragraphs_are_wrapped)
{
    static const cli_option rows[] = {{.name = NULL}};
    const cli_command d = {.name = "try",
                           .summary = "s",
                           .operands = "[FILE]",
                           .options = rows,
                           .about = "one\n\ntwo",
                           .examples = "perp try a | less|look\nperp try"};
    cli *c = cli_begin(NULL);
    cli_print_help(c, &d, c->out);
    cli_end();
    ck_assert_ptr_nonnull(
        strstr(call_out, "Usage: perp try [OPTION]... [FILE]\nS.\n\none\n\ntwo\n"));
    ck_assert_ptr_nonnull(strstr(call_out, "  perp try a | less "));
    ck_assert_ptr_nonnull(strstr(call_out, " look\n  perp try\n"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_help");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, every_option_is_explained);
    tcase_add_test(t, lines_fit_a_terminal);
    tcase_add_test(t, defaults_are_shown);
    tcase_add_test(t, paragraphs_are_wrapped);
    suite_add_tcase(s, t);
    return support_run(s);
}
