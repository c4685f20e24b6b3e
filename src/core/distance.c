/* core/distance.c: how far z is from a solution, proved: distance.h has the theorems.
 *
 * A problem is restated as one of a wider kind until a kind has a map over a box. The methods are
 * tried in turn, those that prove that there is one solution alone first, and the smallest bound is
 * told. */
#include "distance.h"
#include "base/format.h"

#include <stdio.h>

#define BETWEEN_MOST 1000   /* unknowns for Krawczyk where nothing else is proved: a second */
#define BETWEEN_BESIDE 500  /* and where something is, for a smaller bound: a tenth of that */
#define DEFINITE_BESIDE 300 /* all unknowns, for a smaller bound than that of an H-matrix */

static const char the_solution[] = "the solution";
static const char a_solution[] = "a solution, locally unique";

/* ---- the problem ---- */

/* Is one row or column of pointers p, `count` of them, twice in index? seen has `limit` zeros. */
static bool has_twice(int count, const int *p, const int *index, int *seen)
{
    for (int k = 0; k < count; k++) {
        for (int at = p[k]; at < p[k + 1]; at++) {
            if (seen[index[at]] == k + 1) return true;
            seen[index[at]] = k + 1;
        }
    }
    return false;
}

/* Duplicates add up, exactly, and a sum in one number may not be exact. */
static bool has_duplicates(const perp_matrix *A, perp_arena *a)
{
    perp_mark mark = perp_arena_mark(a);
    size_t most = (size_t)(A->m > A->n ? A->m : A->n);
    int *seen = perp_alloc(a, most, sizeof *seen);
    bool found = false;
    if (!seen) return false;
    if (A->format == PERP_FORMAT_CSC) found = has_twice(A->n, A->as.csc.p, A->as.csc.i, seen);
    if (A->format == PERP_FORMAT_CSR) found = has_twice(A->m, A->as.csr.p, A->as.csr.j, seen);
    if (A->format == PERP_FORMAT_BSR3) {
        found = has_twice(A->m / 3, A->as.bsr3.p, A->as.bsr3.j, seen);
    }
    perp_arena_release(a, mark);
    return found;
}

static perp_status check_matrices(perp_problem *p, perp_arena *a, perp_error *e)
{
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    int count = perp_kind_matrices(p, list, field);
    for (int k = 0; k < count; k++) {
        if (!perp_has_entries(list[k])) {
            return perp_refuse(e, PERP_UNCERTIFIED, "the entries of %s are not known",
                               field[k]->name);
        }
        if (format_is_empty(list[k])) continue;
        if (has_duplicates(list[k], a)) {
            return perp_refuse(e, PERP_UNCERTIFIED, "%s has duplicate entries: sum them up first",
                               field[k]->name);
        }
        if (a->failed) return PERP_E_MEMORY;
    }
    return PERP_SOLVED;
}

/* Bounds that cross. */
static perp_status refuse_refuted(const perp_problem *p, perp_arena *a, perp_error *e)
{
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    perp_error why = {0};
    if (!ops->refute) return PERP_SOLVED;
    perp_mark mark = perp_arena_mark(a);
    double *y = perp_alloc(a, (size_t)perp_size(p), sizeof *y);
    if (!y) return PERP_E_MEMORY;
    bool refuted = ops->refute(p, y, &why);
    perp_arena_release(a, mark);
    if (!refuted) return PERP_SOLVED;
    return perp_refuse(e, PERP_UNCERTIFIED, "there is no solution: %.120s", why.text);
}

/* The map in the formats that the methods read. */
static perp_status convert_map(perp_distance_map *map, perp_arena *a)
{
    perp_format format = map->M.format;
    if (format == PERP_FORMAT_ABSENT || format == PERP_FORMAT_DENSE) return PERP_SOLVED;
    return perp_convert(&map->M, PERP_FORMAT_CSC, a, &map->M, NULL);
}

