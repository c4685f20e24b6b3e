/* cli/man.c: the manual pages, printed from the tables when perp is built. */
#include "columns.h"

#include <ctype.h>
#include <string.h>

/* Text of `length` bytes for troff: no escapes, no requests, hyphens that can be copied. */
static void print_text(FILE *out, const char *text, size_t length)
{
    bool begins = true;
    for (size_t k = 0; k < length; k++) {
        char x = text[k];
        if (begins && (x == '.' || x == '\'')) fputs("\\&", out);
        if (x == '-')
            fputs("\\-", out);
        else if (x == '\\')
            fputs("\\e", out);
        else if (x == '\'')
            fputs("\\(aq", out);
        else
            fputc(x, out);
        begins = x == '\n';
    }
}

static void print_string(FILE *out, const char *text)
{
    print_text(out, text, strlen(text));
}

static void print_paragraphs(FILE *out, const char *text)
{
    while (text && *text) {
        const char *gap = strstr(text, "\n\n");
        fputs(".PP\n", out);
        print_text(out, text, gap ? (size_t)(gap - text) : strlen(text));
        fputc('\n', out);
        text = gap ? gap + 2 : NULL;
    }
}

static void print_option(FILE *out, const cli_command *d, const cli_option *t)
{
    char value[64];
    fputs(".TP\n", out);
    if (t->letter) fprintf(out, "\\fB\\-%c\\fR, ", t->letter);
    fputs("\\fB\\-\\-", out);
    print_string(out, t->name);
    fputs("\\fR", out);
    if (t->argument) {
        fputs("=\\fI", out);
        print_string(out, t->argument);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    print_string(out, t->help);
    cli_describe_default(d, t, value, sizeof value);
    if (value[0]) {
        fputs(" [", out);
        print_string(out, value);
        fputc(']', out);
    }
    fputs(".\n", out);
}

static void print_columns(FILE *out, const cli_command *d)
{
    const cli_column *t;
    if (!d->fields) return;
    fputs(".SH FIELDS\n", out);
    print_string(out, d->fields);
    fputc('\n', out);
    for (int k = 1; (t = cli_column_at(d->columns, k)); k++) {
        fprintf(out, ".TP\n\\fB%s\\fR%s\n", t->name, d->starred && t->at[d->starred] ? " *" : "");
        print_string(out, t->help);
        fputs(".\n", out);
    }
}

static void print_examples(FILE *out, const char *text)
{
    if (!text) return;
    fputs(".SH EXAMPLES\n", out);
    while (*text) {
        size_t n = strcspn(text, "\n"), bar = n;
        while (bar > 0 && text[bar] != '|') bar--;
        fputs(".TP\n.B ", out);
        print_text(out, text, bar ? bar : n);
        fputc('\n', out);
        if (bar) print_text(out, text + bar + 1, n - bar - 1);
        fputs(".\n", out);
        text += n + (text[n] == '\n');
    }
}

static void print_title(FILE *out, const char *name, const char *summary)
{
    fputs(".\\\" printed by 'perp --man'\n.TH PERP", out);
    if (name) {
        fputc('-', out);
        for (const char *s = name; *s; s++) fputc(toupper((unsigned char)*s), out);
    }
    fprintf(out, " 1 \"\" \"perp %s\" \"User Commands\"\n.SH NAME\nperp%s%s \\- ", PERP_VERSION,
            name ? "\\-" : "", name ? name : "");
    print_string(out, summary);
    fputs("\n.SH SYNOPSIS\n", out);
}

static const char exit_status[] = ".SH EXIT STATUS\n.TP\n0\nsolved, or done.\n.TP\n1\nnot solved, "
                                  "or interrupted.\n.TP\n2\na wrong call, or a "
                                  "file that cannot be read or written.\n";

static void print_see_also(FILE *out, const cli_command *but)
{
    fputs(".SH SEE ALSO\n", out);
    if (but) fputs(".BR perp (1),\n", out);
    bool first = true;
    for (int k = 0; cli_commands[k]; k++) {
        if (cli_commands[k]->hidden || cli_commands[k] == but) continue;
        fprintf(out, "%s.BR perp\\-%s (1)", first ? "" : ",\n", cli_commands[k]->name);
        first = false;
    }
    fputc('\n', out);
}

static void print_page(FILE *out)
{
    print_title(out, NULL, "complementarity solvers with certified results");
    fputs(".B perp\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n.br\n"
          ".B perp \\-\\-help\n|\n.B \\-\\-version\n.SH DESCRIPTION\n"
          "Solves complementarity problems that are stored in files: linear, nonlinear and mixed\n"
          "ones, contact with Coulomb friction in 3D, nonnegative least squares and quadratic\n"
          "programs. A solver proposes; a certificate, measured from the data and the solution\n"
          "alone, decides what is called solved.\n"
          ".PP\nA \\fIFILE\\fR may be \\(aq\\-\\(aq, standard input or output. Options may follow\n"
          "arguments, long ones may be abbreviated, and \\(aq\\-\\-\\(aq ends them.\n"
          ".SH COMMANDS\n",
          out);
    for (int k = 0; cli_commands[k]; k++) {
        if (cli_commands[k]->hidden) continue;
        fprintf(out, ".TP\n.BR perp\\-%s (1)\n", cli_commands[k]->name);
        print_string(out, cli_commands[k]->summary);
        fputs(".\n", out);
    }
    fputs(exit_status, out);
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours, also on a terminal.\n"
          ".TP\n.B OPENBLAS_NUM_THREADS\nthreads of OpenBLAS, whatever \\-\\-threads says.\n",
          out);
    print_see_also(out, NULL);
}

void cli_print_man(const cli_command *d, FILE *out)
{
    if (!d) {
        print_page(out);
        return;
    }
    print_title(out, d->name, d->summary);
    fprintf(out, ".B perp %s\n[\\fIOPTION\\fR]... \\fI", d->name);
    print_string(out, d->operands);
    fputs("\\fR\n.SH DESCRIPTION\n", out);
    print_paragraphs(out, d->about);
    print_columns(out, d);
    fputs(".SH OPTIONS\n", out);
    for (const cli_option *t = d->options; t && t->name; t++) print_option(out, d, t);
    print_option(out, d, &cli_help_option);
    print_examples(out, d->examples);
    fputs(exit_status, out);
    print_see_also(out, d);
}
