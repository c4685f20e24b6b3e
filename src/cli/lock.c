/* cli/lock.c: one command at a time writes a file over a long while.
 *
 * FILE.lock, beside FILE, is locked by fcntl(): the lock ends with its process, however that ends,
 * so that a file left over by a killed one stops nobody. The holder removes it at its end; who has
 * waited for a removed one opens another. */
#define _GNU_SOURCE /* realpath, O_NOFOLLOW */
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beside what the name stands for: links to one file have one lock. */
static bool name_lock(const char *path, char name[PERP_PATH])
{
    char place[PATH_MAX];
    const char *target = realpath(path, place) ? place : path;
    int length = snprintf(name, PERP_PATH, "%s.lock", target);
    return length > 0 && length < PERP_PATH;
}

static struct flock whole_file(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* Is the open file still the one of that name? */
static bool is_named(int file, const char *name)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(name, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static int refuse(cli *c, const char *path, int file)
{
    struct flock holder = whole_file();
    long process =
        fcntl(file, F_GETLK, &holder) == 0 && holder.l_type != F_UNLCK ? holder.l_pid : 0;
    if (process > 0)
        return cli_fail(c, "%s: process %ld is writing it; wait for its end, or name another file",
                        path, process);
    return cli_fail(c, "%s: another process is writing it; wait for its end, or name another file",
                    path);
}

bool cli_lock_take(cli *c, const char *path, cli_lock *l)
{
    l->file = -1;
    if (!name_lock(path, l->name)) return true;
    for (;;) {
        struct flock all = whole_file();
        int file = open(l->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) return true; /* FILE cannot be written there either: its writer says why */
        int failed = fcntl(file, F_SETLK, &all) ? errno : 0;
        if (failed == EACCES || failed == EAGAIN) {
            refuse(c, path, file);
            close(file);
            return false;
        }
        if (failed || is_named(file, l->name)) { /* a file system without locks has none */
            l->file = file;
            return true;
        }
        close(file);
    }
}

void cli_lock_release(cli_lock *l)
{
    if (l->file < 0) return;
    unlink(l->name);
    close(l->file);
    l->file = -1;
}
