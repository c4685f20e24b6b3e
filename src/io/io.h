/* io/io.h: what the readers and writers share.
 *
 * A reader gets the whole file in memory and returns a perp_file in the arena; a writer prints to a
 * perp_sink. A format is one file and one row of the table in formats.c. Nothing is allocated
 * before the bytes that would fill it have been seen to be there or their number is below the
 * limit. */
#ifndef PERP_IO_INTERNAL_H
#define PERP_IO_INTERNAL_H

#include "core/internal.h"
#include "perp/io.h"

#include <stdint.h>

/* Bytes that a file with a size, and the problem in it, have at most where the caller sets no
 * limit: 16 GiB, or a quarter of what can be addressed. */
#define PERP_FILE_LIMIT                                                                            \
    ((size_t)(SIZE_MAX / 4 < UINT64_C(16) << 30 ? SIZE_MAX / 4 : UINT64_C(16) << 30))

/* Bytes of what has no size before its end: standard input, a pipe, a device. A problem of 256 MiB
 * of text has ten million numbers; what is larger is saved as a file first, or the caller sets
 * max_bytes. An endless stream thus ends within a second, in half a gigabyte. */
#define PERP_STREAM_LIMIT ((size_t)1 << 28)

/* ---- reading (lexer.c) ---- */

typedef struct perp_lexer {
    const char *at, *end; /* what is left; the byte at `end` may be read and is 0 */
    int line;             /* of `at`, from 1 */
    size_t budget;        /* bytes the problem may still ask for */
    size_t limit;         /* what the budget was, for the sentence */
    size_t length;        /* of the whole file */
    bool comments;        /* "#" starts one, up to the end of the line */
    bool infinities;      /* a vector alone may have them, as bounds do */
    perp_arena *arena;
    perp_error *error; /* never NULL inside */
} perp_lexer;

/* Refuse at the lexer's line, which goes to error.line; the text has neither line nor file, and
 * whoever shows it puts "FILE:LINE: text" together. Always PERP_E_FILE, or PERP_E_MEMORY once the
 * arena has failed. */
perp_status perp_lexer_refuse(perp_lexer *x, const char *format, ...) PERP_PRINTF(2, 3);
/* Refuse because `what` was expected: the sentence has the next token, or that the file ends. */
perp_status perp_lexer_expected(perp_lexer *x, const char *what);
/* Up to the next token or the end of the file; false: the end. */
bool perp_lexer_skip(perp_lexer *x);
/* The next token, skipping white space; length 0 at the end of the file. */
const char *perp_lexer_token(perp_lexer *x, size_t *length);
/* Numbers, independent of the locale. `what` names the expected thing: "mu of contact 3". False:
 * refused, with the token in the sentence. Reals must be finite unless `any`, which lets
 * infinities pass, and NaN never is one. */
bool perp_lexer_int(perp_lexer *x, int min, int max, const char *what, int *value);
bool perp_lexer_real(perp_lexer *x, bool any, const char *what, double *value);
/* Can the rest of the file hold that many numbers, of two bytes each? Refused where not: ask before
 * anything of that size is allocated. */
bool perp_lexer_room(perp_lexer *x, size_t count, const char *what);
/* Is a size plausible that a few characters can claim, as that of a matrix without entries? Refused
 * where it is larger than the file's length plus a million. */
bool perp_lexer_size(perp_lexer *x, int size, const char *what);
/* count numbers into the arena, after asking for room. NULL: refused. */
double *perp_lexer_reals(perp_lexer *x, size_t count, bool any, const char *what);
int *perp_lexer_ints(perp_lexer *x, size_t count, int min, int max, const char *what);
/* Memory under the budget; NULL: refused. */
void *perp_lexer_alloc(perp_lexer *x, size_t count, size_t size, const char *what);
/* The rest of the line without its end, and on to the next; NULL at the end of the file. */
const char *perp_lexer_line(perp_lexer *x, size_t *length);

/* ---- writing (sink.c) ---- */

