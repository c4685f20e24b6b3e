/* cli/compare.h: what the files of `perp compare` share.
 *
 *     plan.c     operands, solvers and tolerances -> problems and runs, in their final order
 *     worker.c   one run, in a process of its own: perp worker ...
 *     compare_pool.c   processes with limits, a few at a time
 *     compare_rows.c   rows <-> CSV;  csv.c: records of text
 *     profile.c  rows -> groups, scores, performance profiles
 *     plot.c, plot_svg.c   curves -> gnuplot -> SVG that fits into a page
 *     report*.c  all of it -> one HTML page
 *
 * Text and arrays are the arena's of the cli. */
#ifndef PERP_CLI_COMPARE_H
#define PERP_CLI_COMPARE_H

#include "base/system.h"
#include "cli.h"

#include <math.h>

/* ---- csv.c: RFC 4180 with \n or \r\n; a quoted field may hold both ---- */

typedef struct cli_csv {
    char *at, *end; /* fields are unquoted in place; the byte at `end` is 0 */
    int line;       /* of the record last read, from 1 */
    int next;       /* of `at` */
} cli_csv;

enum { CLI_CSV_END = 0, CLI_CSV_BAD = -1, CLI_CSV_CUT = -2 };

cli_csv cli_csv_open(char *text, size_t length);
/* The number of fields, of which the first `most` are in field[]; CLI_CSV_END; CLI_CSV_BAD: a quote
 * or a zero byte where none may stand; CLI_CSV_CUT: the last record does not end. */
int cli_csv_next(cli_csv *r, int most, const char **field);

/* A whole file with a 0 behind it; NULL: errno says why. */
char *cli_read_all(perp_arena *a, const char *path, size_t *length);

/* ---- compare_rows.c ---- */

/* One run. NaN and -1: no such figure. */
typedef struct cli_row {
    const char *problem, *kind, *solver, *status, *solved_by, *machine, *version, *detail;
    int n, iterations, certificates, residual_version;
    int run;                               /* place in the whole comparison, from 0; -1: not said */
    int repeats, jobs;                     /* solves timed; runs at a time */
    double tol, residual, seconds, median; /* seconds: the least */
} cli_row;

typedef struct cli_rows {
    int count, room;
    cli_row *row;
} cli_rows;

cli_row *cli_rows_add(perp_arena *a, cli_rows *rows);  /* a new empty row; NULL: no memory */
bool cli_row_same(const cli_row *a, const cli_row *b); /* problem, solver and tolerance */
cli_row *cli_rows_find(const cli_rows *rows, const cli_row *key);
void cli_rows_sort(perp_arena *a, cli_rows *rows); /* by run; equals stay in order */
/* Columns are found by their names; those after `seconds` may be absent. `cut`: drop a last record
 * that does not end, as a kill leaves it. False: an error was printed. */
bool cli_rows_read(cli *c, const char *path, bool cut, cli_rows *rows);
/* One record as cli_row_print writes it, its text copied into the arena. False: it is not one. */
bool cli_row_read(perp_arena *a, const char *text, size_t length, cli_row *row);
void cli_rows_header(FILE *out);
void cli_row_print(FILE *out, const cli_row *row);
/* The whole file at once, under a temporary name until it is complete. */
bool cli_rows_save(cli *c, const char *path, const cli_rows *rows);
/* Shards of one comparison, in the order of the whole: no run may come twice. False: an error was
 * printed. */
bool cli_rows_merge(cli *c, int count, const char *const *path, cli_rows *rows);

/* "-", a device or a pipe: it is written to as it is, for nothing can take its place. */
bool cli_is_stream(const char *path);
FILE *cli_stream_open(cli *c, const char *path); /* NULL: an error was printed */

/* Output through perp_output: under a temporary name beside `path`, which close renames once it is
 * on the disk, or removes after a failure. "-" is standard output. */
typedef struct cli_sink {
    const char *path;
    perp_output out;
    FILE *file; /* print to this */
} cli_sink;
bool cli_sink_open(cli *c, const char *path, cli_sink *s);
bool cli_sink_close(cli *c, cli_sink *s);

/* ---- plan.c ---- */

typedef struct cli_case {
    const char *path;
    perp_kind kind;
    int n;
    const char *status, *detail; /* NULL: it can be read */
} cli_case;

