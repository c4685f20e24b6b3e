/* cone/jacobian.c: the matrix of a Newton step, see jacobian.h. Column by column: what a block's
 * rows see of a column of W + alpha I is multiplied by the block's derivatives. */
#include "jacobian.h"

#include "base/vector.h"
#include "linalg/dense.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define DENSE_SHARE 0.125 /* of entries that are there: beyond it LU fills in anyway */

/* ---- opening ---- */

static void find_places(perp_cone_jacobian *j)
{
    const perp_cone_set *set = &j->s->set;
    j->entries = 0;
    for (int b = 0; b < set->blocks; b++) {
        size_t d = (size_t)set->block[b].count;
        j->at[b] = j->entries;
        j->entries += d * d;
        for (int k = 0; k < set->block[b].count; k++) {
            j->block[set->row[set->block[b].first + k]] = b;
            j->local[set->row[set->block[b].first + k]] = k;
        }
    }
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Entries of column c of J: the rows of its own block, and of those that W has there. `seen` holds
 * the last column of each block; i may be NULL. */
static int list_column(const perp_cone_jacobian *j, int c, int *seen, int *i)
{
    const perp_cone_set *set = &j->s->set;
    const struct perp_csc_view *W = &j->s->sparse.as.csc;
    int count = 0;
    bool sorted = true;
    for (int k = W->p[c] - 1; k < W->p[c + 1]; k++) {
        int b = j->block[k < W->p[c] ? c : W->i[k]];
        if (seen[b] == c + 1) continue;
        seen[b] = c + 1;
        for (int m = 0; i && m < set->block[b].count; m++) {
            i[count + m] = set->row[set->block[b].first + m];
            sorted = sorted && (count + m == 0 || i[count + m - 1] < i[count + m]);
        }
        count += set->block[b].count;
    }
    if (i && !sorted) qsort(i, (size_t)count, sizeof *i, by_number);
    return count;
}

/* The pattern, where it is sparse enough; false: there is no memory. */
static bool open_pattern(perp_cone_jacobian *j)
{
    perp_run *run = j->s->run;
    int n = j->s->n;
    double most = DENSE_SHARE * n * n, all = 0;
    int *p = PERP_ALLOC(run, int, n + 1), *seen = PERP_ALLOC(run, int, j->s->set.blocks);
    if (run->arena->failed) return false;
    for (int c = 0; c < n; c++) {
        int count = list_column(j, c, seen, NULL);
        all += count;
        p[c + 1] = all < INT_MAX ? p[c] + count : 0;
    }
    if (all > most || all > INT_MAX) return true;
    int *i = PERP_ALLOC(run, int, all);
    if (run->arena->failed) return false;
    memset(seen, 0, (size_t)j->s->set.blocks * sizeof *seen);
    for (int c = 0; c < n; c++) list_column(j, c, seen, i + p[c]);
    j->p = p;
    j->i = i;
    return true;
}

static perp_status open_dense(perp_cone_jacobian *j)
{
    perp_run *run = j->s->run;
    size_t n = (size_t)j->s->n;
    if (n > PERP_CONE_JACOBIAN_ROWS) {
        return perp_fail(run, PERP_E_FORMAT,
                         "%zu rows are too many for a dense Jacobian, at most %d", n,
                         PERP_CONE_JACOBIAN_ROWS);
    }
    j->x = PERP_ALLOC(run, double, n *n);
    j->pivot = PERP_ALLOC(run, int, n);
    return run->arena->failed ? PERP_E_MEMORY : PERP_SOLVED;
}

perp_status perp_cone_jacobian_open(perp_cone_jacobian *j, const perp_cone_system *s)
{
    perp_run *run = s->run;
    *j = (perp_cone_jacobian){.s = s};
    j->at = PERP_ALLOC(run, size_t, s->set.blocks);
    j->block = PERP_ALLOC(run, int, s->n);
    j->local = PERP_ALLOC(run, int, s->n);
    j->column = PERP_ALLOC(run, double, s->n);
    if (run->arena->failed) return PERP_E_MEMORY;
    find_places(j);
    if (!s->dense && !open_pattern(j)) return PERP_E_MEMORY;
    if (!j->i) return open_dense(j);
    j->x = PERP_ALLOC(run, double, j->p[s->n]);
    if (run->arena->failed) return PERP_E_MEMORY;
    j->factor = perp_factor_open(run->arena, PERP_LU, s->n, j->p, j->i);
    return j->factor ? PERP_SOLVED : PERP_E_MEMORY;
}

/* ---- a system ---- */

/* Entry (i, c) of J, whose column of W + alpha I is at hand. */
static inline double find_entry(const perp_cone_jacobian *j, int i, int c, const double *by_z,
                                const double *by_u)
{
    const perp_cone_set *set = &j->s->set;
    int b = j->block[i], d = set->block[b].count;
    const int *row = set->row + set->block[b].first;
    const double *D = by_u + j->at[b] + j->local[i];
    double sum = j->block[c] == b ? by_z[j->at[b] + (size_t)(j->local[c] * d + j->local[i])] : 0;
    for (int k = 0; k < d; k++) sum += D[k * d] * j->column[row[k]];
    return sum;
}

/* Column c of W + alpha I, in the place of that of column c - 1. */
static void read_column(perp_cone_jacobian *j, int c, double alpha)
{
    const perp_cone_system *s = j->s;
    const struct perp_csc_view *W = &s->sparse.as.csc;
    if (s->dense) memset(j->column, 0, (size_t)s->n * sizeof *j->column);
    if (!s->dense && c > 0) {
        for (int k = W->p[c - 1]; k < W->p[c]; k++) j->column[W->i[k]] = 0;
        j->column[c - 1] = 0;
    }
    perp_cone_system_add_column(s, c, 1, j->column);
    j->column[c] += alpha;
}

bool perp_cone_jacobian_factor(perp_cone_jacobian *j, const double *by_z, const double *by_u,
                               double alpha)
{
    int n = j->s->n;
    perp_arena *a = j->s->run->arena;
    perp_watched watched = perp_watch_begin(a);
    memset(j->column, 0, (size_t)n * sizeof *j->column);
    for (int c = 0; c < n; c++) {
        int count = j->i ? j->p[c + 1] - j->p[c] : n;
        double *x = j->x + (j->i ? (size_t)j->p[c] : (size_t)c * (size_t)n);
        read_column(j, c, alpha);
        for (int k = 0; k < count; k++) {
            x[k] = find_entry(j, j->i ? j->i[j->p[c] + k] : k, c, by_z, by_u);
        }
        if (perp_watch_spent(&watched, (double)j->s->set.largest * count)) return false;
    }
    return j->i ? perp_factor_compute(j->factor, j->x) == 0
                : perp_lu_factor(n, j->x, n, j->pivot, a->watch) == 0;
}

bool perp_cone_jacobian_solve(perp_cone_jacobian *j, double *x)
{
    int n = j->s->n;
    if (j->i) return perp_factor_solve(j->factor, false, x, x) == 0;
    perp_lu_solve(n, j->x, n, j->pivot, false, 1, x);
    return vector_is_finite((size_t)n, x);
}
