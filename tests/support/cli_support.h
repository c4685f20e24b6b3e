/* tests/support/cli_support.h: the command called from a test, its output kept, and files to give
 * to it. */
#ifndef PERP_CLI_SUPPORT_H
#define PERP_CLI_SUPPORT_H

#include "cli/cli.h"

#include <check.h>

/* Run a line such as "solve --json %s": words between blanks, %s for each file in turn. The exit
 * status; what was printed stays until the next call. */
int call(const char *line, ...);
extern char *call_out, *call_err;
/* The same, and the outputs contain these; NULL: must be empty. */
void calls(int status, const char *out, const char *err, const char *line, ...);
void call_free(void);

/* A file of this content in the temporary directory, removed by files_remove; the path. */
const char *file_make(const char *name, const char *content);
const char *file_path(const char *name); /* to be written by the command; removed the same */
char *file_read(const char *path);       /* NULL: not there; free it */
void files_remove(void);

/* LCPs: z = (4/3, 7/3); z = (2, 0), degenerate in nothing; infeasible. And 3 unknowns, rank 2. */
extern const char lcp_easy[], lcp_infeasible[], lcp_singular[];

/* A cli of its own around one function's test: output kept as above. */
cli *cli_begin(const cli_command *command);
void cli_end(void); /* closes the streams; call_out and call_err hold what was printed */

#endif
