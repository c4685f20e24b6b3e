/* io/hdf5_process.c: find the program perp_hdf5, start it, and see it end.
 *
 * The program is found by absolute paths alone: a relative one means another folder once the caller
 * has changed its own. A program in a place where everybody can write is not started. It ends when
 * the socket closes, and is killed where it does not. */
#include "base/system.h"
#include "hdf5.h"
#include "hdf5_wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM "perp_hdf5"
#define ENDING 2.0 /* seconds for the program to end by itself */

/* ---- finding ---- */

typedef struct finding {
    char path[PERP_PATH]; /* of the program, once it is found */
    bool unsafe;          /* one was found where everybody can write */
} finding;

static bool try_folder(const char *folder, size_t length, const char *below, finding *f)
{
    char named[PERP_PATH];
    if (length == 0 || length >= PERP_PATH || folder[0] != '/') return false;
    int written = snprintf(named, sizeof named, "%.*s/%s" PROGRAM, (int)length, folder, below);
    if (written >= PERP_PATH) return false;
    perp_program found = perp_program_find(named, f->path);
    if (found == PERP_PROGRAM_UNSAFE) f->unsafe = true;
    return found == PERP_PROGRAM_FOUND;
}

static bool try_environment(finding *f)
{
    const char *at = perp_environment("PERP_MODULES");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        if (try_folder(at, length, "", f)) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static bool try_beside(finding *f)
{
    char own[PERP_PATH];
    if (!perp_own_file(own)) return false;
    size_t length = (size_t)(strrchr(own, '/') - own);
    return try_folder(own, length ? length : 1, "", f) ||
           try_folder(own, length ? length : 1, "perp/", f);
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

/* ---- starting ---- */

/* NULL: it answered as it should. */
static const char *greet(perp_hdf5 *h, double seconds)
{
    hdf5_answer hello;
    if (perp_socket_receive(h->socket, &hello, sizeof hello, seconds))
        return hello.value == HDF5_WIRE ? NULL : "it is of another version of perp";
    return errno == ETIMEDOUT ? "it does not answer" : "it does not start";
}

bool perp_hdf5_start(perp_hdf5 *h, double seconds, char why[PERP_HDF5_WHY])
{
    finding f = {.unsafe = false};
    int pair[2];
    h->socket = -1;
    h->process = -1;
    if (!find_program(&f, why)) return false;
    if (!perp_socket_pair(pair)) {
        snprintf(why, PERP_HDF5_WHY, "no socket for " PROGRAM ": %s", strerror(errno));
        return false;
    }
    int error = perp_program_start(f.path, PROGRAM, pair[1], &h->process);
    perp_socket_close(pair[1]);
    h->socket = pair[0];
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
    perp_socket_finish(socket);
    perp_socket_receive(socket, &nothing, 1, ENDING);
}

void perp_hdf5_end(perp_hdf5 *h)
{
    if (h->socket >= 0) {
        if (!h->fallen) await_end(h->socket);
        perp_socket_close(h->socket);
    }
    h->socket = -1;
    if (h->process > 0) perp_program_end(h->process);
    h->process = -1;
}
