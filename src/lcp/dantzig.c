/* lcp/dantzig.c: principal pivoting for symmetric positive semidefinite M, one index at a time.
 * Dantzig, Quadratic programming, a variant of the Wolfe-Markowitz algorithms (1961); van de Panne
 * & Whinston, The simplicial and the dual method for quadratic programming (1964); Cottle &
 * Dantzig (1968); Baraff, Fast contact force computation for nonpenetrating rigid bodies, SIGGRAPH
 * 1994.
 *
 * z_i of an index with w_i < 0 grows until w_i = 0; z stays nonnegative, as an index whose z
 * reaches zero on the way leaves. Two rules say which i, and what becomes of the other w:
 *   worst: the most negative w, and others may become negative meanwhile; z'Mz/2 + q'z falls.
 *   order: one index after the other, and a w that was settled before stays nonnegative: where one
 *   reaches zero its z enters (Baraff). Three to fifteen times as many pivots, each dearer, and on
 *   sets that are worse conditioned: where the certificate refuses the answer, rule worst repairs
 *   it, or begins without a set where it cannot.
 * The Cholesky factor of M_aa is updated (method/active_factor.c): a pivot costs two triangular
 * solves, and a product with the columns a of M, shared by up to PRICED indices of rule worst.
 * Where M is singular z_i may grow without an end, and the direction proves that nothing is
 * feasible.
 *
 * The factor is dense, also for sparse M: k^2 numbers for k = |a|. M itself is never made dense. */
#include "dantzig.h"
#include "base/vector.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "linalg/principal_submatrix.h"

#include <float.h>
#include <string.h>

#define SYMMETRY 1e-10          /* relative */
#define NOISE (4 * DBL_EPSILON) /* of w, over the largest q and the terms of M z: not negative */
#define SMALL 1e-10             /* of w, over the largest q: may be rounding */
#define REFINED 1e-14           /* residual that needs no further refinement */
#define PASSES 4                /* fresh factors for an answer that the certificate refused */
#define PRICED 8                /* indices driven between two products with M, at most */

/* ---- opening ---- */

static perp_status open_dantzig(dantzig *d, perp_run *run)
{
    const perp_lcp *p = &run->problem->as.lcp;
    perp_arena *a = run->arena;
    int n = p->n, i = 0, j = 0;
    *d = (dantzig){.run = run, .n = n, .M = p->M, .q = p->q};
    d->options = (const perp_lcp_dantzig_options *)run->options;
    d->state = PERP_ALLOC(run, char, n);
    double *vectors = PERP_ALLOC(run, double, 8 * (size_t)n);
    if (a->failed || (p->M.format == PERP_FORMAT_CSC && perp_sort_csc(&p->M, a, &d->M))) {
        return PERP_E_MEMORY;
    }
    double **each[] = {&d->z, &d->w, &d->v, &d->y, &d->dw, &d->x, &d->ray, &d->proof};
    for (int k = 0; k < 8; k++) *each[k] = vectors + (size_t)k * (size_t)n;
    perp_status s = perp_symmetry(&d->M, SYMMETRY, a, &i, &j);
    if (s == PERP_STALLED) {
        return perp_fail(run, PERP_E_NUMBER,
                         "M is not symmetric: M[%d][%d] and M[%d][%d] differ, see lcp/lemke", i, j,
                         j, i);
    }
    if (s || !perp_active_factor_open(&d->a, &d->M, a)) return PERP_E_MEMORY;
    d->tiny = NOISE * vector_max(n, d->q);
    return PERP_SOLVED;
}

/* ---- a start ---- */

/* From z = 0, where all are WAITING, or from the set of a warm z. */
static bool start(dantzig *d, const double *z)
{
    int count = 0;
    memcpy(d->w, d->q, (size_t)d->n * sizeof *d->w);
    if (!d->options->base.warm_start) return true;
    for (int i = 0; i < d->n; i++) {
        if (z[i] > 0) d->a.list[count++] = i;
    }
    return perp_dantzig_take_list(d, count) && perp_dantzig_repair(d);
}

/* ---- rule worst ---- */

static dantzig_ending drive(dantzig *d, int i, double w)
{
    dantzig_way y = perp_dantzig_begin(d, i, w);
    while (perp_continue(d->run, NULL, INFINITY)) {
        dantzig_ending e = perp_dantzig_aim(d, i, &y);
        if (e != DONE || perp_dantzig_over(d, i, &y)) return e;
        if (y.arrived) continue;
        double t = y.flat ? INFINITY : -y.w / d->left;
        int at = perp_dantzig_block(d, &t);
        if (!(t < INFINITY)) return isnan(t) ? STUCK : perp_dantzig_meet_ray(d, i);
        perp_dantzig_move(d, i, t);
        y.w += y.flat ? 0 : t * d->left;
        if (!(at >= 0 ? perp_dantzig_leave(d, i, at) : perp_dantzig_settle(d, i))) return NO_MEMORY;
        if (!dantzig_outside(d, i)) return DONE;
    }
    return STOPPED;
}

/* The indices with the most negative w against their rows, the worst first. */
static int price(const dantzig *d, int *chosen)
{
    double worst[PRICED] = {0};
    int count = 0, most = d->options->candidates;
    for (int i = 0; i < d->n; i++) {
        if (!dantzig_outside(d, i) || d->state[i] == HELD || !(d->w[i] < -perp_dantzig_noise(d, i)))
            continue;
        double w = d->a.diagonal[i] > 0 ? d->w[i] / sqrt(d->a.diagonal[i]) : -INFINITY;
        if (count == most && w >= worst[most - 1]) continue;
        int at = count < most ? count++ : most - 1;
        for (; at > 0 && worst[at - 1] > w; at--) {
            worst[at] = worst[at - 1];
            chosen[at] = chosen[at - 1];
        }
        worst[at] = w;
        chosen[at] = i;
    }
    return count;
}