static perp_status open_map(const perp_problem *p, perp_arena *a, perp_lift *lift,
                            perp_distance_map *map, perp_error *e)
{
    *lift = (perp_lift){.problem = perp_complete(p)};
    perp_status status = perp_by_columns(&lift->problem, a, NULL);
    if (!status) status = check_matrices(&lift->problem, a, e);
    if (!status) status = refuse_refuted(&lift->problem, a, e);
    if (status) return status;
    const perp_kind_ops *ops = perp_kind_ops_of(lift->problem.kind);
    while (!ops->box_map) {
        const perp_problem narrow = lift->problem;
        if (!ops->lift) {
            return perp_refuse(e, PERP_UNCERTIFIED, "no theorem is known for the kind %s",
                               perp_kind_name(narrow.kind));
        }
        lift->problem = (perp_problem){.kind = ops->wider, .name = p->name};
        status = ops->lift(&narrow, a, lift, NULL);
        if (status) return status;
        ops = perp_kind_ops_of(lift->problem.kind);
    }
    status = ops->box_map(&lift->problem, a, map, e);
    return status ? status : convert_map(map, a);
}

/* ---- the methods ---- */

typedef struct proving {
    const perp_distance_map *map;
    const perp_lift *lift;
    const double *z; /* lifted */
    int size;        /* of the problem as it was given */
    perp_arena *arena;
    double *bound, *way;
    bool unique, monotone; /* proved */
    perp_error why[3];     /* each method's refusal */
    perp_distance_report *report;
} proving;

static void state_bound(proving *t, double norm, double largest, const char *by)
{
    perp_distance_report *r = t->report;
    if (!isfinite(norm) || !isfinite(largest)) return;
    if (largest < r->largest) r->largest = largest;
    if (!(norm < r->norm)) return;
    r->norm = norm;
    r->by = by;
}

/* A bound from z: the way to the point, and t->bound from there, whose norm is at most `norm`.
 * Where z was lifted multipliers are sums of two, and so are their bounds. */
static void take_bound(proving *t, const perp_distance_point *point, double norm, const char *by)
{
    int n = t->map->n;
    for (int i = 0; i < n; i++) t->way[i] = fabs(t->z[i] - point->z[i]) * DISTANCE_OUTWARD;
    double steps = vector_max(n, t->way) > 0 ? distance_norm(n, t->way) : 0;
    for (int i = 0; i < n; i++) t->bound[i] = (t->bound[i] + t->way[i]) * DISTANCE_OUTWARD;
    const double *all = t->bound;
    if (t->lift->down) {
        t->lift->down(t->lift->ctx, t->bound, t->way);
        all = t->way;
    }
    double largest = vector_max(t->size, all) * DISTANCE_OUTWARD;
    double total = largest > 0 ? distance_norm(t->size, all) : 0;
    double other = t->lift->down ? INFINITY : (steps + norm) * DISTANCE_OUTWARD;
    state_bound(t, other < total ? other : total, largest, by);
}

static perp_status try_comparison(proving *t, const perp_distance_point *point)
{
    perp_status status = perp_distance_comparison(t->map, point, t->arena, t->bound, &t->why[0]);
    if (status) return status;
    t->unique = true; /* a P-matrix has one solution, whatever else it is */
    take_bound(t, point, INFINITY, "H-matrix");
    return PERP_SOLVED;
}

static perp_status try_definite(proving *t, const perp_distance_point *point)
{
    double norm;
    bool monotone = false;
    perp_status status =
        perp_distance_definite(t->map, point, t->arena, t->bound, &norm, &monotone, &t->why[1]);
    t->monotone |= monotone;
    if (status == PERP_UNCERTIFIED && t->map->factor)
        status = perp_distance_rank(t->map, point, t->arena, t->bound, &norm, &t->why[1]);
    if (status) return status;
    t->unique = true;
    take_bound(t, point, norm, t->map->root ? "full rank" : "positive definite");
    return PERP_SOLVED;
}

static perp_status try_krawczyk(proving *t, perp_distance_point *point)
{
    int most = t->unique ? BETWEEN_BESIDE : BETWEEN_MOST;
    perp_status status =
        perp_distance_krawczyk(t->map, point, most, t->arena, t->bound, &t->why[2]);
    if (status) return status;
    t->unique |= t->monotone; /* the solutions of a monotone map are convex */
    take_bound(t, point, INFINITY, "Krawczyk");
    return PERP_SOLVED;
}

