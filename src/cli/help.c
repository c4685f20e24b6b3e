/* cli/help.c: --help and --version, printed from the tables. */
#include "columns.h"

#include <ctype.h>
#include <string.h>

#define WIDTH 79
#define COLUMN 28 /* where the help of an option begins */
#define BESIDE 46 /* longest command that has its explanation beside it */

/* Words of one paragraph, broken at WIDTH; the first line begins at column `at`, others at
 * `indent`. */
static void print_wrapped(FILE *out, const char *text, size_t length, int at, int indent)
{
    const char *end = text + length;
    bool first = true;
    while (text < end) {
        size_t n = strcspn(text, " \n");
        if (n > (size_t)(end - text)) n = (size_t)(end - text);
        if (!first && at + 1 + (int)n > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int)n, text);
        at += (int)n + !first;
        first = false;
        text += n;
        while (text < end && (*text == ' ' || *text == '\n')) text++;
    }
    fputc('\n', out);
}

static void print_paragraphs(FILE *out, const char *text)
{
    while (text && *text) {
        const char *gap = strstr(text, "\n\n");
        size_t n = gap ? (size_t)(gap - text) : strlen(text);
        fputc('\n', out);
        print_wrapped(out, text, n, 0, 0);
        text = gap ? gap + 2 : NULL;
    }
}

void cli_describe_default(const cli_command *d, const cli_option *t, char *text, size_t size)
{
    text[0] = 0;
    if (!d->defaults || t->type == CLI_FLAG || t->type == CLI_LIST) return;
    const void *field = (const char *)d->defaults + t->offset;
    if (t->type == CLI_INT && *(const int *)field > 0)
        snprintf(text, size, "%d", *(const int *)field);
    else if (t->type == CLI_REAL && *(const double *)field > 0)
        snprintf(text, size, "%g", *(const double *)field);
    else if (t->type == CLI_TEXT && *(const char *const *)field)
        snprintf(text, size, "%s", *(const char *const *)field);
    else if (t->type == CLI_CHOICE) {
        const char *at = t->choices;
        for (int k = *(const int *)field; k > 0; k--) at += strcspn(at, "|") + 1;
        snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
    }
}

static void print_option(FILE *out, const cli_command *d, const cli_option *t)
{
    char left[64], text[400], value[64];
    snprintf(left, sizeof left, "  %c%c%s --%s%s%s", t->letter ? '-' : ' ',
             t->letter ? t->letter : ' ', t->letter ? "," : " ", t->name, t->argument ? "=" : "",
             t->argument ? t->argument : "");
    cli_describe_default(d, t, value, sizeof value);
    snprintf(text, sizeof text, "%s%s%s%s", t->help, value[0] ? " [" : "", value,
             value[0] ? "]" : "");
    int length = (int)strlen(left);
    fputs(left, out);
    if (length + 2 > COLUMN)
        fprintf(out, "\n%*s", COLUMN, "");
    else
        fprintf(out, "%*s", COLUMN - length, "");
    print_wrapped(out, text, strlen(text), COLUMN, COLUMN);
}

/* The head, and a line for each column with a star where the other list has it too. */
static void print_columns(FILE *out, const cli_command *d)
{
    const cli_column *t;
    if (!d->fields) return;
    fputc('\n', out);
    print_wrapped(out, d->fields, strlen(d->fields), 0, 0);
    for (int k = 1; (t = cli_column_at(d->columns, k)); k++) {
        bool star = d->starred && t->at[d->starred];
        fprintf(out, "  %s%-*s", t->name, COLUMN - 2 - (int)strlen(t->name), star ? " *" : "");
        print_wrapped(out, t->help, strlen(t->help), COLUMN, COLUMN);
    }
}

/* What it does beside the command, or below where that is too long. */
static void print_example(FILE *out, const char *text, size_t length)
{
    size_t bar = length;
    while (bar > 0 && text[bar] != '|') bar--; /* the last: a pipe may come before */
    if (bar == 0)
        fprintf(out, "  %.*s\n", (int)length, text);
    else if (bar <= BESIDE && length + 3 + BESIDE - bar <= WIDTH)
        fprintf(out, "  %-*.*s %.*s\n", BESIDE, (int)bar, text, (int)(length - bar - 1),
                text + bar + 1);
    else
        fprintf(out, "  %.*s\n      %.*s\n", (int)bar, text, (int)(length - bar - 1),
                text + bar + 1);
}

static void print_examples(FILE *out, const char *text)
{
    if (!text) return;
    fputs("\nExamples:\n", out);
    while (*text) {
        size_t n = strcspn(text, "\n");
        print_example(out, text, n);
        text += n + (text[n] == '\n');
    }
}

const cli_option cli_help_option = {
    .name = "help", .letter = 'h', .type = CLI_FLAG, .help = "print this help and exit"};

void cli_print_help(cli *c, const cli_command *d, FILE *out)
{
    const char *bold = cli_on(c, out, CLI_BOLD), *plain = cli_off(c, out);
    fprintf(out, "%sUsage:%s perp %s [OPTION]... %s\n", bold, plain, d->name, d->operands);
    fprintf(out, "%c%s.\n", toupper((unsigned char)d->summary[0]), d->summary + 1);
    print_paragraphs(out, d->about);
    print_columns(out, d);
    fprintf(out, "\n%sOptions:%s\n", bold, plain);
    for (const cli_option *t = d->options; t && t->name; t++) print_option(out, d, t);
    print_option(out, d, &cli_help_option);
    print_examples(out, d->examples);
}

void cli_print_usage(cli *c, FILE *out)
{
    const char *bold = cli_on(c, out, CLI_BOLD), *plain = cli_off(c, out);
    fprintf(out,
            "%sUsage:%s perp COMMAND [OPTION]... [ARGUMENT]...\n"
            "Complementarity solvers with certified results.\n\n%sCommands:%s\n",
            bold, plain, bold, plain);
    for (int k = 0; cli_commands[k]; k++) {
        if (cli_commands[k]->hidden) continue;
        fprintf(out, "  %-10s %s\n", cli_commands[k]->name, cli_commands[k]->summary);
    }
    fputs("\n'perp COMMAND --help' tells about a command; 'perp --version' what perp was built\n"
          "with. A FILE may be '-', standard input or output.\n\n"
          "Exit status: 0 solved or done, 1 not solved, 2 a wrong call or a bad file.\n",
          out);
}
