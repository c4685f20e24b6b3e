/* linalg/markowitz_lu.c: sparse elimination with Markowitz pivots and a dense core.
 * Markowitz, Management Science 3 (1957); Duff, Erisman, Reid, Direct Methods for Sparse Matrices
 * (2nd edition 2017), chapters 5, 7 and 10; the limited search after Zlatev, SIAM Journal on
 * Numerical Analysis 17 (1980). Values are kept by rows, patterns by columns too. */
#include "markowitz_lu.h"

#include "base/vector.h"
#include "base/watch.h"
#include "dense.h"

#include <float.h>
#include <limits.h>

#define FAR_WRITE 8.0   /* multiplications in the time of an entry that goes to another line */
#define SEARCH 1000     /* multiplications that take as long as the search of a pivot, about */
#define ACCEPTABLE 0.05 /* of the largest entry of its row, for a pivot */
#define SEARCHED 4      /* lines with acceptable entries that are looked at for a pivot */
#define FULL 0.2        /* part of all entries of what is left, at which it becomes the core */
#define SMALL 16        /* so few rows left are the core at once */
#define LOST 1000       /* rows left of a singular matrix, for a look at which are to blame */

bool perp_columns_reserve(perp_columns *c, perp_arena *arena, size_t used, size_t more)
{
    if (used + more <= c->room) return true;
    size_t room = used + more > 2 * c->room ? used + more : 2 * c->room;
    int *i = perp_alloc_unset(arena, room, sizeof *i);
    double *x = c->pattern ? NULL : perp_alloc_unset(arena, room, sizeof *x);
    if (arena->failed) return false;
    if (used) memcpy(i, c->i, used * sizeof *i);
    if (used && x) memcpy(x, c->x, used * sizeof *x);
    c->i = i;
    c->x = x;
    c->room = room;
    return true;
}

static bool open_lines(perp_lines *l, perp_arena *a, size_t most, size_t entries)
{
    l->start = perp_alloc(a, most, sizeof *l->start);
    int **const ints[] = {&l->count, &l->room, &l->next, &l->last, &l->first};
    for (int k = 0; k < 5; k++) *ints[k] = perp_alloc(a, most + 1, sizeof(int));
    return perp_columns_reserve(&l->entries, a, 0, entries + entries / 2 + 2 * most);
}

bool perp_elimination_open(perp_elimination *e, perp_arena *arena, int most, size_t entries)
{
    size_t size = (size_t)most;
    *e = (perp_elimination){.arena = arena, .most = most};
    int **const ints[] = {&e->row, &e->column, &e->mark, &e->swap, &e->order};
    for (int k = 0; k < 5; k++) *ints[k] = perp_alloc(arena, size + 1, sizeof(int));
    double **const reals[] = {&e->pivot, &e->largest, &e->value};
    for (int k = 0; k < 3; k++) *reals[k] = perp_alloc(arena, size + 1, sizeof(double));
    e->L.p = perp_alloc(arena, size + 1, sizeof *e->L.p);
    e->U.p = perp_alloc(arena, size + 1, sizeof *e->U.p);
    e->columns.entries.pattern = true;
    return perp_columns_reserve(&e->L, arena, 0, entries / 4) &&
           perp_columns_reserve(&e->U, arena, 0, entries / 4) &&
           open_lines(&e->rows, arena, size, entries) &&
           open_lines(&e->columns, arena, size, entries);
}

/* ---- lines ---- */

static void link_line(perp_lines *l, int k)
{
    int head = l->first[l->count[k]];
    l->next[k] = head;
    l->last[k] = -1;
    if (head >= 0) l->last[head] = k;
    l->first[l->count[k]] = k;
}

static void unlink_line(perp_lines *l, int k)
{
    int next = l->next[k], last = l->last[k];
    if (next >= 0) l->last[next] = last;
    if (last >= 0)
        l->next[last] = next;
    else
        l->first[l->count[k]] = next;
}

