/* cli/simulate.h: what the files of `perp simulate` share.
 *
 *     simulate.c        options, the scene with its parameters, solver and form
 *     simulate_run.c    the loop over steps, progress, the end by Ctrl-C, the summary
 *     simulate_files.c  what is written on the way: figures of steps, measures, problems */
#ifndef PERP_CLI_SIMULATE_H
#define PERP_CLI_SIMULATE_H

#include "../simulate/sim.h"
#include "cli.h"
#include "compare.h"

typedef struct simulate_options {
    cli_list set, dump;
    const char *solver, *form, *csv, *measures, *bodies;
    int steps, facets, threads, every;
    double tol;
    bool list, json, together, cold, quiet;
} simulate_options;

/* What has happened so far. */
typedef struct simulate_total {
    int steps, unsolved, contacts_most, iterations_most, rounds_most;
    double iterations; /* sum */
    double residual, overlap;
    double first, drift; /* total energy after step 1; worst |change| of it since, relative */
    double rise;         /* worst rise of the total energy in one step, relative to the first */
    double seconds[3];   /* collide, assemble, solve */
    double elapsed, cpu; /* of all steps, files not counted */
    perp_step_report last;
} simulate_total;

/* ---- simulate_files.c ---- */

typedef struct simulate_files {
    cli_sink csv, measures, bodies; /* file NULL: not wanted */
    int dumps;
    struct simulate_dump {
        int step;
        const char *path;
    } * dump;
    sim *s;
    cli *c;
    bool failed; /* a dump could not be written, and was complained about */
} simulate_files;

bool simulate_files_open(cli *c, sim *s, const simulate_options *o, simulate_files *f);
bool simulate_files_step(simulate_files *f, const simulate_options *o,
                         const perp_step_report *report);
bool simulate_files_close(simulate_files *f);

/* ---- simulate_run.c ---- */

int simulate_run(cli *c, sim *s, const simulate_options *o);

#endif
