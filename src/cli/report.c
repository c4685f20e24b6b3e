/* cli/report.c: one HTML page that needs nothing but itself.
 *
 * Styles, script and plots are inside; a content security policy forbids the page to fetch
 * anything. It is written under a temporary name and renamed. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "compare.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define HISTORIES_OPEN 8 /* more of them make a page too long to read: they start folded */

static void print_lines(FILE *out, const char *const *lines)
{
    for (; *lines; lines++) fputs(*lines, out);
}

/* gnuplot writes colours as text; each gets the page's own shade. */
static void print_colours(FILE *out)
{
    for (int k = 0; k < CLI_COLOURS; k++) {
        const char *name = cli_plot_colour(k);
        fprintf(out,
                ".plot [stroke=\"%s\"]{stroke:var(--c%d)}.plot [color=\"%s\"]{color:var(--c%d)}\n",
                name, k, name, k);
    }
}

void cli_report_figure(FILE *out, const cli_report *r, const cli_figure *f, int count)
{
    fputs("<div class=\"figures\">\n", out);
    for (int k = 0; k < count; k++) {
        if (!f[k].count) continue;
        fputs("<figure class=\"plot\" tabindex=\"0\" role=\"img\" aria-label=\"", out);
        cli_html_text(out, f[k].label);
        fputs(": ", out);
        cli_html_text(out, f[k].y_label);
        fputs(" against ", out);
        cli_html_text(out, f[k].x_label);
        fputs("\">", out);
        if (f[k].svg)
            fputs(f[k].svg, out);
        else
            fprintf(out, "<p class=\"missing\">No plot: gnuplot %s.</p>",
                    r->gnuplot ? "refused this figure" : "could not be started");
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
}

static void print_histories(FILE *out, const cli_report *r)
{
    int skip = cli_common_directory(r->rows);
    bool few = r->histories <= HISTORIES_OPEN;
    if (!r->histories) return;
    fputs(
        "<section id=\"histories\"><h2>Convergence</h2>\n<p class=\"note\">The best certified "
        "residual so far, against iterations and against seconds, at the tightest tolerance (the "
        "thin line). Where an iterate is certified only now and then, the curve steps; a pivoting "
        "method has its start and its end. The start is drawn at the left edge. Methods that tell "
        "what they make smaller, as the squared step of a sweep, have that in a figure of its own; "
        "a method that diverges leaves it at the top.</p>\n"
        "<p class=\"controls\"><button type=\"button\" id=\"fold\">",
        out);
    fprintf(out, "%s all</button></p>\n", few ? "Fold" : "Unfold");
    for (int k = 0; k < r->histories; k++) {
        fprintf(out, "<details%s><summary>", few ? " open" : "");
        cli_html_text(out, r->history_of[k] + skip);
        fputs("</summary>\n", out);
        cli_report_figure(out, r, &r->history[CLI_HISTORY * k], CLI_HISTORY);
        fputs("</details>\n", out);
    }
    fputs("</section>\n", out);
}

static void print_head(FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<title>perp compare</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n",
          out);
    print_lines(out, cli_report_css);
    print_colours(out);
    fputs("</style></head>\n<body>\n", out);
}

/* A warning where figures are missing. */
static void print_missing(FILE *out, const cli_report *r)
{
    if (r->drawn == r->figures) return;
    if (r->drawn)
        fprintf(out, "<p class=\"warning\">%d of %d plots are missing: gnuplot refused them. ",
                r->figures - r->drawn, r->figures);
    else
        fprintf(out, "<p class=\"warning\">There are no plots: gnuplot %s. ",
                r->gnuplot ? "refused all of them" : "is not installed, or could not be started");
    fputs("The profiles are in the CSV files beside this page.</p>\n", out);
}

/* In one line: what was run, and how it went. */
static void print_title(FILE *out, const cli_report *r)
{
    int solved = 0, proved = 0, shared = 0, lost = 0;
    for (int i = 0; i < r->rows->count; i++) {
        const cli_row *row = &r->rows->row[i];
        solved += strcmp(row->status, "solved") == 0;
        proved += cli_is_proof(row->status);
        shared += row->jobs > 1;
        lost += strcmp(row->status, "crashed") == 0 || strcmp(row->status, "timeout") == 0 ||
                strcmp(row->status, "memory") == 0;
    }
    fputs("<header><h1>perp compare</h1>\n<nav aria-label=\"Sections\">", out);
    for (int k = 0; k < r->groups; k++) {
        fprintf(out, "<a href=\"#group-%d\">", k);
        cli_html_text(out, r->group[k].kind);
        if (!isnan(r->group[k].tol)) fprintf(out, " %g", r->group[k].tol);
        fputs("</a> ", out);
    }
    if (r->histories) fputs("<a href=\"#histories\">Convergence</a> ", out);
    fputs("<a href=\"#runs\">All runs</a> <a href=\"#origin\">How this was made</a></nav>\n", out);
    fprintf(out,
            "<p>%d runs, %d solved, %d ended with a proof that there is no solution; <b>solved</b> "
            "means that the certified residual is within the tolerance.",
            r->rows->count, solved, proved);
    if (lost) fprintf(out, " <strong>%d crashed, hung or ran out of memory.</strong>", lost);
    fputs("</p>\n", out);
    if (shared)
        fputs(
            "<p class=\"warning\">Times were taken with several runs at a time: they disturb each "
            "other. Use --jobs 1 for times to rely on.</p>\n",
            out);
    print_missing(out, r);
    fputs("</header>\n<main>\n", out);
}

static void print_page(cli *c, FILE *out, const cli_report *r)
{
    print_head(out);
    print_title(out, r);
    for (int k = 0; k < r->groups; k++) cli_report_summary(out, r, k);
    print_histories(out, r);
    cli_report_table(out, r->rows);
    cli_report_machine(c, out, r);
    fputs("</main>\n<script>\n", out);
    print_lines(out, cli_report_js);
    fputs("</script>\n</body></html>\n", out);
}

const char *cli_report_link(cli *c, const char *dir)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";
    char place[PATH_MAX];
    const char *path = realpath(dir, place) ? place : dir;
    size_t size = 3 * strlen(path) + 24, length;
    char *link = perp_alloc(&c->arena, size, 1);
    if (!link) return NULL;
    length = (size_t)snprintf(link, size, "file://");
    for (; *path; path++) {
        if (strchr(plain, *path))
            link[length++] = *path;
        else
            length +=
                (size_t)snprintf(link + length, size - length, "%%%02X", (unsigned char)*path);
    }
    snprintf(link + length, size - length, "/index.html");
    return link;
}

bool cli_report_write(cli *c, const cli_rows *rows, const char *dir, bool from_file)
{
    cli_report r = {.rows = rows, .dir = dir, .from_file = from_file};
    cli_sink s;
    size_t size = strlen(dir) + 12;
    char *path = perp_alloc(&c->arena, size, 1);
    r.group = cli_groups(c, rows, &r.groups);
    if (!path || !r.group) return !cli_fail(c, "out of memory");
    snprintf(path, size, "%s/index.html", dir);
    if (!cli_report_figures(c, &r) || !cli_sink_open(c, path, &s)) return false;
    print_page(c, s.file, &r);
    if (r.gnuplot && r.drawn < r.figures)
        cli_note(c, "gnuplot refused %d of %d plots; the page says which", r.figures - r.drawn,
                 r.figures);
    return cli_sink_close(c, &s);
}
