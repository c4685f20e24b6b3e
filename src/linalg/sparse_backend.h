/* linalg/sparse_backend.h: what sparse.c asks of those who factor. */
#ifndef PERP_LINALG_SPARSE_BACKEND_H
#define PERP_LINALG_SPARSE_BACKEND_H

#include "sparse.h"

#define NO_MEMORY PERP_FACTOR_NO_MEMORY

/* What is kept for a pattern. */
typedef struct perp_analysis {
    perp_factor_kind kind;
    const struct perp_backend *by;
    int n, *p, *i;
    double *values; /* that the factors are of */
    bool factored;  /* there are factors, of these values */
    perp_arena own; /* where it is an object of the cache: its memory */
    perp_arena *memory;
    size_t at_open; /* bytes that open took */
    void *data;     /* the backend's */
} perp_analysis;

typedef struct perp_backend {
    const char *library; /* whose compute cannot be ended within; NULL: it looks at the watch */
    /* n > 0. False: no memory. */
    bool (*analyze)(perp_analysis *s);
    /* x is finite. As perp_factor_compute. */
    int (*compute)(perp_analysis *s, const double *x, const perp_watch *watch);
    int (*solve)(perp_analysis *s, bool transpose, const double *b, double *x);
    double (*rcond)(perp_analysis *s);
    double (*flops)(perp_analysis *s);
    double (*entries)(perp_analysis *s);
    /* Bytes that the last compute needed beyond those of the analysis; NULL: none. */
    size_t (*bytes)(const perp_analysis *s);
    /* Counts what computes may take beyond the analysis (perp_count); NULL: nothing. */
    void (*room)(perp_analysis *s);
    void (*free)(perp_analysis *s); /* what is not in `memory`; NULL: nothing */
} perp_backend;

extern const perp_backend perp_own_cholesky, perp_own_lu; /* sparse_own.c */

#ifdef PERP_GPL
extern const perp_backend perp_gpl_cholesky, perp_gpl_lu; /* sparse_gpl.c */
#endif

/* max |d| >= min |d|: their ratio. */
double perp_pivot_ratio(int n, const double *d);

#endif
