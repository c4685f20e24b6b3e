/* perp/matrix.h: non-owning matrix views. perp never frees or writes what is behind one. */
#ifndef PERP_MATRIX_H
#define PERP_MATRIX_H

#include "perp/core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum perp_format {
    PERP_FORMAT_ABSENT = 0, /* a zero-initialised view: a zero matrix of the size its place asks for
                             */
    PERP_FORMAT_DENSE = 1,  /* column-major, leading dimension ld >= m */
    PERP_FORMAT_CSC = 2,    /* compressed columns; rows in any order, duplicates add up */
    PERP_FORMAT_BSR3 = 4,   /* compressed rows of 3x3 column-major blocks; m and n multiples of 3 */
    PERP_FORMAT_OPERATOR = 8,    /* products you supply */
    PERP_FORMAT_DENSE_ROWS = 16, /* row-major as numpy has it, ld >= n; a solve copies it once */
    PERP_FORMAT_CSR = 32, /* compressed rows as scipy has them, as free as CSC; copied likewise */
} perp_format;

struct perp_dense_view {
    const double *x;
    perp_index ld;
};
struct perp_csc_view {
    const perp_index *p, *i; /* p[0] = 0, length n + 1; i has length p[n] */
    const double *x;
};
struct perp_csr_view {
    const perp_index *p, *j; /* p[0] = 0, length m + 1; j has length p[m] */
    const double *x;
};
struct perp_bsr3_view {
    const perp_index *p, *j; /* p[0] = 0, length m/3 + 1; j has length p[m/3] */
    const double *x;         /* 9 values a block */
};
struct perp_operator { /* y = a A x + b y, and the same with A'; y is not read when b = 0 */
    void (*mul)(void *ctx, double a, const double *x, double b, double *y);
    void (*mul_t)(void *ctx, double a, const double *x, double b, double *y);
    void *ctx; /* yours, also to write to: one solve calls from one thread */
};

typedef struct perp_matrix {
    perp_format format;
    perp_index m, n;
    union {
        struct perp_dense_view dense;
        struct perp_csc_view csc;
        struct perp_csr_view csr;
        struct perp_bsr3_view bsr3;
        struct perp_operator op;
        void *reserved[5];
    } as;
} perp_matrix;

static inline perp_matrix perp_dense(perp_index m, perp_index n, const double *x)
{
    perp_matrix A;
    A.format = PERP_FORMAT_DENSE;
    A.m = m;
    A.n = n;
    A.as.dense.x = x;
    A.as.dense.ld = m > 1 ? m : 1;
    return A;
}

static inline perp_matrix perp_csc(perp_index m, perp_index n, const perp_index *p,
                                   const perp_index *i, const double *x)
{
    perp_matrix A;
    A.format = PERP_FORMAT_CSC;
    A.m = m;
    A.n = n;
    A.as.csc.p = p;
    A.as.csc.i = i;
    A.as.csc.x = x;
    return A;
}

static inline perp_matrix perp_dense_rows(perp_index m, perp_index n, const double *x)
{
    perp_matrix A = perp_dense(m, n, x);
    A.format = PERP_FORMAT_DENSE_ROWS;
    A.as.dense.ld = n > 1 ? n : 1;
    return A;
}

static inline perp_matrix perp_csr(perp_index m, perp_index n, const perp_index *p,
                                   const perp_index *j, const double *x)
{
    perp_matrix A;
    A.format = PERP_FORMAT_CSR;
    A.m = m;
    A.n = n;
    A.as.csr.p = p;
    A.as.csr.j = j;
    A.as.csr.x = x;
    return A;
}

/* mb x nb blocks of 3x3 */
static inline perp_matrix perp_bsr3(perp_index mb, perp_index nb, const perp_index *p,
                                    const perp_index *j, const double *x)
{
    perp_matrix A;
    const perp_index most = 715827882; /* 3 times that is an int */
    A.format = PERP_FORMAT_BSR3;
    A.m = mb >= 0 && mb <= most ? 3 * mb : -1;
    A.n = nb >= 0 && nb <= most ? 3 * nb : -1;
    A.as.bsr3.p = p;
    A.as.bsr3.j = j;
    A.as.bsr3.x = x;
    return A;
}

/* y = a A x + b y, and y = a A' x + b y. y is not read when b = 0. The view must be valid. */
PERP_API void perp_mul(const perp_matrix *A, double a, const double *x, double b, double *y);
PERP_API void perp_mul_t(const perp_matrix *A, double a, const double *x, double b, double *y);

/* The same matrix in another format, in the arena; the view itself when it is in that format
 * already. An operator is never assembled: PERP_E_FORMAT. error may be NULL. */
PERP_API perp_status perp_convert(const perp_matrix *A, perp_format format, perp_arena *a,
                                  perp_matrix *out, perp_error *error);

#ifdef __cplusplus
}
#endif
#endif
