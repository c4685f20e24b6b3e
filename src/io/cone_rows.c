/* io/cone_rows.c: blocks of cones for files, see cone_rows.h. One pass over the rows. */
#include "cone_rows.h"

/* ---- reading ---- */

bool perp_cone_rows_open(perp_lexer *x, int n, bool coulomb, perp_cone_rows *rows)
{
    size_t size = (size_t)n;
    *rows = (perp_cone_rows){.n = n};
    rows->follows = perp_lexer_alloc(x, size, sizeof *rows->follows, "the rows of the cones");
    if (rows->follows) rows->group = perp_lexer_alloc(x, size, sizeof *rows->group, "the groups");
    if (rows->group) rows->mu = perp_lexer_alloc(x, size, sizeof *rows->mu, "the coefficients");
    if (rows->mu && !coulomb)
        rows->s = perp_lexer_alloc(x, size, sizeof *rows->s, "the coefficients");
    if (!rows->mu || (!coulomb && !rows->s)) return false;
    for (int i = 0; i < n; i++) {
        rows->follows[i] = rows->group[i] = -1;
        rows->mu[i] = 0;
        if (rows->s) rows->s[i] = 0;
    }
    return true;
}

void perp_cone_rows_add(perp_cone_rows *rows, int first, const perp_cone_shape *shape)
{
    for (int g = 0; g < shape->groups; g++) {
        int leader = first + 1 + g * shape->width;
        rows->mu[leader] = shape->mu[g];
        if (rows->s) rows->s[leader] = shape->s[g];
        for (int i = leader; i < leader + shape->width; i++) {
            rows->follows[i] = first;
            rows->group[i] = leader;
        }
    }
}

bool perp_cone_rows_bound(perp_lexer *x, perp_cone_rows *rows, int i)
{
    if (!rows->lo) {
        rows->lo = perp_lexer_alloc(x, (size_t)rows->n, sizeof *rows->lo, "the bounds");
        for (int k = 0; rows->lo && k < rows->n; k++) rows->lo[k] = -INFINITY;
    }
    if (rows->lo) rows->lo[i] = 0;
    return rows->lo;
}

perp_problem perp_cone_rows_end(const perp_cone_rows *rows)
{
    bool coulomb = true;
    for (int i = 0; rows->s && i < rows->n; i++) coulomb = coulomb && rows->s[i] == rows->mu[i];
    const perp_cone c = {.n = rows->n,
                         .lo = rows->lo,
                         .follows = rows->follows,
                         .group = rows->group,
                         .mu = rows->mu,
                         .s = coulomb ? NULL : rows->s};
    return (perp_problem){.kind = PERP_KIND_CONE, .as.cone = c};
}

/* ---- writing ---- */

static int master_of(const perp_cone *c, int i)
{
    return c->follows ? c->follows[i] : -1;
}

static int group_of(const perp_cone *c, int i)
{
    return c->group ? c->group[i] : -1;
}

/* Behind the last row of the group that begins at row `first`. */
static int end_of_group(const perp_cone *c, int first)
{
    int end = first + 1;
    while (end < c->n && group_of(c, end) == first) end++;
    return end;
}

static void add_group(const perp_cone *c, int leader, int width, perp_cone_run *run)
{
    double s = c->s ? c->s[leader] : c->mu[leader];
    run->width = run->groups == 0 || run->width == width ? width : -1;
    run->groups++;
    run->coulomb = run->coulomb && s == c->mu[leader];
    run->convex = run->convex && s == 0;
}

bool perp_cone_rows_find(const perp_cone *c, int first, perp_cone_run *run)
{
    int end = first + 1;
    *run = (perp_cone_run){.first = first, .coulomb = true, .convex = true};
    if (master_of(c, first) >= 0 || group_of(c, first) >= 0) return false;
    while (end < c->n && master_of(c, end) == first) {
        int next = end_of_group(c, end);
        if (group_of(c, end) >= 0 && group_of(c, end) != end) return false;
        add_group(c, end, next - end, run);
        end = next;
    }
    run->count = end - first;
    if (run->groups > 0) return true;
    double lo = c->lo ? c->lo[first] : -INFINITY, hi = c->hi ? c->hi[first] : INFINITY;
    run->is_bound = hi == INFINITY && lo == 0 && !signbit(lo);
    run->is_free = hi == INFINITY && lo == -INFINITY;
    return true;
}

bool perp_cone_rows_match(const perp_cone *c, int groups, int width)
{
    perp_cone_run run;
    for (int i = 0; i < c->n; i += run.count) {
        if (!perp_cone_rows_find(c, i, &run)) return false;
        if (run.groups != groups || run.width != width || !run.coulomb) return false;
    }
    return true;
}

int perp_cone_rows_leader(const perp_cone_run *run, int g)
{
    return run->first + 1 + g * run->width;
}
