/* fc3d/sweep_columns.c: sweeps in local form, in the given order, by columns of W.
 *
 * u = W r + q is kept, 4 numbers a contact so that a block column is added four at a time (the
 * fourth is never read). Contacts one after the other whose columns have the same rows, as those
 * between the same two bodies do, form a group: within it u follows each contact, the rows outside
 * follow when all have been visited, in one pass. A sweep reads the columns of the groups that
 * move. Memory: a copy of W, opened once (core/opened.h). */
#include "base/simd4.h"
#include "base/watch.h"
#include "contact_update.h"
#include "sweep_local.h"
#include "sweep_variant.h"

#include <string.h>

#define MOST 8         /* contacts of a group */
#define FAR_COPY 128.0 /* multiplications in the time of a block that is copied from anywhere */

typedef struct column_sweep {
    struct perp_bsr3_view W; /* by rows, as it was given */
    int groups;              /* of contacts whose columns have the same rows */
    const int *group;        /* contacts group[g] .. group[g + 1] - 1 */
    const int *column, *row; /* rows row[k], k = column[g] .. column[g + 1] - 1 of group g */
    const size_t *at;        /* where the values of a group begin */
    const double *x;
    int next; /* the group that a sweep comes to next */
} column_sweep;

/* ---- the loops ---- */

/* u += x d for a row of `count` blocks of 9. All is read before anything is written. */
PERP_INLINED void add_row(const double *x, int count, const double *d, double *u)
{
    perp_simd4 t;
    simd4_load(&t, u);
    for (int c = 0; c < count; c++) {
        const double *B = x + 9 * (size_t)c, *e = d + 3 * c;
        simd4_add(&t, e[0], B);
        simd4_add(&t, e[1], B + 3);
        simd4_add(&t, e[2], B + 6);
    }
    simd4_store(&t, u);
}

/* What of a sweep the loops read, held in registers: stores through s could change it. */
typedef struct columns {
    const int *group, *column, *row;
    const size_t *at;
    const double *x;
    double *u;
} columns;

PERP_INLINED columns columns_of(const perp_sweep *s)
{
    const column_sweep *own = s->own;
    return (columns){own->group, own->column, own->row, own->at, own->x, s->state};
}

/* The rows outside of group g, `count` contacts that moved by d. */
PERP_INLINED void add_outside(const columns *c, int g, const double *x, int count, const double *d)
{
    const int *end = c->row + c->column[g + 1];
    for (const int *row = c->row + c->column[g]; row < end; row++) {
        add_row(x, count, d, c->u + 4 * (size_t)*row);
        x += 9 * (size_t)count;
    }
}

/* Counts that are constants are loops that unroll. */
PERP_INLINED void add_group(const columns *c, int g, int count, const double *d)
{
    const double *x = c->x + c->at[g] + 9 * (size_t)(count * count);
    switch (count) {
    case 2: add_outside(c, g, x, 2, d); return;
    case 3: add_outside(c, g, x, 3, d); return;
    case 4: add_outside(c, g, x, 4, d); return;
    default: add_outside(c, g, x, count, d);
    }
}

/* Within a group: u of all its contacts, where one of them moved by d. */
PERP_INLINED void add_within(const columns *c, int g, int count, int which, const double *d)
{
    const double *x = c->x + c->at[g] + 9 * (size_t)(which * count);
    double *u = c->u + 4 * (size_t)c->group[g];
    for (int i = 0; i < count; i++) add_row(x + 9 * (size_t)i, 1, d, u + 4 * (size_t)i);
}

PERP_INLINED void visit_group(perp_sweep *s, const columns *c, bool simple, int g, int count,
                              int member)
{
    int first = c->group[g];
    double d[3 * MOST];
    bool moves = false;
    for (int i = 0; i < count; i++) {
        double *u = c->u + 4 * (size_t)(first + i), *r = s->r + 3 * (size_t)(first + i);
        double *step = d + 3 * i;
        if (visit(s, simple, first + i, member, u, r, step)) {
            moves = true;
            add_within(c, g, count, i, step);
        } else {
            step[0] = step[1] = step[2] = 0;
        }
    }
    if (moves) add_group(c, g, count, d);
}

