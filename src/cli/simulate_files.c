/* cli/simulate_files.c: what `perp simulate` writes while it runs: a row a step to CSV files, and
 * the contact problem of chosen steps. Every file is whole at the end, however the run ended. */
#include "rigid/assembly.h"
#include "simulate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns =
    "step,time,contacts,iterations,residual,kinetic,potential,total,overlap,t_collide,t_assemble,"
    "t_solve\n";

/* ---- problems ---------------------------------------------------------------------------- */

/* With the impulses that the step starts from, where they are the problem's own unknowns. */
static void write_problem(simulate_files *f, const perp_rigid *rigid, const double *impulse,
                          const char *path)
{
    perp_mark mark = perp_arena_mark(&f->c->arena);
    perp_error e = {.status = PERP_SOLVED};
    perp_file file = {.title = f->s->scene->name};
    char text[160];
    snprintf(text, sizeof text, "perp simulate %s, step %d, t = %.6g s", f->s->scene->name,
             f->s->world.steps + 1, f->s->world.time);
    file.description = text;
    const perp_step_options *o = &f->s->step;
    perp_status status =
        perp_rigid_assemble(rigid, perp_forms[o->form], o->facets, &f->c->arena, &file.problem, &e);
    if (!status) {
        file.problem.name = f->s->scene->name;
        file.guesses = f->s->step.form == PERP_RIGID_FORM_FC3D_LOCAL;
        file.guess = &impulse;
        status = perp_save_file(path, &file, &e);
    }
    if (status) {
        cli_fail_file(f->c, path, &e);
        f->failed = true;
    }
    perp_arena_release(&f->c->arena, mark);
}

/* Of each problem of a step: the last round of a fixed point stays. */
static void inspect(void *ctx, const perp_rigid *rigid, const double *impulse)
{
    simulate_files *f = ctx;
    for (int k = 0; k < f->dumps; k++) {
        if (f->dump[k].step == f->s->world.steps + 1)
            write_problem(f, rigid, impulse, f->dump[k].path);
    }
}

static bool read_dumps(simulate_files *f, const simulate_options *o)
{
    f->dump = perp_alloc(&f->c->arena, (size_t)o->dump.count, sizeof *f->dump);
    if (!f->dump && o->dump.count) return !cli_fail(f->c, "out of memory");
    for (int k = 0; k < o->dump.count; k++) {
        const char *text = o->dump.item[k];
        char *end;
        long step = strtol(text, &end, 10);
        if (end == text || *end != ':' || !end[1] || step < 1 || step > INT_MAX)
            return !cli_fail(f->c, "--dump %s: expected STEP:FILE, steps from 1", text);
        f->dump[f->dumps++] = (struct simulate_dump){(int)step, end + 1};
    }
    if (f->dumps > 0) {
        f->s->step.inspect = inspect;
        f->s->step.inspect_ctx = f;
    }
    return true;
}

/* ---- rows -------------------------------------------------------------------------------- */

static void print_reals(FILE *out, int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        fputc(',', out);
        cli_csv_real(out, x[i]);
    }
}

static void print_measures(const simulate_files *f, FILE *out)
{
    double x[SIM_MEASURES_MOST];
    const sim_scene *scene = f->s->scene;
    int count = 0;
    while (scene->measures[count]) count++;
    scene->measure(f->s, x);
    fprintf(out, "%d", f->s->world.steps);
    print_reals(out, 1, &f->s->world.time);
    print_reals(out, count, x);
    fputc('\n', out);
}

static void print_bodies(const simulate_files *f, FILE *out)
{
    for (int k = 0; k < f->s->world.bodies; k++) {
        const perp_body *b = f->s->world.body + k;
        fprintf(out, "%d", f->s->world.steps);
        print_reals(out, 1, &f->s->world.time);
        fprintf(out, ",%d", k);
        print_reals(out, 3, b->position);
        print_reals(out, 4, b->rotation);
        print_reals(out, 3, b->velocity);
        print_reals(out, 3, b->spin);
        fputc('\n', out);
    }
}

