/* cli/simulate_plot.c: a run as curves over time, drawn by gnuplot: energies, contacts and
 * iterations, residual and overlap, what the scene measures; and the paths of the bodies in the
 * plane of the pictures. Rows are kept in a temporary file while the run goes on. */
#include "simulate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_MOST 4000 /* drawn of a curve */
#define PATHS_MOST 400 /* bodies whose paths are drawn */

bool simulate_plot_open(cli *c, const simulate_options *o, simulate_plot *p)
{
    *p = (simulate_plot){.path = o->plot, .paths_path = o->paths};
    if (o->plot) p->rows = tmpfile();
    if (o->paths) p->paths = tmpfile();
    if ((o->plot && !p->rows) || (o->paths && !p->paths))
        return !cli_fail(c, "no temporary file: %s", strerror(errno));
    return true;
}

/* One record a step: doubles. */
static void keep_row(FILE *to, const sim *s, const perp_step_report *r)
{
    double x[9 + SIM_MEASURES_MOST] = {s->world.time,
                                       r->contacts,
                                       r->iterations,
                                       r->residual,
                                       r->kinetic,
                                       r->potential,
                                       r->kinetic + r->potential,
                                       r->overlap,
                                       r->rounds};
    if (s->scene->measure) s->scene->measure(s, x + 9);
    fwrite(x, sizeof *x, sizeof x / sizeof *x, to);
}

static void keep_places(FILE *to, const sim *s, const simulate_view *v)
{
    int count = s->world.bodies < PATHS_MOST ? s->world.bodies : PATHS_MOST;
    for (int k = 0; k < count; k++) {
        const double *x = s->world.body[k].position;
        double at[2] = {0, 0};
        for (int i = 0; i < 3; i++) {
            at[0] += x[i] * v->right[i];
            at[1] += x[i] * v->up[i];
        }
        fwrite(at, sizeof *at, 2, to);
    }
}

void simulate_plot_step(simulate_plot *p, const sim *s, const simulate_view *v,
                        const perp_step_report *r)
{
    if (p->rows) keep_row(p->rows, s, r);
    if (p->paths) keep_places(p->paths, s, v);
    p->steps++;
}

/* ---- scripts ------------------------------------------------------------------------------ */

static void print_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void print_terminal(FILE *out, const char *path, int height)
{
    const char *dot = strrchr(path, '.');
    bool png = dot && strcmp(dot, ".png") == 0;
    fprintf(out, "set terminal %s size 760,%d noenhanced font 'sans-serif%s'\nset output ",
            png ? "pngcairo" : "svg dynamic", height, png ? ",10" : ",12");
    print_quoted(out, path);
    fputs("\nset encoding utf8\nset border 3\nset tics nomirror\nset grid lc rgb 'gray' dt 3\n"
          "set lmargin 13\nset key top right\n",
          out);
}

/* Every so many rows, so that a long run is no long file. */
static void print_rows(FILE *out, FILE *rows, int steps, int width)
{
    double x[9 + SIM_MEASURES_MOST];
    int skip = 1 + steps / ROWS_MOST;
    rewind(rows);
    fputs("$d << EOD\n", out);
    for (int k = 0; k < steps; k++) {
        if (fread(x, sizeof *x, sizeof x / sizeof *x, rows) != sizeof x / sizeof *x) break;
        if (k % skip && k != steps - 1) continue;
        for (int i = 0; i < width; i++) fprintf(out, "%.10g ", x[i]);
        fputc('\n', out);
    }
    fputs("EOD\n", out);
}

static void print_plots(FILE *out, const sim *s, int measures)
{
    fprintf(out, "set multiplot layout %d,1\n", 3 + measures);
    fputs("set ylabel 'energy, J'\nplot $d u 1:5 w l lw 2 lc rgb '#0072b2' t 'kinetic', "
          "$d u 1:6 w l lw 2 lc rgb '#e69f00' t 'potential', "
          "$d u 1:7 w l lw 2 lc rgb '#010101' dt 2 t 'total'\n",
          out);
    fputs("set ylabel 'count'\nplot $d u 1:2 w l lw 2 lc rgb '#009e73' t 'contacts', "
          "$d u 1:3 w l lw 1 lc rgb '#d55e00' t 'iterations'\n",
          out);
    if (!measures) fputs("set xlabel 'time, s'\n", out);
    fputs("set ylabel 'residual; overlap, m'\nset logscale y\nset format y '1e%T'\n"
          "plot $d u 1:($4 > 0 ? $4 : 1/0) w l lw 1 lc rgb '#cc79a7' t 'residual', "
          "$d u 1:($8 > 0 ? $8 : 1/0) w l lw 2 lc rgb '#56b4e9' t 'overlap'\n"
          "unset logscale\nset format y '%g'\n",
          out);
    for (int k = 0; k < measures; k++) {
        if (k == measures - 1) fputs("set xlabel 'time, s'\n", out);
        fprintf(out, "set ylabel '%s'\nplot $d u 1:%d w l lw 2 lc rgb '#0072b2' notitle\n",
                s->scene->measures[k], 10 + k);
    }
    fputs("unset multiplot\nunset output\n", out);
}

static void print_run(FILE *out, const simulate_plot *p, const sim *s)
{
    int measures = 0;
    while (s->scene->measures && s->scene->measures[measures]) measures++;
    print_terminal(out, p->path, 190 * (3 + measures));
    print_rows(out, p->rows, p->steps, 9 + measures);
    print_plots(out, s, measures);
}

static void print_paths(FILE *out, const simulate_plot *p, const sim *s)
{
    int bodies = s->world.bodies < PATHS_MOST ? s->world.bodies : PATHS_MOST;
    int skip = 1 + p->steps / (1 + 100 * ROWS_MOST / (bodies > 0 ? bodies : 1));
    print_terminal(out, p->paths_path, 640);
    fputs("set size ratio -1\nset xlabel 'm'\nset ylabel 'm'\nunset key\n$d << EOD\n", out);
    for (int b = 0; b < bodies; b++) {
        for (int k = 0; k < p->steps; k++) {
            double at[2];
            long place = ((long)k * bodies + b) * (long)sizeof at;
            if (k % skip && k != p->steps - 1) continue;
            if (fseek(p->paths, place, SEEK_SET) || fread(at, sizeof at, 1, p->paths) != 1) break;
            fprintf(out, "%.7g %.7g %d\n", at[0], at[1], b);
        }
        fputs("\n\n", out);
    }
    fputs("EOD\nset linetype cycle 8\nplot for [b=0:*] $d index b u 1:2 w l lw 1.5 notitle\n"
          "unset output\n",
          out);
}

bool simulate_plot_close(cli *c, simulate_plot *p, const sim *s)
{
    bool good = true;
    char path[512];
    const char *base = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/perp-XXXXXX", base && *base ? base : "/tmp");
    if ((p->rows || p->paths) && p->steps > 0) {
        int file = mkstemp(path);
        FILE *script = file < 0 ? NULL : fdopen(file, "w");
        if (script && p->rows) print_run(script, p, s);
        if (script && p->paths) print_paths(script, p, s);
        good = script && fclose(script) == 0 && cli_gnuplot(path) == CLI_DRAWN;
        if (file >= 0) unlink(path);
        if (!good) cli_fail(c, "gnuplot did not draw %s", p->path ? p->path : p->paths_path);
    }
    if (p->rows) fclose(p->rows);
    if (p->paths) fclose(p->paths);
    return good;
}
