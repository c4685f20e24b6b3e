/* bench.c: lcp/lemke and its neighbours against other libraries' Lemke codes, in one process on one
 * BLAS thread.
 *
 * For every problem the contenders take turns, so that a slow moment of the machine hits all of
 * them; minimum and median of a contender's runs are shown, and ratios are formed within the run.
 * Times are the processor's, which other programs on the machine disturb less than the clock's;
 * with one thread and an idle machine the two agree. Every z, whoever found it, is judged by
 * perp_certify. */
#include "../tests/generate.h"
#include "command.h"
#include "peer.h"
#include "perp/solver.h"

#include <math.h>

#define MOST_SIZES 8
#define MOST_RUNS 500
#define AT_LEAST 0.1 /* seconds of runs wanted from a contender on a problem */
#define AT_MOST 5.0  /* and no run starts after these */
#define WRONG 1e-8   /* a z above this is no solution, whatever its solver says */
#define NEIGHBOURS 9 /* more than there are contenders */

static const char *const families[] = {"pd", "psd", "nonsymmetric", NULL};
static const int default_sizes[] = {100, 500, 1000};

typedef struct contender {
    const char *name;
    const perp_options *options; /* of perp */
    const peer *peer;            /* or of another library */
} contender;

static const contender contenders[] = {
    {.name = "lcp/lemke", .options = &perp_lcp_lemke.base},
    {.name = "lcp/auto", .options = &perp_lcp_auto.base},
    {.name = "lcp/psor", .options = &perp_lcp_psor.base},
#ifdef BENCH_SICONOS
    {.name = "siconos/lemke", .peer = &siconos_lemke},
#endif
    {0},
};

/* One contender on one problem. */
typedef struct entry {
    const contender *who;
    void *state; /* of a peer */
    int runs, iterations;
    double spent, seconds[MOST_RUNS], least, median;
    double residual; /* the worst of the runs */
    char status[24];
} entry;

typedef struct bench {
    int sizes[MOST_SIZES], count, repeats;
    FILE *csv;
    const char *csv_path;
    bool chatty;
    perp_arena data, work;
    entry entries[NEIGHBOURS];
    double log_ratio[MOST_SIZES][NEIGHBOURS][2]; /* sums over the families; of minima, of medians */
    double worst[MOST_SIZES][NEIGHBOURS];
    int rounds[MOST_SIZES][NEIGHBOURS]; /* families in the sums */
} bench;

static void usage(FILE *out)
{
    fputs("usage: bench [--sizes 100,500,1000] [--repeats 5] [--csv FILE]\n"
          "Time dense LCP solvers on random positive definite, positive semidefinite and\n"
          "nonsymmetric problems, one thread, processor time, and form ratios to the other\n"
          "library's Lemke.\n"
          "  --sizes LIST   numbers of unknowns\n"
          "  --repeats N    runs of each solver on each problem, 1 to 500 (quick ones get more,\n"
          "                 slow ones stop after 5 seconds)\n"
          "  --csv FILE     a row per run: problem,kind,n,solver,status,residual,iterations,\n"
          "                 seconds\n",
          out);
#ifndef BENCH_SICONOS
    fputs("Built without Siconos Numerics: no ratios.\n", out);
#endif
}

/* ---- one run ---- */

static void run_perp(bench *b, entry *e, const perp_problem *p, double *z)
{
    perp_result r;
    perp_solve(p, e->who->options, &b->work, z, NULL, &r);
    e->iterations = r.iterations;
    snprintf(e->status, sizeof e->status, "%s", perp_status_name(r.status));
}

static void run_peer(entry *e, double *z)
{
    int info = e->who->peer->solve(e->state, z, &e->iterations);
    if (info == 0)
        snprintf(e->status, sizeof e->status, "solved");
    else
        snprintf(e->status, sizeof e->status, "failed (%d)", info);
}

/* The residual of z. A solver that says solved and is not is called what it is. */
static double judge(bench *b, entry *e, const perp_problem *p, const double *z)
{
    perp_residual r;
    double value = perp_certify(p, z, &b->work, &r) ? INFINITY : r.value;
    if (!(value <= e->residual)) e->residual = value;
    if (!(value <= WRONG) && strcmp(e->status, "solved") == 0)
        snprintf(e->status, sizeof e->status, "wrong");
    return value;
}

static void run(bench *b, entry *e, const char *family, const perp_problem *p, double *z)
{
    double start = cpu_now();
    if (e->who->peer)
        run_peer(e, z);
    else
        run_perp(b, e, p, z);
    double seconds = cpu_now() - start;
    double residual = judge(b, e, p, z);
    e->seconds[e->runs++] = seconds;
    e->spent += seconds;
    csv_row(b->csv, family, perp_kind_name(p->kind), p->as.lcp.n, e->who->name, e->status, residual,
            e->iterations, seconds);
}

/* ---- one problem ---- */

