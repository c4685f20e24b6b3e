/* linalg/lu_panels.c: left-looking supernodal A = L D U on a symmetric pattern.
 * Ng, Peyton, SIAM J. Scientific Computing 14, 1993, for two triangles; Schenk, Gaertner, Future
 * Generation Computer Systems 20(3) 2004 (pivots within the blocks of supernodes).
 *
 * The panel of L begins with the whole block of its own, in which rows are exchanged; U's part of
 * it moves to the panel of U' when it is done. Twice the multiplications of L D L'. */
#include "lu_panels.h"

#include "base/vector.h"

#include <math.h>

#define BLOCK PERP_PANEL_BLOCK
/* A pivot off the diagonal is the largest of its block; the diagonal is taken where it has this
 * part of that. The exchange costs nothing in fill, so that it need not be small. */
#define DIAGONAL_LEAST 0.1

bool perp_lu_panels_open(perp_panels *f, perp_arena *a, int n, const int *p, const int *i)
{
    int *lower_p, *lower_i;
    *f = (perp_panels){0};
    return perp_lower_pattern(a, n, p, i, PERP_BOTH, &lower_p, &lower_i) &&
           perp_supernodes_open(&f->of, a, n, lower_p, lower_i) &&
           perp_supernodes_place(&f->of, a, p, i, PERP_BOTH, &f->places) &&
           perp_panels_open(f, a, false);
}

static void assemble(perp_panels *f, int s, const double *x, const int *row, const double *scale)
{
    const perp_supernodes *of = &f->of;
    const perp_places *to = &f->places;
    size_t size = (of->panel[s + 1] - of->panel[s]) * sizeof *f->L;
    memset(f->L + of->panel[s], 0, size);
    memset(f->U + of->panel[s], 0, size);
    for (int k = to->entries[s]; k < to->entries[s + 1]; k++) {
        int e = to->entry[k];
        f->L[to->place[k]] = x[e] * scale[row[e]];
    }
}

/* The largest |x_r|, 0 for NaN. */
PERP_INLINED double largest(int m, const double *x)
{
    double most = 0;
    for (int r = 0; r < m; r++) most = fabs(x[r]) > most ? fabs(x[r]) : most;
    return most;
}

/* The pivot's row among the k - j own ones; -1: none will do. */
PERP_INLINED int choose_pivot(int own, int rows, const double *column, double least)
{
    double below = largest(rows - own, column + own), within = largest(own, column);
    double most = below > within ? below : within, diagonal = fabs(column[0]);
    if (!(within >= least * most) || !(within > 0)) return -1;
    if (diagonal >= DIAGONAL_LEAST * within && diagonal >= least * most) return 0;
    int at = 0;
    while (fabs(column[at]) < within) at++;
    return at;
}

static void exchange_rows(double *panel, int ld, int k, int a, int b)
{
    for (int c = 0; c < k; c++) {
        double *column = panel + (size_t)c * (size_t)ld, x = column[a];
        column[a] = column[b];
        column[b] = x;
    }
}

/* Columns [b, b + width) of the panel, whose earlier columns are subtracted already: L below the
 * diagonal, U on and above it. False: no pivot. */
PERP_INLINED bool factor_block(perp_panels *f, int s, int b, int width, double least, double *u)
{
    int k = perp_super_width(&f->of, s), ld = perp_super_height(&f->of, s), first = f->of.first[s];
    double *panel = f->L + f->of.panel[s], *A = panel + (size_t)b * (size_t)ld + (size_t)b;
    for (int j = 0; j < width; j++) {
        double *column = A + (size_t)j * (size_t)ld;
        for (int l = 0; l < j; l++) {
            double x = column[l];
            for (int c = 0; c < l; c++) x -= A[(size_t)c * (size_t)ld + (size_t)l] * u[c];
            u[l] = column[l] = x;
        }
        panel_subtract(j, ld - b - j, A + j, (size_t)ld, u, column + j);
        int own = k - b - j, at = choose_pivot(own, ld - b - j, column + j, least);
        if (at < 0) return false;
        f->swap[first + b + j] = b + j + at;
        if (at > 0) {
            exchange_rows(panel, ld, k, b + j, b + j + at);
            f->swapped = true;
        }
        f->d[first + b + j] = column[j];
        double by = 1 / column[j];
        for (int r = j + 1; r < ld - b; r++) column[r] *= by;
    }
    return true;
}

/* The columns behind a block: the rows of U that the block has there, and their products. */
static void update_rest(perp_panels *f, double *A, int ld, int width, int rest, int below)
{
    double minus = -1, one = 1, *right = A + (size_t)width * (size_t)ld;
    dtrsm_("L", "L", "N", "U", &width, &rest, &one, A, &ld, right, &ld, 1, 1, 1, 1);
    for (int c = 0; c < rest && !f->watched.stopped; c += BLOCK) {
        int q = rest - c < BLOCK ? rest - c : BLOCK;
        double *U = right + (size_t)c * (size_t)ld;
        dgemm_("N", "N", &below, &q, &width, &minus, A + width, &ld, U, &ld, &one, U + width, &ld,
               1, 1);
        perp_watch_spent(&f->watched, (double)below * q * width);
    }
}

