/* linalg/panels.c: room for the panels of a factor, and updates large enough for BLAS. */
#include "panels.h"

/* Columns of an update that one call of dgemm takes. */
static int columns_at_once(double m, double k, int q)
{
    double most = PERP_PANEL_MOST / (m * k);
    return most >= q ? q : most < 8 ? 8 : (int)most;
}

/* The largest update, and the largest second factor of one. */
static void measure_updates(const perp_supernodes *f, size_t *update, size_t *scaled)
{
    *update = *scaled = 1;
    for (int d = 0; d < f->supers; d++) {
        size_t width = (size_t)perp_super_width(f, d);
        size_t own = width * PERP_PANEL_BLOCK;
        *scaled = own > *scaled ? own : *scaled;
        for (int at = 0; at < f->count[d];) {
            int end = panel_same_super(f, d, at);
            size_t m = (size_t)(f->count[d] - at);
            size_t q = (size_t)columns_at_once((double)m, (double)width, end - at);
            *update = q * m > *update ? q * m : *update;
            *scaled = q * width > *scaled ? q * width : *scaled;
            at = end;
        }
    }
}

bool perp_panels_open(perp_panels *f, perp_arena *a, bool symmetric)
{
    size_t n = (size_t)f->of.n, supers = (size_t)f->of.supers, update, scaled;
    size_t total = perp_supernodes_size(&f->of);
    measure_updates(&f->of, &update, &scaled);
    f->L = perp_alloc_unset(a, symmetric ? total : 2 * total, sizeof *f->L);
    f->U = symmetric || !f->L ? f->L : f->L + total;
    f->d = perp_alloc_unset(a, n, sizeof *f->d);
    f->work = perp_alloc_unset(a, update > n ? update : n, sizeof *f->work);
    f->scaled = perp_alloc_unset(a, scaled, sizeof *f->scaled);
    f->x = perp_alloc_unset(a, n, sizeof *f->x);
    f->map = perp_alloc_unset(a, n, sizeof *f->map);
    f->swap = symmetric ? NULL : perp_alloc_unset(a, n, sizeof *f->swap);
    f->head = perp_alloc_unset(a, supers, sizeof *f->head);
    f->next = perp_alloc_unset(a, supers, sizeof *f->next);
    f->at = perp_alloc_unset(a, supers, sizeof *f->at);
    f->watched = perp_watch_begin(a);
    return !a->failed;
}

/* to[map[list[r]]] -= from[r] */
PERP_CLONED_VOID(scatter, (int m, const int *list, const int *map, const double *from, double *to),
                 (m, list, map, from, to))
{
    for (int r = 0; r < m; r++) to[map[list[r]]] -= from[r];
}

PERP_CLONED_VOID(scale, (const double *rows, size_t ld, int q, int k, const double *d, double *to),
                 (rows, ld, q, k, d, to))
{
    panel_scale_rows(rows, ld, q, k, d, to);
}

/* One product of matrices for some columns at a time. */
void perp_panels_update_large(perp_panels *f, int s, double *to, int d, const double *A,
                              const double *B, int from, int at, int end, bool lower)
{
    const perp_supernodes *of = &f->of;
    int k = perp_super_width(of, d), ld = perp_super_height(of, d);
    size_t ld_s = (size_t)perp_super_height(of, s);
    double one = 1, zero = 0;
    int some = columns_at_once(of->count[d] - from, k, end - at);
    for (int first = at; first < end; first += some) {
        int q = end - first < some ? end - first : some, start = lower ? first : from;
        int m = of->count[d] - start;
        const int *list = of->row + of->rows[d] + start, *columns = of->row + of->rows[d] + first;
        if (perp_watch_spent(&f->watched, (double)m * q * k)) return;
        scale(B + k + first, (size_t)ld, q, k, f->d + of->first[d], f->scaled);
        dgemm_("N", "T", &m, &q, &k, &one, A + k + start, &ld, f->scaled, &q, &zero, f->work, &m, 1,
               1);
        for (int c = 0; c < q; c++) {
            int skip = lower ? c : 0;
            double *column = to + (size_t)(columns[c] - of->first[s]) * ld_s;
            scatter(m - skip, list + skip, f->map, f->work + (size_t)c * (size_t)m + (size_t)skip,
                    column);
        }
    }
}
