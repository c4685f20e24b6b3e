/* cli/blas.c: threads of OpenBLAS.
 *
 * It starts one for each core by itself. On small problems they wait for each other most of the
 * time, on a busy machine nearly all of it; and their number is part of what the last bits of an
 * answer depend on. */
#include "cli.h"

#include <stdlib.h>

/* There only where OpenBLAS is the BLAS. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

void cli_blas_threads(int count)
{
    if (!getenv("OPENBLAS_NUM_THREADS") && openblas_set_num_threads)
        openblas_set_num_threads(count > 1 ? count : 1);
}
