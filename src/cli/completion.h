/* cli/completion.h: names that completions offer, for every shell. */
#ifndef PERP_CLI_COMPLETION_H
#define PERP_CLI_COMPLETION_H

#include "cli.h"

/* What the argument of an option or an operand names. The table ends with NULL. */
typedef struct cli_name_list {
    const char *argument;     /* "SOLVER" */
    const char *variable;     /* "solvers" */
    void (*print)(FILE *out); /* all names with blanks between them */
} cli_name_list;
extern const cli_name_list cli_name_lists[];

bool cli_completes_files(const char *argument);              /* FILE, DIR */
void cli_print_choices(FILE *out, const cli_option *choice); /* with blanks between them */

#endif
