/* qp/ipm.c: a primal-dual interior point method for sparse convex quadratic programs.
 * Mehrotra, SIAM J. Optimization 2, 1992; Gertz, Wright, ACM TOMS 29(1) 2003; Friedlander, Orban,
 * Mathematical Programming Computation 4, 2012.
 *
 * The problem is reduced and scaled (ipm_presolve.c); a step factors the regularised KKT matrix in
 * an order found once (ipm_kkt.c, ipm_step.c); 10 to 40 steps are usual, whatever the size. Near a
 * solution its active set gives the last digits (ipm_finish.c), where none exists a second problem
 * gives the proof (ipm_proof.c). Where double precision is not enough for the systems they are
 * solved in pairs of numbers (ipm_pairs.c). Monotone H that is not symmetric is factored by a
 * sparse LU. Memory: the factor, in pairs three times that, and 40 numbers a variable and row. */
#include "ipm.h"

#include "core/defaults.h"
#include "core/internal.h"
#include "core/residual_qp.h"

#include <math.h>
#include <string.h>

#define CLOSE 1e-3 /* residual from which the active set is worth a look, ... */
#define CLOSER 0.1 /* ... and again when so much closer */
#define EXCHANGES 8
#define STARTS 3
#define CAUTION 1000.0 /* each start is so much farther from the bounds than the last */
#define WORSE 100.0
/* A relative error of the systems' solutions above which they may be what holds a run up. None of
 * the stored problems comes to a start in pairs by it, at 1e-8 and at 1e-12. */
#define INACCURATE 1e-8
#define PROVES 1e-6   /* of a multiplier or direction that nearly is a proof */
#define BETTER 0.5    /* a residual that counts as progress, ... */
#define PATIENCE 20   /* ... of which there is some in so many steps; twice that at last */
#define SPENT 1e-20   /* a mean product, of numbers near 1, below which ... */
#define LAST_STEPS 4  /* ... so many steps without progress are the last: systems alone are left */
#define SHORT 0.1     /* steps that lead nowhere, ... */
#define TINY 1e-3     /* ... at last, ... */
#define SHORT_STEPS 8 /* ... when so many follow each other */

static const perp_scales natural = {.s = {1, 1, 1}}; /* of a part that is not read */

typedef struct interior {
    perp_run *run;
    const perp_qp *qp;
    ipm_presolved r;
    ipm_kkt kkt;
    ipm_point point;
    ipm_finish finish;
    double *z, *other; /* of the caller's problem */
    double *work;      /* n + m: a slack */
    bool ended;        /* by perp_continue */
    bool tried_infeasible, tried_unbounded;
} interior;

/* As the certificate has it, plainly summed; it decides where this is within the tolerance. */
static double error_at(interior *t, const double *z)
{
    perp_residual r;
    perp_status s = perp_residual_qp(t->run->problem, &natural, z, t->work, 0, t->run->arena, &r);
    return s == PERP_SOLVED ? r.value : INFINITY;
}

/* Is what the right active set leaves rounding, and more than the tolerance? Without pairs it may
 * be the error of the system. */
static bool is_rounding(interior *t)
{
    if (!t->kkt.pairs || !perp_below_floor(t->run)) return false;
    t->run->status = PERP_STALLED;
    return true;
}

/* Does the run end here? `error` is that of the interior point: a set that does much worse is not
 * the solution's. */
static bool try_finish(interior *t, double error)
{
    perp_ipm_finish_identify(&t->finish, &t->point);
    for (int k = 0; k < EXCHANGES; k++) {
        if (!perp_ipm_finish_solve(&t->finish)) return false;
        perp_ipm_restore(&t->r, t->finish.x, t->finish.y, t->other);
        double now = error_at(t, t->other);
        if (!perp_continue(t->run, t->other, now)) return true;
        if (now > WORSE * error) return false;
        if (perp_ipm_finish_exchange(&t->finish) == 0) return is_rounding(t);
    }
    return false;
}

static double positive(double x)
{
    return x > 0 ? x : 0;
}

