/* paper001_cholesky.c: what a sparse Cholesky would change in the experiment of Redon, Kheddar,
 * Coquillart (2002), section 5.3. Both algorithms solve with submatrices of J J' for the rows in
 * their set, which grows to the final one. Here the sets are the first rows of the final set, of
 * sixteen sizes; each is factored densely (LAPACK) and sparsely (analysis and factor, for the
 * pattern is new at every pivot), and the entries of the factors are counted. */
#include "command.h"
#include "generate.h"
#include "linalg/lapack.h"
#include "linalg/sparse.h"

#include <math.h>

#define MOST 8        /* bodies and rows a list may have */
#define SIZES 16      /* of sets, up to the final one */
#define SHORTEST 1e-4 /* seconds that a measurement takes at least */

typedef struct draw {
    perp_arena a;
    perp_matrix J; /* J' of the paper: a column a row */
    double *M;     /* J J', n x n */
    int n, k, *set;
} draw;

static bool make_draw(draw *d, int bodies, int rows, unsigned long seed)
{
    generator g = generator_start(seed);
    generated_problem made = {0};
    perp_nnls_wilhelmsen_options o = perp_nnls_wilhelmsen_defaults();
    perp_result r;
    perp_matrix D;
    nnls_jacobian(&g, bodies, rows, &d->a, &made);
    if (d->a.failed) return false;
    d->J = made.p.as.nnls.A;
    d->n = d->J.n;
    size_t n = (size_t)d->n, m = (size_t)d->J.m;
    double *x = perp_alloc(&d->a, n, sizeof *x);
    d->M = perp_alloc(&d->a, n * n, sizeof *d->M);
    d->set = perp_alloc(&d->a, n, sizeof *d->set);
    if (d->a.failed || perp_convert(&d->J, PERP_FORMAT_DENSE, &d->a, &D, NULL)) return false;
    for (size_t j = 0; j < n; j++) perp_mul_t(&d->J, 1, D.as.dense.x + j * m, 0, d->M + j * n);
    o.base.tol = 1e-5;
    if (perp_solve(&made.p, &o.base, &d->a, x, NULL, &r) < 0) return false;
    d->k = 0;
    for (int j = 0; j < d->n; j++) {
        if (x[j] > 0) d->set[d->k++] = j;
    }
    return true;
}

/* The lower triangle of M of the first k of the set, zeros left out: p, i, x in compressed columns,
 * and D, all of it. */
static void gather(const draw *d, int k, int *p, int *i, double *x, double *D)
{
    p[0] = 0;
    for (int c = 0; c < k; c++) {
        p[c + 1] = p[c];
        for (int r = 0; r < k; r++) {
            double value = d->M[(size_t)d->set[r] + (size_t)d->set[c] * (size_t)d->n];
            D[(size_t)r + (size_t)c * (size_t)k] = value;
            if (r < c || (value == 0 && r != c)) continue;
            i[p[c + 1]] = r;
            x[p[c + 1]++] = value;
        }
    }
}

typedef struct cost {
    double dense, sparse, entries; /* seconds; entries of the sparse factor over the dense one's */
    bool good;
} cost;

static double time_dense(int k, const double *D, double *work, bool *good)
{
    double from = cpu_now(), took;
    int count = 0, info = 0;
    do {
        memcpy(work, D, (size_t)k * (size_t)k * sizeof *work);
        dpotrf_("L", &k, work, &k, &info, 1);
        took = cpu_now() - from;
        count++;
    } while (took < SHORTEST);
    *good = *good && info == 0;
    return took / count;
}

/* Each time in an arena that knows no pattern. */
static double time_sparse(int k, const int *p, const int *i, const double *x, cost *c)
{
    double took = 0;
    int count = 0;
    do {
        perp_arena a = {0};
        double from = cpu_now();
        perp_factor *f = perp_factor_open(&a, PERP_CHOLESKY, k, p, i);
        c->good = c->good && f && perp_factor_compute(f, x) == 0;
        took += cpu_now() - from;
        if (f) c->entries = perp_factor_entries(f) / (0.5 * k * (k + 1.0));
        perp_arena_free(&a);
        count++;
    } while (took < SHORTEST);
    return took / count;
}

