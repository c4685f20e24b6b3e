/* io/formats.c: the table of formats, and the calls that read and write files.
 *
 * A reader is chosen by what the file begins with. Whatever it returns is validated as any problem
 * is before the caller sees it, and a refusal leaves the arena as it was. */
#include "io.h"
#include "siconos.h"

#include "base/format.h"
#include "base/vector.h"

#include <stdint.h>
#include <string.h>

/* In the order they are asked; Siconos' files begin with nothing but a number and come last. */
static const perp_format_ops *const formats[] = {&perp_io_fclib, &perp_io_matrix_market,
                                                 &perp_io_qps, &perp_io_text, &perp_io_siconos};
#define FORMATS (sizeof formats / sizeof *formats)

#define UNKNOWN                                                                                    \
    "the file begins like none of the formats that perp reads: its text ('perp 1 lcp'), Siconos' " \
    ".dat, FCLIB's HDF5, QPS, Matrix Market"

static const perp_format_ops *find_format(perp_file_format format)
{
    for (size_t k = 0; k < FORMATS; k++) {
        if (formats[k]->format == format) return formats[k];
    }
    return NULL;
}

const char *perp_file_format_name(perp_file_format format)
{
    const perp_format_ops *f = find_format(format);
    return f ? f->name : NULL;
}

static bool holds(const perp_format_ops *f, perp_kind kind)
{
    return (unsigned)kind < PERP_KINDS && f->kinds >> kind & 1;
}

bool perp_file_format_holds(perp_file_format format, perp_kind kind)
{
    const perp_format_ops *f = find_format(format);
    return f && holds(f, kind);
}

const perp_format_ops *perp_recognise(const char *bytes, size_t length)
{
    for (size_t k = 0; k < FORMATS; k++) {
        if (formats[k]->recognise(bytes, length)) return formats[k];
    }
    return NULL;
}

/* ---- reading ---- */

static const perp_format_ops *choose_reader(const perp_load_options *o, perp_lexer *x)
{
    const perp_format_ops *f = NULL;
    if (o->has_kind && (unsigned)o->kind >= PERP_KINDS) {
        perp_refuse(x->error, PERP_E_ARGUMENT, "there is no kind %d", (int)o->kind);
        return NULL;
    }
    if (o->layout && !perp_siconos_layout_of(o->layout)) {
        perp_siconos_refuse_layout(o->layout, x->error);
        return NULL;
    }
    if (o->format != PERP_FILE_ANY) {
        f = find_format(o->format);
        if (!f) perp_refuse(x->error, PERP_E_ARGUMENT, "there is no format %d", (int)o->format);
        if (!f) return NULL;
    }
    if (x->at == x->end) {
        perp_lexer_refuse(x, "the file is empty");
        return NULL;
    }
    if (!f) f = perp_recognise(x->at, x->length);
    if (!f) perp_lexer_refuse(x, UNKNOWN);
    if (f && o->layout && f->format != PERP_FILE_SICONOS) {
        perp_refuse(
            x->error, PERP_E_ARGUMENT,
            "the layout '%.16s' is of Siconos' .dat files, and this file is of the format %s",
            o->layout, f->name);
        return NULL;
    }
    return f;
}