/* Close the gaps between the lines: the first entry of each becomes its name for a while. */
static void compress(perp_lines *l, int k)
{
    int *i = l->entries.i;
    double *x = l->entries.x;
    size_t to = 0;
    for (int r = 0; r < k; r++) {
        if (l->count[r] <= 0) {
            l->room[r] = 0;
            continue;
        }
        int *first = &i[l->start[r]];
        l->room[r] = *first; /* kept here meanwhile */
        *first = -r - 1;
    }
    for (size_t from = 0; from < l->used;) {
        if (i[from] >= 0) {
            from++;
            continue;
        }
        int r = -i[from] - 1, count = l->count[r];
        i[from] = l->room[r];
        memmove(i + to, i + from, (size_t)count * sizeof *i);
        if (x) memmove(x + to, x + from, (size_t)count * sizeof *x);
        l->start[r] = to;
        l->room[r] = count;
        to += (size_t)count;
        from += (size_t)count;
    }
    l->used = to;
}

/* Room for one more entry of line r, which may move. */
static bool make_room(perp_lines *l, perp_arena *a, int k, int r)
{
    if (l->count[r] < l->room[r]) return true;
    size_t want = (size_t)l->count[r] + (size_t)l->count[r] / 2 + 4;
    if (l->used + want > l->entries.room) {
        size_t before = l->used;
        compress(l, k);
        if (l->used + want > l->entries.room / 4 * 3 || l->used > before / 4 * 3) {
            if (!perp_columns_reserve(&l->entries, a, l->used, want)) return false;
        }
    }
    size_t from = l->start[r];
    size_t count = (size_t)l->count[r];
    double *x = l->entries.x;
    memcpy(l->entries.i + l->used, l->entries.i + from, count * sizeof(int));
    if (x) memcpy(x + l->used, x + from, count * sizeof *x);
    l->start[r] = l->used;
    l->room[r] = (int)want;
    /* indices are >= 0, in what is left behind too; so that none looks like a name: */
    memset(l->entries.i + l->used + count, 0, (want - count) * sizeof(int));
    l->used += want;
    return true;
}

static void remove_entry(perp_lines *l, int r, int index)
{
    size_t e = l->start[r], end = e + (size_t)l->count[r] - 1;
    while (l->entries.i[e] != index) e++;
    l->entries.i[e] = l->entries.i[end];
    if (l->entries.x) l->entries.x[e] = l->entries.x[end];
    l->count[r]--;
}

/* ---- filling them ---- */

static bool load(perp_elimination *e, const int *p, const int *i, const double *x)
{
    int k = e->k;
    size_t entries = (size_t)p[k];
    perp_lines *rows = &e->rows, *columns = &e->columns;
    size_t want = entries + entries / 2 + 2 * (size_t)k;
    if (!perp_columns_reserve(&rows->entries, e->arena, 0, want) ||
        !perp_columns_reserve(&columns->entries, e->arena, 0, want))
        return false;
    for (int r = 0; r < k; r++) {
        rows->count[r] = 0;
        e->largest[r] = 0;
    }
    for (size_t s = 0; s < entries; s++) {
        rows->room[i[s]] = 0;
        rows->count[i[s]]++;
    }
    rows->used = columns->used = entries;
    size_t start = 0;
    for (int r = 0; r < k; r++) {
        rows->start[r] = start;
        start += (size_t)rows->count[r];
        rows->room[r] = rows->count[r];
        rows->count[r] = 0;
    }
    perp_watched watched = perp_watch_begin(e->arena);
    for (int j = 0; j < k; j++) {
        if (perp_watch_spent(&watched, FAR_WRITE * (p[j + 1] - p[j]))) e->arena->failed = true;
        if (e->arena->failed) return false;
        columns->start[j] = (size_t)p[j];
        columns->count[j] = columns->room[j] = p[j + 1] - p[j];
        for (int s = p[j]; s < p[j + 1]; s++) {
            int r = i[s];
            size_t to = rows->start[r] + (size_t)rows->count[r]++;
            rows->entries.i[to] = j;
            rows->entries.x[to] = x[s];
            columns->entries.i[s] = r;
            e->largest[r] = fmax(e->largest[r], fabs(x[s]));
        }
    }
    e->left = entries;
    for (int c = 0; c <= k; c++) rows->first[c] = columns->first[c] = -1;
    for (int r = k - 1; r >= 0; r--) {
        link_line(rows, r);
        link_line(columns, r);
        e->mark[r] = -1;
    }
    return true;
}

