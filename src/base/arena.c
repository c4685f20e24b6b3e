/* base/arena.c: chunked bump allocator; chunks are kept until perp_arena_free.
 * Sizes are rounded up to 64 bytes, so `used` is exact whatever the chunks: the same allocations
 * fit in a fixed buffer of peak + 128 bytes (header and alignment). */
#include "cache.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#define ALIGN ((size_t)64)
#define FIRST_CHUNK ((size_t)4096)
#define CACHE_LIMIT 8 /* objects kept between solves; the least recently used goes */
#define CACHE_SOLVES                                                                               \
    2 /* solves, the one at hand among them, whose objects are worth their room                    \
       */
/* Bytes between two looks at the watch, a millisecond: new pages are zeroed when they are first
 * written to, which was more than half of the time that solvers with 1e6 unknowns took to open. */
#define LOOK ((size_t)1 << 20)
#define SMALL ((size_t)1 << 15) /* two numbers below it have a product */

struct perp_chunk {
    struct perp_chunk *next;
    unsigned char *base; /* aligned */
    size_t size, used;
};

struct perp_cached {
    struct perp_cached *next;
    uint64_t key;
    void *data;
    void (*destroy)(void *data);
    size_t pinned_at; /* a->used when found or added; 0: free to be found or evicted */
    unsigned solve;   /* a->solves when it was last found or added */
};

static void *resize(const perp_arena *a, void *old, size_t size)
{
    if (a->resize) return a->resize(a->ctx, old, size);
    if (size) return realloc(old, size);
    free(old);
    return NULL;
}

static unsigned char *align_up(void *p)
{
    uintptr_t u = (uintptr_t)p;
    return (unsigned char *)p + ((ALIGN - u % ALIGN) % ALIGN);
}

static void *take(struct perp_chunk *c, size_t bytes)
{
    if (!c || bytes > c->size - c->used) return NULL;
    void *p = c->base + c->used;
    c->used += bytes;
    return p;
}

/* size counts everything behind c, its own header and the alignment too. */
static void open_chunk(struct perp_chunk *c, size_t size)
{
    unsigned char *base = align_up(c + 1), *end = (unsigned char *)c + size;
    *c = (struct perp_chunk){.base = base, .size = base < end ? (size_t)(end - base) : 0};
}

void perp_arena_fixed(perp_arena *a, void *buffer, size_t size)
{
    *a = (perp_arena){.fixed = true};
    if (!buffer) return;
    uintptr_t skip = (uintptr_t)buffer % _Alignof(struct perp_chunk);
    skip = skip ? _Alignof(struct perp_chunk) - skip : 0;
    if (size < skip + sizeof(struct perp_chunk)) return;
    struct perp_chunk *c = (struct perp_chunk *)(void *)((unsigned char *)buffer + skip);
    open_chunk(c, size - skip);
    a->first = a->current = c;
}

static void *grow(perp_arena *a, size_t bytes)
{
    size_t last = a->current ? a->current->size : FIRST_CHUNK / 2;
    size_t want = bytes > 2 * last ? bytes : 2 * last;
    size_t total = sizeof(struct perp_chunk) + ALIGN + want;
    struct perp_chunk *c = resize(a, NULL, total);
    if (!c) return NULL;
    open_chunk(c, total);
    a->allocations++;
    if (a->current)
        a->current->next = c;
    else
        a->first = c;
    a->current = c;
    return take(c, bytes);
}

