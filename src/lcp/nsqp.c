/* lcp/nsqp.c: any M by the quadratic program min z'(M z + q), z >= 0, M z + q >= 0.
 * Cottle, Pang, Stone, The Linear Complementarity Problem (1992), sections 1.4 and 3.5.
 *
 * The objective is z'w and not negative; a solution is where it is zero. Its matrix is M + M'.
 * Where M is row sufficient, as semidefinite and P-matrices are, every stationary point is a
 * solution; where it is not, the method may end at one that is none. Phase one is the dual kernel
 * with H = I (method/dual_set.c), and proves infeasibility; phase two the primal one
 * (method/primal_set.c). Dense: 14 n^2 flops a step; memory 8 n^2 numbers. */
#include "base/vector.h"
#include "core/defaults.h"
#include "linalg/equilibrate.h"
#include "method/primal_set.h"
#include "perp/solver.h"

#define PASSES 3 /* fresh factors for an answer that the certificate refused */

typedef struct nsqp {
    perp_run *run;
    const perp_lcp *p;
    perp_constraint_rows rows;
    perp_primal s;
    double *r, *c;     /* n: the scaled problem has r_i M_ij c_j, r_i q_i and z_j / c_j */
    double *norm;      /* n: of the rows of the scaled M */
    double *q;         /* n */
    signed char *held; /* n */
} nsqp;

/* ---- opening ---- */

/* Rows of the scaled M, of length 1, as columns; H = M + M'. */
static void fill(nsqp *l, double *A, double *H, double *lo, double *hi)
{
    size_t n = (size_t)l->p->n, ld = (size_t)l->p->M.as.dense.ld;
    const double *M = l->p->M.as.dense.x, *r = l->r, *c = l->c;
    for (size_t i = 0; i < n; i++) {
        double *a = A + i * n;
        l->q[i] = r[i] * l->p->q[i];
        for (size_t j = 0; j < n; j++) {
            a[j] = r[i] * M[j * ld + i] * c[j];
            H[i * n + j] = a[j] + r[j] * M[i * ld + j] * c[i];
        }
        double norm = vector_norm((int)n, a);
        l->norm[i] = norm > 0 ? norm : 1;
        for (size_t j = 0; j < n; j++) a[j] /= l->norm[i];
        lo[n + i] = -l->q[i] / l->norm[i];
        hi[i] = hi[n + i] = INFINITY;
    }
}

static bool open_nsqp(nsqp *l, perp_run *run)
{
    const perp_lcp *p = &run->problem->as.lcp;
    size_t n = (size_t)p->n;
    *l = (nsqp){.run = run, .p = p};
    double *doubles = PERP_ALLOC(run, double, perp_primal_doubles(p->n, p->n));
    int *ints = PERP_ALLOC(run, int, perp_primal_ints(p->n, p->n));
    double *A = PERP_ALLOC(run, double, n *n), *H = PERP_ALLOC(run, double, n *n);
    double *lo = PERP_ALLOC(run, double, 2 * n), *hi = PERP_ALLOC(run, double, 2 * n);
    double *vectors = PERP_ALLOC(run, double, 6 * n);
    l->held = PERP_ALLOC(run, signed char, n);
    if (run->arena->failed) return false;
    double **each[] = {&l->r, &l->c, &l->norm, &l->q};
    for (size_t k = 0; k < 4; k++) *each[k] = vectors + k * n;
    perp_equilibrate(p->n, p->M.as.dense.x, p->M.as.dense.ld, l->r, l->c, vectors + 4 * n);
    fill(l, A, H, lo, hi);
    l->rows = (perp_constraint_rows){.n = p->n, .m = p->n, .A = A, .lo = lo, .hi = hi};
    perp_primal_open(&l->s, &l->rows, H, p->n, l->q, doubles, ints);
    l->s.watch = run->arena->watch;
    return true;
}

/* ---- sets ---- */

/* x on the set's bounds, multipliers as any projection on the set could have. */
static void settle(nsqp *l)
{
    perp_dual *s = &l->s.s;
    perp_dual_measure(s);
    memset(s->y, 0, 2 * (size_t)l->p->n * sizeof *s->y);
    memset(l->s.g, 0, (size_t)l->p->n * sizeof *l->s.g);
    perp_dual_correct(s, l->s.g);
    for (int q = 0; q < s->set.R.k; q++) s->y[s->set.set[q]] = s->side[s->set.set[q]];
}

/* All of z is held at 0, or what a warm z shows; then w where z is not. */
static void start(nsqp *l, const double *z)
{
    int n = l->p->n;
    bool warm = l->run->options->warm_start;
    double *w = l->s.g;
    perp_mul(&l->p->M, 1, z, 0, w);
    for (int i = 0; i < n; i++) {
        l->held[i] = !warm || z[i] < w[i] + l->p->q[i] || z[i] <= 0;
        l->s.s.value[i] = z[i] / l->c[i];
    }
    perp_dual_hold(&l->s.s, l->held);
    for (int i = 0; i < n; i++) {
        if (!l->held[i]) perp_dual_join(&l->s.s, n + i, 1, 1e-7);
    }
    settle(l);
}

