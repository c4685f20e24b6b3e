/* fc3d/colour.c: an order in which contacts that follow each other are not coupled.
 *
 * A processor works on some contacts at once if none has to wait for the one before. First-fit
 * colours within windows of the order, which stays as it is but for that, so that what is near in
 * memory stays near. One pass over the couplings. */
#include "colour.h"

#include <stdint.h>
#include <string.h>

#define WINDOW 256 /* contacts */
#define COLOURS 64 /* the last one takes what is left: it may be coupled */

/* Colours that the neighbours of a contact have. */
static uint64_t taken(const perp_couplings *c, const uint64_t *mask, int contact)
{
    if (!c->touch) return mask[contact];
    const int *touch = c->touch + 2 * (size_t)contact;
    return mask[touch[0]] | mask[touch[1]];
}

/* Tell the neighbours of a contact its colour; 0: that there are none any more. */
static void tell(const perp_couplings *c, uint64_t *mask, int contact, uint64_t colour)
{
    if (c->touch) {
        for (int k = 0; k < 2; k++) {
            uint64_t *m = &mask[c->touch[2 * (size_t)contact + (size_t)k]];
            *m = colour ? *m | colour : 0;
        }
        return;
    }
    for (int list = 0; list < 2 && c->start[list]; list++) {
        for (int l = c->start[list][contact]; l < c->start[list][contact + 1]; l++) {
            uint64_t *m = &mask[c->other[list][l]];
            *m = colour ? *m | colour : 0;
        }
    }
}

static void sort_window(const perp_couplings *c, uint64_t *mask, int count, int *order)
{
    int colour[WINDOW], start[COLOURS + 1] = {0}, sorted[WINDOW];
    for (int k = 0; k < count; k++) {
        uint64_t used = taken(c, mask, order[k]);
        colour[k] = 0;
        while (colour[k] < COLOURS - 1 && used >> colour[k] & 1) colour[k]++;
        tell(c, mask, order[k], UINT64_C(1) << colour[k]);
        start[colour[k] + 1]++;
    }
    for (int k = 0; k < COLOURS; k++) start[k + 1] += start[k];
    for (int k = 0; k < count; k++) {
        tell(c, mask, order[k], 0);
        sorted[start[colour[k]]++] = order[k];
    }
    memcpy(order, sorted, (size_t)count * sizeof *order);
}

bool perp_colour(perp_arena *a, const perp_couplings *c, const perp_dissection *parts, int *order)
{
    perp_mark mark = perp_arena_mark(a);
    uint64_t *mask = perp_alloc(a, (size_t)c->nodes, sizeof *mask);
    if (a->failed) return false;
    for (int k = 0; k < parts->count; k++) {
        const perp_dissection_part *p = &parts->part[k];
        for (int from = p->from; from < p->to; from += WINDOW) {
            int count = p->to - from < WINDOW ? p->to - from : WINDOW;
            sort_window(c, mask, count, order + from);
        }
    }
    perp_arena_release(a, mark);
    return true;
}
