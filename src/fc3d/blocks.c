/* fc3d/blocks.c: W by canonical block rows, and linear systems with a part of it.
 *
 * Dense: 2/3 n^3 flops and n^2 numbers, n = 3 contacts of the system. Sparse: UMFPACK or KLU. Which
 * one follows from sizes and counts alone. */
#include "blocks.h"

#include "../kernel/clones.h"
#include "../kernel/cone.h"
#include "../kernel/contact.h"
#include "../kernel/dense.h"
#include "../kernel/vector.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#define DENSE_BELOW 90    /* unknowns: LAPACK's time is then a fraction of an analysis */
#define DENSE_SHARE 0.125 /* of blocks that are there: beyond it LU fills in anyway */

#define SINGULAR                                                                                   \
    (4 * DBL_EPSILON) /* times |W_TT|^2: a smaller det of the Schur complement is 0                \
                       */

/* ---- opening ---- */

static bool is_canonical(int n, const struct perp_bsr3_view *W)
{
    for (int i = 0; i < n; i++) {
        bool diagonal = false;
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            if (k > W->p[i] && W->j[k] <= W->j[k - 1]) return false;
            diagonal |= W->j[k] == i;
        }
        if (!diagonal) return false;
    }
    return true;
}

/* Sorted, duplicates added up, a zero block where the diagonal is missing. */
static perp_status make_canonical(perp_run *run, int n, struct perp_bsr3_view *W)
{
    long long most = (long long)W->p[n] + n;
    if (most > INT_MAX) return perp_fail(run, PERP_E_MEMORY, "W has too many blocks");
    int *p = PERP_ALLOC(run, int, (size_t)n + 1), *j = PERP_ALLOC(run, int, most);
    double *x = PERP_ALLOC(run, double, 9 * (size_t)most);
    int *where = PERP_ALLOC(run, int, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int i = 0, count = 0; i < n; i++) {
        int from = count;
        j[count++] = i;
        for (int k = W->p[i]; k < W->p[i + 1]; k++) j[count++] = W->j[k];
        for (int k = from + 1; k < count; k++) { /* rows are short: by insertion */
            int c = j[k], m = k;
            for (; m > from && j[m - 1] > c; m--) j[m] = j[m - 1];
            j[m] = c;
        }
        int kept = from;
        for (int k = from; k < count; k++) {
            if (k == from || j[k] != j[kept - 1]) j[kept++] = j[k];
            where[j[kept - 1]] = kept - 1;
        }
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            double *to = x + 9 * (size_t)where[W->j[k]];
            for (int e = 0; e < 9; e++) to[e] += W->x[9 * (size_t)k + (size_t)e];
        }
        p[i + 1] = count = kept;
    }
    *W = (struct perp_bsr3_view){p, j, x};
    return PERP_SOLVED;
}

static bool is_regular(const double W[9], double mu)
{
    perp_contact_block k;
    double tangent = fabs(W[4]) + fabs(W[5]) + fabs(W[7]) + fabs(W[8]);
    return perp_contact_prepare(W, mu, &k) && fabs(k.det) > SINGULAR * tangent * tangent;
}

/* The traces of the diagonal blocks. */
static perp_status read_traces(perp_run *run, perp_blocks *b)
{
    double *trace = PERP_ALLOC(run, double, b->contacts);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int i = 0; i < b->contacts; i++) {
        int k = b->W.p[i];
        while (b->W.j[k] != i) k++;
        const double *B = b->W.x + 9 * (size_t)k;
        if (!(B[0] > 0)) {
            return perp_fail(run, PERP_E_NUMBER, "W_NN = %g of contact %d is not positive", B[0],
                             i);
        }
        if (!(B[4] + B[8] > 0) || !is_regular(B, b->mu[i])) {
            return perp_fail(run, PERP_E_NUMBER, "the diagonal block of contact %d is singular", i);
        }
        trace[i] = B[0] + B[4] + B[8];
        b->mean += trace[i] / (3.0 * b->contacts);
    }
    b->trace = trace;
    return PERP_SOLVED;
}

