/* base/convert.c: the same matrix in another format, in the arena.
 * Every conversion counts, turns counts into pointers, and fills: linear in the entries and the
 * sizes, sorted output, duplicates summed in the order they are stored. Exact zeros of a dense or
 * block matrix are left out; the pattern of a CSC matrix is kept. Results are allocated first and
 * work space above them, so that the work space alone can be given back. */
#include "convert.h"

#include "cache.h"
#include "error.h"
#include "format.h"

#include <limits.h>

bool perp_accumulate(int n, int *p)
{
    for (int k = 0; k < n; k++) {
        if (p[k + 1] > INT_MAX - p[k]) return false;
        p[k + 1] += p[k];
    }
    return true;
}

perp_status perp_convert_no_memory(const perp_matrix *A, perp_error *e)
{
    return perp_refuse(e, PERP_E_MEMORY, "the arena has no room to convert a %d x %d matrix", A->m,
                       A->n);
}

perp_status perp_convert_no_index(const perp_matrix *A, perp_error *e)
{
    return perp_refuse(e, PERP_E_FORMAT, "a %d x %d matrix has too many entries for int indices",
                       A->m, A->n);
}

/* ---- sorting ---- */

static bool is_canonical(const perp_matrix *A)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j] + 1; k < v->p[j + 1]; k++) {
            if (v->i[k - 1] >= v->i[k]) return false;
        }
    }
    return true;
}

/* Entries by row: column[k] and source[k], the place in A; next has length m + 1 and ends as the
 * rows' ends. Columns ascend within a row, and duplicates keep their order. */
static void list_rows(const perp_matrix *A, int *next, int *column, int *source)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int k = 0; k < v->p[A->n]; k++) next[v->i[k] + 1]++;
    for (int i = 0; i < A->m; i++) next[i + 1] += next[i];
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int to = next[v->i[k]]++;
            column[to] = j;
            source[to] = k;
        }
    }
}

/* Walk the rows in order and append each entry to its column, which sorts every column; an entry
 * in the row its column ends with is a duplicate. */
static void fill_sorted(const perp_matrix *A, const int *end, const int *column, const int *source,
                        int *length, int *row, double *x)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int i = 0, k = 0; i < A->m; i++) {
        for (; k < end[i]; k++) {
            int j = column[k], start = v->p[j], last = start + length[j] - 1;
            if (last >= start && row[last] == i) {
                x[last] += v->x[source[k]];
            } else {
                row[last + 1] = i;
                x[last + 1] = v->x[source[k]];
                length[j]++;
            }
        }
    }
}

/* Close the gaps that summed duplicates left: columns still start where they do in A. */
static void pack(const perp_matrix *A, const int *length, int *p, int *row, double *x)
{
    int to = 0;
    for (int j = 0; j < A->n; j++) {
        int from = A->as.csc.p[j];
        for (int k = 0; k < length[j]; k++, to++) {
            row[to] = row[from + k];
            x[to] = x[from + k];
        }
        p[j + 1] = to;
    }
}

perp_status perp_sort_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out)
{
    if (A->format != PERP_FORMAT_CSC) return PERP_E_FORMAT;
    if (is_canonical(A)) {
        *out = *A;
        return PERP_SOLVED;
    }
    size_t count = (size_t)A->as.csc.p[A->n];
    int *p = perp_alloc(a, (size_t)A->n + 1, sizeof *p);
    int *row = perp_alloc_unset(a, count, sizeof *row);
    double *x = perp_alloc_unset(a, count, sizeof *x);
    perp_mark mark = perp_arena_mark(a);
    int *next = perp_alloc(a, (size_t)A->m + 1, sizeof *next);
    int *length = perp_alloc(a, (size_t)A->n, sizeof *length);
    int *column = perp_alloc_unset(a, count, sizeof *column);
    int *source = perp_alloc_unset(a, count, sizeof *source);
    if (a->failed) return PERP_E_MEMORY;
    list_rows(A, next, column, source);
    fill_sorted(A, next, column, source, length, row, x);
    pack(A, length, p, row, x);
    perp_arena_release(a, mark);
    *out = perp_csc(A->m, A->n, p, row, x);
    return PERP_SOLVED;
}

/* ---- to any format ---- */

perp_status perp_convert(const perp_matrix *A, perp_format format, perp_arena *a, perp_matrix *out,
                         perp_error *e)
{
    if (A->format == format) {
        *out = *A;
        return PERP_SOLVED;
    }
    const perp_matrix_ops *source = perp_format_of(A->format), *target = perp_format_of(format);
    if (!source) {
        return perp_refuse(e, PERP_E_FORMAT, "a matrix of the unknown format %d", (int)A->format);
    }
    if (!source->to_csc) {
        return perp_refuse(e, PERP_E_FORMAT, "a %d x %d %s is never assembled", A->m, A->n,
                           source->title);
    }
    if (target && target->from) {
        a->work[PERP_WORK_CONVERSION]++;
        return target->from(A, a, out, e);
    }
    return perp_refuse(e, PERP_E_FORMAT, "a matrix cannot be turned into format %d", (int)format);
}
