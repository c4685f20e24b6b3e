/* linalg/lu_columns_solve.c: solves with the factors of lu_columns.c.
 *
 * L by supernodes, U by columns; two multiplications an entry. */
#include "base/clones.h"
#include "lu_columns.h"

/* x = L^-1 x, x by rows, y by pivots. */
PERP_INLINED void solve_lower(perp_lu_columns *f, double *x, double *y)
{
    for (int t = 0; t < f->supers; t++) {
        const perp_lu_super *s = &f->super[t];
        for (int c = 0; c < s->width; c++) {
            const double *column = s->L + (size_t)c * (size_t)s->height;
            double value = y[s->first + c] = x[s->row[c]];
            for (int r = c + 1; r < s->height; r++) x[s->row[r]] -= column[r] * value;
        }
    }
}

PERP_INLINED void solve_lower_transposed(perp_lu_columns *f, const double *y, double *x)
{
    for (int t = f->supers - 1; t >= 0; t--) {
        const perp_lu_super *s = &f->super[t];
        for (int c = s->width - 1; c >= 0; c--) {
            const double *column = s->L + (size_t)c * (size_t)s->height;
            double value = y[s->first + c];
            for (int r = c + 1; r < s->height; r++) value -= column[r] * x[s->row[r]];
            x[s->row[c]] = value;
        }
    }
}

PERP_INLINED void solve_upper(perp_lu_columns *f, double *y)
{
    for (int j = f->n - 1; j >= 0; j--) {
        const perp_lu_column *column = &f->column[j];
        const double *u = column->x;
        double value = y[j] /= f->d[j];
        for (int s = 0; s < column->segments; s++) {
            double *restrict to = y + column->from[2 * s];
            int count = column->from[2 * s + 1];
            for (int k = 0; k < count; k++) to[k] -= u[k] * value;
            u += count;
        }
    }
}

PERP_INLINED void solve_upper_transposed(perp_lu_columns *f, double *y)
{
    for (int j = 0; j < f->n; j++) {
        const perp_lu_column *column = &f->column[j];
        const double *u = column->x;
        double value = y[j];
        for (int s = 0; s < column->segments; s++) {
            const double *from = y + column->from[2 * s];
            int count = column->from[2 * s + 1];
            for (int k = 0; k < count; k++) value -= u[k] * from[k];
            u += count;
        }
        y[j] = value / f->d[j];
    }
}

PERP_CLONED_VOID(solve, (perp_lu_columns * f, bool transpose, double *x, double *y),
                 (f, transpose, x, y))
{
    if (transpose) {
        for (int j = 0; j < f->n; j++) y[j] = x[f->order[j]];
        solve_upper_transposed(f, y);
        solve_lower_transposed(f, y, x);
    } else {
        solve_lower(f, x, y);
        solve_upper(f, y);
        for (int j = 0; j < f->n; j++) x[f->order[j]] = y[j];
    }
}

void perp_lu_columns_solve(perp_lu_columns *f, bool transpose, const double *b, double *x)
{
    if (x != b) memcpy(x, b, (size_t)f->n * sizeof *x);
    solve(f, transpose, x, f->y);
}
