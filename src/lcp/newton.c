/* lcp/newton.c: the semismooth Newton method of method/semismooth_box.h on 0 <= z _|_ M z + q >= 0,
 * scaled by powers of two: R M C and R q / unit, in which M and q have the size of 1. */
#include "newton.h"

#include "base/vector.h"
#include "core/jacobian.h"
#include "linalg/equilibrate.h"

#define CLEANINGS 4    /* of a proof from what the slow end of a descent left in it */
#define STARTS 3       /* tried where the way down ends short of a solution */
#define HALVINGS 1     /* of a step on the minimum map: one that needs more goes the wrong way */
#define DIVERGED 1e6   /* of iterates, where q has the size of 1 */
#define FARTHEST 1e10  /* q has the size of 1, and should not drown in the rounding of M z */
#define ROUNDING 1e-12 /* relative differences of entries of M that should be the same */

typedef struct newton {
    int n;
    perp_matrix M; /* scaled, */
    double *q;     /* and so is q */
    double *r, *c, unit;
    double *lo, *hi;
    double *work; /* 2n: a start, a residual, a proof */
    perp_semismooth_box s;
    int starts;  /* used up, of those to fall back on */
    bool by_min; /* steps for the minimum map come first */
} newton;

/* ---- opening: the scaled problem ---- */

static bool scale_dense(newton *k, perp_arena *arena)
{
    size_t n = (size_t)k->n, ld = (size_t)k->M.as.dense.ld;
    const double *from = k->M.as.dense.x;
    if (!perp_equilibrate(k->n, from, k->M.as.dense.ld, k->r, k->c, k->work)) return true;
    double *x = perp_alloc_unset(arena, n * n, sizeof *x);
    if (!x) return false;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) x[j * n + i] = k->r[i] * from[j * ld + i] * k->c[j];
    }
    k->M = perp_dense(k->n, k->n, x);
    return true;
}

/* A canonical copy in which every diagonal entry is there. */
static bool scale_sparse(newton *k, perp_arena *arena)
{
    perp_map map = {.n = k->n, .M = k->M};
    perp_jacobian copy;
    if (!perp_jacobian_open(&copy, arena, &map, NULL, NULL)) return false;
    k->M = copy.J;
    perp_equilibrate_csc(k->n, k->M.as.csc.p, k->M.as.csc.i, copy.x, k->r, k->c, k->work,
                         arena->watch);
    return true;
}

/* The size of q becomes 1, so that squares neither overflow nor vanish. */
static void scale_q(newton *k, const double *q)
{
    double most = 0;
    for (int i = 0; i < k->n; i++) most = fmax(most, fabs(k->r[i] * q[i]));
    k->unit = most > 0 && isfinite(most) ? exp2(floor(log2(most))) : 1;
    for (int i = 0; i < k->n; i++) {
        k->q[i] = k->r[i] * q[i] / k->unit;
        k->hi[i] = INFINITY;
    }
}

/* Undefined where z is so far off that rounding could make up a w that suits. */
static bool eval(void *ctx, const double *z, double *w)
{
    const newton *k = ctx;
    if (!(vector_max(k->n, z) <= FARTHEST)) return false;
    memcpy(w, k->q, (size_t)k->n * sizeof *w);
    perp_mul(&k->M, 1, z, 1, w);
    return true;
}

static perp_status open_newton(newton *k, perp_run *run)
{
    const perp_lcp_newton_options *o = (const perp_lcp_newton_options *)run->options;
    const perp_lcp *p = &run->problem->as.lcp;
    bool dense = p->M.format == PERP_FORMAT_DENSE;
    *k = (newton){.n = p->n, .M = p->M};
    double **const vectors[] = {&k->q, &k->r, &k->c, &k->lo, &k->hi};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        *vectors[v] = PERP_ALLOC(run, double, k->n);
    }
    k->work = PERP_ALLOC(run, double, 2 * (size_t)k->n);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (!(dense ? scale_dense(k, run->arena) : scale_sparse(k, run->arena))) return PERP_E_MEMORY;
    scale_q(k, p->q);
    perp_box_map map = {.J = k->M, .slack = ROUNDING, .outside = true, .ctx = k, .eval = eval};
    bool opened = perp_semismooth_box_open(&k->s, run->arena, &map, k->lo, k->hi, o->memory);
    return opened ? PERP_SOLVED : PERP_E_MEMORY;
}

/* ---- the iterate in the problem's own units ---- */

static bool start(newton *k, const double *z)
{
    for (int i = 0; i < k->n; i++) k->work[i] = z[i] / k->c[i] / k->unit;
    return perp_semismooth_box_start(&k->s, k->work);
}

/* Start at value (1, .., 1) in the scaled problem. */
static bool start_at(newton *k, double value)
{
    for (int i = 0; i < k->n; i++) k->work[i] = value;
    return perp_semismooth_box_start(&k->s, k->work);
}

