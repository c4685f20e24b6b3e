/* cli/simulate_run.c: the steps of `perp simulate`, and what is said about them. */
#include "interrupt.h"
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REFRESH 0.2 /* seconds between lines of progress */

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- progress ---------------------------------------------------------------------------- */

typedef struct progress {
    bool shown;
    double last;
} progress;

static void show(cli *c, progress *p, const sim *s, const simulate_total *t, bool end)
{
    double at = now(CLOCK_MONOTONIC);
    if (!p->shown || (!end && at - p->last < REFRESH)) return;
    p->last = at;
    if (end) {
        fputs("\r\033[K", c->err);
    } else {
        fprintf(c->err, "\r\033[K%s step %d/%d  t = %.3f s  %d contacts  %.3g x real time",
                s->scene->name, t->steps, s->steps, s->world.time, t->last.contacts,
                s->world.time / fmax(t->elapsed, 1e-9));
    }
    fflush(c->err);
}

/* ---- summary ----------------------------------------------------------------------------- */

static void add_up(simulate_total *t, const perp_step_report *r)
{
    double total = r->kinetic + r->potential;
    double last = t->last.kinetic + t->last.potential;
    if (t->steps == 0) {
        t->first = last = total;
        t->model_residual = NAN;
    }
    double scale = fabs(t->first) > 0 ? fabs(t->first) : 1;
    t->steps++;
    t->unsolved += r->status != PERP_SOLVED;
    t->contacts_most = r->contacts > t->contacts_most ? r->contacts : t->contacts_most;
    t->iterations_most = r->iterations > t->iterations_most ? r->iterations : t->iterations_most;
    t->rounds_most = r->rounds > t->rounds_most ? r->rounds : t->rounds_most;
    t->iterations += r->iterations;
    t->residual = fmax(t->residual, r->residual);
    t->model_residual = fmax(t->model_residual, r->model_residual);
    t->overlap = fmax(t->overlap, r->overlap);
    t->drift = fmax(t->drift, fabs(total - t->first) / scale);
    t->rise = fmax(t->rise, (total - last) / scale);
    t->collide_seconds += r->collide_seconds;
    t->assemble_seconds += r->assemble_seconds;
    t->solve_seconds += r->solve_seconds;
    t->last = *r;
}

static bool has_model(const simulate_total *t)
{
    return t->steps > 0 && !isnan(t->model_residual);
}

static void print_json(cli *c, const sim *s, const simulate_total *t)
{
    cli_json j = cli_json_open(c->out);
    cli_json_field_text(&j, "scene", s->scene->name);
    cli_json_field_text(&j, "solver", perp_solver_name(s->step.solver));
    cli_json_field_int(&j, "steps", t->steps);
    cli_json_field_int(&j, "uncertified", t->unsolved);
    cli_json_field_real(&j, "time", s->world.time);
    cli_json_field_real(&j, "elapsed", t->elapsed);
    cli_json_field_real(&j, "cpu", t->cpu);
    cli_json_field_int(&j, "bodies", s->world.bodies);
    cli_json_field_int(&j, "contacts", t->last.contacts);
    cli_json_field_int(&j, "contacts_most", t->contacts_most);
    cli_json_field_real(&j, "iterations_mean", t->iterations / fmax(t->steps, 1));
    cli_json_field_int(&j, "iterations_most", t->iterations_most);
    cli_json_field_int(&j, "rounds_most", t->rounds_most);
    cli_json_field_real(&j, "residual", t->residual);
    if (has_model(t)) cli_json_field_real(&j, "model_residual", t->model_residual);
    cli_json_field_real(&j, "overlap", t->overlap);
    cli_json_field_real(&j, "overlap_last", t->last.overlap);
    cli_json_field_real(&j, "energy_first", t->first);
    cli_json_field_real(&j, "energy_last", t->last.kinetic + t->last.potential);
    cli_json_field_real(&j, "energy_drift", t->drift);
    cli_json_field_real(&j, "energy_rise", t->rise);
    const double seconds[] = {t->collide_seconds, t->assemble_seconds, t->solve_seconds};
    cli_json_field_reals(&j, "seconds", 3, seconds);
    FILE *to = cli_json_field(&j, "measures");
    cli_json inner = cli_json_open(to);
    double x[SIM_MEASURES_MOST];
    if (s->scene->measure) s->scene->measure(s, x);
    for (int k = 0; s->scene->measures && s->scene->measures[k]; k++)
        cli_json_field_real(&inner, s->scene->measures[k], x[k]);
    cli_json_close(&inner);
    cli_json_close(&j);
    fputc('\n', c->out);
}

