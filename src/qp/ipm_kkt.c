/* qp/ipm_kkt.c: the systems of an interior point method, [H + D A'; A -E] with D, E > 0.
 *
 * Symmetric H: quasidefinite, L D L' in an order chosen once (linalg/ldl.h). Where that has no
 * accuracy left, and where H is not symmetric, LU (linalg/sparse.h), which pivots, with the
 * analysis kept; at last L D L' in pairs of numbers (ipm_pairs.c). Solves are refined to the
 * accuracy that their caller needs. */
#include "ipm.h"

#include "base/clones.h"
#include "base/vector.h"

#include <float.h>
#include <limits.h>
#include <stdint.h>

#define REFINEMENTS 6
#define MOST_ENTRIES 500000 /* of L, for which pivots are worth a try */
#define LEAST 1e-14         /* a pivot below this is rounding, and ... */
#define INSTEAD 1e-7        /* ... becomes this */
#define LEAST_PAIR 1e-30    /* the same of a factor in pairs: their rounding is 1e-32 */

/* ---- the pattern ---- */

/* Lower triangle: column j of H with its diagonal first, then column j of A. */
static void fill_lower(ipm_kkt *k)
{
    const ipm_problem *p = k->p;
    const struct perp_csc_view *H = &p->H.as.csc, *A = &p->A.as.csc;
    int at = 0;
    for (int j = 0; j < p->n; j++) {
        k->start[j] = k->diagonal[j] = at;
        k->index[at] = j;
        k->base[at++] = 0;
        for (int e = H->p[j]; e < H->p[j + 1]; e++) {
            if (H->i[e] == j) {
                k->base[k->diagonal[j]] = H->x[e];
                continue;
            }
            k->index[at] = H->i[e];
            k->base[at++] = H->x[e];
        }
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            k->index[at] = p->n + A->i[e];
            k->base[at++] = A->x[e];
        }
    }
    for (int i = p->n; i < k->size; i++) {
        k->start[i] = k->diagonal[i] = at;
        k->index[at] = i;
        k->base[at++] = 0;
    }
    k->start[k->size] = at;
}

/* Column j of H, with its diagonal, then of A. */
static int fill_column(ipm_kkt *k, int j, int at)
{
    const ipm_problem *p = k->p;
    const struct perp_csc_view *H = &p->H.as.csc, *A = &p->A.as.csc;
    bool placed = false;
    for (int e = H->p[j]; e <= H->p[j + 1]; e++) {
        bool end = e == H->p[j + 1];
        if (!placed && (end || H->i[e] >= j)) {
            bool there = !end && H->i[e] == j;
            placed = true;
            k->diagonal[j] = at;
            k->index[at] = j;
            k->base[at++] = there ? H->x[e] : 0;
            if (there) continue;
        }
        if (end) break;
        k->index[at] = H->i[e];
        k->base[at++] = H->x[e];
    }
    for (int e = A->p[j]; e < A->p[j + 1]; e++) {
        k->index[at] = p->n + A->i[e];
        k->base[at++] = A->x[e];
    }
    return at;
}

/* All of it; next, length m, is zero. */
static void fill_whole(ipm_kkt *k, int *next)
{
    const ipm_problem *p = k->p;
    const struct perp_csc_view *A = &p->A.as.csc;
    int at = 0, n = p->n;
    for (int j = 0; j < n; j++) {
        k->start[j] = at;
        at = fill_column(k, j, at);
    }
    for (int e = 0; e < A->p[n]; e++) next[A->i[e]]++;
    for (int i = 0; i < p->m; i++) {
        int count = next[i];
        k->start[n + i] = next[i] = at;
        at += count;
        k->diagonal[n + i] = at;
        k->index[at] = n + i;
        k->base[at++] = 0;
    }
    k->start[k->size] = at;
    for (int j = 0; j < n; j++) {
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            int to = next[A->i[e]]++;
            k->index[to] = j;
            k->base[to] = A->x[e];
        }
    }
}

/* ---- pivoting ---- */