/* Are the multipliers nearly a Farkas proof? */
static bool looks_infeasible(const ipm_point *t)
{
    const ipm_problem *p = t->p;
    double sum = 0, size = 0, slope = 0;
    for (int k = 0; k < t->pairs; k++) {
        double zl = t->zl[k], zu = t->zu[k];
        if (k >= p->n && ipm_is_equal(p, k)) {
            zl = positive(t->y[k - p->n]);
            zu = positive(-t->y[k - p->n]);
        }
        if (zl > 0) {
            sum += zl * p->lo[k];
            size = fmax(size, zl);
        }
        if (zu > 0) {
            sum -= zu * p->hi[k];
            size = fmax(size, zu);
        }
    }
    if (!(sum > 0)) return false;
    perp_mul_t(&p->A, 1, t->y, 0, t->rhs);
    for (int j = 0; j < p->n; j++) slope = fmax(slope, fabs(t->rhs[j] + t->zl[j] - t->zu[j]));
    return slope < PROVES * sum && size > 1;
}

/* Is x nearly a direction of descent without end? */
static bool looks_unbounded(const ipm_point *t)
{
    const ipm_problem *p = t->p;
    double price = 0, off = 0;
    for (int j = 0; j < p->n; j++) price -= p->c[j] * t->x[j];
    if (!(price > 1)) return false;
    perp_mul_t(&p->A, 1, t->y, 0, t->rhs);
    for (int j = 0; j < p->n; j++) off = fmax(off, fabs(t->gradient[j] - p->c[j] + t->rhs[j]));
    for (int k = 0; k < t->pairs; k++) {
        if (p->lo[k] > -INFINITY) off = fmax(off, -t->v[k]);
        if (p->hi[k] < INFINITY) off = fmax(off, t->v[k]);
    }
    return off < PROVES * price;
}

/* PERP_STALLED: neither is proved. Each is tried once, when it looks so or nothing else helps. */
static perp_status prove(interior *t, bool anyway)
{
    perp_status status = PERP_STALLED;
    perp_mark mark = perp_arena_mark(t->run->arena);
    if (!t->tried_infeasible && (anyway || looks_infeasible(&t->point))) {
        t->tried_infeasible = true;
        status = perp_ipm_prove_infeasible(t->run, &t->r);
        if (status == PERP_STALLED) perp_arena_release(t->run->arena, mark);
    }
    if (status == PERP_STALLED && !t->tried_unbounded && (anyway || looks_unbounded(&t->point))) {
        t->tried_unbounded = true;
        status = perp_ipm_prove_unbounded(t->run, &t->r);
        if (status == PERP_STALLED) perp_arena_release(t->run->arena, mark);
    }
    return status;
}

/* The end of a start that the error of its systems holds up: the next is in pairs of numbers. There
 * is none where they cannot be and `spent`, that is, nothing but the systems is left. A proof would
 * need the same systems. A start that another follows leaves no message: that one may end by a
 * limit, which has its own. */
static perp_status end_inaccurate(interior *t, bool spent)
{
    t->ended = !perp_ipm_kkt_use_pairs(&t->kkt) && spent;
    if (!t->ended) return PERP_STALLED;
    return perp_fail(t->run, PERP_STALLED,
                     "the linear systems are solved to %.1e only, and no step lowers the residual "
                     "further: remove rows of A that nearly depend on others, or ask for a larger "
                     "tol",
                     t->point.solve_error);
}

/* Steps from one start, until the run ends, or a proof is found; PERP_STALLED: nothing more comes
 * from here. */
