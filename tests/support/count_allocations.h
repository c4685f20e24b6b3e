/* tests/support/count_allocations.h: all ways to get memory from the system, counted.
 *
 * With glibc they are replaced here, so that allocations of BLAS are seen too (one BLAS thread:
 * OPENBLAS_NUM_THREADS=1). A sanitizer replaces the same functions; then COUNTED is 0 and nothing
 * is counted. For one source file of a program; it defines _GNU_SOURCE before its first include. */
#ifndef PERP_COUNT_ALLOCATIONS_H
#define PERP_COUNT_ALLOCATIONS_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#if defined(__GLIBC__) && !defined(SANITIZED) && defined(SYS_mmap)
#define COUNTED 1
#else
#define COUNTED 0
#endif

static volatile bool counting;
static volatile long calls;

#if COUNTED
static void count_call(void)
{
    if (counting) calls = calls + 1;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

void *malloc(size_t size)
{
    count_call();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    count_call();
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    count_call();
    return __libc_realloc(old, size);
}

void free(void *p)
{
    count_call();
    __libc_free(p);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    count_call();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count_call();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    count_call();
    void *got = __libc_memalign(alignment, size);
    if (!got) return ENOMEM;
    *p = got;
    return 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    count_call();
#ifdef SYS_mmap2 /* on 32 bits: the offset counts pages */
    long got = syscall(SYS_mmap2, address, length, protection, flags, file, offset / 4096);
#else
    long got = syscall(SYS_mmap, address, length, protection, flags, file, offset);
#endif
    return (void *)got;
}

int munmap(void *address, size_t length)
{
    count_call();
    return (int)syscall(SYS_munmap, address, length);
}
#endif

#endif
