/* tests/test_io_hdf5_guard.c: files that HDF5 would not survive, put together by hand. */
#include "io/hdf5.h"
#include "support.h"

#include <string.h>

#define HEAP 64  /* where the heap's prefix is */
#define DATA 128 /* where its blocks are */
#define SIZE 64  /* of the blocks together */
#define FILE_SIZE 256

static unsigned char file[FILE_SIZE];

static void put(int at, uint64_t x)
{
    for (int k = 0; k < 8; k++) file[at + k] = (unsigned char)(x >> 8 * k);
}

/* A superblock of version 0 and a heap whose first free block is at `first`. */
static void lay_out(uint64_t first)
{
    memset(file, 0, sizeof file);
    memcpy(file, "\x89HDF\r\n\x1a\n", 8);
    file[13] = file[14] = 8;
    memcpy(file + HEAP, "HEAP", 4);
    put(HEAP + 8, SIZE);
    put(HEAP + 16, first);
    put(HEAP + 24, DATA);
}

static bool survives(void)
{
    return perp_hdf5_survives(file, sizeof file);
}

START_TEST(lists)
{
    lay_out(1); /* no free block */
    ck_assert(survives());
    lay_out(8); /* 8 -> 40 -> end */
    put(DATA + 8, 40);
    put(DATA + 40, 1);
    ck_assert(survives());
    put(DATA + 40, 8); /* 8 -> 40 -> 8 */
    ck_assert(!survives());
    put(DATA + 8, 8); /* 8 -> 8 */
    ck_assert(!survives());
    put(DATA + 8, SIZE - 15); /* leaves the heap, which HDF5 sees */
    ck_assert(survives());
    put(DATA + 8, UINT64_MAX);
    ck_assert(survives());
}
END_TEST

START_TEST(overlaps)
{
    lay_out(1);
    put(HEAP + 24, HEAP + 31); /* the blocks begin in the prefix */
    ck_assert(!survives());
    put(HEAP + 24, HEAP + 32);
    ck_assert(survives());
    put(HEAP + 24, HEAP - SIZE + 1); /* and end in it */
    ck_assert(!survives());
    put(HEAP + 24, HEAP - SIZE);
    ck_assert(survives());
}
END_TEST

/* A heap that is not all in the file is HDF5's to refuse; a prefix cut off is no heap. */
START_TEST(outside)
{
    lay_out(8);
    put(DATA + 8, 8);
    put(HEAP + 24, FILE_SIZE - SIZE + 1);
    ck_assert(survives());
    put(HEAP + 24, UINT64_MAX);
    ck_assert(survives());
    put(HEAP + 24, DATA);
    put(HEAP + 8, UINT64_MAX);
    ck_assert(survives());
    put(HEAP + 8, 15);
    ck_assert(survives());
    lay_out(1);
    memcpy(file + FILE_SIZE - 5, "HHEAP", 5);
    ck_assert(survives());
}
END_TEST

START_TEST(superblocks)
{
    lay_out(1);
    ck_assert(!perp_hdf5_survives(file, 47));
    ck_assert(!perp_hdf5_survives(file, 0));
    file[13] = 4;
    ck_assert(!survives());
    lay_out(1);
    put(24, 512);
    ck_assert(!survives());
    lay_out(1);
    file[8] = 2; /* version 2 has its sizes elsewhere */
    ck_assert(!survives());
    file[9] = file[10] = 8;
    file[13] = 0;
    put(12, 0);
    ck_assert(survives());
    put(12, 64);
    ck_assert(!survives());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("hdf5_guard");
    TCase *tc = tcase_create("guard");
    tcase_add_test(tc, lists);
    tcase_add_test(tc, overlaps);
    tcase_add_test(tc, outside);
    tcase_add_test(tc, superblocks);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