/* Buffered output into "path.PID-K.tmp" beside the target; close renames it or, after any failure,
 * removes it. Standard output ("-"), pipes and devices are written to as they are. NULL: refused.
 */
typedef struct perp_sink perp_sink;
perp_sink *perp_sink_open(const char *path, perp_arena *a, perp_error *error);
void perp_sink_bytes(perp_sink *s, const char *bytes, size_t length);
void perp_sink_text(perp_sink *s, const char *format, ...) PERP_PRINTF(2, 3); /* no %g in it */
void perp_sink_real(perp_sink *s, double x);
void perp_sink_int(perp_sink *s, int x);
perp_status perp_sink_close(perp_sink *s, bool keep); /* refusals so far come out here */

/* ---- formats (formats.c): one row each ---- */

typedef struct perp_format_ops {
    perp_file_format format;
    const char *name;
    const char *endings; /* "hdf5|h5" */
    unsigned kinds;      /* bits 1 << perp_kind that it can hold */
    /* Does the content look like it? Cheap, on the first bytes. */
    bool (*recognise)(const char *bytes, size_t length);
    perp_status (*read)(perp_lexer *x, const perp_load_options *o, perp_file *file);
    /* Validated problems of the kinds above, without operators and callbacks. */
    perp_status (*write)(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e);
    /* A vector alone; NULL: the format has none. */
    perp_status (*read_vector)(perp_lexer *x, int *n, const double **v);
} perp_format_ops;

extern const perp_format_ops perp_io_text, perp_io_siconos, perp_io_fclib, perp_io_qps,
    perp_io_matrix_market;

/* The format whose files begin like that; NULL: none. */
const perp_format_ops *perp_recognise(const char *bytes, size_t length);

/* Can a file begin like that? Asked once more than a megabyte is there, before the rest is read.
 * The byte behind the last is 0. */
typedef perp_status perp_look(const char *bytes, size_t length, perp_error *error);

/* What a vector's file begins with that tells the version of the residuals it was judged by. */
#define PERP_VECTOR_REMARK "# perp: residual version "

/* perp_load_vector; with infinities, where they may be. *version is that of the file's remark, or
 * 0; NULL: it is not asked for. (vector.c) */
perp_status perp_read_vector(const char *path, bool infinities, perp_arena *a, int *n,
                             const double **v, int *version, perp_error *error);
/* perp_save_vector, below a remark with PERP_RESIDUAL_VERSION and the verdict; NULL: none. */
perp_status perp_write_vector(const char *path, const char *verdict, int n, const double *v,
                              perp_error *error);

/* A whole file in memory of its own (source.c), a 0 behind it; "-" is standard input. Refused when
 * longer than `most` (0: PERP_FILE_LIMIT or PERP_STREAM_LIMIT, by what it is), where `look`, which
 * may be NULL, refuses its beginning, and when it is a pointer of Git LFS. */
perp_status perp_read_whole(const char *path, size_t most, perp_look *look, perp_arena *a,
                            const char **bytes, size_t *length, perp_error *error);

/* PERP_SOLVED: this is no pointer file, which Git LFS leaves where a file was not fetched. */
perp_status perp_refuse_pointer(const char *bytes, size_t length, perp_error *e);

/* Triplets to CSC with sorted columns, duplicates summed (triplets.c); i and v may become part of
 * it. False: refused. */
bool perp_lexer_compress(perp_lexer *x, int m, int n, int nz, int *i, const int *j, double *v,
                         perp_matrix *out);
/* Entries (key, other, `width` values) grouped by key, in the order they have, duplicates kept: key
 * k has the places p[k] .. p[k + 1] - 1. Keys are in 0 .. n - 1. Where they ascend, other and
 * values stay as they are, otherwise they are replaced by copies. */
bool perp_lexer_group(perp_lexer *x, int n, int count, const int *key, int width, int **other,
                      double **values, int **p);
/* Any matrix but an operator, sorted like that, for writers; A may be out. */
perp_status perp_io_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e);
/* The same with the zeros that a dense or block matrix stores, unless they are too many to count.
 */
perp_status perp_io_entries(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e);

#endif
