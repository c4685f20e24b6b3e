/* linalg/ldl.c: left-looking supernodal L D L' with known signs, and Cholesky.
 * Ng, Peyton, SIAM J. Scientific Computing 14, 1993; Vanderbei, SIAM J. Optimization 5, 1995.
 *
 * panels.h has the updates between supernodes; a panel is factored in blocks of columns. */
#include "ldl.h"

#include "base/vector.h"

#include <float.h>

/* Rows of a block that are finished together: 128 of 48 columns are 48 kB, the first cache. */
#define TILE 128
#define BLOCK PERP_PANEL_BLOCK

/* ---- opening ---- */

static bool open_signs(perp_ldl *f, perp_arena *a, const bool *negative)
{
    int n = f->panels.of.n;
    if (!negative) return true;
    f->negative = perp_alloc_unset(a, (size_t)n, sizeof *f->negative);
    if (a->failed) return false;
    for (int k = 0; k < n; k++) f->negative[k] = negative[f->panels.of.perm[k]];
    return true;
}

bool perp_ldl_open(perp_ldl *f, perp_arena *a, int n, const int *p, const int *i,
                   const bool *negative)
{
    *f = (perp_ldl){0};
    perp_panels *panels = &f->panels;
    return perp_supernodes_open(&panels->of, a, n, p, i) &&
           perp_supernodes_place(&panels->of, a, p, i, PERP_LOWER, &panels->places) &&
           perp_panels_open(panels, a, true) && open_signs(f, a, negative);
}

bool perp_cholesky_open(perp_ldl *f, perp_arena *a, int n, const int *p, const int *i)
{
    *f = (perp_ldl){0};
    perp_panels *panels = &f->panels;
    int *lower_p, *lower_i;
    return perp_lower_pattern(a, n, p, i, PERP_LOWER, &lower_p, &lower_i) &&
           perp_supernodes_open(&panels->of, a, n, lower_p, lower_i) &&
           perp_supernodes_place(&panels->of, a, p, i, PERP_LOWER, &panels->places) &&
           perp_panels_open(panels, a, true);
}

size_t perp_ldl_size(const perp_ldl *f)
{
    return perp_supernodes_size(&f->panels.of);
}

/* ---- the factor ---- */

/* What is done with pivots that are less than `least` in their sign. */
typedef struct pivot_rule {
    double least, instead;
    bool strict; /* they end the factorisation */
    int replaced;
} pivot_rule;

/* The pivot of a column, in its sign: `instead` where it is too small. False: it ends here. */
PERP_INLINED bool choose_pivot(double *pivot, bool negative, pivot_rule *rule)
{
    double sign = negative ? -1 : 1;
    if (sign * *pivot >= rule->least) return true;
    if (rule->strict) return false;
    *pivot = sign * rule->instead;
    rule->replaced++;
    return true;
}

/* A block of columns with its first `rows` rows, the triangle among them; returns the columns done.
 * a has room for a row. */
PERP_INLINED int factor_rows(int width, int rows, double *A, size_t ld, const bool *negative,
                             pivot_rule *rule, double *d, double *a)
{
    for (int j = 0; j < width; j++) {
        double *column = A + (size_t)j * ld;
        for (int l = 0; l < j; l++) a[l] = d[l] * A[(size_t)l * ld + (size_t)j];
        panel_subtract(j, rows - j, A + j, ld, a, column + j);
        if (!choose_pivot(&column[j], negative && negative[j], rule)) return j;
        d[j] = column[j];
        double by = 1 / d[j];
        for (int r = j + 1; r < rows; r++) column[r] *= by;
    }
    return width;
}

/* `m` further rows of a block whose triangle T is factored. */
PERP_INLINED void finish_rows(int width, int m, const double *T, double *rows, size_t ld,
                              const double *d, double *a)
{
    for (int j = 0; j < width; j++) {
        double *restrict column = rows + (size_t)j * ld, by = 1 / d[j];
        for (int l = 0; l < j; l++) a[l] = d[l] * T[(size_t)l * ld + (size_t)j];
        panel_subtract(j, m, rows, ld, a, column);
        for (int r = 0; r < m; r++) column[r] *= by;
    }
}

/* A block of columns of length `rows`, some rows at a time so that these stay in the cache. */
PERP_INLINED int factor_block(int width, int rows, double *A, size_t ld, const bool *negative,
                              pivot_rule *rule, double *d, double *a)
{
    int first = rows < width + TILE ? rows : width + TILE;
    int done = factor_rows(width, first, A, ld, negative, rule, d, a);
    for (int from = first; done == width && from < rows; from += TILE) {
        int m = rows - from < TILE ? rows - from : TILE;
        finish_rows(width, m, A, A + from, ld, d, a);
    }
    return done;
}

