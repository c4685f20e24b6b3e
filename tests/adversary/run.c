/* tests/adversary/run.c: all problems, in a child process that is started again behind a problem
 * which killed it; and the state file from which a stopped run goes on. */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAVE_SECONDS 5

static long end_of(const settings *o)
{
    return o->from + o->count;
}

/* ---- state ---- */

static const char *kind_word(const settings *o)
{
    return o->kind == VARIANTS ? "all" : variant_name(o->kind);
}

/* A hash (FNV) of the program, which has the library inside: counts of another build are none of
 * this one's. */
static unsigned long long build_hash(void)
{
    unsigned long long hash = 14695981039346656037ULL;
    unsigned char bytes[4096];
    FILE *f = fopen("/proc/self/exe", "rb");
    for (size_t n = sizeof bytes; f && n == sizeof bytes;) {
        n = fread(bytes, 1, sizeof bytes, f);
        for (size_t k = 0; k < n; k++) hash = (hash ^ bytes[k]) * 1099511628211ULL;
    }
    if (f) fclose(f);
    return hash;
}

bool state_save(const settings *o, const tally *t)
{
    char draft[600];
    if (!o->state) return true;
    snprintf(draft, sizeof draft, "%s.new", o->state);
    FILE *f = fopen(draft, "w");
    if (!f) return false;
    fprintf(f, "adversary 1\nbuild %llx\nseed %llu\nkind %s\nfrom %ld\nnext %ld\nclaims %ld\n",
            build_hash(), (unsigned long long)o->seed, kind_word(o), o->from, t->next, t->claims);
    fprintf(f, "columns %d\n", COLUMN_COUNT);
    for (int v = 0; v < VARIANTS; v++) {
        for (int k = 0; perp_solvers()[k]; k++) {
            if (tally_sum(t, v, k, C_SOLVES) + tally_faults(t, v, k) == 0) continue;
            fprintf(f, "%s %s", variant_name((variant)v), perp_solver_name(perp_solvers()[k]));
            for (int c = 0; c < COLUMN_COUNT; c++) fprintf(f, " %ld", t->count[v][k][c]);
            fprintf(f, "\n");
        }
    }
    return fclose(f) == 0 && rename(draft, o->state) == 0;
}

static int find_solver(const char *name)
{
    for (int k = 0; perp_solvers()[k]; k++) {
        if (strcmp(perp_solver_name(perp_solvers()[k]), name) == 0) return k;
    }
    return -1;
}

static bool read_rows(FILE *f, tally *t)
{
    char kind[64], solver[64];
    while (fscanf(f, "%63s %63s", kind, solver) == 2) {
        int v = (int)variant_find(kind), k = find_solver(solver);
        for (int c = 0; c < COLUMN_COUNT; c++) {
            long value;
            if (fscanf(f, "%ld", &value) != 1) return false;
            if (v < VARIANTS && k >= 0) t->count[v][k][c] = value;
        }
    }
    return true;
}

/* What a state file says of its run. */
typedef struct state_head {
    unsigned long long build, seed;
    char kind[64];
    long from;
} state_head;

static bool read_state(const char *path, state_head *head, tally *t)
{
    int count;
    FILE *f = path ? fopen(path, "r") : NULL;
    if (!f) return false;
    bool good = fscanf(f, "adversary 1 build %llx seed %llu kind %63s from %ld", &head->build,
                       &head->seed, head->kind, &head->from) == 4 &&
                fscanf(f, " next %ld claims %ld columns %d", &t->next, &t->claims, &count) == 3 &&
                count == COLUMN_COUNT && read_rows(f, t);
    fclose(f);
    return good;
}

bool state_load(const settings *o, tally *t)
{
    state_head head;
    return read_state(o->state, &head, t) && head.build == build_hash() && head.seed == o->seed &&
           head.from == o->from && strcmp(head.kind, kind_word(o)) == 0;
}

bool state_read(settings *o, tally *t)
{
    state_head head;
    if (!read_state(o->state, &head, t)) return false;
    o->seed = head.seed;
    o->from = head.from;
    o->kind = variant_find(head.kind);
    return true;
}

/* ---- processes ---- */

/* The work of a child: problems until the end, the state now and then. */
static bool work(const settings *o, tally *t)
{
    time_t saved = time(NULL);
    pid_t parent = getppid();
    while (t->next < end_of(o)) {
        (o->work ? o->work : trial)(o, t, t->next);
        t->next++;
        if (o->fork && getppid() != parent) return false; /* nobody watches any more */
        if (time(NULL) < saved + SAVE_SECONDS) continue;
        if (!state_save(o, t)) return false;
        fflush(stdout);
        saved = time(NULL);
    }
    return true;
}

/* The child died in a solve: count it and go on behind that problem. */
static void bury(const settings *o, tally *t, int status)
{
    static sample s;
    bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    char what[64];
    snprintf(what, sizeof what, WIFSIGNALED(status) ? "signal %d" : "exit status %d",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    judgement j = {.wrong = true, .part = what};
    sample_draw(o->seed, t->index, &s);
    report_fault(o, t, &s, t->solver >= 0 ? t->solver : 0, hung ? C_SLOW : C_CRASH, &j, NULL);
    t->next = t->index + 1;
}

static bool watch(const settings *o, tally *t)
{
    while (t->next < end_of(o)) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0) return false;
        if (child == 0) {
            signal(SIGALRM, SIG_DFL);
            bool good = work(o, t);
            fflush(stdout);
            _exit(good ? 0 : 99);
        }
        int status;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 99) return false;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) bury(o, t, status);
    }
    return true;
}

bool run_all(const settings *o, tally *t)
{
    tally *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return false;
    *shared = *t;
    bool good = o->fork ? watch(o, shared) : work(o, shared);
    *t = *shared;
    munmap(shared, sizeof *shared);
    return good && state_save(o, t);
}
