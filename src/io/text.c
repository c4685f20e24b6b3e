/* io/text.c: perp's own text format.
 *
 *     perp 1 lcp                    # version, kind; a remark goes to the end of the line
 *     title "two by two"
 *     M dense 2 2                   # rows columns, then the entries by rows
 *       2 1
 *       1 2
 *     q -5 -6                       # a vector: the numbers up to the next word
 *     solution 1.3333333333333333 2.3333333333333335
 *     end
 *
 * docs/text-format.md has all items, which are the fields of the kinds. They may come in any order;
 * sizes must agree, and the last word must be there, so that a file cut short is noticed. Matrices:
 * `dense`, `sparse` (row column value) and `blocks` (block row, block column, nine values by rows),
 * indices from 0, kept in the order they have. Two passes over vectors and sparse matrices: one
 * counts. */
#include "text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define VERSION 1
#define GUESSES 64 /* more than any file has */

typedef struct reading {
    perp_lexer *x;
    perp_file *file;
    const perp_kind_ops *ops;
    unsigned seen;             /* bits of fields */
    int size[PERP_SIZES_MOST]; /* -1: not known yet */
    const char *form;          /* of a kind that has forms; NULL: not known yet */
    bool constant;             /* was given */
    int solution, guesses;     /* lengths, which must be the problem's size; -1: none */
    const double *guess[GUESSES];
    int guess_length[GUESSES];
} reading;

static bool is(const char *token, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(token, word, length) == 0;
}

/* ---- numbers up to the next word ---- */

/* Letters begin words, but for infinities; the reader of numbers deals with NaN. */
static bool is_word(const char *token, size_t length)
{
    char c = (char)(*token | 32);
    if (c < 'a' || c > 'z') return false;
    double value;
    return perp_parse_real(token, token + length, &value) != token + length;
}

static size_t count_numbers(const perp_lexer *x)
{
    perp_lexer look = *x;
    size_t count = 0, length;
    const char *token = perp_lexer_token(&look, &length);
    for (; length > 0 && !is_word(token, length); token = perp_lexer_token(&look, &length)) count++;
    return count;
}

/* The size, or the one that it is a multiple of. */
static int *size_of(reading *r, int which)
{
    const perp_kind_size *s = &r->ops->sizes[which];
    return &r->size[s->times ? s->of : which];
}

/* What a vector or a matrix says about a size, against what others said. */
static bool settle(reading *r, int which, int value, const char *name, const char *what)
{
    int times = r->ops->sizes[which].times, factor = times ? times : 1;
    if (value % factor) {
        perp_lexer_refuse(r->x, "%s has %d %s, expected a multiple of %d", name, value, what,
                          factor);
        return false;
    }
    int *size = size_of(r, which);
    if (*size < 0) *size = value / factor;
    if (*size == value / factor) return true;
    perp_lexer_refuse(r->x, "%s has %d %s, expected %d", name, value, what, *size * factor);
    return false;
}

/* The length of the vector that begins here; -1: refused. */
static int vector_length(reading *r, const char *name)
{
    size_t count = count_numbers(r->x);
    if (count <= INT_MAX) return (int)count;
    perp_lexer_refuse(r->x, "%s has %zu numbers, which are too many", name, count);
    return -1;
}

static bool read_mask(reading *r, const char *name, int n, const bool **to)
{
    const int *read = perp_lexer_ints(r->x, (size_t)n, 0, 1, name);
    bool *mask = read ? perp_lexer_alloc(r->x, (size_t)n, sizeof *mask, name) : NULL;
    for (int i = 0; mask && i < n; i++) mask[i] = read[i] != 0;
    *to = mask;
    return mask != NULL;
}

static bool read_vector(reading *r, const perp_field *field, void *to)
{
    int n = vector_length(r, field->name);
    const char *name = field->name;
    if (n < 0 || !settle(r, field->rows, n, name, "numbers")) return false;
    if (field->type == PERP_FIELD_MASK) return read_mask(r, name, n, to);
    if (field->type == PERP_FIELD_INDEX) {
        const int **index = to;
        return (*index = perp_lexer_ints(r->x, (size_t)n, -1, INT_MAX, name)) != NULL;
    }
    const double **vector = to;
    bool any = field->type == PERP_FIELD_BOUND;
    return (*vector = perp_lexer_reals(r->x, (size_t)n, any, name)) != NULL;
}

/* ---- matrices ---- */

