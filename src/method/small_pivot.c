/* method/small_pivot.c: block principal pivoting for a few bounded unknowns.
 * Judice & Pires, A block principal pivoting algorithm for large-scale strictly monotone LCPs,
 * Computers Oper. Res. 21 (1994); Judice & Pires, Basic-set algorithm for a generalized linear
 * complementarity problem, J. Optim. Theory Appl. 74 (1992), for upper bounds. lcp/pivot.c has the
 * method for every size, with its safeguards.
 *
 * Every set costs the elimination of its own block, k^3 / 3 products and no exchanges of rows,
 * which P-matrices and definite ones admit of. Three sweeps before that leave one or two sets. */
#include "small_pivot.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define SWEEPS 3    /* of projected Gauss-Seidel, that choose the first set */
#define SETS 8      /* at most; one is usual, and test_small_pivot asks for 95 of 100 */
#define LEAST 1e-9  /* pivot, of its diagonal entry */
#define NOISE 1e-14 /* of the largest of its kind: not beyond its bound */

typedef enum place { LOWER, BASIC, UPPER } place;

typedef struct small {
    int n, k;
    size_t ld;
    const double *M, *q;
    int set[PERP_SMALL]; /* basic unknowns, ascending */
    place at[PERP_SMALL];
    double lo[PERP_SMALL], hi[PERP_SMALL], z[PERP_SMALL], w[PERP_SMALL];
    double LU[PERP_SMALL * PERP_SMALL]; /* of the basic block, k x k by rows */
} small;

static double clamp(const small *t, int i, double z)
{
    z = z > t->lo[i] ? z : t->lo[i];
    return z < t->hi[i] ? z : t->hi[i];
}

/* w += M_i x. */
static void add_column(small *t, int i, double x)
{
    const double *m = t->M + (size_t)i * t->ld;
    for (int r = 0; r < t->n; r++) t->w[r] += m[r] * x;
}

static void start(small *t, const double *lo, const double *hi)
{
    for (int i = 0; i < t->n; i++) {
        t->lo[i] = lo ? lo[i] : -INFINITY;
        t->hi[i] = hi ? hi[i] : INFINITY;
        t->z[i] = clamp(t, i, 0);
        t->w[i] = t->q[i];
    }
    for (int i = 0; i < t->n; i++) {
        if (t->z[i] != 0) add_column(t, i, t->z[i]);
    }
}

/* False: a diagonal entry is not positive. */
static bool sweep(small *t)
{
    for (int i = 0; i < t->n; i++) {
        double d = t->M[(size_t)i * t->ld + (size_t)i], old = t->z[i];
        if (!(d > 0)) return false;
        t->z[i] = clamp(t, i, old - t->w[i] / d);
        if (t->z[i] != old) add_column(t, i, t->z[i] - old);
    }
    return true;
}

static bool choose_set(small *t)
{
    for (int k = 0; k < SWEEPS; k++) {
        if (!sweep(t)) return false;
    }
    for (int i = 0; i < t->n; i++) {
        t->at[i] = t->z[i] <= t->lo[i] ? LOWER : t->z[i] >= t->hi[i] ? UPPER : BASIC;
    }
    return true;
}

/* x = -M_bb^-1 w_b. False: a pivot is not positive. */
static bool solve_block(small *t, double *x)
{
    int k = t->k;
    for (int i = 0; i < k; i++) {
        double *row = t->LU + i * k;
        for (int j = 0; j < k; j++) row[j] = t->M[(size_t)t->set[j] * t->ld + (size_t)t->set[i]];
        double least = LEAST * row[i], sum = -t->w[t->set[i]];
        for (int p = 0; p < i; p++) {
            const double *u = t->LU + p * k;
            double l = row[p] / u[p];
            for (int j = p + 1; j < k; j++) row[j] -= l * u[j];
            sum -= l * x[p];
        }
        if (!(row[i] > least)) return false;
        x[i] = sum;
    }
    for (int i = k - 1; i >= 0; i--) {
        const double *u = t->LU + i * k;
        for (int j = i + 1; j < k; j++) x[i] -= u[j] * x[j];
        x[i] /= u[i];
    }
    return true;
}

/* z and w of the set. */
static bool find_vertex(small *t)
{
    double x[PERP_SMALL];
    t->k = 0;
    memcpy(t->w, t->q, (size_t)t->n * sizeof *t->w);
    for (int i = 0; i < t->n; i++) {
        t->z[i] = t->at[i] == LOWER ? t->lo[i] : t->at[i] == UPPER ? t->hi[i] : 0;
        if (t->at[i] == BASIC) t->set[t->k++] = i;
        if (t->z[i] != 0) add_column(t, i, t->z[i]);
    }
    if (!solve_block(t, x)) return false;
    for (int j = 0; j < t->k; j++) {
        t->z[t->set[j]] = x[j];
        add_column(t, t->set[j], x[j]);
    }
    return true;
}

/* Where an unknown belongs: beyond a bound by rounding alone it stays. */
static place find_place(const small *t, int i, double noise_z, double noise_w)
{
    double z = t->z[i], w = t->w[i];
    if (t->at[i] == BASIC)
        return z < t->lo[i] - noise_z ? LOWER : z > t->hi[i] + noise_z ? UPPER : BASIC;
    if (t->lo[i] == t->hi[i]) return t->at[i];
    bool leaves = t->at[i] == LOWER ? w < -noise_w : w > noise_w;
    return leaves ? BASIC : t->at[i];
}

/* Exchanges all that are on the wrong side of a bound; false: there is none. */
static bool exchange(small *t)
{
    double most_z = 0, most_q = 0;
    bool any = false;
    for (int i = 0; i < t->n; i++) {
        double z = fabs(t->z[i]), q = fabs(t->q[i]);
        most_z = z > most_z ? z : most_z;
        most_q = q > most_q ? q : most_q;
    }
    for (int i = 0; i < t->n; i++) {
        place next = find_place(t, i, NOISE * most_z, NOISE * most_q);
        any |= next != t->at[i];
        t->at[i] = next;
    }
    return any;
}

int perp_small_pivot(int n, const double *M, int ld, const double *q, const double *lo,
                     const double *hi, double *z)
{
    small t;
    t.n = n;
    t.ld = (size_t)ld;
    t.M = M;
    t.q = q;
    start(&t, lo, hi);
    if (!choose_set(&t)) return 0;
    for (int sets = 1; sets <= SETS; sets++) {
        if (!find_vertex(&t)) return 0;
        if (exchange(&t)) continue;
        for (int i = 0; i < n; i++) z[i] = clamp(&t, i, t.z[i]);
        return sets;
    }
    return 0;
}
