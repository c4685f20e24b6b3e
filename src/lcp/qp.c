/* lcp/qp.c: symmetric M by the quadratic program min z'M z / 2 + q'z, z >= 0, whose stationary
 * points are the solutions.
 * Fletcher, A general quadratic programming algorithm, J. Inst. Math. Appl. 7 (1971); Cottle, Pang,
 * Stone, The Linear Complementarity Problem (1992), section 3.1.
 *
 * The primal active-set kernel (method/primal_set.c), from z = 0 or the set of a warm start. M may
 * be indefinite: then a solution is found, or a direction along which the program has no lower
 * bound, which is a ray, and where M is semidefinite a proof that nothing is feasible. Dense: 10
 * n^2 flops a step; memory 6 n^2 numbers. */
#include "base/vector.h"
#include "core/defaults.h"
#include "linalg/principal_submatrix.h"
#include "method/primal_set.h"
#include "perp/solver.h"

#define SYMMETRY 1e-10 /* relative */
#define PASSES 3       /* fresh factors for an answer that the certificate refused */

typedef struct lcp_qp {
    perp_run *run;
    const perp_lcp *p;
    perp_constraint_rows rows;
    perp_primal s;
    signed char *held; /* n */
} lcp_qp;

static perp_status open_qp(lcp_qp *l, perp_run *run)
{
    const perp_lcp *p = &run->problem->as.lcp;
    int n = p->n, i = 0, j = 0;
    *l = (lcp_qp){.run = run, .p = p};
    double *doubles = PERP_ALLOC(run, double, perp_primal_doubles(n, 0));
    int *ints = PERP_ALLOC(run, int, perp_primal_ints(n, 0));
    double *lo = PERP_ALLOC(run, double, n), *hi = PERP_ALLOC(run, double, n);
    l->held = PERP_ALLOC(run, signed char, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_status s = perp_symmetry(&p->M, SYMMETRY, run->arena, &i, &j);
    if (s == PERP_STALLED) {
        return perp_fail(run, PERP_E_NUMBER,
                         "M is not symmetric: M[%d][%d] and M[%d][%d] differ, see lcp/nsqp", i, j,
                         j, i);
    }
    if (s) return s;
    for (int k = 0; k < n; k++) hi[k] = INFINITY;
    l->rows = (perp_constraint_rows){.n = n, .m = 0, .A = lo, .lo = lo, .hi = hi};
    perp_primal_open(&l->s, &l->rows, p->M.as.dense.x, p->M.as.dense.ld, p->q, doubles, ints);
    l->s.watch = run->arena->watch;
    return PERP_SOLVED;
}

/* All of z is held at 0, or what a warm z shows. */
static void start(lcp_qp *l, const double *z)
{
    int n = l->p->n;
    double *w = l->s.g;
    perp_mul(&l->p->M, 1, z, 0, w);
    for (int i = 0; i < n; i++) {
        l->held[i] = !l->run->options->warm_start || z[i] < w[i] + l->p->q[i] || z[i] <= 0;
        l->s.s.value[i] = z[i];
    }
    perp_dual_hold(&l->s.s, l->held);
    perp_primal_begin(&l->s);
}

/* The same set with fresh factors. */
static void restart(lcp_qp *l)
{
    double *x = l->s.s.value;
    memcpy(l->held, l->s.s.side, (size_t)l->p->n);
    for (int i = 0; i < l->p->n; i++) x[i] = x[i] > 0 ? x[i] : 0;
    perp_dual_hold(&l->s.s, l->held);
    perp_primal_begin(&l->s);
}

static void write(const lcp_qp *l, double *z)
{
    for (int i = 0; i < l->p->n; i++) z[i] = l->s.s.value[i] > 0 ? l->s.s.value[i] : 0;
}

/* d >= 0 with d'M d <= 0 and a slope that falls: M d = 0 and q'd < 0 prove that nothing is
 * feasible; otherwise it is a ray. */
static perp_status end_on_ray(lcp_qp *l)
{
    static const perp_status claims[] = {PERP_INFEASIBLE, PERP_RAY};
    perp_run *run = l->run;
    double *y = PERP_ALLOC(run, double, l->p->n);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int i = 0; i < l->p->n; i++) y[i] = l->s.d[i] > 0 ? l->s.d[i] : 0;
    for (int k = 0; k < 2; k++) {
        perp_status check = perp_prove(run, claims[k], y);
        if (check == PERP_E_MEMORY) return check;
        if (check) continue;
        run->proof = y;
        return perp_fail(run, claims[k], "%s",
                         k == 0 ? "no z >= 0 has M z + q >= 0; w holds the proof"
                                : "z'M z / 2 + q'z has no lower bound along the ray in w");
    }
    return perp_fail(
        run, PERP_STALLED,
        "the iterates diverge, but no direction proves that the problem is infeasible");
}

/* SOLVED: z is to be certified. */
static perp_status descend(lcp_qp *l, double *z)
{
    perp_primal_step step = PERP_PRIMAL_MOVED;
    while (step == PERP_PRIMAL_MOVED) {
        if (!perp_continue(l->run, NULL, INFINITY)) {
            write(l, z);
            return l->run->status;
        }
        step = perp_primal_advance(&l->s);
    }
    if (step == PERP_PRIMAL_UNBOUNDED) return end_on_ray(l);
    perp_primal_polish(&l->s);
    write(l, z);
    return PERP_SOLVED;
}

static perp_status solve_qp(perp_run *run, double *z)
{
    lcp_qp l;
    perp_status status = open_qp(&l, run);
    if (status) return status;
    start(&l, z);
    double estimate = run->options->tol; /* falls, so that each pass is certified */
    for (int pass = 0; pass < PASSES; pass++, estimate *= 1e-3) {
        status = descend(&l, z);
        if (status) return status;
        if (!perp_continue(run, z, estimate)) return run->status;
        restart(&l);
    }
    return perp_fail(run, PERP_STALLED, "M is too ill-conditioned for the method");
}

/* A ray. */
static void room(perp_run *run)
{
    perp_count(run->arena, (size_t)run->problem->as.lcp.n, sizeof(double));
}

static const perp_solver solver = {
    .name = "lcp/qp",
    .about = "the quadratic program of a symmetric M, by a primal active set (Fletcher 1971)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE},
    .options_size = sizeof(perp_plain_options),
    .solve = solve_qp,
    .room = room,
};

const perp_plain_options perp_lcp_qp = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
};
