/* bench.h: what the files of the program `bench` share. A table is a grid of problems (family x
 * size x seed) and a list of contenders; run.c fills one cell of it (a family and a size), report.c
 * shows the cell and the table. */
#ifndef PERP_BENCH_BENCH_H
#define PERP_BENCH_BENCH_H

#include "peer.h"
#include "perp/perp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_FAMILIES 4
#define MOST_SIZES 8
#define MOST_CONTENDERS 20
#define MOST_RUNS 500
#define WRONG 1e-8 /* a z above this is no solution, whatever its solver says */

typedef struct table {
    const char *name, *about;
    const char *families[MOST_FAMILIES];     /* of problems.c */
    int sizes[MOST_SIZES];                   /* numbers of unknowns, growing; 0 ends them */
    int seeds;                               /* problems of a size; more than one: shares solved */
    double tol;                              /* asked of perp's solvers */
    const char *contenders[MOST_CONTENDERS]; /* "lcp/dantzig rule=order", or a peer's name */
    const char *rival; /* ratios are to it; "siconos/": to the quickest of these that solves */
} table;

extern const table tables[]; /* ends with a row whose name is NULL */

/* One contender on the problems of one family and size. */
typedef struct entry {
    const char *name;
    const perp_options *options; /* of perp's */
    const peer *peer;            /* or of another library, with its */
    void *state;
    int problems, solved, wrong;
    int runs, iterations;
    double spent, seconds[MOST_RUNS], least, median;
    double residual, megabytes; /* the worst of the runs; peak of the whole process */
    char status[16];            /* of the last problem, "skipped" where there was none */
    bool slow;                  /* ran out of time: not asked on larger problems */
} entry;

/* What report.c keeps of a cell. */
typedef struct score {
    double least, median, residual;
    bool solved; /* all problems of the cell */
} score;

typedef struct bench {
    const table *table;
    int sizes[MOST_SIZES], count, repeats;
    int n; /* of the problems of the cell at hand: a family may not have the size asked for */
    FILE *out, *chat, *csv; /* the report; progress, on a terminal; NULL where not wanted */
    perp_arena data, work;
    int contenders;
    entry entries[MOST_CONTENDERS];
    score scores[MOST_FAMILIES][MOST_SIZES][MOST_CONTENDERS];
} bench;

/* problems.c: an LCP with n unknowns, or nearly so, in the arena; false: no memory, or no such
 * family. */
bool make_problem(const char *family, int n, int seed, perp_arena *a, perp_problem *p);

/* contenders.c: those of the table that this build has. False: no memory, or a wrong name. */
bool find_contenders(bench *b);
const char *missing_peers(void); /* names of libraries, or "" */

/* run.c: before all runs, room on the stack, and silence: what other libraries print goes nowhere,
 * and the benchmark has streams of its own. */
bool prepare_runs(bench *b);
bool run_cell(bench *b, const char *family, int size);

/* report.c */
void print_heading(const bench *b);
void print_cell(bench *b, int family, int size);
void print_means(const bench *b);
void write_run(const bench *b, const entry *e, const char *family, int n, int seed, double residual,
               double seconds);
#define BENCH_CSV                                                                                  \
    "problem,kind,n,solver,status,residual,iterations,seconds,table,seed,peak_megabytes\n"

#endif
