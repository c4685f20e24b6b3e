/* cli/solve.c: perp solve: problem files in, certified results out.
 *
 * What is printed is the certificate's word, measured anew from the file's data. */
#include "columns.h"
#include "commands.h"
#include "interrupt.h"
#include "io/io.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct solve_options {
    const char *solver, *start, *output, *kind, *layout;
    cli_list parts;
    double tol, max_seconds; /* NAN: the solver's own default */
    int max_iter, threads;   /* -1: the same */
    bool verbose, quiet, json, csv, solution;
} solve_options;

/* ---- progress ---- */

typedef struct watch {
    cli *c;
    const cli_interrupt *interrupt;
    bool verbose;  /* lines for good; */
    bool terminal; /* one line, written over, unless nothing is to be shown */
    bool shown;
    double next;     /* seconds: nothing is printed before */
    double residual; /* last printed */
} watch;

static void print_progress(FILE *err, const perp_progress *p)
{
    fprintf(err, "%9d  %9.3f s  estimate %10.3e  certified %10.3e  %s", p->iteration, p->seconds,
            p->estimate, p->residual, p->solver ? p->solver : "");
}

/* A line whenever a better certificate was measured, and at least every second. */
static void print_line(watch *w, const perp_progress *p)
{
    if (p->seconds < w->next && p->residual >= w->residual) return;
    w->residual = p->residual;
    w->next = p->seconds + 1;
    print_progress(w->c->err, p);
    fputc('\n', w->c->err);
}

static void print_over(watch *w, const perp_progress *p)
{
    if (p->seconds < w->next) return;
    w->shown = true;
    w->next = p->seconds + 0.1;
    fputc('\r', w->c->err);
    print_progress(w->c->err, p);
    fputs("\033[K", w->c->err);
    fflush(w->c->err);
}

static bool monitor(void *ctx, const perp_progress *p)
{
    watch *w = ctx;
    if (w->verbose)
        print_line(w, p);
    else if (w->terminal)
        print_over(w, p);
    return !cli_interrupt_came(w->interrupt);
}

static void watch_begin(watch *w, cli *c, const solve_options *s, const cli_interrupt *interrupt,
                        perp_options *o)
{
    int fd = fileno(c->err);
    *w = (watch){.c = c,
                 .interrupt = interrupt,
                 .verbose = s->verbose,
                 .terminal = !s->quiet && fd >= 0 && isatty(fd),
                 .residual = INFINITY,
                 .next = s->verbose ? 0 : 0.5};
    o->monitor = monitor;
    o->monitor_ctx = w;
}

static void watch_end(watch *w)
{
    if (w->shown) fputs("\r\033[K", w->c->err);
}

/* ---- one problem ---- */

/* The start that --start names, in z. False: refused. */
static bool load_start(cli *c, const char *start, const char *path, const perp_file *file,
                       double *z)
{
    int n = perp_size(&file->problem), length = n;
    const double *from = NULL;
    perp_error e = {.status = PERP_SOLVED};
    if (strcmp(start, "guess") == 0) {
        if (!file->guesses) {
            cli_fail(c, "%s: no guess is stored in it", path);
            return false;
        }
        from = file->guess[0];
    } else if (perp_load_vector(start, &c->arena, &length, &from, &e)) {
        cli_fail_file(c, start, &e);
        return false;
    }
    if (length != n) {
        cli_fail(c, "%s: expected %d numbers, found %d", start, n, length);
        return false;
    }
    if (n) memcpy(z, from, (size_t)n * sizeof *z);
    return true;
}

static perp_options *choose_options(cli *c, const solve_options *s, perp_kind kind)
{
    perp_options *o = cli_solver(c, s->solver, kind);
    if (!o) return NULL;
    if (!isnan(s->tol)) o->tol = s->tol;
    if (!isnan(s->max_seconds)) o->max_seconds = s->max_seconds;
    if (s->max_iter >= 0) o->max_iter = s->max_iter;
    if (s->threads > 0) o->threads = s->threads;
    if (s->start) o->warm_start = true;
    return o;
}

/* ---- output ---- */

