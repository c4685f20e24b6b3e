/* factor.c: perp's sparse factorisations against those of SuiteSparse: matrices of stored problems
 * (M of lcp and mcp, [H A'; A -1e-8 I] of qp) and of grids. Microseconds of processor time, the
 * least of several runs; ratios are a peer's time over perp's, so that above 1 perp is quicker. */
#include "factor.h"

#include "bench.h"
#include "command.h"

#include <dirent.h>

#define LONGEST 512
#define MOST_FILES 200
#define MOST_PEERS 8
#define LEAST_SECONDS 0.02 /* that a measurement takes */
#define MOST_REPEATS 1000
#define REGULAR 1e-8

typedef struct measure {
    bool done;
    double open, compute, solve, entries, residual;
} measure;

/* Sums of logarithms of ratios, for each peer and part. */
typedef struct sums {
    int count;
    double open, compute, solve, entries, all;
} sums;

typedef struct tally {
    const char *group;
    sums of[MOST_PEERS];
} tally;

/* ---- one matrix ---- */

/* |A x - b| over |A| |x| + |b|, in the largest entries. */
static double find_residual(const sparse_matrix *A, const double *x, const double *b, double *r)
{
    double most = 0, norm = 0, size = 0, right = 0;
    for (int k = 0; k < A->n; k++) r[k] = -b[k];
    for (int j = 0; j < A->n; j++) {
        double sum = 0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            r[A->i[k]] += A->x[k] * x[j];
            sum += fabs(A->x[k]);
        }
        norm = fmax(norm, sum);
        size = fmax(size, fabs(x[j]));
        right = fmax(right, fabs(b[j]));
    }
    for (int k = 0; k < A->n; k++) most = fmax(most, fabs(r[k]));
    return most / (norm * size + right);
}

static double time_open(const factoriser *by, const sparse_matrix *A)
{
    double least = INFINITY, spent = 0;
    for (int k = 0; k < MOST_REPEATS && spent < LEAST_SECONDS; k++) {
        double start = cpu_now();
        void *state = by->open(A);
        double seconds = cpu_now() - start;
        if (!state) return NAN;
        by->close(state);
        least = fmin(least, seconds);
        spent += seconds;
    }
    return least;
}

/* Two values in turn: who remembers the last ones gains nothing by it. */
static double time_compute(const factoriser *by, void *state, const double *const x[2])
{
    double least = INFINITY, spent = 0;
    for (int k = 0; k < MOST_REPEATS && spent < LEAST_SECONDS; k++) {
        double start = cpu_now();
        bool good = by->compute(state, x[k % 2]);
        double seconds = cpu_now() - start;
        if (!good) return NAN;
        least = fmin(least, seconds);
        spent += seconds;
    }
    return by->compute(state, x[0]) ? least : NAN;
}

static double time_solve(const factoriser *by, void *state, const double *b, double *x)
{
    double least = INFINITY, spent = 0;
    for (int k = 0; k < MOST_REPEATS && spent < LEAST_SECONDS; k++) {
        double start = cpu_now();
        if (!by->solve(state, b, x)) return NAN;
        double seconds = cpu_now() - start;
        least = fmin(least, seconds);
        spent += seconds;
    }
    return least;
}

static measure run(const factoriser *by, const sparse_matrix *A, const double *const values[2],
                   double *work)
{
    measure m = {.open = time_open(by, A)};
    double *b = work, *x = b + A->n, *r = x + A->n;
    void *state = by->open(A);
    if (!state) return m;
    for (int k = 0; k < A->n; k++) b[k] = 1 + k % 7;
    m.compute = time_compute(by, state, values);
    if (m.compute > 0) m.solve = time_solve(by, state, b, x);
    m.done = m.solve > 0;
    if (m.done) {
        m.entries = by->entries(state);
        m.residual = find_residual(A, x, b, r);
    }
    by->close(state);
    return m;
}

static void add(sums *s, const measure *own, const measure *other)
{
    s->count++;
    s->open += log(other->open / own->open);
    s->compute += log(other->compute / own->compute);
    s->solve += log(other->solve / own->solve);
    s->entries += log(other->entries / own->entries);
    s->all += log((other->open + 10 * (other->compute + other->solve)) /
                  (own->open + 10 * (own->compute + own->solve)));
}

static void print(bench *b, const char *name, const sparse_matrix *A, const factoriser *by,
                  const measure *m)
{
    fprintf(b->out, "%-26s %8d %9d %-8s %-8s ", name, A->n, A->p[A->n],
            by->cholesky ? "Cholesky" : "LU", by->name);
    if (m->done)
        fprintf(b->out, "%10.1f %11.1f %9.1f %10.0f %8.1e\n", 1e6 * m->open, 1e6 * m->compute,
                1e6 * m->solve, m->entries, m->residual);
    else
        fprintf(b->out, "%10s\n", "no factor");
    if (b->csv)
        fprintf(b->csv, "%s,%d,%d,%s,%s,%g,%g,%g,%g,%g\n", name, A->n, A->p[A->n],
                by->cholesky ? "Cholesky" : "LU", by->name, m->open, m->compute, m->solve,
                m->entries, m->residual);
}

