/* io/siconos_matrix.c: the matrix section of Siconos' .dat files.
 *
 *     storage rows columns, then   0  dense:  rows columns, values by columns
 *                                  1  blocks: compressed rows of blocks, tables of cumulative sizes
 *                                  2  sparse: CSparse's print of compressed columns or triplets
 *
 * Dense stays dense; blocks that are all 3 x 3 stay blocks and others become compressed columns, as
 * sparse matrices do, in the order the file has. One pass over the text. */
#include "siconos.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- dense ---- */

static bool read_dense(perp_lexer *x, int m, int n, const char *name, perp_matrix *A)
{
    int rows, columns;
    if (!perp_lexer_int(x, m, m, "the rows of a dense matrix again", &rows)) return false;
    if (!perp_lexer_int(x, n, n, "the columns of a dense matrix again", &columns)) return false;
    const double *values = perp_lexer_reals(x, (size_t)m * (size_t)n, false, name);
    if (!values) return false;
    *A = perp_dense(m, n, values);
    return true;
}

/* ---- blocks ---- */

/* Blocks of block row I are first[I] .. first[I + 1] - 1; the sizes are cumulative. */
typedef struct blocks {
    int count, rows, columns, stored; /* stored: block rows that the file has pointers of */
    const int *row_end, *column_end, *first, *column;
} blocks;

static int start_of(const int *end, int k)
{
    return k ? end[k - 1] : 0;
}

static const int *read_ends(perp_lexer *x, int count, int size, const char *what)
{
    const int *end = perp_lexer_ints(x, (size_t)count, 1, size, what);
    for (int k = 0; end && k < count; k++) {
        if (end[k] > start_of(end, k) && (k < count - 1 || end[k] == size)) continue;
        perp_lexer_refuse(x, "expected %s that ascend to %d, found %d at place %d", what, size,
                          end[k], k);
        return NULL;
    }
    if (end && count == 0 && size > 0) {
        perp_lexer_refuse(x, "expected %s that ascend to %d, found none", what, size);
        return NULL;
    }
    return end;
}

/* Pointers of all block rows: the file may leave out empty ones at the end. */
static const int *read_pointers(perp_lexer *x, blocks *b)
{
    int filled1, filled2;
    const int count = b->count;
    if (!perp_lexer_int(x, 1, b->rows + 1, "the number of block row pointers", &filled1) ||
        !perp_lexer_int(x, count, count, "the number of blocks again", &filled2)) {
        return NULL;
    }
    const int *read = perp_lexer_ints(x, (size_t)filled1, 0, count, "the block row pointers");
    int *first =
        read ? perp_lexer_alloc(x, (size_t)b->rows + 1, sizeof *first, "block rows") : NULL;
    if (!first) return NULL;
    b->stored = filled1 - 1;
    for (int k = 0; k <= b->rows; k++) first[k] = k < filled1 ? read[k] : count;
    for (int k = 0; k <= b->rows; k++) {
        if (first[k] >= (k ? first[k - 1] : 0) && (k || !first[0])) continue;
        perp_lexer_refuse(x, "expected block row pointers that ascend from 0, found %d at place %d",
                          first[k], k);
        return NULL;
    }
    if (first[b->rows] == count) return first;
    perp_lexer_refuse(x, "expected block row pointers up to %d, found %d", count, first[b->rows]);
    return NULL;
}

static bool read_tables(perp_lexer *x, int m, int n, blocks *b)
{
    if (!perp_lexer_int(x, 0, m, "the number of block rows", &b->rows)) return false;
    if (!perp_lexer_int(x, 0, n, "the number of block columns", &b->columns)) return false;
    b->row_end = read_ends(x, b->rows, m, "cumulative block row sizes");
    b->column_end =
        b->row_end ? read_ends(x, b->columns, n, "cumulative block column sizes") : NULL;
    b->first = b->column_end ? read_pointers(x, b) : NULL;
    if (!b->first) return false;
    b->column = perp_lexer_ints(x, (size_t)b->count, 0, b->columns - 1, "the block columns");
    return b->column != NULL;
}

