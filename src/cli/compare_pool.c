/* cli/compare_pool.c: processes with limits, a few at a time.
 *
 * Each task is `perp worker ...`, the same program executed anew: whatever happens to it happens to
 * it alone. Signals are waited for, not handled, so that there is no handler and no global.
 *
 * The workers are in a process group of their own, so that Ctrl-C reaches this process alone. A
 * keeper leads the group: a child that waits for the end of a pipe whose other end this process
 * alone holds. However this process ends, also by SIGKILL, the pipe ends with it, and the keeper
 * kills the group: the workers, whatever they have started, and itself. */
#include "compare.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TEXT_MOST 4096 /* bytes of what a worker writes that are read */
#define ARGUMENTS_MOST 16
#define TICK 200000000L /* nanoseconds between two looks at the processes, at the latest */

/* AddressSanitizer reserves terabytes of address space; a limit would end every worker. */
#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_MEMORY false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMIT_MEMORY false
#endif
#endif
#ifndef LIMIT_MEMORY
#define LIMIT_MEMORY true
#endif

typedef struct slot {
    pid_t pid; /* 0: free */
    int task, pipe;
} slot;

typedef struct pool_state {
    const cli_pool *pool;
    slot *slots;
    sigset_t wait, before; /* signals waited for; the mask as it was */
    pid_t keeper;          /* leader of the workers' group */
    int held;              /* this process' end of the keeper's pipe */
    int next, running;
    bool stopped; /* by done() */
} pool_state;

static void limit(int what, double value)
{
    struct rlimit r = {.rlim_cur = (rlim_t)value, .rlim_max = (rlim_t)value};
    setrlimit(what, &r);
}

/* In the child. */
static void become_worker(const pool_state *s, int out, const char *program,
                          const char *const *arguments)
{
    const cli_limits *l = &s->pool->limits;
    int null = open("/dev/null", O_RDWR);
    /* before exec closes this copy of s->held: until then the keeper waits, whoever has died */
    if (setpgid(0, s->keeper)) setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
    dup2(null, 0);
    dup2(out, 1);
    dup2(null, 2);
    limit(RLIMIT_CORE, 0);
    if (LIMIT_MEMORY && l->megabytes > 0) limit(RLIMIT_AS, l->megabytes * 1048576);
    alarm(l->load < 1 ? 1 : (unsigned)ceil(l->load));
    union {
        const char *const *in;
        char *const *out; /* exec does not write to them */
    } list = {.in = arguments};
    execv("/proc/self/exe", list.out);
    execvp(program, list.out);
    _exit(127);
}

static void close_on_exec(int file)
{
    fcntl(file, F_SETFD, FD_CLOEXEC);
}

/* In the child. Killing its group must not hit that of its parent. */
static void become_keeper(int pipe)
{
    char byte;
    if (setpgid(0, 0) && getpgrp() != getpid()) _exit(1);
    while (read(pipe, &byte, 1) < 0 && errno == EINTR) {
    }
    kill(0, SIGKILL);
    _exit(1);
}

static bool start_keeper(pool_state *s)
{
    int ends[2];
    if (pipe(ends)) return false;
    close_on_exec(ends[0]);
    close_on_exec(ends[1]);
    fflush(NULL);
    s->keeper = fork();
    if (s->keeper == 0) {
        close(ends[1]);
        become_keeper(ends[0]);
    }
    int error = errno;
    close(ends[0]);
    s->held = ends[1];
    if (s->keeper > 0) {
        setpgid(s->keeper, s->keeper); /* whoever is first: workers find the group */
        return true;
    }
    close(ends[1]);
    errno = error;
    return false;
}

static void end_keeper(pool_state *s)
{
    close(s->held);
    while (waitpid(s->keeper, NULL, 0) < 0 && errno == EINTR) {
    }
}

static bool start_task(cli *c, pool_state *s, slot *free)
{
    const char *const *operand = s->pool->task(s->pool->ctx, s->next);
    const char *arguments[ARGUMENTS_MOST + 4] = {c->argv[0], "worker", "--"};
    for (int k = 0; operand[k] && k < ARGUMENTS_MOST; k++) arguments[k + 3] = operand[k];
    int ends[2];
    if (pipe(ends)) return false;
    close_on_exec(ends[0]);
    close_on_exec(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(NULL); /* nothing buffered may be written twice */
    pid_t pid = fork();
    if (pid == 0) become_worker(s, ends[1], c->argv[0], arguments);
    int error = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = error;
        return false;
    }
    *free = (slot){.pid = pid, .task = s->next++, .pipe = ends[0]};
    s->running++;
    return true;
}

static void finish_task(pool_state *s, slot *ended, int wait)
{
    char text[TEXT_MOST + 1];
    size_t length = 0;
    for (;;) {
        ssize_t part = read(ended->pipe, text + length, TEXT_MOST - length);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) break;
        length += (size_t)part;
    }
    text[length] = 0;
    close(ended->pipe);
    ended->pid = 0;
    s->running--;
    if (!s->pool->done(s->pool->ctx, ended->task, wait, text, length)) s->stopped = true;
}

static void reap(pool_state *s)
{
    for (int k = 0; k < s->pool->limits.jobs; k++) {
        int wait;
        slot *one = &s->slots[k];
        if (one->pid && waitpid(one->pid, &wait, WNOHANG) == one->pid) finish_task(s, one, wait);
    }
}

static void kill_all(pool_state *s)
{
    for (int k = 0; k < s->pool->limits.jobs; k++) {
        slot *one = &s->slots[k];
        if (!one->pid) continue;
        kill(one->pid, SIGKILL);
        while (waitpid(one->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        close(one->pipe);
        one->pid = 0;
    }
}

/* SIGCHLD, and those that end a program unless the caller of perp had them ignored (nohup). */
static void block_signals(pool_state *s)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(&s->wait);
    sigaddset(&s->wait, SIGCHLD);
    for (int k = 0; k < 3; k++) {
        struct sigaction now;
        if (sigaction(ending[k], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&s->wait, ending[k]);
    }
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &s->wait, &s->before);
}

/* True: a signal asks to end. */
static bool wait_a_little(pool_state *s)
{
    struct timespec most = {.tv_nsec = TICK};
    int signal = sigtimedwait(&s->wait, NULL, &most);
    return signal > 0 && signal != SIGCHLD;
}

bool cli_pool_run(cli *c, const cli_pool *pool)
{
    pool_state s = {.pool = pool};
    s.slots = perp_alloc(&c->arena, (size_t)pool->limits.jobs, sizeof *s.slots);
    if (!s.slots) return !cli_fail(c, "out of memory");
    setenv("OPENBLAS_NUM_THREADS", "1", 0); /* the same bits, and N runs at a time use N threads */
    setenv("OMP_NUM_THREADS", "1", 0);
    block_signals(&s);
    bool kept = start_keeper(&s), good = kept, ended = false;
    if (!kept) cli_fail(c, "cannot start a process: %s", strerror(errno));
    while (good && !ended && !s.stopped && (s.next < pool->count || s.running)) {
        for (int k = 0; k < pool->limits.jobs && s.next < pool->count && good; k++) {
            if (!s.slots[k].pid) good = start_task(c, &s, &s.slots[k]);
        }
        if (!good) cli_fail(c, "cannot start a process: %s", strerror(errno));
        if (good && s.running) ended = wait_a_little(&s);
        reap(&s);
        if (pool->tick) pool->tick(pool->ctx);
    }
    kill_all(&s);
    if (kept) end_keeper(&s);
    sigprocmask(SIG_SETMASK, &s.before, NULL);
    return good && !ended && !s.stopped;
}