typedef struct cli_plan {
    int cases;
    cli_case *problem;
    cli_rows runs; /* problem, kind, n, solver, tol and run are filled */
} cli_plan;

/* Files as given; those with a known ending below a directory, sorted. */
bool cli_plan_files(cli *c, int count, const char *const *operand, cli_plan *plan);
/* Every problem x tolerance x solver that fits; a row of its own for what cannot be read. */
bool cli_plan_runs(cli *c, const cli_list *solvers, const cli_list *tols, cli_plan *plan);
/* "2/5" -> 1 and 5. */
bool cli_plan_shard(cli *c, const char *text, int *index, int *count);

/* ---- compare_pool.c ---- */

typedef struct cli_limits {
    int jobs;         /* processes at a time */
    double load;      /* seconds for everything before the worker sets its own alarm */
    double megabytes; /* of address space; 0: no limit */
} cli_limits;

typedef struct cli_pool {
    cli_limits limits;
    int count;
    void *ctx;
    /* The operands of `perp worker` for task i, ending with NULL. */
    const char *const *(*task)(void *ctx, int i);
    /* It ended: `wait` is waitpid's, `text` what it wrote, at most 4 kB. False: stop them all. */
    bool (*done)(void *ctx, int i, int wait, char *text, size_t length);
    void (*tick)(void *ctx); /* now and then; may be NULL */
} cli_pool;

/* False: interrupted by a signal, stopped, or no process could be started; none is left. */
bool cli_pool_run(cli *c, const cli_pool *pool);

/* ---- worker.c ---- */

/* What a worker wrote, or how it ended, into the row. The words `crashed`, `timeout` and `memory`
 * stand where a status of the library would. */
void cli_worker_read(cli *c, int wait, char *text, size_t length, cli_row *row);

/* ---- compare_run.c ---- */

typedef struct cli_comparison {
    const char *kind, *layout; /* NULL: found in the file */
    cli_list solvers, tols;
    double timeout; /* seconds for a solve */
    int megabytes, jobs, repeats;
    const char *csv, *report, *shard, *from; /* NULL: not given */
    bool resume, merge, quiet;
} cli_comparison;

/* Plan and run it, with rows to the CSV as they finish; `rows` gets all of them, in order, also
 * those of a file that is resumed. Returns the exit status; CLI_UNSOLVED: interrupted. */
int cli_compare_run(cli *c, const cli_comparison *o, int count, const char *const *operand,
                    cli_rows *rows);

/* DIR/history/KEY.csv: by problem, solver and tolerance, so that it does not depend on the plan. */
const char *cli_history_path(cli *c, const char *dir, const cli_row *row);
bool cli_make_directory(cli *c, const char *path);

/* ---- profile.c ---- */

typedef enum cli_measure { CLI_BY_TIME, CLI_BY_ITERATIONS } cli_measure;

/* Runs of one kind and one tolerance: cell[i * solvers + j] is problem i, solver j; NULL: none. */
typedef struct cli_group {
    const char *kind;
    double tol;
    int problems, solvers;
    const char **problem, **solver;
    const cli_row **cell;
} cli_group;

typedef struct cli_score {
    int runs, solved, fastest;
    int proved;     /* runs that ended with a proof, checked, that there is no solution */
    int done;       /* solved or proved, and with a time */
    int refused;    /* by the solver; of the virtual best: by all */
    double ratio;   /* geometric mean of time over the best time, where it is done; NaN: nowhere */
    double seconds; /* in total, where it is done */
} cli_score;

/* Dolan and More: ratio[j * problems ..] ascending; INFINITY where j is not done. */
typedef struct cli_profile {
    int problems, solvers;
    double *ratio;
    double most; /* the largest finite one, at least 1 */
} cli_profile;

cli_group *cli_groups(cli *c, const cli_rows *rows, int *count);  /* NULL: no memory */
double cli_cost(const cli_row *row, cli_measure by);              /* INFINITY unless done */
double cli_best(const cli_group *g, int problem, cli_measure by); /* of all solvers */
/* Infeasible or unbounded: perp_solve passes it on only with a vector that its own check accepts.
 */
