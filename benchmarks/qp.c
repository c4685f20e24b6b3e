/* qp.c: perp's solvers of quadratic programs against R's quadprog and Python's cvxopt, on the same
 * numbers: random dense ones with twice as many inequalities as unknowns, the nearest velocities
 * that random Jacobians allow (Redon, Kheddar, Coquillart 2002), and the stored ones.
 *
 * Processor time, the least of some runs; that of the peers is taken in their language around the
 * call, in a process of its own (peer_quadprog.R, peer_cvxopt.py). quadprog has dense matrices, as
 * have perp's active sets; cvxopt and qp/ipm have sparse ones where there are few entries. */
#include "bench.h"
#include "generate.h"

#include <dirent.h>
#include <stdlib.h>

#define PEER_LIMIT 60   /* seconds */
#define SOLVER_LIMIT 60 /* of perp's */
#define MOST_FILES 200
#define AWAY 1e-6   /* relative: a warm start from the solution */
#define LONGEST 512 /* path */

static const script peers[] = {
    {"peer_quadprog.R", {"Rscript"}, PEER_LIMIT},
    {"peer_cvxopt.py", {"/usr/bin/python3", "python3"}, PEER_LIMIT},
};
enum { PEERS = sizeof peers / sizeof *peers };
static const char *const peer_names[PEERS] = {"R's quadprog", "cvxopt"};

/* ---- problems ---- */

static bool write_vector(FILE *file, const double *x, int count, double otherwise)
{
    size_t n = (size_t)count, done = 0;
    if (x) return fwrite(x, sizeof *x, n, file) == n;
    while (done < n && fwrite(&otherwise, sizeof otherwise, 1, file) == 1) done++;
    return done == n;
}

static bool write_dense(FILE *file, const int *size, int count, const perp_problem *problem)
{
    const perp_qp *p = &problem->as.qp;
    const double *H = p->H.format ? p->H.as.dense.x : NULL;
    return fwrite(size, sizeof *size, (size_t)count, file) == (size_t)count &&
           write_vector(file, H, p->n * p->n, 0) &&
           write_vector(file, p->A.format ? p->A.as.dense.x : NULL, p->m * p->n, 0) &&
           write_vector(file, p->c, p->n, 0) && write_vector(file, p->lo, p->m, -INFINITY) &&
           write_vector(file, p->hi, p->m, INFINITY) &&
           write_vector(file, p->xlo, p->n, -INFINITY) &&
           write_vector(file, p->xhi, p->n, INFINITY);
}

/* As the scripts read it; H and A are dense, or there are none. */
static bool write_for_quadprog(FILE *file, const perp_problem *p)
{
    const int size[] = {p->as.qp.n, p->as.qp.m};
    return write_dense(file, size, 2, p);
}

static bool write_for_cvxopt(FILE *file, const perp_problem *p)
{
    const int size[] = {p->as.qp.n, p->as.qp.m, -1, -1};
    return write_dense(file, size, 4, p);
}

static bool (*const write_for[PEERS])(FILE *file, const perp_problem *p) = {write_for_quadprog,
                                                                            write_for_cvxopt};

static bool make_rows(int n, perp_arena *a, perp_problem *p)
{
    generate_request r = generate_defaults;
    generated_problem made;
    r.family = "qp_rows";
    r.size = n;
    if (generate_problem(&r, a, &made, NULL)) return false;
    *p = made.p;
    return true;
}

/* min |v - b|^2 / 2, J v >= 0: the velocities nearest to b that no contact forbids. */
static bool make_jacobian(int bodies, int per_body, perp_arena *a, perp_problem *p)
{
    generator g = generator_start(1);
    generated_problem made = {0};
    perp_matrix turned, J, one;
    nnls_jacobian(&g, bodies, per_body, a, &made);
    if (a->failed || perp_convert(&made.p.as.nnls.A, PERP_FORMAT_DENSE, a, &turned, NULL))
        return false;
    int n = turned.m, m = turned.n;
    double *A = perp_alloc(a, (size_t)n * (size_t)m, sizeof *A), *x, *c, *lo;
    int *at = perp_alloc(a, (size_t)n + 1, sizeof *at), *i = perp_alloc(a, (size_t)n, sizeof *i);
    x = perp_alloc(a, (size_t)n, sizeof *x);
    c = perp_alloc(a, (size_t)n, sizeof *c);
    lo = perp_alloc(a, (size_t)m, sizeof *lo);
    if (a->failed) return false;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < m; k++) {
            A[(size_t)j * (size_t)m + (size_t)k] =
                turned.as.dense.x[(size_t)k * (size_t)n + (size_t)j];
        }
        at[j + 1] = j + 1;
        i[j] = j;
        x[j] = 1;
        c[j] = -made.p.as.nnls.b[j];
    }
    turned = perp_dense(m, n, A);
    if (perp_convert(&turned, PERP_FORMAT_CSC, a, &J, NULL)) return false;
    one = perp_csc(n, n, at, i, x);
    *p = perp_make_qp(n, m, one, c, J, lo, NULL);
    return true;
}

/* ---- a problem ---- */

/* Iterations of a solver that starts near the solution, whose active set it has to read off, or -1.
 * From z itself nothing would be left to do. */