/* Some editors put a byte order mark before a text; it says nothing. */
static size_t mark_length(const char *bytes, size_t length)
{
    return length >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

/* For a file of which more is to come. */
static perp_status look_at_start(const char *bytes, size_t length, perp_error *e)
{
    perp_status status = perp_refuse_pointer(bytes, length, e);
    if (status) return status;
    size_t mark = mark_length(bytes, length);
    if (perp_recognise(bytes + mark, length - mark)) return PERP_SOLVED;
    perp_refuse(e, PERP_E_FILE, UNKNOWN);
    e->line = 1;
    return e->status;
}

static const char *copy_name(const char *name, perp_lexer *x)
{
    size_t length = strlen(name) + 1;
    char *copy = perp_lexer_alloc(x, length, 1, "the name");
    return copy ? memcpy(copy, name, length) : NULL;
}

/* A stored solution or guess belongs to a problem of that size, which only now is known. */
static perp_status check_vectors(const perp_file *file, perp_error *e)
{
    int n = perp_size(&file->problem);
    perp_status status = perp_check_vector(file->solution, n, "solution", true, e);
    for (int k = 0; k < file->guesses && !status; k++) {
        status = perp_check_vector(file->guess[k], n, "guess", false, e);
    }
    if (!status && !vector_is_finite(1, &file->constant)) {
        status = perp_refuse(e, PERP_E_NUMBER, "the constant is not finite");
    }
    return status;
}

/* What is NULL in a caller's problem is missing in a file. */
static void say_missing(perp_error *e)
{
    static const char null[] = " is NULL, ";
    perp_error said = *e;
    const char *at = strstr(said.text, null);
    if (!at) return;
    perp_refuse(e, said.status, "%.*s is missing, %s", (int)(at - said.text), said.text,
                at + strlen(null));
}

static perp_status check_file(const perp_file *file, perp_error *e)
{
    perp_status status = perp_validate(&file->problem, e);
    if (status) say_missing(e);
    return status ? status : check_vectors(file, e);
}

static perp_status read_with(const perp_format_ops *f, const char *name, const perp_load_options *o,
                             perp_lexer *x, perp_file *file)
{
    perp_status status = f->read(x, o, file);
    if (status) return status;
    if (o->has_kind && file->problem.kind != o->kind) {
        return perp_lexer_refuse(x, "the file holds a problem of kind %s, and %s was asked for",
                                 perp_kind_name(file->problem.kind), perp_kind_name(o->kind));
    }
    file->format = f->format;
    if (name) file->problem.name = copy_name(name, x);
    if (name && !file->problem.name) return x->error->status;
    /* What is wrong with the whole problem is the file's fault too. */
    if (check_file(file, x->error)) return x->error->status = PERP_E_FILE;
    return PERP_SOLVED;
}

/* bytes[length] is 0. */
static perp_status load_whole(const char *bytes, size_t length, const char *name,
                              const perp_load_options *o, perp_arena *a, perp_file *file,
                              perp_error *e)
{
    size_t limit = o->max_bytes ? o->max_bytes : PERP_FILE_LIMIT;
    size_t skipped = mark_length(bytes, length);
    perp_lexer x = {.at = bytes + skipped,
                    .end = bytes + length,
                    .line = 1,
                    .length = length - skipped,
                    .budget = limit,
                    .limit = limit,
                    .arena = a,
                    .error = e};
    perp_file read = {0};
    perp_mark mark = perp_arena_mark(a);
    const perp_format_ops *f = choose_reader(o, &x);
    perp_status status = f ? read_with(f, name, o, &x, &read) : e->status;
    if (status) {
        perp_arena_release(a, mark);
        return status;
    }
    *file = read;
    return PERP_SOLVED;
}

static const perp_load_options found = {.format = PERP_FILE_ANY};

perp_status perp_load_memory(const void *bytes, size_t length, const char *name,
                             const perp_load_options *o, perp_arena *a, perp_file *file,
                             perp_error *error)
{
    perp_error local, *e = error ? error : &local;
    if (!a || !file || (length && !bytes) || a->failed) {
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "bytes, arena and file must not be NULL, and the "
                           "arena must not have failed");
    }
    perp_arena own = {.resize = a->resize, .ctx = a->ctx};
    char *copy = length < SIZE_MAX ? perp_alloc_unset(&own, length + 1, 1) : NULL;
    perp_status status = PERP_E_MEMORY;
    if (copy) {
        if (length) memcpy(copy, bytes, length);
        copy[length] = '\0';
        status = perp_refuse_pointer(copy, length, e);
        if (!status) status = load_whole(copy, length, name, o ? o : &found, a, file, e);
    } else {
        perp_refuse(e, PERP_E_MEMORY, "no memory for a file of %zu bytes", length);
    }
    perp_arena_free(&own);
    return status;
}

perp_status perp_load_file(const char *path, const perp_load_options *o, perp_arena *a,
                           perp_file *file, perp_error *error)
{
    perp_error local, *e = error ? error : &local;
    if (!path || !a || !file || a->failed) {
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "path, arena and file must not be NULL, and the "
                           "arena must not have failed");
    }
    if (!o) o = &found;
    perp_arena own = {.resize = a->resize, .ctx = a->ctx};
    const char *bytes, *slash = strrchr(path, '/');
    size_t length;
    perp_look *look = o->format == PERP_FILE_ANY ? look_at_start : NULL;
    perp_status status = perp_read_whole(path, o->max_bytes, look, &own, &bytes, &length, e);
    if (!status) status = load_whole(bytes, length, slash ? slash + 1 : path, o, a, file, e);
    perp_arena_free(&own);
    return status;
}

