/* method/active_factor.c: a set of indices with the factor of its principal submatrix.
 * Columns of M are gathered from the caller's matrix as they are needed; the factor is
 * linalg/updated_chol.c's. Memory k^2 + 4 n numbers and 3 n integers, and k^2 where M_aa is kept.
 */
#include "active_factor.h"

#include "base/cache.h"
#include "linalg/principal_submatrix.h"

#include <math.h>
#include <string.h>

#define FIRST_ROOM 64 /* columns of a factor that grows */

/* The room that follows one of `room` columns, of at most `most`. */
static int next_room(int room, int most)
{
    return most - room < room ? most : 2 * room;
}

/* Columns that a set may have: of A'A no more than A has rows, but for a panel that joins. */
static int most_columns(const perp_active_factor *s)
{
    int n = s->M->n, m = s->M->m;
    return s->gram && m < n - PERP_UPDATED_PANEL ? m + PERP_UPDATED_PANEL : n;
}

/* In a run of perp_bytes: the factor as it grows, or the entries of M_aa beside it. */
static void count_growth(const perp_active_factor *s, bool entries)
{
    int most = most_columns(s), n = s->M->n;
    for (int room = s->u.ld; s->arena->counting && room < most;) {
        room = next_room(room, n);
        size_t size = (size_t)room;
        size_t numbers = entries ? perp_count_product(size, size) : perp_updated_doubles(room);
        perp_count(s->arena, numbers, sizeof(double));
    }
}

static bool open_set(perp_active_factor *s, int room, perp_arena *a)
{
    int n = s->M->n;
    s->arena = a;
    s->set = perp_alloc_unset(a, (size_t)n, sizeof *s->set);
    s->place = perp_alloc_unset(a, (size_t)n, sizeof *s->place);
    s->list = perp_alloc_unset(a, (size_t)n, sizeof *s->list);
    s->diagonal = perp_alloc_unset(a, (size_t)n, sizeof *s->diagonal);
    s->x = perp_alloc_unset(a, (size_t)n, sizeof *s->x);
    double *memory = perp_alloc_unset(a, perp_updated_doubles(room), sizeof *memory);
    if (a->failed) return false;
    perp_updated_open(&s->u, room, memory);
    for (int j = 0; j < n; j++) s->place[j] = -1;
    count_growth(s, false);
    return true;
}

bool perp_active_factor_open(perp_active_factor *s, const perp_matrix *M, perp_arena *a)
{
    int n = M->n, room = M->format == PERP_FORMAT_DENSE || n < FIRST_ROOM ? n : FIRST_ROOM;
    *s = (perp_active_factor){.M = M};
    if (!open_set(s, room, a)) return false;
    for (int j = 0; j < n; j++) s->diagonal[j] = perp_diagonal(M, j);
    return true;
}

bool perp_active_factor_open_gram(perp_active_factor *s, perp_gram *g, perp_arena *a)
{
    int n = g->A->n;
    *s = (perp_active_factor){.M = g->A, .gram = g};
    if (!open_set(s, n < FIRST_ROOM ? n : FIRST_ROOM, a)) return false;
    for (int j = 0; j < n; j++) {
        s->diagonal[j] = g->A->format == PERP_FORMAT_OPERATOR ? 0 : perp_gram_square(g, j);
    }
    return true;
}

bool perp_active_factor_keep(perp_active_factor *s)
{
    size_t n = (size_t)s->M->n, ld = (size_t)s->u.ld;
    s->entries = perp_alloc_unset(s->arena, ld * ld, sizeof *s->entries);
    s->gathered = perp_alloc_unset(s->arena, n + 1, sizeof *s->gathered);
    count_growth(s, true);
    return !s->arena->failed;
}

static double *entries_of(const perp_active_factor *s, int at)
{
    return s->entries + (size_t)at * (size_t)s->u.ld;
}

