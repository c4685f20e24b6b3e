/* cli/worker.c: one run of a comparison, in a process of its own, and what its parent makes of it.
 *
 *     perp worker -- probe FILE KIND
 *     perp worker -- run FILE KIND SOLVER TOL REPEATS TIMEOUT HISTORY
 *
 * An empty KIND, TOL or HISTORY: found, the solver's own, none. The answer is one row of CSV after
 * a record separator, so that whatever a library prints before does not matter. The first solve
 * makes the row; further ones, of problems solved or proved to have no solution, only measure time.
 * A solver that ignores max_seconds is ended by an alarm, which nobody handles.
 *
 * For tests only: PERP_TEST_FAULT=WHAT@SOLVER[@PROBLEM] makes runs of solvers whose name begins so,
 * on problems whose path contains that, go wrong on purpose; WHAT is segfault, loop or memory. */
#include "compare.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#define MARK '\x1e'
#define POINTS 1200 /* of a history: enough for INT_MAX iterations, */
#define SPREAD 60   /* of which the first so many are kept, then one for this part more */
#define REPEATS 1000
#define GRACE                                                                                      \
    0.25           /* seconds after max_seconds for the iteration and the certificate under way,   \
                    */
#define SLACK 1.25 /* and this times the limit */

/* ---- a history: dense at the start, then by a constant ratio, as a logarithmic axis shows it ----
 */

typedef struct point {
    int iteration;
    double seconds, residual, estimate, merit;
} point;

typedef struct history {
    int count, next; /* the iteration to be kept next */
    point at[POINTS];
} history;

static void keep_point(history *h, point p)
{
    if (h->count == POINTS) h->count--; /* a method that counts anew: the last one matters */
    h->at[h->count++] = p;
}

static bool watch(void *ctx, const perp_progress *p)
{
    history *h = ctx;
    if (p->iteration < h->next) return true;
    keep_point(h, (point){p->iteration, p->seconds, p->residual, p->estimate, p->merit});
    h->next = p->iteration < INT_MAX / 2 ? p->iteration + 1 + p->iteration / SPREAD : INT_MAX;
    return true;
}

static void print_figure(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, ",%.6g", x);
    else
        fputc(',', out);
}

/* The row matters more: whether this succeeds makes no difference to it. */
static void save_history(cli *c, const history *h, const char *path)
{
    cli_sink s;
    if (!cli_sink_open(c, path, &s)) return;
    fputs("iteration,seconds,residual,estimate,merit\n", s.file);
    for (int k = 0; k < h->count; k++) {
        fprintf(s.file, "%d", h->at[k].iteration);
        print_figure(s.file, h->at[k].seconds);
        print_figure(s.file, h->at[k].residual);
        print_figure(s.file, h->at[k].estimate);
        print_figure(s.file, h->at[k].merit);
        fputc('\n', s.file);
    }
    cli_sink_close(c, &s);
}

/* ---- the run ---- */

/* 0: no more. The signal's default action ends the process. */
static void set_alarm(double seconds)
{
    struct itimerval t = {.it_value = {.tv_sec = (time_t)seconds}};
    t.it_value.tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6);
    setitimer(ITIMER_REAL, &t, NULL);
}

static bool load(cli *c, const char *path, const char *kind, const char *layout, perp_file *file,
                 cli_row *row)
{
    perp_load_options o = {.format = PERP_FILE_ANY};
    perp_error e = {.status = PERP_SOLVED};
    if (*kind && !cli_kind(c, kind, &o.kind)) return false;
    o.has_kind = *kind;
    o.layout = *layout ? layout : NULL;
    if (perp_load_file(path, &o, &c->arena, file, &e)) {
        char *text = perp_alloc(&c->arena, sizeof e.text + 32, 1);
        if (text && e.line)
            snprintf(text, sizeof e.text + 32, "line %d: %s", e.line, e.text);
        else if (text)
            snprintf(text, sizeof e.text, "%s", e.text);
        row->status = perp_status_name(e.status);
        row->detail = text ? text : "";
        return false;
    }
    row->kind = perp_kind_name(file->problem.kind);
    row->n = perp_size(&file->problem);
    row->status = "solved";
    return true;
}

static void eat_memory(cli *c)
{
    const size_t block = (size_t)1 << 26; /* untouched: the limit is on addresses */
    for (int k = 0; k < 1024 && perp_alloc_unset(&c->arena, block, 1); k++) {
    }
}

/* True: the run is over, with the row filled. */
static bool fault(cli *c, const char *path, const char *solver, cli_row *row)
{
    const char *what = getenv("PERP_TEST_FAULT"), *where = what ? strchr(what, '@') : NULL;
    if (!where) return false;
    const char *problem = strchr(where + 1, '@');
    size_t length = problem ? (size_t)(problem - where - 1) : strlen(where + 1);
    if (strncmp(solver, where + 1, length) != 0) return false;
    if (problem && !strstr(path, problem + 1)) return false;
    if (strncmp(what, "segfault", 8) == 0) raise(SIGSEGV);
    if (strncmp(what, "loop", 4) == 0) {
        for (volatile int turning = 1; turning;) {
        }
    }
    eat_memory(c);
    row->status = perp_status_name(PERP_E_MEMORY);
    row->detail = "all of it was asked for, on purpose";
    return true;
}

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void fill_row(cli *c, const perp_result *r, cli_row *row)
{
    char *detail = perp_alloc(&c->arena, sizeof r->detail, 1);
    if (detail) memcpy(detail, r->detail, sizeof r->detail);
    row->status = perp_status_name(r->status);
    row->residual = r->residual.value;
    row->iterations = r->iterations;
    row->certificates = r->certificates;
    row->solved_by = r->solver ? r->solver : "";
    row->detail = detail ? detail : "";
}

