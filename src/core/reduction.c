/* core/reduction.c: the velocities eliminated, see reduction.h. Three passes: assemble
 * [M -G; G' 0], factor it, and solve for each column of H. */
#include "reduction.h"

#include "base/vector.h"
#include "linalg/dense.h"

#include <limits.h>
#include <string.h>

static perp_status refuse_memory(perp_error *e)
{
    return perp_refuse(e, PERP_E_MEMORY, "no memory to eliminate the velocities");
}

/* ---- the system ---- */

typedef struct system {
    int n, *p, *i;
    double *x;
} system;

/* G by rows: row k has the places row[k] .. row[k + 1] - 1. */
static void turn(const struct perp_csc_view *g, int nv, int nl, int *row, int *next, int *column,
                 double *value)
{
    for (int k = 0; nl && k < g->p[nl]; k++) row[g->i[k] + 1]++;
    for (int k = 0; k < nv; k++) row[k + 1] += row[k];
    for (int k = 0; k < nv; k++) next[k] = row[k];
    for (int j = 0; j < nl; j++) {
        for (int k = g->p[j]; k < g->p[j + 1]; k++) {
            int to = next[g->i[k]]++;
            column[to] = j;
            value[to] = g->x[k];
        }
    }
}

/* [M -G; G' 0], sorted columns. */
static perp_status assemble(const perp_matrix *M, const perp_matrix *G, perp_arena *a, system *s,
                            perp_error *e)
{
    const struct perp_csc_view *m = &M->as.csc, *g = &G->as.csc;
    int nv = M->n, nl = G->n, count = 0, joined = nl ? g->p[nl] : 0;
    long long most = (long long)m->p[nv] + 2LL * joined;
    if (most > INT_MAX) return perp_refuse(e, PERP_E_MEMORY, "M and G have too many entries");
    s->n = nv + nl;
    s->p = perp_alloc(a, (size_t)nv + (size_t)nl + 1, sizeof *s->p);
    s->i = perp_alloc(a, (size_t)most, sizeof *s->i);
    s->x = perp_alloc(a, (size_t)most, sizeof *s->x);
    int *row = perp_alloc(a, (size_t)nv + 1, sizeof *row);
    int *next = perp_alloc(a, (size_t)nv, sizeof *next);
    int *column = perp_alloc(a, (size_t)joined, sizeof *column);
    double *value = perp_alloc(a, (size_t)joined, sizeof *value);
    if (a->failed) return refuse_memory(e);
    turn(g, nv, nl, row, next, column, value);
    for (int j = 0; j < nv; j++) {
        for (int k = m->p[j]; k < m->p[j + 1]; k++) {
            s->i[count] = m->i[k];
            s->x[count++] = m->x[k];
        }
        for (int k = row[j]; k < row[j + 1]; k++) {
            s->i[count] = nv + column[k];
            s->x[count++] = value[k];
        }
        s->p[j + 1] = count;
    }
    for (int j = 0; j < nl; j++) {
        for (int k = g->p[j]; k < g->p[j + 1]; k++) {
            s->i[count] = g->i[k];
            s->x[count++] = -g->x[k];
        }
        s->p[nv + j + 1] = count;
    }
    return PERP_SOLVED;
}

static perp_status refuse_singular(perp_error *e, int velocities, int column)
{
    if (column < velocities)
        return perp_refuse(e, PERP_E_NUMBER, "M is singular at row %d", column);
    return perp_refuse(e, PERP_E_NUMBER, "equality %d depends on others", column - velocities);
}

/* A fixed arena keeps no sparse factor between nested solves; a dense one is part of the object. */
static perp_status factor_dense(perp_reduction *d, const system *s, perp_arena *a, perp_opening *g,
                                perp_error *e)
{
    size_t n = (size_t)s->n;
    double *dense = perp_alloc(a, n * n, sizeof *dense);
    int *pivot = perp_alloc(a, n, sizeof *pivot);
    if (a->failed) return refuse_memory(e);
    for (size_t j = 0; j < n; j++) {
        for (int k = s->p[j]; k < s->p[j + 1]; k++) dense[j * n + (size_t)s->i[k]] = s->x[k];
    }
    a->work[PERP_WORK_FACTOR]++;
    int fails = perp_lu_factor(s->n, dense, s->n > 0 ? s->n : 1, pivot, a->watch);
    perp_opened_part(g, dense, n * n * sizeof *dense);
    perp_opened_part(g, pivot, n * sizeof *pivot);
    d->dense = dense;
    d->pivot = pivot;
    return fails ? refuse_singular(e, d->from.M->n, fails - 1) : PERP_SOLVED;
}

