/* cli/parse.c: the arguments of a command, by its table of options.
 *
 * GNU conventions without getopt, whose globals and messages know nothing of the table: the same
 * rows also print the help, the man page and the completion. */
#include "cli.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 64 /* options of one command that a suggestion looks at */

typedef struct scanner {
    cli *c;
    const cli_command *command;
    int argc, at;
    const char *const *argv;
    void *options;
    bool help;
} scanner;

static const char *nearest_option(const cli_option *table, const char *name)
{
    const char *names[NAMES_MOST + 2];
    int count = 0;
    names[count++] = "help";
    for (; table && table->name && count <= NAMES_MOST; table++) names[count++] = table->name;
    names[count] = NULL;
    return cli_nearest(name, names);
}

static bool refuse(const scanner *s, const char *shown, const char *problem)
{
    cli_fail(s->c, "option '%s' %s; see 'perp %s --help'", shown, problem, s->command->name);
    return false;
}

static bool refuse_unknown(const scanner *s, const char *name)
{
    const char *nearest = nearest_option(s->command->options, name);
    if (nearest)
        cli_fail(s->c, "unknown option '--%s'; did you mean '--%s'?", name, nearest);
    else
        cli_fail(s->c, "unknown option '--%s'; see 'perp %s --help'", name, s->command->name);
    return false;
}

static bool number(cli *c, const cli_option *t, const char *shown, const char *value, double *x)
{
    char *end;
    *x = strtod(value, &end);
    bool whole = t->type == CLI_INT;
    if (end == value || *end || isnan(*x) || (whole && *x != floor(*x))) {
        cli_fail(c, "%s: '%s' is not %s", shown, value, whole ? "a whole number" : "a number");
        return false;
    }
    double min = t->min, max = t->max;
    if (min == 0 && max == 0) {
        min = whole ? -2147483647 : -DBL_MAX;
        max = -min;
    }
    if (*x >= min && *x <= max) return true;
    if (max >= (whole ? 2147483647 : DBL_MAX) && *x < min)
        cli_fail(c, "%s: %s is less than %.10g", shown, value, min);
    else
        cli_fail(c, "%s: %s is outside [%.10g, %.10g]", shown, value, min, max);
    return false;
}

static bool choice(cli *c, const cli_option *t, const char *shown, const char *value, int *field)
{
    size_t length = strlen(value);
    int k = 0;
    for (const char *at = t->choices; at; k++) {
        size_t n = strcspn(at, "|");
        if (n == length && memcmp(at, value, n) == 0) {
            *field = k;
            return true;
        }
        at = at[n] ? at + n + 1 : NULL;
    }
    cli_fail(c, "%s: '%s' is none of %s", shown, value, t->choices);
    return false;
}

static bool append(cli *c, cli_list *list, const char *value)
{
    const char **item = perp_alloc(&c->arena, (size_t)list->count + 1, sizeof *item);
    if (!item) {
        cli_fail(c, "out of memory");
        return false;
    }
    if (list->count) memcpy(item, list->item, (size_t)list->count * sizeof *item);
    item[list->count++] = value;
    list->item = item;
    return true;
}

bool cli_parse_value(cli *c, const cli_option *t, const char *shown, const char *value,
                     void *options)
{
    void *field = (char *)options + t->offset;
    double x;
    switch (t->type) {
    case CLI_FLAG: *(bool *)field = true; return true;
    case CLI_INT:
        if (!number(c, t, shown, value, &x)) return false;
        *(int *)field = (int)x;
        return true;
    case CLI_REAL: return number(c, t, shown, value, (double *)field);
    case CLI_TEXT: *(const char **)field = value; return true;
    case CLI_CHOICE: return choice(c, t, shown, value, (int *)field);
    case CLI_LIST: return append(c, (cli_list *)field, value);
    }
    return false;
}

/* The row of a long name or of a unique beginning of one. NULL: refused. */
static const cli_option *find_long(const scanner *s, const char *name, size_t length)
{
    static const cli_option help = {.name = "help", .type = CLI_FLAG};
    const cli_option *found = NULL;
    int count = 0;
    for (const cli_option *t = s->command->options; t && t->name; t++) {
        if (strncmp(t->name, name, length) != 0) continue;
        if (t->name[length] == 0) return t;
        found = t;
        count++;
    }
    if (strncmp(help.name, name, length) == 0) {
        if (length == 4) return &help;
        found = &help;
        count++;
    }
    if (count == 1) return found;
    char given[NAMES_MOST];
    snprintf(given, sizeof given, "%.*s", (int)length, name);
    if (count == 0)
        refuse_unknown(s, given);
    else
        cli_fail(s->c, "option '--%s' is ambiguous; one of them is '--%s'", given, found->name);
    return NULL;
}

