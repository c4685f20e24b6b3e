/* peer_siconos.c: lexicographic Lemke of Siconos Numerics, through its own driver with its own
 * defaults, but for a limit on pivots that it does not reach. The driver copies the problem into a
 * tableau at each call and measures the result, as perp_solve does. */
#include "peer.h"

#include <limits.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#include <stdlib.h>
#include <string.h>

typedef struct siconos {
    LinearComplementarityProblem problem;
    SolverOptions *options;
    double *M, *q, *w;
} siconos;

static void close_lemke(void *state)
{
    siconos *s = state;
    if (s->options) solver_options_delete(s->options);
    if (s->problem.M) {
        s->problem.M->matrix0 = NULL; /* M is freed here */
        NM_free(s->problem.M);
    }
    free(s->options);
    free(s->M);
    free(s->q);
    free(s->w);
    free(s);
}

static double *copy_of(size_t count, const double *x)
{
    double *copy = malloc(count * sizeof *copy);
    if (copy) memcpy(copy, x, count * sizeof *copy);
    return copy;
}

static void *open_lemke(int n, const double *M, const double *q)
{
    siconos *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    numerics_set_verbose(0);
    s->M = copy_of((size_t)n * (size_t)n, M);
    s->q = copy_of((size_t)n, q);
    s->w = calloc((size_t)n, sizeof *s->w);
    s->options = solver_options_create(SICONOS_LCP_LEMKE);
    if (!s->M || !s->q || !s->w || !s->options) {
        close_lemke(s);
        return NULL;
    }
    s->options->iparam[SICONOS_IPARAM_MAX_ITER] = INT_MAX / 4;
    s->problem.size = n;
    s->problem.M = NM_create_from_data(NM_DENSE, n, n, s->M);
    s->problem.q = s->q;
    return s;
}

static int solve_lemke(void *state, double *z, int *iterations)
{
    siconos *s = state;
    memset(z, 0, (size_t)s->problem.size * sizeof *z);
    memset(s->w, 0, (size_t)s->problem.size * sizeof *s->w);
    int info = linearComplementarity_driver(&s->problem, z, s->w, s->options);
    *iterations = s->options->iparam[SICONOS_IPARAM_ITER_DONE];
    return info;
}

const peer siconos_lemke = {
    .name = "siconos/lemke", .open = open_lemke, .solve = solve_lemke, .close = close_lemke};
