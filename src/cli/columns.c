/* cli/columns.c: the table of columns, and what `perp solve` prints from it.
 *
 * Adding a column is a row: docs/architecture.md has the recipe. Programs read JSON keys and CSV
 * columns by name or by place, so a new row takes the next free place of each list it is in. */
#include "columns.h"

#include <string.h>

/* ---- when a field applies ---- */

static bool has_model(const cli_solved *s)
{
    return !isnan(s->result.model_residual);
}

static bool has_objective(const cli_solved *s)
{
    return s->has_objective;
}

static bool has_distance(const cli_solved *s)
{
    return s->has_distance;
}

static bool shows_z(const cli_solved *s)
{
    return s->solution;
}

static bool shows_proof(const cli_solved *s)
{
    return s->solution && s->proof;
}

static bool has_solutions(const cli_solved *s)
{
    return s->solutions.wanted;
}

static bool is_written(const cli_solved *s)
{
    return s->written != NULL;
}

/* ---- lines of the text that say more than one value ---- */

static void print_title(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    (void)c, (void)label;
    fprintf(out, "%s: %s, n = %d\n", s->problem, s->kind, s->n);
}

static void print_status(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    fprintf(out, "%-10s %s%s%s\n", label, cli_on(c, out, cli_paint_of(s->result.status)), s->status,
            cli_off(c, out));
}

static void print_detail(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    (void)c;
    if (s->detail[0]) fprintf(out, "%-10s %s\n", label, s->detail);
}

static void print_residual(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    (void)c;
    fprintf(out, "%-10s %.3e, wanted %.3g\n", label, s->result.residual.value, s->tol);
}

static void print_model(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    (void)c;
    if (has_model(s))
        fprintf(out, "%-10s %.3e, the residual on what the solver solves instead\n", label,
                s->result.model_residual);
}

static void print_solver(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    (void)c;
    const char *by = s->result.solver;
    bool other = by && strcmp(by, s->solver) != 0;
    fprintf(out, "%-10s %s%s%s\n", label, s->solver, other ? ", by " : "", other ? by : "");
}

/* Where the proof is, and the command that checks it. */
static void print_proof(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    (void)c;
    if (!s->proof) return;
    if (!s->output) {
        fprintf(out, "%-10s not written; -o FILE keeps it, for perp certify\n", label);
        return;
    }
    fprintf(out, "%-10s checked by: perp certify --claim=%s ", label, s->status);
    cli_quote(out, s->path);
    fputc(' ', out);
    cli_quote(out, s->output);
    fputc('\n', out);
}

static void print_solutions(cli *c, FILE *out, const char *label, const cli_solved *s)
{
    (void)c, (void)label;
    cli_solutions_text(out, &s->solutions, s->solution);
}

/* ---- the table ---- */

#define JSON(place) [CLI_SOLVE_JSON] = (place)
#define CSV(place) [CLI_SOLVE_CSV] = (place)
#define LINE(place) [CLI_SOLVE_TEXT] = (place)
#define COMPARE(place) [CLI_COMPARE_CSV] = (place)
#define SOLVED(member) .in_solved = offsetof(cli_solved, member)
#define ROW(member) .in_row = offsetof(cli_row, member)

