/* cli/compare_run.c: the runs of a comparison, from the plan to the rows of the CSV.
 *
 * A row is written with one write() when its run ends, whatever the order; when all have ended, or
 * on Ctrl-C, the file is replaced by the same rows in the order of the plan. A kill at any moment
 * thus costs the runs under way and no other. */
#include "compare.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOAD_SECONDS 120.0 /* to read a problem, before the clock of the solve starts */
#define BAR 24             /* characters of the progress bar */
#define NUMBER 32          /* characters of a number as an operand */

typedef struct state {
    cli *c;
    const cli_comparison *o;
    cli_plan plan;
    int count, *todo; /* runs to make now, by their place in the plan */
    cli_row **result; /* of todo[i]; NULL: not yet */
    cli_rows *rows;
    FILE *csv;
    bool in_order; /* a stream cannot be sorted later: hold rows back */
    bool broken;   /* the CSV cannot be written any more */
    int printed, finished;
    const char *last;
    double began, shown;
    bool bar;
    char tol[NUMBER], repeats[NUMBER], timeout[NUMBER];
    const char *operand[10];
} state;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool cli_make_directory(cli *c, const char *path)
{
    struct stat s;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &s) == 0 && S_ISDIR(s.st_mode)))
        return true;
    return !cli_fail(c, "%s: cannot be made: %s", path, strerror(errno));
}

static uint64_t mix(uint64_t h, const char *text) /* FNV-1a, with the 0 at the end */
{
    do h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    while (*text++);
    return h;
}

const char *cli_history_path(cli *c, const char *dir, const cli_row *row)
{
    char tol[NUMBER];
    snprintf(tol, sizeof tol, "%.17g", row->tol);
    uint64_t key = mix(mix(mix(0xcbf29ce484222325u, row->problem), row->solver), tol);
    size_t size = strlen(dir) + 40;
    char *path = perp_alloc(&c->arena, size, 1);
    if (path) snprintf(path, size, "%s/history/%016llx.csv", dir, (unsigned long long)key);
    return path;
}

/* ---- progress, on a terminal ---- */

