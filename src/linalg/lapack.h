/* linalg/lapack.h: prototypes of the Fortran BLAS and LAPACK routines perp calls.
 *
 * Arrays are column-major, every argument is a pointer, and each character argument has a hidden
 * length at the end of the list, as gfortran passes it. A bad argument makes the library's xerbla
 * print, so callers test sizes first (leading dimensions are at least 1, also for empty arrays). */
#ifndef PERP_LINALG_LAPACK_H
#define PERP_LINALG_LAPACK_H

#include <stddef.h>

/* y = alpha op(A) x + beta y;  A += alpha x y' */
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *A,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, size_t trans_len);
void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *A, const int *lda);
/* x = op(T)^-1 x */
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *T,
            const int *ldt, double *x, const int *incx, size_t uplo_len, size_t trans_len,
            size_t diag_len);
/* B = alpha op(T)^-1 B, or alpha B op(T)^-1 */
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *T, const int *ldt, double *B,
            const int *ldb, size_t side_len, size_t uplo_len, size_t trans_len, size_t diag_len);
/* B = alpha op(T) B, or alpha B op(T) */
void dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *T, const int *ldt, double *B,
            const int *ldb, size_t side_len, size_t uplo_len, size_t trans_len, size_t diag_len);
/* C = alpha A A' + beta C, one triangle */
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *A, const int *lda, const double *beta, double *C, const int *ldc,
            size_t uplo_len, size_t trans_len);
/* C = alpha op(A) op(B) + beta C */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t transa_len, size_t transb_len);

/* Rows first .. last of A, from 1, exchanged with those that pivot names */
void dlaswp_(const int *columns, double *A, const int *lda, const int *first, const int *last,
             const int *pivot, const int *step);
/* LU with partial pivoting: factor, solve, 1/cond */
void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *LU, const int *ldlu,
             const int *pivot, double *B, const int *ldb, int *info, size_t trans_len);
void dgecon_(const char *norm, const int *n, const double *LU, const int *ldlu, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t norm_len);

/* A = QR by reflections: R in the upper triangle */
void dgeqrf_(const int *m, const int *n, double *A, const int *lda, double *tau, double *work,
             const int *lwork, int *info);

/* Cholesky: factor, solve */
void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t uplo_len);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *L, const int *ldl,
             double *B, const int *ldb, int *info, size_t uplo_len);
/* Cholesky with the largest pivot first, until none is above tol; work has length 2 n */
void dpstrf_(const char *uplo, const int *n, double *A, const int *lda, int *pivot, int *rank,
             const double *tol, double *work, int *info, size_t uplo_len);
/* The inverse of a triangle, in its place */
void dtrtri_(const char *uplo, const char *diag, const int *n, double *T, const int *ldt, int *info,
             size_t uplo_len, size_t diag_len);

/* Singular values, and vectors where jobu and jobvt ask for them */
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *A,
             const int *lda, double *s, double *U, const int *ldu, double *Vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t jobu_len, size_t jobvt_len);

#endif
