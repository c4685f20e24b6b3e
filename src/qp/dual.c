/* qp/dual.c: the dual active-set method for strictly convex QPs.
 * Goldfarb and Idnani, A numerically stable dual method for solving strictly convex quadratic
 * programs, Math. Programming 27 (1983).
 *
 * From the unconstrained minimiser, or the minimiser on the set that a warm start (x, y) shows,
 * violated constraints join one by one. The basis L'^-1, L L' = H, and the factor of the set are
 * updated (method/working_set.c). No phase one, and no degeneracy: the objective rises. Dense: 2
 * n^3 / 3 flops to begin, 2 n m + 6 n^2 a step; memory 3 n^2 + n m numbers. */
#include "base/vector.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "dense_qp.h"
#include "linalg/dense.h"
#include "linalg/lapack.h"
#include "linalg/principal_submatrix.h"
#include "method/dual_set.h"

#define SYMMETRY 1e-10 /* relative */
#define DEFINITE 1e-13 /* pivot of H over its diagonal entry: more */
#define PASSES 4       /* fresh factors for an answer that the certificate refused */
#define REFINEMENTS 3  /* of x and y on the last set */

typedef struct dual {
    perp_run *run;
    perp_dense_qp p;
    perp_dual s;
    double *L; /* Cholesky factor of H, then its inverse */
    double *g; /* n: a gradient */
} dual;

/* ---- opening ---- */

static perp_status factor(dual *d)
{
    const perp_qp *qp = d->p.qp;
    int n = qp->n, i = 0, j = 0, info = 0;
    const perp_watch *watch = d->run->arena->watch;
    size_t size = (size_t)n, ld = (size_t)qp->H.as.dense.ld;
    if (n == 0) return PERP_SOLVED;
    perp_status symmetric = perp_symmetry(&qp->H, SYMMETRY, d->run->arena, &i, &j);
    if (symmetric == PERP_E_MEMORY) return symmetric;
    if (symmetric)
        return perp_fail(d->run, PERP_E_NUMBER,
                         "H is not symmetric: H[%d][%d] and H[%d][%d] differ, see qp/fletcher", i,
                         j, j, i);
    for (size_t k = 0; k < size; k++) {
        memcpy(d->L + k * size, qp->H.as.dense.x + k * ld, size * sizeof *d->L);
    }
    int failed = perp_cholesky_factor(n, d->L, n, watch);
    for (size_t k = 0; k < size && !failed; k++) {
        double root = d->L[k * (size + 1)];
        if (root * root <= DEFINITE * qp->H.as.dense.x[k * (ld + 1)]) failed = (int)k + 1;
    }
    if (!failed) info = perp_triangle_invert(n, d->L, n, watch);
    if (!failed && !info) return PERP_SOLVED;
    if (failed == PERP_STOPPED || info == PERP_STOPPED)
        return PERP_STALLED; /* the driver says why */
    return perp_fail(d->run, PERP_E_NUMBER, "H is not positive definite at row %d: see qp/fletcher",
                     (failed ? failed : info) - 1);
}

/* Q = L'^-1, and no constraint in the set. */
static void clear(dual *d)
{
    size_t n = (size_t)d->p.qp->n;
    double *Q = d->s.set.Q;
    d->s.set.R.k = 0;
    d->s.entering = -1;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i <= j; i++) Q[j * n + i] = d->L[i * n + j];
        for (size_t i = j + 1; i < n; i++) Q[j * n + i] = 0;
    }
}

static perp_status open_dual(dual *d, perp_run *run)
{
    const perp_qp *qp = &run->problem->as.qp;
    size_t n = (size_t)qp->n;
    *d = (dual){.run = run};
    bool room = perp_dense_qp_open(&d->p, qp, run->arena);
    double *doubles = PERP_ALLOC(run, double, perp_dual_doubles(qp->n, qp->m));
    int *ints = PERP_ALLOC(run, int, perp_dual_ints(qp->n, qp->m));
    d->L = PERP_ALLOC(run, double, n *n);
    d->g = PERP_ALLOC(run, double, n);
    if (!room || run->arena->failed) return PERP_E_MEMORY;
    perp_status status = perp_is_sizing(run) ? PERP_MAX_ITER : factor(d);
    if (status) return status;
    perp_dual_open(&d->s, &d->p.rows, doubles, ints);
    clear(d);
    return PERP_SOLVED;
}

/* ---- the minimiser on a set ---- */

/* x and the multipliers of the set, as exact as the factors allow. */
static void refine(dual *d, int steps)
{
    for (int k = 0; k < steps; k++) {
        perp_dense_qp_gradient(&d->p, d->s.value, d->g);
        perp_dual_correct(&d->s, d->g);
    }
}