static void print_time(FILE *out, double seconds)
{
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        fprintf(out, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        fprintf(out, "%ld:%02ld", s / 60, s % 60);
}

static void show_progress(void *ctx)
{
    state *s = ctx;
    double t = now();
    if (!s->bar || (t - s->shown < 0.1 && s->finished < s->count)) return;
    s->shown = t;
    FILE *err = s->c->err;
    int filled = s->count ? (int)((long)BAR * s->finished / s->count) : BAR;
    fputs("\r[", err);
    for (int k = 0; k < BAR; k++) fputc(k < filled ? '#' : '.', err);
    fprintf(err, "] %d/%d  ", s->finished, s->count);
    if (s->finished) {
        print_time(err, (t - s->began) / s->finished * (s->count - s->finished));
        const char *slash = strrchr(s->last, '/');
        fprintf(err, " left  %.40s", slash ? slash + 1 : s->last);
    }
    fputs("\033[K", err);
    fflush(err);
}

static void hide_progress(const state *s)
{
    if (s->bar) fputs("\r\033[K", s->c->err);
}

/* ---- probing: kind and size of every problem, read where a crash costs nothing ---- */

static const char *const *probe_task(void *ctx, int i)
{
    state *s = ctx;
    const char *task[] = {"probe", s->plan.problem[i].path, s->o->kind ? s->o->kind : "",
                          s->o->layout ? s->o->layout : "", NULL};
    memcpy(s->operand, task, sizeof task);
    return s->operand;
}

static bool probe_done(void *ctx, int i, int wait, char *text, size_t length)
{
    state *s = ctx;
    cli_case *p = &s->plan.problem[i];
    cli_row row = {.problem = p->path, .solver = "-", .tol = NAN, .kind = "", .detail = ""};
    cli_worker_read(s->c, wait, text, length, &row);
    s->finished++;
    s->last = p->path;
    if (strcmp(row.status, "solved") == 0) {
        for (int k = 0; k < PERP_KINDS; k++) {
            if (strcmp(perp_kind_name((perp_kind)k), row.kind) == 0) p->kind = (perp_kind)k;
        }
        p->n = row.n;
        return true;
    }
    p->status = row.status;
    p->detail = row.detail;
    return true;
}

static cli_limits limits_of(const cli_comparison *o)
{
    return (cli_limits){.jobs = o->jobs, .load = LOAD_SECONDS, .megabytes = o->megabytes};
}

static bool probe(state *s)
{
    cli_pool pool = {.limits = limits_of(s->o), .count = s->plan.cases, .ctx = s};
    pool.task = probe_task;
    pool.done = probe_done;
    pool.tick = show_progress;
    s->count = s->plan.cases;
    s->finished = 0;
    s->began = now();
    bool good = cli_pool_run(s->c, &pool);
    hide_progress(s);
    return good;
}

/* ---- running ---- */

static const char *const *run_task(void *ctx, int i)
{
    state *s = ctx;
    const cli_row *row = &s->plan.runs.row[s->todo[i]];
    const char *history = s->o->report ? cli_history_path(s->c, s->o->report, row) : NULL;
    snprintf(s->tol, NUMBER, "%.17g", row->tol);
    const char *task[] = {"run",
                          row->problem,
                          s->o->kind ? s->o->kind : "",
                          s->o->layout ? s->o->layout : "",
                          row->solver,
                          s->tol,
                          s->repeats,
                          s->timeout,
                          history ? history : "",
                          NULL};
    memcpy(s->operand, task, sizeof task);
    return s->operand;
}

static bool write_row(state *s, const cli_row *row)
{
    if (!s->csv) return true;
    cli_row_print(s->csv, row);
    if (fflush(s->csv) == 0) return true;
    hide_progress(s);
    s->broken = true;
    bool out = s->csv == s->c->out;
    if (out) clearerr(s->csv); /* once is enough */
    /* a reader that has seen enough is nobody's error */
    if (errno == EPIPE) return false;
    return !cli_fail_write(s->c, s->o->csv, errno);
}

static bool finish_row(state *s, int i, const cli_row *row)
{
    s->result[i] = cli_rows_add(&s->c->arena, s->rows);
    if (!s->result[i]) return !cli_fail(s->c, "out of memory");
    *s->result[i] = *row;
    s->finished++;
    s->last = row->problem;
    if (!s->in_order) return write_row(s, row);
    for (; s->printed < s->count && s->result[s->printed]; s->printed++) {
        if (!write_row(s, s->result[s->printed])) return false;
    }
    return true;
}

static bool run_done(void *ctx, int i, int wait, char *text, size_t length)
{
    state *s = ctx;
    cli_row row = s->plan.runs.row[s->todo[i]];
    if (!*row.status) cli_worker_read(s->c, wait, text, length, &row);
    return finish_row(s, i, &row);
}

/* Rows of a file that is resumed take the plan's numbers; each may stand there once. */
static bool adopt(state *s, cli_rows *old)
{
    cli_rows kept = {0};
    for (int i = 0; i < old->count; i++) {
        cli_row *row = &old->row[i];
        const cli_rows *runs = &s->plan.runs;
        const cli_row *same =
            row->run >= 0 && row->run < runs->count && cli_row_same(&runs->row[row->run], row)
                ? &runs->row[row->run]
                : cli_rows_find(runs, row);
        if (!same)
            return !cli_fail(s->c, "%s: %s with %s is no run of this comparison", s->o->csv,
                             row->problem, row->solver);
        if (cli_rows_find(&kept, row)) continue;
        cli_row *copy = cli_rows_add(&s->c->arena, &kept);
        if (!copy) return !cli_fail(s->c, "out of memory");
        *copy = *row;
        copy->run = same->run;
    }
    *s->rows = kept;
    return true;
}

static bool open_csv(state *s)
{
    const char *path = s->o->csv;
    if (!path) return true;
    if (cli_is_stream(path)) {
        s->csv = cli_stream_open(s->c, path);
        s->in_order = true;
        if (s->csv) cli_rows_header(s->csv);
        return s->csv != NULL;
    }
    cli_rows old = {0};
    if (s->o->resume && access(path, F_OK) == 0) {
        if (!cli_rows_read(s->c, path, true, &old) || !adopt(s, &old)) return false;
    }
    if (!cli_rows_save(s->c, path, s->rows)) return false;
    s->csv = fopen(path, "a");
    return s->csv || !cli_fail_write(s->c, path, errno);
}

/* Runs of this shard that are not there yet. All runs of a problem are in one shard, so that the
 * solvers are compared on one machine. */
static bool choose_runs(state *s)
{
    int index = 0, shards = 1, problem = -1;
    if (s->o->shard && !cli_plan_shard(s->c, s->o->shard, &index, &shards)) return false;
    size_t all = (size_t)s->plan.runs.count;
    s->todo = perp_alloc(&s->c->arena, all, sizeof *s->todo);
    s->result = perp_alloc(&s->c->arena, all, sizeof *s->result);
    bool *there = perp_alloc(&s->c->arena, all, sizeof *there);
    if (!s->todo || !s->result || !there) return !cli_fail(s->c, "out of memory");
    for (int i = 0; i < s->rows->count; i++) there[s->rows->row[i].run] = true;
    s->count = s->finished = 0;
    const char *machine = cli_machine(s->c);
    for (int i = 0; i < s->plan.runs.count; i++) {
        cli_row *row = &s->plan.runs.row[i];
        row->jobs = s->o->jobs;
        row->machine = machine;
        row->version = perp_version();
        row->residual_version = PERP_RESIDUAL_VERSION;
        if (i == 0 || row->problem != row[-1].problem) problem++;
        if (problem % shards == index && !there[i]) s->todo[s->count++] = i;
    }
    if (index > problem)
        cli_note(s->c, "shard %d of %d has nothing to run: there are %d problems", index + 1,
                 shards, problem + 1);
    return true;
}

static bool close_csv(state *s)
{
    cli_rows_sort(&s->c->arena, s->rows);
    if (!s->csv || s->csv == s->c->out) return true;
    bool good = fclose(s->csv) == 0 || s->broken;
    if (!good) cli_fail_write(s->c, s->o->csv, errno);
    if (s->in_order || s->broken) return good;
    return good && cli_rows_save(s->c, s->o->csv, s->rows);
}

static bool run(state *s)
{
    snprintf(s->repeats, NUMBER, "%d", s->o->repeats);
    snprintf(s->timeout, NUMBER, "%.17g", s->o->timeout);
    cli_pool pool = {.limits = limits_of(s->o), .count = s->count, .ctx = s};
    pool.task = run_task;
    pool.done = run_done;
    pool.tick = show_progress;
    s->began = now();
    bool good = cli_pool_run(s->c, &pool);
    hide_progress(s);
    if (!good)
        cli_note(s->c, "stopped after %d of %d runs%s", s->finished, s->count,
                 s->csv && !s->in_order ? "; --resume goes on" : "");
    return good;
}

static bool make_directories(cli *c, const char *dir)
{
    if (!dir) return true;
    size_t size = strlen(dir) + 9;
    char *history = perp_alloc(&c->arena, size, 1);
    if (!history) return !cli_fail(c, "out of memory");
    snprintf(history, size, "%s/history", dir);
    return cli_make_directory(c, dir) && cli_make_directory(c, history);
}

static int name_unreadable(state *s)
{
    int status = CLI_DONE;
    for (int i = 0; i < s->plan.cases; i++) {
        const cli_case *p = &s->plan.problem[i];
        if (p->status) status = cli_fail(s->c, "%s: %s: %s", p->path, p->status, p->detail);
    }
    return status;
}

int cli_compare_run(cli *c, const cli_comparison *o, int count, const char *const *operand,
                    cli_rows *rows)
{
    state s = {.c = c, .o = o, .rows = rows, .last = ""};
    s.bar = !o->quiet && fileno(c->err) >= 0 && isatty(fileno(c->err));
    if (!cli_plan_files(c, count, operand, &s.plan)) return CLI_WRONG;
    if (!probe(&s)) {
        cli_note(c, "stopped while the problems were looked at; nothing was run");
        return CLI_UNSOLVED;
    }
    int status = name_unreadable(&s);
    if (!cli_plan_runs(c, &o->solvers, &o->tols, &s.plan)) return CLI_WRONG;
    if (!make_directories(c, o->report)) return CLI_WRONG;
    if (!open_csv(&s)) return CLI_WRONG;
    if (!choose_runs(&s)) return CLI_WRONG;
    bool whole = run(&s);
    if (!close_csv(&s)) return CLI_WRONG;
    return whole ? status : s.broken ? CLI_WRONG : CLI_UNSOLVED;
}
