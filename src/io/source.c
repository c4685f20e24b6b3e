/* io/source.c: a whole file, or a stream to its end, in memory.
 *
 * A regular file is read into one block of its size; what has no size (pipes, devices) into blocks
 * that double, up to a lower limit: nobody has said how much will come. The first megabyte is
 * looked at before more is read, so that an endless stream of something else costs no more. */
#include "base/system.h"
#include "io.h"

#include <errno.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)1 << 16)
#define LOOK ((size_t)1 << 20) /* bytes; comments before the first word may be long */

typedef struct source {
    int input;
    size_t expected, most; /* bytes */
    bool stream;           /* its size is not known */
    perp_look *look;       /* NULL: anything may come */
} source;

static perp_status refuse_size(const source *s, perp_error *e)
{
    return perp_refuse(
        e, PERP_E_FILE, "the %s is longer than the limit of %zu bytes%s",
        s->stream ? "stream" : "file", s->most,
        s->stream ? "; save it as a file first, or give perp_load_file a larger max_bytes" : "");
}

/* The block is full: its last byte gives its place to a 0, which readers may rely on. */
static perp_status look_at(const source *s, char *block, size_t used, perp_error *e)
{
    char last = block[used - 1];
    block[used - 1] = '\0';
    perp_status status = s->look(block, used - 1, e);
    block[used - 1] = last;
    return status;
}

/* A block always has room for one byte more than it has to hold: the end is seen, and the 0 fits.
 */
static size_t next_room(const source *s, size_t room)
{
    if (s->expected >= room) return s->expected + 1;
    return room > s->most / 2 ? s->most + 1 : 2 * room;
}

static perp_status read_all(const source *s, perp_arena *a, const char **bytes, size_t *length,
                            perp_error *e)
{
    size_t room = (s->expected < LOOK ? s->expected : LOOK) + 1, used = 0;
    bool looked = !s->look;
    char *old = NULL;
    for (;;) {
        char *block = perp_alloc_unset(a, room, 1);
        if (!block) {
            return perp_refuse(e, PERP_E_MEMORY, "no memory for a file of %zu bytes", room - 1);
        }
        if (used) memcpy(block, old, used);
        ptrdiff_t n = perp_input_read(s->input, block + used, room - used);
        if (n < 0) return perp_refuse(e, PERP_E_FILE, "cannot read: %s", strerror(errno));
        used += (size_t)n;
        if (used > s->most) return refuse_size(s, e);
        if (used < room) {
            block[used] = '\0';
            *bytes = block;
            *length = used;
            return PERP_SOLVED;
        }
        if (!looked && used > LOOK) {
            perp_status status = look_at(s, block, used, e);
            if (status) return status;
            looked = true;
        }
        old = block;
        room = next_room(s, room);
    }
}

static perp_status read_open(source *s, perp_arena *a, const char **bytes, size_t *length,
                             perp_error *e)
{
    bool directory;
    uint64_t size;
    if (!perp_input_look(s->input, &directory, &size))
        return perp_refuse(e, PERP_E_FILE, "cannot read: %s", strerror(errno));
    if (directory) return perp_refuse(e, PERP_E_FILE, "cannot read: it is a directory");
    s->stream = size == 0;
    if (!s->most) s->most = s->stream ? PERP_STREAM_LIMIT : PERP_FILE_LIMIT;
    if (size > s->most) return refuse_size(s, e);
    s->expected = s->stream ? FIRST_BLOCK : (size_t)size;
    return read_all(s, a, bytes, length, e);
}

perp_status perp_refuse_pointer(const char *bytes, size_t length, perp_error *e)
{
    static const char first[] = "version https://git-lfs.github.com/spec/";
    if (length < sizeof first - 1 || memcmp(bytes, first, sizeof first - 1)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_FILE,
                       "the file is a Git LFS pointer, which stands for the real one; run 'git lfs "
                       "pull' in its repository");
}

perp_status perp_read_whole(const char *path, size_t most, perp_look *look, perp_arena *a,
                            const char **bytes, size_t *length, perp_error *e)
{
    source s = {
        .input = perp_input_open(strcmp(path, "-") == 0 ? NULL : path), .most = most, .look = look};
    if (s.input < 0) return perp_refuse(e, PERP_E_FILE, "cannot open: %s", strerror(errno));
    perp_status status = read_open(&s, a, bytes, length, e);
    perp_input_close(s.input);
    return status ? status : perp_refuse_pointer(*bytes, *length, e);
}