static size_t round_up(size_t bytes)
{
    return bytes > 0 ? (bytes + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
}

/* Sums stay at the limit, above which there is room for what is allocated there. */
void perp_count(perp_arena *a, size_t count, size_t size)
{
    if (!a->counting) return;
    bool fits = size == 0 || count <= PERP_COUNT_LIMIT / 2 / size;
    size_t bytes = fits ? round_up(count * size) : PERP_COUNT_LIMIT;
    bool within = a->used < PERP_COUNT_LIMIT && bytes < PERP_COUNT_LIMIT - a->used;
    a->used = within ? a->used + bytes : PERP_COUNT_LIMIT;
    if (a->used > a->peak) a->peak = a->used;
}

static void *count_use(perp_arena *a, size_t bytes, void *p)
{
    a->used += bytes;
    if (a->used > a->peak) a->peak = a->used;
    return p;
}

/* Who is asked to stop gets no memory: then a run ends where it opens the next array. */
static void *alloc_anywhere(perp_arena *a, size_t count, size_t size)
{
    bool large = size && count > LOOK / size, endless = size && count > SIZE_MAX / 4 / size;
    if (endless) perp_count(a, count, size);
    if (endless || (large && perp_watch_stops(a))) {
        a->failed = true;
        return NULL;
    }
    size_t bytes = round_up(count * size);
    void *p = take(a->current, bytes);
    while (!p && a->current && a->current->next) {
        a->current = a->current->next;
        a->current->used = 0;
        p = take(a->current, bytes);
    }
    if (!p && !a->fixed) p = grow(a, bytes);
    if (!p) {
        a->failed = a->starved = true;
        return NULL;
    }
    return count_use(a, bytes, p);
}

/* Small arrays in the chunk at hand, which are nearly all, need no division. */
void *perp_alloc_unset(perp_arena *a, size_t count, size_t size)
{
    if ((count | size) >= SMALL || count * size > LOOK) return alloc_anywhere(a, count, size);
    size_t bytes = round_up(count * size);
    void *p = take(a->current, bytes);
    return p ? count_use(a, bytes, p) : alloc_anywhere(a, count, size);
}

void *perp_alloc(perp_arena *a, size_t count, size_t size)
{
    unsigned char *p = perp_alloc_unset(a, count, size);
    size_t bytes = p ? count * size : 0;
    if (0 < bytes && bytes <= LOOK) return memset(p, 0, bytes);
    for (size_t at = 0; at < bytes; at += LOOK) {
        if (at > 0 && perp_watch_stops(a)) {
            a->failed = true;
            return NULL;
        }
        memset(p + at, 0, bytes - at < LOOK ? bytes - at : LOOK);
    }
    return p;
}

perp_mark perp_arena_mark(const perp_arena *a)
{
    return (perp_mark){a->current, a->current ? a->current->used : 0, a->used};
}

void perp_arena_release(perp_arena *a, perp_mark mark)
{
    a->current = mark.chunk ? mark.chunk : a->first;
    if (a->current) a->current->used = mark.chunk_used;
    a->used = mark.used;
    a->failed = false;
    for (struct perp_cached *c = a->cache; c; c = c->next) {
        if (c->pinned_at > mark.used) c->pinned_at = 0;
    }
    while (a->opened && a->opened->end > mark.used) a->opened = a->opened->next;
    for (perp_opened *k = a->kept; k; k = k->next) {
        if (k->pinned_at > mark.used) k->pinned_at = 0;
    }
}

void *perp_arena_resize(perp_arena *a, void *old, size_t size)
{
    if (a->fixed) return NULL;
    void *p = resize(a, old, size);
    if (p) a->allocations++;
    return p;
}

static void destroy_cached(const perp_arena *a, struct perp_cached *c)
{
    c->destroy(c->data);
    resize(a, c, 0);
}

void perp_arena_free(perp_arena *a)
{
    for (struct perp_cached *c = a->cache, *next; c; c = next) {
        next = c->next;
        destroy_cached(a, c);
    }
    for (perp_opened *k = a->kept, *next; k; k = next) {
        next = k->next;
        resize(a, k, 0);
    }
    for (struct perp_chunk *c = a->first, *next; c && !a->fixed; c = next) {
        next = c->next;
        resize(a, c, 0);
    }
    *a = (perp_arena){.resize = a->resize, .ctx = a->ctx, .fixed = a->fixed}; /* fixed: no room */
}

static void push_cached(perp_arena *a, struct perp_cached *c)
{
    c->next = a->cache;
    c->pinned_at = a->used;
    c->solve = a->solves;
    a->cache = c;
}

void *perp_cache_find(perp_arena *a, uint64_t key)
{
    for (struct perp_cached **at = &a->cache; *at; at = &(*at)->next) {
        struct perp_cached *c = *at;
        if (c->key != key || c->pinned_at) continue;
        *at = c->next;
        push_cached(a, c);
        return c->data;
    }
    return NULL;
}

static void evict_oldest(perp_arena *a)
{
    int count = 0;
    struct perp_cached **oldest = NULL;
    for (struct perp_cached **at = &a->cache; *at; at = &(*at)->next, count++) {
        if (!(*at)->pinned_at) oldest = at;
    }
    if (count < CACHE_LIMIT || !oldest) return;
    struct perp_cached *gone = *oldest;
    *oldest = gone->next;
    destroy_cached(a, gone);
}

bool perp_cache_has_room(const perp_arena *a)
{
    int count = 0;
    for (const struct perp_cached *c = a->cache; c; c = c->next, count++) {
        if (!c->pinned_at && a->solves - c->solve >= CACHE_SOLVES) return true;
    }
    return count < CACHE_LIMIT;
}

bool perp_cache_add(perp_arena *a, uint64_t key, void *data, void (*destroy)(void *data))
{
    struct perp_cached *c = a->fixed ? NULL : resize(a, NULL, sizeof *c);
    if (!c) {
        destroy(data);
        return false;
    }
    a->allocations++;
    evict_oldest(a);
    *c = (struct perp_cached){.key = key, .data = data, .destroy = destroy};
    push_cached(a, c);
    return true;
}