/* ---- the choice of a pivot ---- */

typedef struct choice {
    int row, column;
    double cost; /* (row count - 1) (column count - 1) */
    double size; /* |entry| over the largest of its row */
} choice;

static void consider(const perp_elimination *e, int row, int column, double value, choice *best)
{
    double size = fabs(value) / e->largest[row];
    double cost = (double)(e->rows.count[row] - 1) * (e->columns.count[column] - 1);
    if (!(size >= ACCEPTABLE)) return;
    if (cost < best->cost || (cost == best->cost && size > best->size))
        *best = (choice){row, column, cost, size};
}

static double find_value(const perp_lines *rows, int row, int column)
{
    size_t e = rows->start[row];
    while (rows->entries.i[e] != column) e++;
    return rows->entries.x[e];
}

static void look_at_row(const perp_elimination *e, int row, choice *best)
{
    const perp_lines *l = &e->rows;
    for (size_t s = l->start[row]; s < l->start[row] + (size_t)l->count[row]; s++) {
        consider(e, row, l->entries.i[s], l->entries.x[s], best);
    }
}

static void look_at_column(const perp_elimination *e, int column, choice *best)
{
    const perp_lines *l = &e->columns;
    for (size_t s = l->start[column]; s < l->start[column] + (size_t)l->count[column]; s++) {
        int row = l->entries.i[s];
        consider(e, row, column, find_value(&e->rows, row, column), best);
    }
}

/* False: a line has no entries, or none that is a number. */
static bool choose_pivot(const perp_elimination *e, int left, choice *best)
{
    int looked = 0;
    *best = (choice){-1, -1, INFINITY, 0};
    if (e->rows.first[0] >= 0 || e->columns.first[0] >= 0) return false;
    for (int count = 1; count <= left; count++) {
        double least = (double)(count - 1) * (count - 1);
        for (int c = e->columns.first[count]; c >= 0; c = e->columns.next[c]) {
            if (best->cost <= least || (looked >= SEARCHED && best->row >= 0)) return true;
            look_at_column(e, c, best);
            looked++;
        }
        for (int r = e->rows.first[count]; r >= 0; r = e->rows.next[r]) {
            if (best->cost <= least || (looked >= SEARCHED && best->row >= 0)) return true;
            look_at_row(e, r, best);
            looked++;
        }
    }
    return best->row >= 0;
}

/* ---- a step of elimination ---- */

/* Row r less `factor` times the pivot's row, which is in value and mark, without its pivot. */
static bool subtract(perp_elimination *e, const choice *c, int r, double factor)
{
    perp_lines *rows = &e->rows, *columns = &e->columns;
    const perp_columns *pivots = &e->U;
    size_t step = (size_t)e->core, first = pivots->p[step], end = pivots->p[step + 1];
    double largest = 0;
    for (size_t s = rows->start[r]; s < rows->start[r] + (size_t)rows->count[r]; s++) {
        int j = rows->entries.i[s];
        if (e->mark[j] == c->row) {
            rows->entries.x[s] -= factor * e->value[j];
            e->mark[j] = -2 - c->row; /* had */
        }
        double size = fabs(rows->entries.x[s]);
        largest = size > largest ? size : largest; /* fmax is a call */
    }
    for (size_t s = first; s < end; s++) {
        int j = pivots->i[s];
        if (e->mark[j] == -2 - c->row) {
            e->mark[j] = c->row;
            continue;
        }
        double value = -factor * e->value[j];
        if (!make_room(rows, e->arena, e->k, r) || !make_room(columns, e->arena, e->k, j))
            return false;
        size_t to = rows->start[r] + (size_t)rows->count[r]++;
        rows->entries.i[to] = j;
        rows->entries.x[to] = value;
        largest = fabs(value) > largest ? fabs(value) : largest;
        columns->entries.i[columns->start[j] + (size_t)columns->count[j]++] = r;
        e->left++;
    }
    e->largest[r] = largest;
    return true;
}

