/* cli/version.c: perp --version, with what perp was built with. */
#include "cli.h"
#include "perp_build.h" /* configured: PERP_BUILD_BLAS, PERP_BUILD_HDF5 */

#include <suitesparse/SuiteSparse_config.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

static const char *yes_or_no(bool b)
{
    return b ? "yes" : "no";
}

/* The kernels in use and, where they are old, what to do. */
static void print_kernels(FILE *out)
{
    const char *kernels = cli_blas_kernels(), *better = cli_blas_better();
    const char *replaced = cli_blas_replaced();
    if (!kernels) return;
    fprintf(out, "  BLAS kernels %s", kernels);
    if (better)
        fprintf(out,
                ": slow here, this processor supports newer ones; set OPENBLAS_CORETYPE=%s, or "
                "install a newer OpenBLAS",
                better);
    else if (replaced)
        fprintf(out, ", chosen by perp: OpenBLAS does not know this processor and chose %s",
                replaced);
    fputc('\n', out);
}

void cli_print_version(FILE *out)
{
    bool gpl = false, clones = false;
#ifdef PERP_GPL
    gpl = true;
#endif
#ifdef PERP_CLONES
    clones = true;
#endif
    fprintf(out, "perp %s\nBuilt with:\n", perp_version());
    fprintf(out, "  compiler     %s, %s build\n", COMPILER, PERP_BUILD_TYPE);
    fprintf(out, "  BLAS         %s\n", PERP_BUILD_BLAS);
    print_kernels(out);
    fprintf(out, "  SuiteSparse  %d.%d.%d, GPL parts: %s\n", SUITESPARSE_MAIN_VERSION,
            SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION, yes_or_no(gpl));
    fprintf(out, "  HDF5         %s\n", PERP_BUILD_HDF5);
    fprintf(out, "  AVX2 clones  %s\n", yes_or_no(clones));
    fputs("perp is under the MIT licence; docs/building.md tells about the libraries it links.\n",
          out);
}
