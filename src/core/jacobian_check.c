/* core/jacobian_check.c: does jacobian() write the derivative of eval()?
 *
 * Differences with two step lengths, extrapolated; where the two differ, so may the derivative, and
 * only what is beyond that counts as an error. */
#include "base/format.h"
#include "base/vector.h"
#include "driver.h"
#include "jacobian.h"
#include "kinds.h"

#include <float.h>

#define LONG 512.0  /* steps, in square roots of DBL_EPSILON: 8e-6 and half of that */
#define DOUBT 4.0   /* times the difference of the two slopes is their error, or, ... */
#define UNSURE 32.0 /* ... where they differ by more than this part, as for z^1.2 at 0, more */
#define SMOOTH 0.01
#define ROUNDING 64.0 /* times DBL_EPSILON |F| / step, or |J| |z|, is what rounding adds to it */
#define NEARBY 1e-6   /* of z: a step that is short beside it */
#define WRONG 1e-4    /* relative error beyond all that which a derivative does not have */

/* One colour: slopes at two steps, and the Jacobian's entries, row by row. */
typedef struct slopes {
    const double *z, *F;
    double *given, *first, *h; /* h: step of the column that row i has in this colour */
    double *there;             /* F at the second step */
    double *terms;             /* |J| |z|: what F is a sum of, with the rounding of that */
    int *column;               /* that column; -1: none */
} slopes;

static const perp_jacobian_report no_entry = {.row = -1, .column = -1};

static double entry_step(const perp_jacobian *k, const slopes *s, int i, double longest)
{
    return s->column[i] < 0 ? longest : k->step[s->column[i]];
}

/* What the Jacobian says of colour c; the rows without an entry get the first column of it. */
static void read_colour(const perp_jacobian *k, int c, slopes *s)
{
    for (int i = 0; i < k->n; i++) {
        s->given[i] = 0;
        s->column[i] = -1;
    }
    for (int j = 0; j < k->n; j++) {
        if (k->colour[j] != c) continue;
        if (k->J.format == PERP_FORMAT_DENSE) {
            const double *x = k->J.as.dense.x + (size_t)j * (size_t)k->J.as.dense.ld;
            for (int i = 0; i < k->n; i++) {
                s->given[i] = x[i];
                s->column[i] = j;
            }
            continue;
        }
        const struct perp_csc_view *v = &k->J.as.csc;
        for (int e = v->p[j]; e < v->p[j + 1]; e++) {
            s->given[v->i[e]] = v->x[e];
            s->column[v->i[e]] = j;
        }
    }
}

static double longest_step(const perp_jacobian *k, int c, int *column)
{
    double h = 0;
    for (int j = 0; j < k->n; j++) {
        if (k->colour[j] == c && fabs(k->step[j]) > fabs(h)) {
            h = k->step[j];
            *column = j;
        }
    }
    return h;
}

static bool difference(perp_jacobian *k, const double *z, int c, double part)
{
    return perp_jacobian_difference(k, z, c, part) || perp_jacobian_difference(k, z, c, -part);
}

/* The step h of column j is long beside z_j itself, as it is near a bound of 1e-8 for a price in
 * 1 / z. Does a shorter one agree? */
static bool agrees_nearby(perp_jacobian *k, const slopes *s, int i, int j, double long_step)
{
    double lo = kind_bound(k->lo, j, -INFINITY), hi = kind_bound(k->hi, j, INFINITY);
    if (!(fabs(long_step) > SMOOTH * fabs(s->z[j]))) return false;
    for (int side = -1; side <= 1; side += 2) {
        double h = side * NEARBY * fabs(s->z[j]), x = s->z[j] + h;
        if (x < lo || x > hi) continue;
        memcpy(k->there, s->z, (size_t)k->n * sizeof *k->there);
        k->there[j] = x;
        h = x - s->z[j];
        if (h == 0 || !perp_jacobian_map(k, k->there, k->F)) continue;
        double error = fabs(k->F[i] - s->F[i] - s->given[i] * h);
        double own = ROUNDING * DBL_EPSILON * fmax(s->terms[i], fabs(k->F[i]));
        if (error <= WRONG * fabs(s->given[i] * h) + own) return true;
    }
    return false;
}