/* The same set with fresh factors. */
static void restart(nsqp *l)
{
    int n = l->p->n;
    perp_dual *s = &l->s.s;
    signed char *side = l->s.lean;
    memcpy(side, s->side, 2 * (size_t)n);
    memcpy(l->held, side, (size_t)n);
    perp_dual_hold(s, l->held);
    for (int i = n; i < 2 * n; i++) {
        if (side[i]) perp_dual_join(s, i, 1, 1e-7);
    }
    settle(l);
}

/* ---- the method ---- */

static void write(const nsqp *l, double *z)
{
    for (int i = 0; i < l->p->n; i++) z[i] = l->s.s.value[i] > 0 ? l->c[i] * l->s.s.value[i] : 0;
}

static perp_status end_early(const nsqp *l, double *z)
{
    write(l, z);
    return l->run->status;
}

/* y >= 0 with M'y <= 0 and q'y < 0: the multipliers of the rows. */
static perp_status end_infeasible(nsqp *l)
{
    static const double cuts[] = {0, 1e-15, 1e-13, 1e-11};
    perp_run *run = l->run;
    int n = l->p->n;
    double *proof = PERP_ALLOC(run, double, 2 * (size_t)n), *y = PERP_ALLOC(run, double, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_dual_proof(&l->s.s, proof);
    double most = vector_max(2 * n, proof);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) {
            y[i] = proof[n + i] > cuts[k] * most ? proof[n + i] / l->norm[i] * l->r[i] : 0;
        }
        perp_status check = perp_prove(run, PERP_INFEASIBLE, y);
        if (check == PERP_E_MEMORY) return check;
        if (check) continue;
        run->proof = y;
        return perp_fail(run, PERP_INFEASIBLE, "no z >= 0 has M z + q >= 0; w holds the proof");
    }
    return perp_fail(run, PERP_STALLED,
                     "the rows appear to contradict each other, but no vector proves it");
}

/* Both phases from a set. SOLVED: z is to be certified. */
static perp_status run_phases(nsqp *l, double *z)
{
    perp_dual_step dual = PERP_DUAL_MOVED;
    perp_primal_step step = PERP_PRIMAL_MOVED;
    while (dual == PERP_DUAL_MOVED) {
        if (!perp_continue(l->run, NULL, INFINITY)) return end_early(l, z);
        dual = perp_dual_advance(&l->s.s);
    }
    if (dual == PERP_DUAL_INFEASIBLE) return end_infeasible(l);
    perp_primal_begin(&l->s);
    while (step == PERP_PRIMAL_MOVED) {
        if (!perp_continue(l->run, NULL, INFINITY)) return end_early(l, z);
        step = perp_primal_advance(&l->s);
    }
    if (step == PERP_PRIMAL_UNBOUNDED)
        return perp_fail(l->run, PERP_STALLED,
                         "z'w is negative by rounding, so that it cannot fall further");
    perp_primal_polish(&l->s);
    write(l, z);
    return PERP_SOLVED;
}

/* z'w at the stationary point, where it is not a solution. */
static double product(const nsqp *l)
{
    double sum = 0;
    for (int i = 0; i < l->p->n; i++) {
        double w = l->s.s.value[l->p->n + i] - l->rows.lo[l->p->n + i];
        sum += l->c[i] * l->s.s.value[i] * w * l->norm[i] / l->r[i];
    }
    return sum;
}

static perp_status solve_nsqp(perp_run *run, double *z)
{
    nsqp l;
    if (!open_nsqp(&l, run)) return PERP_E_MEMORY;
    start(&l, z);
    double estimate = run->options->tol, zw = 0; /* falls, so that each pass is certified */
    for (int pass = 0; pass < PASSES; pass++, estimate *= 1e-3) {
        perp_status status = run_phases(&l, z);
        if (status) return status;
        if (!perp_continue(run, z, estimate)) return run->status;
        zw = product(&l);
        restart(&l);
    }
    return perp_fail(run, PERP_STALLED,
                     "a stationary point with z'w = %g is no solution: M is not row sufficient",
                     zw);
}

/* A proof. */
static void room(perp_run *run)
{
    size_t n = (size_t)run->problem->as.lcp.n;
    perp_count(run->arena, 2 * n, sizeof(double));
    perp_count(run->arena, n, sizeof(double));
}

static const perp_solver solver = {
    .name = "lcp/nsqp",
    .about = "min z'(M z + q) over the feasible z, by a primal active set (Fletcher 1971)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE},
    .options_size = sizeof(perp_plain_options),
    .solve = solve_nsqp,
    .room = room,
};

const perp_plain_options perp_lcp_nsqp = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