static void print_solved(cli *c, const solve_options *o, const cli_solved *s)
{
    /* standard output belongs to z when that goes there */
    FILE *out = o->output && strcmp(o->output, "-") == 0 ? c->err : c->out;
    if (o->quiet) return;
    if (o->json)
        cli_solved_json(out, s);
    else if (o->csv)
        cli_solved_csv(out, s);
    else
        cli_solved_text(c, out, s);
}

/* ---- the command ---- */

/* A solver that gives up on good data is not solved; one that cannot read it is a wrong call. */
static int exit_status(perp_status s)
{
    if (s == PERP_SOLVED) return CLI_DONE;
    return s > 0 || s == PERP_E_NUMBER || s == PERP_E_MEMORY ? CLI_UNSOLVED : CLI_WRONG;
}

static bool has_proof(perp_status s)
{
    return s == PERP_RAY || s == PERP_INFEASIBLE || s == PERP_UNBOUNDED;
}

/* What can be said about the problem before it is solved. */
static cli_solved describe(const perp_file *file, const char *path, const perp_options *options)
{
    const perp_problem *p = &file->problem;
    return (cli_solved){.problem = p->name,
                        .path = path,
                        .kind = perp_kind_name(p->kind),
                        .n = perp_size(p),
                        .residual_version = PERP_RESIDUAL_VERSION,
                        .solver = perp_solver_name(options),
                        .tol = options->tol};
}

/* The rest, from s->result; w is the slack that perp_solve returned. */
static void complete(const solve_options *o, const perp_file *file, const double *w, cli_solved *s)
{
    perp_status status = s->result.status;
    s->status = perp_status_name(status);
    s->detail = s->result.detail;
    s->solution = o->solution;
    if (has_proof(status)) s->proof = w; /* as perp_solve says */
    if (status >= 0) s->output = o->output;
    if (s->output) s->written = s->proof ? "proof" : "z";
    if (exit_status(status) == CLI_WRONG) return; /* the data may be unsound */
    s->has_objective = cli_objective(file, &s->result, &s->objective);
    s->has_distance = cli_distance(file, &s->result, &s->distance);
}

/* perp_solve with a monitor; returns the number of a signal that came meanwhile, 0: none. The start
 * is in z, where the solution goes. */
static int solve_watched(cli *c, const solve_options *o, const perp_problem *p,
                         perp_options *options, double *z, double *slack, perp_result *result)
{
    cli_interrupt interrupt;
    watch w;
    cli_interrupt_begin(&interrupt);
    watch_begin(&w, c, o, &interrupt, options);
    perp_solve(p, options, &c->arena, z, slack, result);
    watch_end(&w);
    int signal = cli_interrupt_came(&interrupt);
    if (signal && result->status == PERP_CANCELLED)
        snprintf(result->detail, sizeof result->detail,
                 "interrupted by signal %d; z is the best iterate so far", signal);
    cli_interrupt_end(&interrupt);
    return signal;
}

/* Write z or the proof, and print the rest. */
static int finish_file(cli *c, const solve_options *o, const char *path, const cli_solved *s)
{
    perp_error e = {.status = PERP_SOLVED};
    if (s->output &&
        perp_write_vector(s->output, s->status, s->n, s->proof ? s->proof : s->z, &e)) {
        return cli_fail_file(c, strcmp(o->output, "-") ? o->output : "standard output", &e);
    }
    int status = exit_status(s->result.status);
    if (status == CLI_WRONG) return cli_fail(c, "%s: %s", path, s->result.detail);
    print_solved(c, o, s);
    return status;
}