/* The groups that begin before the place `to`. */
PERP_INLINED void loop_groups(perp_sweep *s, bool simple, int to, int member)
{
    const columns c = columns_of(s);
    column_sweep *own = s->own;
    double *r = s->r;
    int g = own->next;
    for (int groups = own->groups; g < groups && c.group[g] < to; g++) {
        int j = c.group[g], count = c.group[g + 1] - j;
        double d[3];
        if (count > 1)
            visit_group(s, &c, simple, g, count, member);
        else if (visit(s, simple, j, member, c.u + 4 * (size_t)j, r + 3 * (size_t)j, d))
            add_outside(&c, g, c.x + c.at[g], 1, d);
    }
    own->next = g;
}

PERP_CLONED_VOID(sweep_columns, (perp_sweep *const s, int to, int member), (s, to, member))
{
    if (visit_is_simple(s))
        loop_groups(s, true, to, member);
    else
        loop_groups(s, false, to, member);
}

/* One member of the team has all places, slice after slice; a group that crosses the end of one
 * belongs to it. */
static void sweep_places(perp_sweep *s, int from, int to, int member)
{
    column_sweep *own = s->own;
    if (from == 0) own->next = 0;
    if (from < to) sweep_columns(s, to, member);
}

PERP_CLONED_VOID(sum_columns, (perp_sweep *const s), (s))
{
    const column_sweep *own = s->own;
    const double *q = s->problem->q;
    for (int i = 0; i < s->contacts; i++) {
        memcpy(s->state + 4 * (size_t)i, q + 3 * (size_t)i, 3 * sizeof *q);
        s->state[4 * (size_t)i + 3] = 0;
    }
    const columns c = columns_of(s);
    for (int g = 0; g < own->groups; g++) {
        const double *d = s->r + 3 * (size_t)c.group[g];
        int count = c.group[g + 1] - c.group[g];
        for (int i = 0; i < count && count > 1; i++) add_within(&c, g, count, i, d + 3 * i);
        if (count > 1)
            add_group(&c, g, count, d);
        else if (d[0] != 0 || d[1] != 0 || d[2] != 0)
            add_outside(&c, g, c.x + c.at[g], 1, d);
    }
}

static void refresh(perp_sweep *s)
{
    sum_columns(s);
}

static void read_block(const perp_sweep *s, int place, double W[9])
{
    const column_sweep *own = s->own;
    perp_sweep_local_block(&own->W, place, W);
}

/* ---- opening ---- */

/* Does contact j belong to the group that begins with `first`? The same rows, each once, the
 * members' own among them: a block that is zero may not be stored. */
static bool joins(const perp_sweep_transposed *t, int first, int j)
{
    int count = t->start[j + 1] - t->start[j], members = 0;
    const int *rows = t->rows + t->start[j], *others = t->rows + t->start[first];
    if (j - first >= MOST || t->start[first + 1] - t->start[first] != count) return false;
    for (int k = 0; k < count; k++) {
        if (rows[k] != others[k] || (k > 0 && rows[k] == rows[k - 1])) return false;
        members += rows[k] >= first && rows[k] <= j;
    }
    return members == j - first + 1;
}

/* Columns while they are made: see column_sweep. */
typedef struct grouped {
    double *x;
    int *row, *column, *group;
    size_t *at;
    int groups, rows;
} grouped;

/* The values of a group: of several contacts first those within, column by column, then the other
 * rows, row by row. */
static void fill_group(const perp_sweep_transposed *t, const double *W, grouped *to, int g)
{
    int first = to->group[g], last = to->group[g + 1], count = last - first;
    double *x = to->x + to->at[g], *within = x;
    if (count > 1) x += 9 * (size_t)(count * count);
    for (int k = 0; k < t->start[first + 1] - t->start[first]; k++) {
        int row = t->rows[t->start[first] + k];
        bool inside = count > 1 && row >= first && row < last;
        for (int c = 0; c < count; c++) {
            double *at = inside ? within + 9 * (size_t)(c * count + row - first) : x;
            memcpy(at, W + 9 * (size_t)t->source[t->start[first + c] + k], 9 * sizeof *at);
            if (!inside) x += 9;
        }
        if (!inside) to->row[to->rows++] = row;
    }
}

