/* io/qps.c: quadratic programs in QPS, the MPS of linear programming with a quadratic section.
 * Maros, Meszaros, A repository of convex quadratic programming problems, Optimization Methods and
 * Software 11 (1999), whose dialect this is.
 *
 * Free format, and fixed columns where that fails (names with spaces). What is not written in every
 * description of the format is read thus:
 * - the first N row is the objective, the others are dropped; its RHS is minus the constant;
 * - of several RHS, RANGES or BOUNDS sets the first counts, with what has no set; entries of A, c
 * and H add up;
 * - RANGES on an E row: R > 0 gives [rhs, rhs + R], R < 0 gives [rhs + R, rhs];
 * - UP below 0 where no lower bound was given makes the lower bound -infinity; UP 0 does not;
 * - bounds and sides of 1e20 or more are infinite; integers (BV, LI, UI, MARKER) are relaxed;
 * - QUADOBJ and QSECTION hold one triangle of H, QMATRIX all of it: column, row, value.
 * What the numbers mean together is in qps_problem.c. Linear in the file but for the tables of
 * names, whose look-ups are hashed. */
#include "qps.h"

#include <limits.h>
#include <math.h>

static bool refuse_span(perp_qps *q, const char *what, span s)
{
    char shown[PERP_SPAN_SHOWN];
    perp_lexer_refuse(q->x, "%s '%s'", what, perp_span_show(s, shown));
    return false;
}

static bool refuse_line(perp_qps *q, const char *expected)
{
    perp_lexer_refuse(q->x, "%s expected", expected);
    return false;
}

/* Fortran's D for an exponent is a number too. */
static bool parse_number(perp_qps *q, span s, bool finite, double *v)
{
    char text[64];
    if (s.length == 0) return refuse_line(q, "a number");
    if (s.length >= sizeof text) return refuse_span(q, "a number expected, not", s);
    for (size_t k = 0; k < s.length; k++) {
        text[k] = s.text[k];
        if (k && (text[k] == 'D' || text[k] == 'd')) text[k] = 'e';
    }
    text[s.length] = 0;
    if (perp_parse_real(text, text + s.length, v) != text + s.length || isnan(*v))
        return refuse_span(q, "a number expected, not", s);
    if (finite && isinf(*v)) return refuse_span(q, "a finite number expected, not", s);
    return true;
}

static bool find_row(perp_qps *q, span s, int *row)
{
    *row = perp_names_find(&q->rows, s);
    return *row >= 0 || refuse_span(q, "no such row:", s);
}

static bool find_column(perp_qps *q, span s, int *column)
{
    *column = perp_names_find(&q->columns, s);
    return *column >= 0 || refuse_span(q, "no such column:", s);
}

/* ---- lines to fields ---- */

static void split_fixed(perp_qps *q, span line)
{
    static const size_t from[] = {1, 4, 14, 24, 39, 49}, to[] = {3, 12, 22, 36, 47, 61};
    for (int k = 0; k < 6; k++) {
        size_t end = to[k] < line.length ? to[k] : line.length;
        q->f[k] =
            from[k] < end ? perp_span_trim(line.text + from[k], end - from[k]) : (span){"", 0};
    }
}

/* The types of bounds that need no number. */
static bool is_bare(span type)
{
    return span_is(type, "FR") || span_is(type, "MI") || span_is(type, "PL") || span_is(type, "BV");
}

/* "UP set x 1", "UP x 1", "FR set x", "FR x". */
static bool place_bound(perp_qps *q, const span *word, int count)
{
    int first = count >= 4 ? 1 : 2; /* a set's name, or none */
    if (count > 4) return refuse_line(q, "a type, a set, a column and a number");
    if (is_bare(word[0])) {
        if (count == 3 && perp_names_find(&q->columns, word[2]) >= 0) first = 1;
        if (count < 2) return refuse_line(q, "a type, a set and a column");
    } else if (count < 3) {
        return refuse_line(q, "a type, a set, a column and a number");
    }
    q->f[0] = word[0];
    for (int k = 1; k < count; k++) q->f[first + k - 1] = word[k];
    return true;
}

/* Words to the fields they would have in fixed columns. */
static bool split_free(perp_qps *q, span line)
{
    span word[6];
    int count = 0;
    for (int k = 0; k < 6; k++) q->f[k] = (span){"", 0};
    for (span s = perp_span_word(&line); s.length; s = perp_span_word(&line)) {
        if (count == 6) return refuse_line(q, "at most 6 fields");
        word[count++] = s;
    }
    if (q->section == ROWS && count != 2) return refuse_line(q, "a type and a name");
    if (q->section == BOUNDS) return place_bound(q, word, count);
    bool even = count == 2 || count == 4;
    int first = q->section == ROWS ? 0 : 1;
    if (even && (q->section == RHS || q->section == RANGES)) {
        first = 2;
    } else if (q->section > ROWS && q->section != OBJSENSE && count != 3 && count != 5) {
        return refuse_line(q, "2 names and a number, or 3 names and 2 numbers,");
    }
    for (int k = 0; k < count; k++) q->f[first + k] = word[k];
    return true;
}

