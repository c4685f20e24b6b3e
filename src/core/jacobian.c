/* core/jacobian.c: F and its Jacobian from an affine map, from callbacks, or by differences.
 * Forward differences, columns that share no row at once: Curtis, Powell, Reid, IMA Journal of
 * Applied Mathematics 13 (1974) 117-119.
 *
 * A Jacobian by differences costs as many evaluations of F as the pattern has colours, n when it is
 * dense; its entries have about half the digits. */
#include "jacobian.h"

#include "base/vector.h"
#include "kinds.h"
#include "method/differences.h"

#include <float.h>

#define GUARD 64         /* sentinels behind what a callback writes, ... */
#define GUARD_MOST 4096  /* ... and at most, where it may take a sparse pattern for a dense one */
#define SHORTER 0.015625 /* of a step, where F is undefined at its end */

/* A NaN that no arithmetic makes. */
static const uint64_t sentinel = UINT64_C(0x7ff8dead5e7715e1);

static void write_sentinels(size_t n, double *x)
{
    for (size_t k = 0; k < n; k++) memcpy(x + k, &sentinel, sizeof *x);
}

static bool sentinels_stand(size_t n, const double *x)
{
    uint64_t changed = 0, bits;
    for (size_t k = 0; k < n; k++) {
        memcpy(&bits, x + k, sizeof bits);
        changed |= bits ^ sentinel;
    }
    return changed == 0;
}

/* ---- opening ---- */

/* Canonical columns with the diagonal: p, rows, and where each entry of the pattern goes. Walks the
 * rows in order and appends to columns, which sorts them; next has length n + 1, by_row one entry
 * per entry of the pattern, column too. */
typedef struct sorter {
    int *next, *by_row, *column;
} sorter;

static void list_rows(const struct perp_csc_view *v, int n, sorter *s)
{
    for (int k = 0; k < v->p[n]; k++) s->next[v->i[k] + 1]++;
    for (int i = 0; i < n; i++) s->next[i + 1] += s->next[i];
    for (int j = 0; j < n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            s->column[k] = j;
            s->by_row[s->next[v->i[k]]++] = k;
        }
    }
}

/* end[j] is where column j ends so far; it has room for its entries and a diagonal one. */
static int append(int i, int j, int start, int *end, int *rows)
{
    if (end[j] == start || rows[end[j] - 1] != i) rows[end[j]++] = i;
    return end[j] - 1;
}

static void fill_canonical(const struct perp_csc_view *v, int n, const sorter *s, int *end,
                           int *rows, int *place)
{
    for (int j = 0; j < n; j++) end[j] = v->p[j] + j;
    for (int i = 0, k = 0; i < n; i++) {
        for (; k < s->next[i]; k++) {
            int from = s->by_row[k], j = s->column[from];
            place[from] = append(i, j, v->p[j] + j, end, rows);
        }
        append(i, i, v->p[i] + i, end, rows);
    }
}

/* Close the gaps between the columns; true when nothing was moved and all is as the caller has it.
 */
static bool compact(const struct perp_csc_view *v, int n, int *end, int *p, int *rows, int *place)
{
    bool same = true;
    for (int j = 0; j < n; j++) {
        int start = v->p[j] + j, shift = start - p[j];
        for (int k = start; k < end[j]; k++) rows[k - shift] = rows[k];
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            place[k] -= shift;
            same &= place[k] == k;
        }
        p[j + 1] = end[j] - shift;
    }
    return same && p[n] == v->p[n];
}

/* Are the rows of each column in order, each once, the diagonal among them? */
static bool is_canonical(const struct perp_csc_view *v, int n)
{
    for (int j = 0; j < n; j++) {
        bool diagonal = false;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            if (k > v->p[j] && v->i[k] <= v->i[k - 1]) return false;
            diagonal |= v->i[k] == j;
        }
        if (!diagonal) return false;
    }
    return true;
}

/* The caller's own pattern, with room for the values. */
static bool open_as_given(perp_jacobian *k, perp_arena *a, const struct perp_csc_view *v)
{
    size_t entries = (size_t)v->p[k->n];
    k->x = perp_alloc_unset(a, entries + GUARD_MOST, sizeof *k->x);
    k->J = perp_csc(k->n, k->n, v->p, v->i, k->x);
    k->count = v->p[k->n];
    return !a->failed;
}