/* A FILE, or the problem of all parts where path is NULL. */
static int solve_file(cli *c, const solve_options *o, const char *path)
{
    perp_file file;
    bool loaded = path ? cli_load(c, path, o->kind, o->layout, &file)
                       : cli_assemble(c, &o->parts, o->kind, &file);
    if (!loaded) return CLI_WRONG;
    if (!path) path = file.problem.name;
    perp_options *options = choose_options(c, o, file.problem.kind);
    if (!options) return CLI_WRONG;
    int n = perp_size(&file.problem);
    double *z = perp_alloc(&c->arena, (size_t)n + 1, sizeof *z);
    double *slack = perp_alloc(&c->arena, (size_t)n + 1, sizeof *slack);
    if (!z || !slack) return cli_fail(c, "%s: out of memory", path);
    if (o->start && !load_start(c, o->start, path, &file, z)) return CLI_WRONG;

    cli_solved s = describe(&file, path, options);
    s.z = z;
    cli_solutions_begin(&s.solutions, n, options);
    int signal = solve_watched(c, o, &file.problem, options, z, slack, &s.result);
    complete(o, &file, slack, &s);
    int status = finish_file(c, o, path, &s);
    cli_solutions_end(&s.solutions);
    return signal && status != CLI_WRONG ? CLI_SIGNALLED + signal : status;
}

/* What contradicts itself in the call. NULL: nothing. */
static const char *find_contradiction(const solve_options *o, int count)
{
    if (!count && !o->parts.count)
        return "expected FILE..., or parts of a problem such as --M and --q; see 'perp solve "
               "--help'";
    if (count && o->parts.count)
        return o->quiet ? "a FILE and parts of a problem exclude each other; -q is --quiet, a part "
                          "has two dashes: --q"
                        : "a FILE and parts of a problem exclude each other";
    if (o->output && count > 1) return "-o takes the solution of one FILE only";
    if (o->json && o->csv) return "--json and --csv exclude each other";
    if (o->quiet && (o->verbose || o->json || o->csv || o->solution))
        return "--quiet prints nothing: it excludes --verbose, --json, --csv and --solution";
    return NULL;
}

static int run_solve(cli *c, const void *options, int count, const char *const *operand)
{
    const solve_options *o = options;
    const char *wrong = find_contradiction(o, count);
    if (wrong) return cli_fail(c, "%s", wrong);
    if (strchr(o->solver, '/') && !cli_solver_named(c, o->solver)) return CLI_WRONG;
    if (o->csv) cli_columns_header(c->out, CLI_SOLVE_CSV);
    int worst = CLI_DONE;
    cli_blas_threads(o->threads);
    if (!count) return solve_file(c, o, NULL);
    for (int k = 0; k < count; k++) {
        perp_mark mark = perp_arena_mark(&c->arena);
        int status = solve_file(c, o, operand[k]);
        perp_arena_release(&c->arena, mark);
        if (status > worst) worst = status;
        if (status > CLI_SIGNALLED) break; /* who interrupts one wants no other */
        if (k + 1 < count && !o->json && !o->csv && !o->quiet) fputc('\n', c->out);
    }
    return worst;
}

#define FIELD(name) offsetof(solve_options, name)

