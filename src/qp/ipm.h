/* qp/ipm.h: the parts of qp/ipm: a reduced and scaled problem, its KKT systems, interior steps, the
 * finish on an active set, and proofs that there is no solution.
 *
 * Variables and rows are treated alike where they can be: pair k < n is variable k with its bounds,
 * pair n + i is row i of A x. A pair has a value v, bounds lo and hi, slacks tl = v - lo and
 * tu = hi - v, and their multipliers zl, zu; zl - zu is the gradient of a variable and the
 * multiplier y of a row. */
#ifndef PERP_QP_IPM_H
#define PERP_QP_IPM_H

#include "linalg/ldl_pairs.h"
#include "linalg/sparse.h"
#include "perp/solver.h"

#include <math.h>

/* min x'Hx/2 + c'x, lo <= (x, A x + soft y) <= hi, in compressed columns, sorted. soft = 0 but in
 * proofs, where it makes every system of rows solvable. */
typedef struct ipm_problem {
    int n, m;
    bool symmetric, linear;    /* linear: H = 0 */
    perp_matrix H, A;          /* H: its lower triangle where symmetric */
    const double *c, *lo, *hi; /* bounds of n + m pairs */
    double soft;
} ipm_problem;

/* From the caller's problem: fixed variables and rows that say nothing are taken out, the rest is
 * scaled by powers of two: x = column x', y = row y' / cost. */
typedef struct ipm_presolved {
    ipm_problem p;
    const perp_qp *from;
    int *variable, *row_of; /* the caller's index of each */
    double *column, *row, cost;
    double *fixed;   /* value of the variables taken out, 0 for others; the caller's n */
    int bad_row;     /* an empty row that cannot hold; -1: none */
    double bad_sign; /* of its multiplier in the proof */
} ipm_presolved;

perp_status perp_ipm_presolve(const perp_qp *qp, perp_arena *a, ipm_presolved *r);
/* z of the caller's problem from the reduced x and y. */
void perp_ipm_restore(const ipm_presolved *r, const double *x, const double *y, double *z);

/* Is H positive semidefinite, up to rounding? */
perp_status perp_ipm_convex(const ipm_problem *p, perp_arena *a, bool *convex);

/* ---- [H + diag(w) A'; A -diag(e)] ---- */

typedef struct ipm_kkt {
    const ipm_problem *p;
    int size;             /* n + m */
    int *start, *index;   /* the pattern: lower triangle where symmetric, else all of it */
    double *base, *value; /* H and A; with the diagonal of the last factor */
    int *diagonal;        /* where it is */
    bool incomplete;      /* some of H and A is left out in value */
    perp_ldl ldl;
    perp_factor *lu; /* where H is not symmetric, or pivots are needed */
    bool pivots, no_pivots;
    double *whole; /* values of the whole matrix, where the pattern is the lower triangle */
    int *below, *above;
    perp_ldl_pairs *pairs; /* the factor where it is in pairs of numbers; NULL: it is not */
    perp_arena *arena;
    double *weight; /* of each equation in the size of a residual */
    double *rhs, *residual, *step;
    double *low, *low_step; /* with pairs: second halves of a solution and a step */
    int replaced;           /* pivots of the last factor that came out with the wrong sign */
    int factors, solves;    /* so far; those with a factor are counted one by one */
} ipm_kkt;

perp_status perp_ipm_kkt_open(ipm_kkt *k, const ipm_problem *p, perp_arena *a);
/* Factor with d on the diagonal: H + d_j, and -d_(n + i). Where out is given, the pairs it names
 * have their rows and columns left out but for a diagonal of 1. False: no factor. */
bool perp_ipm_kkt_factor(ipm_kkt *k, const double *d, const bool *out);
/* Factor with pivots from now on. False: it does so already, or cannot. */
bool perp_ipm_kkt_pivot(ipm_kkt *k);
/* Factor and solve in pairs of numbers from now on. False: it does so already, or cannot. */
bool perp_ipm_kkt_use_pairs(ipm_kkt *k);
/* Solve and refine until the residual over the right-hand side, in the largest entries, is at most
 * `accuracy` or falls no more; returns it. b and x have n + m numbers and may be the same. */
