/* peer_siconos_mcp.c: the MCP and NCP solvers of Siconos Numerics on nonlinear problems, through
 * its own drivers with its own defaults, but for the tolerance, which is perp's. Its mixed problems
 * have equations for free unknowns, first, and z >= 0 for the others, its NCPs the latter alone:
 * boxes it cannot say. What F and its Jacobian are where they are undefined it cannot ask; it gets
 * NaN there. */
#include "peer.h"

#include <math.h>
#include <siconos/numerics/MCP_Solvers.h>
#include <siconos/numerics/MCP_cst.h>
#include <siconos/numerics/MixedComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <stdlib.h>
#include <string.h>

#define MOST 600 /* unknowns: matrices are dense */

/* Debian's package has no headers for the NCP; numbers and fields are those of the 4.4 series. The
 * third solver, ncp_pathsearch, crashes as it frees its own data and is left out. */
enum { NCP_NEWTON_FB = 900, NCP_NEWTON_MIN = 901 };
struct NonlinearComplementarityProblem {
    unsigned n;
    void (*compute_F)(void *env, int n, double *z, double *F);
    void (*compute_nabla_F)(void *env, int n, double *z, NumericsMatrix *J);
    NumericsMatrix *nabla_F;
    void *env;
};

typedef struct mixed {
    MixedComplementarityProblem *problem; /* NULL: ncp is meant */
    NonlinearComplementarityProblem ncp;
    SolverOptions *options;
    const perp_map *F;
    int n, *order; /* the unknown that Siconos has at each place */
    double *z, *own_z, *own_F, *values, *w;
} mixed;

static const perp_map *map_of(const perp_problem *p)
{
    return p->kind == PERP_KIND_NCP ? &p->as.ncp.F : &p->as.mcp.F;
}

static void to_own(const mixed *m, const double *z)
{
    for (int k = 0; k < m->n; k++) m->own_z[m->order[k]] = z[k];
}

static void compute_F(void *env, int n, double *z, double *F)
{
    const mixed *m = env;
    to_own(m, z);
    bool defined = m->F->eval(m->F->ctx, m->own_z, m->own_F);
    for (int k = 0; k < n; k++) F[k] = defined ? m->own_F[m->order[k]] : NAN;
}

/* Own column j of the Jacobian into own_F. */
static void read_column(const mixed *m, int j)
{
    const perp_matrix *P = &m->F->pattern;
    memset(m->own_F, 0, (size_t)m->n * sizeof *m->own_F);
    if (P->format != PERP_FORMAT_CSC) {
        memcpy(m->own_F, m->values + (size_t)j * (size_t)m->n, (size_t)m->n * sizeof *m->own_F);
        return;
    }
    for (int e = P->as.csc.p[j]; e < P->as.csc.p[j + 1]; e++) {
        m->own_F[P->as.csc.i[e]] += m->values[e];
    }
}

static void compute_slope(void *env, int n, double *z, NumericsMatrix *J)
{
    const mixed *m = env;
    to_own(m, z);
    bool defined = m->F->jacobian(m->F->ctx, m->own_z, m->values);
    for (int j = 0; j < n; j++) {
        double *column = J->matrix0 + (size_t)j * (size_t)n;
        read_column(m, m->order[j]);
        for (int i = 0; i < n; i++) column[i] = defined ? m->own_F[m->order[i]] : NAN;
    }
}

static void close_mixed(void *state)
{
    mixed *m = state;
    if (m->options) solver_options_delete(m->options);
    free(m->options);
    if (m->problem) mixedComplementarityProblem_free(m->problem);
    if (m->ncp.nabla_F) NM_clear(m->ncp.nabla_F);
    free(m->ncp.nabla_F);
    free(m->order);
    free(m->z);
    free(m->own_z);
    free(m->own_F);
    free(m->values);
    free(m->w);
    free(m);
}