static bool is_help(const cli_option *t)
{
    return t->type == CLI_FLAG && strcmp(t->name, "help") == 0;
}

/* The list of parts of a command that takes such, where name is a part of some kind. */
static const cli_option *find_part(const scanner *s, const char *name, size_t length)
{
    for (const cli_option *t = s->command->options; t && t->name; t++) {
        if (strcmp(t->name, CLI_PART_OPTION) == 0) return cli_is_part(name, length) ? t : NULL;
    }
    return NULL;
}

/* --M=FILE and --M FILE stand for --part M=FILE. */
static bool take_part(scanner *s, const cli_option *t, const char *name, size_t length)
{
    const char *file = name[length] ? name + length + 1 : NULL;
    if (!file && s->at < s->argc) file = s->argv[s->at++];
    size_t size = length + (file ? strlen(file) : 0) + 2;
    char *part = perp_alloc(&s->c->arena, size, 1);
    if (part) snprintf(part, size, "%.*s=%s", (int)length, name, file ? file : "");
    char shown[NAMES_MOST];
    snprintf(shown, sizeof shown, "--%.*s", (int)length, name);
    if (!file || !*file) return refuse(s, shown, "needs a FILE");
    if (part) return cli_parse_value(s->c, t, shown, part, s->options);
    cli_fail(s->c, "out of memory");
    return false;
}

static bool take_long(scanner *s, const char *argument)
{
    size_t length = strcspn(argument, "=");
    const cli_option *parts = find_part(s, argument, length);
    if (parts) return take_part(s, parts, argument, length);
    const cli_option *t = find_long(s, argument, length);
    if (!t) return false;
    char shown[NAMES_MOST + 2];
    snprintf(shown, sizeof shown, "--%s", t->name);
    const char *value = argument[length] ? argument + length + 1 : NULL;
    if (t->type == CLI_FLAG) {
        if (value) return refuse(s, shown, "takes no value");
        if (is_help(t)) return s->help = true;
        return cli_parse_value(s->c, t, shown, "", s->options);
    }
    if (!value) {
        if (s->at == s->argc) return refuse(s, shown, "needs a value");
        value = s->argv[s->at++];
    }
    return cli_parse_value(s->c, t, shown, value, s->options);
}

static const cli_option *find_letter(const cli_option *table, char letter)
{
    for (; table && table->name; table++) {
        if (table->letter == letter) return table;
    }
    return NULL;
}

/* "-ab", "-xvalue", "-x value" */
static bool take_short(scanner *s, const char *argument)
{
    for (; *argument; argument++) {
        const char shown[] = {'-', *argument, 0};
        const cli_option *t = find_letter(s->command->options, *argument);
        if (!t && *argument == 'h') {
            s->help = true;
            continue;
        }
        if (!t) {
            cli_fail(s->c, "unknown option '%s'; see 'perp %s --help'", shown, s->command->name);
            return false;
        }
        if (t->type == CLI_FLAG) {
            cli_parse_value(s->c, t, shown, "", s->options);
            continue;
        }
        if (argument[1]) return cli_parse_value(s->c, t, shown, argument + 1, s->options);
        if (s->at == s->argc) return refuse(s, shown, "needs a value");
        return cli_parse_value(s->c, t, shown, s->argv[s->at++], s->options);
    }
    return true;
}

static bool check_count(const scanner *s, int count)
{
    const cli_command *d = s->command;
    if (count < d->least) {
        cli_fail(s->c, "expected %s; see 'perp %s --help'", d->operands, d->name);
        return false;
    }
    if (d->most >= 0 && count > d->most) {
        cli_fail(s->c, "too many arguments; expected %s", d->most ? d->operands : "none");
        return false;
    }
    return true;
}

bool cli_parse(cli *c, const cli_command *command, int argc, const char *const *argv, void *options,
               int *count, const char **operand, bool *help)
{
    scanner s = {.c = c, .command = command, .argc = argc, .argv = argv, .options = options};
    bool ended = false;
    *count = 0;
    while (s.at < argc) {
        const char *argument = argv[s.at++];
        if (ended || argument[0] != '-' || argument[1] == 0)
            operand[(*count)++] = argument;
        else if (strcmp(argument, "--") == 0)
            ended = true;
        else if (!(argument[1] == '-' ? take_long(&s, argument + 2) : take_short(&s, argument + 1)))
            return false;
    }
    *help = s.help;
    return s.help || check_count(&s, *count);
}
