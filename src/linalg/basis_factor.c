/* linalg/basis_factor.c: the factorisation of a basis. basis.h has the method.
 * The kernel is gathered, eliminated (linalg/markowitz_lu.c), and the rows of the unit vectors are
 * put below its U. */
#include "basis.h"

#include "base/vector.h"
#include "base/watch.h"

#include <limits.h>

#define FAR_WRITE 8.0 /* multiplications in the time of an entry that goes to another line */

/* ---- rows and columns of the kernel ---- */

/* False: a unit vector is there twice, so the basis is singular. */
static bool find_kernel(perp_basis *b, const int *columns)
{
    int n = b->n, rows = 0, *of = b->kernel_of;
    b->k = 0;
    for (int i = 0; i < n; i++) of[i] = 0;
    for (int s = 0; s < n; s++) {
        if (columns[s] >= n)
            b->kernel_columns[b->k++] = columns[s];
        else if (of[columns[s]]++)
            return false;
    }
    for (int i = 0; i < n; i++) {
        if (of[i])
            of[i] = -1;
        else
            b->kernel_rows[of[i] = rows++] = i;
    }
    return true;
}

static size_t column_entries(const perp_basis *b, int column)
{
    if (column == 2 * b->n) return (size_t)b->n;
    return (size_t)(b->p[column - b->n + 1] - b->p[column - b->n]);
}

/* True: the watch asks to stop, which ends the factorisation as a lack of memory does. */
static bool is_stopped(perp_basis *b, perp_watched *watched, size_t entries)
{
    if (perp_watch_spent(watched, FAR_WRITE * (double)entries)) b->arena->failed = true;
    return b->arena->failed;
}

/* K in compressed columns, in the place of U_t, which is not yet there; false: no memory, or more
 * entries than an int counts. */
static bool gather_kernel(perp_basis *b)
{
    int n = b->n;
    perp_watched watched = perp_watch_begin(b->arena);
    perp_columns *K = &b->U_t;
    size_t used = 0, most = 0;
    for (int j = 0; j < b->k; j++) most += column_entries(b, b->kernel_columns[j]);
    if (most > INT_MAX || !perp_columns_reserve(K, b->arena, 0, most + 1)) return false;
    for (int j = 0; j < b->k; j++) {
        int column = b->kernel_columns[j];
        if (is_stopped(b, &watched, column_entries(b, column))) return false;
        b->K_p[j] = (int)used;
        if (column == 2 * n) {
            for (int i = 0; i < b->k; i++) {
                double value = b->d[b->kernel_rows[i]];
                if (value != 0) {
                    K->i[used] = i;
                    K->x[used++] = value;
                }
            }
            continue;
        }
        for (int e = b->p[column - n]; e < b->p[column - n + 1]; e++) {
            int row = b->kernel_of[b->i[e]];
            if (row >= 0) {
                K->i[used] = row;
                K->x[used++] = b->x[e];
            }
        }
    }
    b->K_p[b->k] = (int)used;
    return true;
}

/* ---- slots ---- */

static void number_slots(perp_basis *b)
{
    int next = b->k;
    for (int s = 0; s < b->k; s++) {
        b->head[s] = b->kernel_columns[b->e.column[s]];
        b->slot[b->kernel_rows[b->e.row[s]]] = s;
    }
    for (int i = 0; i < b->n; i++) {
        if (b->kernel_of[i] >= 0) continue;
        b->head[next] = i;
        b->slot[i] = next++;
    }
}

/* The next entry of C, the rows of the unit vectors in the column of slot s: its slot, or -1. */
static int unit_entry(const perp_basis *b, int s, int at, double *value)
{
    int column = b->head[s], n = b->n;
    if (column == 2 * n) {
        *value = b->d[at];
        return b->kernel_of[at] < 0 && *value != 0 ? b->slot[at] : -1;
    }
    int e = b->p[column - n] + at;
    *value = b->x[e];
    return b->kernel_of[b->i[e]] < 0 ? b->slot[b->i[e]] : -1;
}

/* U by rows is the elimination's; with C below it, by columns. */
static bool gather_U(perp_basis *b)
{
    const perp_columns *rows = &b->e.U;
    size_t *p = b->U.p, most = rows->p[b->e.core];
    for (int s = 0; s < b->k; s++) most += column_entries(b, b->head[s]);
    if (!perp_columns_reserve(&b->U, b->arena, 0, most)) return false;
    for (int s = 0; s <= b->k; s++) p[s] = 0;
    for (size_t e = 0; e < rows->p[b->e.core]; e++) p[rows->i[e] + 1]++;
    for (int s = 0; s < b->k; s++) p[s + 1] += p[s] + column_entries(b, b->head[s]);
    size_t *fill = b->U_t.p; /* scratch as yet */
    for (int s = 0; s < b->k; s++) fill[s] = p[s];
    for (int j = 0; j < b->e.core; j++) {
        for (size_t e = rows->p[j]; e < rows->p[j + 1]; e++) {
            size_t to = fill[rows->i[e]]++;
            b->U.i[to] = j;
            b->U.x[to] = rows->x[e];
        }
    }
    size_t to = 0;
    perp_watched watched = perp_watch_begin(b->arena);
    for (int s = 0; s < b->k; s++) { /* close up, and add C */
        size_t from = p[s], count = fill[s] - from, entries = column_entries(b, b->head[s]);
        if (is_stopped(b, &watched, count + entries)) return false;
        memmove(b->U.i + to, b->U.i + from, count * sizeof *b->U.i);
        memmove(b->U.x + to, b->U.x + from, count * sizeof *b->U.x);
        p[s] = to;
        to += count;
        for (size_t at = 0; at < entries; at++) {
            double value;
            int slot = unit_entry(b, s, (int)at, &value);
            if (slot >= 0) {
                b->U.i[to] = slot;
                b->U.x[to++] = value;
            }
        }
    }
    p[b->k] = to;
    return true;
}

static bool transpose_U(perp_basis *b)
{
    size_t *p = b->U_t.p, end = b->U.p[b->k];
    if (!perp_columns_reserve(&b->U_t, b->arena, 0, end)) return false;
    memset(p, 0, ((size_t)b->n + 2) * sizeof *p);
    for (size_t e = 0; e < end; e++) p[b->U.i[e] + 2]++;
    for (int s = 2; s < b->n + 2; s++) p[s] += p[s - 1];
    perp_watched watched = perp_watch_begin(b->arena);
    for (int j = 0; j < b->k; j++) {
        if (is_stopped(b, &watched, b->U.p[j + 1] - b->U.p[j])) return false;
        for (size_t e = b->U.p[j]; e < b->U.p[j + 1]; e++) {
            size_t to = p[b->U.i[e] + 1]++;
            b->U_t.i[to] = j;
            b->U_t.x[to] = b->U.x[e];
        }
    }
    return true;
}

/* ---- the whole ---- */

perp_basis_status perp_basis_factor(perp_basis *b, const int *columns)
{
    b->updates = 0;
    b->r.p[0] = b->c.p[0] = 0;
    if (!find_kernel(b, columns)) return PERP_BASIS_SINGULAR;
    if (!gather_kernel(b)) return PERP_BASIS_MEMORY;
    perp_basis_status status = perp_eliminate(&b->e, b->k, b->K_p, b->U_t.i, b->U_t.x);
    if (status) return status;
    number_slots(b);
    if (!gather_U(b) || !transpose_U(b)) return PERP_BASIS_MEMORY;
    size_t core = (size_t)(b->k - b->e.core);
    b->filled = b->e.L.p[b->e.core] + b->U.p[b->k] + core * core;
    return PERP_BASIS_DONE;
}