static perp_status follow(interior *t, double *z, bool last)
{
    ipm_point *point = &t->point;
    double goal = CLOSE, best = INFINITY;
    bool moves = true;
    int short_steps = 0;
    for (int idle = 0;; idle++) {
        perp_ipm_restore(&t->r, point->x, point->y, z);
        double error = error_at(t, z);
        t->ended = !perp_continue(t->run, z, error);
        if (t->ended) return t->run->status;
        if (error < BETTER * best) {
            idle = 0;
            best = error;
        }
        short_steps = point->step < (last ? TINY : SHORT) ? short_steps + 1 : 0;
        bool spent = point->mu < SPENT && best < CLOSE;
        int patience = spent ? LAST_STEPS : (last ? 2 : 1) * PATIENCE;
        bool stuck = !moves || short_steps >= SHORT_STEPS || idle > patience;
        if (error < goal || stuck || point->mu < 1e-8) {
            goal = CLOSER * error;
            t->ended = try_finish(t, error);
            if (t->ended) return t->run->status;
        }
        bool tired = stuck || idle == PATIENCE + 1;
        if (tired && best < CLOSE && perp_at_floor(t->run)) { /* others want a proof */
            t->ended = true;
            return PERP_STALLED;
        }
        /* H that is not symmetric has no pairs, and other starts and proofs do help there */
        if (stuck && best < CLOSE && t->r.p.symmetric && point->solve_error > INACCURATE) {
            return end_inaccurate(t, spent);
        }
        perp_status status = prove(t, stuck && last);
        if (status != PERP_STALLED || stuck) return status;
        moves = perp_ipm_advance(point);
        perp_ipm_measure(point);
    }
}

/* What does not work from near the bounds may from farther off. The first start in pairs of numbers
 * is one more where it would be the last. */
static perp_status iterate(interior *t, double *z)
{
    double caution = 1;
    int starts = STARTS;
    for (int start = 0; start < starts; start++, caution *= CAUTION) {
        bool in_pairs = t->kkt.pairs;
        if (!perp_ipm_start(&t->point, caution)) break;
        perp_status status = follow(t, z, start == starts - 1);
        if (t->ended || status != PERP_STALLED) return status;
        if (start == starts - 1 && !in_pairs && t->kkt.pairs) starts++;
    }
    return perp_fail(t->run, PERP_STALLED,
                     "no step from the last iterate lowers the residual; its linear system is "
                     "solved to %.1e",
                     t->point.solve_error);
}

static perp_status ipm(perp_run *run, double *z)
{
    interior t = {.run = run, .qp = &run->problem->as.qp};
    perp_arena *a = run->arena;
    perp_status status = perp_ipm_presolve(t.qp, a, &t.r);
    if (status) return status;
    if (perp_watch_stops(a)) return PERP_STALLED; /* the driver says why */
    size_t size = (size_t)t.qp->n + (size_t)t.qp->m;
    t.other = PERP_ALLOC(run, double, size);
    t.work = PERP_ALLOC(run, double, size);
    if (a->failed) return PERP_E_MEMORY;
    if (t.r.bad_row >= 0) {
        t.other[t.qp->n + t.r.bad_row] = t.r.bad_sign;
        run->proof = t.other;
        return PERP_INFEASIBLE;
    }
    bool convex;
    status = perp_ipm_convex(&t.r.p, a, &convex);
    if (status) return status;
    if (!convex) return perp_fail(run, PERP_E_NUMBER, "x'Hx < 0 for some x: H is not convex");
    status = perp_ipm_kkt_open(&t.kkt, &t.r.p, a);
    if (status) return status;
    if (!perp_ipm_point_open(&t.point, &t.r.p, &t.kkt, a)) return PERP_E_MEMORY;
    if (!perp_ipm_finish_open(&t.finish, &t.r.p, &t.kkt, a)) return PERP_E_MEMORY;
    if (!perp_is_sizing(run)) return iterate(&t, z);
    perp_ipm_kkt_use_pairs(&t.kkt); /* a later start may, and proofs count too */
    return prove(&t, true);
}

static const perp_solver solver = {
    .name = "qp/ipm",
    .about = "primal-dual interior points, sparse regularised KKT systems (Mehrotra 1992)",
    .kind = PERP_KIND_QP,
    .formats = {PERP_FORMAT_CSC, PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_plain_options),
    .solve = ipm,
    .room = perp_room_unbounded,
};

const perp_plain_options perp_qp_ipm = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 500, .threads = 1},
};
