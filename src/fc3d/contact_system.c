/* fc3d/contact_system.c: linear systems with a part of W.
 *
 * An LU of blocks in a fixed order (linalg/block_lu.h) takes a tenth of the time of one that
 * pivots, and nearly always does: the residual says when it did not, and then a dense one (2/3 n^3
 * flops, n = 3 contacts) or a sparse one takes over, by sizes and counts alone. */
#include "contact_matrix.h"

#include "base/cache.h"
#include "base/simd4.h"
#include "base/vector.h"
#include "base/watch.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define DENSE_BELOW 90    /* unknowns: LAPACK's time is then a fraction of an analysis */
#define DENSE_SHARE 0.125 /* of blocks that are there: beyond it LU fills in anyway */
#define GOOD 1e-13  /* residual of a solution, relative to the right-hand side: no refinement */
#define ENOUGH 1e-7 /* after it; more, and the system has to be pivoted */
#define REFINEMENTS 3
#define SLICE 4096 /* rows of blocks that are filled between two looks at the watch */

/* ---- the system ---- */

/* Blocks of W between contacts of the system. */
static size_t count_blocks(const perp_contact_matrix *b)
{
    size_t blocks = 0;
    for (int a = 0; a < b->kept; a++) {
        for (int k = b->W.p[b->list[a]]; k < b->W.p[b->list[a] + 1]; k++) {
            blocks += b->place[b->W.j[k]] >= 0;
        }
    }
    return blocks;
}

/* The pattern of the system, with room for its blocks. */
static bool open_rows(perp_contact_matrix *b)
{
    size_t n = (size_t)b->kept, blocks = count_blocks(b);
    b->p = perp_alloc_unset(b->arena, n + 1, sizeof *b->p);
    b->j = perp_alloc_unset(b->arena, blocks, sizeof *b->j);
    b->x = perp_alloc_unset(b->arena, 9 * blocks + 1, sizeof *b->x); /* 1: whole registers */
    b->rest = perp_alloc_unset(b->arena, 6 * n, sizeof *b->rest);
    if (b->arena->failed) return false;
    int at = 0;
    for (int a = 0; a < b->kept; a++) {
        b->p[a] = at;
        for (int k = b->W.p[b->list[a]]; k < b->W.p[b->list[a] + 1]; k++) {
            int c = b->place[b->W.j[k]];
            if (c >= 0) b->j[at++] = c;
        }
    }
    b->p[b->kept] = at;
    b->x[9 * blocks] = 0;
    return true;
}

/* out = A_a W_k, A_a by columns of four. A column is written with one number too many, over which
 * the next one goes. */
PERP_INLINED void multiply_block(const double A[12], const double *W, double *out)
{
    for (int j = 0; j < 3; j++) {
        perp_simd4 t = {0};
        for (int m = 0; m < 3; m++) simd4_add(&t, W[3 * j + m], A + 4 * m);
        simd4_store(&t, out + 3 * j);
    }
}

/* A_a W_ab, plus B_a on the diagonal, of the rows from .. to - 1. */
PERP_CLONED_VOID(fill_slice, (perp_contact_matrix *const b, int from, int to), (b, from, to))
{
    double *x = b->x + 9 * (size_t)b->p[from];
    for (int a = from; a < to; a++) {
        int contact = b->list[a];
        double A[12] = {0};
        for (int e = 0; e < 9 && b->A; e++)
            A[e / 3 * 4 + e % 3] = b->A[9 * (size_t)contact + (size_t)e];
        for (int k = b->W.p[contact]; k < b->W.p[contact + 1]; k++) {
            const double *W = b->W.x + 9 * (size_t)k;
            if (b->place[b->W.j[k]] < 0) continue;
            if (b->A)
                multiply_block(A, W, x);
            else
                memcpy(x, W, 9 * sizeof *x);
            for (size_t e = 0; e < 9 && b->W.j[k] == contact; e++) {
                x[e] += b->B[9 * (size_t)contact + e];
            }
            x += 9;
        }
    }
}

