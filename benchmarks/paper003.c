/* paper003.c: the experiments of Silcowitz-Hansen, Niebe, Erleben, A nonsmooth nonlinear conjugate
 * gradient method for interactive contact force problems (2010), section 5: bodies, constraints and
 * eigenvalues of the nine configurations beside Table 1, and what projected Gauss-Seidel and NNCG
 * make of |grad f|^2 in 150 and 5000 sweeps (Figures 5 and 6).
 *
 * And the wall of 174 bricks that falls (Figure 7), by NNCG with 500 iterations a step and by
 * fc3d/auto to 1e-8.
 *
 * Each configuration is the scene `erleben`, stepped until it rests, and its last contact problem
 * with friction boxes; both methods start at 0. f is |z - sweep(z)|^2, in (N s)^2. */
#include "command.h"
#include "scenes.h"

#include <math.h>

#define CASES 9
#define METHODS 5
#define SHORT 150
#define RANK_TOL                                                                                   \
    1e-10 /* of the largest pivot: what is above counts as an eigenvalue above zero                \
           */

/* The third is Figure 3's, the last two are the variants that section 4 ends with. */
static const struct {
    const char *name, *solver, *option, *value;
} methods[METHODS] = {
    {"mcp/pgs", "mcp/pgs", NULL, NULL},
    {"mcp/nncg", "mcp/nncg", NULL, NULL},
    {"mcp/nncg:line_search=1", "mcp/nncg", "line_search", "1"},
    {"mcp/nncg:formula=polak_ribiere", "mcp/nncg", "formula", "polak_ribiere"},
    {"mcp/nncg:restart=20", "mcp/nncg", "restart", "20"},
};

/* Table 1, in the order of the figure. */
static const struct {
    const char *about;
    int bodies, rows, rank;
} paper[CASES] = {
    {"boxes on an incline", 14, 171, 54},
    {"boxes piled up", 30, 519, 157},
    {"stack", 14, 156, 54},
    {"small gears", 11, 216, 36},
    {"gears", 15, 198, 60},
    {"small stack", 9, 51, 24},
    {"arched snake", 11, 42, 36},
    {"heavy on light", 15, 168, 62},
    {"hanging snake", 11, 30, 30},
};

typedef struct found {
    int bodies, rows, rank;
    double *f[METHODS]; /* |grad f|^2 of each sweep */
    int count[METHODS];
    char end[METHODS][160]; /* why it ended before all sweeps; empty: it did not */
} found;

typedef struct experiment {
    const char *csv_path, *plot;
    int sweeps, steps, wall;
    found of[CASES];
    perp_problem problem; /* the last of a scene */
    bool caught;
    perp_arena arena, work;
} experiment;

/* ---- one configuration ---- */

static void catch_problem(void *ctx, const perp_rigid *s, const double *impulse)
{
    (void)impulse;
    experiment *t = ctx;
    t->caught = perp_rigid_mcp(s, &t->work, &t->problem, NULL) == PERP_SOLVED;
}

static bool complain(const char *text)
{
    fprintf(stderr, "paper003: %s\n", text);
    return false;
}

/* The scene at rest, and the problem of its last step. */
static bool make_problem(experiment *t, int k, sim *s)
{
    const char letter[2] = {(char)('a' + k), 0};
    perp_error e = {.status = PERP_SOLVED};
    perp_step_report r = {.detail = ""};
    sim_open(s, &sim_erleben);
    if (sim_set(s, "case", letter, &e) || sim_build(s, &e)) return complain(e.text);
    perp_options *o = perp_options_new(&s->arena, "mcp/nncg");
    if (!o) return complain("out of memory");
    o->max_iter = 500;
    s->step.solver = o;
    for (int n = 1; n <= t->steps; n++) {
        if (n == t->steps) {
            s->step.inspect = catch_problem;
            s->step.inspect_ctx = t;
        }
        if (sim_step(s, &r) < 0) return complain(r.detail);
    }
    double x[SIM_MEASURES_MOST];
    s->scene->measure(s, x);
    t->of[k].bodies = (int)(x[0] + x[1]);
    t->of[k].rows = (int)x[2];
    return t->caught || complain("no problem");
}

