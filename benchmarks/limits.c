/* limits.c: by how much a limit of time and a cancel are overrun, of every solver on large problems
 * of its kind: 1e5 contacts, sparse matrices with 1e6 columns, dense ones with 3000.
 *
 *     limits [--seconds S]... [--problem NAME] [--solver NAME] [--tenth] [--csv FILE]
 *
 * Each solve has a process of its own, in which the library's clock is that of processor time.
 * Lateness is the time in perp_solve beyond S [0.05], without what the problem's own callbacks took
 * from then on; a cancel is a monitor that says no after S. "met" is the call of a library that the
 * limit was met before (predicted) or within; "-": none. A refusal is listed with its time. After
 * the last S the calls of libraries are listed by solver: how many were entered and refused, how
 * many were entered although predicted to take longer than was left, and the worst lateness. */
#include "command.h"
#include "generate.h"
#include "limits_calls.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define PATIENCE 120 /* seconds of processor time; then the process is killed */

/* ---- problems ---- */

typedef struct subject {
    const char *name;
    int size; /* unknowns, or spheres */
    perp_problem (*make)(int size, perp_arena *a);
} subject;

static perp_problem generate(const char *family, const char *form, int size, perp_arena *a)
{
    generate_request r = generate_defaults;
    generated_problem g = {0};
    perp_error e = {0};
    r.family = family;
    r.form = form;
    r.size = size;
    if (generate_problem(&r, a, &g, &e)) fprintf(stderr, "limits: %s: %s\n", family, e.text);
    return g.p;
}

static perp_problem make_local(int size, perp_arena *a)
{
    return generate("packing", "fc3d", size, a);
}

static perp_problem make_body(int size, perp_arena *a)
{
    return generate("packing", "fc3d_body", size, a);
}

static double *make_vector(int n, double value, perp_arena *a)
{
    double *x = perp_alloc(a, (size_t)n, sizeof *x);
    for (int i = 0; x && i < n; i++) x[i] = value;
    return x;
}

static perp_problem make_grid(int size, perp_arena *a)
{
    return generate("obstacle2d", NULL, size, a);
}

/* Symmetric and dominated by its diagonal: positive definite, and any method has work to do. */
static perp_matrix make_matrix(int m, int n, perp_arena *a)
{
    generator g = generator_start(1);
    double *x = perp_alloc_unset(a, (size_t)m * (size_t)n, sizeof *x);
    for (int j = 0; x && j < n; j++) {
        double *column = x + (size_t)j * (size_t)m;
        for (int i = 0; i < m; i++) {
            column[i] =
                i < j && m == n ? x[(size_t)i * (size_t)m + (size_t)j] : generator_uniform(&g);
        }
        if (j < m) column[j] += m == n ? n : 0;
    }
    return perp_dense(m, n, x);
}

static double *make_signs(int n, perp_arena *a)
{
    generator g = generator_start(2);
    double *q = perp_alloc(a, (size_t)n, sizeof *q);
    for (int i = 0; q && i < n; i++) q[i] = n * generator_uniform(&g);
    return q;
}

static perp_problem make_dense(int size, perp_arena *a)
{
    return perp_make_lcp(size, make_matrix(size, size, a), make_signs(size, a));
}

static perp_problem with_bounds(const perp_problem *lcp, perp_arena *a)
{
    int n = lcp->as.lcp.n;
    return perp_make_mcp(n, lcp->as.lcp.M, lcp->as.lcp.q, make_vector(n, -1, a),
                         make_vector(n, 1, a));
}

static perp_problem make_grid_mcp(int size, perp_arena *a)
{
    perp_problem p = make_grid(size, a);
    return with_bounds(&p, a);
}

static perp_problem make_dense_mcp(int size, perp_arena *a)
{
    perp_problem p = make_dense(size, a);
    return with_bounds(&p, a);
}

static perp_problem as_ncp(const perp_problem *lcp)
{
    return perp_make_ncp((perp_map){.n = lcp->as.lcp.n, .M = lcp->as.lcp.M, .q = lcp->as.lcp.q});
}

static perp_problem make_grid_ncp(int size, perp_arena *a)
{
    perp_problem p = make_grid(size, a);
    return as_ncp(&p);
}

static perp_problem make_dense_ncp(int size, perp_arena *a)
{
    perp_problem p = make_dense(size, a);
    return as_ncp(&p);
}