static bool is_uniform(const int *end, int count)
{
    for (int k = 0; k < count; k++) {
        if (end[k] != 3 * (k + 1)) return false;
    }
    return true;
}

/* Siconos numbers the blocks and, on reading, does not mind a wrong number; nor do we. */
static bool skip_block_number(perp_lexer *x)
{
    int number;
    return perp_lexer_int(x, INT_MIN, INT_MAX, "the number of the next block", &number);
}

static bool read_three(perp_lexer *x, const blocks *b, const char *name, perp_matrix *A)
{
    size_t count = (size_t)b->count;
    if (!perp_lexer_room(x, 10 * count, name)) return false;
    double *v = perp_lexer_alloc(x, 9 * count, sizeof *v, name);
    for (int k = 0; v && k < b->count; k++) {
        if (!skip_block_number(x)) return false;
        for (int i = 0; i < 9; i++) {
            if (!perp_lexer_real(x, false, "an entry of a block", &v[9 * (size_t)k + (size_t)i])) {
                return false;
            }
        }
    }
    if (v) *A = perp_bsr3(b->rows, b->columns, b->first, b->column, v);
    return v != NULL;
}

/* How many values all blocks have; SIZE_MAX where that is beyond every file. */
static size_t count_values(const blocks *b)
{
    size_t sum = 0;
    for (int row = 0; row < b->rows; row++) {
        size_t height = (size_t)(b->row_end[row] - start_of(b->row_end, row));
        for (int k = b->first[row]; k < b->first[row + 1]; k++) {
            int j = b->column[k];
            sum += height * (size_t)(b->column_end[j] - start_of(b->column_end, j));
            if (sum > INT_MAX) return SIZE_MAX / 2;
        }
    }
    return sum;
}

typedef struct triplets {
    int count, *i, *j;
    double *v;
} triplets;

static bool read_block(perp_lexer *x, const blocks *b, int row, int k, triplets *t)
{
    int j = b->column[k];
    if (!skip_block_number(x)) return false;
    for (int c = start_of(b->column_end, j); c < b->column_end[j]; c++) {
        for (int r = start_of(b->row_end, row); r < b->row_end[row]; r++) {
            double v;
            if (!perp_lexer_real(x, false, "an entry of a block", &v)) return false;
            if (v == 0) continue; /* as when a dense matrix is compressed */
            t->i[t->count] = r;
            t->j[t->count] = c;
            t->v[t->count++] = v;
        }
    }
    return true;
}

static bool read_uneven(perp_lexer *x, int m, int n, const blocks *b, const char *name,
                        perp_matrix *A)
{
    size_t count = count_values(b);
    if (!perp_lexer_room(x, count, name)) return false;
    triplets t = {.i = perp_lexer_alloc(x, count, sizeof *t.i, name)};
    t.j = t.i ? perp_lexer_alloc(x, count, sizeof *t.j, name) : NULL;
    t.v = t.j ? perp_lexer_alloc(x, count, sizeof *t.v, name) : NULL;
    if (!t.v) return false;
    for (int row = 0; row < b->rows; row++) {
        for (int k = b->first[row]; k < b->first[row + 1]; k++) {
            if (!read_block(x, b, row, k, &t)) return false;
        }
    }
    return perp_lexer_compress(x, m, n, t.count, t.i, t.j, t.v, A);
}

/* The file ends the section here, and says nothing of the blocks' sizes. */
static bool no_blocks(perp_lexer *x, int m, int n, perp_matrix *A)
{
    if (m % 3 || n % 3) return perp_lexer_compress(x, m, n, 0, NULL, NULL, NULL, A);
    int *p = perp_lexer_alloc(x, (size_t)m / 3 + 1, sizeof *p, "block rows");
    if (!p) return false;
    memset(p, 0, ((size_t)m / 3 + 1) * sizeof *p);
    *A = perp_bsr3(m / 3, n / 3, p, p, NULL);
    return true;
}

