/* io/matrix_market.c: single matrices and vectors in Matrix Market's exchange format.
 * Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935 (1996).
 *
 * Coordinate files become CSC with sorted columns and duplicates summed, arrays dense; symmetric
 * and skew-symmetric ones are filled up, a pattern's entries are 1. A matrix alone is no problem,
 * so that the format's row in the table holds no kind. Linear in the file. */
#include "names.h"

#include <limits.h>

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct header {
    bool coordinate, pattern;
    symmetry symmetry;
    int m, n;
} header;

static bool is_banner(span line)
{
    static const char banner[] = "%%matrixmarket";
    for (size_t k = 0; k < sizeof banner - 1; k++) {
        char c = k < line.length ? line.text[k] : 0;
        if (c >= 'A' && c <= 'Z') c = (char)(c + 'a' - 'A');
        if (c != banner[k]) return false;
    }
    return true;
}

static bool recognise(const char *bytes, size_t length)
{
    return is_banner((span){bytes, length});
}

/* ---- reading ---- */

/* Which of "real|integer|double" the word is, in whatever letters; -1: none. */
static int choose(span word, const char *choices)
{
    size_t k = 0;
    int choice = 0;
    for (const char *c = choices;; c++) {
        if (*c == '|' || *c == 0) {
            if (k == word.length) return choice;
            if (*c == 0) return -1;
            choice++;
            k = 0;
        } else if (k < word.length && (word.text[k] | ' ') == *c) {
            k++;
        } else {
            k = word.length + 1;
        }
    }
}

static bool refuse_word(perp_lexer *x, const char *what, span word)
{
    char shown[PERP_SPAN_SHOWN];
    perp_lexer_refuse(x, "%s, not '%s', expected in the first line", what,
                      perp_span_show(word, shown));
    return false;
}

static bool read_banner(perp_lexer *x, header *h)
{
    span line;
    line.text = perp_lexer_line(x, &line.length);
    x->line = 1;
    if (!line.text || !is_banner(line)) {
        perp_lexer_refuse(x, "expected %%%%MatrixMarket at the start, as mmwrite of scipy and of "
                             "MATLAB puts it there");
        return false;
    }
    perp_span_word(&line);
    span object = perp_span_word(&line), layout = perp_span_word(&line);
    span field = perp_span_word(&line), kind = perp_span_word(&line);
    if (choose(object, "matrix") < 0 && choose(object, "vector") < 0)
        return refuse_word(x, "matrix", object);
    int form = choose(layout, "coordinate|array"),
        type = choose(field, "real|integer|double|pattern"),
        which = choose(kind, "general|symmetric|skew-symmetric");
    if (form < 0) return refuse_word(x, "coordinate or array", layout);
    if (type < 0) return refuse_word(x, "real, integer or pattern", field);
    if (which < 0) return refuse_word(x, "general, symmetric or skew-symmetric", kind);
    h->coordinate = form == 0;
    h->pattern = type == 3;
    h->symmetry = (symmetry)which;
    if (h->pattern && !h->coordinate) return refuse_word(x, "real or integer of an array", field);
    x->line = 2;
    return true;
}

static bool read_header(perp_lexer *x, header *h)
{
    size_t length;
    if (!read_banner(x, h)) return false;
    while (x->at < x->end && (*x->at == '%' || *x->at == '\n' || *x->at == '\r'))
        perp_lexer_line(x, &length);
    if (!perp_lexer_int(x, 0, INT_MAX - 1, "the number of rows", &h->m) ||
        !perp_lexer_int(x, 0, INT_MAX - 1, "the number of columns", &h->n))
        return false;
    if (h->symmetry == GENERAL || h->m == h->n) return true;
    perp_lexer_refuse(x, "a symmetric matrix cannot be %d x %d", h->m, h->n);
    return false;
}

typedef struct triplets {
    int count, *i, *j;
    double *v;
} triplets;