/* Of a symmetric positive semidefinite matrix, by Cholesky with the largest pivot first. */
static int find_rank(int n, double *A)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++) {
            if (A[(size_t)i * (size_t)n + (size_t)i] > A[(size_t)p * (size_t)n + (size_t)p]) p = i;
        }
        for (int i = 0; i < n; i++) { /* rows, then columns k and p change places */
            double *x = A + (size_t)i * (size_t)n, y = x[k];
            x[k] = x[p];
            x[p] = y;
        }
        for (int j = 0; j < n; j++) {
            double *x = A + (size_t)k * (size_t)n + j, *z = A + (size_t)p * (size_t)n + j, y = *x;
            *x = *z;
            *z = y;
        }
        double *column = A + (size_t)k * (size_t)n, pivot = column[k];
        if (k == 0) most = pivot;
        if (!(pivot > RANK_TOL * most)) return k;
        for (int j = k + 1; j < n; j++) {
            double *to = A + (size_t)j * (size_t)n, part = to[k] / pivot;
            for (int i = k + 1; i < n; i++) to[i] -= part * column[i];
        }
    }
    return n;
}

typedef struct recorder {
    found *to;
    int method, most;
} recorder;

static bool record(void *ctx, const perp_progress *p)
{
    recorder *r = ctx;
    int *count = &r->to->count[r->method];
    if (p->iteration > *count && *count < r->most && isfinite(p->merit))
        r->to->f[r->method][(*count)++] = p->merit;
    return true;
}

static bool run_methods(experiment *t, found *to)
{
    int n = perp_size(&t->problem);
    double *z = perp_alloc(&t->work, (size_t)n, sizeof *z);
    for (int m = 0; m < METHODS; m++) {
        perp_options *o = perp_options_new(&t->work, methods[m].solver);
        to->f[m] = perp_alloc(&t->arena, (size_t)t->sweeps, sizeof *to->f[m]);
        if (!z || !o || !to->f[m]) return complain("out of memory");
        recorder r = {.to = to, .method = m, .most = t->sweeps};
        perp_result result;
        if (methods[m].option) perp_options_set(o, methods[m].option, methods[m].value, NULL);
        o->tol = 0;
        o->max_iter = t->sweeps;
        o->monitor = record;
        o->monitor_ctx = &r;
        if (perp_solve(&t->problem, o, &t->work, z, NULL, &result) < 0)
            return complain(result.detail);
        if (to->count[m] < t->sweeps) snprintf(to->end[m], sizeof to->end[m], "%s", result.detail);
    }
    return true;
}

static bool run_case(experiment *t, int k)
{
    sim s;
    perp_matrix dense;
    perp_mark mark = perp_arena_mark(&t->work);
    t->caught = false;
    bool good = make_problem(t, k, &s);
    sim_close(&s);
    good = good && run_methods(t, &t->of[k]);
    const perp_matrix *M = &t->problem.as.mcp.F.M;
    if (good && perp_convert(M, PERP_FORMAT_DENSE, &t->work, &dense, NULL))
        good = complain("no memory");
    size_t n = good ? (size_t)dense.n : 0;
    double *copy = perp_alloc(&t->work, n * n, sizeof *copy);
    if (good && copy) {
        memcpy(copy, dense.as.dense.x, n * n * sizeof *copy);
        t->of[k].rank = find_rank((int)n, copy);
    }
    perp_arena_release(&t->work, mark);
    return good;
}

/* ---- what is shown ---- */

/* The least so far: NNCG has spikes where it starts again. */
static double least(const found *o, int m, int sweeps)
{
    double f = INFINITY;
    for (int k = 0; k < o->count[m] && k < sweeps; k++) f = fmin(f, o->f[m][k]);
    return f;
}

static void print_table(const experiment *t)
{
    printf("The nine configurations of Silcowitz-Hansen, Niebe and Erleben (2010), Table 1; the "
           "paper's in ()\n%-24s %-9s %-11s %-11s",
           "", "bodies", "constraints", "eigenv. > 0");
    printf("  least |grad f|^2 in %d, %d sweeps\n%58s %10s %9s %10s %9s\n", SHORT, t->sweeps, "",
           "PGS", "NNCG", "PGS", "NNCG");
    for (int k = 0; k < CASES; k++) {
        const found *o = t->of + k;
        printf("(%c) %-20s %2d (%2d)   %3d (%3d)   %3d (%3d)  ", 'a' + k, paper[k].about, o->bodies,
               paper[k].bodies, o->rows, paper[k].rows, o->rank, paper[k].rank);
        for (int all = 0; all < 2; all++)
            printf("  %8.1e  %8.1e", least(o, 0, all ? t->sweeps : SHORT),
                   least(o, 1, all ? t->sweeps : SHORT));
        putchar('\n');
    }
    for (int k = 0; k < CASES; k++) {
        const found *o = t->of + k;
        for (int m = 0; m < METHODS; m++) {
            if (o->end[m][0])
                printf("ends (%c) %s after %d sweeps: %s\n", 'a' + k, methods[m].name, o->count[m],
                       o->end[m]);
        }
    }
}