/* *out is what the tables say; without blocks there are none. */
static bool read_blocks(perp_lexer *x, int m, int n, const char *name, perp_matrix *A, blocks *out)
{
    blocks b = {0};
    *out = b;
    if (!perp_lexer_int(x, 0, INT_MAX / 9, "the number of blocks", &b.count)) return false;
    if (b.count == 0) return no_blocks(x, m, n, A);
    if (!read_tables(x, m, n, &b)) return false;
    *out = b;
    bool three = is_uniform(b.row_end, b.rows) && is_uniform(b.column_end, b.columns);
    return three ? read_three(x, &b, name, A) : read_uneven(x, m, n, &b, name, A);
}

/* ---- sparse ---- */

/* The next token must be this word. */
static bool read_word(perp_lexer *x, const char *word)
{
    perp_lexer before = *x;
    size_t length;
    const char *token = perp_lexer_token(x, &length);
    if (length == strlen(word) && memcmp(token, word, length) == 0) return true;
    char what[64];
    snprintf(what, sizeof what, "the word '%.40s'", word);
    *x = before;
    perp_lexer_expected(x, what);
    return false;
}

/* "3-by-4,": the sizes once more. */
static bool read_by(perp_lexer *x, int m, int n)
{
    char word[48];
    snprintf(word, sizeof word, "%d-by-%d,", m, n);
    return read_word(x, word);
}

/* "nzmax: 12 nnz: 10" with `after` behind the second number: a comma, or nothing. */
static bool read_counts(perp_lexer *x, const char *after, int *nnz)
{
    int most;
    size_t length, tail = strlen(after);
    if (!read_word(x, "nzmax:") || !perp_lexer_int(x, 0, INT_MAX, "nzmax", &most) ||
        !read_word(x, "nnz:")) {
        return false;
    }
    perp_lexer before = *x;
    const char *token = perp_lexer_token(x, &length);
    perp_lexer number = *x;
    number.at = token;
    number.end = token + length;
    if (length > tail && memcmp(token + length - tail, after, tail) == 0) number.end -= tail;
    if (perp_lexer_int(&number, 0, most, "nnz", nnz)) return true;
    *x = before;
    return false;
}

static bool read_column_head(perp_lexer *x, int j, int first, int nnz, int *count)
{
    int number, last;
    if (!read_word(x, "col") ||
        !perp_lexer_int(x, j, j, "the number of the next column", &number) || !read_word(x, ":") ||
        !read_word(x, "locations") ||
        !perp_lexer_int(x, first, first, "the first location of the column", &number) ||
        !read_word(x, "to") ||
        !perp_lexer_int(x, first - 1, nnz - 1, "the last location of the column", &last)) {
        return false;
    }
    *count = last + 1 - first;
    return true;
}

static bool read_columns(perp_lexer *x, int m, int n, const char *name, perp_matrix *A)
{
    int nnz, k = 0;
    size_t length;
    if (!read_by(x, m, n) || !read_counts(x, ",", &nnz)) return false;
    perp_lexer_line(x, &length); /* the norm */
    if (!perp_lexer_room(x, 3 * (size_t)nnz, name)) return false;
    int *p = perp_lexer_alloc(x, (size_t)n + 1, sizeof *p, name);
    int *row = p ? perp_lexer_alloc(x, (size_t)nnz, sizeof *row, name) : NULL;
    double *v = row ? perp_lexer_alloc(x, (size_t)nnz, sizeof *v, name) : NULL;
    if (!v) return false;
    p[0] = 0;
    for (int j = 0; j < n; j++) {
        int count;
        if (!read_column_head(x, j, k, nnz, &count)) return false;
        for (p[j + 1] = k + count; k < p[j + 1]; k++) {
            if (!perp_lexer_int(x, 0, m - 1, "a row of the column", &row[k]) ||
                !read_word(x, ":") || !perp_lexer_real(x, false, "an entry", &v[k])) {
                return false;
            }
        }
    }
    if (k < nnz)
        perp_lexer_refuse(x, "expected %d entries of %s, its columns have %d", nnz, name, k);
    *A = perp_csc(m, n, p, row, v);
    return k == nnz;
}