static const cli_option rows[] = {
    {.name = "solver",
     .letter = 's',
     .type = CLI_TEXT,
     .offset = FIELD(solver),
     .argument = "SOLVER",
     .help = "a solver, with options: lcp/psor:omega=1.4,symmetric=1; see 'perp list'"},
    {.name = "tol",
     .letter = 't',
     .type = CLI_REAL,
     .offset = FIELD(tol),
     .argument = "TOL",
     .max = INFINITY,
     .help = "certified residual to reach; the solver has a default"},
    {.name = "max-iter",
     .letter = 'm',
     .type = CLI_INT,
     .offset = FIELD(max_iter),
     .argument = "N",
     .max = INT_MAX,
     .help = "iterations, sweeps or pivots at most; the solver has a default"},
    {.name = "max-seconds",
     .letter = 'T',
     .type = CLI_REAL,
     .offset = FIELD(max_seconds),
     .argument = "S",
     .max = INFINITY,
     .help = "time limit, 0 for none"},
    {.name = "start",
     .type = CLI_TEXT,
     .offset = FIELD(start),
     .argument = "FILE",
     .help = "start from the vector in FILE, or from the first one stored with the problem: guess"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .offset = FIELD(output),
     .argument = "FILE",
     .help = "write z to FILE, or the proof of ray, infeasible or unbounded; '-' for standard "
             "output, the rest then goes to standard error"},
    {.name = CLI_PART_OPTION,
     .type = CLI_LIST,
     .offset = FIELD(parts),
     .argument = "NAME=FILE",
     .help = "a matrix (Matrix Market) or vector of the problem in place of a FILE; --M FILE is "
             "short for it"},
    {.name = "kind",
     .letter = 'k',
     .type = CLI_TEXT,
     .offset = FIELD(kind),
     .argument = "KIND",
     .help = "what FILE holds, where its content can be read in two ways"},
    CLI_LAYOUT(FIELD(layout), "FILE"),
    {.name = "threads",
     .letter = 'j',
     .type = CLI_INT,
     .offset = FIELD(threads),
     .argument = "N",
     .min = 1,
     .max = 1024,
     .help = "threads, where the solver or OpenBLAS can use several; one otherwise"},
    {.name = "solution",
     .letter = 'z',
     .type = CLI_FLAG,
     .offset = FIELD(solution),
     .help = "print z too, and the proof where there is one"},
    {.name = "json",
     .type = CLI_FLAG,
     .offset = FIELD(json),
     .help = "one JSON object a line for each FILE; numbers that are not finite are null"},
    {.name = "csv",
     .type = CLI_FLAG,
     .offset = FIELD(csv),
     .help = "comma-separated values, a row for each FILE"},
    {.name = "verbose",
     .letter = 'v',
     .type = CLI_FLAG,
     .offset = FIELD(verbose),
     .help = "print the progress to standard error"},
    {.name = "quiet",
     .letter = 'q',
     .type = CLI_FLAG,
     .offset = FIELD(quiet),
     .help = "print nothing but errors: the exit status tells"},
    {.name = NULL},
};

static const solve_options defaults = {
    .solver = "auto", .tol = NAN, .max_seconds = NAN, .max_iter = -1, .threads = -1};

const cli_command cli_solve_command = {
    .name = "solve",
    .summary = "solve problems and print what was certified",
    .operands = "FILE... | --M FILE --q FILE ...",
    .about =
        "Format and kind of a FILE are found from its content. The status is 'solved' when "
        "the residual, measured anew from the data and the returned z, is within the "
        "tolerance; otherwise it says why not, and z is the best certified iterate.\n\n"
        "In place of a FILE, the parts of a problem may be in files of their own: --M M.mtx --q "
        "q.mtx is an lcp, with --lo or --hi an mcp; --A and --b are an nnls, --H, --c, --A, --lo "
        "and --hi a qp. The names are the keywords of perp's text format.\n\n"
        "A solver is named with its kind (lcp/psor), or without it when it is to follow the "
        "FILE's (psor, auto).\n\n"
        "A status of ray, infeasible or unbounded comes with a vector that proves it: --output "
        "writes it in place of z, and 'perp certify --claim' checks it.\n\n"
        "The exit status is 0 when all are solved, 1 when one is not, 2 when a FILE cannot be "
        "read or the call is wrong; the other FILEs are solved all the same. Ctrl-C and SIGTERM "
        "end "
        "the solve under way: the best iterate so far is printed, with the status cancelled, and "
        "the "
        "exit status is 130 or 143, 128 more than the signal's number. A second one ends perp at "
        "once.",
    .fields =
        "Fields of --json, in this order; a star marks the columns of --csv. A field that does "
        "not apply is left out:",
    .columns = CLI_SOLVE_JSON,
    .starred = CLI_SOLVE_CSV,
    .examples = "perp solve a.dat|the kind's auto\n"
                "perp solve -s lcp/psor:omega=1.4 -t 1e-6 a.dat|one solver\n"
                "perp solve --json *.dat|for programs\n"
                "perp solve --M M.mtx --q q.mtx|a problem in Matrix Market files\n"
                "perp solve -o - a.dat | perp certify a.dat -|judge it again\n"
                "perp solve -o y.txt none.qps|the proof that there is no solution\n"
                "perp solve -z -s lcp/enumerate:all=1 a.perp|all solutions of a small lcp",
    .options = rows,
    .least = 0,
    .most = -1,
    .size = sizeof(solve_options),
    .defaults = &defaults,
    .run = run_solve,
};
