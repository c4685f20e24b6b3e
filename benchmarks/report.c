/* report.c: the readable table and the CSV.
 *
 * A ratio is the rival's time over the contender's: above 1, the contender is quicker. It stands
 * only where both solved all the problems of the cell. */
#include "bench.h"

void write_run(const bench *b, const entry *e, const char *family, int n, int seed, double residual,
               double seconds)
{
    if (!b->csv) return;
    fprintf(b->csv, "%s,lcp,%d,%s,%s,%.6g,%d,%.9g,%s,%d,%.4g\n", family, n, e->name, e->status,
            residual, e->iterations, seconds, b->table->name, seed, e->megabytes);
}

void print_heading(const bench *b)
{
    fprintf(b->out, "\n%s: %s\n", b->table->name, b->table->about);
    fprintf(b->out, "ratios: time of %s%s over the solver's; tolerance %.0e\n", b->table->rival,
            b->table->rival[strlen(b->table->rival) - 1] == '/' ? "*, the quickest that solves,"
                                                                : "",
            b->table->tol);
    fprintf(b->out, "%-13s %6s  %-23s %-16s %8s %9s %5s %10s %10s %6s %8s %8s\n", "problem", "n",
            "solver", "status", "residual", "steps", "runs", "min ms", "median ms", "MB", "x min",
            "x median");
}

/* The score that ratios are taken to, or NULL. */
static const score *find_rival(const bench *b, const score *scores)
{
    const char *name = b->table->rival;
    size_t length = strlen(name);
    bool any = name[length - 1] == '/';
    const score *best = NULL;
    for (int k = 0; k < b->contenders; k++) {
        const char *other = b->entries[k].name;
        if (any ? strncmp(other, name, length) != 0 : strcmp(other, name) != 0) continue;
        if (scores[k].solved && (!best || scores[k].least < best->least)) best = &scores[k];
    }
    return best;
}

static void print_status(const bench *b, const entry *e)
{
    char text[32];
    if (b->table->seeds == 1 || e->problems == 0)
        snprintf(text, sizeof text, "%s", e->status);
    else if (e->wrong)
        snprintf(text, sizeof text, "%d/%d, %d wrong", e->solved, e->problems, e->wrong);
    else
        snprintf(text, sizeof text, "%d/%d solved", e->solved, e->problems);
    fprintf(b->out, " %-16s", text);
}

void print_cell(bench *b, int family, int size)
{
    score *scores = b->scores[family][size];
    for (int k = 0; k < b->contenders; k++) {
        const entry *e = &b->entries[k];
        scores[k] = (score){.least = e->least,
                            .median = e->median,
                            .residual = e->residual,
                            .solved = e->runs > 0 && e->solved == e->problems};
    }
    const score *rival = find_rival(b, scores);
    for (int k = 0; k < b->contenders; k++) {
        const entry *e = &b->entries[k];
        if (e->problems == 0 && !e->slow) continue; /* not for this problem */
        fprintf(b->out, "%-13s %6d  %-23s", b->table->families[family], b->n, e->name);
        print_status(b, e);
        if (e->runs > 0) {
            fprintf(b->out, " %8.1e %9d %5d %10.4f %10.4f %6.0f", e->residual, e->iterations,
                    e->runs, 1e3 * e->least, 1e3 * e->median, e->megabytes);
        }
        if (rival && rival != &scores[k] && scores[k].solved)
            fprintf(b->out, " %8.2f %8.2f", rival->least / e->least, rival->median / e->median);
        fputc('\n', b->out);
    }
    fflush(b->out);
}

static void print_mean(const bench *b, int size, int k)
{
    double least = 0, median = 0;
    int count = 0;
    for (int f = 0; f < MOST_FAMILIES && b->table->families[f]; f++) {
        const score *mine = &b->scores[f][size][k], *rival = find_rival(b, b->scores[f][size]);
        if (!rival || rival == mine || !mine->solved) continue;
        least += log(rival->least / mine->least);
        median += log(rival->median / mine->median);
        count++;
    }
    if (count == 0) return;
    fprintf(b->out, "%6d  %-23s %8d %8.2f %8.2f\n", b->sizes[size], b->entries[k].name, count,
            exp(least / count), exp(median / count));
}

void print_means(const bench *b)
{
    if (!b->table->families[1]) return;
    fprintf(b->out, "\n%s: geometric means of the ratios over the families that both solved\n",
            b->table->name);
    fprintf(b->out, "%6s  %-23s %8s %8s %8s\n", "n", "solver", "families", "x min", "x median");
    for (int s = 0; s < b->count; s++) {
        for (int k = 0; k < b->contenders; k++) print_mean(b, s, k);
    }
}
