/* tests/random/sweep_distance.c: proved distances against exactly known ones.
 *
 *     build/tests/sweep_distance [COUNT [SEED]]
 *
 * Problems of small integers and powers of two around an integer solution, so that every number of
 * the data is exact, and a z that differs from it by a known amount, 0.1 to 1e-14. No bound of any
 * method may be below the error, the median of bound over error is at most 100, and families with a
 * theorem get one every time. */
#include "core/distance.h"
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST 24 /* unknowns, of a qp with its rows */

typedef enum family {
    DOMINANT,
    COLUMNS,
    DEFINITE,
    SKEWED,
    BOXES,
    SADDLES,
    SQUARES,
    PROGRAMS,
    ROWS,
    INDEFINITE,
    FAMILIES
} family;

static const char *const family_names[] = {"lcp dominant", "lcp dominant, other units",
                                           "lcp definite", "lcp definite, nonsymmetric",
                                           "mcp boxes",    "mcp equations",
                                           "nnls",         "qp in a box",
                                           "qp with rows", "lcp indefinite"};

/* The share of problems, at least, of which a distance is to be had. */
static const double least[FAMILIES] = {1, 1, 1, 1, 1, 1, 1, 1, 0.8, 0.9};

/* Each alone, those with a theorem about a whole matrix also around z itself, and what a caller
 * gets. */
static const struct {
    unsigned methods;
    const char *name;
    double most; /* median of bound over error */
} methods[] = {{PERP_DISTANCE_COMPARISON, "H-matrix around z", INFINITY},
               {PERP_DISTANCE_DEFINITE, "definite around z", INFINITY},
               {PERP_DISTANCE_COMPARISON | PERP_DISTANCE_IMPROVE, "H-matrix", 100},
               {PERP_DISTANCE_DEFINITE | PERP_DISTANCE_IMPROVE, "definite", 100},
               {PERP_DISTANCE_KRAWCZYK, "Krawczyk", 100},
               {PERP_DISTANCE_ALL, "all", 100}};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct known {
    int n, rows; /* unknowns; rows of a qp or of A */
    double M[4 * MOST * MOST], A[4 * MOST * MOST];
    double q[2 * MOST], lo[2 * MOST], hi[2 * MOST], low[MOST], high[MOST];
    double z[2 * MOST], w[2 * MOST]; /* the solution */
    bool is_free[MOST];
    perp_problem p;
} known;

typedef struct tally {
    int count, offered, violated; /* count: with an error, so that there is a ratio */
    double *ratio;
} tally;

/* ---- data ---- */

/* Every sum below fits into 53 bits; a mistake here would accuse the library. */
static double exact(long double x)
{
    if ((double)x == x) return (double)x;
    printf("the data are not exact: %.21Lg\n", x);
    exit(1);
}

static int small(generator *g, int most)
{
    return generator_between(g, -most, most);
}

/* Small, with 36 binary digits after the point, so that products with z are rounded. */
static double fraction(generator *g)
{
    return ldexp(small(g, 1 << 26), -36);
}

static void make_dominant(generator *g, int n, double *M)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            M[j * n + i] = i == j || generator_unit(g) < 0.4 ? 0 : small(g, 4);
            sum += fabs(M[j * n + i]);
        }
        M[i * n + i] = sum + generator_between(g, 1, 4);
    }
}

/* B'B + 1, and a skew part. */
static void make_definite(generator *g, int n, bool skew, double *M)
{
    double B[MOST * MOST];
    for (int k = 0; k < n * n; k++) B[k] = small(g, 3);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j, s = skew && i != j ? small(g, 9) : 0;
            for (int k = 0; k < n; k++) sum += B[i * n + k] * B[j * n + k];
            M[j * n + i] = sum + s;
            M[i * n + j] = sum - s;
        }
    }
}

static void scale_columns(generator *g, int n, double *M)
{
    for (int j = 0; j < n; j++) {
        double unit = ldexp(1, small(g, 8));
        for (int i = 0; i < n; i++) M[j * n + i] *= unit;
    }
}

/* A pair at its lower bound, at its upper one, between, or tied. */
static void choose_pair(generator *g, known *k, int i, bool ties)
{
    double lo = k->lo[i], hi = k->hi[i];
    int side = generator_below(g, 3);
    if (side == 0 && lo == -INFINITY) side = 2;
    if (side == 1 && hi == INFINITY) side = 2;
    if (lo == hi) side = 0;
    bool tied = ties && generator_below(g, 8) == 0;
    k->z[i] = side == 0 ? lo : side == 1 ? hi : (lo > -INFINITY ? lo : small(g, 5)) + 1;
    k->w[i] = tied || side == 2 ? 0
              : side == 0       ? generator_between(g, 1, 9)
                                : -generator_between(g, 1, 9);
}

