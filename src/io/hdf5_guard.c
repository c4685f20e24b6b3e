/* io/hdf5_guard.c: keep from HDF5 what it is known not to survive.
 *
 * HDF5 1.10 walks the list of free blocks in a group's heap of names without counting, so a list
 * that bites its own tail keeps it for ever, and it crashes where a heap's blocks lie over the
 * heap's own prefix (both found by fuzzing). Heaps are looked through here first, by the file
 * format: "The HDF5 File Format Specification", version 3.0, sections II (superblock) and
 * III.D (local heaps). Files that begin anywhere but at 0 or have other than 8-byte addresses could
 * hide their heaps from this look; nobody writes them, and they are refused. One pass over the
 * bytes. */
#include "hdf5.h"

#include <string.h>

#define HEAP_PREFIX 32 /* "HEAP", version and 3 spare bytes, size, first free block, address */
#define FREE_BLOCK 16  /* next, size */
#define LAST_BLOCK 1   /* as an offset: no further block */

/* Little-endian. */
static uint64_t number(const unsigned char *at)
{
    uint64_t x = 0;
    for (int k = 7; k >= 0; k--) x = x << 8 | at[k];
    return x;
}

/* Addresses and lengths of 8 bytes, counted from the first byte of the file. */
static bool begins_plainly(const unsigned char *file, size_t length)
{
    if (length < 48) return false;
    if (file[8] <= 1) return file[13] == 8 && file[14] == 8 && number(file + 24) == 0;
    return file[9] == 8 && file[10] == 8 && number(file + 12) == 0;
}

/* Does the list of free blocks end, or leave the heap, where HDF5 notices, and are the blocks
 * elsewhere than the prefix? */
static bool is_sound(const unsigned char *file, size_t length, const unsigned char *heap)
{
    uint64_t size = number(heap + 8), at = number(heap + 16), data = number(heap + 24);
    uint64_t prefix = (uint64_t)(heap - file);
    if (data > length || size > length - data) return true;
    if (data < prefix + HEAP_PREFIX && prefix < data + size) return false;
    for (uint64_t steps = 0; at != LAST_BLOCK; steps++) {
        if (size < FREE_BLOCK || at > size - FREE_BLOCK) return true;
        if (steps > size / FREE_BLOCK) return false;
        at = number(file + data + at);
    }
    return true;
}

bool perp_hdf5_survives(const void *bytes, size_t length)
{
    const unsigned char *file = bytes, *end = file + length, *at = file;
    if (!begins_plainly(file, length)) return false;
    while ((at = memchr(at, 'H', (size_t)(end - at))) && end - at >= HEAP_PREFIX) {
        if (memcmp(at, "HEAP", 4) == 0 && !is_sound(file, length, at)) return false;
        at++;
    }
    return true;
}
