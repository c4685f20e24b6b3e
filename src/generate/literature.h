/* generate/literature.h: complementarity problems of the literature, by name, with starts.
 *
 * Each row says where its problem comes from. Where the numbers of a publication are not at hand,
 * the text says "own numbers": the structure is the paper's, the data are ours. */
#ifndef PERP_GENERATE_LITERATURE_H
#define PERP_GENERATE_LITERATURE_H

#include "perp/perp.h"

/* Everything in the arena or constant. */
typedef struct literature {
    const char *name, *about;
    perp_problem p; /* ncp or mcp */
    int n, starts;  /* start k: start + k n */
    const double *start;
    const double *solution; /* NULL: none is known */
    double accuracy;        /* of the solution's numbers, relative to 1 + |z| */
    bool unique;            /* there is no other */
    bool none;              /* there is no solution at all */
} literature;

/* Number k of the set, 0 <= k; size 0: its own; only the ones on grids have others. False: no such
 * number, or no memory. */
bool literature_make(int k, int size, perp_arena *a, literature *out);
int literature_find(const char *name); /* -1: no such problem */
bool literature_is_sized(int k);       /* does it come in every size? */

#endif
