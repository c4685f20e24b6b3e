/* cli/blas.h: OpenBLAS, where it is the BLAS: its threads, and its kernels for this processor.
 *
 * For programs alone, the command and the benchmarks; a library leaves the BLAS of its caller as it
 * is. */
#ifndef PERP_CLI_BLAS_H
#define PERP_CLI_BLAS_H

/* Threads of OpenBLAS, unless the environment says their number. */
void cli_blas_threads(int count);

/* The kernels in use, as in "Haswell"; NULL: another BLAS, or one that does not tell. */
const char *cli_blas_kernels(void);
/* The value of OPENBLAS_CORETYPE that makes up for kernels without AVX2 on a processor that has it;
 * NULL: the kernels are not old, or this OpenBLAS has no others. */
const char *cli_blas_better(void);
/* Use those, unless the environment sets OPENBLAS_CORETYPE, and set it for programs that are
 * started from here. Call it first: nothing may have used BLAS before. */
void cli_blas_mend(void);
/* The kernels that cli_blas_mend replaced, in this process or in one that started it; NULL: none.
 */
const char *cli_blas_replaced(void);

#endif
