/* method/primal_set.c: a primal active set: memory, the factor it begins with, and its refinement.
 * Gill, Murray, Saunders, Wright, Inertia-controlling methods for general quadratic programming,
 * SIAM Review 33 (1991). Memory 6 n^2 numbers. */
#include "primal_set.h"

#include "base/vector.h"
#include "linalg/dense.h"
#include "linalg/lapack.h"

#include <float.h>

#define DEFINITE 1e-12 /* pivot of the reduced Hessian, over the size of its terms: more */
#define NOISE 1e-14    /* of Z */
#define PASSES 3       /* of the refinement */

static const double plus = 1;

size_t perp_primal_doubles(int n, int m)
{
    return perp_dual_doubles(n, m) + perp_updated_doubles(n) + 2 * (size_t)n * (size_t)n +
           9 * (size_t)n + 2 * (size_t)m;
}

size_t perp_primal_ints(int n, int m)
{
    size_t all = (size_t)n + (size_t)m;
    return perp_dual_ints(n, m) + all + (all + sizeof(int) - 1) / sizeof(int);
}

static double *take(double **memory, size_t count)
{
    double *here = *memory;
    *memory += count;
    return here;
}

static void find_weights(perp_primal *p)
{
    int n = p->s.rows->n;
    for (int j = 0; j < n; j++) {
        p->weight[j] = sqrt(vector_max(n, p->H + (size_t)j * (size_t)p->ld));
    }
}

void perp_primal_open(perp_primal *p, const perp_constraint_rows *rows, const double *H, int ld,
                      const double *c, double *doubles, int *ints)
{
    size_t n = (size_t)rows->n, all = n + (size_t)rows->m;
    *p = (perp_primal){.H = H, .c = c, .ld = ld > 0 ? ld : 1, .leaving = -1};
    perp_dual_open(&p->s, rows, doubles, ints);
    doubles += perp_dual_doubles(rows->n, rows->m);
    ints += perp_dual_ints(rows->n, rows->m);
    perp_updated_open(&p->hessian, rows->n, take(&doubles, perp_updated_doubles(rows->n)));
    p->g = take(&doubles, n);
    p->d = take(&doubles, n);
    p->Hd = take(&doubles, n);
    p->t = take(&doubles, n);
    p->weight = take(&doubles, n);
    p->slope = take(&doubles, all);
    p->room = take(&doubles, all);
    p->work = doubles;
    p->depth = ints;
    p->lean = (signed char *)(ints + all);
    memset(p->depth, 0, all * sizeof *p->depth);
    memset(p->lean, 0, all);
    find_weights(p);
    perp_primal_clear(p);
}

void perp_primal_clear(perp_primal *p)
{
    size_t n = (size_t)p->s.rows->n;
    memset(p->s.set.Q, 0, n * n * sizeof *p->s.set.Q);
    for (size_t j = 0; j < n; j++) p->s.set.Q[j * n + j] = 1;
    memset(p->s.side, 0, n + (size_t)p->s.rows->m);
    memset(p->s.y, 0, (n + (size_t)p->s.rows->m) * sizeof *p->s.y);
    p->s.set.R.k = 0;
    p->s.entering = -1;
}

/* ---- the reduced Hessian ---- */

/* B = Z'H Z, nz x nz, with the scratch behind it. False: it was stopped. */
static bool reduce(const perp_primal *p, int nz, double *B, double *HZ)
{
    const int n = p->s.rows->n;
    const double *Z = working_column(&p->s.set, n - nz);
    return perp_dense_product(n, nz, n, p->H, p->ld, Z, n, 0, HZ, n, p->watch) &&
           perp_dense_product_t(nz, nz, n, Z, n, HZ, n, B, nz, p->watch);
}

/* Columns of Z in the order of the pivots: the first `rank` at the end, in reverse; the others
 * before them, each held by an artificial constraint. */
static void arrange(perp_primal *p, int nz, int rank, const int *pivot, double *copy)
{
    size_t n = (size_t)p->s.rows->n, bytes = n * sizeof *copy;
    int first = (int)n - nz, k = p->s.set.R.k;
    memcpy(copy, working_column(&p->s.set, first), (size_t)nz * bytes);
    for (int j = 0; j < nz; j++) {
        int to = j < rank ? (int)n - 1 - j : first + j - rank;
        memcpy(working_column(&p->s.set, to), copy + (size_t)(pivot[j] - 1) * n, bytes);
    }
    memset(p->s.d, 0, bytes);
    for (int j = rank; j < nz; j++) {
        perp_updated_push(&p->s.set.R, p->s.d, 1);
        p->s.set.set[k++] = p->s.rows->n + p->s.rows->m;
    }
}

