/* core/kind_lcp.c: 0 <= z _|_ w = M z + q >= 0.
 *
 * Residual: the larger of |min(z, w)| / |q| and |min(D z, w)| / |q|, D the diagonal of M; one
 * product with M and n numbers of scratch. Proofs: Farkas' lemma, and the ray on which pivoting
 * ends (Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, sections 3.9 and 4.4). */
#include "kinds.h"
#include "proof.h"

static const perp_kind_size lcp_sizes[] = {{.offset = PERP_AT(lcp.n)}, {0}};

static const perp_field lcp_fields[] = {
    {.name = "M", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(lcp.M)},
    {.name = "q", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(lcp.q)},
    {0},
};

static int lcp_size(const perp_problem *p)
{
    return p->as.lcp.n < 0 ? -1 : p->as.lcp.n;
}

static perp_status lcp_validate(const perp_problem *p, perp_error *e)
{
    const perp_lcp *lcp = &p->as.lcp;
    int n = lcp->n;
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "n = %d is negative", n);
    perp_status status = perp_check_view(&lcp->M, n, n, "M", n == 0, e);
    return status ? status : perp_check_vector(lcp->q, n, "q", false, e);
}

static void lcp_scale(const perp_problem *p, perp_arena *a, perp_scales *s)
{
    *s = (perp_scales){.s = {kind_scale(vector_norm(p->as.lcp.n, p->as.lcp.q)), 1, 1}};
    s->unit = perp_kind_units(&p->as.lcp.M, a);
}

static bool lcp_slack(const perp_problem *p, const double *z, perp_sums *t)
{
    perp_sums_add(t, 0, 1, &p->as.lcp.M, z);
    perp_sums_add_vector(t, 0, t->n, 1, p->as.lcp.q);
    return true;
}

/* |min(D z, w)|, the natural map in the units of w. */
static double norm_in_units(const double *D, int n, const double *z, const double *w, double *map)
{
    for (int i = 0; i < n; i++) map[i] = kind_smaller((D ? D[i] : 1) * z[i], w[i]);
    return vector_norm(n, map);
}

static void lcp_residual(const perp_problem *p, const perp_scales *s, const double *z,
                         const double *w, const double *error, double *map, perp_residual *r)
{
    int n = p->as.lcp.n;
    double units = norm_in_units(s->unit, n, z, w, map), primal = 0, dual = 0, product = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        double least = kind_smaller(z[i], w[i]);
        map[i] = least;
        sum += least * least;
        primal = perp_worst(primal, -z[i]);
        dual = perp_worst(dual, -w[i]);
        product = perp_worst(product, fabs(z[i] * w[i]));
    }
    *r = (perp_residual){.primal = primal,
                         .dual = dual,
                         .complementarity = product,
                         .absolute = vector_norm_from(sum, n, map),
                         .omega = NAN,
                         .floor = NAN};
    kind_finish(n, s->s[0], units, error ? vector_norm(n, error) : INFINITY, r);
}

static void lcp_bound(const perp_problem *p, const perp_scales *s, const double *z, const double *w,
                      const double *error, double *scratch, perp_residual *r)
{
    (void)z, (void)w, (void)scratch;
    kind_bound_value(p->as.lcp.n, s->s[0], vector_norm(p->as.lcp.n, error), r);
}

static perp_status lcp_measure(const perp_problem *p, const perp_scales *s, const double *z,
                               double *w, double tol, perp_arena *a, perp_residual *r)
{
    static const perp_measuring how = {
        .slack = lcp_slack, .residual = lcp_residual, .bound = lcp_bound};
    return perp_measure_sums(&how, p, s, z, w, tol, a, r);
}

/* y >= 0, y != 0 and (M y)_i <= 0 wherever y_i > 0: M is not strictly semimonotone, the class in
 * which Lemke's method always ends with a solution. The largest violation, relative to the terms
 * that it is a sum of; only their rounding is accepted, and no entry below 0. */
static perp_status check_ray(const perp_lcp *lcp, const double *y, perp_arena *a, perp_residual *r)
{
    int n = lcp->n;
    double *unit = perp_proof_unit(a, n, y), worst = 0, most = vector_max(n, y);
    perp_sums My;
    if (!unit || !perp_proof_multiply(&lcp->M, false, unit, a, &My)) return PERP_E_MEMORY;
    for (int i = 0; i < n; i++) {
        if (!(unit[i] >= 0)) worst = INFINITY; /* signs are exact, as those of other proofs */
        double rise = My.w[i] + My.error[i];
        if (unit[i] > 0 && !(rise <= 0)) worst = perp_worst(worst, rise / My.size[i]);
    }
    if (!(most > 0)) worst = INFINITY;
    *r = (perp_residual){.value = worst, .natural = worst, .radius = NAN};
    return worst <= (16 + 4.0 * n) * DBL_EPSILON ? PERP_SOLVED : PERP_UNCERTIFIED;
}

static perp_status lcp_check(const perp_problem *p, perp_status status, const double *y,
                             const double *z, double tol, perp_arena *a, perp_residual *r)
{
    (void)z;
    if (status == PERP_RAY) return check_ray(&p->as.lcp, y, a, r);
    perp_problem map = {.kind = PERP_KIND_NCP};
    map.as.ncp = (perp_ncp){.F = {.n = p->as.lcp.n, .M = p->as.lcp.M, .q = p->as.lcp.q}};
    return perp_map_check(&map, status, y, tol, a, r);
}

static void lcp_tidy(const perp_problem *p, double *y)
{
    for (int i = 0; i < p->as.lcp.n; i++) y[i] = y[i] > 0 ? y[i] : 0;
}

/* The same map. */
static perp_status lcp_lift(const perp_problem *p, perp_arena *a, perp_lift *lift, perp_error *e)
{
    const perp_lcp *lcp = &p->as.lcp;
    (void)a, (void)e;
    lift->problem.as.ncp = (perp_ncp){.F = {.n = lcp->n, .M = lcp->M, .q = lcp->q}};
    return PERP_SOLVED;
}

const perp_kind_ops perp_ops_lcp = {
    .sizes = lcp_sizes,
    .fields = lcp_fields,
    .size = lcp_size,
    .validate = lcp_validate,
    .scale = lcp_scale,
    .measure = lcp_measure,
    .check = lcp_check,
    .tidy = lcp_tidy,
    .lift = lcp_lift,
    .wider = PERP_KIND_NCP,
};