/* What a block subtracts from the columns behind it; `scaled` are its rows there times D. */
static void update_rest(perp_panels *f, double *A, int ld, int width, int rest, int below)
{
    double minus = -1, one = 1;
    for (int c = 0; c < rest && !f->watched.stopped; c += BLOCK) {
        int q = rest - c < BLOCK ? rest - c : BLOCK, m = below - c;
        double *to = A + (size_t)(width + c) * (size_t)ld + (size_t)(width + c);
        dgemm_("N", "T", &m, &q, &width, &minus, A + width + c, &ld, f->scaled + c, &rest, &one, to,
               &ld, 1, 1);
        perp_watch_spent(&f->watched, (double)m * q * width);
    }
}

/* Returns the columns done. */
PERP_INLINED int factor_panel(perp_ldl *ldl, int s, pivot_rule *rule)
{
    perp_panels *f = &ldl->panels;
    int k = perp_super_width(&f->of, s), ld = perp_super_height(&f->of, s), first = f->of.first[s];
    double *panel = f->L + f->of.panel[s];
    for (int b = 0; b < k; b += BLOCK) {
        int width = k - b < BLOCK ? k - b : BLOCK, below = ld - b - width, rest = k - b - width;
        double *A = panel + (size_t)b * (size_t)ld + (size_t)b, *d = f->d + first + b;
        const bool *negative = ldl->negative ? ldl->negative + first + b : NULL;
        int done = factor_block(width, ld - b, A, (size_t)ld, negative, rule, d, f->scaled);
        if (done < width) return b + done;
        if (perp_watch_spent(&f->watched, 0.5 * width * width * (ld - b))) return b;
        if (rest == 0) break;
        panel_scale_rows(A + width, (size_t)ld, rest, width, d, f->scaled);
        update_rest(f, A, ld, width, rest, below);
    }
    return k;
}

static void assemble(perp_panels *f, int s, const double *x)
{
    const perp_supernodes *of = &f->of;
    const perp_places *to = &f->places;
    memset(f->L + of->panel[s], 0, (of->panel[s + 1] - of->panel[s]) * sizeof *f->L);
    for (int k = to->entries[s]; k < to->entries[s + 1]; k++) f->L[to->place[k]] = x[to->entry[k]];
}

/* Returns the columns done. */
PERP_CLONED(int, factor, (perp_ldl * ldl, const double *x, pivot_rule *rule), (ldl, x, rule))
{
    perp_panels *f = &ldl->panels;
    const perp_supernodes *of = &f->of;
    for (int s = 0; s < of->supers; s++) {
        assemble(f, s, x);
        panel_map_rows(f, s);
        for (int d = f->head[s], next; d >= 0; d = next) {
            int at = f->at[d], end = panel_same_super(of, d, at);
            const double *L = f->L + of->panel[d];
            next = f->next[d];
            panel_update(f, s, f->L + of->panel[s], d, L, L, at, at, end, true);
            panel_wait(f, d, end);
        }
        int done = f->watched.stopped ? 0 : factor_panel(ldl, s, rule);
        if (done < perp_super_width(of, s) || f->watched.stopped) return of->first[s] + done;
        panel_wait(f, s, 0);
    }
    return of->n;
}

int perp_ldl_compute(perp_ldl *f, const double *x, double least, double instead)
{
    pivot_rule rule = {.least = least, .instead = instead};
    panel_begin(&f->panels);
    factor(f, x, &rule);
    if (f->panels.watched.stopped) return PERP_STOPPED;
    return vector_is_finite((size_t)f->panels.of.n, f->panels.d) ? rule.replaced : -1;
}

int perp_cholesky_compute(perp_ldl *f, const double *x)
{
    const perp_panels *panels = &f->panels;
    pivot_rule rule = {.least = DBL_TRUE_MIN, .strict = true};
    panel_begin(&f->panels);
    int n = panels->of.n, done = factor(f, x, &rule);
    if (panels->watched.stopped) return PERP_STOPPED;
    for (int k = 0; k < done; k++) {
        if (!isfinite(panels->d[k])) done = k;
    }
    return done == n ? 0 : panels->of.perm[done] + 1;
}

void perp_ldl_solve(perp_ldl *f, const double *b, double *x)
{
    perp_panels_solve(&f->panels, false, b, x);
}
