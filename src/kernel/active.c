/* kernel/active.c: a set of indices with the factor of its principal submatrix.
 * Columns of M are gathered from the caller's matrix as they are needed; the factor is
 * kernel/updated_chol.c's. Memory k^2 + 4 n numbers and 3 n integers. */
#include "active.h"

#include "principal.h"

#include <math.h>
#include <string.h>

#define FIRST_ROOM 64 /* columns of a factor that grows */

static bool open_set(perp_active *s, int room, perp_arena *a)
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
    return true;
}

bool perp_active_open(perp_active *s, const perp_matrix *M, perp_arena *a)
{
    int n = M->n, room = M->format == PERP_DENSE || n < FIRST_ROOM ? n : FIRST_ROOM;
    *s = (perp_active){.M = M};
    if (!open_set(s, room, a)) return false;
    for (int j = 0; j < n; j++) s->diagonal[j] = perp_diagonal(M, j);
    return true;
}

bool perp_active_open_gram(perp_active *s, perp_gram *g, perp_arena *a)
{
    int n = g->A->n;
    *s = (perp_active){.M = g->A, .gram = g};
    if (!open_set(s, n < FIRST_ROOM ? n : FIRST_ROOM, a)) return false;
    for (int j = 0; j < n; j++) {
        s->diagonal[j] = g->A->format == PERP_OPERATOR ? 0 : perp_gram_square(g, j);
    }
    return true;
}

/* b = M[set[0 .. k)][j] */
static void gather(const perp_active *s, int j, int k, double *b)
{
    if (s->gram) {
        perp_gram_gather(s->gram, j, k, s->set, b);
        return;
    }
    if (s->M->format == PERP_DENSE) {
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

void perp_active_gather(const perp_active *s, int j, double *b)
{
    gather(s, j, s->u.k, b);
}

static bool make_room(perp_active *s, int m)
{
    int n = s->M->n, need = s->u.k + m;
    if (need <= s->u.ld) return true;
    int most = n - s->u.ld < s->u.ld ? n : 2 * s->u.ld;
    most = most < need ? need : most;
    double *memory = perp_alloc_unset(s->arena, perp_updated_doubles(most), sizeof *memory);
    if (memory) perp_updated_grow(&s->u, most, memory);
    return memory != NULL;
}

static void take(perp_active *s, int j, int at)
{
    s->set[at] = j;
    s->place[j] = at;
}

/* At most a panel. */
static bool join_panel(perp_active *s, int m, const int *list, double tol)
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
    }
    perp_updated_join(&s->u, m, tol, kept);
    for (int c = 0, to = k; c < m; c++) {
        s->place[joining[c]] = -1;
        if (kept[c]) take(s, joining[c], to++);
    }
    return true;
}

bool perp_active_join(perp_active *s, int count, const int *list, double tol)
{
    for (int from = 0; from < count; from += PERP_UPDATED_PANEL) {
        int m = count - from < PERP_UPDATED_PANEL ? count - from : PERP_UPDATED_PANEL;
        if (!join_panel(s, m, list + from, tol)) return false;
    }
    return true;
}

bool perp_active_assign(perp_active *s, int count, const int *list, double tol)
{
    for (int p = 0; p < s->u.k; p++) s->place[s->set[p]] = -1;
    s->u.k = 0;
    return perp_active_join(s, count, list, tol);
}

bool perp_active_rebuild(perp_active *s, double tol)
{
    int k = s->u.k;
    memcpy(s->list, s->set, (size_t)k * sizeof *s->list);
    return perp_active_assign(s, k, s->list, tol);
}

double perp_active_reduce(const perp_active *s, int j, double *y)
{
    gather(s, j, s->u.k, y);
    if (s->M->format == PERP_OPERATOR) s->diagonal[j] = perp_gram_square(s->gram, j);
    double left = s->diagonal[j];
    perp_updated_forward(&s->u, y);
    for (int p = 0; p < s->u.k; p++) left -= y[p] * y[p];
    return left;
}

bool perp_active_push(perp_active *s, int j, const double *y, double left)
{
    if (!make_room(s, 1)) return false;
    perp_updated_push(&s->u, y, sqrt(left));
    take(s, j, s->u.k - 1);
    return true;
}

double perp_active_drop(perp_active *s, int at, double *y)
{
    double last = perp_updated_delete(&s->u, at, y);
    s->place[s->set[at]] = -1;
    for (int p = at; p < s->u.k; p++) take(s, s->set[p + 1], p);
    return last;
}

void perp_active_correct(perp_active *s, const double *r, double *z)
{
    for (int p = 0; p < s->u.k; p++) s->x[p] = r[s->set[p]];
    perp_updated_forward(&s->u, s->x);
    perp_updated_backward(&s->u, s->x);
    for (int p = 0; p < s->u.k; p++) z[s->set[p]] -= s->x[p];
}

void perp_active_slack(perp_active *s, const double *q, const double *z, double *w)
{
    memcpy(w, q, (size_t)s->M->n * sizeof *w);
    for (int p = 0; p < s->u.k; p++) s->x[p] = z[s->set[p]];
    perp_add_columns(s->M, s->u.k, s->set, 1, s->x, w);
}