/* b = M[set[0 .. k)][j] */
static void gather(const perp_active_factor *s, int j, int k, double *b)
{
    if (s->gram) {
        perp_gram_gather(s->gram, j, k, s->set, b);
        return;
    }
    if (s->M->format == PERP_FORMAT_DENSE) {
        const double *m = s->M->as.dense.x + (size_t)j * (size_t)s->M->as.dense.ld;
        for (int p = 0; p < k; p++) b[p] = m[s->set[p]];
        return;
    }
    const struct perp_csc_view *c = &s->M->as.csc;
    memset(b, 0, (size_t)k * sizeof *b);
    for (int e = c->p[j]; e < c->p[j + 1]; e++) {
        int p = s->place[c->i[e]];
        if (p >= 0 && p < k) b[p] = c->x[e];
    }
}

void perp_active_factor_gather(const perp_active_factor *s, int j, double *b)
{
    gather(s, j, s->u.k, b);
}

static bool make_room(perp_active_factor *s, int m)
{
    int n = s->M->n, need = s->u.k + m;
    if (need <= s->u.ld) return true;
    int most = next_room(s->u.ld, n);
    most = most < need ? need : most;
    size_t size = (size_t)most, old = (size_t)s->u.ld;
    double *memory = perp_alloc_unset(s->arena, perp_updated_doubles(most), sizeof *memory);
    double *entries = s->entries ? perp_alloc_unset(s->arena, size * size, sizeof *entries) : NULL;
    if (s->arena->failed) return false;
    for (int p = 0; s->entries && p < s->u.k; p++) {
        memcpy(entries + (size_t)p * size, s->entries + (size_t)p * old,
               (size_t)(p + 1) * sizeof *entries);
    }
    perp_updated_grow(&s->u, most, memory);
    s->entries = entries;
    return true;
}

static void take(perp_active_factor *s, int j, int at)
{
    s->set[at] = j;
    s->place[j] = at;
}

/* Row and column `at` of M_aa go, of k. */
static void forget(perp_active_factor *s, int at, int k)
{
    for (int p = at + 1; s->entries && p < k; p++) {
        const double *from = entries_of(s, p);
        double *to = entries_of(s, p - 1);
        memcpy(to, from, (size_t)at * sizeof *to);
        memcpy(to + at, from + at + 1, (size_t)(p - at) * sizeof *to);
    }
}

/* At most a panel. */
static bool join_panel(perp_active_factor *s, int m, const int *list, double tol)
{
    bool kept[PERP_UPDATED_PANEL];
    int k = s->u.k, joining[PERP_UPDATED_PANEL];
    if (!make_room(s, m)) return false;
    for (int c = 0; c < m; c++) {
        joining[c] = list[c];
        take(s, list[c], k + c);
        double *b = perp_updated_room(&s->u) + (size_t)c * (size_t)s->u.ld;
        gather(s, list[c], k + c + 1, b);
        s->diagonal[list[c]] = b[k + c];
        if (s->entries) memcpy(entries_of(s, k + c), b, (size_t)(k + c + 1) * sizeof *b);
    }
    perp_updated_join(&s->u, m, tol, kept);
    for (int c = 0, to = k; c < m; c++) {
        s->place[joining[c]] = -1;
        if (kept[c])
            take(s, joining[c], to++);
        else
            forget(s, to, k + m - (c - (to - k)));
    }
    return true;
}

bool perp_active_factor_join(perp_active_factor *s, int count, const int *list, double tol)
{
    for (int from = 0; from < count; from += PERP_UPDATED_PANEL) {
        int m = count - from < PERP_UPDATED_PANEL ? count - from : PERP_UPDATED_PANEL;
        if (!join_panel(s, m, list + from, tol)) return false;
    }
    return true;
}

bool perp_active_factor_assign(perp_active_factor *s, int count, const int *list, double tol)
{
    for (int p = 0; p < s->u.k; p++) s->place[s->set[p]] = -1;
    s->u.k = 0;
    return perp_active_factor_join(s, count, list, tol);
}

