/* cli/error.c: one line on standard error, which says where and what was expected. */
#include "base/system.h"
#include "cli.h"
#include "core/internal.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

static void begin(const cli *c)
{
    fputs(cli_on(c, c->err, CLI_RED), c->err);
    if (c->command)
        fprintf(c->err, "perp %s:", c->command->name);
    else
        fputs("perp:", c->err);
    fprintf(c->err, "%s ", cli_off(c, c->err));
}

int cli_fail(cli *c, const char *format, ...)
{
    begin(c);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(c->err, format, arguments);
    va_end(arguments);
    fputc('\n', c->err);
    return CLI_WRONG;
}

void cli_note(cli *c, const char *format, ...)
{
    begin(c);
    fputs("note: ", c->err);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(c->err, format, arguments);
    va_end(arguments);
    fputc('\n', c->err);
}

int cli_fail_file(cli *c, const char *path, const perp_error *e)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (e->line > 0) return cli_fail(c, "%s:%d: %s", name, e->line, e->text);
    return cli_fail(c, "%s: %s", name, e->text);
}

int cli_fail_write(cli *c, const char *path, int error)
{
    return cli_fail(c, "%s: cannot be written: %s%s",
                    strcmp(path, "-") == 0 ? "standard output" : path, strerror(error),
                    perp_output_remedy(error));
}

int cli_fail_name(cli *c, const char *what, const char *word, const char *nearest, const char *hint)
{
    if (nearest) return cli_fail(c, "no %s '%s'; did you mean '%s'?", what, word, nearest);
    return cli_fail(c, "no %s '%s'%s%s", what, word, hint ? "; " : "", hint ? hint : "");
}

const char *cli_nearest(const char *word, const char *const *list)
{
    const char *best = NULL;
    int length = (int)strlen(word), least = 3 + length / 8; /* further off is another word */
    for (; *list; list++) {
        int d = perp_name_distance(word, *list);
        if (d < least && d < length) {
            least = d;
            best = *list;
        }
    }
    return best;
}