static bool read_triplets(perp_lexer *x, int m, int n, const char *name, perp_matrix *A)
{
    int nnz;
    if (!read_word(x, "triplet:") || !read_by(x, m, n) || !read_counts(x, "", &nnz)) return false;
    if (!perp_lexer_room(x, 4 * (size_t)nnz, name)) return false;
    int *i = perp_lexer_alloc(x, (size_t)nnz, sizeof *i, name);
    int *j = i ? perp_lexer_alloc(x, (size_t)nnz, sizeof *j, name) : NULL;
    double *v = j ? perp_lexer_alloc(x, (size_t)nnz, sizeof *v, name) : NULL;
    for (int k = 0; v && k < nnz; k++) {
        if (!perp_lexer_int(x, 0, m - 1, "the row of a triplet", &i[k]) ||
            !perp_lexer_int(x, 0, n - 1, "the column of a triplet", &j[k]) || !read_word(x, ":") ||
            !perp_lexer_real(x, false, "the value of a triplet", &v[k])) {
            return false;
        }
    }
    return v && perp_lexer_compress(x, m, n, nnz, i, j, v, A);
}

static bool read_sparse(perp_lexer *x, int m, int n, const char *name, perp_matrix *A)
{
    int origin;
    size_t length;
    if (!perp_lexer_int(x, 1, 4, "the origin of a sparse matrix", &origin)) return false;
    if (origin > 2) {
        perp_lexer_refuse(x,
                          "%s is stored as %s (origin %d), expected triplets (1) or compressed "
                          "columns (2)",
                          name, origin == 3 ? "compressed rows" : "half a matrix", origin);
        return false;
    }
    perp_lexer_line(x, &length); /* the rest of the origin's line, then CSparse's banner */
    perp_lexer_line(x, &length);
    return origin == 1 ? read_triplets(x, m, n, name, A) : read_columns(x, m, n, name, A);
}

/* ---- the section ---- */

static bool read_size(perp_lexer *x, int expected, const char *name, const char *what, int *size)
{
    char sentence[64];
    snprintf(sentence, sizeof sentence, "the %s of %s", what, name);
    int min = expected < 0 ? 0 : expected, max = expected < 0 ? INT_MAX : expected;
    if (!perp_lexer_int(x, min, max, sentence, size)) return false;
    /* Each row and column has a number in a vector that follows. */
    return perp_lexer_room(x, (size_t)*size, sentence);
}

bool perp_siconos_matrix(perp_lexer *x, int rows, int columns, const char *name, perp_matrix *A)
{
    int storage, m, n;
    char sentence[64];
    blocks tables;
    snprintf(sentence, sizeof sentence, "the storage of %s", name);
    if (!perp_lexer_int(x, 0, 2, sentence, &storage)) return false;
    if (!read_size(x, rows, name, "rows", &m) || !read_size(x, columns, name, "columns", &n)) {
        return false;
    }
    switch (storage) {
    case 0: return read_dense(x, m, n, name, A);
    case 1: return read_blocks(x, m, n, name, A, &tables);
    default: return read_sparse(x, m, n, name, A);
    }
}

bool perp_siconos_block_matrix(perp_lexer *x, const char *name, perp_matrix *A,
                               siconos_block_rows *rows)
{
    int storage, m, n;
    char sentence[64];
    blocks b = {0};
    snprintf(sentence, sizeof sentence, "the storage of %s, blocks", name);
    if (!perp_lexer_int(x, 1, 1, sentence, &storage)) return false;
    if (!read_size(x, -1, name, "rows", &m) || !read_size(x, m, name, "columns", &n)) return false;
    if (!read_blocks(x, m, n, name, A, &b)) return false;
    *rows = (siconos_block_rows){.count = b.rows, .stored = b.stored, .end = b.row_end};
    return true;
}