static void compare_entry(perp_jacobian *k, const slopes *s, int i, double h, int column,
                          perp_jacobian_report *report)
{
    const double *F = s->F;
    double second = (s->there[i] - F[i]) / h, expected = second, given = s->given[i];
    if (s->h[i] != h) expected = (s->h[i] * second - h * s->first[i]) / (s->h[i] - h);
    double change = fabs(second - s->first[i]);
    double own =
        (change < SMOOTH * fabs(second) ? DOUBT : UNSURE) * change +
        ROUNDING * DBL_EPSILON * fmax(s->terms[i], fmax(fabs(F[i]), fabs(s->there[i]))) / fabs(h);
    /* slopes that grow as the step shrinks, as of z^0.3 near 0, do not contradict a steeper one */
    if (fabs(second) > (1 + SMOOTH) * fabs(s->first[i]) && given * second > 0 &&
        fabs(given) > fabs(second))
        return;
    double error = fabs(given - expected) - own, size = fmax(fabs(given), fabs(expected));
    int j = s->column[i] < 0 ? column : s->column[i];
    if (!(error > 0) || !(error / size > report->error)) return;
    if (error / size > WRONG && agrees_nearby(k, s, i, j, h)) return;
    *report = (perp_jacobian_report){
        .row = i, .column = j, .given = given, .expected = expected, .error = error / size};
}

static bool compare_colour(perp_jacobian *k, slopes *s, int c, perp_jacobian_report *report)
{
    int column = -1;
    read_colour(k, c, s);
    if (!difference(k, s->z, c, LONG)) return false;
    double longest = longest_step(k, c, &column);
    for (int i = 0; i < k->n && longest != 0; i++) {
        s->h[i] = entry_step(k, s, i, longest);
        s->first[i] = s->h[i] != 0 ? (k->F[i] - s->F[i]) / s->h[i] : 0;
    }
    if (!difference(k, s->z, c, LONG / 2)) return false;
    memcpy(s->there, k->F, (size_t)k->n * sizeof *s->there);
    longest = longest_step(k, c, &column);
    for (int i = 0; i < k->n && longest != 0; i++) {
        double h = entry_step(k, s, i, longest);
        if (h != 0 && s->h[i] != 0) compare_entry(k, s, i, h, column, report);
    }
    return true;
}

perp_status perp_jacobian_compare(perp_jacobian *k, perp_arena *a, const double *z, const double *F,
                                  perp_jacobian_report *report)
{
    size_t n = (size_t)k->n;
    slopes s = {.z = z, .F = F, .given = perp_alloc(a, n, sizeof(double))};
    s.there = perp_alloc(a, n, sizeof *s.there);
    s.terms = perp_alloc(a, n, sizeof *s.terms);
    s.first = perp_alloc(a, n, sizeof *s.first);
    s.h = perp_alloc(a, n, sizeof *s.h);
    s.column = perp_alloc(a, n, sizeof *s.column);
    *report = no_entry;
    if (a->failed) return PERP_E_MEMORY;
    if (!perp_jacobian_at(k, z, F)) return k->overrun ? PERP_E_ARGUMENT : PERP_E_NUMBER;
    perp_format_of(k->J.format)->add_sizes(&k->J, z, s.terms);
    for (int c = 0; c < k->colours; c++) {
        if (compare_colour(k, &s, c, report)) continue;
        if (k->overrun) return PERP_E_ARGUMENT; /* an undefined neighbour says nothing */
    }
    return report->error > WRONG ? PERP_UNCERTIFIED : PERP_SOLVED;
}

void perp_jacobian_lies_room(const perp_jacobian *k, perp_arena *a)
{
    perp_jacobian compared = *k;
    if (!a->counting || k->constant || k->differences) return;
    perp_jacobian_colour(&compared, a);
    for (int v = 0; v < 6; v++) perp_count(a, (size_t)k->n, sizeof(double));
}

