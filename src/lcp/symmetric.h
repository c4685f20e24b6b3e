/* lcp/symmetric.h: how the methods that minimise z'M z / 2 + q'z over z >= 0 begin and end alike:
 * the refusal of a nonsymmetric M, and a direction along which the energy falls for ever. */
#ifndef PERP_LCP_SYMMETRIC_H
#define PERP_LCP_SYMMETRIC_H

#include "core/proof.h"
#include "perp/solver.h"
#include "quadratic.h"

#include <float.h>

/* Three vectors of scratch. PERP_SOLVED: M is symmetric, as far as two products show. */
static inline perp_status symmetric_check(perp_run *run, double *v, double *Mv, double *Mtv)
{
    double skew = quadratic_skew(&run->problem->as.lcp.M, v, Mv, Mtv);
    if (skew <= QUADRATIC_SYMMETRY) return PERP_SOLVED;
    return perp_fail(run, PERP_E_NUMBER, "%s needs a symmetric M: |M v - M'v| / |M v| is %.3g",
                     run->options->solver->name, skew);
}

/* Conjugate gradients lower the energy at every step; the residual rises and falls on the way. So
 * while the energy falls, by more than a part SYMMETRIC_FALL of what it fell before in some
 * SYMMETRIC_PATIENCE steps, the solve is not stalled, and only a residual below all earlier ones is
 * an estimate to report. */
#define SYMMETRIC_FALL 1e-12
#define SYMMETRIC_PATIENCE 20
#define SYMMETRIC_NOISE 1e-7 /* relative; rounding of directions, the root of rounding at worst */

typedef struct symmetric_progress {
    double best, fallen, level;
    int still; /* steps since the energy fell */
} symmetric_progress;

/* What to tell perp_continue: the estimate, or INFINITY for "not now". */
static inline double symmetric_report(symmetric_progress *p, double estimate, double fall)
{
    p->fallen += fall > 0 ? fall : 0;
    p->still++;
    if (p->fallen > p->level * (1 + SYMMETRIC_FALL)) {
        p->level = p->fallen;
        p->still = 0;
    }
    if (estimate >= p->best && p->still < SYMMETRIC_PATIENCE) return INFINITY;
    if (estimate < p->best) p->best = estimate;
    return estimate;
}

/* Does y prove that nothing is feasible, as it is or without what may be rounding in it? As
 * perp_check answers. */
static inline perp_status symmetric_prove(perp_run *run, double *y)
{
    int n = run->problem->as.lcp.n;
    perp_status verdict = perp_prove(run, PERP_INFEASIBLE, y);
    if (verdict != PERP_UNCERTIFIED) return verdict;
    double noise = SYMMETRIC_NOISE * vector_max(n, y);
    for (int i = 0; i < n; i++) y[i] = y[i] > noise ? y[i] : 0;
    return perp_prove(run, PERP_INFEASIBLE, y);
}

/* The energy falls for ever along y >= 0, which stays the caller's until the solver has returned.
 * M y <= 0 and q'y < 0 prove that no z >= 0 has M z + q >= 0; a negative curvature y'M y alone
 * proves no more than that M is not semidefinite. */
static inline perp_status symmetric_end_on_ray(perp_run *run, double *y, double curvature)
{
    perp_status verdict = symmetric_prove(run, y);
    if (verdict == PERP_E_MEMORY) {
        return perp_fail(run, verdict, "the arena has no room to check a proof of infeasibility");
    }
    if (verdict == PERP_SOLVED) {
        run->proof = y;
        return perp_fail(run, PERP_INFEASIBLE,
                         "the energy has no lower bound along a direction y >= 0 with M y <= 0");
    }
    if (curvature < 0) {
        return perp_fail(run, PERP_STALLED,
                         "M is not positive semidefinite: y'M y = %.3g for a direction y >= 0 of "
                         "descent",
                         curvature);
    }
    return perp_fail(
        run, PERP_STALLED,
        "y'M y is zero to rounding along a direction y of descent: the energy may have no minimum");
}

/* z may run away where nothing is feasible, until the rounding of M z swallows q, and what is left
 * looks like a solution. `most` is the largest z, `norm` at least |M|: mostly they alone say no.
 * One vector of scratch. */
#define SYMMETRIC_LOST 1e-6 /* rounding of M z, relative to |q| */

static inline bool symmetric_is_lost(perp_run *run, double norm, double most, const double *z,
                                     double *scratch)
{
    const perp_lcp *p = &run->problem->as.lcp;
    double enough = SYMMETRIC_LOST * perp_scale(run) / DBL_EPSILON;
    if (norm * most * p->n <= enough) return false;
    if (p->M.format == PERP_FORMAT_OPERATOR) return norm * vector_norm(p->n, z) > enough;
    perp_mul_sizes(&p->M, z, scratch, scratch);
    return vector_norm(p->n, scratch) > enough;
}

/* Where z went is a direction without end, and perhaps a proof; z itself is worth nothing. */
static inline perp_status symmetric_end_far_out(perp_run *run, double *z, double *y)
{
    size_t bytes = (size_t)run->problem->as.lcp.n * sizeof *z;
    memcpy(y, z, bytes);
    memset(z, 0, bytes);
    perp_status verdict = symmetric_prove(run, y);
    if (verdict == PERP_E_MEMORY) return verdict;
    if (verdict == PERP_SOLVED) {
        run->proof = y;
        return perp_fail(run, PERP_INFEASIBLE,
                         "the iterates diverge along a direction y >= 0 with M y <= 0");
    }
    return perp_fail(run, PERP_STALLED, "z has grown so large that the rounding of M z exceeds q");
}

#endif