typedef struct order {
    perp_options *options;
    int repeats;
    double timeout;
    const char *history;
} order;

/* The start counts as a point: a pivoting method certifies nothing before its end. */
static void start_history(cli *c, const perp_problem *p, const double *z, history *h)
{
    perp_residual r;
    if (perp_certify(p, z, &c->arena, &r) == PERP_SOLVED)
        keep_point(h, (point){0, 0, r.value, INFINITY, NAN});
}

static void run_solves(cli *c, const perp_problem *p, const order *o, cli_row *row)
{
    double *z = perp_alloc(&c->arena, (size_t)perp_size(p), sizeof *z);
    double *seconds = perp_alloc(&c->arena, (size_t)o->repeats, sizeof *seconds);
    history *h = perp_alloc(&c->arena, 1, sizeof *h);
    if (!z || !seconds || !h) {
        row->status = perp_status_name(PERP_E_MEMORY);
        return;
    }
    if (*o->history) start_history(c, p, z, h);
    int done = 0;
    perp_status status = PERP_SOLVED;
    for (; done < o->repeats && cli_is_done(perp_status_name(status)); done++) {
        perp_result r;
        o->options->monitor = *o->history && done == 0 ? watch : NULL;
        o->options->monitor_ctx = h;
        set_alarm(o->timeout * SLACK + GRACE);
        status = perp_solve(p, o->options, &c->arena, z, NULL, &r);
        set_alarm(0);
        seconds[done] = r.seconds;
        if (done > 0) continue;
        fill_row(c, &r, row);
        if (*o->history && status >= 0)
            keep_point(h, (point){r.iterations, r.seconds, r.residual.value, INFINITY, NAN});
    }
    qsort(seconds, (size_t)done, sizeof *seconds, compare_reals);
    row->repeats = done;
    row->seconds = seconds[0];
    row->median = (seconds[done / 2] + seconds[(done - 1) / 2]) / 2;
    if (*o->history) save_history(c, h, o->history);
}

static int answer(cli *c, const cli_row *row)
{
    fputc(MARK, c->out);
    cli_row_print(c->out, row);
    return CLI_DONE;
}

static int run_worker(cli *c, const void *none, int count, const char *const *operand)
{
    (void)none;
    cli_rows rows = {0};
    cli_row *row = cli_rows_add(&c->arena, &rows);
    bool probe = count == 4 && strcmp(operand[0], "probe") == 0;
    if (!row || (!probe && count != 9)) return cli_fail(c, "this command is for perp compare");
    perp_file file;
    row->problem = operand[1];
    row->solver = probe ? "-" : operand[4];
    row->status = "bad_argument";
    if (!load(c, operand[1], operand[2], operand[3], &file, row) || probe) return answer(c, row);

    order o = {.repeats = atoi(operand[6]), .timeout = atof(operand[7]), .history = operand[8]};
    o.options = cli_solver(c, operand[4], file.problem.kind);
    if (!o.options || o.repeats < 1 || o.repeats > REPEATS) return CLI_WRONG;
    if (*operand[5]) o.options->tol = atof(operand[5]);
    if (o.options->max_seconds == 0) o.options->max_seconds = o.timeout;
    set_alarm(o.timeout * SLACK + GRACE); /* a fault on purpose counts as a solve */
    if (!fault(c, operand[1], operand[4], row)) run_solves(c, &file.problem, &o, row);
    return answer(c, row);
}

const cli_command cli_worker_command = {
    .name = "worker",
    .summary = "one run of perp compare",
    .operands = "OPERAND...",
    .about = "For perp compare alone.",
    .least = 4,
    .most = 9,
    .hidden = true,
    .run = run_worker,
};

/* ---- the parent's side ---- */

static const char *describe(cli *c, int wait)
{
    if (WIFSIGNALED(wait) && WTERMSIG(wait) == SIGALRM)
        return "the process was ended: it did not stop at its time limit";
    if (WIFSIGNALED(wait) && WTERMSIG(wait) == SIGKILL)
        return "killed from outside; the machine's memory may have run out";
    if (WIFEXITED(wait) && WEXITSTATUS(wait) == 127)
        return "perp could not be started once more; is the limit on memory too low?";
    char *text = perp_alloc(&c->arena, 160, 1);
    if (!text) return "";
    if (WIFSIGNALED(wait))
        snprintf(text, 160, "ended by signal %d, %s", WTERMSIG(wait), strsignal(WTERMSIG(wait)));
    else
        snprintf(text, 160, "ended with exit status %d and no result", WEXITSTATUS(wait));
    return text;
}

void cli_worker_read(cli *c, int wait, char *text, size_t length, cli_row *row)
{
    char *mark = NULL;
    for (size_t k = 0; k < length; k++) {
        if (text[k] == MARK) mark = text + k + 1;
    }
    cli_row told;
    if (WIFEXITED(wait) && WEXITSTATUS(wait) == 0 && mark &&
        cli_row_read(&c->arena, mark, (size_t)(text + length - mark), &told)) {
        told.problem = row->problem;
        told.solver = row->solver;
        told.run = row->run;
        told.jobs = row->jobs;
        if (!isnan(row->tol)) told.tol = row->tol;
        told.machine = row->machine;
        told.version = row->version;
        told.residual_version = row->residual_version;
        if (strcmp(told.status, perp_status_name(PERP_E_MEMORY)) == 0) told.status = "memory";
        *row = told;
        return;
    }
    bool timeout = WIFSIGNALED(wait) && WTERMSIG(wait) == SIGALRM;
    row->status = timeout ? "timeout" : "crashed";
    row->detail = describe(c, wait);
}