/* The factor of a growing arena, which keeps it. */
static perp_status factor_sparse(perp_reduction *d, const perp_matrix *M, const perp_matrix *G,
                                 perp_arena *a, perp_error *e)
{
    system s;
    perp_status status = assemble(M, G, a, &s, e);
    if (status) return status;
    d->factor = perp_factor_open(a, PERP_LU, s.n, s.p, s.i);
    int fails = d->factor ? perp_factor_compute(d->factor, s.x) : -1;
    if (fails < 0) return refuse_memory(e);
    return fails ? refuse_singular(e, M->n, fails - 1) : PERP_SOLVED;
}

/* In place; false: the answer is not finite, or there is no memory. */
static bool solve_factor(const perp_reduction *d, double *x)
{
    int n = perp_body_velocities(&d->from) + perp_body_equalities(&d->from);
    if (!d->dense) return perp_factor_solve(d->factor, false, x, x) == 0;
    perp_lu_solve(n, d->dense, n > 0 ? n : 1, d->pivot, false, 1, x);
    return vector_is_finite((size_t)n, x);
}

/* ---- W ---- */

/* Column j of W, H' P H e_j + R e_j. */
static bool find_column(const perp_reduction *d, int j, double *column)
{
    const struct perp_csc_view *H = &d->H.as.csc, *R = &d->R.as.csc;
    size_t size = (size_t)perp_body_velocities(&d->from) + (size_t)perp_body_equalities(&d->from);
    memset(d->work, 0, size * sizeof *d->work);
    for (int k = H->p[j]; k < H->p[j + 1]; k++) d->work[H->i[k]] += H->x[k];
    if (!solve_factor(d, d->work)) return false;
    perp_mul_t(&d->H, 1, d->work, 0, column);
    for (int k = R->p ? R->p[j] : 0; R->p && k < R->p[j + 1]; k++) column[R->i[k]] += R->x[k];
    return vector_is_finite((size_t)d->from.rows, column);
}

static perp_status refuse_numbers(perp_error *e)
{
    return perp_refuse(e, PERP_E_NUMBER, "M is singular to working precision");
}

static perp_status couple_dense(perp_reduction *d, perp_arena *a, perp_opening *g, perp_error *e)
{
    size_t n = (size_t)d->from.rows;
    double *W = perp_alloc_unset(a, n * n, sizeof *W);
    if (a->failed) return refuse_memory(e);
    for (size_t j = 0; j < n; j++) {
        if (!find_column(d, (int)j, W + n * j)) return refuse_numbers(e);
    }
    perp_opened_part(g, W, n * n * sizeof *W);
    return PERP_SOLVED;
}

/* Entries behind each other, in memory that doubles. */
typedef struct entries {
    size_t count, room;
    int *i;
    double *x;
} entries;

static bool reserve(entries *t, perp_arena *a, size_t more)
{
    if (t->count + more <= t->room) return true;
    size_t room = 2 * t->room + more;
    int *i = perp_alloc_unset(a, room, sizeof *i);
    double *x = perp_alloc_unset(a, room, sizeof *x);
    if (a->failed) return false;
    if (t->count) memcpy(i, t->i, t->count * sizeof *i);
    if (t->count) memcpy(x, t->x, t->count * sizeof *x);
    *t = (entries){t->count, room, i, x};
    return true;
}

static perp_status couple_sparse(perp_reduction *d, perp_arena *a, perp_opening *g, perp_error *e)
{
    size_t n = (size_t)d->from.rows;
    int *p = perp_alloc(a, n + 1, sizeof *p);
    double *column = perp_alloc(a, n, sizeof *column);
    entries t = {0};
    if (a->failed) return refuse_memory(e);
    for (size_t j = 0; j < n; j++) {
        if (!find_column(d, (int)j, column)) return refuse_numbers(e);
        if (!reserve(&t, a, n)) return refuse_memory(e);
        for (size_t i = 0; i < n; i++) {
            if (column[i] == 0) continue;
            t.i[t.count] = (int)i;
            t.x[t.count++] = column[i];
        }
        if (t.count > INT_MAX) return refuse_memory(e);
        p[j + 1] = (int)t.count;
    }
    perp_opened_part(g, p, (n + 1) * sizeof *p);
    perp_opened_part(g, t.i, t.count * sizeof *t.i);
    perp_opened_part(g, t.x, t.count * sizeof *t.x);
    return PERP_SOLVED;
}