static int warm_iterations(bench *b, const perp_problem *p, const char *solver, double *z)
{
    perp_mark mark = perp_arena_mark(&b->data);
    perp_options *options = perp_options_new(&b->data, solver);
    perp_result r = {0};
    options->warm_start = true;
    for (int i = 0; i < perp_size(p); i++) z[i] *= 1 + AWAY * (i % 3 - 1);
    perp_status status = perp_solve(p, options, &b->work, z, NULL, &r);
    perp_arena_release(&b->data, mark);
    return status ? -1 : r.iterations;
}

static void print_outcome(bench *b, const char *problem, const char *solver, timing o, int warm,
                          const timing *rivals)
{
    fprintf(b->out, "%-17s %-13s %-12s", problem, solver, o.status);
    if (isinf(o.seconds)) {
        fprintf(b->out, "\n");
        return;
    }
    fprintf(b->out, " %11.3f %9.1e", 1e3 * o.seconds, o.residual);
    if (o.iterations > 0)
        fprintf(b->out, " %6d", o.iterations);
    else
        fprintf(b->out, " %6s", "");
    if (!rivals) {
        fprintf(b->out, "\n");
        return;
    }
    if (warm >= 0)
        fprintf(b->out, " %5d", warm);
    else
        fprintf(b->out, " %5s", "");
    for (int k = 0; k < PEERS; k++) {
        if (isfinite(rivals[k].seconds) && strcmp(o.status, "solved") == 0)
            fprintf(b->out, " %10.1f", rivals[k].seconds / o.seconds);
        else
            fprintf(b->out, " %10s", "");
    }
    fprintf(b->out, "\n");
}

static bool measure(bench *b, const char *name, const perp_problem *p)
{
    static const char *const solvers[] = {"qp/auto", "qp/dual", "qp/fletcher", "qp/ipm"};
    perp_problem dense = *p;
    perp_qp *qp = &dense.as.qp;
    double *z = perp_alloc(&b->data, (size_t)perp_size(p), sizeof *z);
    timing rivals[PEERS];
    if (!z || (qp->H.format && perp_convert(&qp->H, PERP_FORMAT_DENSE, &b->data, &qp->H, NULL)) ||
        (qp->A.format && perp_convert(&qp->A, PERP_FORMAT_DENSE, &b->data, &qp->A, NULL)))
        return false;
    for (int k = 0; k < PEERS; k++) rivals[k] = run_script(b, &peers[k], &dense, write_for[k], z);
    for (int k = 0; k < 4; k++) {
        timing o = run_solver(b, p, solvers[k], SOLVER_LIMIT, z);
        bool warm = (k == 1 || k == 2) && strcmp(o.status, "solved") == 0;
        print_outcome(b, name, solvers[k], o, warm ? warm_iterations(b, p, solvers[k], z) : -1,
                      rivals);
        fflush(b->out);
    }
    for (int k = 0; k < PEERS; k++) print_outcome(b, name, peer_names[k], rivals[k], -1, NULL);
    fflush(b->out);
    return true;
}

/* ---- the table ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp((const char *)a, (const char *)b);
}

bool each_stored_qp(bench *b, bool (*run)(bench *b, const char *name, const perp_problem *p))
{
    static char files[MOST_FILES][64];
    char folder[LONGEST], path[LONGEST + 64];
    const char *root = getenv("PERP_PROBLEMS");
    snprintf(folder, sizeof folder, "%s/qp", root ? root : SOURCE_ROOT "/../shared/problems");
    DIR *d = opendir(folder);
    int count = 0;
    for (struct dirent *e; d && count < MOST_FILES && (e = readdir(d));) {
        if (strstr(e->d_name, ".QPS") && strlen(e->d_name) < sizeof *files)
            snprintf(files[count++], sizeof *files, "%s", e->d_name);
    }
    if (d) closedir(d);
    if (count == 0) fprintf(b->out, "no problems in %s\n", folder);
    qsort(files, (size_t)count, sizeof *files, by_name);
    bool good = true;
    for (int k = 0; good && k < count; k++) {
        perp_problem p;
        perp_mark mark = perp_arena_mark(&b->data);
        snprintf(path, sizeof path, "%s/%.63s", folder, files[k]);
        if (perp_load(path, &b->data, &p, NULL) == PERP_SOLVED && p.kind == PERP_KIND_QP)
            good = run(b, short_name(files[k]), &p);
        perp_arena_release(&b->data, mark);
    }
    return good;
}

bool run_qp(bench *b)
{
    static const int sizes[] = {10, 50, 100, 200, 500};
    static const int jacobians[][2] = {{2, 15}, {12, 15}, {22, 5}, {22, 25}, {100, 6}};
    bool good = true;
    fprintf(b->out, "\nqp: %s; ms\n%-17s %-13s %-12s %11s %9s %6s %5s %10s %10s\n", b->table->about,
            "problem", "solver", "", "ms", "residual", "iter", "warm", "x quadprog", "x cvxopt");
    for (int k = 0; good && k < 10; k++) {
        perp_problem p;
        char name[32];
        perp_mark mark = perp_arena_mark(&b->data);
        if (k < 5) {
            snprintf(name, sizeof name, "rows %d", sizes[k]);
            good = make_rows(sizes[k], &b->data, &p) && measure(b, name, &p);
        } else {
            const int *j = jacobians[k - 5];
            snprintf(name, sizeof name, "jacobian %d, %d", j[0], j[1]);
            good = make_jacobian(j[0], j[1], &b->data, &p) && measure(b, name, &p);
        }
        perp_arena_release(&b->data, mark);
    }
    return good && each_stored_qp(b, measure);
}
