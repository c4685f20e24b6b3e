/* cli/interrupt.h: Ctrl-C and its like ask a command to come to an end; the second one ends it. */
#ifndef PERP_CLI_INTERRUPT_H
#define PERP_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define CLI_INTERRUPTS 3 /* SIGINT, SIGTERM, SIGHUP */

typedef struct cli_interrupt {
    struct sigaction before[CLI_INTERRUPTS];
    bool watched[CLI_INTERRUPTS]; /* not those that the caller of perp ignores, as nohup does */
} cli_interrupt;

void cli_interrupt_begin(cli_interrupt *i);
/* The number of a signal that has come since; 0: none. */
int cli_interrupt_came(const cli_interrupt *i);
void cli_interrupt_end(const cli_interrupt *i);

#endif