perp_status perp_load(const char *path, perp_arena *a, perp_problem *p, perp_error *error)
{
    perp_file file;
    if (!p) return perp_refuse(error, PERP_E_ARGUMENT, "the problem must not be NULL");
    perp_status status = perp_load_file(path, NULL, a, &file, error);
    if (!status) *p = file.problem;
    return status;
}

/* ---- writing ---- */

/* Is `ending` one of "hdf5|h5"? Capitals count as small letters: CVXQP1_S.QPS. */
static bool is_ending(const char *endings, const char *ending)
{
    size_t length = strlen(ending);
    for (const char *s = endings; s; s = strchr(s, '|') ? strchr(s, '|') + 1 : NULL) {
        size_t k = 0;
        while (k < length && (ending[k] | 32) == (s[k] | 32)) k++;
        if (k == length && (s[k] == '|' || s[k] == '\0')) return true;
    }
    return false;
}

static const perp_format_ops *choose_writer(const char *path, perp_file_format format,
                                            perp_error *e)
{
    const perp_format_ops *f = NULL;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (format != PERP_FILE_ANY) {
        f = find_format(format);
        if (!f) perp_refuse(e, PERP_E_ARGUMENT, "there is no format %d", (int)format);
        return f;
    }
    for (size_t k = 0; dot && dot[1] && k < FORMATS && !f; k++) {
        if (is_ending(formats[k]->endings, dot + 1)) f = formats[k];
    }
    if (!f) {
        perp_refuse(e, PERP_E_ARGUMENT, "the name's ending '%.20s' is no format that perp writes",
                    dot ? dot : "");
    }
    return f;
}

/* Operators and callbacks are code: no file holds them. */
static perp_status refuse_code(const perp_problem *p, perp_error *e)
{
    perp_problem copy = perp_complete(p);
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    int count = perp_kind_matrices(&copy, list, field);
    for (int k = 0; k < count; k++) {
        if (!perp_has_entries(list[k])) {
            return perp_refuse(e, PERP_E_FORMAT,
                               "a matrix that is an operator has no data to save");
        }
    }
    const perp_map *F = perp_kind_map(p);
    if (F && F->eval) {
        return perp_refuse(e, PERP_E_FORMAT, "a map that is a callback has no data to save");
    }
    return PERP_SOLVED;
}

static perp_status save_to(const char *path, const perp_format_ops *f, const perp_file *file,
                           perp_error *e)
{
    perp_arena a = {0};
    perp_file stored = *file;
    perp_status status = perp_by_columns(&stored.problem, &a, e);
    perp_sink *s = status ? NULL : perp_sink_open(path, &a, e);
    if (!status) status = s ? f->write(s, &stored, &a, e) : e->status;
    if (s) {
        perp_status closed = perp_sink_close(s, status == PERP_SOLVED);
        if (!status) status = closed;
    }
    perp_arena_free(&a);
    return status;
}

perp_status perp_save_file(const char *path, const perp_file *file, perp_error *error)
{
    perp_error local, *e = error ? error : &local;
    if (!path || !file) {
        return perp_refuse(e, PERP_E_ARGUMENT, "path and file must not be NULL");
    }
    perp_status status = check_file(file, e);
    if (!status) status = refuse_code(&file->problem, e);
    if (status) return status;
    const perp_format_ops *f = choose_writer(path, file->format, e);
    if (!f) return e->status;
    if (!holds(f, file->problem.kind)) {
        return perp_refuse(e, PERP_E_FORMAT, "the format %s cannot hold a problem of kind %s",
                           f->name, perp_kind_name(file->problem.kind));
    }
    return save_to(path, f, file, e);
}

perp_status perp_save(const char *path, perp_file_format format, const perp_problem *p,
                      perp_error *error)
{
    if (!p) return perp_refuse(error, PERP_E_ARGUMENT, "the problem must not be NULL");
    const perp_file file = {.format = format, .problem = *p};
    return perp_save_file(path, &file, error);
}