const cli_column cli_columns[] = {
    {.name = "problem",
     .help = "name of the problem; in a comparison, its file",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(1), CSV(1), LINE(1), COMPARE(1)},
     SOLVED(problem),
     ROW(problem),
     .print = print_title},
    {.name = "file",
     .help = "the FILE as given",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(2)},
     SOLVED(path)},
    {.name = "kind",
     .help = "kind of the problem",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(3), CSV(2), COMPARE(2)},
     SOLVED(kind),
     ROW(kind)},
    {.name = "n",
     .help = "number of unknowns",
     .type = CLI_COLUMN_INT,
     .at = {JSON(4), CSV(3), COMPARE(3)},
     SOLVED(n),
     ROW(n)},
    {.name = "solver",
     .help = "the solver that was asked for",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(5), CSV(4), LINE(6), COMPARE(4)},
     SOLVED(solver),
     ROW(solver),
     .print = print_solver},
    {.name = "solved_by",
     .help = "the solver that found z, where one calls others",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(6), COMPARE(14)},
     SOLVED(result.solver),
     ROW(solved_by)},
    {.name = "tol",
     .help = "residual that was wanted",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(7), COMPARE(12)},
     SOLVED(tol),
     ROW(tol)},
    {.name = "status",
     .help = "solved, or why not",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(8), CSV(5), LINE(2), COMPARE(5)},
     SOLVED(status),
     ROW(status),
     .print = print_status},
    {.name = "residual",
     .help = "certified residual of z, scaled by the problem's data",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(9), CSV(6), LINE(4), COMPARE(6)},
     SOLVED(result.residual.value),
     ROW(residual),
     .print = print_residual},
    {.name = "model_residual",
     .help = "residual on the approximation that the solver solves (friction pyramids)",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(10), CSV(9), LINE(5)},
     SOLVED(result.model_residual),
     .label = "model",
     .applies = has_model,
     .print = print_model},
    {.name = "absolute",
     .help = "the residual without its scale",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(11)},
     SOLVED(result.residual.absolute)},
    {.name = "primal",
     .help = "worst violation of the constraint on z, unscaled",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(12)},
     SOLVED(result.residual.primal)},
    {.name = "dual",
     .help = "worst violation of the constraint on the slack, unscaled",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(13)},
     SOLVED(result.residual.dual)},
    {.name = "complementarity",
     .help = "worst product of z and slack, unscaled",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(14)},
     SOLVED(result.residual.complementarity)},
    {.name = "iterations",
     .help = "iterations, sweeps or pivots",
     .type = CLI_COLUMN_INT,
     .at = {JSON(15), CSV(7), LINE(7), COMPARE(7)},
     SOLVED(result.iterations),
     ROW(iterations)},
    {.name = "certificates",
     .help = "residuals measured on the way",
     .type = CLI_COLUMN_INT,
     .at = {JSON(16), COMPARE(13)},
     SOLVED(result.certificates),
     ROW(certificates)},
    {.name = "seconds",
     .help = "time of the solve; in a comparison, the least of its repeats",
     .type = CLI_COLUMN_TIME,
     .at = {JSON(17), CSV(8), LINE(8), COMPARE(8)},
     SOLVED(result.seconds),
     ROW(seconds)},
    {.name = "seconds_median",
     .help = "the median of the repeats",
     .type = CLI_COLUMN_TIME,
     .at = {COMPARE(9)},
     ROW(median)},
    {.name = "seconds_jobs",
     .help = "runs at a time while measuring",
     .type = CLI_COLUMN_INT,
     .at = {COMPARE(10)},
     ROW(jobs)},
    {.name = "repeats",
     .help = "solves that were timed",
     .type = CLI_COLUMN_INT,
     .at = {COMPARE(11)},
     ROW(repeats)},
    {.name = "run",
     .help = "number of the run in the whole comparison",
     .type = CLI_COLUMN_INT,
     .at = {COMPARE(15)},
     ROW(run)},
    {.name = "version",
     .help = "of perp",
     .type = CLI_COLUMN_TEXT,
     .at = {COMPARE(16)},
     ROW(version)},
    {.name = "machine",
     .help = "processor, threads and BLAS kernels",
     .type = CLI_COLUMN_TEXT,
     .at = {COMPARE(17)},
     ROW(machine)},
    {.name = "detail",
     .help = "a sentence that explains the status",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(18), LINE(3), COMPARE(18)},
     SOLVED(detail),
     ROW(detail),
     .print = print_detail},
    {.name = "objective",
     .help = "of a qp x'Hx/2 + c'x and the file's constant, of an nnls |Ax - b|^2/2",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(19), LINE(9)},
     SOLVED(objective),
     .applies = has_objective},
    {.name = "distance",
     .help = "of an nnls: |Ax - b|",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(20)},
     SOLVED(distance),
     .applies = has_distance},
    {.name = "natural",
     .help = "|z - P(z - w)| over the size of the data, as the field measures",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(24)},
     SOLVED(result.residual.natural)},
    {.name = "bound",
     .help = "rounding error of the residual, at most; solved means residual + bound <= tol",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(25)},
     SOLVED(result.residual.bound)},
    {.name = "gap",
     .help = "of a qp: error of the objective, at most, over 1 + |objective|",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(26)},
     SOLVED(result.residual.gap)},
    {.name = "omega",
     .help = "z solves a problem whose data differ by this, relatively",
     .type = CLI_COLUMN_REAL,
     .at = {JSON(27)},
     SOLVED(result.residual.omega)},
    {.name = "residual_version",
     .help = "version of how residuals are defined (docs/certificates.md)",
     .type = CLI_COLUMN_INT,
     .at = {JSON(28), CSV(10), COMPARE(19)},
     SOLVED(residual_version),
     ROW(residual_version)},
    {.name = "z",
     .help = "the best certified iterate; with --solution",
     .type = CLI_COLUMN_VECTOR,
     .at = {JSON(21), LINE(11)},
     SOLVED(z),
     .applies = shows_z},
    {.name = "proof",
     .help = "the vector that proves ray, infeasible or unbounded; with --solution",
     .type = CLI_COLUMN_VECTOR,
     .at = {JSON(22), LINE(12)},
     SOLVED(proof),
     .applies = shows_proof},
    {.name = "written",
     .help = "which vector --output wrote: z or proof",
     .type = CLI_COLUMN_TEXT,
     .at = {JSON(23), LINE(10)},
     SOLVED(written),
     .label = "proof",
     .applies = is_written,
     .print = print_proof},
    {.name = "bases",
     .help = "how many complementary bases solve; of lcp/enumerate:all=1",
     .type = CLI_COLUMN_INT,
     .at = {JSON(29)},
     SOLVED(solutions.found),
     .applies = has_solutions},
    {.name = "solutions",
     .help = "each of them, at most 1000: basis, face, residual, z; of lcp/enumerate:all=1",
     .type = CLI_COLUMN_SOLUTIONS,
     .at = {JSON(30), LINE(13)},
     SOLVED(solutions),
     .applies = has_solutions,
     .print = print_solutions},
    {.name = NULL},
};