/* What rounding, of its terms and of Z itself, may make of a diagonal entry of Z'H Z. */
static double flat(const perp_primal *p, int nz)
{
    int n = p->s.rows->n;
    double most = 0, noise = 0;
    for (int i = 0; i < n; i++) noise += NOISE * p->weight[i];
    for (int j = n - nz; j < n; j++) {
        const double *z = working_column(&p->s.set, j);
        double sum = 0;
        for (int i = 0; i < n; i++) sum += z[i] * z[i] * p->weight[i] * p->weight[i];
        most = sum > most ? sum : most;
    }
    return DEFINITE * most + noise * noise;
}

/* B = R'R with the largest pivot first; its rank. 0: none, or it was stopped. */
static int factor_pivoted(const perp_primal *p, int nz, double tol, double *B, int *pivot,
                          double *work)
{
    int rank = 0, info = 0;
    perp_call call = {"LAPACK's dpstrf", PERP_RATE_FACTOR, .units = (double)nz * nz * nz / 6};
    if (!perp_call_begin(p->watch, &call)) return 0;
    dpstrf_("U", &nz, B, &nz, pivot, &rank, &tol, work, &info, 1);
    perp_call_end(p->watch, &call);
    return rank;
}

static void factor(perp_primal *p)
{
    int n = p->s.rows->n, nz = n - p->s.set.R.k, rank = 0, *pivot = p->s.set.set + n - nz;
    double *B = p->work, *HZ = p->work + (size_t)n * (size_t)n;
    p->hessian.k = 0;
    if (nz == 0) return;
    bool reduced = reduce(p, nz, B, HZ);
    double tol = flat(p, nz), most = 0;
    for (int j = 0; j < nz; j++) {
        most = fmax(most, B[(size_t)j * (size_t)(nz + 1)]);
        pivot[j] = j + 1;
    }
    if (most > tol && reduced) /* dpstrf takes the first pivot without a look at tol */
        rank = factor_pivoted(p, nz, tol, B, pivot, HZ);
    for (int j = 0; j < rank; j++) {
        memcpy(p->hessian.R + (size_t)j * (size_t)p->hessian.ld, B + (size_t)j * (size_t)nz,
               (size_t)(j + 1) * sizeof *B);
    }
    p->hessian.k = rank;
    arrange(p, nz, rank, pivot, HZ);
}

/* ---- the calls ---- */

static void find_gradient(perp_primal *p)
{
    const int n = p->s.rows->n, one = 1;
    memcpy(p->g, p->c, (size_t)n * sizeof *p->g);
    if (n > 0) dgemv_("N", &n, &n, &plus, p->H, &p->ld, p->s.value, &one, &plus, p->g, &one, 1);
}

void perp_primal_begin(perp_primal *p)
{
    int n = p->s.rows->n;
    find_gradient(p);
    p->most = fmax(vector_max(n, p->c), vector_max(n, p->g));
    p->s.size = fmax(p->s.size, vector_norm(n, p->s.value));
    factor(p);
    memset(p->depth, 0, ((size_t)n + (size_t)p->s.rows->m) * sizeof *p->depth);
    p->level = 0;
    p->leaving = -1;
    p->refused = 0;
    p->moving = p->hessian.k > 0;
}

/* x += Y R'^-1 (b - N'x): on the set's bounds again. */
static void correct_rows(perp_primal *p)
{
    int n = p->s.rows->n;
    double *v = p->s.d;
    for (int q = 0; q < p->s.set.R.k; q++) {
        int i = p->s.set.set[q];
        v[q] = 0;
        if (primal_is_artificial(p, i)) continue;
        v[q] = rows_bound(p->s.rows, i, p->s.side[i]) - p->s.value[i];
    }
    perp_updated_forward(&p->s.set.R, v);
    perp_working_set_range(&p->s.set, v, p->s.z);
    for (int j = 0; j < n; j++) p->s.value[j] += p->s.z[j];
}

void perp_primal_polish(perp_primal *p)
{
    for (int pass = 0; pass < PASSES; pass++) {
        perp_dual_measure(&p->s);
        correct_rows(p);
        find_gradient(p);
        perp_reduced_hessian_split(&p->s.set, &p->hessian, p->g, p->t);
        perp_updated_forward(&p->hessian, p->t);
        perp_updated_backward(&p->hessian, p->t);
        for (int j = 0; j < p->hessian.k; j++) p->t[j] = -p->t[j];
        perp_reduced_hessian_lift(&p->s.set, &p->hessian, p->t, p->s.value);
    }
    perp_dual_measure(&p->s);
    find_gradient(p);
    perp_working_set_split(&p->s.set, p->g, p->s.d);
    perp_updated_backward(&p->s.set.R, p->s.d);
    for (int q = 0; q < p->s.set.R.k; q++) {
        if (!primal_is_artificial(p, p->s.set.set[q])) p->s.y[p->s.set.set[q]] = p->s.d[q];
    }
}
