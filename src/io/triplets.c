/* io/triplets.c: entries in any order to compressed columns or rows.
 * A counting sort that keeps the order among equals, and, for columns without duplicates, core's
 * sort behind it; linear in entries and sizes. */
#include "io.h"

#include <limits.h>
#include <string.h>

static bool ascends(int count, const int *key)
{
    for (int k = 1; k < count; k++) {
        if (key[k - 1] > key[k]) return false;
    }
    return true;
}

/* p[k] .. p[k + 1] - 1 are the places of key k; keys are below n. */
static int *find_places(perp_lexer *x, int n, int count, const int *key)
{
    int *p = perp_lexer_alloc(x, (size_t)n + 1, sizeof *p, "the columns");
    if (!p) return NULL;
    memset(p, 0, ((size_t)n + 1) * sizeof *p);
    for (int k = 0; k < count; k++) p[key[k] + 1]++;
    for (int k = 0; k < n; k++) p[k + 1] += p[k];
    return p;
}

bool perp_lexer_group(perp_lexer *x, int n, int count, const int *key, int width, int **other,
                      double **values, int **p)
{
    size_t size = (size_t)width * sizeof **values;
    *p = find_places(x, n, count, key);
    if (!*p || ascends(count, key)) return *p != NULL;
    int *to_other = perp_lexer_alloc(x, (size_t)count, sizeof *to_other, "the entries");
    double *to_values = to_other ? perp_lexer_alloc(x, (size_t)count, size, "the entries") : NULL;
    int *next = to_values ? perp_lexer_alloc(x, (size_t)n + 1, sizeof *next, "the columns") : NULL;
    if (!next) return false;
    memcpy(next, *p, ((size_t)n + 1) * sizeof *next);
    for (int k = 0; k < count; k++) {
        int to = next[key[k]]++;
        to_other[to] = (*other)[k];
        memcpy(to_values + (size_t)to * (size_t)width, *values + (size_t)k * (size_t)width, size);
    }
    *other = to_other;
    *values = to_values;
    return true;
}

bool perp_lexer_compress(perp_lexer *x, int m, int n, int nz, int *i, const int *j, double *v,
                         perp_matrix *out)
{
    int *p;
    /* Sorting takes memory for each row and column, with entries or without. */
    if (!perp_lexer_size(x, m, "the rows") || !perp_lexer_size(x, n, "the columns")) return false;
    for (int k = 0; k < nz; k++) {
        if (i[k] >= 0 && i[k] < m && j[k] >= 0 && j[k] < n) continue;
        perp_lexer_refuse(x, "entry (%d, %d) is outside a %d x %d matrix", i[k], j[k], m, n);
        return false;
    }
    if (!perp_lexer_group(x, n, nz, j, 1, &i, &v, &p)) return false;
    perp_matrix stored = perp_csc(m, n, p, i, v);
    if (!perp_sort_csc(&stored, x->arena, out)) return true;
    perp_lexer_refuse(x, "no memory to sort %d entries", nz);
    return false;
}

perp_status perp_io_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    perp_matrix csc;
    perp_status status = perp_convert(A, PERP_FORMAT_CSC, a, &csc, e);
    if (status) return status;
    status = perp_sort_csc(&csc, a, out);
    return status ? perp_refuse(e, status, "no memory to sort a matrix") : status;
}

static void list_dense(const perp_matrix *A, int *p, int *row, double *x)
{
    for (int j = 0; j < A->n; j++) {
        const double *column = A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld;
        for (int i = 0; i < A->m; i++) {
            row[p[j] + i] = i;
            x[p[j] + i] = column[i];
        }
        p[j + 1] = p[j] + A->m;
    }
}

/* p[j + 2] counts column j; then p[j + 1] is where its next entry goes. */
static void list_blocks(const perp_matrix *A, int *p, int *row, double *x)
{
    const struct perp_bsr3_view *v = &A->as.bsr3;
    for (int k = 0; k < v->p[A->m / 3]; k++) {
        for (int c = 0; c < 3; c++) p[3 * v->j[k] + c + 2] += 3;
    }
    for (int j = 0; j < A->n; j++) p[j + 2] += p[j + 1];
    for (int ib = 0; ib < A->m / 3; ib++) {
        for (int k = v->p[ib]; k < v->p[ib + 1]; k++) {
            for (int t = 0; t < 9; t++) {
                int to = p[3 * v->j[k] + t / 3 + 1]++;
                row[to] = 3 * ib + t % 3;
                x[to] = v->x[9 * (size_t)k + (size_t)t];
            }
        }
    }
}

perp_status perp_io_entries(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    bool dense = A->format == PERP_FORMAT_DENSE;
    if (!dense && A->format != PERP_FORMAT_BSR3) return perp_io_csc(A, a, out, e);
    size_t blocks = dense ? 0 : (size_t)A->as.bsr3.p[A->m / 3];
    size_t count = dense ? (size_t)A->m * (size_t)A->n : 9 * blocks;
    if (count > INT_MAX) return perp_io_csc(A, a, out, e); /* too many with the zeros */
    int *p = perp_alloc(a, (size_t)A->n + 2, sizeof *p);
    int *row = perp_alloc_unset(a, count, sizeof *row);
    double *x = perp_alloc_unset(a, count, sizeof *x);
    if (a->failed) return perp_refuse(e, PERP_E_MEMORY, "no memory for the entries of a matrix");
    (dense ? list_dense : list_blocks)(A, p, row, x);
    perp_matrix stored = perp_csc(A->m, A->n, p, row, x);
    perp_status status = perp_sort_csc(&stored, a, out);
    return status ? perp_refuse(e, status, "no memory to sort a matrix") : status;
}
