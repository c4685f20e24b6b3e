/* io/hdf5_process.c: find the program perp_hdf5, start it, and see it end.
 *
 * The caller's process is disturbed as little as can be: no handler, no signal (a closed socket is
 * an error of the call), nothing on its terminal, no descriptor that another child could keep. The
 * program ends when the socket closes, by its limits of time at the latest, so that waiting for it
 * ends too; where the caller has children reaped elsewhere, there is nothing to wait for. */
#define _GNU_SOURCE /* dladdr, secure_getenv, SOCK_CLOEXEC */
#include "hdf5.h"
#include "hdf5_wire.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "perp_hdf5"
#define PATH_SIZE 4096

extern char **environ;

/* ---- finding ---- */

static bool try_folder(const char *folder, size_t length, const char *below, char path[PATH_SIZE])
{
    if (length == 0 || length >= PATH_SIZE) return false;
    int written = snprintf(path, PATH_SIZE, "%.*s/%s" PROGRAM, (int)length, folder, below);
    return written < PATH_SIZE && !access(path, X_OK);
}

static bool try_environment(char path[PATH_SIZE])
{
    const char *at = secure_getenv("PERP_MODULES");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        if (try_folder(at, length, "", path)) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* Beside the library that this code is in, or the program that it was linked into. */
static bool try_beside(char path[PATH_SIZE])
{
    Dl_info info;
    const char *slash = NULL;
    static const char here = 0;
    if (dladdr(&here, &info) && info.dli_fname) slash = strrchr(info.dli_fname, '/');
    if (!slash) return false;
    size_t length = slash > info.dli_fname ? (size_t)(slash - info.dli_fname) : 1;
    return try_folder(info.dli_fname, length, "", path) ||
           try_folder(info.dli_fname, length, "perp/", path);
}

/* ---- starting ---- */

/* The socket is its standard input; it has no output. All signals do what they do by default: the
 * caller may ignore those by which limits work. */
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
        error = posix_spawn_file_actions_adddup2(&actions, socket, 0);
        if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, 1, 2);
        if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool greets(perp_hdf5 *h)
{
    hdf5_answer hello;
    return perp_hdf5_receive(h->socket, &hello, sizeof hello) && hello.value == HDF5_WIRE;
}

bool perp_hdf5_start(perp_hdf5 *h, char why[PERP_HDF5_WHY])
{
    char path[PATH_SIZE];
    int pair[2];
    pid_t process = -1;
    h->socket = -1;
    if (!try_environment(path) && !try_beside(path) &&
        !try_folder(PERP_MODULE_DIR, strlen(PERP_MODULE_DIR), "", path)) {
        snprintf(why, PERP_HDF5_WHY,
                 "reading and writing HDF5 needs perp's program " PROGRAM
                 ", which is not there; set PERP_MODULES to its folder");
        return false;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
        snprintf(why, PERP_HDF5_WHY, "no socket for " PROGRAM ": %s", strerror(errno));
        return false;
    }
    int error = spawn(path, pair[1], &process);
    close(pair[1]);
    h->socket = pair[0];
    h->process = error ? -1 : process;
    if (!error && greets(h)) return true;
    perp_hdf5_end(h);
    snprintf(why, PERP_HDF5_WHY, PROGRAM " cannot be used: %s",
             error ? strerror(error) : "it does not start, or is of another version of perp");
    return false;
}

void perp_hdf5_end(perp_hdf5 *h)
{
    if (h->socket >= 0) close(h->socket);
    h->socket = -1;
    if (h->process > 0) {
        while (waitpid((pid_t)h->process, NULL, 0) < 0 && errno == EINTR) continue;
    }
    h->process = -1;
}
