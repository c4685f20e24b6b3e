/* base/cache.h: what an arena keeps between solves (arena.c); the one thing of core a kernel knows.
 */
#ifndef PERP_BASE_CACHE_H
#define PERP_BASE_CACHE_H

#include "perp/core.h"

#include <stdint.h>

/* A cached object is found by key and pinned until the arena is released to a mark taken before.
 * Find or add after a perp_alloc of the same scope, so that the pin lies above the mark. */
void *perp_cache_find(perp_arena *a, uint64_t key);
/* Takes over data; destroys it and returns false when the arena is fixed or out of memory. */
bool perp_cache_add(perp_arena *a, uint64_t key, void *data, void (*destroy)(void *data));

#endif
