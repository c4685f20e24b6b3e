/* test_arena.c: alignment, marks, growth, fixed buffers, failing memory, and the cache. */
#include "base/cache.h"
#include "support.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

START_TEST(memory_is_aligned_and_zeroed)
{
    perp_arena a = {0};
    for (size_t k = 0; k < 300; k++) {
        unsigned char *p = perp_alloc(&a, k, 3);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq((uintptr_t)p % 64, 0);
        for (size_t i = 0; i < 3 * k; i++) ck_assert_uint_eq(p[i], 0);
        memset(p, 0xff, 3 * k);
    }
    perp_arena_free(&a);
    ck_assert_uint_eq(a.used, 0);
    ck_assert_ptr_null(a.first);
}
END_TEST

START_TEST(blocks_do_not_overlap)
{
    perp_arena a = {0};
    unsigned char *p[200];
    for (int k = 0; k < 200; k++) {
        p[k] = perp_alloc(&a, (size_t)(k * 37 % 900), 1);
        memset(p[k], k, (size_t)(k * 37 % 900));
    }
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < k * 37 % 900; i++) ck_assert_int_eq(p[k][i], k);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(releasing_gives_the_same_memory_again)
{
    perp_arena a = {0};
    perp_alloc(&a, 10, 8);
    perp_mark mark = perp_arena_mark(&a);
    void *first = perp_alloc(&a, 1000, 8), *second = perp_alloc(&a, 100000, 8);
    unsigned before = a.allocations;
    size_t peak = a.peak;
    for (int k = 0; k < 5; k++) {
        perp_arena_release(&a, mark);
        ck_assert_ptr_eq(perp_alloc(&a, 1000, 8), first);
        ck_assert_ptr_eq(perp_alloc(&a, 100000, 8), second);
    }
    ck_assert_uint_eq(a.allocations, before);
    ck_assert_uint_eq(a.peak, peak);
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_mark_of_an_empty_arena_releases_everything)
{
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    perp_alloc(&a, 5000, 8);
    perp_arena_release(&a, mark);
    ck_assert_uint_eq(a.used, 0);
    unsigned before = a.allocations;
    ck_assert_ptr_nonnull(perp_alloc(&a, 5000, 8));
    ck_assert_uint_eq(a.allocations, before);
    perp_arena_free(&a);
}
END_TEST

START_TEST(failure_is_sticky_until_released)
{
    for (int granted = 0; granted < 6; granted++) {
        supply memory = {.left = granted};
        perp_arena a = {.resize = scarce, .ctx = &memory};
        perp_mark mark = perp_arena_mark(&a);
        int served = 0;
        for (int k = 0; k < 6; k++) served += perp_alloc(&a, 100000u << k, 1) != NULL;
        ck_assert_int_eq(served, granted);
        ck_assert_int_eq(a.failed, granted < 6);
        perp_alloc(&a, 1, 1);
        ck_assert(a.failed);
        perp_arena_release(&a, mark);
        ck_assert(!a.failed);
        perp_arena_free(&a);
        ck_assert_int_eq(memory.out, 0);
    }
}
END_TEST

START_TEST(overflowing_sizes_fail)
{
    perp_arena a = {0};
    ck_assert_ptr_null(perp_alloc(&a, SIZE_MAX, 8));
    ck_assert_ptr_null(perp_alloc(&a, SIZE_MAX / 8, 16));
    ck_assert_ptr_null(perp_alloc(&a, 1, SIZE_MAX));
    ck_assert(a.failed);
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_fixed_buffer_of_the_peak_is_enough_at_any_alignment)
{
    perp_arena a = {0};
    for (size_t k = 0; k < 40; k++) perp_alloc(&a, k * 31, 1);
    size_t need = a.peak + 128;
    perp_arena_free(&a);
    unsigned char *buffer = malloc(need + 64);
    for (size_t shift = 0; shift < 64; shift++) {
        perp_arena_fixed(&a, buffer + shift, need);
        for (size_t k = 0; k < 40; k++) memset(perp_alloc(&a, k * 31, 1), 1, k * 31);
        ck_assert(!a.failed);
        ck_assert_uint_eq(a.allocations, 0);
        ck_assert_ptr_null(perp_alloc(&a, 4096, 1));
        ck_assert(a.failed);
        perp_arena_free(&a);
    }
    free(buffer);
}
END_TEST

START_TEST(tiny_and_missing_buffers_refuse)
{
    unsigned char buffer[200];
    for (size_t size = 0; size <= sizeof buffer; size++) {
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        ck_assert_ptr_null(perp_alloc(&a, 200, 1));
        ck_assert(a.failed);
        perp_arena_free(&a);
    }
    perp_arena a;
    perp_arena_fixed(&a, NULL, 1000);
    ck_assert_ptr_null(perp_alloc(&a, 1, 1));
}
END_TEST

static int destroyed;

static void destroy(void *data)
{
    destroyed++;
    free(data);
}

START_TEST(a_cached_object_is_pinned_until_released)
{
    perp_arena a = {0};
    destroyed = 0;
    perp_mark mark = perp_arena_mark(&a);
    perp_alloc(&a, 1, 1);
    void *data = malloc(1);
    ck_assert_ptr_null(perp_cache_find(&a, 7));
    ck_assert(perp_cache_add(&a, 7, data, destroy));
    ck_assert_ptr_null(perp_cache_find(&a, 7)); /* pinned */
    perp_arena_release(&a, mark);
    perp_alloc(&a, 1, 1);
    ck_assert_ptr_eq(perp_cache_find(&a, 7), data);
    perp_mark inner = perp_arena_mark(&a);
    perp_alloc(&a, 1, 1);
    ck_assert(perp_cache_add(&a, 7, malloc(1), destroy));
    perp_arena_release(&a, inner); /* frees the inner one only */
    perp_alloc(&a, 1, 1);
    ck_assert_ptr_ne(perp_cache_find(&a, 7), data);
    perp_arena_free(&a);
    ck_assert_int_eq(destroyed, 2);
}
END_TEST