double perp_ipm_kkt_solve(ipm_kkt *k, const double *b, double *x, double accuracy);

/* What the solve does in pairs (ipm_pairs.c): residual = b - K (x + low), and step += x. */
void perp_ipm_pairs_residual(ipm_kkt *k, const double *b, const double *x, const double *low);
void perp_ipm_pairs_add(ipm_kkt *k, const double *x);

/* ---- interior steps ---- */

typedef struct ipm_point {
    const ipm_problem *p;
    ipm_kkt *kkt;
    int pairs; /* n + m */
    int sides; /* bounds that are finite, but for equalities */
    double *x, *y, *v;
    double *size; /* of the terms that v sums */
    double *tl, *tu, *zl, *zu;
    double *dx, *dy, *dv, *dtl, *dtu, *dzl, *dzu; /* parts of direction */
    double *direction, *kept;
    double *el, *eu;  /* second order */
    double *gradient; /* H x + c - A'y */
    double *d, *rhs;
    double mu, primal, dual; /* mean product; largest violations, scaled */
    double step;             /* the last, the shorter of two */
    double regularisation, solve_error;
    bool raised; /* the regularisation, in the last step */
} ipm_point;

static inline bool ipm_has_lo(const ipm_problem *p, int k)
{
    return p->lo[k] > -INFINITY && p->lo[k] < p->hi[k];
}

static inline bool ipm_has_hi(const ipm_problem *p, int k)
{
    return p->hi[k] < INFINITY && p->lo[k] < p->hi[k];
}

static inline bool ipm_is_equal(const ipm_problem *p, int k)
{
    return p->lo[k] == p->hi[k];
}

/* v = (x, A x + soft y), g = H x - A'y. */
void perp_ipm_multiply(const ipm_problem *p, const double *x, const double *y, double *v,
                       double *g);
/* The same, and g += c: the values of the pairs and the gradient. */
void perp_ipm_evaluate(const ipm_problem *p, const double *x, const double *y, double *v,
                       double *g);
/* The same, with sums in pairs of numbers where the systems are solved so (ipm_pairs.c). */
void perp_ipm_kkt_evaluate(ipm_kkt *k, const double *x, const double *y, double *v, double *g);

bool perp_ipm_point_open(ipm_point *t, const ipm_problem *p, ipm_kkt *kkt, perp_arena *a);
/* caution: how much farther from the bounds than would seem enough. False: no start. */
bool perp_ipm_start(ipm_point *t, double caution);
void perp_ipm_measure(ipm_point *t);
/* Predictor and corrector. False: no further. */
bool perp_ipm_advance(ipm_point *t);

/* ---- the finish ---- */

typedef struct ipm_finish {
    const ipm_problem *p;
    ipm_kkt *kkt;
    signed char *side; /* -1 at lo, 1 at hi, 0 between, of each pair */
    bool *out;
    double *x, *y, *v, *gradient, *d, *rhs, *best;
} ipm_finish;

bool perp_ipm_finish_open(ipm_finish *f, const ipm_problem *p, ipm_kkt *kkt, perp_arena *a);
/* The active set as an interior point shows it. */
void perp_ipm_finish_identify(ipm_finish *f, const ipm_point *t);
/* x and y on the active set. False: no factor. */
bool perp_ipm_finish_solve(ipm_finish *f);
/* Move pairs whose sign is wrong; how many. */
int perp_ipm_finish_exchange(ipm_finish *f);

/* ---- proofs ---- */

/* PERP_INFEASIBLE or PERP_UNBOUNDED with run->proof, when its vector passes perp_check;
 * PERP_STALLED: no proof found. */
perp_status perp_ipm_prove_infeasible(perp_run *run, const ipm_presolved *r);
perp_status perp_ipm_prove_unbounded(perp_run *run, const ipm_presolved *r);

#endif