/* ---- the sections' lines ---- */

static bool read_row(perp_qps *q)
{
    span type = q->f[0];
    if (type.length != 1 || !strchr("NLGE", type.text[0]))
        return refuse_span(q, "a row is N, L, G or E, not", type);
    if (q->f[1].length == 0) return refuse_line(q, "the row's name");
    if (perp_names_find(&q->rows, q->f[1]) >= 0) return refuse_span(q, "a second row", q->f[1]);
    int row = perp_names_add(&q->rows, q->f[1]);
    q->type[row] = type.text[0];
    q->rhs[row] = q->range[row] = q->exact[0][row] = q->exact[1][row] = NAN;
    q->place[row] = type.text[0] != 'N' ? q->m++ : q->objective ? -2 : -1;
    q->objective = q->objective || type.text[0] == 'N';
    return true;
}

static void add(perp_triplets *t, int i, int j, double v)
{
    t->i[t->count] = i;
    t->j[t->count] = j;
    t->v[t->count++] = v;
}

static bool read_entries(perp_qps *q)
{
    int row, column = q->columns.count - 1;
    double v;
    if (span_is(q->f[2], "'MARKER'")) return true;
    if (q->f[1].length == 0) return refuse_line(q, "the column's name");
    if (column < 0 || !span_same(q->columns.list[column], q->f[1])) {
        column = perp_names_find(&q->columns, q->f[1]);
        if (column < 0) column = perp_names_add(&q->columns, q->f[1]);
    }
    for (int k = 2; k < 6 && (k == 2 || q->f[k].length); k += 2) {
        if (!find_row(q, q->f[k], &row) || !parse_number(q, q->f[k + 1], true, &v)) return false;
        if (q->place[row] >= -1) add(&q->A, q->place[row], column, v);
    }
    return true;
}

/* RHS and RANGES: one number a row. */
static bool read_sides(perp_qps *q, double *side)
{
    int row;
    double v;
    for (int k = 2; k < 6 && (k == 2 || q->f[k].length); k += 2) {
        if (!find_row(q, q->f[k], &row) || !parse_number(q, q->f[k + 1], false, &v)) return false;
        if (!isnan(side[row])) return refuse_span(q, "a second number for row", q->f[k]);
        if (isinf(v) && q->type[row] == 'N')
            return refuse_span(q, "a finite number expected, not", q->f[k + 1]);
        side[row] = v;
    }
    return true;
}

static bool set_upper(perp_qps *q, int j, double v)
{
    if (v < 0 && !q->has_lower[j]) q->xlo[j] = -INFINITY;
    q->xhi[j] = v >= QPS_INFINITY ? INFINITY : v;
    return v > -INFINITY || refuse_line(q, "an upper bound above -infinity");
}

static bool set_lower(perp_qps *q, int j, double v)
{
    q->xlo[j] = v <= -QPS_INFINITY ? -INFINITY : v;
    q->has_lower[j] = true;
    return v < INFINITY || refuse_line(q, "a lower bound below infinity");
}

static bool read_bound(perp_qps *q)
{
    int j;
    double v = 0;
    span type = q->f[0];
    bool bare = is_bare(type);
    if (!find_column(q, q->f[2], &j)) return false;
    if ((!bare || q->f[3].length) && !parse_number(q, q->f[3], false, &v)) return false;
    if (span_is(type, "UP") || span_is(type, "UI")) return set_upper(q, j, v);
    if (span_is(type, "LO") || span_is(type, "LI")) return set_lower(q, j, v);
    if (span_is(type, "PL")) return set_upper(q, j, INFINITY);
    if (span_is(type, "MI")) return set_lower(q, j, -INFINITY);
    if (span_is(type, "BV")) return set_lower(q, j, 0) && set_upper(q, j, 1);
    if (span_is(type, "FR")) return set_lower(q, j, -INFINITY) && set_upper(q, j, INFINITY);
    if (!span_is(type, "FX")) return refuse_span(q, "no type of bound that perp knows:", type);
    q->xlo[j] = q->xhi[j] = v;
    q->has_lower[j] = true;
    return isfinite(v) || refuse_line(q, "a finite number");
}

