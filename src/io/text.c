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
 * docs/text-format.md has all items. They may come in any order; sizes must agree, and the last
 * word must be there, so that a file cut short is noticed. Matrices: `dense`, `sparse` (row column
 * value) and `blocks` (block row, block column, nine values by rows), indices from 0, kept in the
 * order they have. Two passes over vectors and sparse matrices: one counts. */
#include "text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define VERSION 1
#define GUESSES 64 /* more than any file has */

typedef struct reading {
    perp_lexer *x;
    perp_file *file;
    const text_item *items;
    unsigned seen;         /* bits of items */
    int size[TEXT_SIZES];  /* -1: not known yet */
    int form;              /* of fc3d; -1: not known yet */
    bool constant;         /* was given */
    int solution, guesses; /* lengths, which must be the problem's size; -1: none */
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

/* What a vector or a matrix says about a size, against what others said. */
static bool settle(reading *r, enum text_size which, bool three, int value, const char *name,
                   const char *what)
{
    int factor = which == SIZE_CONTACTS && three ? 3 : 1;
    if (value % factor) {
        perp_lexer_refuse(r->x, "%s has %d %s, expected a multiple of 3", name, value, what);
        return false;
    }
    int *size = &r->size[which];
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

static bool read_vector(reading *r, const text_item *item, void *to)
{
    int n = vector_length(r, item->name);
    const char *name = item->name;
    if (n < 0 || !settle(r, item->rows, item->three, n, name, "numbers")) return false;
    if (item->type == TEXT_MASK) return read_mask(r, name, n, to);
    if (item->type == TEXT_INDEX) {
        const int **index = to;
        return (*index = perp_lexer_ints(r->x, (size_t)n, -1, INT_MAX, name)) != NULL;
    }
    const double **vector = to;
    bool any = item->type == TEXT_BOUND;
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

static bool read_matrix(reading *r, const text_item *item, perp_matrix *A)
{
    perp_lexer *x = r->x, before = *x;
    size_t length;
    int m, n;
    const char *format = perp_lexer_token(x, &length), *name = item->name;
    bool dense = is(format, length, "dense"), sparse = is(format, length, "sparse");
    if (!dense && !sparse && !is(format, length, "blocks")) {
        *x = before;
        perp_lexer_expected(x, "dense, sparse or blocks");
        return false;
    }
    if (!perp_lexer_int(x, 0, INT_MAX, "the number of rows", &m) ||
        !perp_lexer_int(x, 0, INT_MAX, "the number of columns", &n) ||
        !perp_lexer_size(x, m, name) || !perp_lexer_size(x, n, name) ||
        !settle(r, item->rows, item->three, m, name, "rows") ||
        !settle(r, item->columns, item->three, n, name, "columns")) {
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

/* ---- items ---- */

static bool read_item(reading *r, int k)
{
    const text_item *item = &r->items[k];
    perp_problem *p = &r->file->problem;
    if (r->seen >> k & 1) {
        perp_lexer_refuse(r->x, "%s is given twice", item->name);
        return false;
    }
    if (item->form >= 0 && r->form >= 0 && r->form != item->form) {
        perp_lexer_refuse(r->x, "%s belongs to the %s form, and something of the other came before",
                          item->name, item->form == PERP_FORM_BODY ? "body" : "local");
        return false;
    }
    r->seen |= 1U << k;
    if (item->form >= 0) r->form = item->form;
    void *to = (char *)p + item->offset;
    return item->type == TEXT_MATRIX ? read_matrix(r, item, to) : read_vector(r, item, to);
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
    for (const text_item *i = r->items; i->name; i++) {
        n += snprintf(what + n, sizeof what - (size_t)n, ", %s", i->name);
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
    for (int k = 0; r->items[k].name; k++) {
        if (is(key, length, r->items[k].name)) return read_item(r, k);
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
    perp_lexer_expected(x, "a kind: lcp, ncp, mcp, fc3d, nnls or qp");
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

static int known(const reading *r, enum text_size size)
{
    return r->size[size] < 0 ? 0 : r->size[size];
}

/* The sizes that a problem keeps beside its matrices; those of an absent matrix tell validation
 * that one is missing. */
static void keep_sizes(const reading *r, perp_problem *p)
{
    int n = known(r, SIZE_N), m = known(r, SIZE_M);
    switch (p->kind) {
    case PERP_KIND_LCP: p->as.lcp.n = n; break;
    case PERP_KIND_NCP: p->as.ncp.F.n = n; break;
    case PERP_KIND_MCP: p->as.mcp.F.n = n; break;
    case PERP_KIND_FC3D:
        p->as.fc3d.contacts = known(r, SIZE_CONTACTS);
        p->as.fc3d.form = r->form == PERP_FORM_BODY ? PERP_FORM_BODY : PERP_FORM_LOCAL;
        if (r->form == PERP_FORM_BODY) p->as.fc3d.M.m = p->as.fc3d.M.n = known(r, SIZE_VELOCITIES);
        break;
    case PERP_KIND_NNLS:
        p->as.nnls.A.m = m;
        p->as.nnls.A.n = n;
        break;
    case PERP_KIND_QP:
        p->as.qp.n = n;
        p->as.qp.m = m;
        break;
    }
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
    bool body = file->problem.kind == PERP_KIND_FC3D && r->form == PERP_FORM_BODY;
    if (body && file->problem.as.fc3d.G.format == PERP_FORMAT_ABSENT &&
        known(r, SIZE_EQUALITIES) > 0) {
        perp_lexer_refuse(r->x, "expected G, since b is given");
        return false;
    }
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
    reading r = {.x = x, .file = file, .form = -1, .solution = -1};
    x->comments = true;
    for (int k = 0; k < TEXT_SIZES; k++) r.size[k] = -1;
    if (!read_header(x, o, &kind)) return x->error->status;
    file->problem.kind = kind;
    r.items = perp_text_items(kind);
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