static void print_measures(cli *c, const sim *s)
{
    if (!s->scene->measures) return;
    double x[SIM_MEASURES_MOST];
    s->scene->measure(s, x);
    for (int k = 0; s->scene->measures[k]; k++)
        fprintf(c->out, "%-11s %.10g\n", s->scene->measures[k], x[k]);
}

static void print_summary(cli *c, const sim *s, const simulate_total *t)
{
    fprintf(c->out, "%s%s%s: %d bodies, dt = %g s, %s\n", cli_on(c, c->out, CLI_BOLD),
            s->scene->name, cli_off(c, c->out), s->world.bodies, s->step.dt,
            perp_solver_name(s->step.solver));
    fprintf(c->out, "steps       %d to t = %.6g s", t->steps, s->world.time);
    if (t->unsolved) fprintf(c->out, ", %d of them not certified", t->unsolved);
    fprintf(c->out, "\nspeed       %.3g x real time (%.3g s of CPU)\n",
            s->world.time / fmax(t->cpu, 1e-9), t->cpu);
    fprintf(c->out, "time        %.3g s collide, %.3g s assemble, %.3g s solve\n",
            t->collide_seconds, t->assemble_seconds, t->solve_seconds);
    fprintf(c->out, "contacts    %d at the end, %d at most\n", t->last.contacts, t->contacts_most);
    fprintf(c->out, "iterations  %.4g a step, %d at most", t->iterations / fmax(t->steps, 1),
            t->iterations_most);
    if (t->rounds_most > 1) fprintf(c->out, "; %d rounds at most", t->rounds_most);
    fprintf(c->out, "\nresidual    %.3g at worst", t->residual);
    if (has_model(t))
        fprintf(c->out, "; %.3g on what the solver solves instead", t->model_residual);
    fputc('\n', c->out);
    fprintf(c->out, "overlap     %.4g m at worst, %.4g m at the end\n", t->overlap,
            t->last.overlap);
    fprintf(c->out, "energy      %.10g J after the first step, %.10g J at the end; drift %.3g\n",
            t->first, t->last.kinetic + t->last.potential, t->drift);
    print_measures(c, s);
}

/* ---- the loop ---------------------------------------------------------------------------- */

static int loop(cli *c, sim *s, const simulate_options *o, const cli_interrupt *i,
                simulate_files *f, simulate_total *t)
{
    progress p = {.shown = !o->quiet && fileno(c->err) >= 0 && isatty(fileno(c->err))};
    while (t->steps < s->steps && !cli_interrupt_came(i)) {
        perp_step_report r;
        double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        perp_status status = sim_step(s, &r);
        t->elapsed += now(CLOCK_MONOTONIC) - wall;
        t->cpu += now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        if (status < 0) {
            show(c, &p, s, t, true);
            return cli_fail(c, "%s: %s", s->scene->name, r.detail);
        }
        add_up(t, &r);
        if (!simulate_files_step(f, o, &r)) return CLI_WRONG;
        show(c, &p, s, t, false);
    }
    show(c, &p, s, t, true);
    if (!cli_interrupt_came(i)) return CLI_DONE;
    cli_note(c, "stopped after step %d of %d", t->steps, s->steps);
    return CLI_UNSOLVED;
}

int simulate_run(cli *c, sim *s, const simulate_options *o)
{
    simulate_files f;
    simulate_total t = {.steps = 0};
    cli_interrupt interrupt;
    cli_blas_threads(1); /* contact problems are small */
    cli_interrupt_begin(&interrupt);
    int status = simulate_files_open(c, s, o, &f) ? loop(c, s, o, &interrupt, &f, &t) : CLI_WRONG;
    if (!simulate_files_close(&f, o)) status = CLI_WRONG;
    cli_interrupt_end(&interrupt);
    bool taken = (o->csv && strcmp(o->csv, "-") == 0) ||
                 (o->measures && strcmp(o->measures, "-") == 0) ||
                 (o->bodies && strcmp(o->bodies, "-") == 0);
    if (t.steps > 0 && !taken) {
        if (o->json)
            print_json(c, s, &t);
        else
            print_summary(c, s, &t);
    }
    return status;
}
