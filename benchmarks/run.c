/* run.c: the runs of one family and size, in one process on one BLAS thread.
 *
 * A contender's first run on a problem is a trial in a child process with a limit on its time, so
 * that a crash or an endless loop ends that child and no more. A trial that takes long is the
 * measurement itself; others are followed by runs in this process, where the contenders take turns,
 * so that a slow moment of the machine hits all of them. Times are the processor's, less what
 * reading the clock takes. Every z, whoever found it, is judged by perp_certify. */
#include "bench.h"
#include "command.h"
#include "perp/solver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#define CAP 5            /* seconds: a trial ends here, and no run starts after these */
#define SHARE 2          /* seconds: with many problems in a cell, none starts after these */
#define LONG 1.0         /* seconds: a trial that takes longer is the measurement */
#define AT_LEAST 0.1     /* seconds of runs wanted from a contender in a cell */
#define WARM 1e-2        /* seconds: below, a run that is not counted comes first */
#define TURN 1e-3        /* seconds: short runs come in groups of this length */
#define TOLERANCES 6     /* that a peer with another scale is asked for */
#define STACK (96 << 20) /* bytes: ODE's solver puts its matrix there */

/* One run, as a child sends it; z follows. */
typedef struct outcome {
    double seconds, megabytes;
    int info, iterations; /* info 0: the solver says solved */
    char word[16];
} outcome;

/* What a contender has had on the problem at hand. */
typedef struct turns {
    bool tried, active; /* asked; takes turns */
    int runs;
    double spent;
} turns;

static double clock_cost(void)
{
    double least = 1;
    for (int k = 0; k < 1000; k++) {
        double start = cpu_now(), cost = cpu_now() - start;
        least = cost < least ? cost : least;
    }
    return least;
}

bool prepare_runs(bench *b)
{
    struct rlimit stack;
    fflush(NULL);
    b->out = fdopen(dup(STDOUT_FILENO), "w");
    b->chat = isatty(STDERR_FILENO) ? fdopen(dup(STDERR_FILENO), "w") : NULL;
    int nowhere = open("/dev/null", O_WRONLY);
    if (!b->out || nowhere < 0) return false;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    if (getrlimit(RLIMIT_STACK, &stack)) return true;
    if (stack.rlim_cur != RLIM_INFINITY && stack.rlim_cur < STACK) {
        bool allowed = stack.rlim_max == RLIM_INFINITY || stack.rlim_max > STACK;
        stack.rlim_cur = allowed ? STACK : stack.rlim_max;
        setrlimit(RLIMIT_STACK, &stack);
    }
    return true;
}

/* ---- one run ---- */

static outcome solve(bench *b, const entry *e, const perp_problem *p, double *z)
{
    outcome o = {0};
    perp_result r;
    struct rusage usage;
    if (e->peer && e->peer->ready) e->peer->ready(e->state);
    double start = cpu_now();
    if (e->peer)
        o.info = e->peer->solve(e->state, z, &o.iterations);
    else
        o.info = perp_solve(p, e->options, &b->work, z, NULL, &r);
    o.seconds = cpu_now() - start;
    if (!e->peer) o.iterations = r.iterations;
    snprintf(o.word, sizeof o.word, "%s",
             e->peer ? (o.info ? "failed" : "solved") : perp_status_name(r.status));
    if (getrusage(RUSAGE_SELF, &usage) == 0) o.megabytes = (double)usage.ru_maxrss / 1024;
    return o;
}

/* Siconos measures friction on another scale than perp. */
static bool has_other_scale(const peer *q)
{
    return q->kind == PERP_KIND_FC3D || q->kind == PERP_KIND_CONE;
}

/* Judge the z of a run and note it. A solver that says solved and is not is called what it is. */
static void note(bench *b, entry *e, const char *family, const perp_problem *p, int seed,
                 const outcome *o, const double *z)
{
    perp_residual r = {0};
    bool judged = !e->peer || !e->peer->yardstick;
    if (judged && perp_certify(p, z, &b->work, &r)) r.value = INFINITY;
    if (!(r.value <= e->residual)) e->residual = r.value;
    bool good = r.value <= fmax(WRONG, b->tol), wrong = judged && o->info == 0 && !good;
    snprintf(e->status, sizeof e->status, "%s", wrong ? "wrong" : judged ? o->word : "linear");
    /* What counts is where they got. */
    if (good && e->peer && has_other_scale(e->peer)) strcpy(e->status, "solved");
    e->iterations = o->iterations;
    if (e->runs < MOST_RUNS) e->seconds[e->runs++] = o->seconds;
    e->spent += o->seconds;
    write_run(b, e, family, perp_size(p), seed, r.value, o->seconds);
}

