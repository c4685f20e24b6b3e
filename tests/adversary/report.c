/* tests/adversary/report.c: faults as lines and problem files; tables of counts. */
#include "run.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *heading;
    bool fault;
} columns[] = {
#define X(name, word, heading, fault) {word, heading, fault},
    COLUMNS(X)
#undef X
};

const char *column_word(column c)
{
    return columns[c].word;
}

const char *column_heading(column c)
{
    return columns[c].heading;
}

bool column_is_fault(column c)
{
    return columns[c].fault;
}

/* ---- faults ---- */

static void save(const char *path, const char *command, const sample *s, const double *z)
{
    perp_arena a = {0};
    perp_error e;
    perp_file file = {.format = PERP_FILE_TEXT, .title = command, .description = s->family};
    file.problem = sample_problem(s, true, &a);
    file.solution = z;
    if (perp_save_file(path, &file, &e)) {
        file.solution = NULL;
        if (perp_save_file(path, &file, &e)) fprintf(stderr, "%s: %s\n", path, e.text);
    }
    perp_arena_free(&a);
}

void report_fault(const settings *o, tally *t, const sample *s, int solver, column c,
                  const judgement *j, const double *z)
{
    const char *name = perp_solver_name(perp_solvers()[solver]);
    long seen = ++t->count[s->kind][solver][c];
    if (!o->verbose && seen > o->keep) return;
    char command[200], line[600], path[400] = "";
    bool callback = s->kind == V_MCP_MAP || s->kind == V_NCP_MAP;
    snprintf(command, sizeof command, "adversary --seed %llu --from %ld --count 1 --only %s",
             (unsigned long long)s->seed, s->index, name);
    snprintf(line, sizeof line, "%s %s: %s at tol %g: %s, %.3g (n = %d, m = %d; %s): %s",
             variant_name(s->kind), name, column_heading(c), s->tol, j->part, j->ratio, s->size,
             s->m, s->family, command);
    if (o->verbose || !o->files) printf("%s\n", line);
    if (!o->files || seen > o->keep) return;
    if (!callback) {
        snprintf(path, sizeof path, "%s/%s-%ld-%s-%s.perp", o->files, variant_name(s->kind),
                 s->index, strchr(name, '/') + 1, column_word(c));
        save(path, command, s, z);
    }
    char list[400];
    snprintf(list, sizeof list, "%s/faults.txt", o->files);
    FILE *f = fopen(list, "a");
    if (!f) return;
    fprintf(f, "%s %s\n", line, path);
    fclose(f);
}

/* ---- tables ---- */

long tally_sum(const tally *t, int kind, int solver, column c)
{
    long sum = 0;
    for (int v = 0; v < VARIANTS; v++) {
        for (int k = 0; k < SOLVERS_MOST; k++) {
            if ((kind < 0 || kind == v) && (solver < 0 || solver == k)) sum += t->count[v][k][c];
        }
    }
    return sum;
}

long tally_faults(const tally *t, int kind, int solver)
{
    long sum = 0;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (columns[c].fault) sum += tally_sum(t, kind, solver, (column)c);
    }
    return sum;
}

static void row_text(const tally *t, const char *name, int kind, int solver)
{
    printf("%-26s", name);
    for (int c = 0; c < COLUMN_COUNT; c++) printf(" %9ld", tally_sum(t, kind, solver, (column)c));
    printf("\n");
}

void table_text(const tally *t)
{
    printf("%-26s", "");
    for (int c = 0; c < COLUMN_COUNT; c++) printf(" %9.9s", columns[c].heading);
    printf("\n");
    for (int v = 0; v < VARIANTS; v++) {
        if (tally_sum(t, v, -1, C_SOLVES) + tally_faults(t, v, -1) == 0) continue;
        row_text(t, variant_name((variant)v), v, -1);
        for (int k = 0; perp_solvers()[k]; k++) {
            char name[64];
            snprintf(name, sizeof name, "  %s", perp_solver_name(perp_solvers()[k]));
            if (tally_sum(t, v, k, C_SOLVES) + tally_faults(t, v, k) > 0) row_text(t, name, v, k);
        }
    }
    row_text(t, "all", -1, -1);
}

static void row_markdown(const tally *t, const char *name, int kind, int solver)
{
    printf("| %s |", name);
    for (int c = 0; c < COLUMN_COUNT; c++) printf(" %ld |", tally_sum(t, kind, solver, (column)c));
    printf("\n");
}

static void head_markdown(const char *first)
{
    printf("\n| %s |", first);
    for (int c = 0; c < COLUMN_COUNT; c++) printf(" %s |", columns[c].heading);
    printf("\n|---|");
    for (int c = 0; c < COLUMN_COUNT; c++) printf("---:|");
    printf("\n");
}

void table_markdown(const settings *o, const tally *t)
{
    printf("Seed %llu, problems %ld to %ld.\n", (unsigned long long)o->seed, o->from, t->next - 1);
    head_markdown("kind");
    for (int v = 0; v < VARIANTS; v++) {
        char name[64];
        snprintf(name, sizeof name, "`%s`", variant_name((variant)v));
        row_markdown(t, name, v, -1);
    }
    row_markdown(t, "**all**", -1, -1);
    head_markdown("solver");
    for (int k = 0; perp_solvers()[k]; k++) {
        char name[64];
        snprintf(name, sizeof name, "`%s`", perp_solver_name(perp_solvers()[k]));
        if (tally_sum(t, -1, k, C_SOLVES) + tally_faults(t, -1, k) > 0) {
            row_markdown(t, name, -1, k);
        }
    }
}

bool table_json(const settings *o, const tally *t)
{
    FILE *f = fopen(o->json, "w");
    if (!f) return false;
    fprintf(f, "{\"seed\": %llu, \"from\": %ld, \"next\": %ld, \"faults\": %ld, \"rows\": [",
            (unsigned long long)o->seed, o->from, t->next, tally_faults(t, -1, -1));
    const char *comma = "";
    for (int v = 0; v < VARIANTS; v++) {
        for (int k = 0; perp_solvers()[k]; k++) {
            if (tally_sum(t, v, k, C_SOLVES) + tally_faults(t, v, k) == 0) continue;
            fprintf(f, "%s\n  {\"kind\": \"%s\", \"solver\": \"%s\"", comma,
                    variant_name((variant)v), perp_solver_name(perp_solvers()[k]));
            for (int c = 0; c < COLUMN_COUNT; c++) {
                fprintf(f, ", \"%s\": %ld", columns[c].word, t->count[v][k][c]);
            }
            fprintf(f, "}");
            comma = ",";
        }
    }
    fprintf(f, "\n]}\n");
    return fclose(f) == 0;
}
