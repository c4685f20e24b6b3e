/* linalg/ldl_pairs.c: left-looking L D L' by the panels of supernodes, in pairs of numbers.
 * Dekker, Numerische Mathematik 18, 1971 (the arithmetic); Ng, Peyton, SIAM J. Scientific Computing
 * 14, 1993 (the order of the updates, as in ldl.c).
 *
 * Entries are added up as sums of products (base/pair.h) and made a number and its rounding when
 * their column is finished. The sums need every operation rounded on its own: this file is none of
 * those that may contract them. */
#include "ldl_pairs.h"

#include "base/pair.h"
#include "base/vector.h"

typedef struct pair {
    double hi, lo;
} pair;

/* The same sum with |lo| at most half a unit of hi's last place. */
PERP_INLINED pair normalise(double hi, double lo)
{
    double rest = 0;
    pair_add(lo, &hi, &rest);
    return (pair){hi, rest};
}

PERP_INLINED pair multiply(pair a, double hi, double lo)
{
    double product = a.hi * hi;
    return normalise(product, fma(a.hi, hi, -product) + (a.hi * lo + a.lo * hi));
}

PERP_INLINED pair divide(double hi, double lo, pair by)
{
    double q = hi / by.hi;
    return normalise(q, (fma(-q, by.hi, hi) + (lo - q * by.lo)) / by.hi);
}

/* (hi, lo) -= a (b_hi, b_lo) */
PERP_INLINED void subtract(pair a, double b_hi, double b_lo, double *hi, double *lo)
{
    pair_add_product(-a.hi, b_hi, hi, lo);
    *lo -= a.hi * b_lo + a.lo * b_hi;
}

/* ---- the factor ---- */

bool perp_ldl_pairs_open(perp_ldl_pairs *f, perp_arena *a, const perp_ldl *like)
{
    perp_panels *p = &f->panels;
    *f = (perp_ldl_pairs){.negative = like->negative};
    p->of = like->panels.of;
    p->places = like->panels.places;
    if (!perp_panels_open(p, a, true)) return false;
    f->low = perp_alloc_unset(a, perp_supernodes_size(&p->of), sizeof *f->low);
    f->low_d = perp_alloc_unset(a, (size_t)p->of.n, sizeof *f->low_d);
    f->low_x = perp_alloc_unset(a, (size_t)p->of.n, sizeof *f->low_x);
    return !a->failed;
}

static void assemble(perp_ldl_pairs *f, int s, const double *x)
{
    perp_panels *p = &f->panels;
    size_t from = p->of.panel[s], size = p->of.panel[s + 1] - from;
    const perp_places *to = &p->places;
    memset(p->L + from, 0, size * sizeof *p->L);
    memset(f->low + from, 0, size * sizeof *f->low);
    for (int k = to->entries[s]; k < to->entries[s + 1]; k++) p->L[to->place[k]] = x[to->entry[k]];
}

/* What column l of supernode d, scaled to a, subtracts from a column of a panel: its rows from
 * `from` to `count` go where map has them. */
PERP_INLINED void update_column(const perp_panels *p, pair a, int d, const double *hi,
                                const double *lo, int from, double *to, double *to_low)
{
    const int *list = p->of.row + p->of.rows[d], *map = p->map;
    int count = p->of.count[d], top = map[list[from]];
    if (map[list[count - 1]] - top == count - 1 - from) {
        to += top;
        to_low += top;
        for (int r = from; r < count; r++) {
            subtract(a, hi[r], lo[r], &to[r - from], &to_low[r - from]);
        }
        return;
    }
    for (int r = from; r < count; r++) {
        subtract(a, hi[r], lo[r], &to[map[list[r]]], &to_low[map[list[r]]]);
    }
}

/* Subtract from the panel of s what d has for its columns, which are rows [at, end) of d. */
PERP_INLINED void update(perp_ldl_pairs *f, int s, int d, int at, int end)
{
    perp_panels *p = &f->panels;
    const perp_supernodes *of = &p->of;
    int k = perp_super_width(of, d);
    size_t ld = (size_t)perp_super_height(of, d), ld_s = (size_t)perp_super_height(of, s);
    for (int c = at; c < end; c++) {
        int column = of->row[of->rows[d] + (size_t)c] - of->first[s];
        size_t to = of->panel[s] + (size_t)column * ld_s;
        for (int l = 0; l < k; l++) {
            size_t from = of->panel[d] + (size_t)l * ld + (size_t)k;
            pair pivot = {p->d[of->first[d] + l], f->low_d[of->first[d] + l]};
            pair a = multiply(pivot, p->L[from + (size_t)c], f->low[from + (size_t)c]);
            update_column(p, a, d, p->L + from, f->low + from, c, p->L + to, f->low + to);
        }
    }
    perp_watch_spent(&p->watched, (double)k * (end - at) * (of->count[d] - at));
}

