/* base/posix_output.c: files that are whole or not there, on POSIX systems (perp_output of
 * system.h).
 *
 * A file is written under a temporary name in its folder, brought to the disk (fsync), renamed, and
 * the folder is brought to the disk too: whatever ends the process or the machine, the name has the
 * old file or the new one, whole. A process that is killed leaves its temporary file.
 *
 * A limit of file sizes (ulimit -f) and a pipe whose reader has gone send signals that end a
 * process by default. They are held back from the thread while it writes, and taken: a library's
 * caller gets an error. */
#define _GNU_SOURCE /* realpath, O_DIRECTORY */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAMES 100 /* temporary names tried: all taken means that something is wrong there */

/* ---- opening ---- */

static bool find_target(const char *path, char target[PERP_PATH])
{
    struct stat s;
    if (!lstat(path, &s) && S_ISLNK(s.st_mode) && realpath(path, target)) return true;
    if (strlen(path) >= PERP_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(target, path);
    return true;
}

/* A new file with the mode of the one it will replace. */
static int open_beside(perp_output *o, const struct stat *old)
{
    for (int k = 0; k < NAMES; k++) {
        char ending[48];
        snprintf(ending, sizeof ending, ".%ld-%d.tmp", (long)getpid(), k);
        if (strlen(o->target) + strlen(ending) >= PERP_PATH) {
            errno = ENAMETOOLONG;
            return -1;
        }
        strcat(strcpy(o->temporary, o->target), ending);
        int file = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno == EEXIST) continue;
        if (file < 0) return -1;
        if (old && fchmod(file, old->st_mode & 0777)) errno = 0; /* a wish, not a need */
        return file;
    }
    return -1;
}

static int open_target(perp_output *o)
{
    struct stat old;
    if (stat(o->target, &old)) return open_beside(o, NULL);
    if (S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (S_ISREG(old.st_mode)) {
        /* A file that may not be written is not replaced either. */
        return access(o->target, W_OK) ? -1 : open_beside(o, &old);
    }
    return open(o->target, O_WRONLY | O_CLOEXEC);
}

bool perp_output_open(perp_output *o, const char *path)
{
    o->target[0] = o->temporary[0] = '\0';
    o->file = STDOUT_FILENO;
    if (!path) return true;
    o->file = find_target(path, o->target) ? open_target(o) : -1;
    return o->file >= 0;
}

/* ---- writing ---- */

/* The signal that a failed write has sent to this thread; 0: none. */
static int signal_of(int error)
{
    return error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
}

/* write(), without the signals that it may send: those that were pending before stay so. */
static ssize_t write_quietly(int file, const char *bytes, size_t length)
{
    sigset_t quiet, before, pending;
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGPIPE);
    sigaddset(&quiet, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &quiet, &before);
    sigpending(&pending);
    ssize_t written = write(file, bytes, length);
    int error = errno, sent = written < 0 ? signal_of(error) : 0;
    if (sent && !sigismember(&pending, sent)) {
        sigemptyset(&quiet);
        sigaddset(&quiet, sent);
        sigtimedwait(&quiet, NULL, &(struct timespec){0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

bool perp_output_write(const perp_output *o, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write_quietly(o->file, bytes, length);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

/* ---- closing ---- */

static bool sync_file(int file)
{
    int failed;
    while ((failed = fsync(file)) && errno == EINTR) continue;
    /* There are file systems without it; what can be done is done then. */
    return !failed || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS;
}

/* The folder's entry for the new file. A folder that may be written but not read stays as it is. */
static bool sync_folder(const char *file)
{
    char folder[PERP_PATH];
    const char *slash = strrchr(file, '/');
    size_t length = slash ? (size_t)(slash - file) + (slash == file) : 1;
    memcpy(folder, slash ? file : ".", length);
    folder[length] = '\0';
    int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return true;
    bool good = sync_file(opened);
    int error = errno;
    close(opened);
    errno = error;
    return good;
}

/* Bring it to the disk, close and rename it; 0, or the number of the error. */
static int complete(const perp_output *o)
{
    int error = sync_file(o->file) ? 0 : errno;
    if (close(o->file) && !error) error = errno;
    if (!error && rename(o->temporary, o->target)) error = errno;
    return error;
}

bool perp_output_close(perp_output *o, bool keep)
{
    if (!o->temporary[0]) return o->file == STDOUT_FILENO || !close(o->file);
    int error = 0;
    if (keep)
        error = complete(o);
    else
        close(o->file);
    if (keep && !error) return sync_folder(o->target);
    unlink(o->temporary);
    errno = error;
    return !error;
}

const char *perp_output_remedy(int error)
{
    switch (error) {
    case ENOSPC: return "; free some space, or write to another disk";
    case EDQUOT: return "; free some of your quota, or write to another disk";
    case EFBIG: return "; raise the limit on the size of files (ulimit -f)";
    case EROFS: return "; write to a folder that is not read-only";
    case EACCES: return "; write to a folder that you may write to, or change its rights";
    case ENOENT: return "; make its folder first";
    default: return "";
    }
}
