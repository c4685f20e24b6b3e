/* qp/fletcher.c: the primal active-set method, for any H.
 * Fletcher, A general quadratic programming algorithm, J. Inst. Math. Appl. 7 (1971); Fletcher,
 * Resolving degeneracy in quadratic programming, Ann. Oper. Res. 46 (1993).
 *
 * Phase one projects the start on the feasible set by the dual method with H = I
 * (method/dual_set.c) and hands its set and factor to phase two (method/primal_set.c), which ends
 * at a stationary point or with a direction without end. Where H is not symmetric there is no
 * objective to follow, and phase two is that of qp/affine_vi.c. Dense: up to 4 n^3 flops to begin,
 * 10 n^2
 * + 2 n m a step; memory 6 n^2 + n m numbers. */
#include "affine_vi.h"
#include "base/cache.h"
#include "base/vector.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "linalg/dense.h"
#include "linalg/principal_submatrix.h"
#include "method/primal_set.h"
#include "phase_one.h"

#define SYMMETRY 1e-10 /* relative */
#define DEFINITE 1e-8  /* pivot of H over its diagonal entry: at least */
#define PASSES 4       /* fresh factors for an answer that the certificate refused */

typedef struct fletcher {
    perp_run *run;
    perp_dense_qp p;
    perp_primal s;
    double *w; /* n + m: a proof */
} fletcher;

static perp_status open_fletcher(fletcher *f, perp_run *run)
{
    const perp_qp *qp = f->p.qp;
    double *doubles = PERP_ALLOC(run, double, perp_primal_doubles(qp->n, qp->m));
    int *ints = PERP_ALLOC(run, int, perp_primal_ints(qp->n, qp->m));
    f->w = PERP_ALLOC(run, double, perp_size(run->problem));
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_primal_open(&f->s, &f->p.rows, qp->H.as.dense.x, qp->H.as.dense.ld, qp->c, doubles, ints);
    f->s.watch = run->arena->watch;
    return PERP_SOLVED;
}

/* ---- the first set ---- */

/* x = -H^-1 c. False: H is not positive definite, or nearly so. */
static bool find_minimiser(fletcher *f)
{
    int n = f->p.qp->n;
    size_t size = (size_t)n, ld = (size_t)f->s.ld;
    double *x = f->s.s.value, *L = f->s.work;
    for (size_t j = 0; j < size; j++) {
        memcpy(L + j * size, f->s.H + j * ld, size * sizeof *L);
        x[j] = -f->p.qp->c[j];
    }
    if (perp_cholesky_factor(n, L, n, f->run->arena->watch)) return false;
    for (size_t j = 0; j < size; j++) {
        double root = L[j * (size + 1)];
        if (root * root <= DEFINITE * f->s.H[j * (ld + 1)]) return false;
    }
    perp_cholesky_solve(n, L, n, 1, x);
    return true;
}

static void start(fletcher *f, const double *z)
{
    bool warm = f->run->options->warm_start;
    if (!warm && (perp_is_sizing(f->run) || !find_minimiser(f)))
        perp_phase_centre(&f->p, f->s.s.value);
    perp_phase_start(&f->p, &f->s.s, warm ? z : NULL, f->s.slope, f->s.g, f->s.lean);
}

/* The same set with fresh factors; artificial constraints are made anew. */
static void restart(fletcher *f)
{
    perp_dual *s = &f->s.s;
    int count = 0, *list = f->s.depth;
    memcpy(f->s.lean, s->side, (size_t)f->p.qp->n + (size_t)f->p.qp->m);
    for (int q = 0; q < s->set.R.k; q++) {
        if (!primal_is_artificial(&f->s, s->set.set[q])) list[count++] = s->set.set[q];
    }
    perp_primal_clear(&f->s);
    perp_phase_resume(&f->p, s, count, list, f->s.lean, f->s.g);
}

/* ---- the method ---- */

/* The bounds of directions of recession, of length 1 at most. */
static void open_recession(const fletcher *f, double *lo, double *hi)
{
    int n = f->p.qp->n;
    for (int i = 0; i < n + f->p.qp->m; i++) {
        lo[i] = isfinite(f->p.rows.lo[i]) ? 0 : i < n ? -1 : -INFINITY;
        hi[i] = isfinite(f->p.rows.hi[i]) ? 0 : i < n ? 1 : INFINITY;
    }
}

/* A direction of recession e with (H d)'e < 0: where d'H d = 0, d + t e curves down for small t. By
 * the same method, as a linear program. NULL: there is none, or no memory or time for it. */