/* The columns of a panel that has all updates; returns how many pivots were replaced. */
PERP_INLINED int factor_panel(perp_ldl_pairs *f, int s, double least, double instead)
{
    perp_panels *p = &f->panels;
    int k = perp_super_width(&p->of, s), rows = perp_super_height(&p->of, s), replaced = 0;
    size_t ld = (size_t)rows;
    double *hi = p->L + p->of.panel[s], *lo = f->low + p->of.panel[s];
    for (int j = 0; j < k && !p->watched.stopped; j++) {
        double *own = hi + (size_t)j * ld, *own_low = lo + (size_t)j * ld;
        int at = p->of.first[s] + j;
        for (int l = 0; l < j; l++) {
            const double *other = hi + (size_t)l * ld, *other_low = lo + (size_t)l * ld;
            pair pivot = {p->d[at - j + l], f->low_d[at - j + l]};
            pair a = multiply(pivot, other[j], other_low[j]);
            for (int r = j; r < rows; r++) {
                subtract(a, other[r], other_low[r], &own[r], &own_low[r]);
            }
        }
        double sign = f->negative && f->negative[at] ? -1 : 1;
        pair pivot = normalise(own[j], own_low[j]);
        if (!(sign * pivot.hi >= least)) {
            pivot = (pair){sign * instead, 0};
            replaced++;
        }
        p->d[at] = pivot.hi;
        f->low_d[at] = pivot.lo;
        for (int r = j + 1; r < rows; r++) {
            pair q = divide(own[r], own_low[r], pivot);
            own[r] = q.hi;
            own_low[r] = q.lo;
        }
        perp_watch_spent(&p->watched, (double)(j + 1) * (rows - j));
    }
    return replaced;
}

PERP_CLONED(int, factor, (perp_ldl_pairs * f, const double *x, double least, double instead),
            (f, x, least, instead))
{
    perp_panels *p = &f->panels;
    int replaced = 0;
    for (int s = 0; s < p->of.supers && !p->watched.stopped; s++) {
        assemble(f, s, x);
        panel_map_rows(p, s);
        for (int d = p->head[s], next; d >= 0; d = next) {
            int at = p->at[d], end = panel_same_super(&p->of, d, at);
            next = p->next[d];
            update(f, s, d, at, end);
            panel_wait(p, d, end);
        }
        replaced += factor_panel(f, s, least, instead);
        panel_wait(p, s, 0);
    }
    return replaced;
}

int perp_ldl_pairs_compute(perp_ldl_pairs *f, const double *x, double least, double instead)
{
    panel_begin(&f->panels);
    int replaced = factor(f, x, least, instead);
    if (f->panels.watched.stopped) return PERP_STOPPED;
    return vector_is_finite((size_t)f->panels.of.n, f->panels.d) ? replaced : -1;
}

/* ---- the solve ---- */

PERP_INLINED void solve_forward(const perp_ldl_pairs *f, int s, double *x, double *low)
{
    const perp_supernodes *of = &f->panels.of;
    int k = perp_super_width(of, s), first = of->first[s];
    const int *list = of->row + of->rows[s];
    size_t ld = (size_t)perp_super_height(of, s);
    for (int c = 0; c < k; c++) {
        const double *hi = f->panels.L + of->panel[s] + (size_t)c * ld;
        const double *lo = f->low + of->panel[s] + (size_t)c * ld;
        pair own = normalise(x[first + c], low[first + c]);
        x[first + c] = own.hi;
        low[first + c] = own.lo;
        for (int r = c + 1; r < k; r++) subtract(own, hi[r], lo[r], &x[first + r], &low[first + r]);
        for (int r = 0; r < of->count[s]; r++) {
            subtract(own, hi[k + r], lo[k + r], &x[list[r]], &low[list[r]]);
        }
    }
}

PERP_INLINED void solve_backward(const perp_ldl_pairs *f, int s, double *x, double *low)
{
    const perp_supernodes *of = &f->panels.of;
    int k = perp_super_width(of, s), first = of->first[s];
    const int *list = of->row + of->rows[s];
    size_t ld = (size_t)perp_super_height(of, s);
    for (int c = k - 1; c >= 0; c--) {
        const double *hi = f->panels.L + of->panel[s] + (size_t)c * ld;
        const double *lo = f->low + of->panel[s] + (size_t)c * ld;
        double *own = &x[first + c], *own_low = &low[first + c];
        for (int r = c + 1; r < k; r++) {
            subtract((pair){hi[r], lo[r]}, x[first + r], low[first + r], own, own_low);
        }
        for (int r = 0; r < of->count[s]; r++) {
            subtract((pair){hi[k + r], lo[k + r]}, x[list[r]], low[list[r]], own, own_low);
        }
        pair sum = normalise(*own, *own_low);
        *own = sum.hi;
        *own_low = sum.lo;
    }
}

PERP_CLONED_VOID(solve_panels, (const perp_ldl_pairs *f, double *x, double *low), (f, x, low))
{
    const perp_supernodes *of = &f->panels.of;
    for (int s = 0; s < of->supers; s++) solve_forward(f, s, x, low);
    for (int k = 0; k < of->n; k++) {
        pair q = divide(x[k], low[k], (pair){f->panels.d[k], f->low_d[k]});
        x[k] = q.hi;
        low[k] = q.lo;
    }
    for (int s = of->supers - 1; s >= 0; s--) solve_backward(f, s, x, low);
}

void perp_ldl_pairs_solve(perp_ldl_pairs *f, const double *b, double *x, double *low)
{
    const int *perm = f->panels.of.perm;
    double *y = f->panels.x, *y_low = f->low_x;
    for (int k = 0; k < f->panels.of.n; k++) {
        y[k] = b[perm[k]];
        y_low[k] = 0;
    }
    solve_panels(f, y, y_low);
    for (int k = 0; k < f->panels.of.n; k++) {
        x[perm[k]] = y[k];
        low[perm[k]] = y_low[k];
    }
}