static bool compare(bench *b, tally *t, const char *name, const sparse_matrix *A, bool cholesky)
{
    perp_mark mark = perp_arena_mark(&b->data);
    size_t n = (size_t)A->n, nnz = (size_t)A->p[A->n];
    double *work = perp_alloc(&b->data, 3 * n, sizeof *work);
    double *other = perp_alloc(&b->data, nnz, sizeof *other);
    if (!work || !other) return false;
    for (size_t k = 0; k < nnz; k++) other[k] = 2 * A->x[k];
    const double *values[] = {A->x, other};
    measure own = {0};
    for (int k = 0; factorisers[k]; k++) {
        const factoriser *by = factorisers[k];
        if (by->cholesky != cholesky) continue;
        measure m = run(by, A, values, work);
        print(b, name, A, by, &m);
        if (strcmp(by->name, "perp") == 0)
            own = m;
        else if (own.done && m.done)
            add(&t->of[k], &own, &m);
    }
    fflush(b->out);
    perp_arena_release(&b->data, mark);
    return true;
}

static void print_tally(bench *b, const tally *t)
{
    for (int k = 0; factorisers[k]; k++) {
        const sums *s = &t->of[k];
        if (s->count == 0) continue;
        double c = s->count;
        fprintf(b->out,
                "%-26s %3d matrices, %s over perp: analysis %.2f, factor %.2f, solve %.2f, "
                "entries %.2f, one analysis and ten of the others %.2f\n",
                t->group, s->count, factorisers[k]->name, exp(s->open / c), exp(s->compute / c),
                exp(s->solve / c), exp(s->entries / c), exp(s->all / c));
    }
}

/* ---- matrices ---- */

/* The pattern must be canonical. */
static sparse_matrix view(const perp_matrix *M)
{
    return (sparse_matrix){M->n, M->as.csc.p, M->as.csc.i, M->as.csc.x};
}

/* A column or a row, shifted, behind what is there. */
static void append(int from, int to, const int *index, const double *value, int shift, int *at,
                   int *i, double *x)
{
    for (int k = from; k < to; k++) {
        i[*at] = index[k] + shift;
        x[(*at)++] = value[k];
    }
}

/* Column j of H with a diagonal entry that is REGULAR larger. */
static void append_regular(const struct perp_csc_view *H, int j, int *at, int *i, double *x)
{
    int k = H->p[j], end = H->p[j + 1];
    while (k < end && H->i[k] < j) k++;
    bool there = k < end && H->i[k] == j;
    append(H->p[j], k, H->i, H->x, 0, at, i, x);
    i[*at] = j;
    x[(*at)++] = REGULAR + (there ? H->x[k] : 0);
    append(k + there, end, H->i, H->x, 0, at, i, x);
}

/* [H A'; A -REGULAR I], columns compressed. False: there is none, or no memory. */
static bool make_kkt(const perp_qp *q, perp_arena *a, sparse_matrix *K)
{
    perp_matrix H, A = {0}, R = {0};
    int n = q->n, m = q->A.format == PERP_FORMAT_ABSENT ? 0 : q->m, at = 0;
    if (q->H.format == PERP_FORMAT_ABSENT) return false;
    if (perp_convert(&q->H, PERP_FORMAT_CSC, a, &H, NULL)) return false;
    if (m > 0 && perp_convert(&q->A, PERP_FORMAT_CSC, a, &A, NULL)) return false;
    if (m > 0 && perp_convert(&q->A, PERP_FORMAT_CSR, a, &R, NULL)) return false;
    const struct perp_csc_view *h = &H.as.csc, *c = &A.as.csc;
    const struct perp_csr_view *r = &R.as.csr;
    size_t most = (size_t)h->p[n] + (m > 0 ? 2 * (size_t)c->p[n] : 0) + (size_t)(n + m);
    int *p = perp_alloc(a, (size_t)(n + m) + 1, sizeof *p);
    int *i = perp_alloc(a, most, sizeof *i);
    double *x = perp_alloc(a, most, sizeof *x);
    if (a->failed) return false;
    for (int j = 0; j < n; j++) {
        append_regular(h, j, &at, i, x);
        if (m > 0) append(c->p[j], c->p[j + 1], c->i, c->x, n, &at, i, x);
        p[j + 1] = at;
    }
    for (int k = 0; k < m; k++) {
        append(r->p[k], r->p[k + 1], r->j, r->x, 0, &at, i, x);
        i[at] = n + k;
        x[at++] = -REGULAR;
        p[n + k + 1] = at;
    }
    *K = (sparse_matrix){n + m, p, i, x};
    return true;
}