static const double *find_bend(fletcher *f)
{
    perp_run *run = f->run;
    int n = f->p.qp->n, m = f->p.qp->m;
    size_t all = (size_t)n + (size_t)m;
    double *lo = PERP_ALLOC(run, double, all), *hi = PERP_ALLOC(run, double, all);
    double *zeros = PERP_ALLOC(run, double, (size_t)n *(size_t)n);
    double *doubles = PERP_ALLOC(run, double, perp_primal_doubles(n, m));
    int *ints = PERP_ALLOC(run, int, perp_primal_ints(n, m));
    perp_primal *s = PERP_ALLOC(run, perp_primal, 1);
    perp_constraint_rows *rows = PERP_ALLOC(run, perp_constraint_rows, 1);
    if (run->arena->failed) return NULL;
    open_recession(f, lo, hi);
    *rows = (perp_constraint_rows){.n = n, .m = m, .A = f->p.rows.A, .lo = lo, .hi = hi};
    perp_primal_open(s, rows, zeros, n, f->s.Hd, doubles, ints);
    s->watch = run->arena->watch;
    for (int i = 0; i < n + m; i++) {
        if (rows_is_equality(rows, i)) perp_dual_join(&s->s, i, 1, 0);
    }
    perp_primal_begin(s);
    while (perp_primal_advance(s) == PERP_PRIMAL_MOVED) {
        if (!perp_continue(run, NULL, INFINITY)) return NULL;
    }
    perp_primal_polish(s);
    return s->s.value;
}

/* d, or with negative curvature d + t e. */
static perp_status end_unbounded(fletcher *f)
{
    int n = f->p.qp->n;
    memcpy(f->w, f->s.d, (size_t)n * sizeof *f->w);
    perp_status status = perp_dense_qp_prove(&f->p, f->run, PERP_UNBOUNDED, f->w);
    if (status != PERP_STALLED) return status;
    const double *e = find_bend(f);
    if (!e) return f->run->arena->failed ? PERP_E_MEMORY : f->run->status;
    double slope = 0, curve = 0, *He = f->s.g;
    perp_mul(&f->p.qp->H, 1, e, 0, He);
    for (int j = 0; j < n; j++) {
        slope += f->s.Hd[j] * e[j];
        curve += e[j] * He[j];
    }
    if (!(slope < 0)) return status;
    double t = curve > -slope ? -slope / curve : 1;
    for (int j = 0; j < n; j++) f->w[j] = f->s.d[j] + t * e[j];
    return perp_dense_qp_prove(&f->p, f->run, PERP_UNBOUNDED, f->w);
}

/* Both phases from a set. SOLVED: z is to be certified. */
static perp_status run_phases(fletcher *f, double *z)
{
    perp_status status = perp_phase_one(&f->p, &f->s.s, f->run, z, f->w);
    if (status) return status;
    perp_primal_begin(&f->s);
    perp_primal_step step = PERP_PRIMAL_MOVED;
    while (step == PERP_PRIMAL_MOVED) {
        if (!perp_continue(f->run, NULL, INFINITY)) {
            perp_dense_qp_write(&f->p, f->s.s.value, f->s.s.y, z);
            return f->run->status;
        }
        step = perp_primal_advance(&f->s);
    }
    if (step == PERP_PRIMAL_UNBOUNDED) return end_unbounded(f);
    perp_primal_polish(&f->s);
    perp_dense_qp_write(&f->p, f->s.s.value, f->s.s.y, z);
    return PERP_SOLVED;
}

static perp_status solve_symmetric(fletcher *f, double *z)
{
    perp_run *run = f->run;
    perp_status status = open_fletcher(f, run);
    if (status) return status;
    start(f, z);
    double estimate = run->options->tol; /* falls, so that each pass is certified */
    for (int pass = 0; pass < PASSES; pass++, estimate *= 1e-3) {
        status = run_phases(f, z);
        if (status) return status;
        if (!perp_continue(run, z, estimate)) return run->status;
        restart(f);
    }
    return perp_fail(run, PERP_STALLED,
                     "H or the rows are too ill-conditioned for active sets; try qp/ipm");
}

static perp_status solve_fletcher(perp_run *run, double *z)
{
    const perp_qp *qp = &run->problem->as.qp;
    fletcher f = {.run = run};
    int i = 0, j = 0;
    if (!perp_dense_qp_open(&f.p, qp, run->arena)) return PERP_E_MEMORY;
    perp_status status = perp_symmetry(&qp->H, SYMMETRY, run->arena, &i, &j);
    if (status == PERP_E_MEMORY) return status;
    return status ? perp_affine_vi(&f.p, run, z) : solve_symmetric(&f, z);
}

/* A direction that curves down, proofs, and a feasible point beside a direction. */
static void room_fletcher(perp_run *run)
{
    perp_arena *a = run->arena;
    int n = run->problem->as.qp.n, m = run->problem->as.qp.m;
    for (int k = 0; k < 2; k++) perp_count(a, (size_t)n + (size_t)m, sizeof(double));
    perp_count(a, perp_count_product((size_t)n, (size_t)n), sizeof(double));
    perp_count(a, perp_primal_doubles(n, m), sizeof(double));
    perp_count(a, perp_primal_ints(n, m), sizeof(int));
    perp_count(a, 1, sizeof(perp_primal));
    perp_count(a, 1, sizeof(perp_constraint_rows));
    perp_dense_qp_prove_room(run);
    perp_room_unbounded(run);
}

static const perp_solver solver = {
    .name = "qp/fletcher",
    .about = "primal active set in the null space, for any H (Fletcher 1971, 1993)",
    .kind = PERP_KIND_QP,
    .formats = {PERP_FORMAT_DENSE, PERP_FORMAT_DENSE},
    .options_size = sizeof(perp_plain_options),
    .solve = solve_fletcher,
    .room = room_fletcher,
};

const perp_plain_options perp_qp_fletcher = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
