/* base/cache.h: what an arena keeps between solves, and what it counts (arena.c). */
#ifndef PERP_BASE_CACHE_H
#define PERP_BASE_CACHE_H

#include "perp/core.h"

#include <stdint.h>

/* A cached object is found by key and pinned until the arena is released to a mark taken before.
 * Find or add after a perp_alloc of the same scope, so that the pin lies above the mark. */
void *perp_cache_find(perp_arena *a, uint64_t key);
/* Takes over data; destroys it and returns false when the arena is fixed or out of memory. */
bool perp_cache_add(perp_arena *a, uint64_t key, void *data, void (*destroy)(void *data));
/* Would an object displace only such as neither this solve nor the one before it has used? Where a
 * solve makes more objects than are kept, they would displace each other in turn, and every later
 * solve would ask the system for memory. */
bool perp_cache_has_room(const perp_arena *a);

/* What perp_arena.work counts: work that is done once where nothing changes. */
typedef enum perp_work {
    PERP_WORK_CONVERSION, /* of a matrix to another format */
    PERP_WORK_BODIES,     /* bodies found from M and H */
    PERP_WORK_REDUCTION,  /* of a body form to a local form */
    PERP_WORK_CANONICAL,  /* W by sorted block rows */
    PERP_WORK_ORDER,      /* of elimination, or of a sweep */
    PERP_WORK_ANALYSIS,   /* symbolic, of a sparse factor */
    PERP_WORK_FACTOR,     /* numeric, of a sparse factor */
} perp_work;

/* ---- opened objects: core/opened.h has their use ---- */

#define PERP_OPENED_PARTS 5

/* An object is this header and some arrays. It is a pure function of what its key was made of, and
 * nobody writes to it once it is there. */
typedef struct perp_opened {
    struct perp_opened *next;
    uint64_t key[2];
    perp_work kind;
    int info[6];                     /* sizes and the like */
    int parts;                       /* arrays */
    void *part[PERP_OPENED_PARTS];   /* in the order of their addresses */
    size_t bytes[PERP_OPENED_PARTS]; /* of each */
    size_t end;                      /* in the arena: `used` behind it */
    size_t pinned_at;                /* a kept one: `used` when it was found; 0: nobody reads it */
    unsigned solve;                  /* a kept one: the solve that used it last */
    size_t capacity;                 /* a kept one: bytes of its block */
} perp_opened;

/* Does the arena keep anything between solves? One that counts for perp_bytes does as a fixed one
 * will. */
static inline bool perp_arena_keeps(const perp_arena *a)
{
    return !a->fixed && !a->counting;
}

/* For perp_count: m n numbers, and a list of them that grows by doubling and leaves what it had
 * behind, up to `most` entries of `size` bytes: the last room is less than twice that, and all
 * before it are less than the last. SIZE_MAX: more than a size_t holds. */
static inline size_t perp_count_product(size_t m, size_t n)
{
    return n > 0 && m > SIZE_MAX / 64 / n ? SIZE_MAX : m * n;
}

static inline size_t perp_count_doubled(size_t most)
{
    return most > SIZE_MAX / 64 ? SIZE_MAX : 4 * most + 256;
}

#define PERP_COUNT_LIMIT (SIZE_MAX / 2) /* bytes that no buffer has, where perp_count ends */

/* Memory of its own behind the arena, counted in `allocations`; size 0 frees. NULL: none, and never
 * from a fixed arena. */
void *perp_arena_resize(perp_arena *a, void *old, size_t size);

#endif
