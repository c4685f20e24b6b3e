/* base/format.h: what belongs to a format of a matrix, in one row of a table.
 *
 * A format is a file format_NAME.c with its perp_matrix_ops and a row in matrix.c;
 * docs/architecture.md, "A matrix format", says what remains to be touched. */
#ifndef PERP_BASE_FORMAT_H
#define PERP_BASE_FORMAT_H

#include "perp/matrix.h"

typedef struct perp_matrix_ops {
    const char *name;  /* as `perp list` has it: "bsr3" */
    const char *title; /* in a sentence: "3x3 block rows" */
    /* Is the view valid, and is every value finite? The size has been checked; `name` is the
     * matrix's in the error. */
    perp_status (*check)(const perp_matrix *A, const char *name, perp_error *e);
    /* The structure alone, for a Jacobian's values to come. NULL: it is no format of Jacobians. */
    perp_status (*check_pattern)(const perp_matrix *A, const char *name, perp_error *e);
    /* As perp_mul and perp_mul_t say. The arrays of an empty matrix may be NULL. */
    void (*mul)(const perp_matrix *A, double a, const double *x, double b, double *y);
    void (*mul_t)(const perp_matrix *A, double a, const double *x, double b, double *y);

    /* What follows is NULL where the entries cannot be read. */
    long long (*count)(const perp_matrix *A);               /* values that are stored */
    void (*read_diagonal)(const perp_matrix *A, double *d); /* of a square matrix; d is 0 before */
    /* Every entry a_ij adds |a_ij| |x_j| to y_i; of A', |a_ij| |x_i| to y_j. */
    void (*add_sizes)(const perp_matrix *A, const double *x, double *y);
    void (*add_sizes_t)(const perp_matrix *A, const double *x, double *y);
    /* Every entry a_ij adds 1 to y_i; of A', to y_j. */
    void (*add_counts)(const perp_matrix *A, double *y);
    void (*add_counts_t)(const perp_matrix *A, double *y);
    /* (hi, lo) += A x and A' x in pairs (pair.h). */
    void (*add_pairs)(const perp_matrix *A, const double *x, double *hi, double *lo);
    void (*add_pairs_t)(const perp_matrix *A, const double *x, double *hi, double *lo);
    void (*add_to_dense)(const perp_matrix *A, double *x); /* x += A, column by column, ld = m */
    perp_status (*to_csc)(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e);
    /* A matrix of any format that has to_csc, in this one. NULL: there is no way to it. */
    perp_status (*from)(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e);
} perp_matrix_ops;

extern const perp_matrix_ops perp_format_absent, perp_format_dense, perp_format_csc,
    perp_format_bsr3, perp_format_operator, perp_format_dense_rows, perp_format_csr;

/* Entry (i, j), by bisection: columns are sorted. */
double perp_csc_entry(const struct perp_csc_view *v, int i, int j);

/* The rows, by perp_format; NULL between the bits (matrix.c). */
#define PERP_FORMATS (PERP_FORMAT_CSR + 1)
extern const perp_matrix_ops *const perp_formats[PERP_FORMATS];

/* NULL: no such format. */
static inline const perp_matrix_ops *perp_format_of(perp_format format)
{
    return (unsigned)format < PERP_FORMATS ? perp_formats[format] : NULL;
}

/* False: it is known by its products alone, or its format is unknown. */
static inline bool perp_has_entries(const perp_matrix *A)
{
    const perp_matrix_ops *ops = perp_format_of(A->format);
    return ops && ops->to_csc;
}

/* ---- what the formats share ---- */

static inline bool format_is_empty(const perp_matrix *A)
{
    return A->m == 0 || A->n == 0;
}

/* y = b y, without reading y when b = 0: it may hold NaN. */
static inline void format_scale(int n, double b, double *y)
{
    if (b == 0) {
        for (int i = 0; i < n; i++) y[i] = 0;
    } else if (b != 1) {
        for (int i = 0; i < n; i++) y[i] *= b;
    }
}

/* y = t + b y for one entry, under the same rule. */
static inline double format_blend(double t, double b, double y)
{
    return b == 0 ? t : t + b * y;
}

/* Parts of checks (view.c): n + 1 pointers that start at 0 and never fall; the first index outside
 * 0 .. limit - 1, or count; the first value that is not finite, or n; which row or column of valid
 * pointers holds an entry. */
perp_status perp_check_pointers(const int *p, int n, const char *name, perp_error *e);
int perp_find_outside(const int *index, int count, int limit);
size_t perp_find_not_finite(size_t n, const double *x);
int perp_find_owner(const int *p, int entry);
perp_status perp_refuse_null(const char *name, const char *field, perp_error *e);
perp_status perp_refuse_entry(const char *name, int row, int column, perp_error *e);

/* Parts of conversions (convert.c). p[k + 1] holds the count of k; make it the start of k + 1.
 * False: more than an int can count. */
bool perp_accumulate(int n, int *p);
perp_status perp_convert_no_memory(const perp_matrix *A, perp_error *e);
perp_status perp_convert_no_index(const perp_matrix *A, perp_error *e);

#endif
