/* cli/simulate.h: what the files of `perp simulate` share.
 *
 *     simulate.c        options, the scene with its parameters, solver and form
 *     simulate_run.c    the loop over steps, progress, the end by Ctrl-C, the summary
 *     simulate_files.c  what is written on the way: figures of steps, measures, problems
 *     simulate_picture.c, simulate_vtk.c, simulate_plot.c   what can be looked at */
#ifndef PERP_CLI_SIMULATE_H
#define PERP_CLI_SIMULATE_H

#include "cli.h"
#include "compare.h"
#include "simulate/sim.h"

typedef struct simulate_options {
    cli_list set, dump;
    const char *solver, *form, *csv, *measures, *bodies, *vtk, *pictures, *plot, *paths;
    int steps, facets, threads, every;
    double tol;
    bool list, json, together, cold, quiet, forces;
} simulate_options;

/* What has happened so far. */
typedef struct simulate_total {
    int steps, unsolved, contacts_most, iterations_most, rounds_most;
    double iterations; /* sum */
    double residual, overlap;
    double model_residual; /* NAN: the solver solves the problems themselves */
    double first, drift;   /* total energy after step 1; worst |change| of it since, relative */
    double rise;           /* worst rise of the total energy in one step, relative to the first */
    double collide_seconds, assemble_seconds, solve_seconds;
    double elapsed, cpu; /* of all steps, files not counted */
    perp_step_report last;
} simulate_total;

/* ---- simulate_picture.c, simulate_vtk.c ---- */

/* How pictures look at the scene; all of a run look alike. */
typedef struct simulate_view {
    double eye[3], right[3], up[3]; /* orthonormal; eye points to who looks */
    double least[2], scale, height; /* metres; pixels a metre; pixels */
    double middle[3], around; /* of the bodies: their middle, and a radius that all are within */
} simulate_view;

simulate_view simulate_look(const sim *s);
/* The world as it stands, as SVG, with lines for contact impulses where wanted. */
bool simulate_picture(cli *c, const sim *s, const simulate_view *v, bool forces, FILE *out);

void simulate_vtk(const sim *s, FILE *out); /* surfaces, for ParaView */
/* The collection of NAME_STEP.vtp. */
void simulate_vtk_times(FILE *out, const char *name, int count, const int *step,
                        const double *time);

/* ---- simulate_plot.c ---- */

typedef struct simulate_plot {
    const char *path, *paths_path; /* of the plots; NULL: not wanted */
    FILE *rows, *paths;
    int steps;
} simulate_plot;

bool simulate_plot_open(cli *c, const simulate_options *o, simulate_plot *p);
void simulate_plot_step(simulate_plot *p, const sim *s, const simulate_view *v,
                        const perp_step_report *r);
bool simulate_plot_close(cli *c, simulate_plot *p, const sim *s);

/* ---- simulate_files.c ---- */

typedef struct simulate_files {
    cli_sink csv, measures, bodies; /* file NULL: not wanted */
    simulate_plot plot;
    simulate_view view;
    int shown, room; /* pictures so far */
    int *step;       /* of each */
    double *time;
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
bool simulate_files_close(simulate_files *f, const simulate_options *o);

/* ---- simulate_run.c ---- */

int simulate_run(cli *c, sim *s, const simulate_options *o);

#endif