/* U of the own block, its rows divided by the pivots, to the triangle of the panel of U'. */
static void move_triangle(int k, int ld, const double *L, const double *d, double *U)
{
    for (int l = 0; l < k; l++) {
        double by = 1 / d[l];
        double *to = U + (size_t)l * (size_t)ld;
        for (int j = l + 1; j < k; j++) to[j] = L[(size_t)j * (size_t)ld + (size_t)l] * by;
    }
}

/* The further rows of U' : exchanged as those of the own block, divided by L, then by D. */
PERP_INLINED void finish_right(perp_panels *f, int s, double *a)
{
    int k = perp_super_width(&f->of, s), m = f->of.count[s], ld = k + m, first = f->of.first[s];
    const double *L = f->L + f->of.panel[s];
    double *U = f->U + f->of.panel[s] + k, one = 1;
    for (int j = 0; f->swapped && j < k; j++) {
        int at = f->swap[first + j];
        double *x = U + (size_t)j * (size_t)ld, *y = U + (size_t)at * (size_t)ld;
        for (int r = 0; at != j && r < m; r++) {
            double old = x[r];
            x[r] = y[r];
            y[r] = old;
        }
    }
    if ((double)m * k * k > 2 * PERP_PANEL_LARGE) {
        int some = (int)(PERP_PANEL_MOST / ((double)k * k)) + 8;
        for (int r = 0; r < m && !f->watched.stopped; r += some) {
            int rows = m - r < some ? m - r : some;
            dtrsm_("R", "L", "T", "U", &rows, &k, &one, L, &ld, U + r, &ld, 1, 1, 1, 1);
            perp_watch_spent(&f->watched, 0.5 * k * k * rows);
        }
    } else {
        for (int j = 1; j < k; j++) {
            for (int l = 0; l < j; l++) a[l] = L[(size_t)l * (size_t)ld + (size_t)j];
            panel_subtract(j, m, U, (size_t)ld, a, U + (size_t)j * (size_t)ld);
        }
    }
    for (int j = 0; j < k; j++) {
        double *restrict column = U + (size_t)j * (size_t)ld, by = 1 / f->d[first + j];
        for (int r = 0; r < m; r++) column[r] *= by;
    }
}

/* False: no pivot, or stopped. */
PERP_INLINED bool factor_panel(perp_panels *f, int s, double least)
{
    int k = perp_super_width(&f->of, s), ld = perp_super_height(&f->of, s);
    double *panel = f->L + f->of.panel[s];
    for (int b = 0; b < k; b += BLOCK) {
        int width = k - b < BLOCK ? k - b : BLOCK, rest = k - b - width;
        if (!factor_block(f, s, b, width, least, f->scaled)) return false;
        if (perp_watch_spent(&f->watched, 0.5 * width * width * (ld - b))) return false;
        if (rest == 0) break;
        update_rest(f, panel + (size_t)b * (size_t)ld + (size_t)b, ld, width, rest, ld - b - width);
    }
    move_triangle(k, ld, panel, f->d + f->of.first[s], f->U + f->of.panel[s]);
    finish_right(f, s, f->scaled);
    return !f->watched.stopped;
}

/* 0: done; otherwise the supernode, counted from 1, that has no pivot. */
PERP_CLONED(int, factor,
            (perp_panels * f, const double *x, const int *row, const double *scale, double least),
            (f, x, row, scale, least))
{
    const perp_supernodes *of = &f->of;
    for (int s = 0; s < of->supers; s++) {
        size_t panel = of->panel[s];
        assemble(f, s, x, row, scale);
        panel_map_rows(f, s);
        for (int d = f->head[s], next; d >= 0; d = next) {
            int at = f->at[d], end = panel_same_super(of, d, at);
            const double *L = f->L + of->panel[d], *U = f->U + of->panel[d];
            next = f->next[d];
            panel_update(f, s, f->L + panel, d, L, U, at, at, end, false);
            panel_update(f, s, f->U + panel, d, U, L, end, at, end, false);
            panel_wait(f, d, end);
        }
        if (f->watched.stopped || !factor_panel(f, s, least)) return s + 1;
        panel_wait(f, s, 0);
    }
    return 0;
}

int perp_lu_panels_compute(perp_panels *f, const double *x, const int *row, const double *scale,
                           double least)
{
    panel_begin(f);
    int failed = factor(f, x, row, scale, least);
    if (f->watched.stopped) return PERP_STOPPED;
    return failed || vector_is_finite((size_t)f->of.n, f->d) ? failed : f->of.supers;
}
