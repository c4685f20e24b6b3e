/* paper001.c: the experiment of Redon, Kheddar, Coquillart, Gauss' least constraints principle and
 * rigid body simulations (2002), section 5.3: contact space against motion space.
 *
 * Random Jacobians J of n bodies and n p rows, M = I, c = J k for a random motion k. In contact
 * space Dantzig's algorithm solves 0 <= x _|_ J J'x - c >= 0, in motion space Wilhelmsen's finds
 * the point J'x of the cone that is nearest to k. The ratio is the sum of Dantzig's times over all
 * draws over the sum of Wilhelmsen's: above 1, motion space is quicker. As in the paper both factor
 * anew at each pivot, on dense and on sparse matrices; then the same with updated factors. */
#include "command.h"
#include "generate.h"

#include <math.h>

#define MOST 8        /* bodies and rows a list may have */
#define AGREE 1e-4    /* of squared distances to k, over its square */
#define REPEATS 3     /* the quickest counts */
#define SHORTEST 1e-4 /* seconds: a shorter solve is repeated within one measurement */

typedef struct variant {
    const char *name;
    bool sparse, refactor;
    const double (*paper)[5]; /* rows p, columns n; NULL: not in the paper */
} variant;

static const double table1[5][5] = {{0.60, 0.50, 0.51, 0.54, 0.52},
                                    {0.85, 1.08, 1.23, 1.47, 1.63},
                                    {0.85, 0.90, 1.07, 1.21, 1.05},
                                    {0.94, 0.93, 1.31, 1.15, 1.01},
                                    {1.01, 1.08, 1.50, 1.08, 1.03}};
static const double table2[5][5] = {{0.51, 0.62, 0.80, 0.91, 0.93},
                                    {0.71, 1.19, 1.52, 1.95, 2.19},
                                    {0.70, 1.04, 1.60, 1.98, 1.90},
                                    {0.76, 1.11, 2.08, 2.20, 2.05},
                                    {0.78, 1.34, 2.44, 2.43, 2.20}};
static const int paper_bodies[5] = {2, 7, 12, 17, 22}, paper_rows[5] = {5, 15, 25, 35, 45};

#define VARIANTS 4
static const variant variants[VARIANTS] = {
    {"dense, factored anew (the paper's Table 1)", false, true, table1},
    {"sparse, factored anew (the paper's Table 2)", true, true, table2},
    {"dense, updated factors", false, false, NULL},
    {"sparse, updated factors", true, false, NULL},
};

/* Sums over the draws of one cell of a table. */
typedef struct cell {
    double seconds[2], pivots[2]; /* Dantzig, Wilhelmsen */
    double setup[2];              /* of seconds: a solve without an iteration */
    int draws, bad;
} cell;

typedef struct experiment {
    int bodies[MOST], rows[MOST], nb, np, draws;
    unsigned long seed;
    perp_drive rule;
    double tol;
    const char *csv_path, *plot;
    FILE *csv;
    cell cells[VARIANTS][MOST][MOST];
    perp_arena data, work;
} experiment;

/* ---- one draw ---- */

typedef struct draw {
    perp_problem lcp[2], nnls[2]; /* dense, sparse */
    double *x, *y;
} draw;

static bool make_draw(experiment *t, int bodies, int rows, unsigned long seed, draw *d)
{
    perp_arena *a = &t->data;
    generator g = generator_start(seed);
    generated_problem made = {0};
    nnls_jacobian(&g, bodies, rows, a, &made);
    if (a->failed) return false;
    perp_matrix A = made.p.as.nnls.A, D, M, S;
    const double *k = made.p.as.nnls.b;
    int m = A.m, n = A.n;
    double *q = perp_alloc(a, (size_t)n, sizeof *q);
    double *x = perp_alloc(a, (size_t)n * (size_t)n, sizeof *x);
    d->x = perp_alloc(a, (size_t)n, sizeof *d->x);
    d->y = perp_alloc(a, (size_t)m, sizeof *d->y);
    if (a->failed || perp_convert(&A, PERP_FORMAT_DENSE, a, &D, NULL)) return false;
    for (int j = 0; j < n; j++) {
        perp_mul_t(&A, 1, D.as.dense.x + (size_t)j * (size_t)m, 0, x + (size_t)j * (size_t)n);
    }
    perp_mul_t(&A, -1, k, 0, q);
    M = perp_dense(n, n, x);
    if (perp_convert(&M, PERP_FORMAT_CSC, a, &S, NULL)) return false;
    d->lcp[0] = perp_make_lcp(n, M, q);
    d->lcp[1] = perp_make_lcp(n, S, q);
    d->nnls[0] = perp_make_nnls(D, k);
    d->nnls[1] = made.p;
    return true;
}

