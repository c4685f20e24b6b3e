/* cli/interrupt.c: signals that ask for an end, without a variable that a handler writes.
 *
 * The handler does nothing, and the kernel takes it away when it is called (SA_RESETHAND). So
 * whether a signal has come is seen by its handler being gone, and the second one does what it does
 * by default: it ends the process. */
#include "interrupt.h"

static const int signals[CLI_INTERRUPTS] = {SIGINT, SIGTERM, SIGHUP};

static void come(int number)
{
    (void)number;
}

void cli_interrupt_begin(cli_interrupt *i)
{
    struct sigaction act = {.sa_handler = come, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&act.sa_mask);
    for (int k = 0; k < CLI_INTERRUPTS; k++) {
        i->watched[k] =
            sigaction(signals[k], NULL, &i->before[k]) == 0 && i->before[k].sa_handler != SIG_IGN;
        if (i->watched[k]) sigaction(signals[k], &act, NULL);
    }
}

int cli_interrupt_came(const cli_interrupt *i)
{
    for (int k = 0; k < CLI_INTERRUPTS; k++) {
        struct sigaction now;
        if (i->watched[k] && sigaction(signals[k], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            return signals[k];
    }
    return 0;
}

void cli_interrupt_end(const cli_interrupt *i)
{
    for (int k = 0; k < CLI_INTERRUPTS; k++) {
        if (i->watched[k]) sigaction(signals[k], &i->before[k], NULL);
    }
}
