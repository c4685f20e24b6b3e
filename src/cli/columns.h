/* cli/columns.h: one table of the figures that commands print about a solve.
 *
 * A row of the table is a field of `perp solve` (text, --json, --csv), a column of `perp compare`,
 * or both, with its line of --help and of the manual page. */
#ifndef PERP_CLI_COLUMNS_H
#define PERP_CLI_COLUMNS_H

#include "compare.h"
#include "solutions.h"

/* What `perp solve` prints about one problem. */
typedef struct cli_solved {
    const char *problem, *path, *kind, *solver, *status, *detail;
    const char *output;  /* file that z or the proof was written to; NULL: none */
    const char *written; /* which of the two: "z" or "proof"; NULL: none */
    const double *z;
    const double *proof; /* of ray, infeasible or unbounded; NULL: the status needs none */
    int n, residual_version;
    bool solution;      /* z and the proof are to be printed */
    bool has_objective; /* the kind has one; distance is of an nnls alone */
    bool has_distance;
    double tol, objective, distance;
    perp_result result;
    cli_solutions solutions; /* of lcp/enumerate with `all` */
} cli_solved;

typedef enum cli_column_type {
    CLI_COLUMN_TEXT,      /* const char * */
    CLI_COLUMN_INT,       /* int */
    CLI_COLUMN_REAL,      /* double */
    CLI_COLUMN_TIME,      /* double; the text and `perp compare` round it to six digits */
    CLI_COLUMN_VECTOR,    /* const double *, of length n */
    CLI_COLUMN_SOLUTIONS, /* cli_solutions; JSON and text alone */
} cli_column_type;

typedef struct cli_column {
    const char *name; /* JSON key, CSV column; NULL ends the table */
    const char *help; /* one line, no full stop */
    cli_column_type type;
    int at[CLI_LISTS];        /* place in each list, from 1; 0: it is not in that list */
    size_t in_solved, in_row; /* where the value is: in cli_solved, in cli_row of compare.h */
    const char *label;        /* keyword of the text; the name where it is NULL */
    /* Does the field apply? Where it does not, JSON and text leave it out and CSV is empty. NULL:
     * always. */
    bool (*applies)(const cli_solved *s);
    /* Print the whole line of the text, or nothing. NULL: the keyword, and the value by its type.
     */
    void (*print)(cli *c, FILE *out, const char *label, const cli_solved *s);
} cli_column;

extern const cli_column cli_columns[];
const cli_column *cli_column_at(cli_column_list list, int place); /* NULL: the list ends before */
int cli_columns_count(cli_column_list list);

void cli_columns_header(FILE *out, cli_column_list list); /* of a CSV, with its newline */
/* A value that there is, by its type; `at` points to it. */
void cli_column_csv(FILE *out, cli_column_type type, const void *at);

/* `perp solve`: an object, a record or some lines, each with its newline. */
void cli_solved_json(FILE *out, const cli_solved *s);
void cli_solved_csv(FILE *out, const cli_solved *s);
void cli_solved_text(cli *c, FILE *out, const cli_solved *s);

#endif