/* Closing them says what was wrong. */
static bool is_good(const simulate_files *f)
{
    const cli_sink *sink[] = {&f->csv, &f->measures, &f->bodies};
    for (int k = 0; k < 3; k++) {
        if (sink[k]->file && ferror(sink[k]->file)) return false;
    }
    return true;
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* One more place in the list of pictures; false: no memory. */
static bool count_picture(simulate_files *f)
{
    if (f->shown == f->room) {
        int room = f->room ? 2 * f->room : 64;
        int *step = perp_alloc(&f->c->arena, (size_t)room, sizeof *step);
        double *time = perp_alloc(&f->c->arena, (size_t)room, sizeof *time);
        if (!step || !time) return !cli_fail(f->c, "out of memory");
        if (f->shown) memcpy(step, f->step, (size_t)f->shown * sizeof *step);
        if (f->shown) memcpy(time, f->time, (size_t)f->shown * sizeof *time);
        f->step = step;
        f->time = time;
        f->room = room;
    }
    f->step[f->shown] = f->s->world.steps;
    f->time[f->shown++] = f->s->world.time;
    return true;
}

/* DIR/NAME_STEP.ending */
static const char *picture_path(const simulate_files *f, const char *dir, const char *ending)
{
    size_t size = strlen(dir) + strlen(f->s->scene->name) + 32;
    char *path = perp_alloc(&f->c->arena, size, 1);
    if (path)
        snprintf(path, size, "%s/%s_%06d.%s", dir, f->s->scene->name, f->s->world.steps, ending);
    return path;
}

static bool write_picture(simulate_files *f, const simulate_options *o, const char *dir, bool vtk)
{
    perp_mark mark = perp_arena_mark(&f->c->arena);
    const char *path = picture_path(f, dir, vtk ? "vtp" : "svg");
    cli_sink sink;
    bool good = path && cli_sink_open(f->c, path, &sink);
    if (good && vtk) simulate_vtk(f->s, sink.file);
    if (good && !vtk) simulate_picture(f->c, f->s, &f->view, o->forces, sink.file);
    if (good) good = cli_sink_close(f->c, &sink);
    perp_arena_release(&f->c->arena, mark);
    return good;
}

static bool show(simulate_files *f, const simulate_options *o)
{
    if (!o->vtk && !o->pictures) return true;
    if (!count_picture(f)) return false;
    if (o->pictures && !write_picture(f, o, o->pictures, false)) return false;
    return !o->vtk || write_picture(f, o, o->vtk, true);
}

static bool write_times(simulate_files *f, const char *dir)
{
    size_t size = strlen(dir) + strlen(f->s->scene->name) + 8;
    char *path = perp_alloc(&f->c->arena, size, 1);
    cli_sink sink;
    if (!path) return !cli_fail(f->c, "out of memory");
    snprintf(path, size, "%s/%s.pvd", dir, f->s->scene->name);
    if (!cli_sink_open(f->c, path, &sink)) return false;
    simulate_vtk_times(sink.file, f->s->scene->name, f->shown, f->step, f->time);
    return cli_sink_close(f->c, &sink);
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool open_pictures(simulate_files *f, const simulate_options *o)
{
    f->view = simulate_look(f->s);
    if (o->pictures && !cli_make_directory(f->c, o->pictures)) return false;
    if (o->vtk && !cli_make_directory(f->c, o->vtk)) return false;
    return simulate_plot_open(f->c, o, &f->plot) && show(f, o);
}

bool simulate_files_open(cli *c, sim *s, const simulate_options *o, simulate_files *f)
{
    *f = (simulate_files){.s = s, .c = c};
    if (o->measures && !s->scene->measures)
        return !cli_fail(c, "%s measures nothing of its own", s->scene->name);
    if (!read_dumps(f, o)) return false;
    if (o->csv && !cli_sink_open(c, o->csv, &f->csv)) return false;
    if (o->measures && !cli_sink_open(c, o->measures, &f->measures)) return false;
    if (o->bodies && !cli_sink_open(c, o->bodies, &f->bodies)) return false;
    if (f->csv.file) fputs(columns, f->csv.file);
    if (f->measures.file) {
        fputs("step,time", f->measures.file);
        for (int k = 0; s->scene->measures[k]; k++)
            fprintf(f->measures.file, ",%s", s->scene->measures[k]);
        fputc('\n', f->measures.file);
        print_measures(f, f->measures.file);
    }
    if (f->bodies.file) {
        fputs("step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", f->bodies.file);
        print_bodies(f, f->bodies.file);
    }
    return open_pictures(f, o);
}

bool simulate_files_step(simulate_files *f, const simulate_options *o, const perp_step_report *r)
{
    const perp_world *w = &f->s->world;
    if (f->csv.file) {
        const double x[] = {
            r->residual, r->kinetic,         r->potential,        r->kinetic + r->potential,
            r->overlap,  r->collide_seconds, r->assemble_seconds, r->solve_seconds};
        fprintf(f->csv.file, "%d", w->steps);
        print_reals(f->csv.file, 1, &w->time);
        fprintf(f->csv.file, ",%d,%d", r->contacts, r->iterations);
        print_reals(f->csv.file, (int)(sizeof x / sizeof *x), x);
        fputc('\n', f->csv.file);
    }
    if (f->measures.file) print_measures(f, f->measures.file);
    if (f->bodies.file && w->steps % o->every == 0) print_bodies(f, f->bodies.file);
    simulate_plot_step(&f->plot, f->s, &f->view, r);
    if (w->steps % o->every == 0 && !show(f, o)) return false;
    return is_good(f) && !f->failed;
}

bool simulate_files_close(simulate_files *f, const simulate_options *o)
{
    cli_sink *sink[] = {&f->csv, &f->measures, &f->bodies};
    bool good = true;
    if (f->shown && f->step[f->shown - 1] != f->s->world.steps) good = show(f, o); /* the end */
    if (o->vtk && f->shown) good = write_times(f, o->vtk) && good;
    good = simulate_plot_close(f->c, &f->plot, f->s) && good;
    for (int k = 0; k < 3; k++) {
        if (sink[k]->file) good = cli_sink_close(f->c, sink[k]) && good;
    }
    return good && !f->failed;
}
