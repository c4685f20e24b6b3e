/* core/opened.h: what is expensive to open for a problem is opened once.
 *
 * An opened object is a pure function of matrices, named by its kind and a hash of them, so that
 * the bits of a solution do not depend on whether it was found or made. Use:
 *
 *     perp_key key = perp_key_matrix(perp_key_of(PERP_WORK_ORDER), &f->W);
 *     const perp_opened *o = perp_opened_find(arena, &key);
 *     if (!o) {
 *         perp_opening g;
 *         if (!perp_opened_begin(arena, &key, &g)) return no memory;
 *         int *order = perp_alloc(arena, ...);        and work space, as much as it takes
 *         ...                                         on failure return: nothing has to be undone
 *         perp_opened_part(&g, order, bytes);
 *         o = perp_opened_end(&g);                    gives back the work space, may move the parts
 *     }
 *     const int *order = o->part[0];
 *
 * Where an object is kept, and for how long: made in the arena of a solve, it is there until the
 * arena is released to an earlier mark. When a nested solve of the same problem ends, its objects
 * are moved down to the parent, on a growing and on a fixed arena alike; when perp_solve ends, a
 * growing arena copies them to memory of their own, for later solves. core.h states the limits.
 * Objects of a nested solve of another problem end with it. A further kind is a value of perp_work
 * in base/cache.h, which also counts how often the work was done: the count is raised where the
 * work is, not here.
 *
 * sparse factors are no such objects, for they grow while they are computed: linalg/sparse.h
 * keeps them, and computes nothing for values that are factored already. */
#ifndef PERP_CORE_OPENED_H
#define PERP_CORE_OPENED_H

#include "base/cache.h"
#include "perp/matrix.h"

/* What is kept between solves: so many objects, of so many bytes together; an object of more bytes
 * is not moved to a parent either. After so many solves without a use a new object may have its
 * memory. */
#define PERP_OPENED_COUNT 32
#define PERP_OPENED_BYTES ((size_t)64 << 20)
#define PERP_OPENED_SOLVES 4

/* The name of an object: its kind, and a hash of what it is made of. Two lanes of 64 bits, each
 * read word by word in four strands: sets of data that differ agree with a probability of 2^-64,
 * which is not looked into further. Data that differ in one word never agree. */
typedef struct perp_key {
    perp_work kind;
    uint64_t h[2];
} perp_key;

perp_key perp_key_of(perp_work kind);
perp_key perp_key_number(perp_key key, long long number);
/* Format, sizes, pattern and values; of an operator the functions and the context, which say
 * nothing about its values: make no object of one. About 4 instructions a word. */
perp_key perp_key_matrix(perp_key key, const perp_matrix *A);
perp_key perp_key_pattern(perp_key key, const perp_matrix *A); /* without the values */
/* The key of another kind of object that is made of the same data. */
perp_key perp_key_for(perp_key key, perp_work kind);

/* NULL: it has to be made. */
const perp_opened *perp_opened_find(perp_arena *a, const perp_key *key);

typedef struct perp_opening {
    perp_arena *arena;
    perp_mark mark;
    perp_opened *object;
} perp_opening;

/* No other object may be begun before this one ends: open what it is made of first. False: no
 * memory. */
bool perp_opened_begin(perp_arena *a, const perp_key *key, perp_opening *g);
/* A part that was allocated after the begin, parts in the order of their allocation. */
void perp_opened_part(perp_opening *g, void *part, size_t bytes);
/* Releases the arena to where it began, but for the parts, which may move. Never NULL. */
const perp_opened *perp_opened_end(perp_opening *g);

/* Is a matrix so large that what is made of it costs more than to name, move and keep that? */
bool perp_opened_pays(const perp_matrix *A);
/* perp_convert, opened once where that pays. */
perp_status perp_opened_convert(const perp_matrix *A, perp_format format, perp_arena *a,
                                perp_matrix *out, perp_error *e);

/* ---- for the driver ---- */

/* Release the arena to the mark, but for the objects above it, which move down to there. */
void perp_opened_release(perp_arena *a, perp_mark mark);
/* Copy the objects above the mark to memory of their own, then release. On a fixed arena, or
 * without memory: release only. */
void perp_opened_keep(perp_arena *a, perp_mark mark);

#endif
