/* bench.c: solvers against those of other libraries: the command line. tables.c says what is
 * measured, run.c how, report.c how it is shown; README.md how to read it. */
#include "bench.h"
#include "command.h"

typedef struct command {
    const char *names, *csv;
    char *problems; /* files, commas between them */
    int sizes[MOST_SIZES], count, repeats, seeds;
    double tol; /* of the problem files */
} command;

static void usage(FILE *out)
{
    fputs("usage: bench [--table NAME,...] [--sizes N,...] [--repeats N] [--seeds N] [--csv FILE]\n"
          "Time solvers and those of other libraries on the same problems: one thread,\n"
          "processor time, every answer judged by perp_certify.\n"
          "  --table LIST   these tables only; all of them take some minutes\n"
          "  --list         name the tables and the solvers in them, and stop\n"
          "  --sizes LIST   numbers of unknowns, growing, instead of the table's\n"
          "  --repeats N    runs of each solver on each problem, 1 to 500 (quick ones get more,\n"
          "                 slow ones stop after 5 seconds)\n"
          "  --seeds N      problems of each size, instead of the table's\n"
          "  --problems FILE,...  these problem files by the solvers of their kind, and no table;\n"
          "                 at most 16, each with a / in its path\n"
          "  --tol TOL      to reach on these files [1e-8]\n"
          "  --csv FILE     a row per run: " BENCH_CSV,
          out);
    if (*missing_peers())
        fprintf(out, "Built without these libraries, whose solvers are left out:%s\n",
                missing_peers());
}

static void list_tables(void)
{
    for (const table *t = tables; t->name; t++) {
        printf("%-9s %s\n", t->name, t->about);
        if (t->sizes[0]) printf("          n =");
        for (int s = 0; s < MOST_SIZES && t->sizes[s]; s++) printf(" %d", t->sizes[s]);
        if (t->sizes[0]) putchar('\n');
        if (t->contenders[0]) printf("         ");
        for (int k = 0; k < MOST_CONTENDERS && t->contenders[k]; k++)
            printf("%s %s", k ? "," : "", t->contenders[k]);
        if (t->contenders[0]) putchar('\n');
    }
}

/* Is the name in the list, "dense,dantzig"? */
static bool is_in(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length) {
        bool starts = at == list || at[-1] == ',';
        if (starts && (at[length] == 0 || at[length] == ',')) return true;
    }
    return false;
}

/* Every name in the list is a table's. */
static bool knows(const char *list)
{
    int wanted = 1, found = 0;
    for (const char *at = list; *at; at++) wanted += *at == ',';
    for (const table *t = tables; t->name; t++) found += is_in(list, t->name);
    return wanted == found;
}

/* ---- all of it ---- */

static bool run_grid(bench *b)
{
    bool good = find_contenders(b), tolerances = b->table->tols[0] > 0;
    if (good) print_heading(b);
    for (int f = 0; good && f < b->names; f++) {
        for (int k = 0; k < b->contenders; k++) b->entries[k].slow = false;
        for (int s = 0; good && s < b->count; s++) {
            b->tol = tolerances ? b->table->tols[s] : b->table->tol;
            good = run_cell(b, b->name[f], b->sizes[s]);
            if (good) print_cell(b, f, s);
        }
    }
    if (good && b->table->comparisons[0].who)
        print_comparisons(b);
    else if (good)
        print_means(b);
    return good;
}

static bool run_table(bench *b, const table *t, const command *c)
{
    table own = *t;
    perp_mark mark = perp_arena_mark(&b->data);
    if (c->seeds) own.seeds = c->seeds;
    if (c->tol > 0) own.tol = c->tol;
    char *file = t == &file_table ? strtok(c->problems, ",") : NULL;
    for (int k = 0; file && k < MOST_FAMILIES; k++, file = strtok(NULL, ","))
        own.families[k] = file;
    b->table = &own;
    memset(b->sizes, 0, sizeof b->sizes);
    memcpy(b->sizes, c->count ? c->sizes : t->sizes, sizeof b->sizes);
    b->count = 0;
    while (b->count < MOST_SIZES && (b->sizes[b->count] || t->tols[b->count] > 0)) b->count++;
    b->names = 0;
    while (b->names < MOST_FAMILIES && own.families[b->names]) {
        b->name[b->names] = own.families[b->names];
        b->names++;
    }
    bool good = !t->stored || find_stored(b);
    good = good && (t->run ? t->run(b) : run_grid(b));
    perp_arena_release(&b->data, mark);
    return good;
}

static bool set_option(command *c, const char *name, char *value)
{
    if (strcmp(name, "--csv") == 0) return *(c->csv = value);
    if (strcmp(name, "--problems") == 0) return *(c->problems = value);
    if (strcmp(name, "--tol") == 0) return (c->tol = strtod(value, NULL)) > 0;
    if (strcmp(name, "--table") == 0) return knows(c->names = value);
    if (strcmp(name, "--sizes") == 0)
        return (c->count = parse_sizes(value, MOST_SIZES, 1000000, c->sizes)) > 0;
    if (strcmp(name, "--repeats") == 0) return parse_sizes(value, 1, MOST_RUNS, &c->repeats) == 1;
    if (strcmp(name, "--seeds") == 0) return parse_sizes(value, 1, MOST_RUNS, &c->seeds) == 1;
    return false;
}

/* 0: run; otherwise the exit status + 1. */
static int read_arguments(command *c, int argc, char **argv)
{
    char none[] = "";
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0) {
            usage(stdout);
            return 1;
        }
        if (strcmp(argv[i], "--list") == 0) {
            list_tables();
            return 1;
        }
        if (!set_option(c, argv[i], i + 1 < argc ? argv[i + 1] : none)) {
            fprintf(stderr, "bench: %s: not an option, or its value is missing or wrong\n",
                    argv[i]);
            usage(stderr);
            return 3;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static bench b;
    command c = {.repeats = 5};
    int end = read_arguments(&c, argc, argv);
    if (end) return end - 1;
    use_one_thread(argv);
    b.repeats = c.repeats;
    if (c.csv && !(b.csv = csv_open(c.csv, BENCH_CSV))) return 2;
    if (!prepare_runs(&b)) return 2;
    fprintf(b.out, "BLAS kernels: %s\n", blas_kernels());
    bool ran = true;
    if (c.problems) ran = run_table(&b, &file_table, &c);
    for (const table *t = tables; ran && !c.problems && t->name; t++) {
        if (!c.names || is_in(c.names, t->name)) ran = run_table(&b, t, &c);
    }
    if (!ran) fputs("bench: a problem could not be made, or out of memory\n", b.out);
    bool written = csv_close(b.csv, c.csv);
    written = fclose(b.out) == 0 && written;
    perp_arena_free(&b.data);
    perp_arena_free(&b.work);
    return ran && written ? 0 : 2;
}