static void close_affine(known *k)
{
    for (int i = 0; i < k->n; i++) {
        long double q = k->w[i];
        for (int j = 0; j < k->n; j++) q -= (long double)k->M[j * k->n + i] * k->z[j];
        for (int r = 0; r < k->rows; r++) q += (long double)k->A[i * k->rows + r] * k->z[k->n + r];
        k->q[i] = exact(q);
    }
}

static void make_affine(generator *g, family f, known *k)
{
    int n = k->n;
    bool boxes = f == BOXES || f == SADDLES || f == PROGRAMS;
    if (f == DOMINANT || f == COLUMNS || (f == BOXES && generator_below(g, 2)))
        make_dominant(g, n, k->M);
    else if (f == INDEFINITE)
        for (int i = 0; i < n * n; i++) k->M[i] = small(g, 9);
    else
        make_definite(g, n, f == SKEWED || f == SADDLES, k->M);
    if (f == COLUMNS) scale_columns(g, n, k->M);
    for (int i = 0; i < n * n && f != COLUMNS; i++) k->M[i] += fraction(g);
    for (int i = 0; i < n; i++) {
        int width = boxes ? generator_below(g, 6) : -1;
        k->lo[i] = boxes && (f == SADDLES || width == 5) ? -INFINITY
                   : boxes                               ? (double)small(g, 3)
                                                         : 0;
        k->hi[i] = width >= 0 && width < 4 && f != SADDLES
                       ? (isfinite(k->lo[i]) ? k->lo[i] : 0) + 2 * width
                       : INFINITY;
        choose_pair(g, k, i, f != INDEFINITE);
    }
    close_affine(k);
    perp_matrix M = perp_dense(n, n, k->M);
    if (f == PROGRAMS) {
        k->p = perp_make_qp(n, 0, M, k->q, (perp_matrix){0}, NULL, NULL);
        k->p.as.qp.xlo = k->lo;
        k->p.as.qp.xhi = k->hi;
    } else if (boxes) {
        k->p = perp_make_mcp(n, M, k->q, k->lo, k->hi);
    } else {
        k->p = perp_make_lcp(n, M, k->q);
    }
}

/* A = [C; I/4]: the rest r of the last rows gives A'r the signs that it has at the solution. */
static void make_squares(generator *g, known *k)
{
    int n = k->n, top = generator_between(g, 0, n), m = top + n;
    double r[2 * MOST];
    k->rows = m;
    for (int i = 0; i < top; i++) r[i] = small(g, 5);
    for (int j = 0; j < n; j++) {
        k->is_free[j] = generator_below(g, 5) == 0;
        k->lo[j] = k->is_free[j] ? -INFINITY : 0;
        k->hi[j] = INFINITY;
        choose_pair(g, k, j, true);
        long double rest = k->w[j];
        for (int i = 0; i < top; i++) {
            k->A[j * m + i] = small(g, 3) + fraction(g);
            rest -= (long double)k->A[j * m + i] * r[i];
        }
        r[top + j] = exact(4 * rest);
        for (int i = 0; i < n; i++) k->A[j * m + top + i] = i == j ? 0.25 : 0;
    }
    for (int i = 0; i < m; i++) {
        long double b = -r[i];
        for (int j = 0; j < n; j++) b += (long double)k->A[j * m + i] * k->z[j];
        k->q[i] = exact(b);
    }
    k->p = perp_make_nnls(perp_dense(m, n, k->A), k->q);
    k->p.as.nnls.is_free = k->is_free;
}

/* A row that is an equation, held at a bound, or free, with its multiplier in z[n + i]. */
static void make_row(generator *g, known *k, int i)
{
    int kind = generator_below(g, 4);
    double y = 0;
    long double sum = 0;
    for (int j = 0; j < k->n; j++) {
        double x = k->A[j * k->rows + i] = small(g, 3) + fraction(g);
        sum += (long double)x * k->z[j];
    }
    double at = exact(sum);
    if (kind == 0) y = small(g, 5);
    if (kind == 1) y = generator_between(g, 1, 5);
    k->low[i] = kind <= 1 ? at : at - generator_between(g, 1, 9);
    k->high[i] = kind == 0               ? at
                 : generator_below(g, 2) ? INFINITY
                                         : at + generator_between(g, 1, 9);
    k->z[k->n + i] = y;
}

static void make_rows(generator *g, known *k)
{
    int n = k->n, m = k->rows = generator_between(g, 0, n / 3);
    make_definite(g, n, false, k->M);
    for (int i = 0; i < n * n; i++) k->M[i] += fraction(g);
    for (int j = 0; j < n; j++) {
        k->lo[j] = generator_below(g, 2) ? 0 : -INFINITY;
        k->hi[j] = INFINITY;
        choose_pair(g, k, j, true);
    }
    for (int i = 0; i < m; i++) make_row(g, k, i);
    close_affine(k);
    k->p =
        perp_make_qp(n, m, perp_dense(n, n, k->M), k->q, perp_dense(m, n, k->A), k->low, k->high);
    k->p.as.qp.xlo = k->lo;
}

