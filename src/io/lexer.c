/* io/lexer.c: tokens and numbers out of a file in memory, with the line they stand on.
 *
 * One pass, nothing copied but the numbers asked for. Sizes a file claims are held against what is
 * left of it before anything is allocated: a number takes a character and a space. */
#include "base/system.h"
#include "io.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

perp_status perp_lexer_refuse(perp_lexer *x, const char *format, ...)
{
    perp_error *e = x->error;
    e->status = x->arena->failed ? PERP_E_MEMORY : PERP_E_FILE;
    e->line = x->line;
    va_list arguments;
    va_start(arguments, format);
    if (perp_vprint(e->text, sizeof e->text, format, arguments) < 0) e->text[0] = '\0';
    va_end(arguments);
    return e->status;
}

bool perp_lexer_skip(perp_lexer *x)
{
    const char *s = x->at, *end = x->end;
    for (; s < end; s++) {
        if (*s == '\n') {
            x->line += x->line < INT_MAX;
        } else if (x->comments && *s == '#') {
            const char *newline = memchr(s, '\n', (size_t)(end - s));
            s = newline ? newline - 1 : end - 1;
        } else if (!is_space(*s)) {
            break;
        }
    }
    x->at = s;
    return s < end;
}

/* Where the token at s ends. */
static const char *token_end(const perp_lexer *x, const char *s)
{
    while (s < x->end && !is_space(*s) && !(x->comments && *s == '#')) s++;
    return s;
}

const char *perp_lexer_token(perp_lexer *x, size_t *length)
{
    perp_lexer_skip(x);
    const char *s = x->at;
    x->at = token_end(x, s);
    *length = (size_t)(x->at - s);
    return s;
}

perp_status perp_lexer_expected(perp_lexer *x, const char *what)
{
    char shown[32];
    size_t n = 0;
    if (!perp_lexer_skip(x)) return perp_lexer_refuse(x, "expected %.80s, but the file ends", what);
    const char *end = token_end(x, x->at);
    for (const char *s = x->at; s < end && n < sizeof shown - 4; s++) {
        shown[n++] = (unsigned char)*s >= ' ' && (unsigned char)*s < 127 ? *s : '?';
    }
    if (x->at + n < end) n += (size_t)sprintf(shown + n, "...");
    shown[n] = '\0';
    return perp_lexer_refuse(x, "expected %.80s, found '%s'", what, shown);
}

/* ---- numbers ---- */

/* False: no whole number stands here. Beyond every int is all that matters of large ones. */
static bool scan_int(perp_lexer *x, long long *value)
{
    const char *s = x->at, *end;
    bool negative = s < x->end && *s == '-';
    s += s < x->end && (*s == '-' || *s == '+');
    const char *digits = s;
    long long v = 0;
    for (; s < x->end && *s >= '0' && *s <= '9'; s++) {
        if (v < LLONG_MAX / 20) v = 10 * v + (*s - '0');
    }
    end = s;
    if (end == digits || token_end(x, end) != end) return false;
    *value = negative ? -v : v;
    x->at = end;
    return true;
}

bool perp_lexer_int(perp_lexer *x, int min, int max, const char *what, int *value)
{
    long long v;
    perp_lexer_skip(x);
    const char *start = x->at;
    if (scan_int(x, &v) && v >= min && v <= max) {
        *value = (int)v;
        return true;
    }
    bool whole = x->at != start;
    x->at = start;
    char sentence[120];
    if (!whole) {
        snprintf(sentence, sizeof sentence, "%.60s, a whole number", what);
    } else if (min == max) {
        snprintf(sentence, sizeof sentence, "%.60s, which is %d", what, min);
    } else if (max == INT_MAX) {
        snprintf(sentence, sizeof sentence, "%.60s, at least %d", what, min);
    } else {
        snprintf(sentence, sizeof sentence, "%.60s in %d .. %d", what, min, max);
    }
    perp_lexer_expected(x, sentence);
    return false;
}

