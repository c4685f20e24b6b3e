/* peer_siconos_rolling.c: rolling friction by the NSGS of Siconos Numerics, through its own driver
 * with its own defaults but for the tolerance and for a limit on sweeps that is not reached within
 * the time.
 *
 * It gets a dense W: in 4.4.0 it ends in an assertion on one of 5x5 blocks. Options are made anew
 * before each run, as solvers leave traces in them. */
#include "peer.h"

#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/RollingFrictionContactProblem.h>
#include <siconos/numerics/SolverOptions.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS 100000000
enum { ROWS = 5 };

typedef struct siconos {
    RollingFrictionContactProblem problem;
    SolverOptions *options;
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
    free(s->problem.mu_r);
    free(s->u);
    free(s);
}

static void ready_siconos(void *state)
{
    siconos *s = state;
    if (s->options) solver_options_delete(s->options);
    free(s->options);
    s->options = solver_options_create(SICONOS_ROLLING_FRICTION_3D_NSGS);
    s->options->iparam[SICONOS_IPARAM_MAX_ITER] = ITERATIONS;
    s->options->dparam[SICONOS_DPARAM_TOL] = s->tol;
}

static bool is_coulomb(const perp_cone *p, int group)
{
    return !p->s || p->s[group] == p->mu[group];
}

/* Contacts of five rows each, normal, two directions across, two moments: nothing else. */
static bool is_rolling(const perp_cone *p)
{
    bool good = p->form == PERP_FORM_LOCAL && p->n % ROWS == 0 && p->follows && p->group;
    for (int i = 0; good && i < p->n; i++) {
        int k = i % ROWS, normal = i - k;
        int g = normal + (k < 3 ? 1 : 3);
        if (k == 0)
            good = p->follows[i] < 0;
        else
            good = p->follows[i] == normal && p->group[i] == g && is_coulomb(p, g);
    }
    return good;
}

static void *open_siconos(const peer *self, const perp_problem *problem, double tol)
{
    const perp_cone *p = &problem->as.cone;
    size_t n = (size_t)p->n, contacts = n / ROWS;
    siconos *s = is_rolling(p) ? calloc(1, sizeof *s) : NULL;
    if (!s) return NULL;
    numerics_set_verbose(0);
    (void)self;
    s->tol = tol;
    s->problem.dimension = ROWS;
    s->problem.numberOfContacts = (int)contacts;
    s->problem.q = calloc(n, sizeof *s->problem.q);
    s->problem.mu = calloc(contacts, sizeof *s->problem.mu);
    s->problem.mu_r = calloc(contacts, sizeof *s->problem.mu_r);
    s->u = calloc(n, sizeof *s->u);
    s->problem.M = NM_create(NM_DENSE, (int)n, (int)n);
    bool good = s->problem.q && s->problem.mu && s->problem.mu_r && s->u && s->problem.M;
    if (good) {
        const struct perp_dense_view *W = &p->W.as.dense;
        for (size_t j = 0; j < n; j++)
            memcpy(s->problem.M->matrix0 + j * n, W->x + j * (size_t)W->ld, n * sizeof *W->x);
        memcpy(s->problem.q, p->q, n * sizeof *p->q);
        for (size_t c = 0; c < contacts; c++) {
            s->problem.mu[c] = p->mu[ROWS * c + 1];
            s->problem.mu_r[c] = p->mu[ROWS * c + 3];
        }
        return s;
    }
    close_siconos(s);
    return NULL;
}

static int solve_siconos(void *state, double *z, int *iterations)
{
    siconos *s = state;
    size_t size = ROWS * (size_t)s->problem.numberOfContacts * sizeof *z;
    memset(z, 0, size);
    memset(s->u, 0, size);
    int info = rolling_fc3d_driver(&s->problem, z, s->u, s->options);
    *iterations = s->options->iparam[SICONOS_IPARAM_ITER_DONE];
    return info;
}

const peer siconos_rolling_peers[] = {
    {.name = "siconos/rolling_nsgs",
     .kind = PERP_KIND_CONE,
     .reads = PERP_FORMAT_DENSE,
     .open = open_siconos,
     .ready = ready_siconos,
     .solve = solve_siconos,
     .close = close_siconos},
    {0},
};