/* Three rows each a Coulomb cone; what is left over is bounded below. */
static perp_problem as_cone(const perp_problem *lcp, perp_arena *a)
{
    int n = lcp->as.lcp.n;
    double *lo = perp_alloc(a, (size_t)n, sizeof *lo);
    int *follows = perp_alloc(a, (size_t)n, sizeof *follows);
    int *group = perp_alloc(a, (size_t)n, sizeof *group);
    for (int i = 0; i < n; i++) {
        bool first = i % 3 == 0 || i >= n / 3 * 3;
        lo[i] = first ? 0 : -INFINITY;
        follows[i] = first ? -1 : i / 3 * 3;
        group[i] = first ? -1 : i / 3 * 3 + 1;
    }
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.n = n,
                            .W = lcp->as.lcp.M,
                            .q = lcp->as.lcp.q,
                            .lo = lo,
                            .follows = follows,
                            .group = group,
                            .mu = make_vector(n, 0.5, a)};
    return p;
}

static perp_problem make_grid_cone(int size, perp_arena *a)
{
    perp_problem p = make_grid(size, a);
    return as_cone(&p, a);
}

static perp_problem make_dense_cone(int size, perp_arena *a)
{
    perp_problem p = make_dense(size, a);
    return as_cone(&p, a);
}

static double until, in_callbacks; /* seconds: the end of the limit; of callbacks from then on */

static void count_callback(double begin)
{
    in_callbacks += fmax(0, cpu_now() - fmax(begin, until));
}

/* F = M z + z^3 / 10 + q */
static bool eval_cubic(void *ctx, const double *z, double *F)
{
    const perp_lcp *lcp = ctx;
    double begin = cpu_now();
    memcpy(F, lcp->q, (size_t)lcp->n * sizeof *F);
    perp_mul(&lcp->M, 1, z, 1, F);
    for (int i = 0; i < lcp->n; i++) F[i] += 0.1 * z[i] * z[i] * z[i];
    count_callback(begin);
    return true;
}

static bool eval_slope(void *ctx, const double *z, double *values)
{
    const perp_lcp *lcp = ctx;
    const struct perp_csc_view *v = &lcp->M.as.csc;
    double begin = cpu_now();
    memcpy(values, v->x, (size_t)v->p[lcp->n] * sizeof *values);
    for (int j = 0; j < lcp->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            if (v->i[k] == j) values[k] += 0.3 * z[j] * z[j];
        }
    }
    count_callback(begin);
    return true;
}

static perp_map make_cubic(int size, perp_arena *a)
{
    perp_problem p = make_grid(size, a);
    perp_lcp *lcp = perp_alloc(a, 1, sizeof *lcp);
    *lcp = p.as.lcp;
    return (perp_map){
        .n = lcp->n, .eval = eval_cubic, .jacobian = eval_slope, .pattern = lcp->M, .ctx = lcp};
}

static perp_problem make_mcp_callback(int size, perp_arena *a)
{
    perp_map F = make_cubic(size, a);
    return perp_make_mcp_map(F, make_vector(F.n, -1, a), make_vector(F.n, 1, a));
}

static perp_problem make_ncp_callback(int size, perp_arena *a)
{
    return perp_make_ncp(make_cubic(size, a));
}

/* Two rows an unknown, a difference of neighbours and the unknown itself. */
static perp_problem make_sparse_nnls(int size, perp_arena *a)
{
    size_t n = (size_t)size;
    int *p = perp_alloc(a, n + 1, sizeof *p), *row = perp_alloc(a, 3 * n, sizeof *row), at = 0;
    double *x = perp_alloc(a, 3 * n, sizeof *x);
    for (int j = 0; j < size; j++) {
        for (int k = 0; k < 3; k++) {
            int i = k < 2 ? j + k : size + j; /* rows j and j + 1, and the unknown's own */
            if (i == size && k == 1) continue;
            row[at] = i;
            x[at++] = k == 1 ? -1 : 1;
        }
        p[j + 1] = at;
    }
    return perp_make_nnls(perp_csc(2 * size, size, p, row, x), make_signs(2 * size, a));
}

static perp_problem make_dense_nnls(int size, perp_arena *a)
{
    return perp_make_nnls(make_matrix(size + size / 2, size, a), make_signs(2 * size, a));
}

static perp_problem bounded_qp(const perp_problem *lcp, perp_matrix A, perp_arena *a)
{
    int n = lcp->as.lcp.n, m = A.m;
    perp_problem p = perp_make_qp(n, m, lcp->as.lcp.M, lcp->as.lcp.q, A, make_vector(m, -1, a),
                                  make_vector(m, 1, a));
    p.as.qp.xlo = make_vector(n, -1, a);
    p.as.qp.xhi = make_vector(n, 1, a);
    return p;
}

