/* cli/compare.c: perp compare: problems x solvers x tolerances, each run in a process of its own.
 *
 * This file is the command's face: options, and which of the three jobs is meant (run, --merge,
 * --from). */
#include "compare.h"
#include "commands.h"
#include "lock.h"

#include <stdlib.h>
#include <string.h>

#define JOBS_MOST 1024

/* A name without its kind is one of those problems that have such a solver. */
static bool check_solvers(cli *c, const cli_list *solvers)
{
    for (int k = 0; k < solvers->count; k++) {
        const char *s = solvers->item[k];
        int kind = 0;
        while (kind < PERP_KINDS && !cli_has_solver(s, (perp_kind)kind)) kind++;
        if (!cli_solver(c, s, (perp_kind)(kind % PERP_KINDS))) return false;
    }
    return true;
}

static bool check_call(cli *c, const cli_comparison *o, int count)
{
    perp_kind kind;
    bool run = !o->merge && !o->from;
    if (o->merge && o->from) return !cli_fail(c, "--merge and --from exclude each other");
    if (o->merge && !o->csv) return !cli_fail(c, "--merge needs --csv FILE for the result");
    if (o->from && count) return !cli_fail(c, "--from takes no problems, it runs nothing");
    if (o->from && !o->report) return !cli_fail(c, "--from needs --report DIR");
    if (!run &&
        (o->resume || o->shard || o->solvers.count || o->tols.count || o->kind || o->layout))
        return !cli_fail(c,
                         "--merge and --from run nothing: -s, --tol, --kind, --layout, --shard and "
                         "--resume do not go with them");
    if (!o->from && !count)
        return !cli_fail(c, "there is no FILE to %s; see 'perp compare --help'",
                         run ? "solve" : "merge");
    if (o->resume && (!o->csv || cli_is_stream(o->csv)))
        return !cli_fail(c, "--resume needs the --csv FILE to go on with");
    if (o->kind && !cli_kind(c, o->kind, &kind)) return false;
    return check_solvers(c, &o->solvers);
}

/* A report without a --csv of its own keeps the rows beside the page. */
static const char *csv_beside(cli *c, const char *dir)
{
    size_t size = strlen(dir) + 13;
    char *path = perp_alloc(&c->arena, size, 1);
    if (path) snprintf(path, size, "%s/results.csv", dir);
    return path;
}

/* The CSV, the summary and the report. */
static int compare(cli *c, const cli_comparison *o, int count, const char *const *operand)
{
    cli_rows rows = {0};
    int status = CLI_DONE;
    if (o->merge) {
        if (!cli_rows_merge(c, count, operand, &rows)) return CLI_WRONG;
        if (!cli_rows_save(c, o->csv, &rows)) return CLI_WRONG;
    } else if (o->from) {
        if (!cli_rows_read(c, o->from, false, &rows)) return CLI_WRONG;
    } else {
        status = cli_compare_run(c, o, count, operand, &rows);
        if (!rows.count) return status;
    }
    bool to_stream = o->csv && strcmp(o->csv, "-") == 0;
    if (!to_stream && !o->quiet) cli_print_summary(c, &rows, c->out);
    if (!o->report) return status;
    if (!cli_report_write(c, &rows, o->report, o->merge || o->from)) return CLI_WRONG;
    if (o->quiet) return status;
    const char *link = cli_report_link(c, o->report);
    if (!link) return cli_fail(c, "out of memory");
    fprintf(to_stream ? c->err : c->out, "The report is complete; open it in a browser: %s\n",
            link);
    return status;
}

/* Two comparisons in one file would each replace what the other has written. */
static int run_compare(cli *c, const void *options, int count, const char *const *operand)
{
    cli_comparison o = *(const cli_comparison *)options;
    cli_lock lock = {.file = -1};
    if (o.report && !o.csv && !o.merge && !o.from) o.csv = csv_beside(c, o.report);
    if (!check_call(c, &o, count)) return CLI_WRONG;
    if (o.report && !cli_make_directory(c, o.report)) return CLI_WRONG;
    if (o.csv && !cli_is_stream(o.csv) && !cli_lock_take(c, o.csv, &lock)) return CLI_WRONG;
    int status = compare(c, &o, count, operand);
    cli_lock_release(&lock);
    return status;
}

static const cli_comparison defaults = {.timeout = 60, .megabytes = 4096, .jobs = 1, .repeats = 3};