static bool open_sparse(perp_jacobian *k, perp_arena *a, const perp_matrix *pattern)
{
    const struct perp_csc_view *v = &pattern->as.csc;
    int n = k->n;
    if (v->p[n] > INT_MAX - n) return false;
    if (is_canonical(v, n)) return open_as_given(k, a, v);
    size_t entries = (size_t)v->p[n], most = entries + (size_t)n;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), *rows = perp_alloc_unset(a, most, sizeof *p);
    int *place = perp_alloc_unset(a, entries, sizeof *place);
    k->x = perp_alloc_unset(a, most + GUARD_MOST, sizeof *k->x);
    perp_mark mark = perp_arena_mark(a);
    sorter s = {.next = perp_alloc(a, (size_t)n + 1, sizeof *p)};
    s.by_row = perp_alloc_unset(a, entries, sizeof *p);
    s.column = perp_alloc_unset(a, entries, sizeof *p);
    int *end = perp_alloc_unset(a, (size_t)n, sizeof *end);
    if (a->failed) return false;
    list_rows(v, n, &s);
    fill_canonical(v, n, &s, end, rows, place);
    bool same = compact(v, n, end, p, rows, place);
    perp_arena_release(a, mark);
    memset(k->x, 0, most * sizeof *k->x);
    k->J = perp_csc(n, n, p, rows, k->x);
    k->count = k->differences ? p[n] : v->p[n];
    if (!same) k->place = place;
    return true;
}

static bool open_dense(perp_jacobian *k, perp_arena *a)
{
    size_t n = (size_t)k->n;
    if (n * n > INT_MAX) { /* also more than we are willing to make */
        a->failed = true;
        return false;
    }
    k->x = perp_alloc(a, n * n + GUARD, sizeof *k->x);
    k->count = (int)(n * n);
    k->J = perp_dense(k->n, k->n, k->x);
    return !a->failed;
}

/* Entries of the pattern that fall on the same place add up. */
static void scatter(perp_jacobian *k, const double *values)
{
    if (!k->place) {
        if (values != k->x) memcpy(k->x, values, (size_t)k->count * sizeof *values);
        return;
    }
    memset(k->x, 0, (size_t)k->J.as.csc.p[k->n] * sizeof *k->x);
    for (int e = 0; e < k->count; e++) k->x[k->place[e]] += values[e];
}

static bool open_affine(perp_jacobian *k, perp_arena *a)
{
    k->constant = true;
    k->J = k->map->M;
    if (k->map->M.format != PERP_FORMAT_CSC) return true;
    if (!open_sparse(k, a, &k->map->M)) return false;
    scatter(k, k->map->M.as.csc.x);
    return true;
}

/* Behind the values of a sparse pattern there is also room for a callback that takes it for a dense
 * one, where that is not much. */
static bool open_values(perp_jacobian *k, perp_arena *a)
{
    double missing = (double)k->n * k->n - k->count;
    k->guard = GUARD;
    if (k->J.format == PERP_FORMAT_CSC && missing > 0) {
        k->guard = missing < GUARD_MOST - GUARD ? GUARD + (int)missing : GUARD_MOST;
    }
    k->values = k->x;
    if (k->place) {
        size_t room = (size_t)k->count + (size_t)k->guard;
        k->values = perp_alloc_unset(a, room, sizeof *k->values);
    }
    return !a->failed;
}

bool perp_jacobian_colour(perp_jacobian *k, perp_arena *a)
{
    size_t n = (size_t)k->n;
    k->there = perp_alloc(a, n, sizeof *k->there);
    k->step = perp_alloc(a, n, sizeof *k->step);
    int *colour = perp_alloc(a, n, sizeof *colour);
    if (a->failed) return false;
    k->colour = colour;
    k->colours = k->n;
    for (int j = 0; j < k->n; j++) colour[j] = j;
    if (k->J.format == PERP_FORMAT_DENSE) return true;
    const struct perp_csc_view *c = &k->J.as.csc;
    perp_mark mark = perp_arena_mark(a);
    int *work = perp_alloc_unset(a, 2 * n + 1 + (size_t)c->p[n], sizeof *work);
    if (!work) return false;
    k->colours = perp_colour_columns(k->n, k->n, c->p, c->i, colour, work);
    perp_arena_release(a, mark);
    return true;
}

bool perp_jacobian_open(perp_jacobian *k, perp_arena *a, const perp_map *map, const double *lo,
                        const double *hi)
{
    *k = (perp_jacobian){.map = map, .n = map->n, .lo = lo, .hi = hi, .least = -INFINITY};
    k->F = perp_alloc_unset(a, (size_t)k->n + GUARD, sizeof *k->F);
    if (a->failed) return false;
    if (!map->eval) return open_affine(k, a);
    bool sparse = map->pattern.format == PERP_FORMAT_CSC;
    k->differences = !map->jacobian;
    if (!(sparse ? open_sparse(k, a, &map->pattern) : open_dense(k, a))) return false;
    return k->differences ? perp_jacobian_colour(k, a) : open_values(k, a);
}

