/* io/source.c: a whole file, or standard input, in memory.
 *
 * A regular file is read into one block of its size; what has no size (pipes) into blocks that
 * double. A limit is held before each. */
#include "base/system.h"
#include "io.h"

#include <errno.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)1 << 16)

static perp_status refuse_size(size_t most, perp_error *e)
{
    return perp_refuse(e, PERP_E_FILE, "the file is longer than the limit of %zu bytes", most);
}

/* A block always has room for one byte more than it has to hold: the end is seen, and the 0 fits.
 */
static perp_status read_all(int input, size_t expected, size_t most, perp_arena *a,
                            const char **bytes, size_t *length, perp_error *e)
{
    size_t room = expected + 1, used = 0;
    char *old = NULL;
    for (;;) {
        char *block = perp_alloc_unset(a, room, 1);
        if (!block) {
            return perp_refuse(e, PERP_E_MEMORY, "no memory for a file of %zu bytes", room - 1);
        }
        if (used) memcpy(block, old, used);
        ptrdiff_t n = perp_input_read(input, block + used, room - used);
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

static perp_status read_open(int input, size_t most, perp_arena *a, const char **bytes,
                             size_t *length, perp_error *e)
{
    bool directory;
    uint64_t size;
    if (!perp_input_look(input, &directory, &size))
        return perp_refuse(e, PERP_E_FILE, "cannot read: %s", strerror(errno));
    if (directory) return perp_refuse(e, PERP_E_FILE, "cannot read: it is a directory");
    if (size > most) return refuse_size(most, e);
    return read_all(input, size ? (size_t)size : FIRST_BLOCK, most, a, bytes, length, e);
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
    int input = perp_input_open(strcmp(path, "-") == 0 ? NULL : path);
    if (input < 0) return perp_refuse(e, PERP_E_FILE, "cannot open: %s", strerror(errno));
    perp_status status = read_open(input, most, a, bytes, length, e);
    perp_input_close(input);
    return status ? status : perp_refuse_pointer(*bytes, *length, e);
}
