/* test_cli_completion_zsh.c: what zsh is told. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define PART "\n    %s)\n        _arguments"
#define OPTION "--%s"

static void reset(void)
{
    files_remove();
    call_free();
}

/* The part of the text that is about a command; "" where there is none. */
static const char *part_of(const char *command)
{
    static char line[96];
    snprintf(line, sizeof line, PART, command);
    const char *at = strstr(call_out, line);
    return at ? at : "";
}

START_TEST(every_name_is_offered)
{
    calls(CLI_DONE, "perp --completion zsh", NULL, "--completion zsh");
    for (int k = 0; cli_commands[k]; k++) {
        const cli_command *d = cli_commands[k];
        const char *part = part_of(d->name);
        ck_assert_msg((*part != 0) == !d->hidden, "%s", d->name);
        for (const cli_option *t = d->options; !d->hidden && t && t->name; t++) {
            char text[64];
            snprintf(text, sizeof text, OPTION, t->name);
            ck_assert_msg(strstr(part, text) != NULL, "%s %s", d->name, text);
        }
    }
    for (int k = 0; perp_solvers()[k]; k++) {
        ck_assert_ptr_nonnull(strstr(call_out, perp_solver_name(perp_solvers()[k])));
    }
    ck_assert_ptr_nonnull(strstr(call_out, "qp_cvxqp1"));
}
END_TEST

START_TEST(other_shells_are_refused)
{
    calls(CLI_WRONG, NULL, "did you mean 'zsh'?", "--completion csh");
    calls(CLI_WRONG, NULL, "bash, zsh and fish", "--completion powershell");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_completion_zsh");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, every_name_is_offered);
    tcase_add_test(t, other_shells_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
