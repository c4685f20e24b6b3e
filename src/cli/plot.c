/* cli/plot.c: curves drawn by gnuplot, which runs as a child process on temporary files.
 *
 * One script holds all figures. gnuplot ends at its first error, so the figure that it refused is
 * left out and a script of the figures behind it is run: a bad figure costs itself alone.
 *
 * A curve is told from the others by its colour, its dash and its mark, so that print and the
 * colour-blind lose nothing; eight colours and seven dashes pair up anew each time round. The
 * colours are Okabe and Ito's (Color Universal Design, 2008); the page's style sheet gives each a
 * shade for light and one for dark. */
#include "compare.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WIDTH 640
#define HEIGHT 340 /* without the key */
#define AXIS 50    /* pixels below the plot for its ticks and label */
#define SAMPLE 70  /* pixels of the key for line, mark and space */
#define KEY_ROW 18 /* pixels for a row of the key */
#define LETTER 6.6 /* pixels, about */
#define MARKS 8    /* on a curve, about */
#define PATH_SIZE 512
#define NOT_FOUND 127 /* exit status of a child that could not execute gnuplot */

static const struct {
    const char *gnuplot, *svg;
} colours[CLI_COLOURS] = {
    {"#0072b2", "rgb(  0, 114, 178)"}, {"#d55e00", "rgb(213,  94,   0)"},
    {"#009e73", "rgb(  0, 158, 115)"}, {"#cc79a7", "rgb(204, 121, 167)"},
    {"#e69f00", "rgb(230, 159,   0)"}, {"#56b4e9", "rgb( 86, 180, 233)"},
    {"#010101", "rgb(  1,   1,   1)"}, {"#8c8400", "rgb(140, 132,   0)"},
};
static const char *const dashes[] = {"solid", "(12,5)",         "(3,4)", "(14,4,3,4)",
                                     "(7,4)", "(14,4,3,4,3,4)", "(22,5)"};
static const int marks[] = {7, 5, 9, 13, 6, 4, 8, 12, 11, 10, 2, 1, 3};
#define LENGTH(a) ((int)(sizeof(a) / sizeof((a)[0])))

const char *cli_plot_colour(int style)
{
    return colours[style % CLI_COLOURS].svg;
}

/* gnuplot's single quotes know one escape: a quote is written twice. */
static void print_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if ((unsigned char)*text < ' ')
            fputc(' ', out);
        else if (*text == '\'')
            fputs("''", out);
        else
            fputc(*text, out);
    }
    fputc('\'', out);
}

/* Columns of the key below the plot: as many as its widest entry allows. */
static int key_columns(const cli_figure *f)
{
    size_t longest = 1;
    for (int k = 0; k < f->count; k++) {
        if (strlen(f->curve[k].name) > longest) longest = strlen(f->curve[k].name);
    }
    int columns = (int)((WIDTH - 40) / ((double)longest * LETTER + SAMPLE));
    return columns < 1 ? 1 : columns;
}

/* 1, 2 and 5 times the powers of ten; over more than three decades the powers alone. None where the
 * axis has no end. */
static void print_ticks(FILE *out, double least, double most)
{
    static const int digits[] = {1, 2, 5};
    int step = most / least > 1e3 ? 3 : 1, printed = 0;
    int skip = most / least > 1e8 ? 2 : 1;
    double first = floor(log10(least)), last = ceil(log10(most));
    bool ends = isfinite(first) && isfinite(last);
    fputs("set xtics (", out);
    for (int e = ends ? (int)first : 0; ends && e <= (int)last; e += skip) {
        for (int k = 0; k < 3; k += step) {
            double at = digits[k] * pow(10, e);
            if (at < least || at > most) continue;
            fprintf(out, "%s'%g' %.9g", printed++ ? ", " : "", at, at);
        }
    }
    fputs(")\n", out);
}

/* The key has its own band at the bottom: gnuplot's own place for it overlaps the axis' label. */
static void print_layout(FILE *out, const cli_figure *f)
{
    int columns = key_columns(f), rows = (f->count + columns - 1) / columns;
    double band = KEY_ROW * rows + 8, height = HEIGHT + band;
    fprintf(out, "reset\nset terminal svg size %d,%.0f dynamic noenhanced font 'sans-serif,12'\n",
            WIDTH, height);
    fprintf(out,
            "set key at screen 0.02, screen %.4f left top Left reverse vertical maxrows %d "
            "samplen 3.5 width 1\n",
            band / height, rows);
    fprintf(out, "set bmargin at screen %.4f\nset tmargin at screen %.4f\n", (band + AXIS) / height,
            1 - 10 / height);
    fputs("set lmargin at screen 0.11\nset rmargin at screen 0.97\n", out);
}

