/* suitesparse_memory.h: other allocation functions for SuiteSparse, before any matrix is made.
 *
 * Up to version 6 they are members of a variable, SuiteSparse_config; from version 7 on that
 * variable is hidden, and functions set them. */
#ifndef TESTS_SUITESPARSE_MEMORY_H
#define TESTS_SUITESPARSE_MEMORY_H

#include <suitesparse/SuiteSparse_config.h>

typedef struct suitesparse_memory {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *old, size_t size);
    void (*free)(void *p);
} suitesparse_memory;

static inline void set_suitesparse_memory(const suitesparse_memory *m)
{
#if SUITESPARSE_MAIN_VERSION >= 7
    SuiteSparse_config_malloc_func_set(m->malloc);
    SuiteSparse_config_calloc_func_set(m->calloc);
    SuiteSparse_config_realloc_func_set(m->realloc);
    SuiteSparse_config_free_func_set(m->free);
#else
    SuiteSparse_config.malloc_func = m->malloc;
    SuiteSparse_config.calloc_func = m->calloc;
    SuiteSparse_config.realloc_func = m->realloc;
    SuiteSparse_config.free_func = m->free;
#endif
}

#endif