static perp_status prove(proving *t, unsigned methods)
{
    perp_distance_point point;
    perp_status status = PERP_UNCERTIFIED;
    if (!perp_distance_start(t->map, t->z, t->arena, &point)) return PERP_E_MEMORY;
    bool improve = methods & PERP_DISTANCE_IMPROVE;
    if (improve && perp_distance_improve(t->map, &point, t->arena)) return PERP_E_MEMORY;
    if ((methods & PERP_DISTANCE_COMPARISON) && !t->map->root) status = try_comparison(t, &point);
    if (status < 0) return status;
    bool beside = !t->unique || t->map->n <= DEFINITE_BESIDE;
    if ((methods & PERP_DISTANCE_DEFINITE) && beside) status = try_definite(t, &point);
    if (status < 0) return status;
    if (methods & PERP_DISTANCE_KRAWCZYK) status = try_krawczyk(t, &point);
    if (status < 0) return status;
    return isfinite(t->report->norm) ? PERP_SOLVED : PERP_UNCERTIFIED;
}

/* Each method's refusal. Of a qp the map is not what its owner knows as M. */
static void explain(proving *t, const perp_kind_ops *ops)
{
    char *text = t->report->detail;
    size_t room = sizeof t->report->detail;
    if (ops->objective && !t->map->root) {
        t->why[0].text[0] = 0;
        snprintf(t->why[1].text, sizeof t->why[1].text,
                 "H is not positive definite, or there are rows");
    }
    for (int k = 0; k < 3; k++) {
        size_t used = strlen(text);
        if (!t->why[k].text[0]) continue;
        snprintf(text + used, room - used, "%s%s", used ? "; " : "", t->why[k].text);
    }
    if (!text[0]) snprintf(text, room, "the bounds overflow");
}

static perp_status find(const perp_problem *p, const double *z, unsigned methods, perp_arena *a,
                        perp_distance_report *out)
{
    perp_lift lift;
    perp_distance_map map = {0};
    perp_error e = {0};
    perp_status status = open_map(p, a, &lift, &map, &e);
    if (status == PERP_UNCERTIFIED) snprintf(out->detail, sizeof out->detail, "%s", e.text);
    if (status) return status;
    size_t n = (size_t)map.n;
    double *lifted = perp_alloc(a, n, sizeof *lifted);
    proving t = {.map = &map,
                 .lift = &lift,
                 .z = lifted,
                 .size = perp_size(p),
                 .arena = a,
                 .bound = perp_alloc(a, n, sizeof(double)),
                 .way = perp_alloc(a, n, sizeof(double)),
                 .monotone = map.monotone,
                 .report = out};
    if (a->failed) return PERP_E_MEMORY;
    perp_lift_up(&lift, z, lifted);
    status = prove(&t, methods);
    if (status == PERP_UNCERTIFIED) explain(&t, perp_kind_ops_of(p->kind));
    if (status == PERP_SOLVED) out->unique = t.unique;
    if (status == PERP_SOLVED) out->of = t.unique ? the_solution : a_solution;
    return status;
}

perp_status perp_distance_by(const perp_problem *p, const double *z, unsigned methods,
                             perp_arena *a, perp_distance_report *out)
{
    static const double nothing[1];
    const perp_distance_report none = {.norm = INFINITY, .largest = INFINITY, .of = "", .by = ""};
    if (!out) return PERP_E_ARGUMENT;
    *out = none;
    perp_status status = perp_accept_vector(p, z, a);
    if (status) return status;
    a->failed = false;
    perp_mark mark = perp_arena_mark(a);
    status = find(p, z ? z : nothing, methods, a, out);
    perp_arena_release(a, mark);
    if (status == PERP_E_FORMAT) status = PERP_E_MEMORY; /* more entries than an int counts */
    if (status < 0) *out = none;
    return status;
}

perp_status perp_distance(const perp_problem *p, const double *z, perp_arena *a,
                          perp_distance_report *out)
{
    return perp_distance_by(p, z, PERP_DISTANCE_ALL, a, out);
}
