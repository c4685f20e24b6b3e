/* test_cli_commands.c: from argv to a command. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(help_and_version)
{
    calls(CLI_DONE, "Usage:", NULL, "--help");
    calls(CLI_DONE, "Usage:", NULL, "-h");
    calls(CLI_DONE, "Usage:", NULL, "help");
    calls(CLI_DONE, "Usage: perp solve", NULL, "help solve");
    calls(CLI_DONE, "perp " PERP_VERSION, NULL, "--version");
    calls(CLI_WRONG, NULL, "Usage:", "");
}
END_TEST

START_TEST(every_command_is_found_and_has_help)
{
    for (int k = 0; cli_commands[k]; k++) {
        const cli_command *d = cli_commands[k];
        ck_assert_ptr_eq(cli_find_command(d->name), d);
        char line[64];
        snprintf(line, sizeof line, "%s --help", d->name);
        calls(CLI_DONE, d->summary + 1, NULL, line);
        snprintf(line, sizeof line, "%s --nosuchthing", d->name);
        calls(CLI_WRONG, NULL, "unknown option '--nosuchthing'", line);
    }
    ck_assert_ptr_null(cli_find_command("nothing"));
}
END_TEST

START_TEST(tables_make_sense)
{
    for (int k = 0; cli_commands[k]; k++) {
        const cli_command *d = cli_commands[k];
        ck_assert(d->name && d->summary && d->operands && d->run);
        for (const cli_option *t = d->options; t && t->name; t++) {
            ck_assert_msg((t->type == CLI_FLAG) == !t->argument, "%s --%s", d->name, t->name);
            ck_assert_msg((t->type == CLI_CHOICE) == (t->choices != NULL), "--%s", t->name);
            ck_assert_uint_lt(t->offset, d->size);
            ck_assert_ptr_nonnull(t->help);
            for (const cli_option *u = t + 1; u->name; u++) {
                ck_assert_str_ne(t->name, u->name);
                ck_assert_msg(!t->letter || t->letter != u->letter, "%s -%c", d->name, t->letter);
            }
        }
    }
}
END_TEST

START_TEST(wrong_commands_are_refused)
{
    calls(CLI_WRONG, NULL, "no command 'slove'; did you mean 'solve'?", "slove a.dat");
    calls(CLI_WRONG, NULL, "no command 'xyzzy'; see 'perp --help'", "xyzzy");
    calls(CLI_WRONG, NULL, "no option '--verson'; did you mean '--version'?", "--verson");
    calls(CLI_WRONG, NULL, "no command 'slove'", "--man slove");
    calls(CLI_WRONG, NULL, "no command 'slove'", "help slove");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_commands");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, help_and_version);
    tcase_add_test(t, every_command_is_found_and_has_help);
    tcase_add_test(t, tables_make_sense);
    tcase_add_test(t, wrong_commands_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