bool cli_is_proof(const char *status);
bool cli_is_done(const char *status);    /* solved, or proved to have no solution */
bool cli_is_refusal(const cli_row *row); /* a solver's: the problem is not of the class it solves */
cli_score cli_score_of(const cli_group *g, int solver);
cli_score cli_virtual_best(const cli_group *g);
/* Geometric mean of the times of i over those of j where both are done, and how many that are. */
double cli_pair_ratio(const cli_group *g, int i, int j, int *both);
bool cli_profile_of(cli *c, const cli_group *g, cli_measure by, cli_profile *p);
double cli_profile_at(const cli_profile *p, int solver, double tau); /* share done within tau */
bool cli_profile_save(cli *c, const cli_group *g, const cli_profile *p, const char *path);
void cli_print_summary(cli *c, const cli_rows *rows, FILE *out); /* for a terminal */

/* ---- plot.c, plot_svg.c ---- */

typedef struct cli_curve {
    const char *name;
    int style, count; /* style: colour, dash and mark follow from it */
    double *x, *y;
} cli_curve;

typedef struct cli_figure {
    const char *label; /* for those who do not see it */
    const char *x_label, *y_label;
    bool log_y;
    double x_least, x_most; /* x is always logarithmic */
    double y_least, y_most; /* where y is, too; otherwise it is a share, from 0 to 1 */
    double line;            /* a horizontal one: the tolerance; NaN: none */
    int count;
    cli_curve *curve;
    const char *svg; /* the result; NULL: none */
} cli_figure;

/* Draw them all; the svg of a figure that gnuplot refuses stays NULL, whatever the others are.
 * False: there is no gnuplot, or no file could be written. */
bool cli_plot(cli *c, int count, cli_figure *figure);
typedef enum cli_drawing { CLI_DRAWN, CLI_NOT_DRAWN, CLI_NO_GNUPLOT } cli_drawing;
cli_drawing cli_gnuplot(const char *script);
void cli_plot_script(FILE *out, const cli_figure *f, const char *svg); /* one figure */
/* An SVG of gnuplot's as part of a page: without prologue and titles, `prefix` before every id. */
char *cli_svg_inline(perp_arena *a, const char *svg, const char *prefix);
#define CLI_COLOURS 8
/* As gnuplot writes it: the page's style sheet gives each its light and dark shade. */
const char *cli_plot_colour(int style);

/* ---- report*.c ---- */

#define CLI_HISTORY 3
typedef struct cli_report {
    const cli_rows *rows;
    const char *dir;
    bool from_file; /* rows were read, not run now */
    bool gnuplot;   /* it could be started */
    int figures;    /* that have a curve, */
    int drawn;      /* and of which there is a plot */
    int groups;
    const cli_group *group;
    cli_figure *profile; /* two a group: time, iterations */
    int histories;       /* problems that have one */
    cli_figure *history; /* CLI_HISTORY a problem: iterations, seconds; the merit over iterations */
    const char **history_of;
} cli_report;

/* Write DIR/index.html and the profiles' data. False: an error was printed. */
bool cli_report_write(cli *c, const cli_rows *rows, const char *dir, bool from_file);
/* "file:///.../index.html" of that directory, for a browser; NULL: no memory. */
const char *cli_report_link(cli *c, const char *dir);
bool cli_report_figures(cli *c, cli_report *r); /* report_figures.c */
void cli_report_figure(FILE *out, const cli_report *r, const cli_figure *f, int count);
void cli_report_summary(FILE *out, const cli_report *r, int group); /* report_summary.c */
void cli_report_table(FILE *out, const cli_rows *rows);             /* report_table.c */
void cli_report_machine(cli *c, FILE *out, const cli_report *r);    /* report_machine.c */

/* Bytes of the directory that all problems share, which the page leaves out. */
int cli_common_directory(const cli_rows *rows);
void cli_html_text(FILE *out, const char *text); /* escaped */
/* "residual", "ratio", "seconds" or "count"; a dash for NaN. */
void cli_html_number(FILE *out, double x, const char *kind);
const char *cli_machine(cli *c); /* "Processor name, 8 threads, Haswell kernels" */

/* Made from report.css and report.js by tools/embed. */
extern const char *const cli_report_css[], *const cli_report_js[];

#endif
