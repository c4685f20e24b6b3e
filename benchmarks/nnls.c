/* nnls.c: perp's solvers of nonnegative least squares against scipy.optimize.nnls, Lawson and
 * Hanson's in Fortran, on the same dense numbers: random Jacobians as in Redon, Kheddar, Coquillart
 * (2002), and random dense matrices.
 *
 * Processor time, the least of some runs; scipy's is taken in Python around the call, in a process
 * of its own (peer_scipy.py). Jacobians go to perp as sparse matrices and as dense ones. */
#include "bench.h"
#include "generate.h"

#define SCIPY_LIMIT 20  /* seconds */
#define SOLVER_LIMIT 60 /* of perp's */
#define SLOW 3.0        /* expected seconds beyond which an active set is not tried */

/* A Jacobian of n bodies and p rows a body, or a family of src/generate of size n. */
typedef struct row {
    const char *family;
    int n, p;
} row;

static const row rows[] = {
    {NULL, 2, 5},
    {NULL, 2, 15},
    {NULL, 2, 25},
    {NULL, 2, 35},
    {NULL, 2, 45},
    {NULL, 7, 5},
    {NULL, 7, 15},
    {NULL, 7, 25},
    {NULL, 7, 35},
    {NULL, 7, 45},
    {NULL, 12, 5},
    {NULL, 12, 15},
    {NULL, 12, 25},
    {NULL, 12, 35},
    {NULL, 12, 45},
    {NULL, 17, 5},
    {NULL, 17, 15},
    {NULL, 17, 25},
    {NULL, 17, 35},
    {NULL, 17, 45},
    {NULL, 22, 5},
    {NULL, 22, 15},
    {NULL, 22, 25},
    {NULL, 22, 35},
    {NULL, 22, 45},
    {NULL, 200, 6},
    {NULL, 200, 10},
    {NULL, 1000, 6},
    {NULL, 1000, 12},
    {"nnls_random", 20, 0},
    {"nnls_random", 100, 0},
    {"nnls_random", 500, 0},
    {"nnls_wide", 100, 0},
    {"nnls_wide", 500, 0},
    {"nnls_deficient", 200, 0},
    {"nnls_free", 200, 0},
};

static const script scipy_nnls = {"peer_scipy.py", {"/usr/bin/python3", "python3"}, SCIPY_LIMIT};

/* As peer_scipy.py reads it; A is dense. */
static bool write_problem(FILE *file, const perp_problem *problem)
{
    const perp_nnls *p = &problem->as.nnls;
    int size[2] = {p->A.m, p->A.n};
    size_t count = (size_t)p->A.m * (size_t)p->A.n, m = (size_t)p->A.m;
    return fwrite(size, sizeof *size, 2, file) == 2 &&
           fwrite(p->A.as.dense.x, sizeof *p->b, count, file) == count &&
           fwrite(p->b, sizeof *p->b, m, file) == m;
}

/* ---- the table ---- */

static void print_outcome(bench *b, const char *problem, const char *solver, timing o, double scipy)
{
    fprintf(b->out, "%-20s %-24s %-12s", problem, solver, o.status);
    if (isfinite(o.seconds))
        fprintf(b->out, " %11.3f %9.1e", 1e3 * o.seconds, o.residual);
    else
        fprintf(b->out, " %11s %9s", "", "");
    if (isfinite(scipy) && isfinite(o.seconds)) fprintf(b->out, " %8.1f", scipy / o.seconds);
    fprintf(b->out, "\n");
    fflush(b->out);
}

/* Would walking to the answer from face to face take long? */
static bool is_large(const perp_matrix *A)
{
    double k = fmin(A->m, 0.5 * A->n);
    return 1.3e-9 * k * k * k > SLOW;
}

static bool make_row(const row *w, perp_arena *a, perp_problem *p)
{
    generated_problem made = {0};
    if (w->family) {
        generate_request r = generate_defaults;
        r.family = w->family;
        r.size = w->n;
        if (generate_problem(&r, a, &made, NULL)) return false;
    } else {
        generator g = generator_start(1);
        nnls_jacobian(&g, w->n, w->p, a, &made);
    }
    *p = made.p;
    return !a->failed;
}

static bool measure(bench *b, const row *w)
{
    static const char *const solvers[] = {"nnls/auto", "nnls/wilhelmsen", "nnls/lawson_hanson",
                                          "nnls/pivot"};
    perp_problem p, dense;
    char name[32], label[32];
    if (w->family)
        snprintf(name, sizeof name, "%s %d", w->family, w->n);
    else
        snprintf(name, sizeof name, "jacobian %d, %d", w->n, w->p);
    if (!make_row(w, &b->data, &p)) return false;
    dense = p;
    double *x = perp_alloc(&b->data, (size_t)p.as.nnls.A.n, sizeof *x);
    if (!x || perp_convert(&p.as.nnls.A, PERP_FORMAT_DENSE, &b->data, &dense.as.nnls.A, NULL))
        return false;
    timing scipy = {.seconds = INFINITY, .status = "no mask"};
    if (!p.as.nnls.is_free) scipy = run_script(b, &scipy_nnls, &dense, write_problem, x);
    for (int k = 0; k < 4; k++) {
        if ((k == 1 || k == 2) && is_large(&p.as.nnls.A)) continue;
        print_outcome(b, name, solvers[k], run_solver(b, &p, solvers[k], SOLVER_LIMIT, x),
                      scipy.seconds);
        if (k > 0 || w->family) continue;
        snprintf(label, sizeof label, "%s, A dense", solvers[k]);
        print_outcome(b, name, label, run_solver(b, &dense, solvers[k], SOLVER_LIMIT, x),
                      scipy.seconds);
    }
    print_outcome(b, name, "scipy.optimize.nnls", scipy, INFINITY);
    return true;
}

bool run_nnls(bench *b)
{
    fprintf(b->out, "\nnnls: %s; ms\n%-20s %-24s %-12s %11s %9s %8s\n", b->table->about, "problem",
            "solver", "", "ms", "residual", "x scipy");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        perp_mark mark = perp_arena_mark(&b->data);
        bool good = measure(b, &rows[k]);
        perp_arena_release(&b->data, mark);
        if (!good) return false;
    }
    return true;
}
