/* report.c: the readable table and the CSV.
 *
 * A ratio is the rival's time over the contender's: above 1, the contender is quicker. It stands
 * only where both solved all the problems of the cell. */
#include "bench.h"
#include "command.h"
#include "perp/solver.h"

void write_run(const bench *b, const entry *e, const char *family, int n, int seed, double residual,
               double seconds)
{
    if (!b->csv) return;
    const char *kind = perp_kind_name(e->peer ? e->peer->kind : e->options->solver->kind);
    fprintf(b->csv, "%s,%s,%d,%s,%s,%.6g,%d,%.9g,%s,%d,%.4g,%g,%s\n", short_name(family), kind, n,
            e->name, e->status, residual, e->iterations, seconds, b->table->name, seed,
            e->megabytes, b->tol, blas_kernels());
}

static int width(const bench *b)
{
    return b->table->stored ? 24 : 13;
}

void print_heading(const bench *b)
{
    fprintf(b->out, "\n%s: %s\n", b->table->name, b->table->about);
    fprintf(b->out, "ratios: time of %s%s over the solver's; tolerance", b->table->rival,
            b->table->rival[strlen(b->table->rival) - 1] == '/' ? "*, the quickest that solves,"
                                                                : "");
    if (b->table->tol > 0) fprintf(b->out, " %.0e", b->table->tol);
    for (int s = 0; s < MOST_SIZES && b->table->tols[s] > 0; s++)
        fprintf(b->out, "%s %.0e", s ? "," : "", b->table->tols[s]);
    fputc('\n', b->out);
    fprintf(b->out, "%-*s %6s  %-26s %-16s %8s %9s %5s %10s %10s %6s %8s %8s\n", width(b),
            "problem", "n", "solver", "status", "residual", "steps", "runs", "min ms", "median ms",
            "MB", "x min", "x median");
}

const score *find_rival(const bench *b, const char *name, const score *scores, const score *but)
{
    size_t length = strlen(name);
    bool any = name[length - 1] == '/';
    const score *best = NULL;
    for (int k = 0; k < b->contenders; k++) {
        const char *other = b->entries[k].name;
        if (any ? strncmp(other, name, length) != 0 : strcmp(other, name) != 0) continue;
        if (&scores[k] != but && scores[k].solved && (!best || scores[k].least < best->least))
            best = &scores[k];
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
    const score *rival = find_rival(b, b->table->rival, scores, NULL);
    for (int k = 0; k < b->contenders; k++) {
        const entry *e = &b->entries[k];
        if (e->problems == 0 && !e->slow) continue; /* not for this problem */
        fprintf(b->out, "%-*s %6d  %-26s", width(b), short_name(b->name[family]), b->n, e->name);
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
    for (int f = 0; f < b->names; f++) {
        const score *mine = &b->scores[f][size][k];
        const score *rival = find_rival(b, b->table->rival, b->scores[f][size], NULL);
        if (!rival || rival == mine || !mine->solved) continue;
        least += log(rival->least / mine->least);
        median += log(rival->median / mine->median);
        count++;
    }
    if (count == 0) return;
    fprintf(b->out, "%6d  %-26s %8d %8.2f %8.2f\n", b->sizes[size], b->entries[k].name, count,
            exp(least / count), exp(median / count));
}

void print_means(const bench *b)
{
    if (b->names < 2) return;
    fprintf(b->out, "\n%s: geometric means of the ratios over the families that both solved\n",
            b->table->name);
    fprintf(b->out, "%6s  %-26s %8s %8s %8s\n", "n", "solver", "families", "x min", "x median");
    for (int s = 0; s < b->count; s++) {
        for (int k = 0; k < b->contenders; k++) print_mean(b, s, k);
    }
}