static bool write_csv(const experiment *t)
{
    FILE *csv = csv_open(t->csv_path, "case,solver,sweep,f\n");
    if (!csv) return false;
    for (int k = 0; k < CASES; k++) {
        for (int m = 0; m < METHODS; m++) {
            for (int i = 0; i < t->of[k].count[m]; i++)
                fprintf(csv, "%c,%s,%d,%.6e\n", 'a' + k, methods[m].name, i + 1, t->of[k].f[m][i]);
        }
    }
    return csv_close(csv, t->csv_path);
}

static void plot_lines(FILE *g, const found *o, int m, int sweeps)
{
    int count = o->count[m] < sweeps ? o->count[m] : sweeps, skip = 1 + count / 1000;
    for (int i = 0; i < count; i += skip) fprintf(g, "%d %.4e\n", i + 1, fmax(o->f[m][i], 1e-36));
    fputs("e\n", g);
}

/* PLOT-150.svg, PLOT-5000.svg: nine panels. False: gnuplot did not do it. */
static bool plot(const experiment *t, int sweeps, const char *figure)
{
    FILE *g = popen("gnuplot", "w");
    if (!g) return false;
    fprintf(g,
            "set terminal svg size 1000,900 background 'white' noenhanced\n"
            "set output '%s-%d.svg'\nset multiplot layout 3,3 title '%s: |grad f|^2 over sweeps'\n"
            "set logscale y\nset xtics %d\nset format y '1e%%T'\nset "
            "grid\nset key top right\n",
            t->plot, sweeps, figure, sweeps / 3);
    for (int k = 0; k < CASES; k++) {
        fprintf(g,
                "set title '(%c) %s'\nplot '-' w l lw 1.5 lc rgb '#d55e00' t 'PGS', "
                "'-' w l lw 1 lc rgb '#0072b2' t 'NNCG', "
                "'-' w l lw 1 dt 2 lc rgb '#009e73' t 'with line search', "
                "'-' w l lw 1 dt 3 lc rgb '#cc79a7' t 'Polak, Ribiere', "
                "'-' w l lw 1 dt 4 lc rgb '#e69f00' t 'restart every 20'\n",
                'a' + k, paper[k].about);
        for (int m = 0; m < METHODS; m++) plot_lines(g, t->of + k, m, sweeps);
    }
    return pclose(g) == 0;
}

/* ---- the wall ---- */

typedef struct trace {
    double least; /* |grad f|^2 of the last solve, as low as it came; NAN: it is not said */
} trace;

static bool follow(void *ctx, const perp_progress *p)
{
    trace *t = ctx;
    if (p->iteration <= 1) t->least = NAN; /* fmin takes the other */
    if (isfinite(p->merit)) t->least = fmin(t->least, p->merit);
    return true;
}

static bool open_wall(sim *s, const char *solver, trace *t)
{
    perp_error e = {.status = PERP_SOLVED};
    bool mcp = strncmp(solver, "mcp/", 4) == 0;
    sim_open(s, &sim_bricks);
    if (sim_build(s, &e)) return complain(e.text);
    perp_options *o = perp_options_new(&s->arena, solver);
    if (!o) return complain("out of memory");
    if (mcp) o->max_iter = 500;
    o->tol = 1e-8;
    o->monitor = follow;
    o->monitor_ctx = t;
    s->step.solver = o;
    s->step.form = mcp ? PERP_RIGID_FORM_MCP : PERP_RIGID_FORM_FC3D_LOCAL;
    return true;
}

typedef struct falling {
    int steps, certified, touching; /* steps with as many contacts as bricks and more */
    double rows, residual;          /* sum, worst */
    double lowest, bounce, overlap; /* of the top course; the worst */
} falling;

