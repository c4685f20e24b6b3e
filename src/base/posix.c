/* base/posix.c: clock, threads, files that are read, and programs of POSIX systems, for system.h;
 * posix_output.c has the files that are written.
 *
 * The caller's process is disturbed as little as can be: no handler, no signal (a closed socket is
 * an error of the call), nothing on its terminal, no descriptor that another child could keep, and
 * none of 0, 1 and 2, to which others write when the caller has closed them. The program perp_hdf5
 * has this file too: nothing of perp but its header is used here. */
#define _GNU_SOURCE /* secure_getenv, SOCK_CLOEXEC, posix_spawn_file_actions_addclosefrom_np */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double perp_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- threads ---- */

_Static_assert(sizeof(pthread_t) <= sizeof(perp_thread), "a perp_thread holds a pthread_t");

bool perp_thread_start(perp_thread *t, void *(*work)(void *), void *ctx)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, work, ctx);
    if (!error) memcpy(t, &thread, sizeof thread);
    errno = error;
    return !error;
}

void perp_thread_join(const perp_thread *t)
{
    pthread_t thread;
    memcpy(&thread, t, sizeof thread);
    pthread_join(thread, NULL);
}

void perp_thread_yield(void)
{
    sched_yield();
}

/* ---- text ---- */

/* The locale of this thread alone is another for a moment. That of "C" is a constant of the C
 * library: nothing is allocated. */
int perp_vprint(char *text, size_t size, const char *format, va_list arguments)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    int length = vsnprintf(text, size, format, arguments);
    if (before) uselocale(before);
    if (plain) freelocale(plain);
    return length;
}

int perp_print(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = perp_vprint(text, size, format, arguments);
    va_end(arguments);
    return length;
}

/* ---- files that are read ---- */

int perp_input_open(const char *path)
{
    return path ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
}

bool perp_input_look(int file, bool *directory, uint64_t *size)
{
    struct stat s;
    if (fstat(file, &s)) return false;
    *directory = S_ISDIR(s.st_mode);
    *size = S_ISREG(s.st_mode) && s.st_size > 0 ? (uint64_t)s.st_size : 0;
    return true;
}

/* A stream that its owner has made non-blocking has nothing yet: wait for more. */
static bool is_awaited(int file)
{
    struct pollfd p = {.fd = file, .events = POLLIN};
    return (errno == EAGAIN || errno == EWOULDBLOCK) && poll(&p, 1, -1) > 0;
}

ptrdiff_t perp_input_read(int file, char *block, size_t room)
{
    size_t used = 0;
    while (used < room) {
        ssize_t n = read(file, block + used, room - used);
        if (n < 0 && (errno == EINTR || is_awaited(file))) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        used += (size_t)n;
    }
    return (ptrdiff_t)used;
}

void perp_input_close(int file)
{
    if (file != STDIN_FILENO) close(file);
}

/* ---- where programs are ---- */

const char *perp_environment(const char *name)
{
    return secure_getenv(name);
}

/* Can everybody write to the file, or put another one in its folder? */
static bool is_unsafe(const char *file)
{
    struct stat s;
    char folder[PERP_PATH];
    snprintf(folder, sizeof folder, "%s", file);
    char *slash = strrchr(folder, '/');
    if (!slash) return true;
    slash[slash == folder] = '\0'; /* "/" stays */
    if (stat(file, &s) || !S_ISREG(s.st_mode) || s.st_mode & S_IWOTH) return true;
    return stat(folder, &s) || s.st_mode & S_IWOTH;
}

perp_program perp_program_find(const char *named, char path[PERP_PATH])
{
    if (access(named, X_OK) || !realpath(named, path)) return PERP_PROGRAM_MISSING;
    return is_unsafe(named) || is_unsafe(path) ? PERP_PROGRAM_UNSAFE : PERP_PROGRAM_FOUND;
}

/* A line of /proc/self/maps, "55d0-55d8 r--p 0 fd:01 42 /usr/lib/libperp.so": the file that is
 * mapped at the address; NULL: another line. */
static const char *match_line(const char *line, uintptr_t address)
{
    char *end;
    unsigned long long low = strtoull(line, &end, 16);
    if (*end != '-') return NULL;
    unsigned long long high = strtoull(end + 1, &end, 16);
    return address >= low && address < high ? strchr(end, '/') : NULL;
}