/* The whole of a symmetric pattern, and where each entry of its lower triangle goes in it. */
static bool open_whole(ipm_kkt *k, perp_arena *a)
{
    size_t size = (size_t)k->size, entries = (size_t)k->start[k->size];
    int *start = perp_alloc(a, size + 1, sizeof *start), *next;
    int *index = perp_alloc_unset(a, 2 * entries, sizeof *index);
    k->below = perp_alloc_unset(a, entries, sizeof *k->below);
    k->above = perp_alloc_unset(a, entries, sizeof *k->above);
    k->whole = perp_alloc(a, 2 * entries, sizeof *k->whole);
    next = perp_alloc_unset(a, size, sizeof *next);
    if (a->failed) return false;
    for (int j = 0; j < k->size; j++) {
        start[j + 1] += k->start[j + 1] - k->start[j];
        for (int e = k->start[j] + 1; e < k->start[j + 1]; e++) start[k->index[e] + 1]++;
    }
    for (int j = 0; j < k->size; j++) start[j + 1] += start[j];
    memcpy(next, start, size * sizeof *next);
    for (int j = 0; j < k->size; j++) { /* rows above the diagonal come first, in order */
        for (int e = k->start[j] + 1; e < k->start[j + 1]; e++) {
            int to = next[k->index[e]]++;
            index[to] = j;
            k->above[e] = to;
        }
    }
    for (int j = 0; j < k->size; j++) {
        for (int e = k->start[j]; e < k->start[j + 1]; e++) {
            int to = next[j]++;
            index[to] = k->index[e];
            k->below[e] = to;
            if (e == k->start[j]) k->above[e] = to;
        }
    }
    k->lu = perp_factor_open(a, PERP_LU, k->size, start, index);
    return k->lu != NULL;
}

bool perp_ipm_kkt_pivot(ipm_kkt *k)
{
    if (k->pivots || k->pairs || !k->p->symmetric || k->no_pivots) return false;
    k->no_pivots = perp_ldl_size(&k->ldl) > MOST_ENTRIES;
    perp_mark mark = perp_arena_mark(k->arena);
    if (!k->no_pivots && !open_whole(k, k->arena)) {
        k->no_pivots = true;
        perp_arena_release(k->arena, mark);
    }
    k->pivots = !k->no_pivots;
    return k->pivots;
}

perp_status perp_ipm_kkt_open(ipm_kkt *k, const ipm_problem *p, perp_arena *a)
{
    size_t size = (size_t)p->n + (size_t)p->m;
    size_t in_H = (size_t)p->H.as.csc.p[p->n], in_A = (size_t)p->A.as.csc.p[p->n];
    size_t entries = size + in_H + (p->symmetric ? 1 : 2) * in_A;
    if (entries > INT_MAX / 3) return PERP_E_FORMAT;
    *k = (ipm_kkt){.p = p, .size = (int)size, .incomplete = true, .arena = a};
    k->start = perp_alloc_unset(a, size + 1, sizeof *k->start);
    k->index = perp_alloc_unset(a, entries, sizeof *k->index);
    k->base = perp_alloc_unset(a, entries, sizeof *k->base);
    k->value = perp_alloc_unset(a, entries, sizeof *k->value);
    k->diagonal = perp_alloc_unset(a, size, sizeof *k->diagonal);
    k->weight = perp_alloc_unset(a, size, sizeof *k->weight);
    k->rhs = perp_alloc_unset(a, size, sizeof *k->rhs);
    k->residual = perp_alloc_unset(a, size, sizeof *k->residual);
    k->step = perp_alloc_unset(a, size, sizeof *k->step);
    bool *negative = perp_alloc(a, size, sizeof *negative);
    int *next = perp_alloc(a, (size_t)p->m, sizeof *next);
    if (a->failed) return PERP_E_MEMORY;
    if (p->symmetric) {
        fill_lower(k);
        for (int i = p->n; i < k->size; i++) negative[i] = true;
        bool opened = perp_ldl_open(&k->ldl, a, k->size, k->start, k->index, negative);
        if (opened && a->counting && perp_ipm_kkt_pivot(k)) k->pivots = false; /* may be needed */
        if (opened && a->counting) k->lu = NULL;
        return opened ? PERP_SOLVED : PERP_E_MEMORY;
    }
    fill_whole(k, next);
    k->lu = perp_factor_open(a, PERP_LU, k->size, k->start, k->index);
    return k->lu ? PERP_SOLVED : PERP_E_MEMORY;
}

static bool factor_whole(ipm_kkt *k)
{
    for (int e = 0; e < k->start[k->size]; e++) {
        k->whole[k->below[e]] = k->whole[k->above[e]] = k->value[e];
    }
    return perp_factor_compute(k->lu, k->whole) == 0;
}

/* ---- factors and solves ---- */

/* Rows and columns of `out` pairs become unit vectors. */
static void leave_out(ipm_kkt *k, const bool *out)
{
    for (int j = 0; j < k->size; j++) {
        for (int e = k->start[j]; e < k->start[j + 1]; e++) {
            if (out[j] || out[k->index[e]]) k->value[e] = 0;
        }
    }
}