#define AT(field) offsetof(cli_comparison, field)
static const cli_option rows[] = {
    {.name = "solver",
     .letter = 's',
     .type = CLI_LIST,
     .offset = AT(solvers),
     .argument = "SOLVER",
     .help = "a solver with its options, as in lcp/psor:omega=1.4; may be repeated; without it all "
             "solvers of the problem's kind"},
    {.name = "tol",
     .letter = 't',
     .type = CLI_LIST,
     .offset = AT(tols),
     .argument = "TOL",
     .help =
         "a tolerance; may be repeated; without it 1e-8; a solver's own tol=... goes before it"},
    {.name = "kind",
     .letter = 'k',
     .type = CLI_TEXT,
     .offset = AT(kind),
     .argument = "KIND",
     .help = "what ambiguous files hold"},
    CLI_LAYOUT(AT(layout), "FILE"),
    {.name = "timeout",
     .type = CLI_REAL,
     .offset = AT(timeout),
     .argument = "SECONDS",
     .min = 1e-3,
     .max = 1e7,
     .help = "time limit of a solve"},
    {.name = "memory",
     .type = CLI_INT,
     .offset = AT(megabytes),
     .argument = "MB",
     .min = 0,
     .max = 1e8,
     .help = "address space of a run; 0 is no limit"},
    {.name = "repeats",
     .letter = 'r',
     .type = CLI_INT,
     .offset = AT(repeats),
     .argument = "N",
     .min = 1,
     .max = 1000,
     .help = "solves of which the least and the median time are given"},
    {.name = "jobs",
     .letter = 'j',
     .type = CLI_INT,
     .offset = AT(jobs),
     .argument = "N",
     .min = 1,
     .max = JOBS_MOST,
     .help = "runs at a time; more than one disturbs the times"},
    {.name = "csv",
     .type = CLI_TEXT,
     .offset = AT(csv),
     .argument = "FILE",
     .help = "write the rows there as they finish; - is standard output"},
    {.name = "resume",
     .type = CLI_FLAG,
     .offset = AT(resume),
     .help = "keep the rows that the --csv file has, and make the others"},
    {.name = "shard",
     .type = CLI_TEXT,
     .offset = AT(shard),
     .argument = "I/N",
     .help = "make the runs of every N-th problem, from the I-th on, all solvers on one machine"},
    {.name = "merge",
     .type = CLI_FLAG,
     .offset = AT(merge),
     .help = "run nothing; put the FILEs, CSVs of shards, together into the --csv file"},
    {.name = "from",
     .type = CLI_TEXT,
     .offset = AT(from),
     .argument = "FILE",
     .help = "run nothing; make the report from this CSV"},
    {.name = "report",
     .type = CLI_TEXT,
     .offset = AT(report),
     .argument = "DIR",
     .help = "write DIR/index.html, a page with summary, profiles, histories and all rows"},
    {.name = "quiet",
     .letter = 'q',
     .type = CLI_FLAG,
     .offset = AT(quiet),
     .help = "neither progress nor summary: the rows, the report and errors alone"},
    {.name = NULL},
};

const cli_command cli_compare_command = {
    .name = "compare",
    .summary = "run solvers on problems, and report",
    .operands = "FILE|DIR...",
    .about =
        "Solves every problem with every solver at every tolerance and prints a summary. Of a "
        "directory, all files below it with a known ending are taken. Solvers that do not fit a "
        "problem's kind are left out for it.\n\n"
        "Each run is a process of its own, with one BLAS thread unless OPENBLAS_NUM_THREADS is "
        "set. What goes wrong there costs that run alone, and stands in its row as status: "
        "crashed (a signal, or no answer), timeout (it did not stop at its time limit), memory (it "
        "needed more than the limit). The other statuses are the solver's; solved always means "
        "that the certified residual is within the tolerance.\n\n"
        "But for the times, the same call gives the same CSV, whatever --jobs, also when it was "
        "sharded and merged, or interrupted and resumed.\n\n"
        "A row is in the --csv file as soon as its run has ended: Ctrl-C, or a kill, costs the "
        "runs "
        "under way. While a comparison writes the file it holds FILE.lock, and a second one on the "
        "same FILE is refused.\n\n"
        "The exit status is 0 when all runs were made, whatever their results; 1 after an "
        "interruption; 2 for a wrong call or a file that cannot be read.",
    .fields = "Columns of the CSV, in this order:",
    .columns = CLI_COMPARE_CSV,
    .examples =
        "perp compare -s lemke -s psor:omega=1.4 -t 1e-6 -t 1e-10 *.dat|two solvers, twice\n"
        "perp compare problems --csv all.csv --report out|all solvers, with a page\n"
        "perp compare problems --csv all.csv --resume|go on after an interruption\n"
        "perp compare problems --csv 2.csv --shard 2/4|a quarter, on one of four machines\n"
        "perp compare --merge [1-4].csv --csv all.csv|and together\n"
        "perp compare --from all.csv --report out|the page of an earlier comparison",
    .options = rows,
    .most = -1,
    .size = sizeof(cli_comparison),
    .defaults = &defaults,
    .run = run_compare,
};
