/* core/proof_map.c: that an affine ncp or mcp has no feasible point: Farkas' lemma over the box.
 *
 * With g = M'y the sum y'F(z) = g'z + q'y is >= 0 at every feasible z where y has the signs that
 * F has there, and its supremum over the box is negative. A z that is certified at tol may miss the
 * first by tol s (|y| + |g|), s what its residual is divided by. */
#include "base/pair.h"
#include "kinds.h"
#include "proof.h"

/* Of y_i: >= 0 where F_i >= 0 at every feasible z (no upper bound), <= 0 where F_i <= 0, any where
 * F_i = 0 (free), and 0 where F_i may be anything. */
static void signs_of(const perp_problem *p, int i, bool *positive, bool *negative)
{
    double lo, hi;
    perp_map_own_bounds(p, i, &lo, &hi);
    bool follows = perp_map_follows(p, i);
    *negative = !(lo > -INFINITY || follows);
    *positive = !(hi < INFINITY || follows);
}

void perp_map_tidy(const perp_problem *p, double *y)
{
    for (int i = 0; i < perp_kind_map(p)->n; i++) {
        bool positive, negative;
        signs_of(p, i, &positive, &negative);
        if ((y[i] > 0 && !positive) || (y[i] < 0 && !negative)) y[i] = 0;
    }
}

static bool has_wrong_sign(const perp_problem *p, const double *y)
{
    for (int i = 0; i < perp_kind_map(p)->n; i++) {
        bool positive, negative;
        signs_of(p, i, &positive, &negative);
        if ((y[i] > 0 && !positive) || (y[i] < 0 && !negative)) return true;
    }
    return false;
}

/* A follower i of k adds mu_i |g_i| max(z_k, 0) to k's part; it is collected in e. */
static void collect_followers(const perp_problem *p, const perp_sums *g, perp_slope *e, double *low)
{
    double own = (g->n + 4.0) * DBL_EPSILON;
    for (int i = 0; i < g->n; i++) {
        if (!perp_map_follows(p, i)) continue;
        int k = p->as.mcp.follows[i];
        double mu = p->as.mcp.mu[i];
        pair_add_product(mu, fabs(g->w[i]), &e[k].value, low + k);
        e[k].size += mu * g->size[i];
        e[k].error += mu * g->error[i] * (1 + 8 * DBL_EPSILON) + DBL_MIN * DBL_EPSILON;
    }
    for (int k = 0; k < g->n; k++) e[k].error += fabs(low[k]) + own * own * e[k].value;
}

static void sum_over_box(const perp_problem *p, const perp_sums *g, const perp_slope *e,
                         perp_proof *proof)
{
    for (int i = 0; i < g->n; i++) {
        double lo, hi;
        if (perp_map_follows(p, i)) continue;
        perp_map_own_bounds(p, i, &lo, &hi);
        perp_proof_sup(proof, (perp_slope){g->w[i], g->error[i], g->size[i]}, e[i], lo, hi);
    }
}

perp_status perp_map_check(const perp_problem *p, perp_status status, const double *y, double tol,
                           perp_arena *a, perp_residual *r)
{
    const perp_map *F = perp_kind_map(p);
    if (status != PERP_INFEASIBLE || F->eval) return PERP_E_ARGUMENT;
    perp_scales s;
    perp_sums g;
    double *unit = perp_proof_unit(a, F->n, y);
    perp_slope *e = perp_alloc(a, (size_t)F->n, sizeof *e);
    double *low = perp_alloc(a, (size_t)F->n, sizeof *low);
    perp_map_scale(p, a, &s);
    if (a->failed || !perp_proof_multiply(&F->M, true, unit, a, &g)) return PERP_E_MEMORY;
    perp_proof proof = {.wrong = has_wrong_sign(p, unit)};
    collect_followers(p, &g, e, low);
    sum_over_box(p, &g, e, &proof);
    for (int i = 0; i < F->n; i++) perp_proof_add(&proof, F->q[i], 0, unit[i]);
    double size = vector_norm(F->n, unit) + vector_norm(F->n, g.w);
    double slack = s.s[0] * size * tol; /* in this order: tol s may vanish */
    return perp_proof_end(&proof, slack, F->n, r);
}