/* A row for every ten unknowns, of their sum. */
static perp_problem make_sparse_qp(int size, perp_arena *a)
{
    perp_problem lcp = make_grid(size, a);
    size_t n = (size_t)lcp.as.lcp.n;
    int *p = perp_alloc(a, n + 1, sizeof *p), *row = perp_alloc(a, n, sizeof *row);
    double *x = make_vector((int)n, 1, a);
    for (int j = 0; j < (int)n; j++) {
        row[j] = j / 10;
        p[j + 1] = j + 1;
    }
    return bounded_qp(&lcp, perp_csc(((int)n + 9) / 10, (int)n, p, row, x), a);
}

static perp_problem make_dense_qp(int size, perp_arena *a)
{
    perp_problem lcp = make_dense(size, a);
    return bounded_qp(&lcp, make_matrix(size / 3, size, a), a);
}

static const subject subjects[] = {
    {"contacts", 37000, make_local},
    {"contacts_body", 37000, make_body},
    {"cone_grid", 1000000, make_grid_cone},
    {"cone_dense", 3000, make_dense_cone},
    {"lcp_grid", 1000000, make_grid},
    {"lcp_dense", 3000, make_dense},
    {"mcp_grid", 1000000, make_grid_mcp},
    {"mcp_dense", 3000, make_dense_mcp},
    {"mcp_callback", 1000000, make_mcp_callback},
    {"ncp_grid", 1000000, make_grid_ncp},
    {"ncp_dense", 3000, make_dense_ncp},
    {"ncp_callback", 1000000, make_ncp_callback},
    {"nnls_sparse", 1000000, make_sparse_nnls},
    {"nnls_dense", 3000, make_dense_nnls},
    {"qp_sparse", 1000000, make_sparse_qp},
    {"qp_dense", 3000, make_dense_qp},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* ---- runs ---- */

enum { LIMITS = 8 };

typedef struct settings {
    double seconds[LIMITS];
    int count;
    const char *problem, *solver, *csv;
    bool tenth;
} settings;

typedef struct outcome {
    double late, residual; /* late: of the limit; < 0: killed */
    int status, iterations;
    double megabytes;
    call_list calls;
    char detail[160];
} outcome;

static bool is_time(void *ctx, const perp_progress *progress)
{
    (void)ctx, (void)progress;
    return cpu_now() < until;
}

static outcome solve(const perp_problem *p, const char *solver, double seconds, bool cancel)
{
    outcome o = {0};
    perp_arena a = {0};
    perp_result r = {0};
    size_t n = (size_t)perp_size(p);
    double *z = calloc(n + 1, sizeof *z);
    perp_options *options = perp_options_new(&a, solver);
    until = cpu_now() + seconds;
    calls_begin(until);
    options->max_iter = INT_MAX; /* no limit but the one that is measured */
    options->tol = 1e-12;
    options->max_seconds = cancel ? INFINITY : seconds;
    options->monitor = cancel ? is_time : NULL;
    o.status = perp_solve(p, options, &a, z, NULL, &r);
    o.late = fmax(0, cpu_now() - until - in_callbacks);
    o.calls = calls_noted();
    o.residual = r.residual.value;
    o.iterations = r.iterations;
    o.megabytes = (double)a.peak / 1048576;
    snprintf(o.detail, sizeof o.detail, "%.159s", r.detail);
    return o;
}

static outcome solve_apart(const perp_problem *p, const char *solver, double seconds, bool cancel)
{
    outcome o = {.late = -1};
    int ends[2];
    if (pipe(ends)) return o;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {PATIENCE, PATIENCE};
        close(ends[0]);
        setrlimit(RLIMIT_CPU, &limit);
        o = solve(p, solver, seconds, cancel);
        _exit(write(ends[1], &o, sizeof o) != sizeof o);
    }
    close(ends[1]);
    outcome got;
    if (child > 0 && read(ends[0], &got, sizeof got) == sizeof got) o = got;
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0) continue;
    return o;
}

/* The call of a library that the limit was met before or within, as the detail names it. */
static void print_met(FILE *out, int width, const char *detail)
{
    static const char *const words[] = {" too little time for ", " within "};
    const char *from = NULL;
    for (int k = 0; k < 2 && !from; k++) {
        from = strstr(detail, words[k]);
        if (from) from += strlen(words[k]);
    }
    int length = from ? (int)strcspn(from, ",") : 1;
    fprintf(out, "%*.*s", -width, length, from ? from : "-");
}

