/* io/text_write.c: problems in perp's own text format, which text.c describes.
 * Matrices keep their format and the order of their entries; numbers are the shortest decimals that
 * read back as the same bits. */
#include "text.h"

#include <math.h>
#include <string.h>

/* ---- strings ---- */

/* Quotes, backslashes and what an editor would not show are escaped. */
static void write_string(perp_sink *s, const char *key, const char *text)
{
    perp_sink_text(s, "%s \"", key);
    for (const char *c = text; *c; c++) {
        unsigned char u = (unsigned char)*c;
        if (u == '"' || u == '\\') perp_sink_bytes(s, "\\", 1);
        if ((u < 32 && u != '\n' && u != '\t') || u == 127) {
            perp_sink_text(s, "\\x%02x", u);
        } else {
            perp_sink_bytes(s, c, 1);
        }
    }
    perp_sink_bytes(s, "\"\n", 2);
}

/* ---- vectors ---- */

#define PER_LINE 8 /* numbers of a vector on one line */

static void separate(perp_sink *s, int i)
{
    perp_sink_bytes(s, i && i % PER_LINE == 0 ? "\n " : " ", i && i % PER_LINE == 0 ? 2 : 1);
}

static void write_vector(perp_sink *s, const char *name, int n, const double *x)
{
    perp_sink_bytes(s, name, strlen(name));
    for (int i = 0; i < n; i++) {
        separate(s, i);
        perp_sink_real(s, isnan(x[i]) ? 0 : x[i]); /* a mu that nobody reads may be anything */
    }
    perp_sink_bytes(s, "\n", 1);
}

static void write_index(perp_sink *s, const char *name, int n, const int *x)
{
    perp_sink_bytes(s, name, strlen(name));
    for (int i = 0; i < n; i++) {
        separate(s, i);
        perp_sink_int(s, x[i]);
    }
    perp_sink_bytes(s, "\n", 1);
}

static void write_mask(perp_sink *s, const char *name, int n, const bool *x)
{
    perp_sink_bytes(s, name, strlen(name));
    for (int i = 0; i < n; i++) {
        separate(s, i);
        perp_sink_bytes(s, x[i] ? "1" : "0", 1);
    }
    perp_sink_bytes(s, "\n", 1);
}

/* ---- matrices ---- */

static void write_dense(perp_sink *s, const perp_matrix *A)
{
    size_t ld = (size_t)A->as.dense.ld;
    for (int i = 0; i < A->m; i++) {
        for (int j = 0; j < A->n; j++) {
            perp_sink_bytes(s, " ", 1);
            perp_sink_real(s, A->as.dense.x[(size_t)i + (size_t)j * ld]);
        }
        perp_sink_bytes(s, "\n", 1);
    }
}

static void write_place(perp_sink *s, int i, int j)
{
    perp_sink_bytes(s, " ", 1);
    perp_sink_int(s, i);
    perp_sink_bytes(s, " ", 1);
    perp_sink_int(s, j);
}

static void write_sparse(perp_sink *s, const perp_matrix *A)
{
    for (int j = 0; j < A->n; j++) {
        for (int k = A->as.csc.p[j]; k < A->as.csc.p[j + 1]; k++) {
            write_place(s, A->as.csc.i[k], j);
            perp_sink_bytes(s, " ", 1);
            perp_sink_real(s, A->as.csc.x[k]);
            perp_sink_bytes(s, "\n", 1);
        }
    }
}

static void write_blocks(perp_sink *s, const perp_matrix *A)
{
    for (int i = 0; i < A->m / 3; i++) {
        for (int k = A->as.bsr3.p[i]; k < A->as.bsr3.p[i + 1]; k++) {
            const double *block = A->as.bsr3.x + 9 * (size_t)k;
            write_place(s, i, A->as.bsr3.j[k]);
            for (int e = 0; e < 9; e++) { /* by rows, as one reads */
                perp_sink_bytes(s, e % 3 ? " " : "  ", e % 3 ? 1 : 2);
                perp_sink_real(s, block[e / 3 + e % 3 * 3]);
            }
            perp_sink_bytes(s, "\n", 1);
        }
    }
}

static void write_matrix(perp_sink *s, const char *name, const perp_matrix *A)
{
    switch (A->format) {
    case PERP_FORMAT_DENSE:
        perp_sink_text(s, "%s dense %d %d\n", name, A->m, A->n);
        write_dense(s, A);
        break;
    case PERP_FORMAT_CSC:
        perp_sink_text(s, "%s sparse %d %d\n", name, A->m, A->n);
        write_sparse(s, A);
        break;
    case PERP_FORMAT_BSR3:
        perp_sink_text(s, "%s blocks %d %d\n", name, A->m, A->n);
        write_blocks(s, A);
        break;
    default: break; /* absent: not written either */
    }
}

/* ---- the file ---- */

static void write_field(perp_sink *s, const perp_problem *p, const perp_field *field)
{
    const char *name = field->name;
    int n = perp_size_get(p, field->rows);
    switch (field->type) {
    case PERP_FIELD_MATRIX: write_matrix(s, name, perp_field_matrix(field, p)); break;
    case PERP_FIELD_INDEX:
        if (perp_field_ints(field, p)) write_index(s, name, n, perp_field_ints(field, p));
        break;
    case PERP_FIELD_MASK:
        if (perp_field_flags(field, p)) write_mask(s, name, n, perp_field_flags(field, p));
        break;
    case PERP_FIELD_VECTOR:
    case PERP_FIELD_BOUND:
        if (perp_field_reals(field, p)) write_vector(s, name, n, perp_field_reals(field, p));
        break;
    }
}

perp_status perp_text_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e)
{
    (void)a, (void)e;
    const perp_problem *p = &file->problem;
    int size = perp_size(p);
    perp_sink_text(s, "perp 1 %s\n", perp_kind_name(p->kind));
    if (file->title) write_string(s, "title", file->title);
    if (file->description) write_string(s, "description", file->description);
    for (const perp_field *f = perp_kind_ops_of(p->kind)->fields; f->name; f++) {
        if (perp_field_applies(f, p)) write_field(s, p, f);
    }
    if (file->constant != 0 || signbit(file->constant))
        write_vector(s, "constant", 1, &file->constant);
    if (file->solution) write_vector(s, "solution", size, file->solution);
    for (int k = 0; k < file->guesses; k++) write_vector(s, "guess", size, file->guess[k]);
    perp_sink_text(s, "end\n");
    return PERP_SOLVED;
}