/* False: the watch asks to stop. */
static bool fill_groups(const perp_arena *a, const perp_sweep_transposed *t, int n, const double *W,
                        grouped *to)
{
    perp_watched watched = perp_watch_begin(a);
    to->group[0] = to->column[0] = 0;
    to->at[0] = 0;
    for (int first = 0, j = 1; first < n; first = j++) {
        while (j < n && joins(t, first, j)) j++;
        to->group[to->groups + 1] = j;
        fill_group(t, W, to, to->groups++);
        to->column[to->groups] = to->rows;
        to->at[to->groups] = 9 * (size_t)t->start[j];
        if (perp_watch_spent(&watched, FAR_COPY * (t->start[j] - t->start[first]))) return false;
    }
    return true;
}

/* False: no memory, or no time. */
static bool group_columns(perp_arena *a, int n, const struct perp_bsr3_view *W, grouped *to)
{
    size_t blocks = n ? (size_t)W->p[n] : 0, places = (size_t)n + 1;
    perp_sweep_transposed t;
    a->work[PERP_WORK_CANONICAL]++;
    *to = (grouped){.x = perp_alloc_unset(a, 9 * blocks + 3, sizeof *to->x)};
    to->row = perp_alloc_unset(a, blocks, sizeof *to->row);
    to->column = perp_alloc_unset(a, places, sizeof *to->column);
    to->group = perp_alloc_unset(a, places, sizeof *to->group);
    to->at = perp_alloc_unset(a, places, sizeof *to->at);
    if (a->failed || !perp_sweep_local_transpose(a, n, W, &t)) return false;
    memset(to->x + 9 * blocks, 0, 3 * sizeof *to->x);
    return fill_groups(a, &t, n, W->x, to);
}

static const perp_opened *open_groups(perp_arena *a, const perp_key *key, int n,
                                      const struct perp_bsr3_view *W)
{
    size_t blocks = n ? (size_t)W->p[n] : 0;
    perp_opening g;
    grouped to;
    if (!perp_opened_begin(a, key, &g) || !group_columns(a, n, W, &to)) return NULL;
    g.object->info[0] = to.groups;
    size_t groups = (size_t)to.groups + 1;
    perp_opened_part(&g, to.x, (9 * blocks + 3) * sizeof *to.x);
    perp_opened_part(&g, to.row, (size_t)to.rows * sizeof *to.row);
    perp_opened_part(&g, to.column, groups * sizeof *to.column);
    perp_opened_part(&g, to.group, groups * sizeof *to.group);
    perp_opened_part(&g, to.at, groups * sizeof *to.at);
    return perp_opened_end(&g);
}

/* Made at once: to find and to keep it would cost more. */
static bool read_few_columns(perp_arena *a, const perp_sweep *s, column_sweep *own)
{
    grouped to;
    if (!group_columns(a, s->contacts, &own->W, &to)) return false;
    own->groups = to.groups;
    own->x = to.x;
    own->row = to.row;
    own->column = to.column;
    own->group = to.group;
    own->at = to.at;
    return true;
}

static bool read_columns(perp_arena *a, const perp_sweep *s, column_sweep *own)
{
    if (!perp_opened_pays(&s->problem->W)) return read_few_columns(a, s, own);
    perp_key key = perp_key_number(perp_key_for(perp_sweep_key(s), PERP_WORK_CANONICAL), 1);
    const perp_opened *o = perp_opened_find(a, &key);
    if (!o && !(o = open_groups(a, &key, s->contacts, &own->W))) return false;
    own->groups = o->info[0];
    own->x = o->part[0];
    own->row = o->part[1];
    own->column = o->part[2];
    own->group = o->part[3];
    own->at = o->part[4];
    return true;
}

static perp_status open_columns(perp_run *run, const perp_sweep_options *o, perp_sweep *s)
{
    (void)o;
    column_sweep *own = s->own = PERP_ALLOC(run, column_sweep, 1);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_status status = perp_sweep_local_rows(run, s, &own->W);
    if (status) return status;
    if (!read_columns(run->arena, s, own)) return PERP_E_MEMORY;
    s->state_size = 4 * (size_t)s->contacts;
    s->state = PERP_ALLOC(run, double, s->state_size);
    return run->arena->failed ? PERP_E_MEMORY : PERP_SOLVED;
}

const perp_sweep_ops perp_sweep_columns = {
    .open = open_columns,
    .block = read_block,
    .places = sweep_places,
    .refresh = refresh,
};