START_TEST(the_least_recently_used_object_is_evicted)
{
    perp_arena a = {0};
    destroyed = 0;
    perp_mark mark = perp_arena_mark(&a);
    for (uint64_t key = 1; key <= 9; key++) {
        perp_alloc(&a, 1, 1);
        if (key == 9) ck_assert_ptr_nonnull(perp_cache_find(&a, 1));
        perp_arena_release(&a, mark);
        perp_alloc(&a, 1, 1);
        ck_assert(perp_cache_add(&a, key, malloc(1), destroy));
        perp_arena_release(&a, mark);
    }
    ck_assert_int_eq(destroyed, 1);
    perp_alloc(&a, 1, 1);
    ck_assert_ptr_nonnull(perp_cache_find(&a, 1));
    ck_assert_ptr_null(perp_cache_find(&a, 2));
    perp_arena_free(&a);
    ck_assert_int_eq(destroyed, 9);
}
END_TEST

/* A solve that makes more objects than are kept displaces none of its own, nor of the one before.
 */
START_TEST(a_full_cache_has_room_for_later_solves)
{
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    for (uint64_t key = 1; key <= 8; key++) {
        ck_assert(perp_cache_has_room(&a));
        perp_alloc(&a, 1, 1);
        ck_assert(perp_cache_add(&a, key, malloc(1), destroy));
        perp_arena_release(&a, mark);
    }
    for (a.solves = 0; a.solves < 2; a.solves++) ck_assert(!perp_cache_has_room(&a));
    ck_assert(perp_cache_has_room(&a));
    for (uint64_t key = 1; key <= 8; key++) {
        perp_alloc(&a, 1, 1);
        ck_assert_ptr_nonnull(perp_cache_find(&a, key)); /* in use, and just used */
    }
    ck_assert(!perp_cache_has_room(&a));
    perp_arena_release(&a, mark);
    ck_assert(!perp_cache_has_room(&a));
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_fixed_or_starved_arena_caches_nothing)
{
    static unsigned char buffer[1024];
    supply none = {0};
    perp_arena a;
    destroyed = 0;
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert(!perp_cache_add(&a, 1, malloc(1), destroy));
    ck_assert_int_eq(destroyed, 1);
    a = (perp_arena){.resize = scarce, .ctx = &none};
    ck_assert(!perp_cache_add(&a, 1, malloc(1), destroy));
    ck_assert_int_eq(destroyed, 2);
    perp_arena_free(&a);
}
END_TEST

/* In a run of perp_bytes: as if it were allocated, up to a limit that no sum leaves; elsewhere it
 * is nothing. */
START_TEST(counted)
{
    perp_arena a = {0}, c = {.counting = true};
    perp_count(&a, 1000, 8);
    ck_assert_uint_eq(a.peak, 0);
    perp_mark mark = perp_arena_mark(&c);
    perp_count(&c, 1000, 8);
    perp_count(&c, 0, 8);
    ck_assert_uint_eq(c.used, 8000 + 64);
    ck_assert_ptr_nonnull(perp_alloc(&c, 10, 10));
    ck_assert_uint_eq(c.used, 8000 + 64 + 128);
    perp_arena_release(&c, mark);
    ck_assert_uint_eq(c.used, 0);
    ck_assert_uint_eq(c.peak, 8000 + 64 + 128);
    ck_assert_uint_eq(c.allocations, 1);
    for (int k = 0; k < 3; k++) perp_count(&c, SIZE_MAX / 3, 2);
    ck_assert_uint_eq(c.peak, PERP_COUNT_LIMIT);
    ck_assert_ptr_nonnull(perp_alloc(&c, 1, 1)); /* what is small is there all the same */
    perp_arena_release(&c, mark);
    ck_assert(!c.failed && !c.starved);
    ck_assert_ptr_null(perp_alloc(&c, SIZE_MAX / 2, 4));
    ck_assert(c.failed);
    perp_arena_free(&c);
    ck_assert(perp_arena_keeps(&a));
    c.counting = true;
    ck_assert(!perp_arena_keeps(&c));
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("arena");
    tcase_add_test(t, memory_is_aligned_and_zeroed);
    tcase_add_test(t, counted);
    tcase_add_test(t, blocks_do_not_overlap);
    tcase_add_test(t, releasing_gives_the_same_memory_again);
    tcase_add_test(t, a_mark_of_an_empty_arena_releases_everything);
    tcase_add_test(t, failure_is_sticky_until_released);
    tcase_add_test(t, overflowing_sizes_fail);
    tcase_add_test(t, a_fixed_buffer_of_the_peak_is_enough_at_any_alignment);
    tcase_add_test(t, tiny_and_missing_buffers_refuse);
    tcase_add_test(t, a_cached_object_is_pinned_until_released);
    tcase_add_test(t, the_least_recently_used_object_is_evicted);
    tcase_add_test(t, a_full_cache_has_room_for_later_solves);
    tcase_add_test(t, a_fixed_or_starved_arena_caches_nothing);
    Suite *s = suite_create("arena");
    suite_add_tcase(s, t);
    return support_run(s);
}
