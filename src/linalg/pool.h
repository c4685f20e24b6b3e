/* linalg/pool.h: room in an arena for what grows while it is computed.
 *
 * A list of chunks that is filled again and again from its beginning: the columns of a factor,
 * whose number of entries is known when they are there. Chunks are the arena's and stay until that
 * is released; each new one is half as large as all before it. */
#ifndef PERP_LINALG_POOL_H
#define PERP_LINALG_POOL_H

#include "perp/core.h"

#include <string.h>

#define PERP_POOL_ALIGN ((size_t)8)

typedef struct perp_pool_chunk {
    struct perp_pool_chunk *next;
    unsigned char *data;
    size_t size, used;
} perp_pool_chunk;

typedef struct perp_pool {
    perp_pool_chunk *first, *current;
    size_t total; /* bytes of all chunks up to the current one */
    size_t least; /* bytes of the first */
} perp_pool;

/* Forget what is in it. */
static inline void perp_pool_reset(perp_pool *pool)
{
    pool->current = pool->first;
    pool->total = pool->first ? pool->first->size : 0;
    if (pool->first) pool->first->used = 0;
}

/* A chunk of `want` bytes; of `need` where the arena has no more. */
static inline perp_pool_chunk *perp_pool_chunk_new(perp_arena *a, size_t want, size_t need)
{
    perp_mark mark = perp_arena_mark(a);
    perp_pool_chunk *c = perp_alloc_unset(a, 1, sizeof *c + want);
    if (!c && need < want) {
        perp_arena_release(a, mark);
        want = need;
        c = perp_alloc_unset(a, 1, sizeof *c + want);
    }
    if (c) *c = (perp_pool_chunk){.data = (unsigned char *)(c + 1), .size = want};
    return c;
}

/* A chunk that has room for so many bytes becomes the current one. False: no memory. */
static inline bool perp_pool_advance(perp_pool *pool, perp_arena *a, size_t bytes)
{
    perp_pool_chunk **at = pool->current ? &pool->current->next : &pool->first;
    while (*at && (*at)->size < bytes) at = &(*at)->next;
    if (!*at) {
        size_t want = pool->total / 2 > pool->least ? pool->total / 2 : pool->least;
        *at = perp_pool_chunk_new(a, want > bytes ? want : bytes, bytes);
        if (!*at) return false;
    }
    (*at)->used = 0;
    pool->total += (*at)->size;
    pool->current = *at;
    return true;
}

/* NULL: no memory. Nothing is zeroed. */
static inline void *perp_pool_take(perp_pool *pool, perp_arena *a, size_t count, size_t size)
{
    size_t bytes = (count * size + PERP_POOL_ALIGN - 1) / PERP_POOL_ALIGN * PERP_POOL_ALIGN;
    if (!pool->current || pool->current->size - pool->current->used < bytes) {
        if (!perp_pool_advance(pool, a, bytes)) return NULL;
    }
    void *p = pool->current->data + pool->current->used;
    pool->current->used += bytes;
    return p;
}

/* The block that was taken last, of `count` doubles, with `more` of them: it may move. */
static inline double *perp_pool_extend(perp_pool *pool, perp_arena *a, double *old, size_t count,
                                       size_t more)
{
    perp_pool_chunk *c = pool->current;
    if ((c->size - c->used) / sizeof *old >= more) {
        c->used += more * sizeof *old;
        return old;
    }
    double *to = perp_pool_take(pool, a, count + more, sizeof *to);
    return to ? memcpy(to, old, count * sizeof *to) : NULL;
}

#endif
