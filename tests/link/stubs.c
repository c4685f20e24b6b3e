/* tests/link/stubs.c: what archives of other solvers bring along: their own dpotrf_, whose integers
 * have 64 bits, and their own SuiteSparse_config, whose members are others. Each is used by the
 * function that the program calls, as in such archives. */
#include <stdint.h>

void dpotrf_(const char *uplo, const uint64_t *n, double *a, const uint64_t *lda, int64_t *info);
int stubs_solve(void);

/* Reads 8 bytes where perp's LAPACK has 4: n is enormous, and a is not. */
void dpotrf_(const char *uplo, const uint64_t *n, double *a, const uint64_t *lda, int64_t *info)
{
    (void)uplo;
    for (uint64_t k = 0; k < *n; k++) a[k * *lda + k] = 1;
    *info = 0;
}

struct other_config {
    int version;
    void *unused[12];
} SuiteSparse_config = {.version = 7};

int stubs_solve(void)
{
    double a = 4;
    uint64_t one = 1;
    int64_t info;
    dpotrf_("L", &one, &a, &one, &info);
    return (int)info + (SuiteSparse_config.version != 7) + (a != 1);
}
