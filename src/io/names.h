/* io/names.h: names in a file, and a table of them. Nothing is copied: they point into the file. */
#ifndef PERP_NAMES_H
#define PERP_NAMES_H

#include "io.h"

#include <string.h>

typedef struct span {
    const char *text;
    size_t length;
} span;

static inline bool span_is(span s, const char *word)
{
    return s.length == strlen(word) && !memcmp(s.text, word, s.length);
}

static inline bool span_same(span a, span b)
{
    return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

/* For a sentence: not too long, and printable. Returns `text`. */
#define PERP_SPAN_SHOWN 44
const char *perp_span_show(span s, char text[PERP_SPAN_SHOWN]);
/* Without the blanks around it. */
span perp_span_trim(const char *text, size_t length);
/* The next word, which leaves *rest; empty at the end. */
span perp_span_word(span *rest);

typedef struct perp_names {
    int count, mask; /* mask + 1 slots, at least twice as many as names */
    span *list;
    int *slot; /* index + 1; 0: empty */
} perp_names;

/* Room for `most` names. False: refused. */
bool perp_names_start(perp_lexer *x, perp_names *t, int most);
/* Its index, or -1. */
int perp_names_find(const perp_names *t, span s);
/* A name that is not there yet; its index. */
int perp_names_add(perp_names *t, span s);

#endif