const cli_column *cli_column_at(cli_column_list list, int place)
{
    for (const cli_column *t = cli_columns; t->name; t++) {
        if (t->at[list] == place) return t;
    }
    return NULL;
}

int cli_columns_count(cli_column_list list)
{
    int count = 0;
    while (cli_column_at(list, count + 1)) count++;
    return count;
}

/* ---- values ---- */

static const void *value_of(const cli_column *t, const cli_solved *s)
{
    return (const char *)s + t->in_solved;
}

static bool applies(const cli_column *t, const cli_solved *s)
{
    return !t->applies || t->applies(s);
}

void cli_columns_header(FILE *out, cli_column_list list)
{
    const cli_column *t;
    for (int k = 1; (t = cli_column_at(list, k)); k++)
        fprintf(out, "%s%s", k > 1 ? "," : "", t->name);
    fputc('\n', out);
}

void cli_column_csv(FILE *out, cli_column_type type, const void *at)
{
    if (type == CLI_COLUMN_TEXT)
        cli_csv_text(out, *(const char *const *)at);
    else if (type == CLI_COLUMN_INT)
        fprintf(out, "%d", *(const int *)at);
    else
        cli_csv_real(out, *(const double *)at);
}

static void print_json_field(cli_json *j, const cli_column *t, int n, const void *at)
{
    if (t->type == CLI_COLUMN_TEXT)
        cli_json_field_text(j, t->name, *(const char *const *)at);
    else if (t->type == CLI_COLUMN_INT)
        cli_json_field_int(j, t->name, *(const int *)at);
    else if (t->type == CLI_COLUMN_VECTOR)
        cli_json_field_reals(j, t->name, n, *(const double *const *)at);
    else if (t->type == CLI_COLUMN_SOLUTIONS)
        cli_solutions_json(cli_json_field(j, t->name), at);
    else
        cli_json_field_real(j, t->name, *(const double *)at);
}

static void print_vector(FILE *out, const char *name, int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        int width = i < 10 ? 7 : i < 100 ? 6 : i < 1000 ? 5 : 1;
        fprintf(out, "%s[%d]%*s%.17g\n", name, i, width, "", x[i]);
    }
}

static void print_line(FILE *out, const cli_column *t, const char *label, const cli_solved *s)
{
    const void *at = value_of(t, s);
    if (t->type == CLI_COLUMN_VECTOR)
        print_vector(out, label, s->n, *(const double *const *)at);
    else if (t->type == CLI_COLUMN_TEXT)
        fprintf(out, "%-10s %s\n", label, *(const char *const *)at);
    else if (t->type == CLI_COLUMN_INT)
        fprintf(out, "%-10s %d\n", label, *(const int *)at);
    else
        fprintf(out, "%-10s %.*g\n", label, t->type == CLI_COLUMN_TIME ? 6 : 10,
                *(const double *)at);
}

/* ---- perp solve ---- */

void cli_solved_json(FILE *out, const cli_solved *s)
{
    const cli_column *t;
    cli_json j = cli_json_open(out);
    for (int k = 1; (t = cli_column_at(CLI_SOLVE_JSON, k)); k++) {
        if (applies(t, s)) print_json_field(&j, t, s->n, value_of(t, s));
    }
    cli_json_close(&j);
    fputc('\n', out);
}

void cli_solved_csv(FILE *out, const cli_solved *s)
{
    const cli_column *t;
    for (int k = 1; (t = cli_column_at(CLI_SOLVE_CSV, k)); k++) {
        if (k > 1) fputc(',', out);
        if (applies(t, s)) cli_column_csv(out, t->type, value_of(t, s));
    }
    fputc('\n', out);
}

void cli_solved_text(cli *c, FILE *out, const cli_solved *s)
{
    const cli_column *t;
    for (int k = 1; (t = cli_column_at(CLI_SOLVE_TEXT, k)); k++) {
        const char *label = t->label ? t->label : t->name;
        if (t->print)
            t->print(c, out, label, s);
        else if (applies(t, s))
            print_line(out, t, label, s);
    }
}