/* False: the watch asks to stop. */
static bool fill_rows(perp_contact_matrix *b)
{
    for (int from = 0; from < b->count; from += SLICE) {
        if (from > 0 && perp_watch_stops(b->arena)) return false;
        fill_slice(b, from, b->count - from < SLICE ? b->count : from + SLICE);
    }
    return true;
}

/* ---- without pivoting ---- */

static const perp_opened *find_order(perp_contact_matrix *b, const perp_key *key)
{
    perp_opening g;
    const perp_opened *o = perp_opened_find(b->arena, key);
    if (o) return o;
    if (!perp_opened_begin(b->arena, key, &g)) return NULL;
    int *order = perp_alloc(b->arena, (size_t)b->contacts, sizeof *order);
    if (!order || !perp_block_order(b->arena, b->contacts, b->W.p, b->W.j, order)) return NULL;
    b->arena->work[PERP_WORK_ORDER]++;
    perp_opened_part(&g, order, (size_t)b->contacts * sizeof *order);
    return perp_opened_end(&g);
}

/* The order of elimination, which stays when the system is released. */
static bool open_order(perp_contact_matrix *b)
{
    perp_key key = perp_key_for(b->key, PERP_WORK_ORDER);
    const perp_opened *o = b->order ? NULL : find_order(b, &key);
    if (o) b->order = o->part[0];
    if (o) b->mark = perp_arena_mark(b->arena);
    return b->order;
}

/* The pattern of their factors, lu.D = NULL where these have too many blocks. */
static void open_factors(perp_contact_matrix *b)
{
    int *order = perp_alloc_unset(b->arena, (size_t)b->kept, sizeof *order), count = 0;
    if (b->arena->failed) return;
    for (int k = 0; k < b->contacts; k++) {
        if (b->place[b->order[k]] >= 0) order[count++] = b->place[b->order[k]];
    }
    perp_block_lu_open(b->arena, count, b->p, b->j, order, &b->lu);
}

/* rest = rhs - J x; the norm of it. Four numbers of a column are read at once, one too many. */
PERP_CLONED(double, find_rest,
            (const perp_contact_matrix *b, const double *rhs, const double *x, double *rest),
            (b, rhs, x, rest))
{
    double sum = 0;
    for (int a = 0; a < b->count; a++) {
        perp_simd4 left;
        double t[4] = {rhs[3 * (size_t)a], rhs[3 * (size_t)a + 1], rhs[3 * (size_t)a + 2], 0};
        simd4_load(&left, t);
        for (int k = b->p[a]; k < b->p[a + 1]; k++) {
            const double *B = b->x + 9 * (size_t)k, *v = x + 3 * (size_t)b->j[k];
            simd4_add(&left, -v[0], B);
            simd4_add(&left, -v[1], B + 3);
            simd4_add(&left, -v[2], B + 6);
        }
        simd4_store(&left, t);
        memcpy(rest + 3 * (size_t)a, t, 3 * sizeof *t);
        sum += t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
    }
    return sqrt(sum);
}

/* x <- J^-1 x, refined. False: that is not accurate. */
static bool solve_blocks(perp_contact_matrix *b, double *x)
{
    size_t n = 3 * (size_t)b->count;
    double *rhs = b->rest, *rest = b->rest + n, size = vector_norm((int)n, x);
    memcpy(rhs, x, n * sizeof *x);
    perp_block_lu_solve(&b->lu, x);
    double error = find_rest(b, rhs, x, rest);
    for (int k = 0; k < REFINEMENTS && error > GOOD * size; k++) {
        perp_block_lu_solve(&b->lu, rest);
        for (size_t i = 0; i < n; i++) x[i] += rest[i];
        double now = find_rest(b, rhs, x, rest);
        if (!(now < 0.5 * error)) k = REFINEMENTS;
        error = now;
    }
    if (error <= ENOUGH * size) return true; /* not NaN */
    memcpy(x, rhs, n * sizeof *x);
    return false;
}