/* |min(z, w)|. */
static double natural_norm(newton *k, const double *z, const double *w)
{
    for (int i = 0; i < k->n; i++) {
        double own_z = z[i] * k->c[i] * k->unit, own_w = w[i] / k->r[i] * k->unit;
        k->work[i] = own_w < own_z || isnan(own_w) ? own_w : own_z;
    }
    return vector_norm(k->n, k->work);
}

/* The iterate or its positive part, whichever has the smaller |min(z, w)|, which is returned. */
static double read(newton *k, double *z)
{
    const perp_semismooth_box *s = &k->s;
    double natural = natural_norm(k, s->z, s->F);
    const double *best = s->z;
    bool outside = false;
    for (int i = 0; i < k->n; i++) {
        outside |= s->z[i] < 0;
        s->try_z[i] = s->z[i] > 0 ? s->z[i] : 0;
    }
    if (outside && eval(k, s->try_z, s->try_F)) {
        double positive = natural_norm(k, s->try_z, s->try_F);
        if (positive <= natural) {
            natural = positive;
            best = s->try_z;
        }
    }
    for (int i = 0; i < k->n; i++) z[i] = best[i] * k->c[i] * k->unit;
    return natural;
}

/* ---- ends ---- */

/* Where the iterates run off, or the merit has no way down, the gradient may be a proof that
 * nothing is feasible. PERP_STALLED: it is not. */
static perp_status claim(newton *k, perp_run *run)
{
    static const double noise[CLEANINGS] = {0, 1e-8, 1e-4, 1e-2};
    for (int t = 0; t < CLEANINGS; t++) {
        perp_semismooth_box_proof(&k->s, noise[t], k->work);
        for (int i = 0; i < k->n; i++) k->work[i] *= k->r[i];
        perp_status check = perp_prove(run, PERP_INFEASIBLE, k->work);
        if (check == PERP_E_MEMORY) return check;
        if (check != PERP_SOLVED) continue;
        run->proof = k->work;
        return perp_fail(run, PERP_INFEASIBLE, "no z >= 0 has M z + q >= 0; w holds the proof");
    }
    return PERP_STALLED;
}

/* The end, unless there is another start to try: PERP_SOLVED. */
static perp_status end_or_restart(newton *k, perp_run *run)
{
    static const double starts[STARTS] = {0, 1, 10};
    if (k->s.starved) return PERP_E_MEMORY;
    perp_status status = claim(k, run);
    if (status != PERP_STALLED) return status;
    if (k->starts < STARTS && start_at(k, starts[k->starts++])) return PERP_SOLVED;
    return perp_fail(run, PERP_STALLED,
                     "the merit function is stationary at a point that is no solution; try another "
                     "start, in z with warm_start");
}

/* ---- the loop ---- */

/* The direction for the minimum map need not descend on any merit: it is taken while that brings
 * new lowest merits. */
static bool step(newton *k, const perp_lcp_newton_options *o)
{
    perp_semismooth_box *s = &k->s;
    int halvings = o->halvings < HALVINGS ? o->halvings : HALVINGS;
    if (k->by_min && s->merit <= s->lowest &&
        perp_semismooth_box_direct(s, &perp_semismooth_natural, 0) &&
        perp_semismooth_box_search(s, halvings))
        return true;
    return perp_semismooth_box_step(s, o->halvings, o->regularisation);
}

perp_status perp_lcp_newton_solve(perp_run *run, double *z, bool by_min)
{
    const perp_lcp_newton_options *o = (const perp_lcp_newton_options *)run->options;
    newton k;
    perp_status status = open_newton(&k, run);
    if (status) return status;
    k.by_min = by_min;
    k.starts = o->base.warm_start ? 0 : 1; /* 0 is the first one anyway */
    if (!start(&k, z)) start_at(&k, 0);    /* z is too far off to work with */
    double scale = perp_scale(run);
    while (perp_continue(run, z, read(&k, z) / scale)) {
        status = vector_max(k.n, k.s.z) > DIVERGED ? claim(&k, run) : PERP_STALLED;
        if (status != PERP_STALLED) return status;
        if (!perp_semismooth_box_is_stuck(&k.s) && step(&k, o)) continue;
        status = end_or_restart(&k, run);
        if (status) return status;
    }
    k.starts = STARTS; /* the driver has seen enough */
    return run->status == PERP_STALLED ? end_or_restart(&k, run) : run->status;
}

const perp_option perp_lcp_newton_table[] = {
    PERP_OPTION(perp_lcp_newton_options, memory, 1, 1000,
                "merits the line search looks back to; 1: each has to be smaller"),
    PERP_OPTION(perp_lcp_newton_options, halvings, 0, 1000,
                "of a step in one line search, before another direction is tried"),
    PERP_OPTION(perp_lcp_newton_options, regularisation, 0, 1,
                "added to M's diagonal where a Jacobian is singular; 0: gradients only"),
    {0},
};
