/* bench.h: what the files of the program `bench` share. A table is a grid of problems (family x
 * size x seed, or file x tolerance) and a list of contenders; run.c fills one cell of it, report.c
 * shows the cell and the table. A table of another shape has a function of its own. */
#ifndef PERP_BENCH_BENCH_H
#define PERP_BENCH_BENCH_H

#include "peer.h"
#include "perp/perp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_FAMILIES 16 /* that a table names */
#define MOST_NAMES 64    /* rows of a grid: families, or stored problems and generated ones */
#define MOST_SIZES 8
#define MOST_COMPARISONS 4
#define LEAST_CONTACTS 20 /* of a stored problem that is worth timing */
#define LEAST_ROWS 60     /* of one of the kind cone */
#define MOST_CONTENDERS 20
#define MOST_RUNS 500
#define WRONG 1e-8 /* a z above this is no solution, whatever its solver says */

struct bench;

/* Who is how many times quicker than whom; "siconos/": than the quickest of these that solves. */
typedef struct comparison {
    const char *who, *whom;
} comparison;

typedef struct table {
    const char *name, *about;
    bool (*run)(struct bench *b);            /* a table of another shape; NULL: all that follows */
    const char *stored;                      /* a folder of stored problems that are families too */
    const char *families[MOST_FAMILIES];     /* of problems.c */
    int sizes[MOST_SIZES];                   /* numbers of unknowns, growing; 0 ends them */
    int seeds;                               /* problems of a size; more than one: shares solved */
    double tol;                              /* asked of perp's solvers */
    double tols[MOST_SIZES];                 /* instead of sizes and tol: falling; 0 ends them */
    const char *contenders[MOST_CONTENDERS]; /* "lcp/dantzig rule=order", or a peer's name */
    const char *rival; /* ratios are to it; "siconos/": to the quickest of these that solves */
    comparison comparisons[MOST_COMPARISONS]; /* at the end, instead of means of ratios */
} table;

extern const table tables[];   /* ends with a row whose name is NULL */
extern const table file_table; /* of --problems: its families are the files */

/* One contender on the problems of one family and size. */
typedef struct entry {
    const char *name;
    perp_options *options; /* of perp's */
    const peer *peer;      /* or of another library, with its */
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
    int names; /* of the grid's rows: a family, or the path of a file */
    const char *name[MOST_NAMES];
    int sizes[MOST_SIZES], count, repeats; /* count: sizes, or tolerances */
    double tol;                            /* of the cell at hand */
    int n; /* of the problems of the cell at hand: a family may not have the size asked for */
    FILE *out, *chat, *csv; /* the report; progress, on a terminal; NULL where not wanted */
    perp_arena data, work;
    int contenders;
    entry entries[MOST_CONTENDERS];
    score scores[MOST_NAMES][MOST_SIZES][MOST_CONTENDERS];
} bench;

/* problems.c: an LCP with n unknowns, or nearly so, in the arena; or friction, W by 3x3 blocks: the
 * scene "wall-8" of that size, where n does not matter; or what is in the file of a path, LCPs and
 * affine MCPs made dense. False: no memory, or no such family. */
bool make_problem(const char *family, int n, int seed, perp_arena *a, perp_problem *p);
/* The stored problems of the table's folder with at least LEAST_CONTACTS contacts or LEAST_ROWS
 * rows, as paths in the arena, after those that b->name has already. */
bool find_stored(bench *b);
const char *short_name(const char *name); /* without folders and endings, in a static buffer */

/* contenders.c: those of the table that this build has. False: no memory, or a wrong name. */
const peer *find_peer(const char *name); /* NULL: not in this build */
bool find_contenders(bench *b);
const char *missing_peers(void); /* names of libraries, or "" */

/* run.c: before all runs, room on the stack, and silence: what other libraries print goes nowhere,
 * and the benchmark has streams of its own. */
bool prepare_runs(bench *b);
bool run_cell(bench *b, const char *family, int size);

/* Tables of another shape. */
bool run_packing(bench *b);    /* packing.c */
bool run_sweeps(bench *b);     /* sweeps.c */
bool run_warm(bench *b);       /* warm.c */
bool run_budget(bench *b);     /* budget.c */
bool run_lemke(bench *b);      /* lemke.c */
bool run_nnls(bench *b);       /* nnls.c */
bool run_qp(bench *b);         /* qp.c */
bool run_qpfamilies(bench *b); /* qpfamilies.c */
bool run_literature(bench *b); /* literature.c */
bool run_grids(bench *b);      /* grids.c */
bool run_factor(bench *b);     /* factor.c */

/* qp.c: the stored quadratic programs, by name. False: one run said so. */
bool each_stored_qp(bench *b, bool (*run)(bench *b, const char *name, const perp_problem *p));

/* process.c: peers in languages of their own. */
typedef struct script {
    const char *file;        /* of this folder */
    const char *programs[2]; /* who may run it, the best first; the second may be NULL */
    int limit;               /* seconds of processor time */
} script;
#define SCRIPT_FAILED 3 /* exit status of a script whose solver admits that it failed */

typedef struct timing {
    double seconds, residual; /* seconds: INFINITY where there is no answer */
    int iterations;
    char status[16];
} timing;

/* Run it on what `write` makes of the problem; its z is judged by perp_certify. */
timing run_script(bench *b, const script *s, const perp_problem *p,
                  bool (*write)(FILE *file, const perp_problem *p), double *z);
/* One of perp's, the least of several runs. */
timing run_solver(bench *b, const perp_problem *p, const char *solver, double limit, double *z);

/* report.c */
void print_heading(const bench *b);
void print_cell(bench *b, int family, int size);
void print_means(const bench *b);
void print_comparisons(const bench *b); /* compare.c */
/* The score that ratios to `name` are taken to, or NULL; never `but`. */
const score *find_rival(const bench *b, const char *name, const score *scores, const score *but);
void write_run(const bench *b, const entry *e, const char *family, int n, int seed, double residual,
               double seconds);
#define BENCH_CSV                                                                                  \
    "problem,kind,n,solver,status,residual,iterations,seconds,table,seed,peak_megabytes,"          \
    "tol,blas_kernels\n"

#endif
