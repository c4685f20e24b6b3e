/* cli/blas.c: threads and kernels of OpenBLAS.
 *
 * Threads: it starts one for each core by itself. On small problems they wait for each other most
 * of the time, on a busy machine nearly all of it; and their number is part of what the last bits
 * of an answer depend on.
 *
 * Kernels: OpenBLAS chooses them when it is loaded, by the model of the processor. A version that
 * is older than the processor does not know the model and takes those for Prescott (2004, SSE3):
 * 0.3.21 does so on Intel's Emerald Rapids, where Lemke's method at n = 1000 then takes 2.5 times
 * as long (perp generate pd --size=1000). What the processor can do is known from its flags, so the
 * choice is made again, as OPENBLAS_CORETYPE would have it: gotoblas_dynamic_quit forgets the table
 * of kernels, gotoblas_dynamic_init reads the environment and fills it. That takes 20 microseconds;
 * starting the program again would take 4 milliseconds. */
#include "blas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CORETYPE "OPENBLAS_CORETYPE"
#define REPLACED "PERP_BLAS_REPLACED" /* kernels that OpenBLAS had chosen itself */

/* There only where OpenBLAS is the BLAS; the last two where it was built with DYNAMIC_ARCH. */
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern char *openblas_get_corename(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));
extern void gotoblas_dynamic_init(void) __attribute__((weak));

void cli_blas_threads(int count)
{
    if (!getenv("OPENBLAS_NUM_THREADS") && openblas_set_num_threads)
        openblas_set_num_threads(count > 1 ? count : 1);
}

const char *cli_blas_kernels(void)
{
    return openblas_get_corename ? openblas_get_corename() : NULL;
}

/* Kernels without AVX2. Excavator has AVX2, and its own kernels were chosen for it. */
static bool is_old(const char *kernels)
{
    static const char *const old[] = {
        "Katmai", "Coppermine", "Northwood", "Prescott",   "Banias",       "Atom",
        "Core2",  "Penryn",     "Nehalem",   "Dunnington", "Opteron_SSE3", "Opteron",
        "Athlon", "Barcelona",  "Nano",      "Bobcat",     "Unknown",      "Sandybridge"};
    for (size_t k = 0; k < sizeof old / sizeof old[0]; k++) {
        if (strcmp(kernels, old[k]) == 0) return true;
    }
    return false;
}

/* The best that the processor and the system support; NULL: no AVX2. */
static const char *find_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    return NULL;
}

const char *cli_blas_better(void)
{
    const char *kernels = cli_blas_kernels();
    if (!kernels || !gotoblas_dynamic_quit || !gotoblas_dynamic_init) return NULL;
    return is_old(kernels) ? find_best() : NULL;
}

static void choose_again(void)
{
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
}

/* A version before 2018 has no SkylakeX, and one built by an old compiler no AVX2 at all. */
void cli_blas_mend(void)
{
    const char *better = cli_blas_better(), *old = cli_blas_kernels();
    if (!better || getenv(CORETYPE)) return;
    const char *const choices[] = {better, "Haswell"};
    for (int k = 0; k < 2 && cli_blas_better(); k++) {
        if (setenv(CORETYPE, choices[k], 1)) return;
        choose_again();
    }
    if (!cli_blas_better()) {
        setenv(REPLACED, old, 1);
        return;
    }
    unsetenv(CORETYPE);
    choose_again();
}

const char *cli_blas_replaced(void)
{
    return getenv(REPLACED);
}