bool perp_jacobian_lies(perp_run *run, perp_jacobian *k, const double *z, const double *F)
{
    perp_jacobian_report r;
    if (k->constant || k->differences) return false;
    perp_mark mark = perp_arena_mark(run->arena);
    if (run->driver->sizing) perp_jacobian_lies_room(k, run->arena);
    bool room = !run->driver->sizing && perp_jacobian_colour(k, run->arena);
    bool lies = room && perp_jacobian_compare(k, run->arena, z, F, &r) == PERP_UNCERTIFIED;
    perp_arena_release(run->arena, mark);
    k->colours = 0;
    if (!lies) return false;
    perp_judge_of(run->driver)->start_fault.status = PERP_SOLVED; /* this is the better reason */
    perp_fail(run, PERP_STALLED,
              "jacobian() is wrong: row %d, column %d is %g there, %g by differences of F", r.row,
              r.column, r.given, r.expected);
    return true;
}

/* ---- the call ---- */

static const double nothing[1];

static perp_status accept(const perp_problem *p, const double *z, perp_error *e)
{
    perp_status status = perp_validate(p, e);
    if (status) return status;
    const perp_map *F = perp_kind_map(p);
    if (!F || !perp_can_lift(p->kind, PERP_KIND_MCP)) {
        return perp_refuse(e, PERP_E_ARGUMENT, "a problem of kind %s has no Jacobian to check",
                           perp_kind_name(p->kind));
    }
    if (!F->jacobian) return perp_refuse(e, PERP_E_ARGUMENT, "there is no jacobian() to check");
    if (F->n > 0 && !z) return perp_refuse(e, PERP_E_ARGUMENT, "z must not be NULL");
    return perp_check_vector(z, F->n, "z", false, e);
}

static perp_status explain(const perp_jacobian *k, perp_status status,
                           const perp_jacobian_report *r, perp_error *e)
{
    switch (status) {
    case PERP_UNCERTIFIED:
        return perp_refuse(e, status, "row %d, column %d is %g, by differences of F %g", r->row,
                           r->column, r->given, r->expected);
    case PERP_E_ARGUMENT:
        return perp_refuse(e, status, "a callback wrote beyond its %d or %d values", k->n,
                           k->count);
    case PERP_E_NUMBER:
        return perp_refuse(e, status, "F or its Jacobian is undefined or not finite at z");
    case PERP_E_MEMORY:
        return perp_refuse(e, status, "the arena has no room to compare a Jacobian");
    default: return status;
    }
}

/* One colour for each column: a stray entry must not hide behind another. */
static bool open_columns(perp_jacobian *k, perp_arena *a, const perp_problem *p)
{
    const perp_map *F = perp_kind_map(p);
    perp_lift lift; /* F is the same there, and the bounds are arrays */
    if (perp_lift_problem(p, PERP_KIND_MCP, a, &lift, NULL)) return false;
    const perp_mcp *mcp = &lift.problem.as.mcp;
    size_t n = (size_t)F->n;
    int *colour = perp_alloc(a, n, sizeof *colour);
    if (a->failed || !perp_jacobian_open(k, a, F, mcp->lo, mcp->hi)) return false;
    k->there = perp_alloc(a, n, sizeof *k->there);
    k->step = perp_alloc(a, n, sizeof *k->step);
    if (a->failed) return false;
    for (int j = 0; j < k->n; j++) colour[j] = j;
    k->colour = colour;
    k->colours = k->n;
    return true;
}

perp_status perp_check_jacobian(const perp_problem *p, const double *z, perp_arena *a,
                                perp_jacobian_report *report, perp_error *error)
{
    if (error) *error = (perp_error){0};
    if (!report || !a) {
        return perp_refuse(error, PERP_E_ARGUMENT, "the %s must not be NULL",
                           report ? "arena" : "report");
    }
    *report = no_entry;
    perp_status status = accept(p, z, error);
    if (status) return status;
    const perp_problem full = perp_complete(p);
    perp_jacobian k = {0};
    a->failed = false;
    perp_mark mark = perp_arena_mark(a);
    double *F = perp_alloc(a, (size_t)perp_size(p), sizeof *F);
    if (a->failed || !open_columns(&k, a, &full))
        status = PERP_E_MEMORY;
    else if (!perp_jacobian_map(&k, z ? z : nothing, F))
        status = k.overrun ? PERP_E_ARGUMENT : PERP_E_NUMBER;
    else
        status = perp_jacobian_compare(&k, a, z ? z : nothing, F, report);
    status = explain(&k, status, report, error);
    perp_arena_release(a, mark);
    return status;
}
