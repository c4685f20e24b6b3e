/* base/error.c: names and sentences of the statuses, and the one way to refuse a call. */
#include "error.h"
#include "system.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *perp_version(void)
{
    return PERP_VERSION;
}

const char *perp_status_name(perp_status status)
{
    switch (status) {
#define PERP_X(name, value, word, text)                                                            \
    case name: return word;
        PERP_STATUSES(PERP_X)
#undef PERP_X
    }
    return "unknown";
}

const char *perp_status_text(perp_status status)
{
    switch (status) {
#define PERP_X(name, value, word, text)                                                            \
    case name: return text;
        PERP_STATUSES(PERP_X)
#undef PERP_X
    }
    return "no such status";
}

perp_status perp_refuse(perp_error *e, perp_status status, const char *format, ...)
{
    if (!e) return status;
    e->status = status;
    e->line = 0;
    va_list arguments;
    va_start(arguments, format);
    if (perp_vprint(e->text, sizeof e->text, format, arguments) < 0) e->text[0] = '\0';
    va_end(arguments);
    return status;
}

size_t perp_append(char *text, size_t room, size_t at, const char *more)
{
    size_t length = strlen(more), left = room - 1 - at;
    if (length > left) length = left;
    memmove(text + at, more, length);
    text[at + length] = 0;
    return at + length;
}