static void print_late(FILE *out, double late)
{
    if (late < 0)
        fprintf(out, " %9s", "killed");
    else
        fprintf(out, " %6.0f ms", 1e3 * late);
}

/* Of which the worst of both is returned. */
static double run(double seconds, FILE *csv, const subject *of, const perp_problem *p,
                  const char *solver, all_calls *calls)
{
    outcome o[2];
    for (int cancel = 0; cancel < 2; cancel++) {
        o[cancel] = solve_apart(p, solver, seconds, cancel);
        calls_collect(calls, solver, cancel, &o[cancel].calls);
    }
    printf("%-14s %-18s", of->name, solver);
    print_late(stdout, o[0].late);
    print_late(stdout, o[1].late);
    printf(" %8.0f MB  ", o[0].megabytes);
    print_met(stdout, 16, o[0].detail);
    printf(" %s: %s\n", perp_status_name((perp_status)o[0].status), o[0].detail);
    if (csv) {
        fprintf(csv, "%s,%s,%g,%g,%g,%s,%d,%g,", of->name, solver, seconds, o[0].late, o[1].late,
                perp_status_name((perp_status)o[0].status), o[0].iterations, o[0].megabytes);
        print_met(csv, 0, o[0].detail);
        fputc('\n', csv);
    }
    return o[0].late < 0 || o[1].late < 0 ? PATIENCE : fmax(o[0].late, o[1].late);
}

static bool is_of_kind(const char *solver, const perp_problem *p)
{
    const char *kind = perp_kind_name(p->kind);
    size_t n = strlen(kind);
    return strncmp(solver, kind, n) == 0 && solver[n] == '/';
}

static double run_subject(const settings *s, double seconds, FILE *csv, const subject *of,
                          all_calls *calls)
{
    perp_arena a = {0};
    double worst = 0;
    perp_problem p = of->make(s->tenth ? of->size / 10 : of->size, &a);
    for (const perp_options *const *o = perp_solvers(); *o; o++) {
        const char *solver = perp_solver_name(*o);
        if (!is_of_kind(solver, &p) || (s->solver && strcmp(s->solver, solver) != 0)) continue;
        worst = fmax(worst, run(seconds, csv, of, &p, solver, calls));
    }
    perp_arena_free(&a);
    return worst;
}

static bool parse(int argc, char **argv, settings *s)
{
    for (int k = 1; k < argc; k++) {
        const char *name = argv[k], *value = k + 1 < argc ? argv[k + 1] : NULL;
        if (strcmp(name, "--tenth") == 0) {
            s->tenth = true;
            continue;
        }
        if (!value) return false;
        if (strcmp(name, "--seconds") == 0 && s->count < LIMITS)
            s->seconds[s->count++] = atof(value);
        else if (strcmp(name, "--problem") == 0)
            s->problem = value;
        else if (strcmp(name, "--solver") == 0)
            s->solver = value;
        else if (strcmp(name, "--csv") == 0)
            s->csv = value;
        else
            return false;
        k++;
    }
    if (s->count == 0) s->seconds[s->count++] = 0.05;
    for (int k = 0; k < s->count; k++) {
        if (!(s->seconds[k] > 0)) return false;
    }
    return true;
}

static void run_all(const settings *s, double seconds, FILE *csv, all_calls *calls)
{
    double worst = 0;
    printf("%-14s %-18s %9s %9s %11s  %-16s end (limit %g s, %s kernels)\n", "problem", "solver",
           "limit", "cancel", "memory", "met", seconds, blas_kernels());
    for (int k = 0; k < SUBJECTS; k++) {
        if (s->problem && strcmp(s->problem, subjects[k].name) != 0) continue;
        worst = fmax(worst, run_subject(s, seconds, csv, &subjects[k], calls));
    }
    printf("worst lateness %.3f s of a limit of %g s\n", worst, seconds);
}

int main(int argc, char **argv)
{
    settings s = {0};
    static all_calls calls;
    use_one_thread(argv);
    if (!parse(argc, argv, &s)) {
        fprintf(stderr, "usage: limits [--seconds S]... [--problem NAME] [--solver NAME] [--tenth] "
                        "[--csv FILE]\n");
        return 2;
    }
    FILE *csv = s.csv ? csv_open(s.csv, "problem,solver,limit,late,cancel_late,status,iterations,"
                                        "megabytes,met\n")
                      : NULL;
    for (int k = 0; k < s.count; k++) run_all(&s, s.seconds[k], csv, &calls);
    printf("worst lateness of a call %.3f s\n", calls_print(stdout, &calls));
    return csv_close(csv, s.csv) ? 0 : 1;
}
