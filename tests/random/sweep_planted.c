/* tests/random/sweep_planted.c: random LCPs whose M is of no class, with a solution that is known.
 *
 *     sweep_planted [--verbose] [--sparse] [--size N] [--positive PER_CENT] [--seconds S]
 *                   COUNT SEED SOLVER[:LEAST] ...
 *
 * draws COUNT problems of N = 100 unknowns from SEED on: entries of M uniform in [-1, 1), about
 * four of a row where it is sparse, z planted, and PER_CENT of w positive where z is zero. With
 * none of them z solves M z = -q, and the problem is easy; to find a solution is NP-hard otherwise.
 * Each SOLVER is told nothing of z, and has to solve LEAST of the problems. Residuals are computed
 * again here. It prints how many each solved, in what time, and, of a chain, by whom. */
#include "generate.h"
#include "perp/perp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 1000 /* unknowns */
#define NAMES 16
#define TOL 1e-8

typedef struct sweep {
    int n, count, positive;
    bool verbose, sparse;
    double seconds;
    uint64_t seed;
    double *M, *q, *z;
} sweep;

/* ---- problems ---- */

static void draw(sweep *s, uint64_t seed)
{
    generator g = generator_start(seed);
    int n = s->n;
    for (int k = 0; k < 8; k++) generator_unit(&g); /* neighbouring seeds start alike */
    for (int k = 0; k < n * n; k++) {
        bool there = !s->sparse || k / n == k % n || generator_below(&g, n) < 3;
        s->M[k] = there ? generator_uniform(&g) : 0;
    }
    for (int i = 0; i < n; i++) {
        bool positive = generator_below(&g, 100) < s->positive;
        s->z[i] = positive ? 0 : generator_unit(&g);
        s->q[i] = positive ? generator_unit(&g) : 0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) s->q[i] -= s->M[j * n + i] * s->z[j];
    }
}

/* |min(z, M z + q)| over |q|. */
static double residual(const sweep *s, const double *z)
{
    long double sum = 0, size = 0;
    for (int i = 0; i < s->n; i++) {
        long double w = s->q[i];
        for (int j = 0; j < s->n; j++) w += (long double)s->M[j * s->n + i] * z[j];
        w = w < z[i] ? w : z[i];
        sum += w * w;
        size += (long double)s->q[i] * s->q[i];
    }
    return (double)sqrtl(sum / (size > 0 ? size : 1));
}

/* ---- one solver ---- */

typedef struct tally {
    const char *name[NAMES];
    int by[NAMES], solved, wrong;
    double seconds, longest;
} tally;

static void note(tally *t, const char *name)
{
    int k = 0;
    while (k < NAMES - 1 && t->name[k] && strcmp(t->name[k], name) != 0) k++;
    t->name[k] = name;
    t->by[k]++;
}

static void solve(const sweep *s, const char *solver, uint64_t seed, tally *t)
{
    perp_arena a = {0};
    perp_result r;
    perp_options *o = perp_options_new(&a, solver);
    double *z = perp_alloc(&a, (size_t)s->n, sizeof *z);
    perp_problem p = perp_make_lcp(s->n, perp_dense(s->n, s->n, s->M), s->q);
    if (!o || !z) exit(2);
    if (s->sparse && perp_convert(&p.as.lcp.M, PERP_FORMAT_CSC, &a, &p.as.lcp.M, NULL)) exit(2);
    o->tol = TOL;
    if (s->seconds > 0) o->max_seconds = s->seconds;
    clock_t before = clock();
    bool solved = perp_solve(&p, o, &a, z, NULL, &r) == PERP_SOLVED;
    double spent = (double)(clock() - before) / CLOCKS_PER_SEC;
    t->seconds += spent;
    t->longest = fmax(t->longest, spent);
    t->solved += solved;
    if (solved) note(t, r.solver);
    if (solved && !(residual(s, z) <= 1.001 * TOL)) t->wrong++;
    if (s->verbose || (solved && !(residual(s, z) <= 1.001 * TOL)))
        printf("%6llu %-14s %-12s %7.3f s %8d iterations, residual %.1e by %s; %s\n",
               (unsigned long long)seed, solver, perp_status_name(r.status), spent, r.iterations,
               residual(s, z), r.solver, r.detail);
    perp_arena_free(&a);
}

/* SOLVER[:LEAST]. Did it solve as many, and nothing else? */
static bool run(sweep *s, const char *argument)
{
    char solver[64];
    tally t = {0};
    const char *colon = strchr(argument, ':');
    int least = colon ? atoi(colon + 1) : 0;
    snprintf(solver, sizeof solver, "%.*s", colon ? (int)(colon - argument) : (int)strlen(argument),
             argument);
    for (int k = 0; k < s->count; k++) {
        draw(s, s->seed + (uint64_t)k);
        solve(s, solver, s->seed + (uint64_t)k, &t);
    }
    printf("%-14s solved %d of %d, at least %d are due; %.2f s, the longest %.2f;", solver,
           t.solved, s->count, least, t.seconds, t.longest);
    for (int k = 0; k < NAMES && t.name[k]; k++) printf(" %s %d", t.name[k], t.by[k]);
    printf("\n");
    return t.solved >= least && t.wrong == 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: sweep_planted [--verbose] [--sparse] [--size N] [--positive PER_CENT] "
                    "[--seconds S] COUNT SEED SOLVER[:LEAST] ...\n");
    return 2;
}

int main(int argc, char **argv)
{
    static double M[MOST * MOST], q[MOST], z[MOST];
    sweep s = {.n = 100, .M = M, .q = q, .z = z};
    int k = 1;
    for (; k < argc && strncmp(argv[k], "--", 2) == 0; k++) {
        if (strcmp(argv[k], "--verbose") == 0) {
            s.verbose = true;
        } else if (strcmp(argv[k], "--sparse") == 0) {
            s.sparse = true;
        } else if (k + 1 == argc) {
            return usage();
        } else if (strcmp(argv[k], "--size") == 0) {
            s.n = atoi(argv[++k]);
        } else if (strcmp(argv[k], "--positive") == 0) {
            s.positive = atoi(argv[++k]);
        } else if (strcmp(argv[k], "--seconds") == 0) {
            s.seconds = atof(argv[++k]);
        } else {
            return usage();
        }
    }
    if (argc - k < 3 || s.n < 1 || s.n > MOST) return usage();
    s.count = atoi(argv[k]);
    s.seed = strtoull(argv[k + 1], NULL, 10);
    bool good = true;
    for (k += 2; k < argc; k++) good = run(&s, argv[k]) && good;
    return !good;
}
