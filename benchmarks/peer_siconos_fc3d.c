/* peer_siconos_fc3d.c: friction solvers of Siconos Numerics, through its own driver with its own
 * defaults but for the tolerance and for limits on iterations that are not reached within the time.
 *
 * Sweeps get W in the 3x3 blocks that they are made for, the others by compressed columns. Options
 * are made anew before each run, as solvers leave traces in them. */
#include "peer.h"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsSparseMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <siconos/numerics/fc3d_Solvers.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS 100000000

/* `choice` of a peer: the row of this table. */
static const struct method {
    int solver, local; /* local: of one contact; 0: the solver's own choice */
    bool blocks;
} methods[] = {
    {SICONOS_FRICTION_3D_NSGS, 0, true},
    {SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
     true},
    {SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID, true},
    {SICONOS_FRICTION_3D_NSN_AC, 0, false},
    {SICONOS_FRICTION_3D_ADMM, 0, false},
    {SICONOS_FRICTION_3D_PROX, 0, false},
};

typedef struct siconos {
    FrictionContactProblem problem;
    SolverOptions *options;
    const struct method *method;
    double tol, *u;
} siconos;

static void close_siconos(void *state)
{
    siconos *s = state;
    if (s->options) solver_options_delete(s->options);
    if (s->problem.M) NM_free(s->problem.M);
    free(s->options);
    free(s->problem.q);
    free(s->problem.mu);
    free(s->u);
    free(s);
}

static void ready_siconos(void *state)
{
    siconos *s = state;
    if (s->options) solver_options_delete(s->options);
    free(s->options);
    s->options = solver_options_create(s->method->solver);
    if (s->method->local) solver_options_update_internal(s->options, 0, s->method->local);
    s->options->iparam[SICONOS_IPARAM_MAX_ITER] = ITERATIONS;
    s->options->dparam[SICONOS_DPARAM_TOL] = s->tol;
}

static double *copy_of(size_t count, const double *x)
{
    double *copy = malloc(count * sizeof *copy);
    if (copy) memcpy(copy, x, count * sizeof *copy);
    return copy;
}

/* False: no memory. */
static bool fill_blocks(const perp_fc3d *p, SparseBlockStructuredMatrix *B)
{
    const struct perp_bsr3_view *W = &p->W.as.bsr3;
    size_t rows = (size_t)p->contacts, count = (size_t)W->p[p->contacts];
    B->nbblocks = (unsigned)count;
    B->blocknumber0 = B->blocknumber1 = (unsigned)rows;
    B->filled1 = rows + 1;
    B->filled2 = count;
    B->block = calloc(count, sizeof *B->block);
    B->blocksize0 = calloc(rows, sizeof *B->blocksize0);
    B->blocksize1 = calloc(rows, sizeof *B->blocksize1);
    B->index1_data = calloc(rows + 1, sizeof *B->index1_data);
    B->index2_data = calloc(count, sizeof *B->index2_data);
    bool good = B->block && B->blocksize0 && B->blocksize1 && B->index1_data && B->index2_data;
    for (size_t i = 0; good && i < rows; i++) {
        B->blocksize0[i] = B->blocksize1[i] = 3 * (unsigned)(i + 1);
        B->index1_data[i + 1] = (size_t)W->p[i + 1];
    }
    for (size_t k = 0; good && k < count; k++) {
        B->index2_data[k] = (size_t)W->j[k];
        good = (B->block[k] = copy_of(9, W->x + 9 * k)) != NULL;
    }
    return good;
}

static void fill_entries(const perp_fc3d *p, NumericsMatrix *M)
{
    const struct perp_bsr3_view *W = &p->W.as.bsr3;
    NM_triplet_alloc(M, 9 * W->p[p->contacts]);
    M->matrix2->origin = NSM_TRIPLET;
    for (int i = 0; i < p->contacts; i++) {
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            for (int e = 0; e < 9; e++)
                NM_entry(M, 3 * i + e % 3, 3 * W->j[k] + e / 3, W->x[9 * (size_t)k + (size_t)e]);
        }
    }
    NM_csc(M);
}

static void *open_siconos(const peer *self, const perp_problem *problem, double tol)
{
    const perp_fc3d *p = &problem->as.fc3d;
    size_t n = 3 * (size_t)p->contacts;
    siconos *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    numerics_set_verbose(0);
    s->method = &methods[self->choice];
    s->tol = tol;
    s->problem.dimension = 3;
    s->problem.numberOfContacts = p->contacts;
    s->problem.q = copy_of(n, p->q);
    s->problem.mu = copy_of((size_t)p->contacts, p->mu);
    s->u = calloc(n, sizeof *s->u);
    NM_types storage = s->method->blocks ? NM_SPARSE_BLOCK : NM_SPARSE;
    s->problem.M = NM_create(storage, (int)n, (int)n);
    bool good = s->problem.q && s->problem.mu && s->u && s->problem.M;
    if (good && s->method->blocks)
        good = fill_blocks(p, s->problem.M->matrix1);
    else if (good)
        fill_entries(p, s->problem.M);
    if (good) return s;
    close_siconos(s);
    return NULL;
}

static int solve_siconos(void *state, double *z, int *iterations)
{
    siconos *s = state;
    size_t size = 3 * (size_t)s->problem.numberOfContacts * sizeof *z;
    memset(z, 0, size);
    memset(s->u, 0, size);
    int info = fc3d_driver(&s->problem, z, s->u, s->options);
    *iterations = s->options->iparam[SICONOS_IPARAM_ITER_DONE];
    return info;
}

#define SICONOS(text, row)                                                                         \
    {                                                                                              \
        .name = "siconos/" text, .choice = row, .kind = PERP_KIND_FC3D, .reads = PERP_FORMAT_BSR3, \
        .open = open_siconos, .ready = ready_siconos, .solve = solve_siconos,                      \
        .close = close_siconos                                                                     \
    }

const peer siconos_fc3d_peers[] = {
    SICONOS("nsgs", 0),
    SICONOS("nsgs_projection", 1),
    SICONOS("nsgs_hybrid", 2),
    SICONOS("newton_ac", 3),
    SICONOS("admm", 4),
    SICONOS("prox", 5),
    {0},
};