/* Free unknowns first; -1: there are others than z >= 0 besides. */
static int find_order(const perp_problem *p, int n, int *order)
{
    int count = 0;
    for (int pass = 0, equations = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            const perp_mcp *mcp = &p->as.mcp;
            bool ncp = p->kind == PERP_KIND_NCP;
            double lo = ncp ? 0 : mcp->lo ? mcp->lo[i] : -INFINITY;
            double hi = ncp || !mcp->hi ? INFINITY : mcp->hi[i];
            bool free_one = isinf(lo) && isinf(hi);
            if (!free_one && !(lo == 0 && isinf(hi))) return -1;
            if (free_one == (pass == 0)) order[count++] = i;
        }
        if (pass == 0) equations = count;
        if (pass == 1) return equations;
    }
    return -1;
}

static void describe_ncp(mixed *m)
{
    m->ncp = (NonlinearComplementarityProblem){.n = (unsigned)m->n,
                                               .compute_F = compute_F,
                                               .compute_nabla_F = compute_slope,
                                               .nabla_F = NM_create(NM_DENSE, m->n, m->n),
                                               .env = m};
}

static void describe_mcp(mixed *m, int equations)
{
    m->problem->n1 = equations;
    m->problem->n2 = m->n - equations;
    m->problem->compute_Fmcp = compute_F;
    m->problem->compute_nabla_Fmcp = compute_slope;
    m->problem->nabla_Fmcp = NM_create(NM_DENSE, m->n, m->n);
    m->problem->env = m;
}

static void *open_mixed(const peer *self, const perp_problem *p, double tol)
{
    const perp_map *F = map_of(p);
    size_t n = (size_t)F->n;
    if (!F->eval || !F->jacobian || F->n > MOST) return NULL;
    mixed *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    numerics_set_verbose(0);
    m->F = F;
    m->n = F->n;
    m->order = calloc(n, sizeof *m->order);
    m->z = calloc(n, sizeof *m->z);
    m->own_z = calloc(n, sizeof *m->own_z);
    m->own_F = calloc(n, sizeof *m->own_F);
    m->values = calloc(n * n, sizeof *m->values);
    m->w = calloc(n, sizeof *m->w);
    bool ncp = self->choice >= NCP_NEWTON_FB && self->choice <= NCP_NEWTON_MIN;
    m->problem = ncp ? NULL : mixedComplementarityProblem_new();
    m->options = solver_options_create(self->choice);
    int equations = m->order ? find_order(p, F->n, m->order) : -1;
    if (!m->values || !m->w || !(m->problem || ncp) || !m->options || equations < 0 ||
        (ncp && equations > 0)) {
        close_mixed(m);
        return NULL;
    }
    m->options->dparam[SICONOS_DPARAM_TOL] = tol;
    if (ncp)
        describe_ncp(m);
    else
        describe_mcp(m, equations);
    return m;
}

/* From the start in z. */
static int solve_mixed(void *state, double *z, int *iterations)
{
    mixed *m = state;
    for (int k = 0; k < m->n; k++) m->z[k] = z[m->order[k]];
    memset(m->w, 0, (size_t)m->n * sizeof *m->w);
    int info = m->problem ? mcp_driver(m->problem, m->z, m->w, m->options)
                          : ncp_driver(&m->ncp, m->z, m->w, m->options);
    for (int k = 0; k < m->n; k++) z[m->order[k]] = m->z[k];
    *iterations = m->options->iparam[SICONOS_IPARAM_ITER_DONE];
    return info;
}

#define SICONOS(text, id)                                                                          \
    {                                                                                              \
        .name = "siconos/" text, .choice = id, .reads = PERP_FORMAT_DENSE, .kind = PERP_KIND_MCP,  \
        .open = open_mixed, .solve = solve_mixed, .close = close_mixed                             \
    }

const peer siconos_mcp_peers[] = {
    SICONOS("mcp_newton_fb", SICONOS_MCP_NEWTON_FB_FBLSA),
    SICONOS("mcp_newton_min", SICONOS_MCP_NEWTON_MIN_FBLSA),
    SICONOS("ncp_newton_fb", NCP_NEWTON_FB),
    SICONOS("ncp_newton_min", NCP_NEWTON_MIN),
    {0},
};