/* Seconds of one solve, the least of some; x is the answer. */
static double time_solve(experiment *t, const perp_problem *p, const perp_options *o, double *x,
                         perp_result *r)
{
    double least = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        int count = 0;
        double from = cpu_now(), took;
        do {
            perp_solve(p, o, &t->work, x, NULL, r);
            took = cpu_now() - from;
            count++;
        } while (took < SHORTEST);
        least = fmin(least, took / count);
    }
    return least;
}

/* |k - J'x|^2 */
static double distance(const draw *d, const double *x)
{
    const perp_nnls *p = &d->nnls[1].as.nnls;
    double sum = 0;
    memcpy(d->y, p->b, (size_t)p->A.m * sizeof *d->y);
    perp_mul(&p->A, 1, x, -1, d->y);
    for (int i = 0; i < p->A.m; i++) sum += d->y[i] * d->y[i];
    return sum;
}

static void run_variant(experiment *t, const draw *d, int v, unsigned long seed, cell *c)
{
    perp_lcp_dantzig_options dantzig = perp_lcp_dantzig_defaults();
    perp_nnls_wilhelmsen_options wilhelmsen = perp_nnls_wilhelmsen_defaults();
    const perp_problem *lcp = &d->lcp[variants[v].sparse], *nnls = &d->nnls[variants[v].sparse];
    perp_result r[2], none;
    double far[2], k2 = 0;
    dantzig.refactor = wilhelmsen.refactor = variants[v].refactor;
    dantzig.rule = t->rule;
    dantzig.base.tol = wilhelmsen.base.tol = t->tol;
    if (variants[v].refactor) wilhelmsen.candidates = dantzig.candidates = 1;
    double first = time_solve(t, lcp, &dantzig.base, d->x, &r[0]);
    far[0] = distance(d, d->x);
    double second = time_solve(t, nnls, &wilhelmsen.base, d->x, &r[1]);
    far[1] = distance(d, d->x);
    int m = nnls->as.nnls.A.m, n = nnls->as.nnls.A.n;
    for (int i = 0; i < m; i++) k2 += nnls->as.nnls.b[i] * nnls->as.nnls.b[i];
    bool good = !r[0].status && !r[1].status && fabs(far[0] - far[1]) <= AGREE * k2;
    c->draws++;
    c->bad += !good;
    c->seconds[0] += first;
    c->seconds[1] += second;
    dantzig.base.max_iter = wilhelmsen.base.max_iter = 0;
    double setup[2] = {time_solve(t, lcp, &dantzig.base, d->x, &none),
                       time_solve(t, nnls, &wilhelmsen.base, d->x, &none)};
    for (int k = 0; k < 2; k++) c->setup[k] += setup[k];
    c->pivots[0] += r[0].iterations;
    c->pivots[1] += r[1].iterations;
    if (!good) {
        printf("n = %d, p = %d, seed %lu, %s: %s %s, %s %s, squared distances %.9g %.9g\n", m / 6,
               n / (m / 6), seed, variants[v].name, perp_status_name(r[0].status), r[0].detail,
               perp_status_name(r[1].status), r[1].detail, far[0], far[1]);
    }
    if (t->csv) {
        fprintf(t->csv, "%d,%d,%lu,%s,%s,%.9f,%.9f,%d,%d,%.9f,%.9f\n", m / 6, n / (m / 6), seed,
                variants[v].sparse ? "sparse" : "dense", variants[v].refactor ? "anew" : "updated",
                first, second, r[0].iterations, r[1].iterations, setup[0], setup[1]);
    }
}

static bool run(experiment *t)
{
    for (int i = 0; i < t->nb; i++) {
        for (int j = 0; j < t->np; j++) {
            for (int k = 0; k < t->draws; k++) {
                draw d;
                unsigned long seed = t->seed + (unsigned long)k;
                perp_mark mark = perp_arena_mark(&t->data);
                if (!make_draw(t, t->bodies[i], t->rows[j], seed, &d)) return false;
                for (int v = 0; v < VARIANTS; v++) run_variant(t, &d, v, seed, &t->cells[v][i][j]);
                perp_arena_release(&t->data, mark);
            }
            fprintf(stderr, "n = %d, p = %d\r", t->bodies[i], t->rows[j]);
        }
    }
    return true;
}

