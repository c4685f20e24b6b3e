/* tests/support/promises.h: what theory promises of each solver; one without a row need only be
 * honest. */
#ifndef PERP_PROMISES_H
#define PERP_PROMISES_H

#include "generate.h"

#include <math.h>
#include <string.h>

typedef struct instance {
    const lcp_family *family;
    int n;
    double *M, *q; /* dense, ld = n: what is judged with */
} instance;

static bool is_symmetric(const instance *p)
{
    for (int k = 0; k < p->n * p->n; k++) {
        if (p->M[k] != p->M[k % p->n * p->n + k / p->n]) return false;
    }
    return true;
}

static bool is_dominant(const instance *p)
{
    for (int i = 0; i < p->n; i++) {
        double sum = 0;
        for (int j = 0; j < p->n; j++) sum += j == i ? 0 : fabs(p->M[j * p->n + i]);
        if (p->M[i * p->n + i] <= sum) return false;
    }
    return true;
}

/* Symmetric and positive definite, or diagonally dominant; soon enough where n is moderate. */
static bool psor_converges(const instance *p)
{
    return p->n <= 30 && p->family->scaled && p->family->definite &&
           (is_symmetric(p) || is_dominant(p));
}

/* PSD, P or strictly copositive, as all solvable families are: no ray unless infeasible. */
static bool lemke_ends(const instance *p)
{
    return p->family->psd || p->family->solvable;
}

/* Its only proofs need every row, and hold to rounding in all at once; not every method gets there.
 */
static bool is_hard_to_refute(const instance *p)
{
    return strcmp(p->family->name, "infeasible_psd") == 0;
}

static bool is_small(const instance *p)
{
    return p->n <= 20 && lemke_ends(p) && !is_hard_to_refute(p);
}

/* Newton: stationary points of the merit solve the problem, or prove that it is infeasible. Pivots:
 * Murty's safeguard ends for P-matrices, proximal problems for monotone ones. */
static bool newton_ends(const instance *p)
{
    return p->family->psd || p->family->definite;
}

static bool newton_proves(const instance *p)
{
    return newton_ends(p) && !is_hard_to_refute(p);
}

static bool dantzig_ends(const instance *p)
{
    return p->family->psd && is_symmetric(p) && !is_hard_to_refute(p);
}

/* Symmetric and semidefinite: the energy has a minimum, which descent finds. */
static bool descent_converges(const instance *p)
{
    return p->family->psd && p->family->solvable && is_symmetric(p);
}

static const struct promise {
    const char *solver;
    bool (*keeps)(const instance *p); /* solves what is solvable, proves what is infeasible */
} promises[] = {{"lcp/psor", psor_converges},      {"lcp/lemke", lemke_ends},
                {"lcp/newton_min", newton_proves}, {"lcp/newton_fb", newton_proves},
                {"lcp/pivot", newton_ends},        {"lcp/dantzig", dantzig_ends},
                {"lcp/cpg", descent_converges},    {"lcp/mprgp", descent_converges},
                {"lcp/qp", dantzig_ends},          {"lcp/nsqp", newton_ends},
                {"lcp/enumerate", is_small},       {"lcp/auto", lemke_ends}};

#endif
