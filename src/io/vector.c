/* io/vector.c: a vector alone, as solutions are kept: numbers and white space, "#" starts a
 * remark. Where a format has vectors of its own, its reader is asked. */
#include "io.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* How many tokens there are. */
static size_t count_tokens(perp_lexer look)
{
    size_t count = 0, length;
    perp_lexer_token(&look, &length);
    while (length > 0) {
        count++;
        perp_lexer_token(&look, &length);
    }
    return count;
}

static perp_status read_numbers(perp_lexer *x, int *n, const double **v)
{
    x->comments = true;
    size_t count = count_tokens(*x);
    if (count > INT_MAX) return perp_lexer_refuse(x, "%zu numbers are too many", count);
    const double *values = perp_lexer_reals(x, count, x->infinities, "the vector");
    if (!values) return x->error->status;
    *n = (int)count;
    *v = values;
    return PERP_SOLVED;
}

/* Of the residuals by which the vector was judged, from the remark that perp_write_vector begins
 * with; 0: there is none. A 0 is behind the last byte. */
static int find_version(const char *bytes)
{
    size_t known = strlen(PERP_VECTOR_REMARK);
    if (strncmp(bytes, PERP_VECTOR_REMARK, known) != 0) return 0;
    long version = strtol(bytes + known, NULL, 10);
    return version > 0 && version < INT_MAX ? (int)version : 0;
}

static perp_status read_vector(const char *path, bool infinities, perp_arena *a, perp_arena *own,
                               int *n, const double **v, int *version, perp_error *e)
{
    const char *bytes;
    size_t length;
    perp_status status = perp_read_whole(path, 0, NULL, own, &bytes, &length, e);
    if (status) return status;
    if (version) *version = find_version(bytes);
    perp_lexer x = {.at = bytes,
                    .end = bytes + length,
                    .line = 1,
                    .length = length,
                    .budget = PERP_FILE_LIMIT,
                    .limit = PERP_FILE_LIMIT,
                    .infinities = infinities,
                    .arena = a,
                    .error = e};
    const perp_format_ops *f = perp_recognise(bytes, length);
    return f && f->read_vector ? f->read_vector(&x, n, v) : read_numbers(&x, n, v);
}

perp_status perp_read_vector(const char *path, bool infinities, perp_arena *a, int *n,
                             const double **v, int *version, perp_error *error)
{
    perp_error local, *e = error ? error : &local;
    if (!path || !a || !n || !v || a->failed) {
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "path, arena, n and x must not be NULL, and the "
                           "arena must not have failed");
    }
    perp_arena own = {.resize = a->resize, .ctx = a->ctx};
    perp_mark mark = perp_arena_mark(a);
    perp_status status = read_vector(path, infinities, a, &own, n, v, version, e);
    if (status) perp_arena_release(a, mark);
    perp_arena_free(&own);
    return status;
}

perp_status perp_load_vector(const char *path, perp_arena *a, int *n, const double **v,
                             perp_error *error)
{
    return perp_read_vector(path, false, a, n, v, NULL, error);
}

perp_status perp_write_vector(const char *path, const char *verdict, int n, const double *v,
                              perp_error *error)
{
    perp_error local, *e = error ? error : &local;
    if (!path || n < 0 || (n && !v)) {
        return perp_refuse(e, PERP_E_ARGUMENT, "path and x must not be NULL, n not below 0");
    }
    perp_status status = perp_check_vector(v, n, "x", true, e);
    if (status) return status;
    perp_arena a = {0};
    perp_sink *s = perp_sink_open(path, &a, e);
    if (s && verdict) {
        perp_sink_text(s, PERP_VECTOR_REMARK "%d, %s\n", PERP_RESIDUAL_VERSION, verdict);
    }
    for (int i = 0; s && i < n; i++) {
        perp_sink_real(s, v[i]);
        perp_sink_bytes(s, "\n", 1);
    }
    status = s ? perp_sink_close(s, true) : e->status;
    perp_arena_free(&a);
    return status;
}

perp_status perp_save_vector(const char *path, int n, const double *v, perp_error *error)
{
    return perp_write_vector(path, NULL, n, v, error);
}
