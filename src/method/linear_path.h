/* method/linear_path.h: the piecewise-linear path of an affine problem on a box, by complementary
 * pivoting on a sparse basis.
 *
 *     M z + q + y + t d = 0,    lo <= z <= hi,    y_i <= 0 where z_i = lo_i, >= 0 where z_i = hi_i,
 *                                                 0 between
 *
 * is followed from a point where it holds at t = t0 to t = 0, which is a solution; y is -F. Every
 * pair has z_i or y_i in the basis, but for one pair while t is in it. A cold start with d > 0 is
 * Lemke's method (Lemke 1965); d = -(M z + q + y), t0 = 1 is the path of Ralph (Mathematics of
 * Operations Research 19, 1994) to the Newton point of the normal map, as the PATH solver has it
 * (Dirkse, Ferris, Optimization Methods and Software 5, 1995).
 *
 * Against degeneracy the right-hand side has a part e p, e infinitely small and p generic, so that
 * ties are broken by the values of B^-1 p alone, and no basis returns but for rounding. */
#ifndef PERP_METHOD_LINEAR_PATH_H
#define PERP_METHOD_LINEAR_PATH_H

#include "linalg/basis.h"

#include <stdint.h>

typedef enum perp_linear_path_step {
    PERP_LINEAR_PATH_PIVOTED,  /* go on */
    PERP_LINEAR_PATH_SOLUTION, /* t = 0 */
    PERP_LINEAR_PATH_RAY,      /* the entering variable is unblocked */
    PERP_LINEAR_PATH_CYCLE,    /* rounding brought a basis back */
    PERP_LINEAR_PATH_SINGULAR, /* rounding made the basis singular */
    PERP_LINEAR_PATH_MEMORY
} perp_linear_path_step;

/* Variables: y_i is i, z_i is n + i, t is 2 n: the numbers of their columns. */
typedef struct perp_linear_path {
    int n;
    perp_basis basis; /* b.head has the variable of each slot */
    bool factored;
    const double *q, *lo, *hi;
    double *d;
    bool *in;   /* the start: is z_i basic? */
    double *at; /* value of z_i where it is not: a bound, or between where y_i is held at 0 */
    double t;   /* where it is not basic */
    int *place; /* slot of each variable, or -1 */
    double *x;  /* value of the basic variables, by slot */
    double *low, *high;
    double *p;    /* their part of the perturbation, */
    double *p_of; /* and the right-hand side it comes from */
    double *a;    /* column of the entering variable; basic ones move by -sign a */
    double *work; /* n */
    int *tied;
    int entering;
    double sign;
    double noise;  /* error of x against its largest entry */
    bool doubtful; /* so far a row missed a tie by less than 1e4 times that */
    uint64_t basis_now, seen;
    int pivots, next;
} perp_linear_path;

/* M is n x n in compressed columns without duplicates. All arrays stay the caller's; values of M, q
 * and the bounds may change before the next perp_linear_path_factor. False: no memory. */
bool perp_linear_path_open(perp_linear_path *t, perp_arena *arena, int n, const int *p,
                           const int *i, const double *x, const double *q, const double *lo,
                           const double *hi);

/* Call it when the values of M have changed. */
void perp_linear_path_forget(perp_linear_path *t);

/* Factor the basis that `in` and `at` describe, and find x at t = 0. */
perp_basis_status perp_linear_path_factor(perp_linear_path *t);

/* Choose d such that x becomes feasible for large t, each basic variable that has a bound moving
 * away from it by cover[s] t (1 where cover is NULL). Returns the least t at which all are; 0: they
 * are so already. */
double perp_linear_path_cover(perp_linear_path *t, const double *cover);

/* Begin at t0, where x must be feasible, with d as it is. */
void perp_linear_path_begin(perp_linear_path *t, double t0);

/* One pivot. */
perp_linear_path_step perp_linear_path_pivot(perp_linear_path *t);

/* At a solution: factor the basis anew and refine x once. False: it is singular. */
bool perp_linear_path_polish(perp_linear_path *t);

/* After PERP_LINEAR_PATH_RAY: factor the basis anew and find the entering column again. False: it
 * is singular. */
bool perp_linear_path_polish_ray(perp_linear_path *t);

/* Value of a variable; and its rate as the entering one moves, after PERP_LINEAR_PATH_RAY. */
double perp_linear_path_value(const perp_linear_path *t, int variable);
double perp_linear_path_rate(const perp_linear_path *t, int variable);

#endif
