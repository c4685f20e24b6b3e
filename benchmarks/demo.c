/* demo.c: every registered LCP solver on every family of src/generate/lcp.c, at a few sizes.
 *
 * Nothing a solver says is taken on trust: a z is measured again with perp_certify, a proof with
 * perp_check, and a contradiction makes the program fail. */
#include "command.h"
#include "generate.h"
#include "perp/solver.h"

#include <math.h>

#define MOST_SIZES 8
#define MOST_SOLVERS 64
#define SECONDS 0.5 /* for one run */
#define BRIEF                                                                                      \
    0.05 /* a shorter run is made twice, and the second, in memory that is warm, counts            \
          */

typedef struct tally {
    const perp_options *options;
    int runs, solved, proved, refused;
    double log_seconds; /* of the solved ones */
    char reason[200];   /* of the first refusal */
} tally;

typedef struct demo {
    tally tallies[MOST_SOLVERS];
    int solvers, wrong;
    int sizes[MOST_SIZES], count;
    FILE *csv;
    const char *csv_path;
    perp_arena data, work;
} demo;

static void usage(FILE *out)
{
    fputs("usage: demo [--sizes 12,60,240] [--csv FILE]\n"
          "Run every LCP solver on every family of test problems and judge each result afresh.\n"
          "  --sizes LIST  numbers of unknowns\n"
          "  --csv FILE    also write a row per run: problem,kind,n,solver,status,residual,\n"
          "                iterations,seconds\n"
          "Exit status 1 when a solver claimed what the certificate does not confirm.\n",
          out);
}

/* ---- judging ---- */

static bool is_proof(perp_status s)
{
    return s == PERP_RAY || s == PERP_INFEASIBLE || s == PERP_UNBOUNDED;
}

/* What contradicts the solver's word, or NULL. */
static const char *contradiction(demo *d, const lcp_family *family, const perp_problem *p,
                                 const perp_options *o, const double *z, const double *w,
                                 const perp_result *result)
{
    perp_residual r;
    perp_status s = result->status;
    if (s == PERP_E_MEMORY || s == PERP_E_OPTION) return result->detail;
    for (int i = 0; i < p->as.lcp.n; i++) {
        if (!isfinite(z[i])) return "z is not finite";
    }
    if (perp_certify(p, z, &d->work, &r)) return "z cannot be measured";
    if (s == PERP_SOLVED && !(r.value <= o->tol)) return "solved, and the residual is too large";
    if (s == PERP_SOLVED && family->infeasible) return "solved what has no solution";
    if (s == PERP_INFEASIBLE && family->solvable) return "infeasible, and a solution is known";
    if (is_proof(s) && perp_check(p, s, w, &d->work, &r)) return "its proof does not hold";
    return NULL;
}

static void count(tally *t, const char *family, int n, const perp_result *r)
{
    t->runs++;
    t->refused += r->status < 0;
    t->proved += is_proof(r->status);
    if (r->status < 0 && !t->reason[0])
        snprintf(t->reason, sizeof t->reason, "%s, n = %d: %s", family, n, r->detail);
    if (r->status != PERP_SOLVED) return;
    t->solved++;
    t->log_seconds += log(r->seconds);
}

/* ---- running ---- */

static void report(demo *d, const char *family, int n, const char *solver, const perp_result *r)
{
    const char *status = perp_status_name(r->status);
    csv_row(d->csv, family, perp_kind_name(PERP_LCP), n, solver, status, r->residual.value,
            r->iterations, r->seconds);
    if (r->status < 0) return; /* the summary gives the reason once */
    printf("%-16s %5d  %-14s %-12s %9.1e %10d %10.3f\n", family, n, solver, status,
           r->residual.value, r->iterations, 1e3 * r->seconds);
}

/* Solve; where it is quick, once more. NULL, or what is wrong. */
static const char *solve(demo *d, const lcp_family *family, const perp_problem *p,
                         const perp_options *o, double *z, double *w, perp_result *result)
{
    perp_solve(p, o, &d->work, z, w, result);
    if (result->seconds < BRIEF) {
        perp_result first = *result;
        perp_solve(p, o, &d->work, z, w, result);
        if (first.iterations != result->iterations ||
            memcmp(&first.residual, &result->residual, sizeof first.residual)) {
            return "a second run gave other bits";
        }
    }
    return contradiction(d, family, p, o, z, w, result);
}