/* False: no number stands here; x->at is where it was. */
static bool scan_real(perp_lexer *x, bool any, double *value)
{
    double v;
    const char *end = perp_parse_real(x->at, x->end, &v);
    if (end == x->at || !(any ? !isnan(v) : isfinite(v)) || token_end(x, end) != end) return false;
    *value = v;
    x->at = end;
    return true;
}

bool perp_lexer_real(perp_lexer *x, bool any, const char *what, double *value)
{
    perp_lexer_skip(x);
    if (scan_real(x, any, value)) return true;
    char sentence[120];
    snprintf(sentence, sizeof sentence, "%.60s, a %snumber", what, any ? "" : "finite ");
    perp_lexer_expected(x, sentence);
    return false;
}

/* ---- arrays ---- */

bool perp_lexer_room(perp_lexer *x, size_t count, const char *what)
{
    size_t left = (size_t)(x->end - x->at);
    if (count <= left / 2 + 1) return true;
    perp_lexer_refuse(x, "expected %.60s, %zu numbers, but only %zu bytes are left in the file",
                      what, count, left);
    return false;
}

/* A sparse right-hand side of a million unknowns may have ten entries; as many rows without an
 * entry take 8 MB at most. */
#define PLAUSIBLE_SIZE 1000000

bool perp_lexer_size(perp_lexer *x, int size, const char *what)
{
    if ((size_t)size <= x->length + PLAUSIBLE_SIZE) return true;
    perp_lexer_refuse(x, "a size of %d is not plausible for %.60s in a file of %zu bytes", size,
                      what, x->length);
    return false;
}

void *perp_lexer_alloc(perp_lexer *x, size_t count, size_t size, const char *what)
{
    if (count > x->budget / size) {
        perp_lexer_refuse(x, "%.60s of %zu entries would take more than the limit of %zu bytes",
                          what, count, x->limit);
        return NULL;
    }
    void *p = perp_alloc_unset(x->arena, count, size);
    if (p) {
        x->budget -= count * size;
    } else {
        perp_lexer_refuse(x, "no memory for %.60s of %zu entries", what, count);
    }
    return p;
}

double *perp_lexer_reals(perp_lexer *x, size_t count, bool any, const char *what)
{
    double *v =
        perp_lexer_room(x, count, what) ? perp_lexer_alloc(x, count, sizeof *v, what) : NULL;
    for (size_t k = 0; v && k < count; k++) {
        perp_lexer_skip(x);
        if (scan_real(x, any, &v[k])) continue;
        char name[80];
        snprintf(name, sizeof name, "%.40s[%zu]", what, k);
        perp_lexer_real(x, any, name, &v[k]);
        return NULL;
    }
    return v;
}

int *perp_lexer_ints(perp_lexer *x, size_t count, int min, int max, const char *what)
{
    int *v = perp_lexer_room(x, count, what) ? perp_lexer_alloc(x, count, sizeof *v, what) : NULL;
    for (size_t k = 0; v && k < count; k++) {
        char name[80];
        long long value;
        perp_lexer_skip(x);
        const char *start = x->at;
        if (scan_int(x, &value) && value >= min && value <= max) {
            v[k] = (int)value;
            continue;
        }
        x->at = start;
        snprintf(name, sizeof name, "%.40s[%zu]", what, k);
        perp_lexer_int(x, min, max, name, &v[k]);
        return NULL;
    }
    return v;
}

const char *perp_lexer_line(perp_lexer *x, size_t *length)
{
    if (x->at >= x->end) return NULL;
    const char *s = x->at, *newline = memchr(s, '\n', (size_t)(x->end - s));
    const char *end = newline ? newline : x->end;
    x->at = newline ? newline + 1 : x->end;
    x->line += newline && x->line < INT_MAX;
    *length = (size_t)(end - s) - (end > s && end[-1] == '\r');
    return s;
}