/* -div grad with a wind along the first axis, in `dims` dimensions; without wind symmetric. */
static bool make_grid(int k, int dims, double wind, perp_arena *a, sparse_matrix *A)
{
    int n = dims == 3 ? k * k * k : k * k, at = 0;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    int *i = perp_alloc(a, 7 * (size_t)n, sizeof *i);
    double *x = perp_alloc(a, 7 * (size_t)n, sizeof *x);
    const int step[] = {-k * k, -k, -1, 0, 1, k, k * k};
    if (a->failed) return false;
    for (int j = 0; j < n; j++) {
        int c[] = {j % k, j / k % k, j / k / k};
        for (int s = dims == 3 ? 0 : 1; s < (dims == 3 ? 7 : 6); s++) {
            int axis = s == 2 || s == 4 ? 0 : s == 1 || s == 5 ? 1 : 2;
            if ((s < 3 && c[axis] == 0) || (s > 3 && c[axis] == k - 1)) continue;
            i[at] = j + step[s];
            x[at++] = s == 3 ? 2 * dims + 0.01 + wind : s == 4 ? -1 - wind : -1;
        }
        p[j + 1] = at;
    }
    *A = (sparse_matrix){n, p, i, x};
    return true;
}

/* ---- the table ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp((const char *)a, (const char *)b);
}

static bool run_file(bench *b, tally *t, const char *path, const char *name)
{
    perp_problem p;
    sparse_matrix A = {0};
    perp_mark mark = perp_arena_mark(&b->data);
    bool good = true;
    if (perp_load(path, &b->data, &p, NULL) == PERP_SOLVED) {
        perp_matrix M = {0};
        const perp_matrix *from = p.kind == PERP_KIND_LCP   ? &p.as.lcp.M
                                  : p.kind == PERP_KIND_MCP ? &p.as.mcp.F.M
                                                            : NULL;
        if (p.kind == PERP_KIND_QP) {
            if (!make_kkt(&p.as.qp, &b->data, &A)) A.n = 0;
        } else if (from && from->format != PERP_FORMAT_DENSE &&
                   !perp_convert(from, PERP_FORMAT_CSC, &b->data, &M, NULL)) {
            A = view(&M);
        }
        if (A.n > 0) good = compare(b, t, name, &A, false);
    }
    perp_arena_release(&b->data, mark);
    return good;
}

static bool run_folder(bench *b, tally *t, const char *root, const char *kind)
{
    static char files[MOST_FILES][128];
    char folder[LONGEST], path[LONGEST + 130];
    snprintf(folder, sizeof folder, "%s/%s", root, kind);
    DIR *d = opendir(folder);
    int count = 0;
    for (struct dirent *e; d && count < MOST_FILES && (e = readdir(d));) {
        if (e->d_name[0] != '.') snprintf(files[count++], sizeof *files, "%.127s", e->d_name);
    }
    if (d) closedir(d);
    qsort(files, (size_t)count, sizeof *files, by_name);
    bool good = true;
    for (int k = 0; good && k < count; k++) {
        snprintf(path, sizeof path, "%s/%.127s", folder, files[k]);
        good = run_file(b, t, path, short_name(files[k]));
    }
    return good;
}

static bool run_grids_of(bench *b, tally *t, int dims, const int *sizes, double wind, bool cholesky)
{
    bool good = true;
    for (; good && *sizes; sizes++) {
        sparse_matrix A;
        char name[32];
        perp_mark mark = perp_arena_mark(&b->data);
        snprintf(name, sizeof name, "grid %dD, %d", dims, *sizes);
        good = make_grid(*sizes, dims, wind, &b->data, &A) && compare(b, t, name, &A, cholesky);
        perp_arena_release(&b->data, mark);
    }
    return good;
}

bool run_factor(bench *b)
{
    static const int flat[] = {10, 30, 100, 300, 1000, 0}, solid[] = {6, 12, 24, 36, 0};
    const char *root = getenv("PERP_PROBLEMS");
    const char *roots[] = {SOURCE_ROOT "/problems",
                           root ? root : SOURCE_ROOT "/../shared/problems"};
    tally stored = {.group = "stored, lcp and mcp"}, kkt = {.group = "stored, KKT of qp"};
    tally grids = {.group = "grids"};
    fprintf(b->out, "\nfactor: %s\n%-26s %8s %9s %-8s %-8s %10s %11s %9s %10s %8s\n",
            b->table->about, "matrix", "n", "entries", "", "", "analysis", "factor", "solve",
            "entries", "residual");
    bool good = true;
    for (int k = 0; good && k < 2; k++) {
        good = run_folder(b, &stored, roots[k], "lcp") && run_folder(b, &stored, roots[k], "mcp") &&
               run_folder(b, &kkt, roots[k], "qp");
    }
    good = good && run_grids_of(b, &grids, 2, flat, 0, true) &&
           run_grids_of(b, &grids, 3, solid, 0, true) &&
           run_grids_of(b, &grids, 2, flat, 0.5, false) &&
           run_grids_of(b, &grids, 3, solid, 0.5, false);
    print_tally(b, &stored);
    print_tally(b, &kkt);
    print_tally(b, &grids);
    return good;
}
