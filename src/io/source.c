/* io/source.c: a whole file, or standard input, in memory.
 *
 * A regular file is read into one block of its size; what has no size (pipes) into blocks that
 * double. A limit is held before each. */
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BLOCK ((size_t)1 << 16)

static perp_status refuse_size(size_t most, perp_error *e)
{
    return perp_refuse(e, PERP_E_FILE, "the file is longer than the limit of %zu bytes", most);
}

/* Read until the end or until the block is full; the number of bytes, or -1. */
static ssize_t fill(int fd, char *block, size_t room)
{
    size_t used = 0;
    while (used < room) {
        ssize_t n = read(fd, block + used, room - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        used += (size_t)n;
    }
    return (ssize_t)used;
}

/* A block always has room for one byte more than it has to hold: the end is seen, and the 0 fits.
 */
static perp_status read_all(int fd, size_t expected, size_t most, perp_arena *a, const char **bytes,
                            size_t *length, perp_error *e)
{
    size_t room = expected + 1, used = 0;
    char *old = NULL;
    for (;;) {
        char *block = perp_alloc_unset(a, room, 1);
        if (!block) {
            return perp_refuse(e, PERP_E_MEMORY, "no memory for a file of %zu bytes", room - 1);
        }
        if (used) memcpy(block, old, used);
        ssize_t n = fill(fd, block + used, room - used);
        if (n < 0) return perp_refuse(e, PERP_E_FILE, "cannot read: %s", strerror(errno));
        used += (size_t)n;
        if (used > most) return refuse_size(most, e);
        if (used < room) {
            block[used] = '\0';
            *bytes = block;
            *length = used;
            return PERP_SOLVED;
        }
        old = block;
        room = room > most / 2 ? most + 1 : 2 * room;
    }
}

static perp_status read_open(int fd, size_t most, perp_arena *a, const char **bytes, size_t *length,
                             perp_error *e)
{
    struct stat s;
    if (fstat(fd, &s)) return perp_refuse(e, PERP_E_FILE, "cannot read: %s", strerror(errno));
    if (S_ISDIR(s.st_mode)) return perp_refuse(e, PERP_E_FILE, "cannot read: it is a directory");
    size_t expected = FIRST_BLOCK;
    if (S_ISREG(s.st_mode) && s.st_size > 0) expected = (size_t)s.st_size;
    if (S_ISREG(s.st_mode) && expected > most && s.st_size > 0) return refuse_size(most, e);
    return read_all(fd, expected, most, a, bytes, length, e);
}

perp_status perp_refuse_pointer(const char *bytes, size_t length, perp_error *e)
{
    static const char first[] = "version https://git-lfs.github.com/spec/";
    if (length < sizeof first - 1 || memcmp(bytes, first, sizeof first - 1)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_FILE,
                       "the file is a Git LFS pointer, which stands for the real one; run 'git lfs "
                       "pull' in its repository");
}

perp_status perp_read_whole(const char *path, size_t most, perp_arena *a, const char **bytes,
                            size_t *length, perp_error *e)
{
    bool input = strcmp(path, "-") == 0;
    int fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return perp_refuse(e, PERP_E_FILE, "cannot open: %s", strerror(errno));
    perp_status status = read_open(fd, most, a, bytes, length, e);
    if (!input) close(fd);
    return status ? status : perp_refuse_pointer(*bytes, *length, e);
}
