/* linalg/supernodes_place.c: where the entries of a matrix lie in the panels of its factors.
 *
 * O(nnz) for patterns, and a search by halves in a list of rows for each entry's place. */
#include "supernodes.h"

#include <limits.h>
#include <string.h>

/* ---- patterns ---- */

/* The pattern of A', columns ascending. */
static void transpose(int n, const int *p, const int *i, int *to_p, int *to_i)
{
    memset(to_p, 0, ((size_t)n + 1) * sizeof *to_p);
    for (int k = 0; k < p[n]; k++) to_p[i[k]]++;
    for (int j = 0, sum = 0; j <= n; j++) { /* the end of each column, filled from behind */
        sum += j < n ? to_p[j] : 0;
        to_p[j] = sum;
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int k = p[j + 1] - 1; k >= p[j]; k--) to_i[--to_p[i[k]]] = j;
    }
}

/* The place behind the diagonal in a column. */
static int skip_upper(const int *i, int from, int end, int j)
{
    while (from < end && i[from] <= j) from++;
    return from;
}

/* What is below the diagonal in column j of A or A', behind the diagonal itself; returns the count.
 */
static int merge_column(int j, const int *a, int a_count, const int *b, int b_count, int *to)
{
    int count = 0;
    to[count++] = j;
    for (int k = 0, l = 0; k < a_count || l < b_count;) {
        int r = l == b_count || (k < a_count && a[k] < b[l]) ? a[k] : b[l];
        if (k < a_count && a[k] == r) k++;
        if (l < b_count && b[l] == r) l++;
        to[count++] = r;
    }
    return count;
}

bool perp_lower_pattern(perp_arena *a, int n, const int *p, const int *i, perp_triangles of,
                        int **lower_p, int **lower_i)
{
    size_t size = (size_t)n;
    if (p[n] > INT_MAX - n) return false;
    int *to_p = *lower_p = perp_alloc_unset(a, size + 1, sizeof *to_p);
    int *to_i = *lower_i = perp_alloc_unset(a, size + (size_t)p[n], sizeof *to_i);
    perp_mark mark = perp_arena_mark(a);
    int *other_p = perp_alloc(a, size + 1, sizeof *other_p);
    int *other_i = perp_alloc_unset(a, of == PERP_BOTH ? (size_t)p[n] : 0, sizeof *other_i);
    if (a->failed) return false;
    if (of == PERP_BOTH) transpose(n, p, i, other_p, other_i);
    to_p[0] = 0;
    for (int j = 0; j < n; j++) {
        int k = skip_upper(i, p[j], p[j + 1], j);
        int l = skip_upper(other_i, other_p[j], other_p[j + 1], j);
        to_p[j + 1] = to_p[j] + merge_column(j, i + k, p[j + 1] - k, other_i + l,
                                             other_p[j + 1] - l, to_i + to_p[j]);
    }
    perp_arena_release(a, mark);
    return true;
}

/* ---- places ---- */

static size_t find_place(const perp_supernodes *f, int r, int c)
{
    int s = f->super_of[c], width = perp_super_width(f, s), local = r - f->first[s];
    size_t ld = (size_t)(width + f->count[s]);
    if (r >= f->first[s + 1]) {
        const int *list = f->row + f->rows[s];
        int lo = 0, hi = f->count[s] - 1;
        while (lo < hi) {
            int middle = (lo + hi) / 2;
            if (list[middle] < r)
                lo = middle + 1;
            else
                hi = middle;
        }
        local = width + lo;
    }
    return f->panel[s] + (size_t)(c - f->first[s]) * ld + (size_t)local;
}

/* The panel of entry (i, j), and the entry's place; -1: it is left out. */
static int panel_of(const perp_supernodes *f, int i, int j, perp_triangles of)
{
    int r = f->inverse[i], c = f->inverse[j];
    if (of == PERP_LOWER && i < j) return -1;
    return f->super_of[r < c ? r : c];
}

static size_t place_of(const perp_supernodes *f, int i, int j, perp_triangles of)
{
    int r = f->inverse[i], c = f->inverse[j];
    if (r >= c || (of == PERP_BOTH && f->super_of[r] == f->super_of[c])) return find_place(f, r, c);
    return find_place(f, c, r) + (of == PERP_BOTH ? perp_supernodes_size(f) : 0);
}

/* entries[s + 1] is where the next entry of panel s goes, and so its end at last. */
bool perp_supernodes_place(const perp_supernodes *f, perp_arena *a, const int *p, const int *i,
                           perp_triangles of, perp_places *to)
{
    size_t nnz = (size_t)p[f->n], supers = (size_t)f->supers;
    to->entries = perp_alloc(a, supers + 2, sizeof *to->entries);
    to->entry = perp_alloc_unset(a, nnz, sizeof *to->entry);
    to->place = perp_alloc_unset(a, nnz, sizeof *to->place);
    if (a->failed) return false;
    int *next = to->entries + 1;
    for (int j = 0; j < f->n; j++) {
        for (int k = p[j]; k < p[j + 1]; k++) {
            int s = panel_of(f, i[k], j, of);
            if (s >= 0) next[s + 1]++;
        }
    }
    for (int s = 0; s < f->supers; s++) next[s + 1] += next[s];
    for (int j = 0; j < f->n; j++) {
        for (int k = p[j]; k < p[j + 1]; k++) {
            int s = panel_of(f, i[k], j, of);
            if (s < 0) continue;
            int at = next[s]++;
            to->entry[at] = k;
            to->place[at] = place_of(f, i[k], j, of);
        }
    }
    return true;
}
