/* core/proof.c: sums, slopes and the radius of a Farkas proof. One pass over each matrix in pairs
 * of numbers. */
#include "proof.h"

#include "base/format.h"
#include "base/pair.h"
#include "base/vector.h"

#include <float.h>
#include <limits.h>

#define UNIT (DBL_EPSILON / 2)
#define RANGE 1000                     /* binary digits on either side of 1 */
#define OUTWARD (1 + 16 * DBL_EPSILON) /* for the roundings of a bound itself */

void perp_proof_add(perp_proof *proof, double a, double error, double b)
{
    pair_add_product(a, b, &proof->high, &proof->low);
    proof->size += fabs(a * b);
    proof->open += error * fabs(b) * OUTWARD + 2 * DBL_TRUE_MIN;
    proof->terms++;
}

static void add_slope(perp_proof *proof, double slope, double size)
{
    if (!(slope > 0) && !isnan(slope)) return;
    proof->slope = perp_worst(proof->slope, slope);
    proof->relative = perp_worst(proof->relative, size > 0 ? slope / size : INFINITY);
}

/* The function is convex: its supremum lies at an end, and where one end is infinite at the other,
 * but for the slope. */
void perp_proof_sup(perp_proof *proof, perp_slope g, perp_slope e, double lo, double hi)
{
    bool below = isfinite(lo), above = isfinite(hi);
    double size = g.size + e.size;
    if (!above) add_slope(proof, (g.value + e.value + (g.error + e.error)) * OUTWARD, size);
    if (!below) add_slope(proof, (g.error - g.value) * OUTWARD, g.size);
    double at = below ? lo : above ? hi : 0;
    if (below && above) {
        double low = g.value * lo + (lo > 0 ? e.value * lo : 0);
        double high = g.value * hi + (hi > 0 ? e.value * hi : 0);
        at = high > low ? hi : lo;
        proof->open += (g.error + (lo > 0 ? e.error : 0)) * fabs(lo) +
                       (g.error + (hi > 0 ? e.error : 0)) * fabs(hi) +
                       8 * UNIT * (fabs(g.value) + e.value) * (fabs(lo) + fabs(hi));
    }
    perp_proof_add(proof, g.value, g.error, at);
    if (at > 0) perp_proof_add(proof, e.value, e.error, at);
}

/* What the sum is negative by, at least. */
static double find_margin(const perp_proof *proof, double slack)
{
    double g = (proof->terms + 4) * UNIT;
    double rounding = UNIT * fabs(proof->high) + 2 * g * g * proof->size + proof->open;
    double margin = -(proof->high + proof->low) - ((rounding + slack) * OUTWARD + 4 * DBL_TRUE_MIN);
    return proof->wrong || !(margin > 0) || isnan(proof->slope) ? 0 : margin;
}

double perp_proof_radius(const perp_proof *proof, double slack)
{
    double margin = find_margin(proof, slack);
    if (margin == 0) return 0;
    if (!(proof->slope > 0)) return INFINITY;
    double radius = margin / proof->slope * (1 - 8 * DBL_EPSILON) - DBL_TRUE_MIN;
    if (!(radius > 0)) return 0;
    return radius < INFINITY ? radius : DBL_MAX; /* a solution may be beyond all numbers */
}

perp_status perp_proof_end(const perp_proof *proof, double slack, int n, perp_residual *r)
{
    double margin = find_margin(proof, slack), value = INFINITY;
    if (margin > 0)
        value = proof->relative / ((4.0 * n + 16) * DBL_EPSILON) * (proof->size / margin);
    *r = (perp_residual){
        .value = value, .natural = value, .radius = perp_proof_radius(proof, slack)};
    return value <= 1 ? PERP_SOLVED : PERP_UNCERTIFIED;
}

/* The power of two to divide by, so that the largest is about 1 and the smallest no denormal;
 * larger where both cannot be. False: there is none. */
static bool find_power(int n, const double *y, int *power)
{
    int most = INT_MIN, least = INT_MAX, e;
    for (int i = 0; i < n; i++) {
        if (y[i] == 0) continue;
        frexp(y[i], &e);
        most = e > most ? e : most;
        least = e < least ? e : least;
    }
    if (most < least) most = least = 0;
    *power = most - least < RANGE ? most : least + RANGE;
    return most - *power < RANGE;
}

double *perp_proof_unit(perp_arena *a, int n, const double *y)
{
    double *unit = perp_alloc_unset(a, (size_t)n, sizeof *unit);
    int power;
    if (!unit) return NULL;
    bool found = find_power(n, y, &power);
    for (int i = 0; i < n; i++) unit[i] = found ? ldexp(y[i], -power) : NAN;
    return unit;
}

/* Underflow is counted for every product, but where all are 0 there is none. */
static void clear_zeros(const perp_matrix *A, bool transposed, const double *x, perp_sums *t)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    int from = transposed ? A->m : A->n;
    perp_mark mark = perp_arena_mark(t->arena);
    double *there = perp_alloc_unset(t->arena, (size_t)from, sizeof *there);
    double *any = perp_alloc(t->arena, (size_t)t->n, sizeof *any);
    if (t->arena->failed) return;
    for (int j = 0; j < from; j++) there[j] = x[j] != 0;
    if (transposed)
        ops->add_sizes_t(A, there, any);
    else
        ops->add_sizes(A, there, any);
    for (int i = 0; i < t->n; i++) {
        if (any[i] == 0) t->error[i] = 0;
    }
    perp_arena_release(t->arena, mark);
}

bool perp_proof_multiply(const perp_matrix *A, bool transposed, const double *x, perp_arena *a,
                         perp_sums *t)
{
    int n = transposed ? A->n : A->m;
    double *w = perp_alloc_unset(a, (size_t)n, sizeof *w);
    if (!w || !perp_sums_open(t, a, n, w)) return false;
    for (int mode = PERP_SUMS_SIZES; mode <= PERP_SUMS_PAIRS; mode++) {
        perp_sums_start(t, (perp_sums_mode)mode);
        if (transposed)
            perp_sums_add_t(t, 0, 1, A, x);
        else
            perp_sums_add(t, 0, 1, A, x);
    }
    perp_sums_bound(t);
    if (perp_formats[A->format]->add_sizes) clear_zeros(A, transposed, x, t);
    return !a->failed;
}

void perp_mul_sizes(const perp_matrix *A, const double *x, const double *product, double *y)
{
    const perp_matrix_ops *ops = perp_formats[A->format];
    double most = ops->add_sizes ? 0 : vector_max(A->m, product);
    for (int i = 0; i < A->m; i++) y[i] = most;
    if (ops->add_sizes) ops->add_sizes(A, x, y);
}