/* Drive the worst until none is negative; *i is where it ended. */
static dantzig_ending drive_worst(dantzig *d, int *i)
{
    int chosen[PRICED], count, small = 0;
    double much = -SMALL * vector_max(d->n, d->q);
    while ((count = price(d, chosen)) > 0) {
        for (int k = 0; k < count; k++) {
            *i = chosen[k];
            double w = k > 0 ? perp_dantzig_slack(d, *i) : d->w[*i];
            if (!dantzig_outside(d, *i) || w >= -perp_dantzig_noise(d, *i)) continue;
            small = w < much ? 0 : small + 1;
            if (small > d->n) return DONE; /* it may be rounding that is driven in circles */
            dantzig_ending e = drive(d, *i, w);
            if (e != DONE) return e;
            if (!dantzig_outside(d, *i)) memset(d->state, WAITING, (size_t)d->n);
            perp_dantzig_find_size(d);
        }
        perp_active_factor_slack(&d->a, d->q, d->z, d->w);
    }
    return DONE;
}

/* ---- the method ---- */

/* |min(z, w)| of z's nonnegative part, scaled. */
static double measure(dantzig *d, double *z)
{
    double sum = 0;
    for (int i = 0; i < d->n; i++) z[i] = d->z[i] > 0 ? d->z[i] : 0;
    perp_active_factor_slack(&d->a, d->q, z, d->w);
    for (int i = 0; i < d->n; i++) {
        double least = d->w[i] < z[i] ? d->w[i] : z[i];
        sum += least * least;
    }
    return sqrt(sum) / perp_scale(d->run);
}

/* z of the set, refined while that helps, and its residual. */
static double finish(dantzig *d, double *z)
{
    double before, estimate = INFINITY;
    perp_dantzig_find_vertex(d);
    do {
        before = estimate;
        perp_active_factor_correct(&d->a, d->w, d->z);
        estimate = measure(d, z);
    } while (estimate > REFINED && estimate < before / 2);
    return estimate;
}

static perp_status conclude(dantzig *d, dantzig_ending e, int i, double *z)
{
    for (int j = 0; j < d->n; j++) z[j] = d->z[j] > 0 ? d->z[j] : 0;
    switch (e) {
    case RAY:
        d->run->proof = d->proof;
        return perp_fail(d->run, PERP_INFEASIBLE, "no z >= 0 has M z + q >= 0; w holds the proof");
    case INDEFINITE_M:
        return perp_fail(d->run, PERP_E_NUMBER,
                         "M is not positive semidefinite, as index %d shows; see lcp/lemke", i);
    case STOPPED: return d->run->status;
    case NO_MEMORY: return PERP_E_MEMORY;
    default:
        return perp_fail(
            d->run, PERP_STALLED,
            "the pivots for index %d make no progress: M may not be positive semidefinite", i);
    }
}

/* A fresh factor of the set, or, where the set is what rule order left and rule worst made nothing
 * of it, no set at all. */
static bool begin_again(dantzig *d, bool empty)
{
    d->holds = empty ? 0 : d->holds;
    bool good =
        empty ? perp_dantzig_take_list(d, 0) : perp_active_factor_rebuild(&d->a, DANTZIG_DEPENDENT);
    if (!good) return false;
    perp_dantzig_find_vertex(d);
    return perp_dantzig_repair(d);
}

static perp_status solve(perp_run *run, double *z)
{
    dantzig d;
    int i = 0;
    perp_status s = open_dantzig(&d, run);
    if (s) return s;
    if (!start(&d, z)) return PERP_E_MEMORY;
    bool ordered = d.options->rule == PERP_DRIVE_ORDER; /* the set comes from that rule */
    for (int pass = 0; pass < PASSES; pass++) {
        bool order = ordered && pass == 0;
        dantzig_ending e = order ? perp_dantzig_drive_in_order(&d, &i) : drive_worst(&d, &i);
        if (e != DONE && !(ordered && e == STUCK)) return conclude(&d, e, i, z);
        bool empty = e == STUCK && !order;
        if (!empty && !perp_continue(run, z, finish(&d, z))) return run->status;
        if (!begin_again(&d, empty)) return PERP_E_MEMORY;
        ordered = ordered && !empty;
    }
    return perp_fail(run, PERP_STALLED,
                     "rounding errors spoil the pivots: M is nearly singular on the active set");
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_lcp_dantzig_options, rule, "worst|order",
                       "drive the most negative w, or one index after the other (Baraff)"),
    PERP_OPTION(perp_lcp_dantzig_options, candidates, 1, PRICED,
                "indices driven after one product with M by rule worst; 1: the worst alone"),
    PERP_OPTION(perp_lcp_dantzig_options, refactor, 0, 1,
                "factor anew after each pivot instead of updating"),
    {0},
};

static const perp_solver solver = {
    .name = "lcp/dantzig",
    .about = "principal pivoting for symmetric semidefinite M (Dantzig 1961; Baraff 1994)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_lcp_dantzig_options),
    .options = options,
    .solve = solve,
    .room = perp_room_none,
};

const perp_lcp_dantzig_options perp_lcp_dantzig = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .rule = PERP_DRIVE_WORST,
    .candidates = PRICED,
};