static void run(demo *d, const lcp_family *family, const perp_problem *p, tally *t, double *z,
                double *w)
{
    perp_result result = {.status = PERP_E_MEMORY};
    const char *name = t->options->solver->name, *wrong = "no memory for its options";
    int n = p->as.lcp.n;
    perp_mark mark = perp_arena_mark(&d->work);
    perp_options *o = perp_options_new(&d->work, name);
    if (o) {
        o->max_seconds = SECONDS;
        wrong = solve(d, family, p, o, z, w, &result);
    }
    perp_arena_release(&d->work, mark);
    count(t, family->name, n, &result);
    report(d, family->name, n, name, &result);
    if (!wrong) return;
    printf("WRONG: %s on %s, n = %d: %s\n", name, family->name, n, wrong);
    d->wrong++;
}

static bool run_family(demo *d, const lcp_family *family, int n)
{
    generated g;
    perp_mark mark = perp_arena_mark(&d->data);
    bool made = lcp_generate(family, n, 1, &d->data, &g);
    double *z = perp_alloc(&d->data, (size_t)n + 1, sizeof *z);
    double *w = perp_alloc(&d->data, (size_t)n + 1, sizeof *w);
    made = made && z && w;
    if (made) {
        perp_problem p = lcp_generated_problem(&g);
        for (int k = 0; k < d->solvers; k++) run(d, family, &p, &d->tallies[k], z, w);
    }
    perp_arena_release(&d->data, mark);
    return made;
}

static bool run_all(demo *d)
{
    printf("%-16s %5s  %-14s %-12s %9s %10s %10s\n", "family", "n", "solver", "status", "residual",
           "iterations", "ms");
    for (const lcp_family *f = lcp_families; f->name; f++) {
        for (int k = 0; k < d->count; k++) {
            if (!run_family(d, f, d->sizes[k])) return false;
        }
    }
    return true;
}

/* ---- summary ---- */

static void print_summary(const demo *d)
{
    printf("\n%-14s %6s %7s %9s %8s %6s   %s\n", "solver", "tried", "solved", "ray, inf.",
           "refused", "other", "mean ms");
    for (int k = 0; k < d->solvers; k++) {
        const tally *t = &d->tallies[k];
        int tried = t->runs - t->refused;
        printf("%-14s %6d %7d %9d %8d %6d ", t->options->solver->name, tried, t->solved, t->proved,
               t->refused, tried - t->solved - t->proved);
        if (t->solved)
            printf("%9.3f\n", 1e3 * exp(t->log_seconds / t->solved));
        else
            printf("%9s\n", "-");
    }
    printf("Mean: geometric, over the problems that the solver solved; other: a limit or a stall.\n"
           "Every z and every proof was checked again by itself: %d wrong.\n",
           d->wrong);
    for (int k = 0; k < d->solvers; k++) {
        const tally *t = &d->tallies[k];
        if (t->refused)
            printf("%s refused %d; first %s\n", t->options->solver->name, t->refused, t->reason);
    }
}

/* ---- command line ---- */

/* 0: run; otherwise the exit status + 1. */
static int read_arguments(demo *d, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--help") == 0) {
            usage(stdout);
            return 1;
        }
        if (strcmp(argv[i], "--csv") == 0 && value)
            d->csv_path = argv[++i];
        else if (strcmp(argv[i], "--sizes") == 0 && value &&
                 (d->count = parse_sizes(value, MOST_SIZES, 20000, d->sizes)))
            i++;
        else {
            fprintf(stderr, "demo: %s: not an option, or its value is missing or wrong\n", argv[i]);
            usage(stderr);
            return 3;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static demo d = {.sizes = {12, 60, 240}, .count = 3};
    int end = read_arguments(&d, argc, argv);
    if (end) return end - 1;
    use_one_thread(argv);
    if (d.csv_path && !(d.csv = csv_open(d.csv_path, CSV_HEADER))) return 2;
    for (int k = 0; perp_solvers[k]; k++) {
        if (perp_solvers[k]->solver->kind == PERP_LCP && d.solvers < MOST_SOLVERS)
            d.tallies[d.solvers++].options = perp_solvers[k];
    }
    bool ran = run_all(&d);
    if (ran)
        print_summary(&d);
    else
        fputs("demo: out of memory\n", stderr);
    bool written = csv_close(d.csv, d.csv_path);
    perp_arena_free(&d.data);
    perp_arena_free(&d.work);
    return !ran || !written ? 2 : d.wrong > 0;
}