/* ---- evaluating ---- */

bool perp_jacobian_map(perp_jacobian *k, const double *z, double *F)
{
    const perp_map *map = k->map;
    size_t n = (size_t)k->n;
    if (k->overrun) return false;
    k->evaluations++;
    if (!map->eval) {
        perp_mul(&map->M, 1, z, 0, k->F);
        kind_add(k->n, map->q, k->F);
    } else {
        write_sentinels(n + GUARD, k->F);
        bool defined = map->eval(map->ctx, z, k->F);
        if (!sentinels_stand(GUARD, k->F + n)) k->overrun = true;
        if (!defined || k->overrun) return false;
    }
    if (!vector_is_finite(n, k->F)) return false;
    if (n > 0 && F != k->F) memcpy(F, k->F, n * sizeof *F);
    return true;
}

static bool by_callback(perp_jacobian *k, const double *z)
{
    const perp_map *map = k->map;
    size_t count = (size_t)k->count, guard = (size_t)k->guard;
    write_sentinels(count + guard, k->values);
    bool defined = map->jacobian(map->ctx, z, k->values);
    if (!sentinels_stand(guard, k->values + count)) k->overrun = true;
    if (!defined || k->overrun || !vector_is_finite(count, k->values)) return false;
    scatter(k, k->values);
    return true;
}

bool perp_jacobian_difference(perp_jacobian *k, const double *z, int c, double part)
{
    bool any = false;
    for (int j = 0; j < k->n; j++) {
        double lo = kind_bound(k->lo, j, k->least), hi = kind_bound(k->hi, j, INFINITY);
        k->there[j] = z[j];
        if (k->colour[j] != c) continue;
        double relative = fabs(part) * sqrt(DBL_EPSILON);
        k->step[j] = perp_difference_step(z[j], kind_typical(k->map, j), lo, hi, relative);
        double other = z[j] - k->step[j];
        if (part < 0 && other >= lo && other <= hi) k->step[j] = other - z[j];
        k->there[j] = z[j] + k->step[j];
        any |= k->step[j] != 0;
    }
    return !any || perp_jacobian_map(k, k->there, k->F);
}

static void divide_column(perp_jacobian *k, int j, const double *F)
{
    double h = k->step[j];
    if (k->J.format == PERP_FORMAT_DENSE) {
        double *column = k->x + (size_t)j * (size_t)k->n;
        for (int i = 0; i < k->n; i++) column[i] = h != 0 ? (k->F[i] - F[i]) / h : 0;
        return;
    }
    const struct perp_csc_view *c = &k->J.as.csc;
    for (int e = c->p[j]; e < c->p[j + 1]; e++) {
        k->x[e] = h != 0 ? (k->F[c->i[e]] - F[c->i[e]]) / h : 0;
    }
}

static bool by_differences(perp_jacobian *k, const double *z, const double *F)
{
    static const double parts[] = {1, -1, SHORTER, -SHORTER};
    for (int c = 0; c < k->colours; c++) {
        size_t t = 0;
        while (t < 4 && !perp_jacobian_difference(k, z, c, parts[t])) t++;
        if (t == 4) return false;
        for (int j = 0; j < k->n; j++) {
            if (k->colour[j] == c) divide_column(k, j, F);
        }
    }
    size_t entries = (size_t)k->n * (size_t)k->n;
    if (k->J.format == PERP_FORMAT_CSC) entries = (size_t)k->J.as.csc.p[k->n];
    return vector_is_finite(entries, k->x);
}

bool perp_jacobian_by_differences(perp_jacobian *k, perp_arena *a, const double *z, const double *F)
{
    if (k->constant || k->differences || k->overrun) return false;
    perp_mark mark = perp_arena_mark(a);
    bool found = perp_jacobian_colour(k, a) && by_differences(k, z, F);
    k->differenced = true;
    perp_arena_release(a, mark);
    k->colours = 0;
    return found;
}

bool perp_jacobian_at(perp_jacobian *k, const double *z, const double *F)
{
    if (k->constant) return true;
    if (k->overrun) return false;
    k->jacobians++;
    k->differenced = k->differences;
    return k->differences ? by_differences(k, z, F) : by_callback(k, z);
}

perp_status perp_jacobian_fail(perp_run *run, const perp_jacobian *k)
{
    bool F = !sentinels_stand(GUARD, k->F + k->n);
    return perp_fail(run, PERP_E_ARGUMENT, "the callback of %s wrote beyond its %d values",
                     F ? "F" : "the Jacobian", F ? k->n : k->count);
}
