/* io/sink.c: buffered output that is whole or not there.
 *
 * What is written goes to a file beside the target and gets the target's name only when all of it
 * has arrived; pipes, devices and standard output have no such name and are written to as they
 * are. The first failure is remembered and comes out when the sink is closed. Memory: 64 KiB. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CAPACITY ((size_t)1 << 16)
#define NAMES 100 /* temporary names tried */

struct perp_sink {
    int fd;
    const char *target, *temporary; /* temporary NULL: written in place */
    size_t used;
    int failure; /* errno of the first failure */
    perp_error *error;
    char *buffer;
};

static char *join(perp_arena *a, const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    char *name = perp_alloc_unset(a, n + m + 1, 1);
    if (!name) return NULL;
    memcpy(name, path, n);
    memcpy(name + n, ending, m + 1);
    return name;
}

/* A link stays a link: what it points at is written. */
static const char *follow_link(const char *path, perp_arena *a)
{
    struct stat s;
    char place[PATH_MAX];
    if (lstat(path, &s) || !S_ISLNK(s.st_mode) || !realpath(path, place)) return path;
    return join(a, place, "");
}

/* A new file with the mode of the one it will replace. */
static int open_beside(perp_sink *s, const struct stat *old, perp_arena *a)
{
    for (int k = 0; k < NAMES; k++) {
        char ending[48];
        snprintf(ending, sizeof ending, ".%ld-%d.tmp", (long)getpid(), k);
        const char *name = join(a, s->target, ending);
        if (!name) return -1;
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno == EEXIST) continue;
        if (fd < 0) return -1;
        if (old && fchmod(fd, old->st_mode & 0777)) errno = 0; /* a wish, not a need */
        s->temporary = name;
        return fd;
    }
    return -1;
}

static int open_target(perp_sink *s, const char *path, perp_arena *a)
{
    struct stat old;
    if (strcmp(path, "-") == 0) return STDOUT_FILENO;
    s->target = follow_link(path, a);
    if (!s->target) return -1;
    if (stat(s->target, &old)) return open_beside(s, NULL, a);
    if (S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (S_ISREG(old.st_mode)) {
        /* A file that may not be written is not replaced either. */
        return access(s->target, W_OK) ? -1 : open_beside(s, &old, a);
    }
    return open(s->target, O_WRONLY | O_CLOEXEC);
}

perp_sink *perp_sink_open(const char *path, perp_arena *a, perp_error *error)
{
    perp_sink *s = perp_alloc(a, 1, sizeof *s);
    char *buffer = perp_alloc_unset(a, CAPACITY, 1);
    if (a->failed) {
        perp_refuse(error, PERP_E_MEMORY, "no memory for the buffer of the output");
        return NULL;
    }
    *s = (perp_sink){.error = error, .buffer = buffer};
    errno = 0;
    s->fd = open_target(s, path, a);
    if (s->fd >= 0) return s;
    if (a->failed) {
        perp_refuse(error, PERP_E_MEMORY, "no memory for the name of the output");
    } else {
        perp_refuse(error, PERP_E_FILE, "cannot write: %s", strerror(errno));
    }
    return NULL;
}

static void write_out(perp_sink *s, const char *bytes, size_t length)
{
    while (length > 0 && !s->failure) {
        ssize_t n = write(s->fd, bytes, length);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            s->failure = errno ? errno : EIO;
            return;
        }
        bytes += n;
        length -= (size_t)n;
    }
}

static void flush(perp_sink *s)
{
    write_out(s, s->buffer, s->used);
    s->used = 0;
}

void perp_sink_bytes(perp_sink *s, const char *bytes, size_t length)
{
    if (length > CAPACITY - s->used) flush(s);
    if (length > CAPACITY) {
        write_out(s, bytes, length);
        return;
    }
    memcpy(s->buffer + s->used, bytes, length);
    s->used += length;
}

void perp_sink_text(perp_sink *s, const char *format, ...)
{
    va_list arguments;
    if (CAPACITY - s->used < CAPACITY / 2) flush(s);
    va_start(arguments, format);
    int n = vsnprintf(s->buffer + s->used, CAPACITY - s->used, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= CAPACITY - s->used) {
        s->failure = s->failure ? s->failure : EOVERFLOW; /* long strings go through sink_bytes */
        return;
    }
    s->used += (size_t)n;
}

void perp_sink_real(perp_sink *s, double x)
{
    char text[32];
    int n = perp_print_real(x, text);
    perp_sink_bytes(s, text, (size_t)n);
}

void perp_sink_int(perp_sink *s, int x)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d", x);
    perp_sink_bytes(s, text, (size_t)n);
}

perp_status perp_sink_close(perp_sink *s, bool keep)
{
    if (keep) flush(s);
    if (s->fd != STDOUT_FILENO && close(s->fd) && !s->failure) s->failure = errno;
    bool good = keep && !s->failure;
    if (s->temporary && good && rename(s->temporary, s->target)) {
        s->failure = errno;
        good = false;
    }
    if (s->temporary && !good) unlink(s->temporary);
    if (!s->failure || !keep) return PERP_SOLVED;
    return perp_refuse(s->error, PERP_E_FILE, "cannot write: %s", strerror(s->failure));
}