static bool wants_more(const bench *b, const entry *e)
{
    if (e->runs == MOST_RUNS || e->spent >= AT_MOST) return false;
    return e->runs < b->repeats || e->spent < AT_LEAST;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(entry *e)
{
    qsort(e->seconds, (size_t)e->runs, sizeof *e->seconds, ascending);
    int h = e->runs / 2;
    e->least = e->seconds[0];
    e->median = e->runs % 2 ? e->seconds[h] : (e->seconds[h - 1] + e->seconds[h]) / 2;
}

static bool open_entries(bench *b, const generated *g)
{
    bool good = true;
    for (int k = 0; contenders[k].name; k++) {
        entry *e = &b->entries[k];
        *e = (entry){.who = &contenders[k]};
        if (e->who->peer) good &= (e->state = e->who->peer->open(g->n, g->M, g->q)) != NULL;
    }
    return good;
}

static void close_entries(bench *b)
{
    for (int k = 0; contenders[k].name; k++) {
        if (b->entries[k].state) contenders[k].peer->close(b->entries[k].state);
    }
}

/* Take turns until nobody wants another run. A first turn, not counted, warms memory up. */
static void take_turns(bench *b, const char *family, const perp_problem *p, double *z)
{
    perp_result r;
    perp_solve(p, &perp_lcp_lemke.base, &b->work, z, NULL, &r);
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; contenders[k].name; k++) {
            entry *e = &b->entries[k];
            if (!wants_more(b, e)) continue;
            if (b->chatty) {
                fprintf(stderr, "\r%s, n = %d: %s, run %d\033[K", family, p->as.lcp.n, e->who->name,
                        e->runs + 1);
            }
            run(b, e, family, p, z);
            more = true;
        }
    }
    if (b->chatty) fputs("\r\033[K", stderr);
    for (int k = 0; contenders[k].name; k++) summarise(&b->entries[k]);
}

/* ---- reports ---- */

/* The peer that ratios are taken to, or NULL. */
static const entry *rival(const bench *b)
{
    for (int k = 0; contenders[k].name; k++) {
        if (contenders[k].peer) return &b->entries[k];
    }
    return NULL;
}

static void print_problem(bench *b, const char *family, int size)
{
    const entry *other = rival(b);
    for (int k = 0; contenders[k].name; k++) {
        const entry *e = &b->entries[k];
        printf("%-13s %5d  %-14s %-11s %8.1e %9d %5d %10.3f %10.3f", family, b->sizes[size],
               e->who->name, e->status, e->residual, e->iterations, e->runs, 1e3 * e->least,
               1e3 * e->median);
        if (other && other != e) {
            double least = other->least / e->least, median = other->median / e->median;
            printf(" %8.2f %8.2f", least, median);
            b->log_ratio[size][k][0] += log(least);
            b->log_ratio[size][k][1] += log(median);
        }
        putchar('\n');
        b->rounds[size][k]++;
        if (!(e->residual <= b->worst[size][k])) b->worst[size][k] = e->residual;
    }
    fflush(stdout);
}

static void print_means(const bench *b)
{
    const entry *other = rival(b);
    printf("\nGeometric means over the families%s%s\n", other ? " of the time ratio to " : "",
           other ? other->who->name : ": no other library was found, so no ratios");
    printf("%5s  %-14s %8s %8s   %s\n", "n", "solver", "minima", "medians", "worst residual");
    for (int s = 0; s < b->count; s++) {
        for (int k = 0; contenders[k].name; k++) {
            printf("%5d  %-14s ", b->sizes[s], contenders[k].name);
            if (other && other->who != &contenders[k])
                printf("%8.2f %8.2f", exp(b->log_ratio[s][k][0] / b->rounds[s][k]),
                       exp(b->log_ratio[s][k][1] / b->rounds[s][k]));
            else
                printf("%8s %8s", "-", "-");
            printf("   %.1e\n", b->worst[s][k]);
        }
    }
}

/* ---- all of it ---- */

static bool run_problem(bench *b, const char *family, int size)
{
    generated g;
    perp_mark mark = perp_arena_mark(&b->data);
    int n = b->sizes[size];
    bool good = lcp_generate(lcp_family_find(family), n, 1, &b->data, &g);
    double *z = perp_alloc(&b->data, (size_t)n, sizeof *z);
    good = good && z && open_entries(b, &g);
    if (good) {
        perp_problem p = lcp_generated_problem(&g);
        take_turns(b, family, &p, z);
        print_problem(b, family, size);
    }
    close_entries(b);
    perp_arena_release(&b->data, mark);
    return good;
}

static bool run_all(bench *b)
{
    printf("%-13s %5s  %-14s %-11s %8s %9s %5s %10s %10s %8s %8s\n", "family", "n", "solver",
           "status", "residual", "pivots", "runs", "min ms", "median ms", "x min", "x median");
    for (int s = 0; s < b->count; s++) {
        for (int f = 0; families[f]; f++) {
            if (!run_problem(b, families[f], s)) return false;
        }
    }
    print_means(b);
    return true;
}

/* 0: run; otherwise the exit status + 1. */
static int read_arguments(bench *b, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--help") == 0) {
            usage(stdout);
            return 1;
        }
        bool good = false;
        if (strcmp(argv[i], "--csv") == 0) good = *(b->csv_path = value);
        if (strcmp(argv[i], "--sizes") == 0)
            good = (b->count = parse_sizes(value, MOST_SIZES, b->sizes)) > 0;
        if (strcmp(argv[i], "--repeats") == 0)
            good = parse_sizes(value, 1, &b->repeats) == 1 && b->repeats <= MOST_RUNS;
        if (!good) {
            fprintf(stderr, "bench: %s: not an option, or its value is missing or wrong\n",
                    argv[i]);
            usage(stderr);
            return 3;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static bench b = {.count = sizeof default_sizes / sizeof *default_sizes, .repeats = 5};
    memcpy(b.sizes, default_sizes, sizeof default_sizes);
    int end = read_arguments(&b, argc, argv);
    if (end) return end - 1;
    use_one_thread(argv);
    b.chatty = isatty(STDERR_FILENO);
    if (b.csv_path && !(b.csv = csv_open(b.csv_path))) return 2;
    bool ran = run_all(&b);
    if (!ran) fputs("bench: out of memory\n", stderr);
    bool written = csv_close(b.csv, b.csv_path);
    perp_arena_free(&b.data);
    perp_arena_free(&b.work);
    return ran && written ? 0 : 2;
}