/* ---- trials ---- */

static bool move(int to, int from, void *data, size_t size)
{
    for (char *at = data; size > 0;) {
        ssize_t moved = to >= 0 ? write(to, at, size) : read(from, at, size);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) return false;
        at += moved;
        size -= (size_t)moved;
    }
    return true;
}

/* In the child: the timers' signals end it. */
static void try_in_child(bench *b, const entry *e, const perp_problem *p, double *z, int to)
{
    struct itimerval limit = {.it_value.tv_sec = CAP};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(10 * CAP); /* sleeping is no way out */
    outcome o = solve(b, e, p, z);
    bool sent = move(to, -1, &o, sizeof o) && move(to, -1, z, (size_t)perp_size(p) * sizeof *z);
    _exit(!sent);
}

/* The first run. False: it crashed, or ran out of time, and e->status says so. */
static bool try_once(bench *b, entry *e, const perp_problem *p, outcome *o, double *z)
{
    int ends[2], status = 0;
    fflush(NULL);
    if (pipe(ends)) return false;
    pid_t child = fork();
    if (child == 0) try_in_child(b, e, p, z, ends[1]);
    close(ends[1]);
    bool got = child > 0 && move(-1, ends[0], o, sizeof *o) &&
               move(-1, ends[0], z, (size_t)perp_size(p) * sizeof *z);
    close(ends[0]);
    if (child > 0) waitpid(child, &status, 0);
    if (got) return true;
    bool late = WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
    snprintf(e->status, sizeof e->status, late ? "> %d s" : "crashed", CAP);
    e->slow |= late;
    return false;
}

/* ---- turns ---- */

static bool is_spent(const bench *b, const entry *e)
{
    return e->spent >= (b->table->seeds > 1 ? SHARE : CAP);
}

static bool wants_more(const bench *b, const entry *e, const turns *t)
{
    int seeds = b->table->seeds, most = MOST_RUNS / seeds;
    if (!t->active || is_spent(b, e) || t->runs >= (most > 1 ? most : 1)) return false;
    int least = seeds > 1 ? 1 : b->repeats; /* many problems tell more than many runs */
    return t->runs < least || t->spent < AT_LEAST / seeds;
}

static void show_progress(const bench *b, const entry *e, const char *family, int n, int seed)
{
    if (!b->chat) return;
    fprintf(b->chat, "\r%s: %s, n = %d", b->table->name, short_name(family), n);
    if (b->table->seeds > 1) fprintf(b->chat, ", problem %d", seed);
    fprintf(b->chat, ": %s\033[K", e->name);
    fflush(b->chat);
}

/* Some runs of one contender; false: it wanted none. */
static bool take_turn(bench *b, entry *e, turns *t, const char *family, const perp_problem *p,
                      int seed, double *z, double overhead)
{
    if (!wants_more(b, e, t)) return false;
    show_progress(b, e, family, perp_size(p), seed);
    for (double spent = 0; spent < TURN && wants_more(b, e, t);) {
        outcome o = solve(b, e, p, z);
        spent += o.seconds;
        o.seconds = o.seconds > overhead ? o.seconds - overhead : 0;
        note(b, e, family, p, seed, &o, z);
        t->spent += o.seconds;
        t->runs++;
    }
    return true;
}

/* ---- one problem, one cell ---- */

static bool can_read(const peer *q, const perp_problem *p)
{
    if (q->kind != p->kind) return false;
    if (p->kind == PERP_KIND_LCP) return q->reads == p->as.lcp.M.format;
    if (p->kind == PERP_KIND_MCP) return q->reads == p->as.mcp.F.M.format;
    if (p->kind == PERP_KIND_CONE)
        return p->as.cone.form == PERP_FORM_LOCAL && q->reads == p->as.cone.W.format;
    return p->as.fc3d.form == PERP_FORM_LOCAL && q->reads == p->as.fc3d.W.format;
}