/* The parts are those of W, behind the LU factors of a fixed arena. */
static perp_status couple(perp_reduction *d, const perp_matrix *M, const perp_matrix *G,
                          bool sparse, perp_arena *a, const perp_opened **out, perp_error *e)
{
    perp_opening g;
    perp_status status = PERP_SOLVED;
    if (!perp_opened_begin(a, &d->key, &g)) return refuse_memory(e);
    a->work[PERP_WORK_REDUCTION]++;
    if (!perp_arena_keeps(a)) {
        system s;
        status = assemble(M, G, a, &s, e);
        if (!status) status = factor_dense(d, &s, a, &g, e);
    }
    if (!status) status = sparse ? couple_sparse(d, a, &g, e) : couple_dense(d, a, &g, e);
    if (!status) *out = perp_opened_end(&g);
    return status;
}

/* ---- the calls ---- */

static perp_status read_columns(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                perp_error *e)
{
    perp_status status = perp_opened_convert(A, PERP_FORMAT_CSC, a, out, e);
    if (status) return status;
    return perp_sort_csc(out, a, out) ? refuse_memory(e) : PERP_SOLVED;
}

perp_key perp_reduction_key(const perp_body_form *b)
{
    perp_key key = perp_key_matrix(perp_key_of(PERP_WORK_REDUCTION), b->M);
    key = perp_key_matrix(key, b->H);
    if (perp_body_equalities(b) > 0) key = perp_key_matrix(key, b->G);
    if (!perp_body_is_rigid(b)) key = perp_key_number(perp_key_matrix(key, b->R), 1);
    return key;
}

/* The constant part: q = H' (P f - Q b) + w. */
static perp_status find_constant(const perp_reduction *d, double *q, perp_error *e)
{
    const perp_body_form *b = &d->from;
    int nv = perp_body_velocities(b), nl = perp_body_equalities(b);
    memcpy(d->work, b->f, (size_t)nv * sizeof *d->work);
    for (int k = 0; k < nl; k++) d->work[nv + k] = b->b ? -b->b[k] : 0;
    bool finite = solve_factor(d, d->work);
    for (int i = 0; i < b->rows; i++) q[i] = b->w ? b->w[i] : 0;
    perp_mul_t(&d->H, 1, d->work, 1, q);
    return finite && vector_is_finite((size_t)b->rows, q) ? PERP_SOLVED : refuse_numbers(e);
}

static void show_matrix(perp_reduction *d, const perp_opened *o, bool sparse)
{
    int n = d->from.rows, first = o->parts - (sparse ? 3 : 1);
    if (first > 0) {
        d->dense = o->part[0];
        d->pivot = o->part[1];
    }
    if (sparse)
        d->W = perp_csc(n, n, o->part[first], o->part[first + 1], o->part[first + 2]);
    else
        d->W = perp_dense(n, n, o->part[first]);
}

perp_status perp_reduction_open(const perp_body_form *b, perp_key key, bool sparse, perp_arena *a,
                                double *q, perp_reduction *d, perp_error *e)
{
    int nv = perp_body_velocities(b), nl = perp_body_equalities(b);
    perp_matrix M, G = {.format = PERP_FORMAT_CSC, .m = nv};
    *d = (perp_reduction){.from = *b, .key = perp_key_number(key, sparse)};
    d->work = perp_alloc(a, (size_t)nv + (size_t)nl, sizeof *d->work);
    if (a->failed) return refuse_memory(e);
    perp_status status = read_columns(b->M, a, &M, e);
    if (!status && nl > 0) status = read_columns(b->G, a, &G, e);
    if (!status) status = perp_opened_convert(b->H, PERP_FORMAT_CSC, a, &d->H, e);
    if (!status && !perp_body_is_rigid(b)) status = read_columns(b->R, a, &d->R, e);
    if (!status && perp_arena_keeps(a)) status = factor_sparse(d, &M, &G, a, e);
    if (status) return status;
    const perp_opened *o = perp_opened_find(a, &d->key);
    if (!o) status = couple(d, &M, &G, sparse, a, &o, e);
    if (status) return status;
    show_matrix(d, o, sparse);
    return find_constant(d, q, e);
}

bool perp_reduction_back(const perp_reduction *d, const double *z, double *v)
{
    const perp_body_form *b = &d->from;
    int nv = perp_body_velocities(b), nl = perp_body_equalities(b);
    memcpy(v, b->f, (size_t)nv * sizeof *v);
    for (int k = 0; k < nl; k++) v[nv + k] = b->b ? -b->b[k] : 0;
    perp_mul(&d->H, 1, z, 1, v);
    return solve_factor(d, v);
}

bool perp_reduction_act(const perp_reduction *d, const double *z, double *v)
{
    size_t size = (size_t)perp_body_velocities(&d->from) + (size_t)perp_body_equalities(&d->from);
    memset(v, 0, size * sizeof *v);
    perp_mul(&d->H, 1, z, 1, v);
    return solve_factor(d, v);
}