static void watch(const sim *s, const perp_step_report *r, falling *f, double *x)
{
    s->scene->measure(s, x);
    f->steps++;
    f->certified += r->status == PERP_SOLVED;
    if (r->contacts >= s->world.bodies) {
        f->rows += x[0];
        f->touching++;
    }
    f->residual = fmax(f->residual, r->residual);
    f->overlap = fmax(f->overlap, r->overlap);
    f->lowest = fmin(f->lowest, x[4]);
    f->bounce = fmax(f->bounce, x[4] - f->lowest);
}

/* A line for one solver: how it falls, and what is left at the end. */
static bool run_wall(const char *solver, int steps)
{
    sim s;
    trace t = {.least = NAN};
    falling f = {.lowest = INFINITY};
    perp_step_report r = {.residual = 0};
    double from = cpu_now(), x[SIM_MEASURES_MOST];
    bool good = open_wall(&s, solver, &t);
    while (good && f.steps < steps) {
        good = sim_step(&s, &r) >= 0 || complain(r.detail);
        if (good) watch(&s, &r, &f, x);
    }
    if (good) {
        printf("%-10s %4d of %4d %8.1e %8.1e %6.0f %6.0f %8.1e %9.2e %8.0f %10.1f %11.1f %7.1f\n",
               solver, f.certified, steps, f.residual, r.residual, f.rows / f.touching, x[0], x[1],
               sqrt(t.least), x[2], 1e3 * f.bounce, 1e3 * f.overlap, cpu_now() - from);
        fflush(stdout);
    }
    sim_close(&s);
    return good;
}

/* Residuals at worst and at last, rows in the mean and at last, speed of the fastest brick at the
 * end, bricks in their places then. */
static bool run_walls(int steps)
{
    printf("\nThe wall of 174 bricks, %d steps; the paper: 4083 constraints on average, |grad f| = "
           "4.62e-3 at rest\n"
           "%-10s %12s %8s %8s %6s %6s %8s %9s %8s %10s %11s %7s\n",
           steps, "solver", "certified", "worst", "last", "rows", "last", "speed", "|grad f|",
           "in place", "bounce, mm", "overlap, mm", "CPU, s");
    fflush(stdout);
    return run_wall("mcp/nncg", steps) && run_wall("fc3d/auto", steps);
}

/* ---- the command ---- */

static const char help[] =
    "usage: paper003 [options]\n"
    "The nine configurations of Silcowitz-Hansen, Niebe and Erleben (2010): Table 1, and\n"
    "convergence of projected Gauss-Seidel and NNCG as in Figures 5 and 6.\n"
    "  --steps 100        of the scene `erleben`, with 500 iterations of NNCG each; the problem "
    "is\n"
    "                     the last one's\n"
    "  --sweeps 5000\n"
    "  --wall STEPS       the falling wall (scene `bricks`) by NNCG and fc3d/auto; minutes\n"
    "  --csv FILE         |grad f|^2 of each sweep\n"
    "  --plot NAME        NAME-150.svg and NAME-5000.svg, by gnuplot\n";

static bool set_option(experiment *t, const char *name, const char *value)
{
    if (strcmp(name, "--steps") == 0) return parse_sizes(value, 1, 100000, &t->steps) > 0;
    if (strcmp(name, "--wall") == 0) return parse_sizes(value, 1, 100000, &t->wall) > 0;
    if (strcmp(name, "--sweeps") == 0) return parse_sizes(value, 1, 10000000, &t->sweeps) > 0;
    if (strcmp(name, "--csv") == 0) return (t->csv_path = value) != NULL;
    return strcmp(name, "--plot") == 0 && (t->plot = value) != NULL && !strchr(value, '\'');
}

int main(int argc, char **argv)
{
    static experiment t = {.sweeps = 5000, .steps = 100};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(help, stdout) < 0;
    for (int k = 1; k < argc; k += 2) {
        if (k + 1 < argc && set_option(&t, argv[k], argv[k + 1])) continue;
        fprintf(stderr, "paper003: what is '%s'? See --help.\n", argv[k]);
        return 2;
    }
    use_one_thread(argv);
    bool good = true;
    for (int k = 0; good && k < CASES; k++) good = run_case(&t, k);
    if (good) print_table(&t);
    if (good && t.csv_path) good = write_csv(&t);
    if (good && t.plot) {
        good = plot(&t, SHORT, "Figures 3 and 5") && plot(&t, t.sweeps, "Figure 6");
        if (!good) complain("gnuplot made no plot");
    }
    if (good && t.wall) good = run_walls(t.wall);
    perp_arena_free(&t.arena);
    perp_arena_free(&t.work);
    return good ? 0 : 1;
}