/* ---- with pivoting ---- */

static bool factor_dense(perp_contact_matrix *b)
{
    size_t n = 3 * (size_t)b->count;
    b->dense = perp_alloc(b->arena, n * n, sizeof *b->dense);
    b->pivot = perp_alloc_unset(b->arena, n, sizeof *b->pivot);
    if (b->arena->failed) return false;
    for (int a = 0; a < b->count; a++) {
        for (int k = b->p[a]; k < b->p[a + 1]; k++) {
            double *to = b->dense + n * 3 * (size_t)b->j[k] + 3 * (size_t)a;
            const double *block = b->x + 9 * (size_t)k;
            for (int j = 0; j < 3; j++) memcpy(to + n * (size_t)j, block + 3 * j, 3 * sizeof *to);
        }
    }
    return perp_lu_factor((int)n, b->dense, (int)n, b->pivot, b->arena->watch) == 0;
}

/* Rows of the system come in ascending order, so each column's entries do. */
static bool open_sparse(perp_contact_matrix *b, double **values)
{
    int n = 3 * b->count, *p = perp_alloc(b->arena, (size_t)n + 1, sizeof *p);
    size_t blocks = (size_t)b->p[b->count];
    int *row = perp_alloc_unset(b->arena, 9 * blocks, sizeof *row);
    double *x = perp_alloc_unset(b->arena, 9 * blocks, sizeof *x);
    int *next = perp_alloc(b->arena, (size_t)b->count, sizeof *next);
    if (b->arena->failed) return false;
    for (size_t k = 0; k < blocks; k++) {
        for (int e = 1; e < 4; e++) p[3 * b->j[k] + e] += 3;
    }
    for (int j = 0; j < n; j++) p[j + 1] += p[j];
    for (int a = 0; a < b->count; a++) {
        for (int k = b->p[a]; k < b->p[a + 1]; k++) {
            int c = b->j[k];
            for (int e = 0; e < 9; e++) {
                int to = p[3 * c + e / 3] + next[c] + e % 3;
                row[to] = 3 * a + e % 3;
                x[to] = b->x[9 * (size_t)k + (size_t)e];
            }
            next[c] += 3;
        }
    }
    b->factor = perp_factor_open(b->arena, PERP_LU, n, p, row);
    *values = x;
    return b->factor != NULL;
}

static bool factor_sparse(perp_contact_matrix *b)
{
    double *x;
    return open_sparse(b, &x) && perp_factor_compute(b->factor, x) == 0;
}

/* Is a dense LU the quicker one? */
static bool is_full(const perp_contact_matrix *b)
{
    size_t n = (size_t)b->count, blocks = (size_t)b->p[b->count];
    bool full = 3 * n <= DENSE_BELOW || (double)blocks > DENSE_SHARE * (double)n * (double)n;
    return full || 9 * blocks > INT_MAX;
}

static bool factor_pivoted(perp_contact_matrix *b)
{
    if (perp_watch_stops(b->arena)) return false;
    b->pivots = true;
    b->pivoted++;
    return is_full(b) ? factor_dense(b) : factor_sparse(b);
}

static bool solve_pivoted(perp_contact_matrix *b, double *x)
{
    int n = 3 * b->count;
    if (b->dense) {
        perp_lu_solve(n, b->dense, n > 0 ? n : 1, b->pivot, false, 1, x);
    } else if (!b->factor || perp_factor_solve(b->factor, false, x, x)) {
        return false;
    }
    return vector_is_finite((size_t)n, x);
}

/* ---- the calls ---- */

static bool is_top(const perp_contact_matrix *b)
{
    perp_mark now = perp_arena_mark(b->arena);
    return now.chunk == b->top.chunk && now.chunk_used == b->top.chunk_used &&
           now.used == b->top.used;
}