/* The place of the multiplier that is most wrong, or -1. */
static int find_wrong(const dual *d)
{
    int at = -1;
    double worst = 0;
    for (int p = 0; p < d->s.set.R.k; p++) {
        int i = d->s.set.set[p];
        double wrong = -d->s.side[i] * d->s.y[i];
        if (rows_is_equality(&d->p.rows, i) || wrong <= worst) continue;
        worst = wrong;
        at = p;
    }
    return at;
}

/* Multipliers of the right signs again. */
static void repair(dual *d)
{
    for (int at = find_wrong(d); at >= 0; at = find_wrong(d)) {
        perp_dual_leave(&d->s, at);
        refine(d, 1);
    }
}

static bool start_warm(dual *d, const double *z)
{
    size_t all = (size_t)d->p.qp->n + (size_t)d->p.qp->m;
    perp_mark mark = perp_arena_mark(d->run->arena);
    signed char *side = PERP_ALLOC(d->run, signed char, all);
    double *force = PERP_ALLOC(d->run, double, all);
    if (d->run->arena->failed) return false;
    perp_dense_qp_read(&d->p, z, d->s.value);
    perp_dual_measure(&d->s);
    perp_dense_qp_guess(&d->p, z, d->s.value, d->g, side, force);
    perp_dense_qp_join(&d->s, side, force, 0);
    perp_arena_release(d->run->arena, mark);
    return true;
}

static bool start(dual *d, const double *z)
{
    if (d->run->options->warm_start && !start_warm(d, z)) return false;
    refine(d, 2);
    repair(d);
    return true;
}

/* The same set with fresh factors. */
static void restart(dual *d)
{
    int k = d->s.set.R.k;
    const int *set = d->s.set.set;
    clear(d);
    for (int p = 0; p < k; p++) {
        int i = set[p], side = d->s.side[i];
        d->s.side[i] = 0;
        if (!perp_dual_join(&d->s, i, side, 0)) d->s.y[i] = 0;
    }
    refine(d, 2);
    repair(d);
}

/* ---- the method ---- */

static perp_status end_infeasible(dual *d)
{
    perp_mark mark = perp_arena_mark(d->run->arena);
    double *proof = PERP_ALLOC(d->run, double, perp_size(d->run->problem));
    if (d->run->arena->failed) return PERP_E_MEMORY;
    perp_dual_proof(&d->s, proof);
    perp_status status = perp_dense_qp_prove(&d->p, d->run, PERP_INFEASIBLE, proof);
    if (status == PERP_STALLED) perp_arena_release(d->run->arena, mark);
    return status;
}

static perp_status solve_dual(perp_run *run, double *z)
{
    dual d;
    perp_status status = open_dual(&d, run);
    if (status) return status;
    if (!start(&d, z)) return PERP_E_MEMORY;
    double estimate = run->options->tol; /* falls, so that each pass is certified */
    for (int pass = 0; pass < PASSES; pass++, estimate *= 1e-3) {
        perp_dual_step step = PERP_DUAL_MOVED;
        while (step == PERP_DUAL_MOVED && perp_continue(run, NULL, INFINITY)) {
            step = perp_dual_advance(&d.s);
            if (step != PERP_DUAL_INFEASIBLE) continue;
            status = end_infeasible(&d);
            if (status != PERP_STALLED || !perp_dual_loosen(&d.s)) return status;
            step = PERP_DUAL_MOVED;
        }
        if (step == PERP_DUAL_MOVED) {
            perp_dense_qp_write(&d.p, d.s.value, d.s.y, z);
            return run->status;
        }
        refine(&d, REFINEMENTS);
        perp_dense_qp_write(&d.p, d.s.value, d.s.y, z);
        if (!perp_continue(run, z, estimate)) return run->status;
        restart(&d);
    }
    return perp_fail(run, PERP_STALLED,
                     "H or the rows are too ill-conditioned for active sets; try qp/ipm");
}

/* The symmetry of H, the sides of a warm start; then a proof. */
static void room_dual(perp_run *run)
{
    perp_arena *a = run->arena;
    size_t all = (size_t)perp_size(run->problem);
    perp_mark mark = perp_arena_mark(a);
    perp_count(a, all, sizeof(signed char));
    perp_count(a, all, sizeof(double));
    perp_arena_release(a, mark);
    perp_count(a, all, sizeof(double));
    perp_dense_qp_prove_room(run);
}

static const perp_solver solver = {
    .name = "qp/dual",
    .about = "dual active set for strictly convex H (Goldfarb, Idnani 1983)",
    .kind = PERP_KIND_QP,
    .formats = {PERP_FORMAT_DENSE, PERP_FORMAT_DENSE},
    .options_size = sizeof(perp_plain_options),
    .solve = solve_dual,
    .room = room_dual,
};

const perp_plain_options perp_qp_dual = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