static bool read_dense(perp_lexer *x, int m, int n, const char *name, perp_matrix *A)
{
    size_t rows = (size_t)m, columns = (size_t)n;
    if (!perp_lexer_room(x, rows * columns, name)) return false;
    double *v = perp_lexer_alloc(x, rows * columns, sizeof *v, name);
    if (!v) return false;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            if (perp_lexer_real(x, false, "an entry of a dense matrix", &v[i + j * rows])) continue;
            return false;
        }
    }
    *A = perp_dense(m, n, v);
    return true;
}

typedef struct entries {
    int count, *row, *column;
    double *v;
} entries;

/* Places with `width` values each, in a grid of m x n. */
static bool read_entries(perp_lexer *x, int m, int n, int width, const char *name, entries *t)
{
    size_t numbers = count_numbers(x), each = (size_t)width + 2, count = numbers / each;
    if (numbers % each || count > INT_MAX / each) {
        perp_lexer_refuse(x,
                          "%s has %zu numbers, expected row, column and %d value%s for each entry",
                          name, numbers, width, width > 1 ? "s" : "");
        return false;
    }
    t->count = (int)count;
    t->row = perp_lexer_alloc(x, count, sizeof *t->row, name);
    t->column = t->row ? perp_lexer_alloc(x, count, sizeof *t->column, name) : NULL;
    t->v = t->column ? perp_lexer_alloc(x, count * (size_t)width, sizeof *t->v, name) : NULL;
    for (size_t k = 0; t->v && k < count; k++) {
        if (!perp_lexer_int(x, 0, m - 1, "the row of an entry", &t->row[k]) ||
            !perp_lexer_int(x, 0, n - 1, "the column of an entry", &t->column[k])) {
            return false;
        }
        for (int e = 0; e < width; e++) { /* by rows; blocks are kept by columns */
            size_t place = width == 1 ? k : 9 * k + (size_t)(e / 3 + e % 3 * 3);
            if (!perp_lexer_real(x, false, "the value of an entry", &t->v[place])) return false;
        }
    }
    return t->v != NULL;
}

static bool read_sparse(perp_lexer *x, int m, int n, const char *name, perp_matrix *A)
{
    entries t;
    int *p;
    if (!read_entries(x, m, n, 1, name, &t)) return false;
    if (!perp_lexer_group(x, n, t.count, t.column, 1, &t.row, &t.v, &p)) return false;
    *A = perp_csc(m, n, p, t.row, t.v);
    return true;
}

static bool read_blocks(perp_lexer *x, int m, int n, const char *name, perp_matrix *A)
{
    entries t;
    int *p;
    if (m % 3 || n % 3) {
        perp_lexer_refuse(x, "%s is %d x %d, expected multiples of 3 for blocks", name, m, n);
        return false;
    }
    if (!read_entries(x, m / 3, n / 3, 9, name, &t)) return false;
    if (!perp_lexer_group(x, m / 3, t.count, t.row, 9, &t.column, &t.v, &p)) return false;
    *A = perp_bsr3(m / 3, n / 3, p, t.column, t.v);
    return true;
}