static bool read_entry(perp_lexer *x, const header *h, triplets *t)
{
    int i, j, k = t->count;
    double v = 1;
    if (!perp_lexer_int(x, 1, h->m, "a row", &i) || !perp_lexer_int(x, 1, h->n, "a column", &j))
        return false;
    if (!h->pattern && !perp_lexer_real(x, false, "an entry", &v)) return false;
    t->i[k] = i - 1;
    t->j[k] = j - 1;
    t->v[k] = v;
    t->count++;
    if (h->symmetry == GENERAL || (i == j && h->symmetry == SYMMETRIC)) return true;
    if (i == j) {
        perp_lexer_refuse(x, "a skew-symmetric matrix has no diagonal, and (%d, %d) is on it", i,
                          j);
        return false;
    }
    t->i[k + 1] = j - 1;
    t->j[k + 1] = i - 1;
    t->v[k + 1] = h->symmetry == SKEW ? -v : v;
    t->count++;
    return true;
}

static bool read_coordinates(perp_lexer *x, const header *h, perp_matrix *out)
{
    int count, most = h->symmetry == GENERAL ? INT_MAX - 1 : INT_MAX / 2 - 1;
    if (!perp_lexer_int(x, 0, most, "the number of entries", &count)) return false;
    size_t room = h->symmetry == GENERAL ? (size_t)count : 2 * (size_t)count;
    if (!perp_lexer_room(x, (size_t)count * (h->pattern ? 2 : 3), "the entries")) return false;
    triplets t = {.i = perp_lexer_alloc(x, room + 1, sizeof *t.i, "the entries")};
    t.j = t.i ? perp_lexer_alloc(x, room + 1, sizeof *t.j, "the entries") : NULL;
    t.v = t.j ? perp_lexer_alloc(x, room + 1, sizeof *t.v, "the entries") : NULL;
    if (!t.v) return false;
    for (int k = 0; k < count; k++) {
        if (!perp_lexer_skip(x)) {
            perp_lexer_refuse(x, "the file ends after %d of the %d entries it promises", k, count);
            return false;
        }
        if (!read_entry(x, h, &t)) return false;
    }
    return perp_lexer_compress(x, h->m, h->n, t.count, t.i, t.j, t.v, out);
}

/* Column by column, from the diagonal or from below it down. */
static bool read_triangle(perp_lexer *x, const header *h, double *A)
{
    size_t n = (size_t)h->n, skip = h->symmetry == SKEW;
    for (size_t j = 0; j < n; j++) {
        if (skip) A[j + j * n] = 0;
        for (size_t i = j + skip; i < n; i++) {
            double v;
            if (!perp_lexer_real(x, false, "an entry", &v)) return false;
            A[i + j * n] = v;
            if (i != j) A[j + i * n] = skip ? -v : v;
        }
    }
    return true;
}

static bool read_array(perp_lexer *x, const header *h, perp_matrix *out)
{
    size_t m = (size_t)h->m, n = (size_t)h->n;
    double *A;
    if (h->symmetry == GENERAL) {
        A = perp_lexer_reals(x, m * n, x->infinities, "the matrix");
        if (!A) return false;
    } else {
        size_t stored = h->symmetry == SKEW && n ? n * (n - 1) / 2 : n * (n + 1) / 2;
        if (!perp_lexer_room(x, stored, "the matrix")) return false;
        A = perp_lexer_alloc(x, m * n + 1, sizeof *A, "the matrix");
        if (!A || !read_triangle(x, h, A)) return false;
    }
    *out = perp_dense(h->m, h->n, A);
    return true;
}

static bool read_matrix(perp_lexer *x, perp_matrix *out)
{
    header h;
    if (!read_header(x, &h)) return false;
    if (!(h.coordinate ? read_coordinates(x, &h, out) : read_array(x, &h, out))) return false;
    if (!perp_lexer_skip(x)) return true;
    perp_lexer_expected(x, "the end of the file");
    return false;
}

static perp_status read_vector(perp_lexer *x, int *n, const double **v)
{
    perp_matrix A;
    if (!read_matrix(x, &A)) return x->error->status;
    if (A.m != 1 && A.n != 1)
        return perp_lexer_refuse(x, "a vector expected, not a %d x %d matrix", A.m, A.n);
    *n = A.n == 1 ? A.m : A.n;
    if (A.format == PERP_FORMAT_DENSE) {
        *v = A.as.dense.x;
        return PERP_SOLVED;
    }
    double *full = perp_lexer_alloc(x, (size_t)*n + 1, sizeof *full, "the vector");
    if (!full) return x->error->status;
    memset(full, 0, (size_t)*n * sizeof *full);
    for (int j = 0; j < A.n; j++) {
        for (int k = A.as.csc.p[j]; k < A.as.csc.p[j + 1]; k++)
            full[A.as.csc.i[k] + j] = A.as.csc.x[k];
    }
    *v = full;
    return PERP_SOLVED;
}