static void print_settings(FILE *out, const cli_figure *f, const char *svg)
{
    print_layout(out, f);
    fputs("set output ", out);
    print_quoted(out, svg);
    fputs("\nset encoding utf8\nset border 3\nset tics nomirror\n"
          "set grid lc rgb 'gray' dt 3\nset logscale x\n",
          out);
    fprintf(out, "set xrange [%.9g:%.9g]\n", f->x_least, f->x_most);
    print_ticks(out, f->x_least, f->x_most);
    if (f->log_y)
        fprintf(out, "set logscale y\nset format y '1e%%T'\nset yrange [%.3g:%.3g]\n", f->y_least,
                f->y_most);
    else
        fputs("set yrange [0:1.02]\nset format y '%.1f'\nset ytics 0.2\n", out);
    fputs("set xlabel ", out);
    print_quoted(out, f->x_label);
    fputs(" offset 0,0.4\nset ylabel ", out);
    print_quoted(out, f->y_label);
    fputc('\n', out);
    if (!isnan(f->line))
        fprintf(out,
                "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead lc rgb "
                "'#020202' lw 1\n",
                f->line, f->line);
}

void cli_plot_script(FILE *out, const cli_figure *f, const char *svg)
{
    print_settings(out, f, svg);
    for (int k = 0; k < f->count; k++) {
        fprintf(out, "$d%d << EOD\n", k);
        for (int i = 0; i < f->curve[k].count; i++)
            fprintf(out, "%.9g %.9g\n", f->curve[k].x[i], f->curve[k].y[i]);
        fputs("EOD\n", out);
    }
    for (int k = 0; k < f->count; k++) {
        const cli_curve *u = &f->curve[k];
        fprintf(out, "%s$d%d with linespoints lw 2 ps 0.8 lc rgb '%s' dt %s pt %d pi %d title ",
                k ? ", " : "plot ", k, colours[u->style % CLI_COLOURS].gnuplot,
                dashes[u->style % LENGTH(dashes)], marks[u->style % LENGTH(marks)],
                1 + u->count / MARKS);
        print_quoted(out, u->name);
    }
    fputs("\nunset output\n", out);
}

cli_drawing cli_gnuplot(const char *script)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0);
        dup2(null, 1);
        dup2(null, 2);
        signal(SIGPIPE, SIG_DFL);
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(NOT_FOUND);
    }
    int wait = 1;
    if (pid < 0) return CLI_NO_GNUPLOT;
    while (waitpid(pid, &wait, 0) < 0) {
        if (errno != EINTR) return CLI_NO_GNUPLOT;
    }
    if (!WIFEXITED(wait)) return CLI_NOT_DRAWN;
    int status = WEXITSTATUS(wait);
    return status == 0 ? CLI_DRAWN : status == NOT_FOUND ? CLI_NO_GNUPLOT : CLI_NOT_DRAWN;
}

static void name_file(char path[PATH_SIZE], const char *dir, const char *name, int k)
{
    snprintf(path, PATH_SIZE, "%s/%s%d", dir, name, k);
}

/* The figures from `first` on. */
static bool write_script(const char *dir, const char *path, int first, int count,
                         const cli_figure *figure)
{
    FILE *out = fopen(path, "w");
    if (!out) return false;
    for (int k = first; k < count; k++) {
        char svg[PATH_SIZE];
        name_file(svg, dir, "svg", k);
        if (figure[k].count) cli_plot_script(out, &figure[k], svg);
    }
    bool good = !ferror(out);
    return fclose(out) == 0 && good;
}

/* Returns the place behind the first figure that gnuplot did not complete; count: there is none. */
static int read_plots(cli *c, const char *dir, int first, int count, cli_figure *figure)
{
    for (int k = first; k < count; k++) {
        char path[PATH_SIZE], prefix[32];
        size_t length;
        name_file(path, dir, "svg", k);
        snprintf(prefix, sizeof prefix, "f%d-", k);
        const char *svg = cli_read_all(&c->arena, path, &length);
        if (svg) figure[k].svg = cli_svg_inline(&c->arena, svg, prefix);
        unlink(path);
        if (figure[k].count && !figure[k].svg) return k + 1;
    }
    return count;
}

bool cli_plot(cli *c, int count, cli_figure *figure)
{
    const char *base = getenv("TMPDIR");
    char dir[PATH_SIZE / 2], script[PATH_SIZE];
    int length = snprintf(dir, sizeof dir, "%s/perp-XXXXXX", base && *base ? base : "/tmp");
    if (length >= (int)sizeof dir || !mkdtemp(dir)) return false;
    name_file(script, dir, "script", 0);
    bool started = true;
    for (int first = 0; started && first < count;) {
        started = write_script(dir, script, first, count, figure) &&
                  cli_gnuplot(script) != CLI_NO_GNUPLOT;
        first = read_plots(c, dir, first, count, figure);
    }
    unlink(script);
    rmdir(dir);
    return started;
}
