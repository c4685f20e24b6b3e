/* cli/cli.h: what the commands of `perp` share.
 *
 * A command is one file and one row: a const cli_command, named in commands.c. Its table of options
 * drives parsing, --help, the man page and the completion; options fill the fields of a struct of
 * the command's own. Commands print to c->out and c->err only, so that tests can read them, and
 * return the exit status: 0 solved or done, 1 honestly not solved, 2 a wrong call or a bad file,
 * 128 and a signal's number when that ended it. */
#ifndef PERP_CLI_H
#define PERP_CLI_H

#include "blas.h"
#include "perp/io.h"
#include "perp/perp.h"
#include "perp/solver.h"

#include <stdio.h>

enum { CLI_DONE = 0, CLI_UNSOLVED = 1, CLI_WRONG = 2, CLI_SIGNALLED = 128 };

/* ---- commands and their options ---- */

typedef enum cli_type {
    CLI_FLAG,   /* bool; takes no value */
    CLI_INT,    /* int in [min, max] */
    CLI_REAL,   /* double in [min, max]; "1e-8" */
    CLI_TEXT,   /* const char *, NULL: not given */
    CLI_CHOICE, /* an enum, one of `choices` */
    CLI_LIST,   /* cli_list: may be given several times */
} cli_type;

typedef struct cli_list {
    int count;
    const char **item;
} cli_list;

/* One row. The argument's name also tells the completion what to offer: FILE, DIR, SOLVER, KIND,
 * FAMILY; anything else is not completed. */
typedef struct cli_option {
    const char *name; /* long, without dashes; NULL ends the table */
    char letter;      /* short; 0: none */
    cli_type type;
    size_t offset;
    const char *argument; /* "FILE"; NULL for a flag */
    const char *help;     /* one line, no full stop; the default is added where there is one */
    double min, max;      /* of CLI_INT and CLI_REAL; both 0: any */
    const char *choices;  /* "time|iterations" of CLI_CHOICE */
} cli_option;

/* Lists of columns.c: what the commands print about a solve, each in its own order. */
typedef enum cli_column_list {
    CLI_NO_COLUMNS,
    CLI_SOLVE_JSON,  /* perp solve --json */
    CLI_SOLVE_CSV,   /* perp solve --csv */
    CLI_SOLVE_TEXT,  /* perp solve, otherwise */
    CLI_COMPARE_CSV, /* perp compare --csv */
    CLI_LISTS
} cli_column_list;

typedef struct cli cli;

typedef struct cli_command {
    const char *name, *summary; /* one line, no full stop */
    const char *operands;       /* of the usage line: "FILE..." */
    const char *about;          /* paragraphs of --help and of the man page, "\n\n" between them */
    const char *examples;       /* one a line: "perp solve a.dat|what it does"; may be NULL */
    const char *fields;         /* head of the list of its columns; NULL: there is none */
    cli_column_list columns;    /* that list, and one whose columns have a star in it */
    cli_column_list starred;
    const cli_option *options; /* without --help, which every command has */
    int least, most;           /* operands; most < 0: any number */
    size_t size;               /* of the struct that the options fill */
    const void *defaults;      /* of that size; NULL: all zero */
    bool hidden;               /* not listed: for perp itself */
    int (*run)(cli *c, const void *options, int count, const char *const *operand);
} cli_command;

/* One run of the command. */
struct cli {
    const cli_command *command; /* NULL before it is known */
    FILE *out, *err;
    int argc;
    const char *const *argv;     /* as given, with the program's name */
    perp_arena arena;            /* freed at the end; release to a mark between problems */
    bool colour_out, colour_err; /* a terminal that wants colours */
};

/* Ends with NULL (commands.c). */
extern const cli_command *const cli_commands[];
const cli_command *cli_find_command(const char *name); /* NULL: no such command */

/* The whole of `perp` but for main(): the exit status. */
int cli_main(int argc, const char *const *argv, FILE *out, FILE *err);

/* ---- arguments (parse.c) ---- */

/* Fill `options` (size bytes, already the defaults) from argv[0..argc), which stands after the
 * command's name. "--name=value", "--name value", unique abbreviations of long names, "-xvalue",
 * "-x value", combined flags "-ab"; "--" ends the options, "-" is an operand; options may follow
 * operands. operand has room for argc. False: an error was printed. *help: --help was given. */
bool cli_parse(cli *c, const cli_command *command, int argc, const char *const *argv, void *options,
               int *count, const char **operand, bool *help);
/* One value by its row, as cli_parse does it; `shown` names the option in the error. */
bool cli_parse_value(cli *c, const cli_option *t, const char *shown, const char *value,
                     void *options);

/* ---- help (help.c), from the tables ---- */

void cli_print_usage(cli *c, FILE *out); /* of perp itself */
void cli_print_help(cli *c, const cli_command *command, FILE *out);
void cli_print_version(FILE *out); /* with what perp was built with (version.c) */
/* The default of an option as text, "" where it has none to show. */
void cli_describe_default(const cli_command *d, const cli_option *t, char *text, size_t size);
extern const cli_option cli_help_option; /* the one that every command has */
/* troff for man/perp.1 (command NULL) or man/perp-COMMAND.1 (man.c); what shells offer after a tab:
 * bash (completion.c), zsh and fish (completion_zsh.c, completion_fish.c). */
void cli_print_man(const cli_command *command, FILE *out);
void cli_print_completion(FILE *out);
void cli_print_completion_zsh(FILE *out);
void cli_print_completion_fish(FILE *out);

