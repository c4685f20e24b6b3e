/* cli/compare_rows.c: the rows of a comparison, and their CSV.
 *
 * Columns are those of the table in columns.c. Reading goes by the names in the header, so
 * that files of other tools, with the first eight columns alone, make a report too. */
#include "columns.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64  /* columns of a file */
#define NEEDED 8 /* the first ones */

static const cli_row empty = {
    .problem = "",
    .kind = "",
    .solver = "",
    .status = "",
    .solved_by = "",
    .machine = "",
    .version = "",
    .detail = "",
    .n = -1,
    .iterations = -1,
    .certificates = -1,
    .residual_version = -1, /* not known */
    .run = -1,
    .repeats = -1,
    .jobs = -1,
    .tol = NAN,
    .residual = NAN,
    .seconds = NAN,
    .median = NAN,
};

cli_row *cli_rows_add(perp_arena *a, cli_rows *rows)
{
    if (rows->count == rows->room) {
        int room = rows->room ? 2 * rows->room : 64;
        cli_row *row = perp_alloc_unset(a, (size_t)room, sizeof *row);
        if (!row) return NULL;
        if (rows->count) memcpy(row, rows->row, (size_t)rows->count * sizeof *row);
        rows->row = row;
        rows->room = room;
    }
    rows->row[rows->count] = empty;
    return &rows->row[rows->count++];
}

