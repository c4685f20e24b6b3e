/* io/names.c: words of a line, and a table of names by open addressing (FNV-1a, linear probing). */
#include "names.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

const char *perp_span_show(span s, char text[PERP_SPAN_SHOWN])
{
    size_t most = PERP_SPAN_SHOWN - 4, length = s.length <= most ? s.length : most;
    for (size_t k = 0; k < length; k++) {
        text[k] = s.text[k] >= ' ' && s.text[k] < 127 ? s.text[k] : '?';
    }
    memcpy(text + length, "...", 4);
    if (length == s.length) text[length] = 0;
    return text;
}

span perp_span_trim(const char *text, size_t length)
{
    while (length && is_blank(text[0])) {
        text++;
        length--;
    }
    while (length && is_blank(text[length - 1])) length--;
    return (span){text, length};
}

span perp_span_word(span *rest)
{
    span word = perp_span_trim(rest->text, rest->length);
    size_t length = 0;
    while (length < word.length && !is_blank(word.text[length])) length++;
    *rest = (span){word.text + length, word.length - length};
    return (span){word.text, length};
}

bool perp_names_start(perp_lexer *x, perp_names *t, int most)
{
    size_t slots = 4;
    while (slots < 2 * ((size_t)most + 1)) slots *= 2;
    t->count = 0;
    t->mask = (int)(slots - 1);
    t->list = perp_lexer_alloc(x, (size_t)most + 1, sizeof *t->list, "the names");
    t->slot = t->list ? perp_lexer_alloc(x, slots, sizeof *t->slot, "the names") : NULL;
    if (t->slot) memset(t->slot, 0, slots * sizeof *t->slot);
    return t->slot != NULL;
}

/* The name's slot, or the empty one where it belongs. */
static int *find_slot(const perp_names *t, span s)
{
    unsigned hash = 2166136261u;
    for (size_t k = 0; k < s.length; k++) hash = (hash ^ (unsigned char)s.text[k]) * 16777619u;
    int k = (int)(hash & (unsigned)t->mask);
    while (t->slot[k] && !span_same(t->list[t->slot[k] - 1], s)) k = (k + 1) & t->mask;
    return &t->slot[k];
}

int perp_names_find(const perp_names *t, span s)
{
    return *find_slot(t, s) - 1;
}

int perp_names_add(perp_names *t, span s)
{
    int *slot = find_slot(t, s);
    t->list[t->count] = s;
    *slot = ++t->count;
    return t->count - 1;
}
