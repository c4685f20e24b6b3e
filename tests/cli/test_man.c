/* test_cli_man.c: the pages name every command and option. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(every_option_has_its_entry)
{
    for (int k = 0; cli_commands[k]; k++) {
        const cli_command *d = cli_commands[k];
        cli *c = cli_begin(NULL);
        cli_print_man(d, c->out);
        cli_end();
        ck_assert_ptr_nonnull(strstr(call_out, ".SH SYNOPSIS\n"));
        int entries = 0, rows = 1; /* --help */
        const char *end = strstr(call_out, ".SH EX");
        for (const char *at = strstr(call_out, ".SH OPTIONS"); at && at < end; at++) {
            entries += strncmp(at, "\n.TP\n", 5) == 0;
        }
        for (const cli_option *t = d->options; t && t->name; t++) rows++;
        ck_assert_int_eq(entries, rows);
    }
}
END_TEST

START_TEST(the_first_page_names_the_commands)
{
    cli *c = cli_begin(NULL);
    cli_print_man(NULL, c->out);
    cli_end();
    for (int k = 0; cli_commands[k]; k++) {
        char text[64];
        snprintf(text, sizeof text, ".BR perp\\-%s (1)", cli_commands[k]->name);
        ck_assert((strstr(call_out, text) != NULL) == !cli_commands[k]->hidden);
    }
}
END_TEST

START_TEST(text_is_escaped)
{
    const cli_command d = {.name = "try",
                           .summary = "a-b",
                           .operands = "FILE",
                           .about = ".dat\n'x' \\n",
                           .examples = NULL};
    cli *c = cli_begin(NULL);
    cli_print_man(&d, c->out);
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_out, "perp\\-try \\- a\\-b\n"));
    ck_assert_ptr_nonnull(strstr(call_out, "\n\\&.dat\n\\&\\(aqx\\(aq \\en\n"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_man");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, every_option_has_its_entry);
    tcase_add_test(t, the_first_page_names_the_commands);
    tcase_add_test(t, text_is_escaped);
    suite_add_tcase(s, t);
    return support_run(s);
}
