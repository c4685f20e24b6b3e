/* cli/lock.h: one command at a time writes a file over a long while. */
#ifndef PERP_CLI_LOCK_H
#define PERP_CLI_LOCK_H

#include "base/system.h"
#include "cli.h"

typedef struct cli_lock {
    int file; /* -1: none */
    char name[PERP_PATH];
} cli_lock;

/* False: another process has it, and an error that names it was printed. */
bool cli_lock_take(cli *c, const char *path, cli_lock *l);
void cli_lock_release(cli_lock *l);

#endif