perp_status perp_blocks_open(perp_run *run, perp_blocks *b)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_matrix W;
    perp_error e = {0};
    *b = (perp_blocks){.contacts = f->contacts, .mu = f->mu, .arena = run->arena};
    if (f->form == PERP_BODY) {
        b->reduced = PERP_ALLOC(run, perp_reduced, 1);
        if (run->arena->failed) return PERP_E_MEMORY;
        perp_status status = perp_reduce_open(run, b->reduced);
        if (status) return status;
        f = &b->reduced->local;
    }
    b->q = f->q;
    perp_status status = perp_convert(&f->W, PERP_BSR3, run->arena, &W, &e);
    if (status) return perp_fail(run, status, "%s", e.text);
    b->W = W.as.bsr3;
    b->place = PERP_ALLOC(run, int, b->contacts);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (b->contacts && !is_canonical(b->contacts, &b->W)) {
        status = make_canonical(run, b->contacts, &b->W);
    }
    return status ? status : read_traces(run, b);
}

/* ---- products ---- */

PERP_CLONED
static void row_product(const struct perp_bsr3_view *W, int i, const double *r, double u[3])
{
    double s0[3] = {0}, s1[3] = {0}, s2[3] = {0};
    for (int k = W->p[i]; k < W->p[i + 1]; k++) {
        const double *B = W->x + 9 * (size_t)k, *c = r + 3 * (size_t)W->j[k];
        for (int e = 0; e < 3; e++) {
            s0[e] += B[e] * c[0];
            s1[e] += B[3 + e] * c[1];
            s2[e] += B[6 + e] * c[2];
        }
    }
    for (int e = 0; e < 3; e++) u[e] += s0[e] + s1[e] + s2[e];
}

void perp_blocks_velocity(const perp_blocks *b, const double *r, double *u)
{
    for (int i = 0; i < b->contacts; i++) {
        memcpy(u + 3 * (size_t)i, b->q + 3 * (size_t)i, 3 * sizeof *u);
        row_product(&b->W, i, r, u + 3 * (size_t)i);
    }
}

double perp_blocks_error(const perp_blocks *b, const double *r, const double *u, int *worst)
{
    double sum = 0, most = -1;
    for (int i = 0; i < b->contacts; i++) {
        const double *x = u + 3 * (size_t)i;
        double v[3] = {x[0] + b->mu[i] * perp_cone_length(x[1], x[2]), x[1], x[2]}, map[3];
        perp_cone_natural(b->mu[i], r + 3 * (size_t)i, v, map);
        double error = map[0] * map[0] + map[1] * map[1] + map[2] * map[2];
        sum += error;
        if (worst && error > most) *worst = i, most = error;
    }
    return sqrt(sum);
}

/* ---- systems ---- */

/* Blocks of W between contacts of the system. */
static size_t count_blocks(const perp_blocks *b, int count, const int *list)
{
    size_t blocks = 0;
    for (int a = 0; a < count; a++) {
        for (int k = b->W.p[list[a]]; k < b->W.p[list[a] + 1]; k++) {
            blocks += b->place[b->W.j[k]] >= 0;
        }
    }
    return blocks;
}

/* A_a W_k, plus B_a on the diagonal. */
static void make_block(const perp_blocks *b, int contact, int k, const double *A, const double *B,
                       double out[9])
{
    const double *W = b->W.x + 9 * (size_t)k;
    if (A) {
        const double *L = A + 9 * (size_t)contact;
        for (int j = 0; j < 3; j++) {
            for (int i = 0; i < 3; i++) {
                out[3 * j + i] =
                    L[i] * W[3 * j] + L[3 + i] * W[3 * j + 1] + L[6 + i] * W[3 * j + 2];
            }
        }
    } else {
        memcpy(out, W, 9 * sizeof *out);
    }
    if (b->W.j[k] != contact) return;
    for (int e = 0; e < 9; e++) out[e] += B[9 * (size_t)contact + (size_t)e];
}

static bool factor_dense(perp_blocks *b, int count, const int *list, const double *A,
                         const double *B)
{
    size_t n = 3 * (size_t)count;
    b->dense = perp_alloc(b->arena, n * n, sizeof *b->dense);
    b->pivot = perp_alloc_unset(b->arena, n, sizeof *b->pivot);
    if (b->arena->failed) return false;
    for (int a = 0; a < count; a++) {
        for (int k = b->W.p[list[a]]; k < b->W.p[list[a] + 1]; k++) {
            int c = b->place[b->W.j[k]];
            double block[9];
            if (c < 0) continue;
            double *to = b->dense + n * 3 * (size_t)c + 3 * (size_t)a;
            make_block(b, list[a], k, A, B, block);
            for (int j = 0; j < 3; j++) memcpy(to + n * (size_t)j, block + 3 * j, 3 * sizeof *to);
        }
    }
    return perp_lu_factor((int)n, b->dense, (int)n, b->pivot) == 0;
}