/* Means over the sizes; the entries are the final set's. */
static cost measure(draw *d)
{
    size_t n = (size_t)d->k;
    cost c = {.good = true};
    double *D = perp_alloc(&d->a, n * n, sizeof *D), *work = perp_alloc(&d->a, n * n, sizeof *D),
           *x = perp_alloc(&d->a, n * n, sizeof *x);
    int *p = perp_alloc(&d->a, n + 1, sizeof *p), *i = perp_alloc(&d->a, n * n, sizeof *i);
    if (d->a.failed) return (cost){.good = false};
    for (int s = 1; s <= SIZES; s++) {
        int k = (d->k * s + SIZES - 1) / SIZES;
        if (k == 0) continue;
        gather(d, k, p, i, x, D);
        c.dense += time_dense(k, D, work, &c.good) / SIZES;
        c.sparse += time_sparse(k, p, i, x, &c) / SIZES;
    }
    return c;
}

static bool run(const int bodies[], int nb, const int rows[], int np, int draws, FILE *csv)
{
    printf("   n    p  rows of the set  entries  dense, us  sparse, us\n");
    for (int i = 0; i < nb; i++) {
        for (int j = 0; j < np; j++) {
            cost sum = {0};
            double k = 0;
            for (int seed = 1; seed <= draws; seed++) {
                draw d = {.k = 0};
                bool good = make_draw(&d, bodies[i], rows[j], (unsigned long)seed);
                cost c = good ? measure(&d) : (cost){.good = false};
                perp_arena_free(&d.a);
                if (!c.good) return false;
                sum.dense += c.dense / draws;
                sum.sparse += c.sparse / draws;
                sum.entries += c.entries / draws;
                k += (double)d.k / draws;
            }
            printf("%4d %4d %16.1f %8.3f %10.2f %11.2f\n", bodies[i], rows[j], k, sum.entries,
                   1e6 * sum.dense, 1e6 * sum.sparse);
            if (csv)
                fprintf(csv, "%d,%d,%.9g,%.9g,%.9g,%.9g\n", bodies[i], rows[j], k, sum.entries,
                        sum.dense, sum.sparse);
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    int bodies[MOST] = {2, 7, 12, 17, 22}, rows[MOST] = {5, 15, 25, 35, 45}, nb = 5, np = 5;
    int draws = 10;
    const char *path = NULL;
    bool good = argc % 2 == 1;
    for (int k = 1; k + 1 < argc && good; k += 2) {
        const char *value = argv[k + 1];
        if (strcmp(argv[k], "--bodies") == 0)
            good = (nb = parse_sizes(value, MOST, 200, bodies)) > 0;
        else if (strcmp(argv[k], "--rows") == 0)
            good = (np = parse_sizes(value, MOST, 200, rows)) > 0;
        else if (strcmp(argv[k], "--draws") == 0)
            good = parse_sizes(value, 1, 100000, &draws) > 0;
        else
            good = strcmp(argv[k], "--csv") == 0 && (path = value) != NULL;
    }
    if (!good) {
        fputs("usage: paper001_cholesky [--bodies 2,7,12,17,22] [--rows 5,15,25,35,45] "
              "[--draws 10] [--csv FILE]\n",
              stderr);
        return 2;
    }
    use_one_thread(argv);
    FILE *csv = path ? csv_open(path, "n,p,set,entries,dense,sparse\n") : NULL;
    if (path && !csv) return 1;
    good = run(bodies, nb, rows, np, draws, csv);
    if (!good) fprintf(stderr, "paper001_cholesky: out of memory, or a set that is not definite\n");
    return csv_close(csv, path) && good ? 0 : 1;
}