static bool read_quadratic(perp_qps *q)
{
    int j, i;
    double v;
    if (!find_column(q, q->f[1], &j)) return false;
    for (int k = 2; k < 6 && (k == 2 || q->f[k].length); k += 2) {
        if (!find_column(q, q->f[k], &i) || !parse_number(q, q->f[k + 1], true, &v)) return false;
        add(&q->H, i, j, v);
        if (i != j && q->section == QUADOBJ) add(&q->H, j, i, v);
    }
    return true;
}

static bool read_sense(perp_qps *q)
{
    if (span_is(q->f[1], "MIN") || span_is(q->f[1], "MINIMIZE")) return true;
    perp_lexer_refuse(q->x, "perp minimises; change the signs of a problem that maximises");
    return false;
}

static bool read_data(perp_qps *q, span line)
{
    if (q->section <= NAME) return refuse_line(q, "a section (NAME, ROWS, ...)");
    if (q->fixed) split_fixed(q, line);
    if (!q->fixed && !split_free(q, line)) return false;
    if (q->section == RHS || q->section == RANGES || q->section == BOUNDS) {
        span *set = &q->set[q->section];
        if (!set->length) *set = q->f[1];
        if (q->f[1].length && !span_same(*set, q->f[1])) return true;
    }
    switch (q->section) {
    case ROWS: return read_row(q);
    case COLUMNS: return read_entries(q);
    case RHS: return read_sides(q, q->rhs);
    case RANGES: return read_sides(q, q->range);
    case BOUNDS: return read_bound(q);
    case OBJSENSE: return read_sense(q);
    default: return read_quadratic(q);
    }
}

/* "*PERP RANGE c1 lo hi": sides that no RANGES can give to the last bit; others see a comment. */
static bool read_comment(perp_qps *q, span line)
{
    int row;
    if (q->section != RANGES || !span_is(perp_span_word(&line), "*PERP")) return true;
    if (!span_is(perp_span_word(&line), "RANGE")) return true;
    if (!find_row(q, perp_span_word(&line), &row)) return false;
    for (int k = 0; k < 2; k++) {
        if (!parse_number(q, perp_span_word(&line), true, &q->exact[k][row])) return false;
    }
    return true;
}

/* ---- sections ---- */

static const char *const sections[] = {"",        "NAME",     "ROWS",   "COLUMNS",
                                       "RHS",     "RANGES",   "BOUNDS", "QUADOBJ",
                                       "QMATRIX", "OBJSENSE", "ENDATA"};

/* -1: no such section. */
static int find_section(span word)
{
    for (int k = NAME; k <= ENDATA; k++) {
        if (span_is(word, sections[k])) return k;
    }
    return span_is(word, "QSECTION") ? QUADOBJ : -1;
}

static bool is_header(span line)
{
    return line.length && line.text[0] != ' ' && line.text[0] != '\t' && line.text[0] != '\r';
}

static bool is_comment(span line)
{
    return line.length && line.text[0] == '*';
}

/* How many data lines each section has: no table can need more. False: more than int can index. */
static bool count_lines(perp_lexer x, int lines[ENDATA + 1])
{
    span line;
    int section = NONE;
    memset(lines, 0, (ENDATA + 1) * sizeof *lines);
    while (section != ENDATA && (line.text = perp_lexer_line(&x, &line.length))) {
        if (is_header(line) && !is_comment(line)) {
            section = find_section(perp_span_word(&line));
            if (section < 0) section = NONE;
        } else if (perp_span_trim(line.text, line.length).length) {
            if (++lines[section] == INT_MAX / 8) return false;
        }
    }
    return true;
}

static bool start_rows(perp_qps *q)
{
    size_t n = (size_t)q->lines[ROWS] + 1;
    double **const arrays[] = {&q->rhs, &q->range, &q->exact[0], &q->exact[1]};
    for (int k = 0; k < 4; k++) {
        if (!(*arrays[k] = perp_lexer_alloc(q->x, n, sizeof(double), "the rows"))) return false;
    }
    return (q->type = perp_lexer_alloc(q->x, n, 1, "the rows")) &&
           (q->place = perp_lexer_alloc(q->x, n, sizeof(int), "the rows")) &&
           perp_names_start(q->x, &q->rows, q->lines[ROWS]);
}

static bool start_triplets(perp_qps *q, perp_triplets *t, size_t most)
{
    return (t->i = perp_lexer_alloc(q->x, most + 1, sizeof *t->i, "the entries")) &&
           (t->j = perp_lexer_alloc(q->x, most + 1, sizeof *t->j, "the entries")) &&
           (t->v = perp_lexer_alloc(q->x, most + 1, sizeof *t->v, "the entries"));
}

