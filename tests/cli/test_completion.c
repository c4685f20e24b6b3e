/* test_cli_completion.c: what bash is told. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(every_name_is_offered)
{
    cli *c = cli_begin(NULL);
    cli_print_completion(c->out);
    cli_end();
    for (int k = 0; cli_commands[k]; k++) {
        const cli_command *d = cli_commands[k];
        char line[64];
        snprintf(line, sizeof line, "\n        %s) words=", d->name);
        const char *at = strstr(call_out, line);
        ck_assert_msg((at != NULL) == !d->hidden, "%s", d->name);
        if (!at) continue;
        const char *end = strchr(at + 1, '\n');
        for (const cli_option *t = d->options; t && t->name; t++) {
            char text[64];
            snprintf(text, sizeof text, "--%s ", t->name);
            const char *found = strstr(at, text);
            ck_assert_msg(found && found < end, "%s %s", d->name, text);
        }
    }
    for (int k = 0; perp_solvers()[k]; k++) {
        ck_assert_ptr_nonnull(strstr(call_out, perp_solver_name(perp_solvers()[k])));
    }
    ck_assert_ptr_nonnull(strstr(call_out, "families='pd psd "));
    ck_assert_ptr_nonnull(strstr(call_out, "generate) words=\"$families \""));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_completion");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, every_name_is_offered);
    suite_add_tcase(s, t);
    return support_run(s);
}
