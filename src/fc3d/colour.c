/* fc3d/colour.c: contacts that can be solved at the same time.
 *
 * First fit in the given order, so the colours depend on the problem alone. Bodies: each keeps the
 * set of its colours in 256 bits. Rows: a contact looks at its neighbours in W and W'. One pass
 * over the couplings; a body with more contacts than colours leaves the rest serial. */
#include "sweep.h"

#include <stdint.h>
#include <string.h>

#define WORDS (PERP_COLOURS / 64)

/* The first colour in neither set; PERP_COLOURS: none. */
static int first_free(const uint64_t *a, const uint64_t *b)
{
    for (int w = 0; w < WORDS; w++) {
        uint64_t free = ~(a[w] | b[w]);
        for (int bit = 0; free && bit < 64; bit++) {
            if (free >> bit & 1) return 64 * w + bit;
        }
    }
    return PERP_COLOURS;
}

static void add(uint64_t *set, int colour)
{
    if (colour < PERP_COLOURS) set[colour / 64] |= UINT64_C(1) << colour % 64;
}

/* The order of the sweep from the colour of each contact; the given order within a colour. */
static bool arrange(perp_arena *a, perp_sweep *s, const int *colour)
{
    int n = s->contacts, *order = perp_alloc(a, (size_t)n, sizeof *order);
    s->start = perp_alloc(a, PERP_COLOURS + 3, sizeof *s->start);
    if (a->failed) return false;
    for (int c = 0; c < n; c++) s->start[colour[c] + 2]++;
    for (int k = 0; k <= PERP_COLOURS; k++) s->start[k + 2] += s->start[k + 1];
    for (int c = 0; c < n; c++) order[s->start[colour[c] + 1]++] = c;
    s->colours = PERP_COLOURS;
    while (s->colours > 1 && s->start[s->colours] == s->start[s->colours - 1]) s->colours--;
    s->serial = s->start[PERP_COLOURS];
    s->order = order;
    return true;
}

bool perp_colour_bodies(perp_arena *a, perp_sweep *s, const int *touch)
{
    uint64_t *used = perp_alloc(a, (size_t)s->bodies.bodies * WORDS, sizeof *used);
    int *colour = perp_alloc(a, (size_t)s->contacts, sizeof *colour);
    if (a->failed) return false;
    for (int c = 0; c < s->contacts; c++) {
        uint64_t *one = used + WORDS * (size_t)touch[2 * c];
        uint64_t *two = used + WORDS * (size_t)touch[2 * c + 1];
        colour[c] = first_free(one, two);
        add(one, colour[c]);
        add(two, colour[c]);
    }
    return arrange(a, s, colour);
}

bool perp_colour_rows(perp_arena *a, perp_sweep *s, const int *column, const int *row)
{
    const struct perp_bsr3_view *W = &s->Wm.as.bsr3;
    static const uint64_t none[WORDS];
    int *colour = perp_alloc(a, (size_t)s->contacts, sizeof *colour);
    if (a->failed) return false;
    for (int c = 0; c < s->contacts; c++) {
        uint64_t used[WORDS] = {0};
        for (int k = W->p[c]; k < W->p[c + 1]; k++) {
            if (W->j[k] < c) add(used, colour[W->j[k]]);
        }
        for (int k = column[c]; k < column[c + 1]; k++) {
            if (row[k] < c) add(used, colour[row[k]]);
        }
        colour[c] = first_free(used, none);
    }
    return arrange(a, s, colour);
}