/* The pivot's row goes to U, and leaves the lists. */
static bool move_row(perp_elimination *e, const choice *c, double *pivot)
{
    perp_lines *rows = &e->rows, *columns = &e->columns;
    size_t used = e->U.p[e->core], count = (size_t)rows->count[c->row];
    if (!perp_columns_reserve(&e->U, e->arena, used, count)) return false;
    unlink_line(rows, c->row);
    for (size_t s = rows->start[c->row]; s < rows->start[c->row] + count; s++) {
        int j = rows->entries.i[s];
        double value = rows->entries.x[s];
        unlink_line(columns, j);
        remove_entry(columns, j, c->row);
        if (j == c->column) {
            *pivot = value;
            continue;
        }
        e->U.i[used] = j;
        e->U.x[used++] = value;
        e->value[j] = value;
        e->mark[j] = c->row;
    }
    e->U.p[e->core + 1] = used;
    e->left -= count;
    rows->count[c->row] = -1;
    return true;
}

/* The other entries of the pivot's column go to L, and their rows change. */
static bool clear_column(perp_elimination *e, const choice *c, double pivot)
{
    perp_lines *rows = &e->rows, *columns = &e->columns;
    size_t used = e->L.p[e->core], count = (size_t)columns->count[c->column];
    if (!perp_columns_reserve(&e->L, e->arena, used, count)) return false;
    for (size_t s = 0; s < count; s++) {
        int r = columns->entries.i[columns->start[c->column] + s];
        double factor = find_value(rows, r, c->column) / pivot;
        unlink_line(rows, r);
        remove_entry(rows, r, c->column);
        e->left--;
        e->L.i[used] = r;
        e->L.x[used++] = factor;
        if (!subtract(e, c, r, factor)) return false;
        link_line(rows, r);
    }
    e->L.p[e->core + 1] = used;
    columns->count[c->column] = -1;
    return true;
}

static bool eliminate_pivot(perp_elimination *e, const choice *c)
{
    double pivot = 0;
    if (!move_row(e, c, &pivot) || !clear_column(e, c, pivot)) return false;
    for (size_t s = e->U.p[e->core]; s < e->U.p[e->core + 1]; s++) {
        link_line(&e->columns, e->U.i[s]);
        e->mark[e->U.i[s]] = -1;
    }
    e->row[e->core] = c->row;
    e->column[e->core] = c->column;
    e->pivot[e->core++] = pivot;
    return true;
}

/* ---- the core ---- */

/* Singular, with the sparse pivots as its rank: the rest is too large to look at, or no number. */
static perp_basis_status give_up(perp_elimination *e)
{
    int row = e->core, column = e->core;
    for (int i = 0; i < e->k; i++) {
        if (e->rows.count[i] >= 0) e->row[row++] = i;
        if (e->columns.count[i] >= 0) e->column[column++] = i;
    }
    e->rank = e->core;
    return PERP_BASIS_SINGULAR;
}

