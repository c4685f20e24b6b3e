/* cli/main.c: the program; all the rest can be called by tests. */
#include "cli.h"

int main(int argc, char **argv)
{
    cli_blas_mend();
    return cli_main(argc, (const char *const *)argv, stdout, stderr);
}
