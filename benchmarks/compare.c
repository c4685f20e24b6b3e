/* compare.c: who is how many times quicker than whom, over the rows of a grid, where both get
 * there; by the quickest runs. */
#include "bench.h"

#include <stdlib.h>

/* Rows that both solved. */
typedef struct tally {
    int count, unsolved, slower,
        half; /* slower than 1 / 1.5, than 1 / 2; unsolved by `who` alone */
    double logs, least;
    const char *worst;
} tally;

static void add(tally *t, const bench *b, int row, int level, int who, const char *whom)
{
    const score *scores = b->scores[row][level], *mine = &scores[who];
    bool own = strncmp(b->entries[who].name, whom, strlen(whom)) == 0;
    const score *rival = find_rival(b, whom, scores, own ? mine : NULL);
    if (!rival) return;
    if (!mine->solved) {
        t->unsolved++;
        return;
    }
    double ratio = rival->least / mine->least;
    t->count++;
    t->logs += log(ratio);
    t->slower += ratio < 1 / 1.5;
    t->half += ratio < 0.5;
    if (t->worst && t->least <= ratio) return;
    t->least = ratio;
    t->worst = b->name[row];
}

static int find_entry(const bench *b, const char *name)
{
    for (int k = 0; k < b->contenders; k++) {
        if (strcmp(b->entries[k].name, name) == 0) return k;
    }
    return -1;
}

void print_comparisons(const bench *b)
{
    fprintf(b->out,
            "\n%s: times quicker, problems that both solved (unsolved: by the first alone)\n"
            "%-10s %-34s %8s %8s %8s %8s %8s %8s  %s\n",
            b->table->name, "tolerance", "", "problems", "unsolved", "mean", "least", "< 1/1.5",
            "< 1/2", "least at");
    for (int level = 0; level < b->count; level++) {
        for (int c = 0; c < MOST_COMPARISONS && b->table->comparisons[c].who; c++) {
            const comparison *pair = &b->table->comparisons[c];
            int who = find_entry(b, pair->who);
            tally t = {0};
            char text[64];
            for (int row = 0; who >= 0 && row < b->names; row++)
                add(&t, b, row, level, who, pair->whom);
            if (t.count == 0) continue;
            bool any = pair->whom[strlen(pair->whom) - 1] == '/';
            snprintf(text, sizeof text, "%s than %s%s", pair->who, any ? "best of " : "",
                     pair->whom);
            fprintf(b->out, "%-10.0e %-34s %8d %8d %8.2f %8.2f %8d %8d  %s\n",
                    b->table->tols[level], text, t.count, t.unsolved, exp(t.logs / t.count),
                    t.least, t.slower, t.half, short_name(t.worst));
        }
    }
    fflush(b->out);
}
