/* io/sink.c: buffered output that is whole or not there (perp_output).
 *
 * The first failure is remembered and comes out when the sink is closed. Memory: 72 KiB. */
#include "base/system.h"
#include "io.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CAPACITY ((size_t)1 << 16)

struct perp_sink {
    perp_output out;
    size_t used;
    int failure; /* errno of the first failure */
    perp_error *error;
    char *buffer;
};

static perp_status refuse_to_write(perp_error *e, int failure)
{
    return perp_refuse(e, PERP_E_FILE, "cannot write: %s%s", strerror(failure),
                       perp_output_remedy(failure));
}

perp_sink *perp_sink_open(const char *path, perp_arena *a, perp_error *error)
{
    perp_sink *s = perp_alloc_unset(a, 1, sizeof *s);
    char *buffer = perp_alloc_unset(a, CAPACITY, 1);
    if (a->failed) {
        perp_refuse(error, PERP_E_MEMORY, "no memory for the buffer of the output");
        return NULL;
    }
    s->used = 0;
    s->failure = 0;
    s->error = error;
    s->buffer = buffer;
    if (perp_output_open(&s->out, strcmp(path, "-") == 0 ? NULL : path)) return s;
    refuse_to_write(error, errno);
    return NULL;
}

static void write_out(perp_sink *s, const char *bytes, size_t length)
{
    if (s->failure || perp_output_write(&s->out, bytes, length)) return;
    s->failure = errno ? errno : EIO;
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
    int n = perp_vprint(s->buffer + s->used, CAPACITY - s->used, format, arguments);
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
    bool closed = perp_output_close(&s->out, keep && !s->failure);
    if (!closed && !s->failure) s->failure = errno;
    if (!s->failure || !keep) return PERP_SOLVED;
    return refuse_to_write(s->error, s->failure);
}