static bool start_columns(perp_qps *q)
{
    return q->rows.list ? perp_names_start(q->x, &q->columns, q->lines[COLUMNS]) &&
                              start_triplets(q, &q->A, 2 * (size_t)q->lines[COLUMNS])
                        : refuse_line(q, "ROWS before COLUMNS");
}

/* What comes after the columns. */
static bool start_rest(perp_qps *q)
{
    size_t n = (size_t)q->columns.count + 1;
    if (!q->columns.list) return refuse_line(q, "ROWS and COLUMNS before this section");
    if (q->xlo) return true;
    q->xlo = perp_lexer_alloc(q->x, n, sizeof *q->xlo, "the bounds");
    q->xhi = q->xlo ? perp_lexer_alloc(q->x, n, sizeof *q->xhi, "the bounds") : NULL;
    q->has_lower = q->xhi ? perp_lexer_alloc(q->x, n, sizeof *q->has_lower, "the bounds") : NULL;
    if (!q->has_lower) return false;
    for (size_t j = 0; j < n; j++) {
        q->xlo[j] = 0;
        q->xhi[j] = INFINITY;
        q->has_lower[j] = false;
    }
    size_t quadratic = 4 * ((size_t)q->lines[QUADOBJ] + (size_t)q->lines[QMATRIX]);
    return start_triplets(q, &q->H, quadratic);
}

static bool read_header(perp_qps *q, span line)
{
    span word = perp_span_word(&line), rest = perp_span_trim(line.text, line.length);
    int section = find_section(word);
    if (section < 0) return refuse_span(q, "no section that perp knows:", word);
    if (section == ROWS && q->rows.list) return refuse_line(q, "one section ROWS alone");
    if (section == COLUMNS && q->columns.list) return refuse_line(q, "one section COLUMNS alone");
    q->section = section;
    switch (section) {
    case NAME: q->title = rest; return true;
    case ROWS: return start_rows(q);
    case COLUMNS: return start_columns(q);
    case OBJSENSE: q->f[1] = rest; return rest.length == 0 || read_sense(q);
    default: return start_rest(q);
    }
}

/* ---- the file ---- */

static bool read_lines(perp_qps *q, perp_file *file)
{
    span line;
    int number = q->x->line;
    while ((line.text = perp_lexer_line(q->x, &line.length))) {
        int next = q->x->line;
        bool good = true;
        q->x->line = number; /* of this line, for refusals */
        if (is_comment(line)) {
            good = read_comment(q, line);
        } else if (is_header(line)) {
            good = read_header(q, line);
        } else if (perp_span_trim(line.text, line.length).length) {
            good = read_data(q, line);
        }
        if (!good) return false;
        if (q->section == ENDATA) return perp_qps_problem(q, file);
        q->x->line = number = next;
    }
    return refuse_line(q, "ENDATA, not the end of the file,");
}

/* Fixed columns are the second try; the error of the one that came further is the one to show. */
static perp_status read_file(perp_lexer *x, const perp_load_options *o, perp_file *file)
{
    (void)o;
    const perp_lexer start = *x;
    const perp_file none = *file;
    perp_mark mark = perp_arena_mark(x->arena);
    perp_error first = {0};
    for (int fixed = 0; fixed < 2; fixed++) {
        perp_qps q = {.x = x, .fixed = fixed == 1};
        *x = start;
        if (!count_lines(*x, q.lines)) return perp_lexer_refuse(x, "too many lines");
        *file = none;
        if (read_lines(&q, file)) return PERP_SOLVED;
        if (x->arena->failed) return x->error->status;
        if (fixed == 0) first = *x->error;
        perp_arena_release(x->arena, mark);
    }
    if (first.line >= x->error->line) *x->error = first;
    return x->error->status;
}

/* Comments and blank lines, then one of the first sections. */
static bool recognise(const char *bytes, size_t length)
{
    const char *end = bytes + length;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        span line = {bytes, (size_t)((newline ? newline : end) - bytes)};
        if (is_header(line) && !is_comment(line)) {
            int section = find_section(perp_span_word(&line));
            return section == NAME || section == ROWS || section == OBJSENSE;
        }
        if (!is_comment(line) && perp_span_trim(line.text, line.length).length) return false;
        bytes = newline ? newline + 1 : end;
    }
    return false;
}

const perp_format_ops perp_io_qps = {
    .format = PERP_FILE_QPS,
    .name = "qps",
    .endings = "qps",
    .kinds = 1u << PERP_KIND_QP,
    .recognise = recognise,
    .read = read_file,
    .write = perp_qps_write,
};
