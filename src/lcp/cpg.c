/* lcp/cpg.c: conjugate projected gradient, for symmetric positive semidefinite M.
 * Renouf, Alart, Computer Methods in Applied Mechanics and Engineering 194 (2005); Renouf, Acary,
 * Dumont, 3D frictional contact and impact multibody dynamics (2005), section 6.3, on the orthant.
 *
 * A conjugate step, projected on z >= 0; then the gradient is projected on the tangent cone at z,
 * the last direction on the face that this leaves, and the two are conjugated. The published beta
 * lacks its minus sign. The projection voids the promise of descent, so a step that raises the
 * energy is taken back, and a projected gradient step of Armijo's length made instead. Where
 * p'M p vanishes the published method stops with what it has; here the projected gradient is tried
 * first, and the end says so. One product with M an iteration, two where the projection bites.
 * Memory: 6n numbers. */
#include "symmetric.h"

#include "core/defaults.h"

#include <float.h>

#define CURVATURE 16     /* p'M p below so many units of rounding of |M| |p|^2 is zero */
#define ARMIJO 1e-4      /* part of the linear decrease that a step must keep */
#define HALVINGS 60      /* 2^-60: beyond rounding */
#define PROOF_FIRST 16   /* step after which a proof of infeasibility is looked for */
#define PROOF_NOISE 1e-2 /* relative: unknowns that stay behind */

typedef struct state {
    perp_run *run;
    const perp_lcp *lcp;
    int n;
    double *z, *w;         /* the iterate and M z + q */
    double *p, *Mp;        /* direction */
    double *old_z, *old_w; /* before the step */
    double norm;           /* largest |M p| / |p| so far */
    double slope, curvature;
    double fall; /* of the energy in the last step */
    bool plain;  /* p is the projected gradient, nothing conjugated */
} state;

/* -w, without what points out of the orthant */
static double project_slope(const state *s, int i)
{
    return s->z[i] > 0 || s->w[i] < 0 ? -s->w[i] : 0;
}

static void restart(state *s)
{
    for (int i = 0; i < s->n; i++) s->p[i] = project_slope(s, i);
    s->plain = true;
}

/* M p, slope and curvature along p. False: no step along p makes sense. */
static bool look_along(state *s)
{
    double size = 0;
    quadratic_mul(&s->lcp->M, s->p, s->Mp);
    s->slope = s->curvature = 0;
    for (int i = 0; i < s->n; i++) {
        s->slope -= s->p[i] * s->w[i];
        s->curvature += s->p[i] * s->Mp[i];
        size += s->p[i] * s->p[i];
    }
    double stretch = size > 0 ? vector_norm(s->n, s->Mp) / sqrt(size) : 0;
    if (stretch > s->norm) s->norm = stretch;
    return s->slope > 0 && s->curvature > CURVATURE * DBL_EPSILON * s->norm * size;
}

/* z = P(old z + a p); w follows, by a product only where the projection bit. Returns the linear
 * change of the energy, old w'(z - old z). */
static double move(state *s, double a)
{
    bool bites = false;
    double change = 0;
    for (int i = 0; i < s->n; i++) {
        double t = s->old_z[i] + a * s->p[i];
        bites |= t < 0;
        s->z[i] = t < 0 ? 0 : t;
        change += s->old_w[i] * (s->z[i] - s->old_z[i]);
    }
    if (bites) {
        quadratic_slope(&s->lcp->M, s->lcp->q, s->z, s->w);
    } else {
        for (int i = 0; i < s->n; i++) s->w[i] = s->old_w[i] + a * s->Mp[i];
    }
    return change;
}

/* Did the step lower the energy as it should, given the linear change? */
static bool falls(state *s, double change)
{
    s->fall = quadratic_fall(s->n, s->old_z, s->old_w, s->z, s->w);
    return s->fall >= -ARMIJO * change && s->fall > 0;
}

/* A projected gradient step from the old z, halved until the energy falls as it should. At the
 * limit of rounding none does, and z stays. */
static void step_back(state *s)
{
    memcpy(s->z, s->old_z, (size_t)s->n * sizeof *s->z);
    memcpy(s->w, s->old_w, (size_t)s->n * sizeof *s->w);
    restart(s);
    double a = look_along(s) ? s->slope / s->curvature : 0;
    for (int k = 0; k < HALVINGS && a > 0; k++, a /= 2) {
        if (falls(s, move(s, a))) return;
    }
    memcpy(s->z, s->old_z, (size_t)s->n * sizeof *s->z);
    quadratic_slope(&s->lcp->M, s->lcp->q, s->z, s->w);
    s->fall = 0;
}

