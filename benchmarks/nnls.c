/* nnls.c: perp's solvers of nonnegative least squares against scipy.optimize.nnls, Lawson and
 * Hanson's in Fortran, on the same dense numbers: random Jacobians as in Redon, Kheddar, Coquillart
 * (2002), and random dense matrices.
 *
 * Processor time, the least of some runs; scipy's is taken in Python around the call, in a process
 * of its own (peer_scipy.py). Jacobians go to perp as sparse matrices and as dense ones. */
#include "bench.h"
#include "command.h"
#include "generate.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCIPY_LIMIT 20  /* seconds */
#define SOLVER_LIMIT 60 /* of perp's */
#define ENOUGH 0.2      /* seconds of runs */
#define RUNS 5
#define SLOW 3.0 /* expected seconds beyond which an active set is not tried */

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

typedef struct outcome {
    double seconds, residual;
    char status[16];
} outcome;

/* ---- scipy ---- */

static bool write_problem(const char *path, const perp_nnls *p, const double *A)
{
    int size[2] = {p->A.m, p->A.n};
    size_t count = (size_t)p->A.m * (size_t)p->A.n, m = (size_t)p->A.m;
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    bool good = fwrite(size, sizeof *size, 2, file) == 2 &&
                fwrite(A, sizeof *A, count, file) == count && fwrite(p->b, sizeof *A, m, file) == m;
    return fclose(file) == 0 && good;
}

/* Python's output, or -1. A Python that may lack scipy comes second. */
static int start_python(const char *path, pid_t *pid)
{
    static const char *const programs[] = {"/usr/bin/python3", "python3"};
    int ends[2];
    if (pipe(ends)) return -1;
    *pid = fork();
    if (*pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        for (int k = 0; k < 2; k++) {
            execlp(programs[k], programs[k], SOURCE_ROOT "/benchmarks/peer_scipy.py", path,
                   (char *)NULL);
        }
        _exit(127);
    }
    close(ends[1]);
    if (*pid > 0) return ends[0];
    close(ends[0]);
    return -1;
}

/* Seconds of processor time that the process has used. */
static double time_of(pid_t pid)
{
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *stat = fopen(path, "r");
    if (!stat) return 0;
    if (fscanf(stat, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system) != 2)
        user = system = 0;
    fclose(stat);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* Until it answers, or has had its time. A limit that the system keeps would make its clock coarse.
 */
static void wait_for(int end, pid_t pid)
{
    struct pollfd p = {.fd = end, .events = POLLIN};
    while (poll(&p, 1, 200) == 0) {
        if (time_of(pid) > SCIPY_LIMIT) kill(pid, SIGKILL);
    }
}

static bool read_answer(int end, int n, double *seconds, double *x)
{
    FILE *in = fdopen(end, "r");
    bool good = in && fscanf(in, "%lf", seconds) == 1;
    for (int j = 0; good && j < n; j++) good = fscanf(in, "%la", &x[j]) == 1;
    if (in) fclose(in);
    return good;
}

static outcome run_scipy(bench *b, const perp_problem *p, const double *A, double *x)
{
    outcome o = {.seconds = INFINITY, .residual = INFINITY, .status = "missing"};
    char path[] = "/tmp/perp-nnls-XXXXXX";
    int file = mkstemp(path), state = 0;
    pid_t pid = -1;
    perp_residual r;
    if (file < 0) return o;
    close(file);
    int end = write_problem(path, &p->as.nnls, A) ? start_python(path, &pid) : -1;
    if (end >= 0) wait_for(end, pid);
    bool good = end >= 0 && read_answer(end, p->as.nnls.A.n, &o.seconds, x);
    if (pid > 0) waitpid(pid, &state, 0);
    unlink(path);
    if (good && !perp_certify(p, x, &b->work, &r)) {
        o.residual = r.value;
        snprintf(o.status, sizeof o.status, "%s", r.value <= WRONG ? "solved" : "wrong");
    } else if (WIFSIGNALED(state)) {
        o.seconds = INFINITY;
        snprintf(o.status, sizeof o.status, "> %d s", SCIPY_LIMIT);
    }
    return o;
}

/* ---- perp ---- */

static outcome run_perp(bench *b, const perp_problem *p, const char *solver, double *x)
{
    outcome o = {.seconds = INFINITY};
    perp_mark mark = perp_arena_mark(&b->data);
    perp_options *options = perp_options_new(&b->data, solver);
    perp_result r = {0};
    double spent = 0;
    options->max_seconds = SOLVER_LIMIT;
    for (int k = 0; k == 0 || (k < RUNS * 100 && spent < ENOUGH); k++) {
        double from = cpu_now();
        perp_solve(p, options, &b->work, x, NULL, &r);
        double took = cpu_now() - from;
        spent += took;
        o.seconds = fmin(o.seconds, took);
    }
    o.residual = r.residual.value;
    snprintf(o.status, sizeof o.status, "%s", perp_status_name(r.status));
    perp_arena_release(&b->data, mark);
    return o;
}

/* ---- the table ---- */

static void print_outcome(bench *b, const char *problem, const char *solver, outcome o,
                          double scipy)
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
    if (!x || perp_convert(&p.as.nnls.A, PERP_DENSE, &b->data, &dense.as.nnls.A, NULL))
        return false;
    outcome scipy = {.seconds = INFINITY, .status = "no mask"};
    if (!p.as.nnls.free) scipy = run_scipy(b, &p, dense.as.nnls.A.as.dense.x, x);
    for (int k = 0; k < 4; k++) {
        if ((k == 1 || k == 2) && is_large(&p.as.nnls.A)) continue;
        print_outcome(b, name, solvers[k], run_perp(b, &p, solvers[k], x), scipy.seconds);
        if (k > 0 || w->family) continue;
        snprintf(label, sizeof label, "%s, A dense", solvers[k]);
        print_outcome(b, name, label, run_perp(b, &dense, solvers[k], x), scipy.seconds);
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