/* Of `count` indices, that at place `at` goes. */
static void strike(perp_active_factor *s, int at, int count)
{
    s->place[s->set[at]] = -1;
    forget(s, at, count);
    for (int p = at; p + 1 < count; p++) take(s, s->set[p + 1], p);
}

/* The factor anew from the entries that were kept. */
static void factor_entries(perp_active_factor *s, double tol)
{
    bool kept[PERP_UPDATED_PANEL];
    int count = s->u.k;
    for (s->u.k = 0; s->u.k < count;) {
        int k = s->u.k, m = count - k < PERP_UPDATED_PANEL ? count - k : PERP_UPDATED_PANEL;
        for (int c = 0; c < m; c++) {
            double *b = perp_updated_room(&s->u) + (size_t)c * (size_t)s->u.ld;
            memcpy(b, entries_of(s, k + c), (size_t)(k + c + 1) * sizeof *b);
        }
        perp_updated_join(&s->u, m, tol, kept);
        for (int c = 0, at = k; c < m; c++) {
            if (kept[c])
                at++;
            else
                strike(s, at, count--);
        }
    }
}

bool perp_active_factor_rebuild(perp_active_factor *s, double tol)
{
    int k = s->u.k;
    if (s->entries) {
        factor_entries(s, tol);
        return true;
    }
    memcpy(s->list, s->set, (size_t)k * sizeof *s->list);
    return perp_active_factor_assign(s, k, s->list, tol);
}

/* y = R'^-1 y; returns left - |y|^2. */
static double reduce(const perp_active_factor *s, double left, double *y)
{
    perp_updated_forward(&s->u, y);
    for (int p = 0; p < s->u.k; p++) left -= y[p] * y[p];
    return left;
}

double perp_active_factor_reduce(const perp_active_factor *s, int j, double *y)
{
    int k = s->u.k;
    gather(s, j, k, y);
    if (s->M->format == PERP_FORMAT_OPERATOR) s->diagonal[j] = perp_gram_square(s->gram, j);
    if (s->entries) {
        memcpy(s->gathered, y, (size_t)k * sizeof *y);
        s->gathered[k] = s->diagonal[j];
    }
    return reduce(s, s->diagonal[j], y);
}

double perp_active_factor_reduce_again(const perp_active_factor *s, double *y)
{
    memcpy(y, s->gathered, (size_t)s->u.k * sizeof *y);
    return reduce(s, s->gathered[s->u.k], y);
}

bool perp_active_factor_push(perp_active_factor *s, int j, const double *y, double left)
{
    if (!make_room(s, 1)) return false;
    int k = s->u.k;
    if (s->entries) memcpy(entries_of(s, k), s->gathered, (size_t)(k + 1) * sizeof *y);
    perp_updated_push(&s->u, y, sqrt(left));
    take(s, j, s->u.k - 1);
    return true;
}

double perp_active_factor_drop(perp_active_factor *s, int at, double *y)
{
    double last = perp_updated_delete(&s->u, at, y);
    if (s->entries) {
        forget(s, at, s->u.k + 1);
        memmove(s->gathered + at, s->gathered + at + 1,
                (size_t)(s->u.k + 1 - at) * sizeof *s->gathered);
    }
    s->place[s->set[at]] = -1;
    for (int p = at; p < s->u.k; p++) take(s, s->set[p + 1], p);
    return last;
}

void perp_active_factor_correct(perp_active_factor *s, const double *r, double *z)
{
    for (int p = 0; p < s->u.k; p++) s->x[p] = r[s->set[p]];
    perp_updated_forward(&s->u, s->x);
    perp_updated_backward(&s->u, s->x);
    for (int p = 0; p < s->u.k; p++) z[s->set[p]] -= s->x[p];
}

void perp_active_factor_slack(perp_active_factor *s, const double *q, const double *z, double *w)
{
    memcpy(w, q, (size_t)s->M->n * sizeof *w);
    for (int p = 0; p < s->u.k; p++) s->x[p] = z[s->set[p]];
    perp_add_columns(s->M, s->u.k, s->set, 1, s->x, w);
}
