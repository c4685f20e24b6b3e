/* process.c: a peer in a language of its own, in a process of its own: a script that gets the path
 * of a file with the problem, and prints the least seconds of a call and then its answer, a number
 * a line. And perp's solvers, measured likewise. */
#include "bench.h"
#include "command.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENOUGH 0.2 /* seconds of runs */
#define RUNS 500   /* at most */

/* The script's output, or -1. */
static int start_script(const script *s, const char *path, pid_t *pid)
{
    char file[512];
    int ends[2];
    snprintf(file, sizeof file, SOURCE_ROOT "/benchmarks/%s", s->file);
    if (pipe(ends)) return -1;
    *pid = fork();
    if (*pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        for (int k = 0; k < 2 && s->programs[k]; k++) {
            execlp(s->programs[k], s->programs[k], file, path, (char *)NULL);
        }
        _exit(127);
    }
    close(ends[1]);
    if (*pid > 0) return ends[0];
    close(ends[0]);
    return -1;
}

/* Seconds of processor time that the process has used. */
static double time_of(pid_t pid)
{
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *stat = fopen(path, "r");
    if (!stat) return 0;
    if (fscanf(stat, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system) != 2)
        user = system = 0;
    fclose(stat);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* Until it answers, or has had its time. A limit that the system keeps would make its clock coarse.
 */
static void wait_for(int end, pid_t pid, int limit)
{
    struct pollfd p = {.fd = end, .events = POLLIN};
    while (poll(&p, 1, 200) == 0) {
        if (time_of(pid) > limit) kill(pid, SIGKILL);
    }
}

static bool read_answer(int end, int n, double *seconds, double *x)
{
    FILE *in = fdopen(end, "r");
    bool good = in && fscanf(in, "%lf", seconds) == 1;
    for (int j = 0; good && j < n; j++) good = fscanf(in, "%la", &x[j]) == 1;
    if (in) fclose(in);
    return good;
}

timing run_script(bench *b, const script *s, const perp_problem *p,
                  bool (*write)(FILE *file, const perp_problem *p), double *z)
{
    timing o = {.seconds = INFINITY, .residual = INFINITY, .status = "missing"};
    char path[] = "/tmp/perp-bench-XXXXXX";
    int descriptor = mkstemp(path), state = 0;
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    pid_t pid = -1;
    perp_residual r;
    if (!file) return o;
    bool written = write(file, p);
    written = fclose(file) == 0 && written;
    int end = written ? start_script(s, path, &pid) : -1;
    if (end >= 0) wait_for(end, pid, s->limit);
    bool good = end >= 0 && read_answer(end, perp_size(p), &o.seconds, z);
    if (pid > 0) waitpid(pid, &state, 0);
    unlink(path);
    if (good && !perp_certify(p, z, &b->work, &r)) {
        o.residual = r.value;
        snprintf(o.status, sizeof o.status, "%s", r.value <= WRONG ? "solved" : "wrong");
        return o;
    }
    o.seconds = INFINITY;
    if (WIFSIGNALED(state)) snprintf(o.status, sizeof o.status, "> %d s", s->limit);
    if (WIFEXITED(state) && WEXITSTATUS(state) == SCRIPT_FAILED)
        snprintf(o.status, sizeof o.status, "failed");
    return o;
}

timing run_solver(bench *b, const perp_problem *p, const char *solver, double limit, double *z)
{
    timing o = {.seconds = INFINITY};
    perp_mark mark = perp_arena_mark(&b->data);
    perp_options *options = perp_options_new(&b->data, solver);
    perp_result r = {0};
    double spent = 0;
    options->max_seconds = limit;
    for (int k = 0; k == 0 || (k < RUNS && spent < ENOUGH); k++) {
        double from = cpu_now();
        perp_solve(p, options, &b->work, z, NULL, &r);
        double took = cpu_now() - from;
        spent += took;
        o.seconds = fmin(o.seconds, took);
    }
    o.residual = r.residual.value;
    o.iterations = r.iterations;
    snprintf(o.status, sizeof o.status, "%s", perp_status_name(r.status));
    perp_arena_release(&b->data, mark);
    return o;
}
