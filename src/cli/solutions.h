/* cli/solutions.h: the solutions that lcp/enumerate finds with its option `all`. */
#ifndef PERP_CLI_SOLUTIONS_H
#define PERP_CLI_SOLUTIONS_H

#include "cli.h"

#define CLI_SOLUTIONS 1000 /* kept at most; the others are counted */

typedef struct cli_solution {
    struct cli_solution *next;
    unsigned basis;
    bool face;
    double residual;
    double *z; /* n numbers */
} cli_solution;

typedef struct cli_solutions {
    bool wanted; /* the solver looks at all bases */
    bool lost;   /* memory ran out: solutions are missing */
    int n, found, faces;
    cli_solution *first, **end;
    perp_arena arena; /* the list's own: a solve releases what is in its arena */
} cli_solutions;

/* Have the solver hand over all solutions, where its options ask for all. */
void cli_solutions_begin(cli_solutions *s, int n, perp_options *o);
/* How many there are, then each with its basis; z too where `vectors`. */
void cli_solutions_text(FILE *out, const cli_solutions *s, bool vectors);
void cli_solutions_json(FILE *out, const cli_solutions *s); /* an array of objects */
void cli_solutions_end(cli_solutions *s);

#endif
