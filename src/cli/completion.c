/* cli/completion.c: what bash offers after a tab, printed from the tables when perp is built. */
#include "completion.h"
#include "generate/generate.h"

#include <string.h>

/* A format of matrices alone is none for --format of problems. */
static bool holds_problems(perp_file_format format)
{
    for (int k = 0; k < PERP_KINDS; k++) {
        if (perp_file_format_holds(format, (perp_kind)k)) return true;
    }
    return false;
}

static void print_commands(FILE *out)
{
    fputs("    local commands='", out);
    for (int k = 0; cli_commands[k]; k++) {
        if (!cli_commands[k]->hidden) fprintf(out, "%s ", cli_commands[k]->name);
    }
    fputs("--help --version'\n", out);
}

static void list_solvers(FILE *out)
{
    for (int k = 0; perp_solvers()[k]; k++) {
        fprintf(out, "%s%s", k ? " " : "", perp_solver_name(perp_solvers()[k]));
    }
}

static void list_kinds(FILE *out)
{
    for (int k = 0; k < PERP_KINDS; k++) {
        fprintf(out, "%s%s", k ? " " : "", perp_kind_name((perp_kind)k));
    }
}

static void list_formats(FILE *out)
{
    for (int k = PERP_FILE_TEXT; k < PERP_FILE_FORMATS; k++) {
        const char *name = perp_file_format_name((perp_file_format)k);
        if (name && holds_problems((perp_file_format)k))
            fprintf(out, "%s%s", k > PERP_FILE_TEXT ? " " : "", name);
    }
}

static void list_families(FILE *out)
{
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) fprintf(out, "%s%s", k ? " " : "", e.name);
}

const cli_name_list cli_name_lists[] = {
    {"SOLVER", "solvers", list_solvers},
    {"KIND", "kinds", list_kinds},
    {"FORMAT", "formats", list_formats},
    {"FAMILY", "families", list_families},
    {NULL, NULL, NULL},
};

bool cli_completes_files(const char *argument)
{
    return strcmp(argument, "FILE") == 0 || strcmp(argument, "DIR") == 0;
}

void cli_print_choices(FILE *out, const cli_option *t)
{
    for (const char *at = t->choices; at && *at; at++) fputc(*at == '|' ? ' ' : *at, out);
}

static void print_names(FILE *out)
{
    for (const cli_name_list *l = cli_name_lists; l->argument; l++) {
        fprintf(out, "    local %s='", l->variable);
        l->print(out);
        fputs("'\n", out);
    }
}

static void print_option(FILE *out, const char *command, const cli_option *t)
{
    if (t->type == CLI_FLAG) return;
    fprintf(out, "    %s/--%s", command, t->name);
    if (t->letter) fprintf(out, " | %s/-%c", command, t->letter);
    fputs(") ", out);
    if (t->type != CLI_CHOICE && cli_completes_files(t->argument)) {
        fputs("return ;;\n", out);
        return;
    }
    fputs("words=\"", out);
    if (t->type == CLI_CHOICE) cli_print_choices(out, t);
    for (const cli_name_list *l = cli_name_lists; t->type != CLI_CHOICE && l->argument; l++) {
        if (strcmp(l->argument, t->argument) == 0) fprintf(out, "$%s", l->variable);
    }
    fputs("\" ;;\n", out);
}

static void print_command(FILE *out, const cli_command *d)
{
    fprintf(out, "        %s) words=\"", d->name);
    if (strstr(d->operands, "KIND")) fputs("$kinds ", out);
    if (strstr(d->operands, "SOLVER")) fputs("$solvers ", out);
    if (strstr(d->operands, "FAMILY")) fputs("$families ", out);
    fputs("\"; options='", out);
    for (const cli_option *t = d->options; t && t->name; t++) fprintf(out, "--%s ", t->name);
    fputs("--help' ;;\n", out);
}

void cli_print_completion(FILE *out)
{
    fputs("# bash completion for perp; printed by 'perp --completion'\n_perp()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} words='' options=''\n",
          out);
    print_commands(out);
    print_names(out);
    fputs("    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W \"$commands\" -- \"$cur\"))\n"
          "        return\n"
          "    fi\n"
          "    # bash makes '=' a word of its own\n"
          "    if [[ $cur == '=' ]]; then\n"
          "        cur=''\n"
          "    elif [[ $prev == '=' ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    case $command/$prev in\n",
          out);
    for (int k = 0; cli_commands[k]; k++) {
        if (cli_commands[k]->hidden) continue;
        const cli_option *t = cli_commands[k]->options;
        for (; t && t->name; t++) print_option(out, cli_commands[k]->name, t);
    }
    fputs("    *)\n        case $command in\n", out);
    for (int k = 0; cli_commands[k]; k++) {
        if (!cli_commands[k]->hidden) print_command(out, cli_commands[k]);
    }
    fputs("        esac\n"
          "        if [[ $cur == -* ]]; then words=$options; fi ;;\n"
          "    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "}\n"
          "complete -o default -F _perp perp\n",
          out);
}
