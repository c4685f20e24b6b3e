/* cli/plot_svg.c: an SVG of gnuplot's as part of a page, line by line.
 *
 * Many plots share the page: their ids get a prefix. Titles, which a browser would show as tool
 * tips, and groups without content go; that is half of the size. */
#include "compare.h"

#include <string.h>

typedef struct writer {
    char *at;
    const char *prefix;
} writer;

static void copy(writer *w, const char *text, size_t length)
{
    memcpy(w->at, text, length);
    w->at += length;
}

static bool starts(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && memcmp(text, word, length) == 0;
}

/* One line, with ids prefixed and without <title>. */
static void copy_line(writer *w, const char *line, const char *end)
{
    static const char *const ids[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    while (line < end) {
        size_t step = 1;
        if (starts(line, end, "<title>")) {
            const char *close = strstr(line, "</title>");
            line = close && close < end ? close + 8 : end;
            continue;
        }
        for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++) {
            if (starts(line, end, ids[k])) step = strlen(ids[k]);
        }
        copy(w, line, step);
        if (step > 1) copy(w, w->prefix, strlen(w->prefix));
        line += step;
    }
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    while ((text = strstr(text, word))) {
        count++;
        text++;
    }
    return count;
}

char *cli_svg_inline(perp_arena *a, const char *svg, const char *prefix)
{
    svg = strstr(svg, "<svg");
    if (!svg || !strstr(svg, "</svg>")) return NULL; /* gnuplot was cut off */
    size_t ids = count_of(svg, "id=") + count_of(svg, "#");
    char *out = perp_alloc(a, strlen(svg) + ids * strlen(prefix) + 1, 1);
    if (!out) return NULL;
    writer w = {.at = out, .prefix = prefix};
    const char *held = NULL, *held_end = NULL; /* a group that may turn out empty */
    for (const char *line = svg, *end; *line; line = end) {
        const char *newline = strchr(line, '\n');
        end = newline ? newline + 1 : line + strlen(line);
        if (held && starts(line, end, "</g>\n")) {
            held = NULL;
            continue;
        }
        if (held) copy_line(&w, held, held_end);
        held = starts(line, end, "<g fill=") ? line : NULL;
        held_end = end;
        if (!held) copy_line(&w, line, end);
    }
    if (held) copy_line(&w, held, held_end);
    return out;
}
