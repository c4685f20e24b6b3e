/* peer_siconos.c: LCP solvers of Siconos Numerics, through its own driver with its own defaults,
 * but for the tolerance, which is perp's, and for limits on iterations that are not reached within
 * the time. The driver measures the result at the end of each call, as perp_solve does. */
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

static void close_siconos(void *state)
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

static void *open_siconos(const peer *self, const perp_problem *problem, double tol)
{
    const perp_lcp *p = &problem->as.lcp;
    size_t n = (size_t)p->n;
    siconos *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    numerics_set_verbose(0);
    s->M = copy_of(n * n, p->M.as.dense.x);
    s->q = copy_of(n, p->q);
    s->w = calloc(n, sizeof *s->w);
    s->options = solver_options_create(self->choice);
    if (!s->M || !s->q || !s->w || !s->options) {
        close_siconos(s);
        return NULL;
    }
    s->options->iparam[SICONOS_IPARAM_MAX_ITER] = INT_MAX / 4;
    s->options->dparam[SICONOS_DPARAM_TOL] = tol;
    s->problem.size = p->n;
    s->problem.M = NM_create_from_data(NM_DENSE, p->n, p->n, s->M);
    s->problem.q = s->q;
    return s;
}

static int solve_siconos(void *state, double *z, int *iterations)
{
    siconos *s = state;
    memset(z, 0, (size_t)s->problem.size * sizeof *z);
    memset(s->w, 0, (size_t)s->problem.size * sizeof *s->w);
    int info = linearComplementarity_driver(&s->problem, z, s->w, s->options);
    *iterations = s->options->iparam[SICONOS_IPARAM_ITER_DONE];
    return info;
}

#define SICONOS(text, id)                                                                          \
    {                                                                                              \
        .name = "siconos/" text, .choice = id, .reads = PERP_FORMAT_DENSE, .open = open_siconos,   \
        .solve = solve_siconos, .close = close_siconos                                             \
    }

const peer siconos_peers[] = {
    SICONOS("lemke", SICONOS_LCP_LEMKE),
    SICONOS("pivot", SICONOS_LCP_PIVOT),
    SICONOS("pgs", SICONOS_LCP_PGS),
    SICONOS("cpg", SICONOS_LCP_CPG),
    SICONOS("latin", SICONOS_LCP_LATIN),
    SICONOS("psor", SICONOS_LCP_PSOR),
    SICONOS("rpgs", SICONOS_LCP_RPGS),
    SICONOS("bard", SICONOS_LCP_BARD),
    SICONOS("murty", SICONOS_LCP_MURTY),
    SICONOS("avi", SICONOS_LCP_AVI_CAOFERRIS),
    SICONOS("lumod", SICONOS_LCP_PIVOT_LUMOD),
    SICONOS("pg", SICONOS_LCP_CONVEXQP_PG),
    SICONOS("newton_min", SICONOS_LCP_NEWTONMIN),
    SICONOS("newton_min_fb", SICONOS_LCP_NEWTON_MIN_FBLSA),
    SICONOS("newton_fb", SICONOS_LCP_NEWTON_FB_FBLSA),
    {0},
};