/* ---- tables ---- */

static double ratio(const cell *c)
{
    return c->seconds[0] / c->seconds[1];
}

/* The same of the pivots alone. */
static double pivot_ratio(const cell *c)
{
    return (c->seconds[0] - c->setup[0]) / (c->seconds[1] - c->setup[1]);
}

static int place_of(const int *list, int value)
{
    for (int k = 0; k < 5; k++) {
        if (list[k] == value) return k;
    }
    return -1;
}

/* The paper's figure, or NAN. */
static double paper_of(const experiment *t, int v, int i, int j)
{
    int n = place_of(paper_bodies, t->bodies[i]), p = place_of(paper_rows, t->rows[j]);
    return variants[v].paper && n >= 0 && p >= 0 ? variants[v].paper[p][n] : NAN;
}

static void print_table(const experiment *t, int v)
{
    printf("\n%s: time of Dantzig over time of Wilhelmsen,\nand of their pivots alone%s\n      ",
           variants[v].name, variants[v].paper ? " (the paper's)" : "");
    for (int i = 0; i < t->nb; i++) printf("   n=%-3d          ", t->bodies[i]);
    for (int j = 0; j < t->np; j++) {
        printf("\np=%-4d", t->rows[j]);
        for (int i = 0; i < t->nb; i++) {
            double paper = paper_of(t, v, i, j);
            const cell *c = &t->cells[v][i][j];
            printf("  %5.2f %5.2f", ratio(c), pivot_ratio(c));
            if (isnan(paper))
                printf("       ");
            else
                printf(" (%4.2f)", paper);
        }
    }
    printf("\n");
}

/* Milliseconds and pivots of a draw, on average. */
static void print_sizes(const experiment *t, int v)
{
    printf("\n%s: ms and pivots a draw, Dantzig | Wilhelmsen\n", variants[v].name);
    for (int j = 0; j < t->np; j++) {
        for (int i = 0; i < t->nb; i++) {
            const cell *c = &t->cells[v][i][j];
            printf("n=%-3d p=%-3d %9.3f %7.1f | %9.3f %7.1f\n", t->bodies[i], t->rows[j],
                   1e3 * c->seconds[0] / c->draws, c->pivots[0] / c->draws,
                   1e3 * c->seconds[1] / c->draws, c->pivots[1] / c->draws);
        }
    }
}

static int count_bad(const experiment *t)
{
    int bad = 0;
    for (int v = 0; v < VARIANTS; v++) {
        for (int i = 0; i < t->nb; i++) {
            for (int j = 0; j < t->np; j++) bad += t->cells[v][i][j].bad;
        }
    }
    return bad;
}

/* ---- the plot ---- */

static void plot_lines(FILE *g, const experiment *t, int v, bool paper)
{
    for (int i = 0; i < t->nb; i++) {
        for (int j = 0; j < t->np; j++) {
            double y = paper ? paper_of(t, v, i, j) : ratio(&t->cells[v][i][j]);
            if (isfinite(y)) fprintf(g, "%d %g\n", t->rows[j], y);
        }
        fprintf(g, "e\n");
    }
}

/* Four panels, a line for each n, the paper's dashed. False: gnuplot did not do it. */
static bool plot(const experiment *t)
{
    FILE *g = popen("gnuplot", "w");
    if (!g) return false;
    fprintf(g, "set terminal svg size 900,700 background 'white'\nset output '%s'\n", t->plot);
    fprintf(g, "set multiplot layout 2,2\nset xlabel 'constraints a body, p'\nset grid\n"
               "set ylabel 'Dantzig / Wilhelmsen'\nset key outside right top\nset yrange [0:*]\n");
    for (int v = 0; v < VARIANTS; v++) {
        fprintf(g, "set title \"%s\"\nplot", variants[v].name);
        for (int i = 0; i < t->nb; i++) {
            fprintf(g, "%s '-' with linespoints lw 2 lc %d title 'n = %d'", i ? "," : "", i + 1,
                    t->bodies[i]);
        }
        for (int i = 0; variants[v].paper && i < t->nb; i++) {
            fprintf(g, ", '-' with lines dt 2 lc %d title '%s'", i + 1, i ? "" : "the paper");
        }
        fprintf(g, "\n");
        plot_lines(g, t, v, false);
        if (variants[v].paper) plot_lines(g, t, v, true);
    }
    return pclose(g) == 0;
}

