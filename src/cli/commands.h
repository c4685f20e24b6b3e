/* cli/commands.h: the rows of the table in commands.c; each is in the file of its name. */
#ifndef PERP_CLI_COMMANDS_H
#define PERP_CLI_COMMANDS_H

#include "cli.h"

extern const cli_command cli_certify_command, cli_compare_command, cli_convert_command,
    cli_generate_command, cli_info_command, cli_list_command, cli_simulate_command,
    cli_solve_command, cli_worker_command;

#endif
