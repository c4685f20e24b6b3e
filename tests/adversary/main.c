/* tests/adversary/main.c: adversary --seed S --from K --count N: random problems of all kinds
 * through the API, against exact arithmetic. docs/trust.md tells what is tried and how it is
 * judged. Exit status 1: a verdict is wrong; 2: the run failed. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: adversary [option value]...\n"
    "  --seed S         of the problems (1)\n"
    "  --from K         the first problem (0)\n"
    "  --count N        how many (1000); those of other kinds count too\n"
    "  --kind KIND      lcp mcp mcp_follows ncp nnls qp fc3d fc3d_body mcp_callback ncp_callback "
    "cone\n"
    "  --only SOLVER    where it is the auto or drawn; others are left out\n"
    "  --lp N           hold one of N claims of infeasibility against an exact linear program "
    "(10)\n"
    "  --state FILE     write the counts to it now and then; go on from there if it exists\n"
    "  --files DIR      write wrong cases there, and their list, faults.txt\n"
    "  --keep N         at most so many for each fault of a solver (5)\n"
    "  --json FILE      write the counts\n"
    "  --verbose        print every wrong case\n"
    "  --no-fork        solve in this process, for a debugger\n"
    "  --markdown STATE print the tables of a state file, and do nothing else\n";

static bool number(const char *text, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return *text != 0 && *end == 0 && *value >= 0;
}

static bool set_word(settings *o, const char *name, const char *value)
{
    if (strcmp(name, "--only") == 0)
        o->only = value;
    else if (strcmp(name, "--state") == 0)
        o->state = value;
    else if (strcmp(name, "--json") == 0)
        o->json = value;
    else if (strcmp(name, "--files") == 0)
        o->files = value;
    else
        return false;
    return true;
}

static bool set_number(settings *o, const char *name, long value)
{
    if (strcmp(name, "--seed") == 0)
        o->seed = (uint64_t)value;
    else if (strcmp(name, "--from") == 0)
        o->from = value;
    else if (strcmp(name, "--count") == 0)
        o->count = value;
    else if (strcmp(name, "--lp") == 0)
        o->programs = (int)value;
    else if (strcmp(name, "--keep") == 0)
        o->keep = value;
    else
        return false;
    return true;
}

static bool set_option(settings *o, const char *name, const char *value)
{
    long x;
    if (strcmp(name, "--kind") == 0) {
        o->kind = variant_find(value);
        return o->kind != VARIANTS;
    }
    return set_word(o, name, value) || (number(value, &x) && set_number(o, name, x));
}

static bool read_options(int argc, char **argv, settings *o)
{
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--verbose") == 0)
            o->verbose = true;
        else if (strcmp(argv[k], "--no-fork") == 0)
            o->fork = false;
        else if (k + 1 >= argc || !set_option(o, argv[k], argv[k + 1]))
            return false;
        else
            k++;
    }
    return true;
}

static int fail(const char *before, const char *what)
{
    fprintf(stderr, "adversary: %s%s\n", before, what);
    return 2;
}

static int print_markdown(const char *state)
{
    static tally t;
    settings o = {.state = state};
    if (!state_read(&o, &t)) return fail("no state: ", state);
    table_markdown(&o, &t);
    return 0;
}

/* Libraries start threads for BLAS when they are loaded: small problems do not need any. */
static void without_threads(char **argv)
{
    if (getenv("OPENBLAS_NUM_THREADS")) return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
}

/* Go on from the state file; one of another run or build is moved out of the way. */
static bool open_state(const settings *o, tally *t)
{
    char old[600];
    if (state_load(o, t)) {
        printf("%s: going on from problem %ld\n", o->state, t->next);
        return true;
    }
    *t = (tally){.next = o->from};
    if (o->files) {
        snprintf(old, sizeof old, "%s/faults.txt", o->files);
        remove(old);
    }
    if (!o->state || access(o->state, F_OK) != 0) return true;
    snprintf(old, sizeof old, "%s.old", o->state);
    fprintf(stderr, "%s is of another run or build and becomes %s\n", o->state, old);
    return rename(o->state, old) == 0;
}

int main(int argc, char **argv)
{
    static tally t;
    settings o = {.seed = 1, .count = 1000, .kind = VARIANTS, .programs = 10, .keep = 5};
    o.fork = true;
    without_threads(argv);
    if (argc == 3 && strcmp(argv[1], "--markdown") == 0) return print_markdown(argv[2]);
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!read_options(argc, argv, &o)) return fail("", usage);
    if (!open_state(&o, &t)) return 2;
    if (o.files && mkdir(o.files, 0777) != 0 && access(o.files, W_OK) != 0) {
        return fail("cannot write to ", o.files);
    }
    if (!run_all(&o, &t)) return fail("the run cannot go on", "");
    table_text(&t);
    if (o.json && !table_json(&o, &t)) return fail("cannot write ", o.json);
    long faults = tally_faults(&t, -1, -1);
    printf("%ld problems, %ld solves, %ld wrong\n", t.next - o.from,
           tally_sum(&t, -1, -1, C_SOLVES), faults);
    return faults > 0;
}