/* ---- the command ---- */

static const char help[] =
    "usage: paper001 [options]\n"
    "Contact space against motion space on random Jacobians: tables 1 and 2 of Redon, Kheddar and\n"
    "Coquillart (2002), the same with updated factors, and times and pivots.\n"
    "  --bodies 2,7,12,17,22   numbers of bodies n\n"
    "  --rows 5,15,25,35,45    constraints a body, p\n"
    "  --draws 50              problems for each pair; the first has --seed, the next one more\n"
    "  --seed 1\n"
    "  --rule worst|order      Dantzig's: the most negative w first, which takes as many pivots "
    "as\n"
    "                          Wilhelmsen's, or, with Baraff, one index after the other\n"
    "  --tol 1e-5\n"
    "  --csv FILE              a row for each draw\n"
    "  --plot FILE.svg         by gnuplot\n";

static bool set_option(experiment *t, const char *name, const char *value)
{
    char *end = NULL;
    if (strcmp(name, "--bodies") == 0)
        return (t->nb = parse_sizes(value, MOST, 200, t->bodies)) > 0;
    if (strcmp(name, "--rows") == 0) return (t->np = parse_sizes(value, MOST, 200, t->rows)) > 0;
    if (strcmp(name, "--draws") == 0) return parse_sizes(value, 1, 100000, &t->draws) > 0;
    if (strcmp(name, "--csv") == 0) return (t->csv_path = value) != NULL;
    if (strcmp(name, "--plot") == 0) return (t->plot = value) != NULL && !strchr(value, '\'');
    if (strcmp(name, "--rule") == 0) {
        t->rule = strcmp(value, "worst") == 0 ? PERP_DRIVE_WORST : PERP_DRIVE_ORDER;
        return strcmp(value, "worst") == 0 || strcmp(value, "order") == 0;
    }
    if (strcmp(name, "--seed") == 0)
        t->seed = strtoul(value, &end, 10);
    else if (strcmp(name, "--tol") == 0)
        t->tol = strtod(value, &end);
    return end && *end == 0 && t->tol > 0;
}

static bool parse(experiment *t, int argc, char **argv)
{
    for (int k = 1; k < argc; k += 2) {
        if (k + 1 == argc || !set_option(t, argv[k], argv[k + 1])) {
            fprintf(stderr, "paper001: what is '%s%s%s'? See --help.\n", argv[k],
                    k + 1 < argc ? " " : "", k + 1 < argc ? argv[k + 1] : "");
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static experiment t = {.nb = 5, .np = 5, .draws = 50, .seed = 1, .tol = 1e-5};
    memcpy(t.bodies, paper_bodies, sizeof paper_bodies);
    memcpy(t.rows, paper_rows, sizeof paper_rows);
    t.rule = PERP_DRIVE_WORST;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(help, stdout) < 0;
    if (!parse(&t, argc, argv)) return 2;
    use_one_thread(argv);
    if (t.csv_path) {
        t.csv = csv_open(t.csv_path, "n,p,seed,matrix,factor,dantzig,wilhelmsen,dantzig_pivots,"
                                     "wilhelmsen_pivots,dantzig_setup,wilhelmsen_setup\n");
        if (!t.csv) return 1;
    }
    bool good = run(&t);
    if (!good) fprintf(stderr, "paper001: out of memory\n");
    for (int v = 0; good && v < VARIANTS; v++) print_table(&t, v);
    for (int v = 0; good && v < VARIANTS; v++) print_sizes(&t, v);
    if (good) {
        printf("\n%d draws a cell from seed %lu, tol %g, rule %s; ", t.draws, t.seed, t.tol,
               t.rule == PERP_DRIVE_ORDER ? "order" : "worst");
        printf("not solved, or not the same by both: %d\n", count_bad(&t));
    }
    if (good && t.plot && !plot(&t)) {
        fprintf(stderr, "paper001: gnuplot made no plot\n");
        good = false;
    }
    perp_arena_free(&t.data);
    perp_arena_free(&t.work);
    return csv_close(t.csv, t.csv_path) && good && count_bad(&t) == 0 ? 0 : 1;
}