/* ---- errors (error.c): one line on c->err; all return CLI_WRONG ---- */

/* "perp solve: ...". No full stop, no newline in the format. */
int cli_fail(cli *c, const char *format, ...) PERP_PRINTF(2, 3);
/* "perp solve: FILE:LINE: what was expected" */
int cli_fail_file(cli *c, const char *path, const perp_error *e);
/* "perp solve: FILE: cannot be written: No space left on device; free some space"; "-" is standard
 * output. */
int cli_fail_write(cli *c, const char *path, int error);
/* "perp solve: no WHAT 'WORD'; did you mean 'NEAREST'? <hint>"; hint may be NULL. */
int cli_fail_name(cli *c, const char *what, const char *word, const char *nearest,
                  const char *hint);
/* "perp solve: note: ...", which changes no exit status. */
void cli_note(cli *c, const char *format, ...) PERP_PRINTF(2, 3);
/* The nearest of a list that ends with NULL; NULL: none is near. */
const char *cli_nearest(const char *word, const char *const *list);

/* ---- names (name.c) ---- */

/* False: an error with the nearest name was printed. */
bool cli_kind(cli *c, const char *name, perp_kind *kind);
bool cli_file_format(cli *c, const char *name, perp_file_format *format);

/* "lcp/psor:omega=1.4,symmetric=1": options in the arena; NULL: an error was printed. A name
 * without a slash ("auto", "psor:omega=1.4") is a solver of this kind. */
perp_options *cli_solver(cli *c, const char *specification, perp_kind kind);
/* Is there one of that name? Nothing is printed. */
bool cli_has_solver(const char *specification, perp_kind kind);
/* The same for any kind: the name must have its slash. */
perp_options *cli_solver_named(cli *c, const char *specification);

/* ---- files (load.c) ---- */

/* Read it; kind and layout may be NULL (found from the content). "-": standard input. False: an
 * error was printed. A problem without a name of its own gets its file's. */
bool cli_load(cli *c, const char *path, const char *kind, const char *layout, perp_file *file);
/* The row of a command's option "layout", at this offset of its options. */
#define CLI_LAYOUT(place, file)                                                                    \
    {                                                                                              \
        .name = "layout", .type = CLI_TEXT, .offset = (place), .argument = "NAME",                 \
        .help = "how to read " file ", a .dat file that fits several layouts: fc2d, rfc2d, "       \
                "plasticity-old and so on; a wrong name is answered by all names"                  \
    }
/* A problem from parts, "M=M.mtx" and "q=q.txt", whose names are the keywords of the text format;
 * kind may be NULL (the first that has all of them). False: an error was printed. (assemble.c) */
bool cli_assemble(cli *c, const cli_list *parts, const char *kind, perp_file *file);
bool cli_is_part(const char *name, size_t length); /* of some kind */
#define CLI_PART_OPTION "part" /* a list of a command's; --M FILE is then --part M=FILE */
/* The last part of the path without its ending ("lcp_mmc"), in the arena; "-" is "stdin". */
const char *cli_base_name(cli *c, const char *path);

/* What perp_solve measured, x'Hx/2 + c'x of a qp and |A x - b|^2/2 of an nnls, with the file's
 * constant where it belongs to it. False: the kind has no objective. (objective.c) */
bool cli_objective(const perp_file *file, const perp_result *result, double *value);
/* |A x - b| of an nnls. False: the objective is no square of a distance. */
bool cli_distance(const perp_file *file, const perp_result *result, double *value);

/* ---- output (output.c) ---- */

/* JSON text and numbers: %.17g or shorter, null where not finite. */
void cli_json_text(FILE *out, const char *text); /* with its quotes, escaped; NULL: null */
void cli_json_real(FILE *out, double x);
/* An object, field by field: cli_json_open(out), any number of fields, cli_json_close. */
typedef struct cli_json {
    FILE *out;
    int fields;
} cli_json;
cli_json cli_json_open(FILE *out);
void cli_json_field_text(cli_json *j, const char *name, const char *text);
void cli_json_field_real(cli_json *j, const char *name, double x);
void cli_json_field_int(cli_json *j, const char *name, long long x);
void cli_json_field_bool(cli_json *j, const char *name, bool x);
void cli_json_field_reals(cli_json *j, const char *name, int n, const double *x); /* NULL: null */
FILE *cli_json_field(cli_json *j, const char *name); /* print the value yourself */
void cli_json_close(cli_json *j);                    /* "}", no newline */

/* CSV (RFC 4180, but "\n" ends a row): quoted where it must be; empty for NULL. Numbers read back
 * bit for bit; "inf", "-inf", "nan". */
void cli_csv_text(FILE *out, const char *text);
void cli_csv_real(FILE *out, double x);

/* Colour around a text: "" where there is none. cli_off ends it. */
typedef enum cli_paint { CLI_BOLD, CLI_GREEN, CLI_YELLOW, CLI_RED, CLI_DIM } cli_paint;
const char *cli_on(const cli *c, const FILE *stream, cli_paint paint);
const char *cli_off(const cli *c, const FILE *stream);
/* The colour of a status: green solved, yellow honestly not, red refused. */
cli_paint cli_paint_of(perp_status status);

void cli_quote(FILE *out, const char *word); /* as a shell reads it (report_machine.c) */
/* Was everything written? False: an error was printed (a full disk, a closed pipe). */
bool cli_flush(cli *c);

#endif
