/* cli/completion_fish.c: what fish offers after a tab, printed from the tables when perp is built.
 */
#include "completion.h"

#include <string.h>

/* Between single quotes. */
static void print_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void print_option(FILE *out, const char *command, const cli_option *t)
{
    fprintf(out, "complete -c perp -n '__fish_seen_subcommand_from %s' -l %s", command, t->name);
    if (t->letter) fprintf(out, " -s %c", t->letter);
    if (t->type != CLI_FLAG) fputs(cli_completes_files(t->argument) ? " -r -F" : " -x", out);
    if (t->type == CLI_CHOICE) {
        fputs(" -a '", out);
        cli_print_choices(out, t);
        fputc('\'', out);
    }
    for (const cli_name_list *l = cli_name_lists; t->argument && l->argument; l++) {
        if (strcmp(l->argument, t->argument) == 0) fprintf(out, " -a \"$__perp_%s\"", l->variable);
    }
    fputs(" -d ", out);
    print_text(out, t->help);
    fputc('\n', out);
}

static void print_command(FILE *out, const cli_command *d)
{
    fprintf(out, "complete -c perp -n __fish_use_subcommand -f -a %s -d ", d->name);
    print_text(out, d->summary);
    fputc('\n', out);
    for (const cli_name_list *l = cli_name_lists; l->argument; l++) {
        if (!strstr(d->operands, l->argument)) continue;
        fprintf(out, "complete -c perp -n '__fish_seen_subcommand_from %s' -a \"$__perp_%s\"\n",
                d->name, l->variable);
    }
    for (const cli_option *t = d->options; t && t->name; t++) print_option(out, d->name, t);
    print_option(out, d->name, &cli_help_option);
}

void cli_print_completion_fish(FILE *out)
{
    fputs("# fish completion for perp; printed by 'perp --completion fish'\n", out);
    for (const cli_name_list *l = cli_name_lists; l->argument; l++) {
        fprintf(out, "set -g __perp_%s '", l->variable);
        l->print(out);
        fputs("'\n", out);
    }
    fputs("complete -c perp -n __fish_use_subcommand -l version -s V -d 'print the version'\n"
          "complete -c perp -n __fish_use_subcommand -l help -s h -d 'print the commands'\n",
          out);
    for (int k = 0; cli_commands[k]; k++) {
        if (!cli_commands[k]->hidden) print_command(out, cli_commands[k]);
    }
}