static void make(generator *g, family f, known *k)
{
    k->n = generator_below(g, 20) == 0 ? generator_below(g, 2) : generator_between(g, 2, 16);
    k->rows = 0;
    if (f == SQUARES)
        make_squares(g, k);
    else if (f == ROWS)
        make_rows(g, k);
    else
        make_affine(g, f, k);
}

/* Any matrix in any format. */
static void reformat(generator *g, perp_problem *p, perp_arena *a)
{
    static const perp_format formats[] = {PERP_FORMAT_DENSE,      PERP_FORMAT_CSC,
                                          PERP_FORMAT_CSC,        PERP_FORMAT_CSR,
                                          PERP_FORMAT_DENSE_ROWS, PERP_FORMAT_BSR3};
    perp_matrix *list[PERP_MATRICES_MOST], out;
    const perp_field *field[PERP_MATRICES_MOST];
    int count = perp_kind_matrices(p, list, field);
    perp_format format = formats[generator_below(g, 6)];
    for (int k = 0; k < count; k++) {
        if (list[k]->format != PERP_FORMAT_ABSENT &&
            !perp_convert(list[k], format, a, &out, NULL)) {
            *list[k] = out;
        }
    }
}

/* ---- the sweep ---- */

/* z = the solution and some more; the error, exactly but for the last digits of long double. */
static void perturb(generator *g, const known *k, int size, double *z, long double error[2])
{
    double step = pow(10, -1 - 13 * generator_unit(g));
    int share = generator_between(g, 1, 3);
    long double sum = 0, most = 0;
    for (int i = 0; i < size; i++) {
        z[i] = k->z[i] + (generator_below(g, share) == 0 ? step * generator_uniform(g) : 0);
        long double e = fabsl((long double)z[i] - k->z[i]);
        sum += e * e;
        most = e > most ? e : most;
    }
    error[0] = sqrtl(sum) * (1 - 1e-17L);
    error[1] = most;
}

static void report_violation(const known *k, family f, int method, const long double *error,
                             const perp_distance_report *r)
{
    printf("violated: %s, n = %d, by %s (%s): %.17g < %.17Lg, or %.17g < %.17Lg\n", family_names[f],
           k->n, methods[method].name, r->by, r->norm, error[0], r->largest, error[1]);
}

static int compare_ratios(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool print_tally(const char *name, double most, tally *t)
{
    qsort(t->ratio, (size_t)t->count, sizeof *t->ratio, compare_ratios);
    if (t->count == 0) {
        printf("  %-17s       -\n", name);
        return t->violated == 0;
    }
    double median = t->ratio[t->count / 2];
    printf("  %-17s  %6d  median %8.3g  90 %% %8.3g  largest %8.3g\n", name, t->offered, median,
           t->ratio[t->count * 9 / 10], t->ratio[t->count - 1]);
    return median <= most && t->violated == 0;
}

static void try_methods(known *k, family f, generator *g, perp_arena *a, tally t[METHODS])
{
    double z[2 * MOST];
    long double error[2];
    perp_distance_report r;
    int size = perp_size(&k->p);
    perturb(g, k, size, z, error);
    for (int m = 0; m < METHODS; m++) {
        perp_status s = perp_distance_by(&k->p, z, methods[m].methods, a, &r);
        if (s < 0) printf("%s: %s\n", family_names[f], perp_status_name(s));
        if (s < 0) t[m].violated++;
        if (s != PERP_SOLVED) continue;
        t[m].offered++;
        if (r.norm < error[0] || r.largest < error[1]) {
            t[m].violated++;
            report_violation(k, f, m, error, &r);
        }
        if (error[0] > 0) t[m].ratio[t[m].count++] = r.norm / (double)error[0];
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 10000, seed = argc > 2 ? atoi(argv[2]) : 1;
    generator g = generator_start((uint64_t)seed);
    perp_arena a = {0};
    bool good = true;
    known *k = perp_alloc(&a, 1, sizeof *k);
    double *ratio = perp_alloc(&a, (size_t)(count + FAMILIES) * METHODS, sizeof *ratio);
    if (a.failed) return 1;
    for (int f = 0; f < FAMILIES; f++) {
        tally t[METHODS] = {{0}};
        int part = (count + FAMILIES - 1) / FAMILIES;
        for (int m = 0; m < METHODS; m++) t[m].ratio = ratio + (ptrdiff_t)m * part;
        for (int i = 0; i < part; i++) {
            perp_mark mark = perp_arena_mark(&a);
            make(&g, (family)f, k);
            reformat(&g, &k->p, &a);
            try_methods(k, (family)f, &g, &a, t);
            perp_arena_release(&a, mark);
        }
        printf("%s: %d problems\n", family_names[f], part);
        good &= t[METHODS - 1].offered >= least[f] * part;
        for (int m = 0; m < METHODS; m++)
            good &= print_tally(methods[m].name, methods[m].most, &t[m]);
    }
    perp_arena_free(&a);
    return good ? 0 : 1;
}