static bool open_peer(entry *e, const perp_problem *p, double tol)
{
    if (e->state) e->peer->close(e->state);
    e->state = e->peer->open(e->peer, p, tol);
    return e->state != NULL;
}

/* The first run of a peer with a scale of its own: with the loosest of tolerances ten times apart
 * that our certificate accepts. */
static bool try_tolerances(bench *b, entry *e, const perp_problem *p, outcome *o, double *z)
{
    perp_residual r;
    for (int k = 0; k < TOLERANCES; k++) {
        if (k > 0 && !open_peer(e, p, b->tol * pow(10, 1 - k))) return false;
        if (!try_once(b, e, p, o, z)) return false;
        bool good = perp_certify(p, z, &b->work, &r) == PERP_SOLVED && r.value <= b->tol;
        if (good || o->info) return true;
    }
    return true;
}

/* Open a contender and try it. */
static void enter(bench *b, entry *e, turns *t, const char *family, const perp_problem *p, int seed,
                  double *z)
{
    outcome o;
    bool other = e->peer && has_other_scale(e->peer);
    e->state = NULL;
    if (e->slow || is_spent(b, e)) return;
    if (e->peer ? !can_read(e->peer, p) : e->options->solver->kind != p->kind) return;
    if (e->peer && !open_peer(e, p, other ? 10 * b->tol : WRONG)) return;
    show_progress(b, e, family, perp_size(p), seed);
    e->problems++;
    t->tried = true;
    if (!(other ? try_tolerances : try_once)(b, e, p, &o, z)) {
        e->residual = INFINITY;
        write_run(b, e, family, perp_size(p), seed, INFINITY, NAN);
        return;
    }
    if (o.megabytes > e->megabytes) e->megabytes = o.megabytes;
    t->active = o.seconds < LONG;
    if (!t->active)
        note(b, e, family, p, seed, &o, z);
    else if (o.seconds < WARM)
        solve(b, e, p, z); /* not counted: memory and caches get ready */
}

static void leave(entry *e, const turns *t)
{
    if (t->tried) {
        e->solved += strcmp(e->status, "solved") == 0 || strcmp(e->status, "linear") == 0;
        e->wrong += strcmp(e->status, "wrong") == 0;
    }
    if (e->state) e->peer->close(e->state);
}

static bool run_problem(bench *b, const char *family, int n, int seed, double overhead)
{
    perp_problem p;
    turns turn[MOST_CONTENDERS] = {0};
    perp_mark mark = perp_arena_mark(&b->data);
    bool good = make_problem(family, n, seed, &b->data, &p);
    double *z = good ? perp_alloc(&b->data, (size_t)perp_size(&p), sizeof *z) : NULL;
    b->n = good ? perp_size(&p) : n;
    for (int k = 0; z && k < b->contenders; k++)
        enter(b, &b->entries[k], &turn[k], family, &p, seed, z);
    for (bool more = z != NULL; more;) {
        more = false;
        for (int k = 0; k < b->contenders; k++)
            more |= take_turn(b, &b->entries[k], &turn[k], family, &p, seed, z, overhead);
    }
    for (int k = 0; z && k < b->contenders; k++) leave(&b->entries[k], &turn[k]);
    perp_arena_release(&b->data, mark);
    return z != NULL;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(entry *e)
{
    qsort(e->seconds, (size_t)e->runs, sizeof *e->seconds, ascending);
    int h = e->runs / 2;
    e->least = e->runs ? e->seconds[0] : NAN;
    e->median = !e->runs      ? NAN
                : e->runs % 2 ? e->seconds[h]
                              : (e->seconds[h - 1] + e->seconds[h]) / 2;
}

bool run_cell(bench *b, const char *family, int n)
{
    bool good = true;
    double overhead = clock_cost();
    for (int k = 0; k < b->contenders; k++) {
        entry *e = &b->entries[k];
        *e = (entry){.name = e->name, .options = e->options, .peer = e->peer, .slow = e->slow};
        strcpy(e->status, "skipped");
        if (e->options) e->options->tol = b->tol;
    }
    for (int seed = 1; good && seed <= b->table->seeds; seed++)
        good = run_problem(b, family, n, seed, overhead);
    if (b->chat) {
        fputs("\r\033[K", b->chat);
        fflush(b->chat);
    }
    for (int k = 0; k < b->contenders; k++) summarise(&b->entries[k]);
    return good;
}