static bool same_real(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

bool cli_row_same(const cli_row *a, const cli_row *b)
{
    return same_real(a->tol, b->tol) && strcmp(a->solver, b->solver) == 0 &&
           strcmp(a->problem, b->problem) == 0;
}

cli_row *cli_rows_find(const cli_rows *rows, const cli_row *key)
{
    for (int i = 0; i < rows->count; i++) {
        if (cli_row_same(&rows->row[i], key)) return &rows->row[i];
    }
    return NULL;
}

/* By run; rows that came earlier first: qsort is not stable, so that has to be part of the key. */
static int by_run(const void *a, const void *b)
{
    const cli_row *const *x = a, *const *y = b;
    if ((*x)->run != (*y)->run) return (*x)->run < (*y)->run ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

void cli_rows_sort(perp_arena *a, cli_rows *rows)
{
    size_t count = (size_t)rows->count;
    const cli_row **order = perp_alloc_unset(a, count, sizeof *order);
    cli_row *sorted = perp_alloc_unset(a, count, sizeof *sorted);
    if (!order || !sorted || !count) return; /* unsorted is still valid */
    for (size_t i = 0; i < count; i++) order[i] = &rows->row[i];
    qsort(order, count, sizeof *order, by_run);
    for (size_t i = 0; i < count; i++) sorted[i] = *order[i];
    rows->row = sorted;
    rows->room = rows->count;
}

/* ---- writing ---- */

void cli_rows_header(FILE *out)
{
    cli_columns_header(out, CLI_COMPARE_CSV);
}

static bool has_value(const cli_column *t, const void *at)
{
    if (t->type == CLI_COLUMN_TEXT) return true;
    return t->type == CLI_COLUMN_INT ? *(const int *)at >= 0 : !isnan(*(const double *)at);
}

void cli_row_print(FILE *out, const cli_row *row)
{
    const cli_column *t;
    for (int k = 1; (t = cli_column_at(CLI_COMPARE_CSV, k)); k++) {
        const void *at = (const char *)row + t->in_row;
        if (k > 1) fputc(',', out);
        if (!has_value(t, at)) continue;
        if (t->type == CLI_COLUMN_TIME)
            fprintf(out, "%.6g", *(const double *)at);
        else
            cli_column_csv(out, t->type, at);
    }
    fputc('\n', out);
}

bool cli_rows_save(cli *c, const char *path, const cli_rows *rows)
{
    cli_sink s;
    if (!cli_sink_open(c, path, &s)) return false;
    cli_rows_header(s.file);
    for (int i = 0; i < rows->count; i++) cli_row_print(s.file, &rows->row[i]);
    return cli_sink_close(c, &s);
}

/* ---- reading ---- */

static bool read_value(const char *text, cli_column_type type, void *at)
{
    char *end;
    if (type == CLI_COLUMN_TEXT) {
        *(const char **)at = text;
        return true;
    }
    if (!*text) return true; /* no such figure */
    if (type != CLI_COLUMN_INT) {
        *(double *)at = strtod(text, &end);
        return !*end;
    }
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*end || errno || value < 0 || value > INT_MAX) return false;
    *(int *)at = (int)value;
    return true;
}

/* place[k]: which field of a record is column k + 1 of the table; -1: none. The number of fields;
 * 0: refused. */
static int read_header(cli *c, const char *path, cli_csv *r, int place[MOST])
{
    const char *field[MOST];
    int count = cli_csv_next(r, MOST, field);
    if (count <= 0 || count > MOST) {
        cli_fail(c, "%s:1: expected a header that begins with problem,kind,n,solver", path);
        return 0;
    }
    const cli_column *t;
    for (int k = 0; (t = cli_column_at(CLI_COMPARE_CSV, k + 1)); k++) {
        place[k] = -1;
        for (int j = 0; j < count; j++) {
            if (strcmp(field[j], t->name) == 0) place[k] = j;
        }
        if (place[k] < 0 && k < NEEDED) {
            cli_fail(c, "%s:1: there is no column '%s'", path, t->name);
            return 0;
        }
    }
    return count;
}

static bool read_row(cli *c, const char *path, int line, const char **field, const int place[MOST],
                     cli_row *row)
{
    const cli_column *t;
    for (int k = 0; (t = cli_column_at(CLI_COMPARE_CSV, k + 1)); k++) {
        if (place[k] < 0) continue;
        if (!read_value(field[place[k]], t->type, (char *)row + t->in_row))
            return !cli_fail(c, "%s:%d: '%s' is no value of column '%s'", path, line,
                             field[place[k]], t->name);
    }
    if (!*row->problem || !*row->solver || !*row->status)
        return !cli_fail(c, "%s:%d: problem, solver or status is empty", path, line);
    return true;
}

bool cli_row_read(perp_arena *a, const char *text, size_t length, cli_row *row)
{
    const char *field[MOST];
    const cli_column *t;
    char *copy = perp_alloc(a, length + 1, 1);
    if (!copy) return false;
    memcpy(copy, text, length);
    cli_csv r = cli_csv_open(copy, length);
    if (cli_csv_next(&r, MOST, field) != cli_columns_count(CLI_COMPARE_CSV)) return false;
    *row = empty;
    for (int k = 0; (t = cli_column_at(CLI_COMPARE_CSV, k + 1)); k++) {
        if (!read_value(field[k], t->type, (char *)row + t->in_row)) return false;
    }
    return true;
}

bool cli_rows_read(cli *c, const char *path, bool cut, cli_rows *rows)
{
    size_t length;
    char *text = cli_read_all(&c->arena, path, &length);
    if (!text) return !cli_fail(c, "%s: %s", path, strerror(errno));
    cli_csv r = cli_csv_open(text, length);
    int place[MOST];
    if (cut && !memchr(text, '\n', length)) return true; /* not even a header */
    int width = read_header(c, path, &r, place);
    if (!width) return false;
    for (;;) {
        const char *field[MOST];
        int count = cli_csv_next(&r, MOST, field);
        if (count == CLI_CSV_END || (count == CLI_CSV_CUT && cut)) return true;
        if (count == CLI_CSV_CUT) return !cli_fail(c, "%s:%d: the last row is cut", path, r.line);
        if (count != width) return !cli_fail(c, "%s:%d: expected %d fields", path, r.line, width);
        cli_row *row = cli_rows_add(&c->arena, rows);
        if (!row) return !cli_fail(c, "out of memory");
        if (!read_row(c, path, r.line, field, place, row)) return false;
    }
}

bool cli_rows_merge(cli *c, int count, const char *const *path, cli_rows *rows)
{
    for (int i = 0; i < count; i++) {
        if (!cli_rows_read(c, path[i], false, rows)) return false;
    }
    cli_rows_sort(&c->arena, rows);
    int kept = 0;
    for (int i = 0; i < rows->count; i++) {
        const cli_row *row = &rows->row[i], *last = kept ? &rows->row[kept - 1] : NULL;
        if (row->run < 0) return !cli_fail(c, "a row of %s has no run number", row->problem);
        if (last && last->run == row->run) {
            if (!cli_row_same(last, row))
                return !cli_fail(c,
                                 "these are not parts of one comparison: run %d is %s with %s, and "
                                 "%s with %s",
                                 row->run, last->problem, last->solver, row->problem, row->solver);
            return !cli_fail(c, "run %d (%s with %s) is there twice", row->run, row->problem,
                             row->solver);
        }
        rows->row[kept++] = *row;
    }
    rows->count = kept;
    return true;
}
