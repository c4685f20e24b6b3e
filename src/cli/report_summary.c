/* cli/report_summary.c: who solved how much, how fast, and against whom; one section a group. */
#include "compare.h"

#include <string.h>

static void print_head(FILE *out, const char *const *heads)
{
    fputs("<thead><tr>", out);
    for (; *heads; heads++)
        fprintf(out,
                "<th scope=\"col\" aria-sort=\"none\"><button type=\"button\">%s</button></th>",
                *heads);
    fputs("</tr></thead>", out);
}

static void print_cell(FILE *out, double x, const char *kind)
{
    if (isnan(x))
        fputs("<td class=\"num\">–</td>", out);
    else {
        fprintf(out, "<td class=\"num\" data-v=\"%.9g\">", x);
        cli_html_number(out, x, kind);
        fputs("</td>", out);
    }
}

static void print_score(FILE *out, const char *name, const cli_score *s, bool best)
{
    fprintf(out, "<tr%s><th scope=\"row\">", best ? " class=\"best\"" : "");
    cli_html_text(out, name);
    fprintf(out,
            "</th><td class=\"share\" data-v=\"%d\"><span class=\"meter\"><span "
            "style=\"width:%.1f%%\"></span></span>%d of %d</td>",
            s->solved, s->runs ? 100.0 * s->solved / s->runs : 0, s->solved, s->runs);
    print_cell(out, s->proved, "count");
    print_cell(out, s->refused, "count");
    print_cell(out, s->fastest, "count");
    print_cell(out, s->ratio, "ratio");
    print_cell(out, s->done ? s->seconds : NAN, "seconds");
    fputs("</tr>\n", out);
}

static void print_scores(FILE *out, const cli_group *g)
{
    static const char *const heads[] = {"solver",  "solved",      "proved",        "refused",
                                        "fastest", "time / best", "time in total", NULL};
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Summary\">"
          "<table class=\"sortable summary\">",
          out);
    print_head(out, heads);
    fputs("<tbody>\n", out);
    for (int j = 0; j < g->solvers; j++) {
        cli_score s = cli_score_of(g, j);
        print_score(out, g->solver[j], &s, false);
    }
    cli_score best = cli_virtual_best(g);
    fputs("</tbody><tfoot>\n", out);
    print_score(out, "virtual best", &best, true);
    fputs("</tfoot></table></div>\n", out);
}

/* Each cell is over its own set of problems, which is why it also says how many. */
static void print_pairs(FILE *out, const cli_group *g)
{
    if (g->solvers < 2) return;
    fputs("<details><summary>Pair by pair</summary><p>Geometric mean of the row's time over the "
          "column's, on the problems that both solved or proved (how many: in small).</p>"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pair by pair\">"
          "<table class=\"pairs\"><thead><tr><td></td>",
          out);
    for (int j = 0; j < g->solvers; j++) {
        fputs("<th scope=\"col\">", out);
        cli_html_text(out, g->solver[j]);
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
    for (int i = 0; i < g->solvers; i++) {
        fputs("<tr><th scope=\"row\">", out);
        cli_html_text(out, g->solver[i]);
        fputs("</th>", out);
        for (int j = 0; j < g->solvers; j++) {
            int both;
            double ratio = cli_pair_ratio(g, i, j, &both);
            fprintf(out, "<td class=\"num%s\">", i == j ? " self" : ratio < 1 ? " faster" : "");
            if (i != j) cli_html_number(out, ratio, "ratio");
            if (i != j && both) fprintf(out, " <small>%d</small>", both);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></details>\n", out);
}

void cli_report_summary(FILE *out, const cli_report *r, int group)
{
    const cli_group *g = &r->group[group];
    fprintf(out, "<section id=\"group-%d\"><h2>", group);
    cli_html_text(out, g->kind);
    if (!isnan(g->tol)) fprintf(out, ", tolerance %g", g->tol);
    fprintf(out, " <small>%d problem%s, %d solver%s</small></h2>\n", g->problems,
            g->problems == 1 ? "" : "s", g->solvers, g->solvers == 1 ? "" : "s");
    print_scores(out, g);
    fputs("<p class=\"note\"><b>proved</b>: ended with a checked proof that there is no solution. "
          "<b>refused</b>: not of the class that the solver is for. "
          "<b>time / best</b>: geometric mean, over the problems that the solver "
          "solved or proved, of its time over the least time of any; a time below a microsecond "
          "counts as one. "
          "<b>virtual best</b>: the fastest solver "
          "chosen for each problem. A solver that solves only the easy ones looks fast: read it "
          "beside <b>solved</b>, or pair by pair.</p>\n",
          out);
    print_pairs(out, g);
    cli_report_figure(out, r, &r->profile[2 * group], 2);
    fputs("<p class=\"note\">Performance profiles (Dolan and Moré 2002): the share of all problems "
          "that a solver solved, or proved to have no solution, within a multiple of the best. At "
          "the left: how often it was best; at the right: how many it solved or proved. An "
          "iteration is a different thing for each method.</p></section>\n",
          out);
}
