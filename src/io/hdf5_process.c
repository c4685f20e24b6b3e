/* io/hdf5_process.c: find the program perp_hdf5, start it, and see it end.
 *
 * The program is found by absolute paths alone: a relative one means another folder once the caller
 * has changed its own. Where this code lies is the kernel's word, not argv[0], which dladdr repeats
 * and which whoever starts a program can choose. A program in a place where everybody can write is
 * not started.
 *
 * The caller's process is disturbed as little as can be: no handler, no signal (a closed socket is
 * an error of the call), nothing on its terminal, no descriptor that another child could keep, and
 * none of 0, 1 and 2, to which others write when the caller has closed them. The program gets the
 * socket and /dev/null, no other descriptor. It ends when the socket closes, and is killed where it
 * does not; where the caller has children reaped elsewhere, there is nothing to wait for. */
#define _GNU_SOURCE /* secure_getenv, SOCK_CLOEXEC, posix_spawn_file_actions_addclosefrom_np */
#include "hdf5.h"
#include "hdf5_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "perp_hdf5"
#define PATH_SIZE 4096
#define ENDING 2.0 /* seconds for the program to end by itself */

extern char **environ;

/* ---- finding ---- */

typedef struct finding {
    char path[PATH_SIZE]; /* of the program, once it is found */
    bool unsafe;          /* one was found where everybody can write */
} finding;

/* Can everybody write to the file, or put another one in its folder? */
static bool is_unsafe(const char *file)
{
    struct stat s;
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", file);
    char *slash = strrchr(folder, '/');
    if (!slash) return true;
    slash[slash == folder] = '\0'; /* "/" stays */
    if (stat(file, &s) || !S_ISREG(s.st_mode) || s.st_mode & S_IWOTH) return true;
    return stat(folder, &s) || s.st_mode & S_IWOTH;
}

static bool try_folder(const char *folder, size_t length, const char *below, finding *f)
{
    char named[PATH_SIZE];
    if (length == 0 || length >= PATH_SIZE || folder[0] != '/') return false;
    int written = snprintf(named, sizeof named, "%.*s/%s" PROGRAM, (int)length, folder, below);
    if (written >= PATH_SIZE || access(named, X_OK) || !realpath(named, f->path)) return false;
    if (!is_unsafe(named) && !is_unsafe(f->path)) return true;
    f->unsafe = true;
    return false;
}

static bool try_environment(finding *f)
{
    const char *at = secure_getenv("PERP_MODULES");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        if (try_folder(at, length, "", f)) return true;
        at += length + (at[length] == ':');
    }
    return false;
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

/* The file that this code is mapped from. False: it is not to be known. */
static bool find_own_file(char path[PATH_SIZE])
{
    static const char here = 0;
    char text[2 * PATH_SIZE], *newline;
    size_t used = 0;
    const char *file = NULL;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && !file && used < sizeof text - 1) {
        ssize_t got = read(fd, text + used, sizeof text - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        char *line = text;
        text[used += (size_t)got] = '\0';
        for (; !file && (newline = strchr(line, '\n')) != NULL; line = newline + 1) {
            *newline = '\0';
            file = match_line(line, (uintptr_t)&here);
            if (file) snprintf(path, PATH_SIZE, "%s", file);
        }
        used -= (size_t)(line - text);
        memmove(text, line, used);
    }
    if (fd >= 0) close(fd);
    return file != NULL;
}

static bool try_beside(finding *f)
{
    char own[PATH_SIZE];
    if (!find_own_file(own)) return false;
    size_t length = (size_t)(strrchr(own, '/') - own);
    return try_folder(own, length ? length : 1, "", f) ||
           try_folder(own, length ? length : 1, "perp/", f);
}

/* ---- starting ---- */

/* The socket is its standard input; it has no output. All signals do what they do by default: the
 * caller may ignore those by which limits work. */
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

static int spawn(const char *path, int socket, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char name[] = PROGRAM, *arguments[] = {name, NULL};
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        error = add_actions(&actions, socket);
        if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Two sockets, none of them 0, 1 or 2. */
static bool open_pair(int pair[2])
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

static bool find_program(finding *f, char why[PERP_HDF5_WHY])
{
    if (try_environment(f) || try_beside(f) ||
        try_folder(PERP_MODULE_DIR, strlen(PERP_MODULE_DIR), "", f)) {
        return true;
    }
    snprintf(why, PERP_HDF5_WHY,
             f->unsafe ? "perp's program " PROGRAM " is not started where it lies: everybody can "
                         "write there; take that right away, or install perp elsewhere"
                       : "HDF5 needs perp's program " PROGRAM ", which is not there; set "
                         "PERP_MODULES to the absolute path of its folder");
    return false;
}

/* NULL: it answered as it should. */
static const char *greet(perp_hdf5 *h, double seconds)
{
    hdf5_answer hello;
    if (perp_hdf5_receive(h->socket, &hello, sizeof hello, seconds))
        return hello.value == HDF5_WIRE ? NULL : "it is of another version of perp";
    return errno == ETIMEDOUT ? "it does not answer" : "it does not start";
}

bool perp_hdf5_start(perp_hdf5 *h, double seconds, char why[PERP_HDF5_WHY])
{
    finding f = {.unsafe = false};
    int pair[2];
    pid_t process = -1;
    h->socket = -1;
    h->process = -1;
    if (!find_program(&f, why)) return false;
    if (!open_pair(pair)) {
        snprintf(why, PERP_HDF5_WHY, "no socket for " PROGRAM ": %s", strerror(errno));
        return false;
    }
    int error = spawn(f.path, pair[1], &process);
    close(pair[1]);
    h->socket = pair[0];
    h->process = error ? -1 : process;
    const char *wrong = error ? strerror(error) : greet(h, seconds);
    if (!wrong) return true;
    snprintf(why, PERP_HDF5_WHY, "%.80s cannot be used: %.50s", f.path, wrong);
    h->fallen = true;
    perp_hdf5_end(h);
    return false;
}

/* ---- ending ---- */

/* What reads no more request ends, and its socket closes. */
static void await_end(int socket)
{
    char nothing;
    shutdown(socket, SHUT_WR);
    perp_hdf5_receive(socket, &nothing, 1, ENDING);
}

static pid_t wait_for(pid_t process, int options)
{
    pid_t ended;
    while ((ended = waitpid(process, NULL, options)) < 0 && errno == EINTR) continue;
    return ended;
}

void perp_hdf5_end(perp_hdf5 *h)
{
    if (h->socket >= 0) {
        if (!h->fallen) await_end(h->socket);
        close(h->socket);
    }
    h->socket = -1;
    if (h->process > 0 && wait_for((pid_t)h->process, WNOHANG) == 0) {
        kill((pid_t)h->process, SIGKILL); /* nothing happens to one that is ending */
        wait_for((pid_t)h->process, 0);
    }
    h->process = -1;
}