static bool read_matrix(reading *r, const perp_field *field, perp_matrix *A)
{
    perp_lexer *x = r->x, before = *x;
    size_t length;
    int m, n;
    const char *format = perp_lexer_token(x, &length), *name = field->name;
    bool dense = is(format, length, "dense"), sparse = is(format, length, "sparse");
    if (!dense && !sparse && !is(format, length, "blocks")) {
        *x = before;
        perp_lexer_expected(x, "dense, sparse or blocks");
        return false;
    }
    if (!perp_lexer_int(x, 0, INT_MAX, "the number of rows", &m) ||
        !perp_lexer_int(x, 0, INT_MAX, "the number of columns", &n) ||
        !perp_lexer_size(x, m, name) || !perp_lexer_size(x, n, name) ||
        !settle(r, field->rows, m, name, "rows") ||
        !settle(r, field->columns, n, name, "columns")) {
        return false;
    }
    if (dense) return read_dense(x, m, n, name, A);
    return sparse ? read_sparse(x, m, n, name, A) : read_blocks(x, m, n, name, A);
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One character of a string, at *s; false: a bad escape. */
static bool unescape(const char **s, const char *end, char *to)
{
    *to = *(*s)++;
    if (*to != '\\') return true;
    if (*s == end) return false;
    *to = *(*s)++;
    if (*to == '"' || *to == '\\') return true;
    if (*to != 'x' || end - *s < 2) return false;
    int high = hex_digit((*s)[0]), low = hex_digit((*s)[1]);
    *s += 2;
    *to = (char)(16 * high + low);
    return high >= 0 && low >= 0 && *to;
}

/* Where the string's closing quote is; NULL: nowhere. */
static const char *find_quote(const char *s, const char *end)
{
    for (; s < end; s++) {
        if (*s == '"') return s;
        if (*s == '\\') s++;
    }
    return NULL;
}

static bool read_string(reading *r, const char *key, const char **to)
{
    perp_lexer *x = r->x;
    if (*to) {
        perp_lexer_refuse(x, "%s is given twice", key);
        return false;
    }
    if (!perp_lexer_skip(x) || *x->at != '"') {
        perp_lexer_expected(x, "text in quotes");
        return false;
    }
    const char *s = x->at + 1, *end = find_quote(s, x->end);
    char *text = end ? perp_lexer_alloc(x, (size_t)(end - s) + 1, 1, key) : NULL, *t = text;
    if (!end) perp_lexer_refuse(x, "expected the closing quote of %s, the file ends", key);
    if (!text) return false;
    while (s < end) {
        x->line += *s == '\n';
        if (!*s || !unescape(&s, end, t++)) {
            perp_lexer_refuse(x, "%s has a bad escape or a zero byte", key);
            return false;
        }
    }
    *t = '\0';
    x->at = end + 1;
    *to = text;
    return true;
}

/* ---- fields ---- */

static bool read_field(reading *r, int k)
{
    const perp_field *field = &r->ops->fields[k];
    perp_problem *p = &r->file->problem;
    if (r->seen >> k & 1) {
        perp_lexer_refuse(r->x, "%s is given twice", field->name);
        return false;
    }
    if (field->form && r->form && strcmp(r->form, field->form) != 0) {
        perp_lexer_refuse(r->x, "%s belongs to the %s form, and something of the other came before",
                          field->name, field->form);
        return false;
    }
    r->seen |= 1U << k;
    if (field->form) r->form = field->form;
    void *to = (char *)p + field->offset;
    return field->type == PERP_FIELD_MATRIX ? read_matrix(r, field, to) : read_vector(r, field, to);
}

static bool read_constant(reading *r)
{
    if (r->constant) {
        perp_lexer_refuse(r->x, "constant is given twice");
        return false;
    }
    r->constant = true;
    return perp_lexer_real(r->x, false, "constant", &r->file->constant);
}

static bool read_solution(reading *r)
{
    if (r->solution >= 0) {
        perp_lexer_refuse(r->x, "solution is given twice");
        return false;
    }
    r->solution = vector_length(r, "solution");
    if (r->solution < 0) return false;
    r->file->solution = perp_lexer_reals(r->x, (size_t)r->solution, false, "solution");
    return r->file->solution != NULL;
}

static bool read_guess(reading *r)
{
    int k = r->guesses, n = k < GUESSES ? vector_length(r, "guess") : -1;
    if (k == GUESSES) perp_lexer_refuse(r->x, "expected at most %d guesses", GUESSES);
    if (n < 0) return false;
    r->guess[k] = perp_lexer_reals(r->x, (size_t)n, false, "guess");
    r->guess_length[k] = n;
    r->guesses++;
    return r->guess[k] != NULL;
}

static bool refuse_key(reading *r, const perp_lexer *before)
{
    char what[120];
    int n = snprintf(what, sizeof what, "end, or one of title, solution");
    for (const perp_field *f = r->ops->fields; f->name && n < (int)sizeof what; f++) {
        n += snprintf(what + n, sizeof what - (size_t)n, ", %s", f->name);
    }
    *r->x = *before;
    perp_lexer_expected(r->x, what);
    return false;
}

/* One key and what belongs to it; *ended: it was the last word. */
static bool read_key(reading *r, bool *ended)
{
    size_t length;
    perp_lexer before = *r->x;
    const char *key = perp_lexer_token(r->x, &length);
    if (is(key, length, "end")) return *ended = true;
    if (is(key, length, "title")) return read_string(r, "title", &r->file->title);
    if (is(key, length, "description")) {
        return read_string(r, "description", &r->file->description);
    }
    if (is(key, length, "constant")) return read_constant(r);
    if (is(key, length, "solution")) return read_solution(r);
    if (is(key, length, "guess")) return read_guess(r);
    for (int k = 0; r->ops->fields[k].name; k++) {
        if (is(key, length, r->ops->fields[k].name)) return read_field(r, k);
    }
    return refuse_key(r, &before);
}

/* ---- the file ---- */

static bool read_kind(perp_lexer *x, const perp_load_options *o, perp_kind *kind)
{
    size_t length;
    perp_lexer before = *x;
    const char *token = perp_lexer_token(x, &length);
    for (int k = 0; k < PERP_KINDS; k++) {
        const char *name = perp_kind_name((perp_kind)k);
        if (!is(token, length, name)) continue;
        *kind = (perp_kind)k;
        if (!o->has_kind || o->kind == *kind) return true;
        perp_lexer_refuse(x, "the file holds a problem of kind %s, which is not the one asked for",
                          name);
        return false;
    }
    *x = before;
    char list[100], what[120];
    snprintf(what, sizeof what, "a kind: %s", perp_kind_list("or", list, sizeof list));
    perp_lexer_expected(x, what);
    return false;
}

static bool read_header(perp_lexer *x, const perp_load_options *o, perp_kind *kind)
{
    size_t length;
    int version;
    perp_lexer before = *x;
    const char *token = perp_lexer_token(x, &length);
    if (!is(token, length, "perp")) {
        *x = before;
        perp_lexer_expected(x, "the word perp");
        return false;
    }
    return perp_lexer_int(x, VERSION, VERSION, "the version of the format", &version) &&
           read_kind(x, o, kind);
}

/* The sizes and the form that a problem keeps beside its data; those of an absent matrix tell
 * validation that one is missing. */
static void keep_sizes(const reading *r, perp_problem *p)
{
    for (int k = 0; !perp_size_is_last(&r->ops->sizes[k]); k++) {
        if (!r->ops->sizes[k].times) perp_size_set(p, k, r->size[k] < 0 ? 0 : r->size[k]);
    }
    if (r->form) perp_kind_set_form(p, r->form);
}

static bool is_given(const reading *r, const char *name)
{
    int k = 0;
    while (strcmp(r->ops->fields[k].name, name) != 0) k++;
    return r->seen >> k & 1;
}

/* Does a field make no sense without another that is not there? */
static bool check_needs(reading *r)
{
    for (const perp_field *f = r->ops->fields; f->name; f++) {
        bool empty = *size_of(r, f->rows) == 0;
        if (!f->needs || !is_given(r, f->name) || empty || is_given(r, f->needs)) continue;
        perp_lexer_refuse(r->x, "expected %s, since %s is given", f->needs, f->name);
        return false;
    }
    return true;
}

static bool check_length(reading *r, const char *name, int length)
{
    int size = perp_size(&r->file->problem);
    if (length == size) return true;
    perp_lexer_refuse(r->x, "%s has %d numbers, expected %d", name, length, size);
    return false;
}

static bool finish(reading *r)
{
    perp_file *file = r->file;
    keep_sizes(r, &file->problem);
    if (!check_needs(r)) return false;
    if (file->solution && !check_length(r, "solution", r->solution)) return false;
    for (int k = 0; k < r->guesses; k++) {
        if (!check_length(r, "guess", r->guess_length[k])) return false;
    }
    const double **guess = perp_lexer_alloc(r->x, (size_t)r->guesses, sizeof *guess, "guesses");
    if (!guess) return false;
    memcpy(guess, r->guess, (size_t)r->guesses * sizeof *guess);
    file->guesses = r->guesses;
    file->guess = r->guesses ? guess : NULL;
    return true;
}

static perp_status read_text(perp_lexer *x, const perp_load_options *o, perp_file *file)
{
    bool ended = false;
    perp_kind kind;
    reading r = {.x = x, .file = file, .solution = -1};
    x->comments = true;
    for (int k = 0; k < PERP_SIZES_MOST; k++) r.size[k] = -1;
    if (!read_header(x, o, &kind)) return x->error->status;
    file->problem.kind = kind;
    r.ops = perp_kind_ops_of(kind);
    while (!ended) {
        if (!read_key(&r, &ended)) return x->error->status;
    }
    if (perp_lexer_skip(x)) return perp_lexer_expected(x, "nothing after end");
    return finish(&r) ? PERP_SOLVED : x->error->status;
}

static bool recognise(const char *bytes, size_t length)
{
    perp_lexer x = {.at = bytes, .end = bytes + length, .comments = true};
    const char *token = perp_lexer_token(&x, &length);
    return is(token, length, "perp");
}

const perp_format_ops perp_io_text = {
    .format = PERP_FILE_TEXT,
    .name = "text",
    .endings = "perp",
    .kinds = (1U << PERP_KINDS) - 1,
    .recognise = recognise,
    .read = read_text,
    .write = perp_text_write,
};
