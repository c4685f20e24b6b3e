/* cli/completion.c: what bash offers after a tab, printed from the tables when perp is built. */
#include "cli.h"
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

static void print_names(FILE *out)
{
    fputs("    local solvers='", out);
    for (int k = 0; perp_solvers()[k]; k++) {
        fprintf(out, "%s%s", k ? " " : "", perp_solver_name(perp_solvers()[k]));
    }
    fputs("'\n    local kinds='", out);
    for (int k = 0; k < PERP_KINDS; k++) {
        fprintf(out, "%s%s", k ? " " : "", perp_kind_name((perp_kind)k));
    }
    fputs("'\n    local formats='", out);
    for (int k = PERP_FILE_TEXT; k < PERP_FILE_FORMATS; k++) {
        const char *name = perp_file_format_name((perp_file_format)k);
        if (name && holds_problems((perp_file_format)k))
            fprintf(out, "%s%s", k > PERP_FILE_TEXT ? " " : "", name);
    }
    fputs("'\n    local families='", out);
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) fprintf(out, "%s%s", k ? " " : "", e.name);
    fputs("'\n", out);
}

/* The words after an option, as shell text; NULL: names of files. */
static const char *words_of(const char *argument)
{
    static const char *const table[][2] = {{"SOLVER", "$solvers"},
                                           {"KIND", "$kinds"},
                                           {"FORMAT", "$formats"},
                                           {"FILE", NULL},
                                           {"DIR", NULL}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        if (strcmp(table[k][0], argument) == 0) return table[k][1];
    }
    return "";
}

static void print_option(FILE *out, const char *command, const cli_option *t)
{
    if (t->type == CLI_FLAG) return;
    fprintf(out, "    %s/--%s", command, t->name);
    if (t->letter) fprintf(out, " | %s/-%c", command, t->letter);
    fputs(") ", out);
    const char *words = t->type == CLI_CHOICE ? t->choices : words_of(t->argument);
    if (!words) {
        fputs("return ;;\n", out);
        return;
    }
    fputs("words=\"", out);
    for (; *words; words++) fputc(*words == '|' ? ' ' : *words, out);
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