static perp_status read_problem(perp_lexer *x, const perp_load_options *o, perp_file *file)
{
    (void)o, (void)file;
    return perp_lexer_refuse(x, "a matrix alone is no problem; perp solve --M M.mtx --q q.mtx "
                                "takes one from files of its parts, and Python has "
                                "perp.load_matrix");
}

perp_status perp_load_matrix(const char *path, perp_arena *a, perp_matrix *out, perp_error *error)
{
    perp_error local, *e = error ? error : &local;
    if (!path || !a || !out || a->failed)
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "path, arena and matrix must not be NULL, and the "
                           "arena must not have failed");
    perp_arena own = {.resize = a->resize, .ctx = a->ctx};
    perp_mark mark = perp_arena_mark(a);
    perp_matrix A;
    const char *bytes;
    size_t length;
    perp_status status = perp_read_whole(path, 0, NULL, &own, &bytes, &length, e);
    if (!status) {
        perp_lexer x = {.at = bytes, .end = bytes + length, .line = 1, .arena = a, .error = e};
        x.length = length;
        x.budget = x.limit = PERP_FILE_LIMIT;
        status =
            read_matrix(&x, &A) ? perp_check_view(&A, A.m, A.n, "the matrix", false, e) : e->status;
    }
    perp_arena_free(&own);
    if (status) {
        perp_arena_release(a, mark);
        return status;
    }
    *out = A;
    return PERP_SOLVED;
}

/* ---- writing ---- */

static void write_line(perp_sink *s, double v)
{
    perp_sink_real(s, v);
    perp_sink_text(s, "\n");
}

static void write_matrix(perp_sink *s, const perp_matrix *A)
{
    const struct perp_csc_view *v = &A->as.csc;
    const struct perp_dense_view *d = &A->as.dense;
    bool dense = A->format == PERP_FORMAT_DENSE;
    perp_sink_text(s, "%%%%MatrixMarket matrix %s real general\n", dense ? "array" : "coordinate");
    if (dense) {
        perp_sink_text(s, "%d %d\n", A->m, A->n);
        for (int j = 0; j < A->n; j++) {
            for (int i = 0; i < A->m; i++)
                write_line(s, d->x[(size_t)j * (size_t)d->ld + (size_t)i]);
        }
        return;
    }
    perp_sink_text(s, "%d %d %d\n", A->m, A->n, v->p[A->n]);
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            perp_sink_text(s, "%d %d ", v->i[k] + 1, j + 1);
            write_line(s, v->x[k]);
        }
    }
}

perp_status perp_save_matrix(const char *path, const perp_matrix *A, perp_error *error)
{
    perp_error local, *e = error ? error : &local;
    perp_matrix stored;
    perp_arena a = {0};
    if (!path || !A) return perp_refuse(e, PERP_E_ARGUMENT, "path and matrix must not be NULL");
    perp_status status = perp_check_view(A, A->m, A->n, "the matrix", true, e);
    if (status) return status;
    stored = *A;
    if (A->format == PERP_FORMAT_DENSE_ROWS)
        status = perp_convert(A, PERP_FORMAT_DENSE, &a, &stored, e);
    else if (A->format != PERP_FORMAT_DENSE)
        status = perp_io_csc(A, &a, &stored, e);
    perp_sink *s = status ? NULL : perp_sink_open(path, &a, e);
    if (s) {
        write_matrix(s, &stored);
        status = perp_sink_close(s, true);
    } else if (!status) {
        status = e->status;
    }
    perp_arena_free(&a);
    return status;
}

static perp_status write_problem(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e)
{
    (void)s, (void)file, (void)a;
    return perp_refuse(e, PERP_E_FORMAT, "Matrix Market holds single matrices, not problems");
}

const perp_format_ops perp_io_matrix_market = {
    .format = PERP_FILE_MATRIX_MARKET,
    .name = "matrix_market",
    .endings = "mtx",
    .recognise = recognise,
    .read = read_problem,
    .write = write_problem,
    .read_vector = read_vector,
};