/* Rows of the system come in ascending order, so each column's entries do. */
static void fill_sparse(const perp_blocks *b, int count, const int *list, const double *A,
                        const double *B, const int *p, int *next, int *row, double *x)
{
    for (int a = 0; a < count; a++) {
        for (int k = b->W.p[list[a]]; k < b->W.p[list[a] + 1]; k++) {
            int c = b->place[b->W.j[k]];
            double block[9];
            if (c < 0) continue;
            make_block(b, list[a], k, A, B, block);
            for (int e = 0; e < 9; e++) {
                int to = p[3 * c + e / 3] + next[c] + e % 3;
                row[to] = 3 * a + e % 3;
                x[to] = block[e];
            }
            next[c] += 3;
        }
    }
}

static bool factor_sparse(perp_blocks *b, int count, const int *list, const double *A,
                          const double *B, size_t blocks)
{
    int n = 3 * count, *p = perp_alloc(b->arena, (size_t)n + 1, sizeof *p);
    int *row = perp_alloc_unset(b->arena, 9 * blocks, sizeof *row);
    double *x = perp_alloc_unset(b->arena, 9 * blocks, sizeof *x);
    int *next = perp_alloc(b->arena, (size_t)count, sizeof *next);
    if (b->arena->failed) return false;
    for (int a = 0; a < count; a++) {
        for (int k = b->W.p[list[a]]; k < b->W.p[list[a] + 1]; k++) {
            int c = b->place[b->W.j[k]];
            for (int e = 1; e < 4 && c >= 0; e++) p[3 * c + e] += 3;
        }
    }
    for (int j = 0; j < n; j++) p[j + 1] += p[j];
    fill_sparse(b, count, list, A, B, p, next, row, x);
    b->factor = perp_factor_open(b->arena, PERP_LU, n, p, row);
    return b->factor && perp_factor_compute(b->factor, x) == 0;
}

bool perp_blocks_factor(perp_blocks *b, int count, const int *list, const double *A,
                        const double *B)
{
    perp_blocks_release(b);
    b->mark = perp_arena_mark(b->arena);
    b->count = count;
    b->dense = NULL;
    b->factor = NULL;
    b->systems++;
    for (int i = 0; i < b->contacts; i++) b->place[i] = -1;
    for (int a = 0; a < count; a++) b->place[list[a]] = a;
    size_t n = (size_t)count, blocks = count_blocks(b, count, list);
    bool full = 3 * n <= DENSE_BELOW || (double)blocks > DENSE_SHARE * (double)n * (double)n;
    if (full || b->arena->fixed || 9 * blocks > INT_MAX) {
        return factor_dense(b, count, list, A, B);
    }
    return factor_sparse(b, count, list, A, B, blocks);
}

bool perp_blocks_solve(perp_blocks *b, double *x)
{
    int n = 3 * b->count;
    if (b->dense) {
        perp_lu_solve(n, b->dense, n > 0 ? n : 1, b->pivot, false, 1, x);
    } else if (!b->factor || perp_factor_solve(b->factor, false, x, x)) {
        return false;
    }
    return vector_is_finite((size_t)n, x);
}

void perp_blocks_release(perp_blocks *b)
{
    b->starved |= b->arena->failed;
    if (b->count) perp_arena_release(b->arena, b->mark);
    b->count = 0;
}

/* ---- the run ---- */

bool perp_blocks_continue(perp_run *run, const perp_blocks *b, double *z, double estimate)
{
    if (b->reduced) perp_reduce_back(b->reduced, z);
    return perp_continue(run, z, estimate);
}

perp_status perp_blocks_end(perp_run *run, const perp_blocks *b, double *z, int worst)
{
    if (b->reduced) perp_reduce_back(b->reduced, z);
    if (run->status == PERP_STALLED || run->status == PERP_MAX_ITER) {
        return perp_fail(run, run->status, "%s; contact %d resists most",
                         perp_status_text(run->status), worst);
    }
    return run->status;
}