bool perp_own_file(char path[PERP_PATH])
{
    static const char here = 0;
    char text[2 * PERP_PATH], *newline;
    size_t used = 0;
    const char *found = NULL;
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (file >= 0 && !found && used < sizeof text - 1) {
        ssize_t got = read(file, text + used, sizeof text - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        char *line = text;
        text[used += (size_t)got] = '\0';
        for (; !found && (newline = strchr(line, '\n')) != NULL; line = newline + 1) {
            *newline = '\0';
            found = match_line(line, (uintptr_t)&here);
            if (found) snprintf(path, PERP_PATH, "%s", found);
        }
        used -= (size_t)(line - text);
        memmove(text, line, used);
    }
    if (file >= 0) close(file);
    return found != NULL;
}

/* ---- programs that run ---- */

static int add_actions(posix_spawn_file_actions_t *actions, int socket)
{
    int error = posix_spawn_file_actions_adddup2(actions, socket, 0);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, 1, 2);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return error;
}

/* The caller may ignore signals by which the limits of a program work: it gets all of them back. */
static void set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* The program gets what it needs to find its libraries (and sanitizers their options), and nothing
 * by which they would run something else: no LD_PRELOAD, no HDF5_PLUGIN_PATH. One with rights that
 * its caller may not have gets nothing. */
#define VARIABLES 4 /* the names below */
static void choose_environment(char *variables[VARIABLES + 1])
{
    static const char *const names[VARIABLES] = {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                                 "QEMU_LD_PREFIX"};
    int count = 0;
    for (int k = 0; k < VARIABLES; k++) {
        char *value = secure_getenv(names[k]);
        if (value) variables[count++] = value - strlen(names[k]) - 1; /* "NAME=value" */
    }
    variables[count] = NULL;
}

int perp_program_start(const char *path, const char *name, int socket, long *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *arguments[] = {(char *)(uintptr_t)name, NULL}, *variables[VARIABLES + 1];
    pid_t child;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    choose_environment(variables);
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        set_signals(&attributes);
        error = add_actions(&actions, socket);
        if (!error) error = posix_spawn(&child, path, &actions, &attributes, arguments, variables);
        if (!error) *process = child;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static pid_t wait_for(pid_t process, int options)
{
    pid_t ended;
    while ((ended = waitpid(process, NULL, options)) < 0 && errno == EINTR) continue;
    return ended;
}

void perp_program_end(long process)
{
    if (wait_for((pid_t)process, WNOHANG) != 0) return;
    kill((pid_t)process, SIGKILL); /* nothing happens to one that is ending */
    wait_for((pid_t)process, 0);
}

/* ---- sockets ---- */

bool perp_socket_pair(int pair[2])
{
    int low[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low)) return false;
    for (int k = 0; k < 2; k++) {
        pair[k] = low[k] > 2 ? low[k] : fcntl(low[k], F_DUPFD_CLOEXEC, 3);
    }
    int error = errno;
    for (int k = 0; k < 2; k++) {
        if (low[k] <= 2) close(low[k]);
    }
    if (pair[0] >= 0 && pair[1] >= 0) return true;
    for (int k = 0; k < 2; k++) {
        if (pair[k] >= 0) close(pair[k]);
    }
    errno = error;
    return false;
}

/* Wait for `events`. False: the time is over, and errno is ETIMEDOUT, or the socket is no good. */
static bool wait_until(double end, int socket, short events)
{
    struct pollfd p = {.fd = socket, .events = events};
    for (;;) {
        double left = end - perp_now();
        if (left <= 0) {
            errno = ETIMEDOUT;
            return false;
        }
        int ready = poll(&p, 1, left < 1e6 ? (int)(left * 1000) + 1 : 1000000000);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

/* Call again after this failure? A time limit makes calls return that would wait. */
static bool is_retried(double end, int socket, short events)
{
    if (errno == EINTR) return true;
    return (errno == EAGAIN || errno == EWOULDBLOCK) && wait_until(end, socket, events);
}

bool perp_socket_send(int socket, const void *data, size_t bytes, double seconds)
{
    const char *at = data;
    const int flags = MSG_NOSIGNAL | (seconds >= 0 ? MSG_DONTWAIT : 0);
    const double end = perp_now() + seconds;
    while (bytes) {
        ssize_t sent = send(socket, at, bytes, flags);
        if (sent < 0 && is_retried(end, socket, POLLOUT)) continue;
        if (sent <= 0) return false;
        at += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

bool perp_socket_receive(int socket, void *data, size_t bytes, double seconds)
{
    char *at = data;
    const int flags = seconds >= 0 ? MSG_DONTWAIT : 0;
    const double end = perp_now() + seconds;
    while (bytes) {
        ssize_t got = recv(socket, at, bytes, flags);
        if (got < 0 && is_retried(end, socket, POLLIN)) continue;
        if (got == 0) errno = ECONNRESET;
        if (got <= 0) return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

void perp_socket_finish(int socket)
{
    shutdown(socket, SHUT_WR);
}

void perp_socket_close(int socket)
{
    close(socket);
}
