/* cli/report_table.c: all rows as a table that can be sorted, and the HTML helpers of the report.
 *
 * Everything that comes from outside goes through cli_html_text. */
#include "compare.h"

#include <string.h>

void cli_html_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '&')
            fputs("&amp;", out);
        else if (byte == '<')
            fputs("&lt;", out);
        else if (byte == '>')
            fputs("&gt;", out);
        else if (byte == '"')
            fputs("&quot;", out);
        else if (byte == '\'')
            fputs("&#39;", out);
        else if (byte < ' ' && byte != '\n' && byte != '\t')
            fputs("&#xfffd;", out);
        else
            fputc(byte, out);
    }
}

int cli_common_directory(const cli_rows *rows)
{
    if (!rows->count) return 0;
    const char *first = rows->row[0].problem;
    size_t length = strlen(first);
    for (int i = 0; i < rows->count; i++) {
        size_t k = 0;
        while (k < length && rows->row[i].problem[k] == first[k]) k++;
        length = k;
    }
    while (length > 0 && first[length - 1] != '/') length--;
    return (int)length;
}

static const char *status_class(const cli_row *row)
{
    static const char *const bad[] = {"crashed", "timeout", "memory", "no_memory"};
    if (strcmp(row->status, "solved") == 0 || cli_is_proof(row->status)) return "good";
    if (cli_is_refusal(row)) return "refused";
    if (strncmp(row->status, "bad_", 4) == 0) return "bad";
    for (int k = 0; k < 4; k++) {
        if (strcmp(row->status, bad[k]) == 0) return "bad";
    }
    return "open";
}

static void print_seconds(FILE *out, double x)
{
    if (x < 1e-3)
        fprintf(out, "%.3g µs", x * 1e6);
    else if (x < 1)
        fprintf(out, "%.3g ms", x * 1e3);
    else
        fprintf(out, "%.3f s", x);
}

void cli_html_number(FILE *out, double x, const char *kind)
{
    if (isnan(x))
        fputs("–", out);
    else if (strcmp(kind, "residual") == 0)
        fprintf(out, "%.1e", x);
    else if (strcmp(kind, "ratio") == 0)
        fprintf(out, x < 100 ? "%.2f" : "%.0f", x);
    else if (strcmp(kind, "seconds") == 0)
        print_seconds(out, x);
    else
        fprintf(out, "%g", x);
}

/* Numbers sort by data-v; a figure that is not there has none and sorts last. */
static void print_number(FILE *out, double x, const char *format)
{
    char text[40];
    if (isnan(x)) {
        fputs("<td class=\"num\">–</td>", out);
        return;
    }
    snprintf(text, sizeof text, "%.9g", x);
    fprintf(out, "<td class=\"num\" data-v=\"%s\">", isinf(x) ? "Infinity" : text);
    if (isinf(x))
        fputs("∞", out);
    else
        cli_html_number(out, x, format);
    fputs("</td>", out);
}

static double count_or_nan(int n)
{
    return n < 0 ? NAN : (double)n;
}

static void print_row(FILE *out, const cli_row *row, int skip)
{
    fputs("<tr><th scope=\"row\" title=\"", out);
    cli_html_text(out, row->problem);
    fputs("\">", out);
    cli_html_text(out, row->problem + skip);
    fputs("</th><td>", out);
    cli_html_text(out, *row->kind ? row->kind : "–");
    fputs("</td>", out);
    print_number(out, count_or_nan(row->n), "count");
    print_number(out, row->tol, "count");
    fputs("<td class=\"solver\">", out);
    cli_html_text(out, row->solver);
    if (*row->solved_by && strncmp(row->solver, row->solved_by, strlen(row->solved_by)) != 0) {
        fputs(" <small>by ", out);
        cli_html_text(out, row->solved_by);
        fputs("</small>", out);
    }
    fprintf(out, "</td><td class=\"%s\">", status_class(row));
    cli_html_text(out, row->status);
    fputs("</td>", out);
    print_number(out, row->residual, "residual");
    print_number(out, count_or_nan(row->iterations), "count");
    print_number(out, row->seconds, "seconds");
    print_number(out, row->median, "seconds");
    fputs("<td class=\"detail\">", out);
    cli_html_text(out, row->detail);
    fputs("</td></tr>\n", out);
}

void cli_report_table(FILE *out, const cli_rows *rows)
{
    static const char *const heads[] = {"problem", "kind",   "n",        "tol",
                                        "solver",  "status", "residual", "iterations",
                                        "time",    "median", "detail"};
    int skip = cli_common_directory(rows);
    fputs("<section id=\"runs\"><h2>All runs</h2>\n", out);
    fputs("<p class=\"controls\"><label>Show rows with <input id=\"filter\" type=\"search\" "
          "autocomplete=\"off\"></label> <span id=\"shown\" role=\"status\"></span></p>\n",
          out);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All runs\">\n"
          "<table id=\"rows\" class=\"sortable\"><thead><tr>",
          out);
    for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++)
        fprintf(out,
                "<th scope=\"col\" aria-sort=\"none\"><button type=\"button\">%s</button></th>",
                heads[k]);
    fputs("</tr></thead><tbody>\n", out);
    for (int i = 0; i < rows->count; i++) print_row(out, &rows->row[i], skip);
    fputs("</tbody></table></div></section>\n", out);
}
