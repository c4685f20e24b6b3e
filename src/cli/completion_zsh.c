/* cli/completion_zsh.c: what zsh offers after a tab, printed from the tables when perp is built. */
#include "completion.h"

#include <string.h>

/* Inside single quotes, where zsh's own marks lose their meaning. */
static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) fputc('\\', out);
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    }
}

/* ":what:(words)" of an option's value. */
static void print_value(FILE *out, const cli_option *t)
{
    fputc(':', out);
    print_text(out, t->argument ? t->argument : "choice");
    if (t->type == CLI_CHOICE) {
        fputs(":(", out);
        cli_print_choices(out, t);
        fputc(')', out);
    } else if (cli_completes_files(t->argument)) {
        fputs(":_files", out);
    } else {
        fputs(":(", out);
        for (const cli_name_list *l = cli_name_lists; l->argument; l++) {
            if (strcmp(l->argument, t->argument) == 0) l->print(out);
        }
        fputc(')', out);
    }
}

static void print_spelling(FILE *out, const cli_option *t, const char *name, bool letter)
{
    fprintf(out, " \\\n            '%s%s%s%s[", t->type == CLI_LIST ? "*" : "", letter ? "-" : "--",
            name,
            t->type == CLI_FLAG ? ""
            : letter            ? "+"
                                : "=");
    print_text(out, t->help);
    fputc(']', out);
    if (t->type != CLI_FLAG) print_value(out, t);
    fputc('\'', out);
}

static void print_option(FILE *out, const cli_option *t)
{
    const char letter[] = {t->letter, 0};
    if (t->letter) print_spelling(out, t, letter, true);
    print_spelling(out, t, t->name, false);
}

static void print_command(FILE *out, const cli_command *d)
{
    fprintf(out, "    %s)\n        _arguments -s", d->name);
    for (const cli_option *t = d->options; t && t->name; t++) print_option(out, t);
    print_option(out, &cli_help_option);
    bool named = false;
    for (const cli_name_list *l = cli_name_lists; l->argument; l++) {
        if (named || !strstr(d->operands, l->argument)) continue;
        fprintf(out, " \\\n            '*:%s:(", l->argument);
        l->print(out);
        fputs(")'", out);
        named = true;
    }
    if (!named) fputs(" \\\n            '*:file:_files'", out);
    fputs("\n        ;;\n", out);
}

void cli_print_completion_zsh(FILE *out)
{
    fputs(
        "#compdef perp\n# zsh completion for perp; printed by 'perp --completion zsh'\n_perp()\n{\n"
        "    local -a commands=(\n",
        out);
    for (int k = 0; cli_commands[k]; k++) {
        if (cli_commands[k]->hidden) continue;
        fprintf(out, "        '%s:", cli_commands[k]->name);
        print_text(out, cli_commands[k]->summary);
        fputs("'\n", out);
    }
    fputs("        '--help:print the commands' '--version:print the version'\n    )\n"
          "    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n"
          "    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
          "    case $command in\n",
          out);
    for (int k = 0; cli_commands[k]; k++) {
        if (!cli_commands[k]->hidden) print_command(out, cli_commands[k]);
    }
    fputs("    esac\n}\n_perp \"$@\"\n", out);
}