static perp_basis_status factor_core(perp_elimination *e)
{
    int size = e->k - e->core, next = e->core, *place = e->order;
    size_t ld = (size_t)size;
    if (ld * ld > e->LU_room) {
        size_t most = (size_t)e->most * (size_t)e->most, twice = 2 * e->LU_room;
        size_t room = ld * ld > twice ? ld * ld : twice < most ? twice : most;
        e->LU = perp_alloc_unset(e->arena, room, sizeof *e->LU);
        e->LU_room = e->LU ? room : 0;
        if (!e->LU) return PERP_BASIS_MEMORY;
    }
    for (int j = 0; j < e->k; j++) {
        if (e->columns.count[j] < 0) continue;
        place[j] = next - e->core;
        e->column[next++] = j;
    }
    next = e->core;
    if (size) memset(e->LU, 0, ld * ld * sizeof *e->LU);
    perp_watched watched = perp_watch_begin(e->arena);
    for (int r = 0; r < e->k; r++) {
        if (e->rows.count[r] < 0) continue;
        if (perp_watch_spent(&watched, FAR_WRITE * e->rows.count[r])) e->arena->failed = true;
        if (e->arena->failed) return PERP_BASIS_MEMORY;
        size_t first = e->rows.start[r], i = (size_t)(next - e->core);
        for (size_t s = first; s < first + (size_t)e->rows.count[r]; s++) {
            e->LU[(size_t)place[e->rows.entries.i[s]] * ld + i] = e->rows.entries.x[s];
        }
        e->row[next++] = r;
    }
    if (!vector_is_finite(ld * ld, e->LU)) return give_up(e);
    perp_lu_factor(size, e->LU, size > 0 ? size : 1, e->swap,
                   e->arena->watch); /* find_rank looks at its pivots */
    for (int j = 0; j < size; j++) {
        int other = e->core + e->swap[j] - 1, row = e->row[e->core + j];
        e->row[e->core + j] = e->row[other];
        e->row[other] = row;
    }
    return PERP_BASIS_DONE;
}

/* Indices of L and U from rows and columns to pivots. */
static void rename_entries(perp_elimination *e)
{
    int *of = e->order;
    for (int s = 0; s < e->k; s++) of[e->row[s]] = s;
    for (size_t s = 0; s < e->L.p[e->core]; s++) e->L.i[s] = of[e->L.i[s]];
    for (int s = 0; s < e->k; s++) of[e->column[s]] = s;
    for (size_t s = 0; s < e->U.p[e->core]; s++) e->U.i[s] = of[e->U.i[s]];
}

static double pivot_size(const perp_elimination *e, int s)
{
    size_t ld = (size_t)(e->k - e->core), j = (size_t)(s - e->core);
    return fabs(s < e->core ? e->pivot[s] : e->LU[j * ld + j]);
}

/* Count the pivots that are more than rounding. Where some are not, their rows and columns go to
 * the end, and the factors are of no use. */
static void find_rank(perp_elimination *e)
{
    double most = 0;
    e->rank = 0;
    for (int s = 0; s < e->k; s++) {
        double size = pivot_size(e, s);
        if (isfinite(size) && size > most) most = size;
    }
    for (int s = 0; s < e->k; s++) {
        double size = pivot_size(e, s);
        if (!(size > DBL_EPSILON * most) || !isfinite(size)) continue;
        int t = e->rank++, row = e->row[s], column = e->column[s];
        e->row[s] = e->row[t];
        e->column[s] = e->column[t];
        e->row[t] = row;
        e->column[t] = column;
    }
}

static bool is_full(const perp_elimination *e)
{
    double left = e->k - e->core;
    return left <= SMALL || (double)e->left >= FULL * left * left;
}

perp_basis_status perp_eliminate(perp_elimination *e, int k, const int *p, const int *i,
                                 const double *x)
{
    e->k = k;
    e->core = 0;
    e->L.p[0] = e->U.p[0] = 0;
    if (!load(e, p, i, x)) return PERP_BASIS_MEMORY;
    perp_watched watched = perp_watch_begin(e->arena);
    while (!is_full(e)) {
        choice best = {.cost = 0};
        if (!choose_pivot(e, k - e->core, &best)) {
            if (k - e->core > LOST) return give_up(e);
            break;
        }
        if (perp_watch_spent(&watched, SEARCH + best.cost)) e->arena->failed = true;
        if (e->arena->failed || !eliminate_pivot(e, &best)) return PERP_BASIS_MEMORY;
    }
    perp_basis_status status = factor_core(e);
    if (status) return status;
    find_rank(e);
    if (e->rank < k) return PERP_BASIS_SINGULAR;
    rename_entries(e);
    return PERP_BASIS_DONE;
}
