/* base/format_transposed.h: the products of a format that stores rows, by those of the format that
 * stores the same numbers as columns. */
#ifndef PERP_BASE_FORMAT_TRANSPOSED_H
#define PERP_BASE_FORMAT_TRANSPOSED_H

#include "format.h"

/* mul, add_sizes and so on of a file that has transposed(A), A' as a view of the format `ops`. */
#define PERP_TRANSPOSED_PRODUCTS(ops)                                                              \
    static void mul(const perp_matrix *A, double a, const double *x, double b, double *y)          \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.mul_t(&T, a, x, b, y);                                                                 \
    }                                                                                              \
    static void mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)        \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.mul(&T, a, x, b, y);                                                                   \
    }                                                                                              \
    static void add_sizes(const perp_matrix *A, const double *x, double *y)                        \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.add_sizes_t(&T, x, y);                                                                 \
    }                                                                                              \
    static void add_sizes_t(const perp_matrix *A, const double *x, double *y)                      \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.add_sizes(&T, x, y);                                                                   \
    }                                                                                              \
    static void add_counts(const perp_matrix *A, double *y)                                        \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.add_counts_t(&T, y);                                                                   \
    }                                                                                              \
    static void add_counts_t(const perp_matrix *A, double *y)                                      \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.add_counts(&T, y);                                                                     \
    }                                                                                              \
    static void add_pairs(const perp_matrix *A, const double *x, double *hi, double *lo)           \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.add_pairs_t(&T, x, hi, lo);                                                            \
    }                                                                                              \
    static void add_pairs_t(const perp_matrix *A, const double *x, double *hi, double *lo)         \
    {                                                                                              \
        perp_matrix T = transposed(A);                                                             \
        ops.add_pairs(&T, x, hi, lo);                                                              \
    }

#endif