static void step(state *s)
{
    memcpy(s->old_z, s->z, (size_t)s->n * sizeof *s->z);
    memcpy(s->old_w, s->w, (size_t)s->n * sizeof *s->w);
    if (!falls(s, move(s, s->slope / s->curvature))) step_back(s);
}

/* p = g + beta y, g the projected gradient, y the last p where that moves or may move. */
static void conjugate(state *s)
{
    double up = 0;
    for (int i = 0; i < s->n; i++) up -= project_slope(s, i) * s->Mp[i];
    double beta = s->fall > 0 ? up / s->curvature : 0;
    s->plain = beta == 0;
    for (int i = 0; i < s->n; i++) {
        double g = project_slope(s, i);
        s->p[i] = s->z[i] > 0 || g > 0 ? g + beta * s->p[i] : 0;
    }
}

/* The projected gradient, where M does not bend it: a proof, or an honest end. */
static perp_status end(state *s)
{
    bool falls = s->slope > 0, bounded = false;
    for (int i = 0; i < s->n; i++) bounded |= s->p[i] < 0;
    if (falls && !bounded) return symmetric_end_on_ray(s->run, s->p, s->curvature);
    if (falls && s->curvature < 0) {
        return perp_fail(s->run, PERP_STALLED, "M is not positive semidefinite: p'M p = %.3g",
                         s->curvature);
    }
    return perp_fail(
        s->run, PERP_STALLED,
        "p'M p is zero to rounding along both directions tried, so that no step length exists");
}

/* Where nothing is feasible z runs away in the end, along a y that proves it, but for unknowns that
 * stay behind. Looked at after 2^k steps, so that it costs next to nothing. PERP_UNCERTIFIED: z
 * proves nothing. */
static perp_status prove_infeasible(state *s, int steps)
{
    if (steps < PROOF_FIRST || (steps & (steps - 1)) != 0) return PERP_UNCERTIFIED;
    double most = 0, *y = s->Mp;
    for (int i = 0; i < s->n; i++) most = fmax(most, s->z[i]);
    for (int i = 0; i < s->n; i++) y[i] = s->z[i] > PROOF_NOISE * most ? s->z[i] : 0;
    perp_status verdict = symmetric_prove(s->run, y);
    if (verdict != PERP_SOLVED) return verdict;
    s->run->proof = y;
    return perp_fail(s->run, PERP_INFEASIBLE,
                     "the iterates diverge along a direction y >= 0 with M y <= 0");
}

static perp_status solve(perp_run *run, double *z)
{
    state s = {.run = run, .lcp = &run->problem->as.lcp, .n = run->problem->as.lcp.n, .z = z};
    s.w = PERP_ALLOC(run, double, s.n);
    s.p = PERP_ALLOC(run, double, s.n);
    s.Mp = PERP_ALLOC(run, double, s.n);
    s.old_z = PERP_ALLOC(run, double, s.n);
    s.old_w = PERP_ALLOC(run, double, s.n);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (symmetric_check(run, s.p, s.Mp, s.w)) return run->status;

    for (int i = 0; i < s.n; i++) z[i] = z[i] > 0 ? z[i] : 0;
    quadratic_slope(&s.lcp->M, s.lcp->q, z, s.w);
    restart(&s);
    double scale = perp_scale(run), estimate = quadratic_residual(s.n, z, s.w) / scale;
    symmetric_progress progress = {.best = INFINITY};
    for (int k = 1; perp_continue(run, z, symmetric_report(&progress, estimate, s.fall)); k++) {
        if (estimate <= run->options->tol) { /* the certificate saw more than w does */
            quadratic_slope(&s.lcp->M, s.lcp->q, z, s.w);
            restart(&s);
        }
        if (!look_along(&s)) {
            if (!s.plain) restart(&s);
            if (!look_along(&s)) return end(&s);
        }
        step(&s);
        conjugate(&s);
        estimate = quadratic_residual(s.n, z, s.w) / scale;
        if (symmetric_is_lost(run, s.norm, vector_max(s.n, z), z, s.Mp)) {
            return symmetric_end_far_out(run, z, s.Mp);
        }
        perp_status proof = prove_infeasible(&s, k);
        if (proof != PERP_UNCERTIFIED) return proof;
    }
    return run->status;
}

static const perp_solver solver = {
    .name = "lcp/cpg",
    .about = "conjugate projected gradient, symmetric semidefinite M (Renouf, Alart 2005)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3 | PERP_FORMAT_OPERATOR},
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
};

const perp_plain_options perp_lcp_cpg = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