bool perp_ipm_kkt_factor(ipm_kkt *k, const double *d, const bool *out)
{
    size_t entries = (size_t)k->start[k->size];
    if (out || k->incomplete) memcpy(k->value, k->base, entries * sizeof *k->value);
    if (out) leave_out(k, out);
    k->incomplete = out != NULL;
    for (int j = 0; j < k->size; j++) {
        int e = k->diagonal[j];
        double by = out && out[j] ? 1 : d[j], own = out && out[j] ? 0 : k->base[e];
        double pivot = j < k->p->n ? own + by : own - by;
        k->value[e] = pivot;
        k->weight[j] = fabs(pivot) > 1 ? 1 / fabs(pivot) : 1;
    }
    k->replaced = 0;
    k->factors++;
    if (!k->p->symmetric) return perp_factor_compute(k->lu, k->value) == 0;
    if (k->pivots && !k->pairs) return factor_whole(k);
    k->replaced = k->pairs ? perp_ldl_pairs_compute(k->pairs, k->value, LEAST_PAIR, INSTEAD)
                           : perp_ldl_compute(&k->ldl, k->value, LEAST, INSTEAD);
    return k->replaced >= 0;
}

/* The largest entry of a right-hand side, each over its diagonal where that is large: the others
 * would be lost beside an entry of a row that hardly bounds anything. NaN when there is one: as
 * integers the bits of numbers without a sign have the order of the numbers, and NaN comes last. */
PERP_CLONED(double, weigh, (const ipm_kkt *k, const double *b), (k, b))
{
    const double *weight = k->weight;
    int64_t most = 0;
    double result;
    for (int j = 0; j < k->size; j++) {
        double x = fabs(b[j]) * weight[j];
        int64_t bits;
        memcpy(&bits, &x, sizeof bits);
        most = bits > most ? bits : most;
    }
    memcpy(&result, &most, sizeof result);
    return result;
}

/* r -= K x, where K is given by its lower triangle, each column with its diagonal first. */
PERP_INLINED void subtract_lower(int n, const int *start, const int *index,
                                 const double *restrict value, const double *restrict x,
                                 double *restrict r)
{
    for (int j = 0, e = 0; j < n; j++) {
        double by = x[j], sum = value[e] * by;
        for (e++; e < start[j + 1]; e++) {
            r[index[e]] -= value[e] * by;
            sum += value[e] * x[index[e]];
        }
        r[j] -= sum;
    }
}

/* The same of a matrix given whole. */
PERP_INLINED void subtract_whole(int n, const int *start, const int *index,
                                 const double *restrict value, const double *restrict x,
                                 double *restrict r)
{
    for (int j = 0; j < n; j++) {
        for (int e = start[j]; e < start[j + 1]; e++) r[index[e]] -= value[e] * x[j];
    }
}

PERP_CLONED_VOID(subtract_product, (ipm_kkt * k, const double *x), (k, x))
{
    if (k->p->symmetric)
        subtract_lower(k->size, k->start, k->index, k->value, x, k->residual);
    else
        subtract_whole(k->size, k->start, k->index, k->value, x, k->residual);
}

/* residual = b - K x, or b - K (x + low) with pairs; weighed. */
static double find_residual(ipm_kkt *k, const double *b, const double *x, const double *low)
{
    if (k->pairs) {
        perp_ipm_pairs_residual(k, b, x, low);
    } else {
        memcpy(k->residual, b, (size_t)k->size * sizeof *b);
        subtract_product(k, x);
    }
    return weigh(k, k->residual);
}

/* x = K^-1 b, with pairs x + low. */
static void apply_inverse(ipm_kkt *k, const double *b, double *x, double *low)
{
    k->solves++;
    if (k->pairs) {
        perp_ldl_pairs_solve(k->pairs, b, x, low);
    } else if (!k->lu) {
        perp_ldl_solve(&k->ldl, b, x);
    } else if (perp_factor_solve(k->lu, false, b, x) < 0) {
        for (int j = 0; j < k->size; j++) x[j] = NAN;
    }
}

/* step += x */
static void add_step(ipm_kkt *k, const double *x)
{
    if (k->pairs)
        perp_ipm_pairs_add(k, x);
    else
        for (int j = 0; j < k->size; j++) k->step[j] += x[j];
}

static void take_step(ipm_kkt *k, double *x)
{
    memcpy(x, k->step, (size_t)k->size * sizeof *x);
    if (k->pairs) memcpy(k->low, k->low_step, (size_t)k->size * sizeof *k->low);
}

double perp_ipm_kkt_solve(ipm_kkt *k, const double *b, double *x, double accuracy)
{
    double *rhs = k->rhs, size = weigh(k, b);
    memcpy(rhs, b, (size_t)k->size * sizeof *rhs);
    apply_inverse(k, rhs, x, k->low);
    double error = find_residual(k, rhs, x, k->low);
    for (int pass = 0; pass < REFINEMENTS && error > accuracy * size; pass++) {
        double before = error;
        apply_inverse(k, k->residual, k->step, k->low_step);
        add_step(k, x);
        error = find_residual(k, rhs, k->step, k->low_step);
        if (!(error < before)) {
            error = before;
            break;
        }
        take_step(k, x);
        if (error > 0.5 * before) break;
    }
    return size > 0 ? error / size : error;
}