/* The system of other contacts in the place of the one that was kept. False: no memory. */
static bool open_system(perp_contact_matrix *b, int count, const int *list)
{
    if (b->kept && is_top(b)) perp_arena_release(b->arena, b->mark);
    b->mark = perp_arena_mark(b->arena);
    b->kept = count;
    b->lu = (perp_block_lu){0};
    b->list = NULL;
    if (open_order(b)) b->list = perp_alloc_unset(b->arena, (size_t)count, sizeof *b->list);
    if (b->list) {
        memcpy(b->list, list, (size_t)count * sizeof *list);
        for (int i = 0; i < b->contacts; i++) b->place[i] = -1;
        for (int a = 0; a < count; a++) b->place[list[a]] = a;
        if (open_rows(b)) open_factors(b);
    }
    bool opened = b->list && !b->arena->failed;
    if (!opened) b->kept = 0;
    b->top = opened ? perp_arena_mark(b->arena) : b->mark;
    return opened;
}

bool perp_contact_matrix_factor(perp_contact_matrix *b, int count, const int *list, const double *A,
                                const double *B)
{
    perp_contact_matrix_release(b);
    if (count == 0) return true; /* no equations, and nothing to release */
    bool same =
        b->kept == count && is_top(b) && memcmp(b->list, list, (size_t)count * sizeof *list) == 0;
    b->count = count;
    b->A = A;
    b->B = B;
    b->pivots = false;
    b->dense = NULL;
    b->factor = NULL;
    bool factored = false, opened = same || open_system(b, count, list);
    if (opened && fill_rows(b)) {
        b->systems++;
        factored = (b->lu.D && perp_block_lu_compute(&b->lu, b->p, b->j, b->x, b->arena->watch)) ||
                   factor_pivoted(b);
    }
    b->starved |= !opened || b->arena->failed;
    return factored;
}

bool perp_contact_matrix_solve(perp_contact_matrix *b, double *x)
{
    if (b->count == 0) return true;
    if (b->pivots) return solve_pivoted(b, x);
    bool solved = solve_blocks(b, x) || (factor_pivoted(b) && solve_pivoted(b, x));
    b->starved |= b->arena->failed;
    return solved;
}

void perp_contact_matrix_release(perp_contact_matrix *b)
{
    b->starved |= b->arena->failed;
    if (b->count) perp_arena_release(b->arena, b->top);
    b->count = 0;
}

/* A system of fewer contacts has fewer blocks, in the same order, and fewer in its factors. Where
 * it is full it has at most 1 / DENSE_SHARE times as many entries as W has. */
static void count_pivoted(perp_contact_matrix *b)
{
    size_t n = 3 * (size_t)b->count, all = perp_count_product(n, n);
    size_t part = (size_t)(9 * (double)b->p[b->count] / DENSE_SHARE) + DENSE_BELOW * DENSE_BELOW;
    double *x;
    perp_mark mark = perp_arena_mark(b->arena);
    perp_count(b->arena, is_full(b) || all < part ? all : part, sizeof(double));
    perp_count(b->arena, n, sizeof(int));
    if (is_full(b)) return;
    perp_arena_release(b->arena, mark);
    memset(b->x, 0, 9 * (size_t)b->p[b->count] * sizeof *b->x);
    open_sparse(b, &x);
    b->factor = NULL;
}

void perp_contact_matrix_room(perp_contact_matrix *b)
{
    int *all = b->arena->counting ? perp_alloc(b->arena, (size_t)b->contacts, sizeof *all) : NULL;
    if (!all || b->contacts == 0) return;
    for (int c = 0; c < b->contacts; c++) all[c] = c;
    if (!open_system(b, b->contacts, all)) return;
    b->count = b->contacts;
    count_pivoted(b);
    b->count = b->kept = 0;
}
