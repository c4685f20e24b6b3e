/* base/matrix.c: the table of formats, and y = a A x + b y and y = a A' x + b y for each.
 * Plain loops in a fixed order (format_*.c): no BLAS, so that small sizes pay nothing and the bits
 * do not depend on a thread count; the certificate stands on these products. */
#include "format.h"

const perp_matrix_ops *const perp_formats[PERP_FORMATS] = {
    [PERP_FORMAT_ABSENT] = &perp_format_absent,
    [PERP_FORMAT_DENSE] = &perp_format_dense,
    [PERP_FORMAT_CSC] = &perp_format_csc,
    [PERP_FORMAT_BSR3] = &perp_format_bsr3,
    [PERP_FORMAT_OPERATOR] = &perp_format_operator,
    [PERP_FORMAT_DENSE_ROWS] = &perp_format_dense_rows,
    [PERP_FORMAT_CSR] = &perp_format_csr,
};

void perp_mul(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    perp_formats[A->format]->mul(A, a, x, b, y);
}

void perp_mul_t(const perp_matrix *A, double a, const double *x, double b, double *y)
{
    perp_formats[A->format]->mul_t(A, a, x, b, y);
}
