/* method/avi_path.h: affine variational inequalities, H not symmetric, by following a path.
 *
 * With F(x) = H x + c + e (x - anchor), find x within its rows and y of the right signs such that
 * F(x) = sum y_i a_i. From a feasible x and any multipliers y of its set that have the right signs,
 *     F(x) + t v = sum y_i a_i,    lo - t s <= (x, A'x) <= hi + t s
 * holds at t = 1 for some v, and with s > 0 at random nothing is degenerate; x and y are followed
 * to t = 0, piece by piece: where a constraint is met it joins the set, where a multiplier reaches
 * zero its constraint leaves. For monotone H and e > 0 the path has one point for each t. */
#ifndef PERP_METHOD_AVI_PATH_H
#define PERP_METHOD_AVI_PATH_H

#include "base/watch.h"
#include "dual_set.h"

typedef enum perp_avi_step {
    PERP_AVI_MOVED,
    PERP_AVI_SOLUTION, /* t = 0 */
    PERP_AVI_RAY,      /* t grows for ever: H is not monotone */
    PERP_AVI_SINGULAR  /* the path branches, or rounding hides where it goes */
} perp_avi_step;

typedef struct perp_avi {
    perp_dual s; /* x, values, set, sides, multipliers; and the first phase */
    const double *H, *c;
    int ld;
    double prox;    /* e */
    double *anchor; /* n */
    double *v, *F;  /* n */
    double *shift;  /* n + m: s */
    double *slope;  /* n + m: of the values as t falls by 1 */
    double *rate;   /* n: of the multipliers, in the set's order */
    double *x, *y;  /* n: scratch */
    double *B, *HZ; /* n^2: Zf'(H + e I) Zf and what it is made of */
    int *pivot;     /* n */
    double t;
    int event; /* the constraint of the last change, or -1, */
    int left;  /* and the side it left */
    int changes;
    const perp_watch *watch; /* who asks a factorisation to stop; NULL: nobody */
} perp_avi;

size_t perp_avi_doubles(int n, int m);
size_t perp_avi_ints(int n, int m);
/* Q = I and an empty set; the caller makes x feasible by the dual method on s. */
void perp_avi_open(perp_avi *p, const perp_constraint_rows *rows, const double *H, int ld,
                   const double *c, double *doubles, int *ints);
/* From the x, set and multipliers of s, to a solution for the anchor x. */
void perp_avi_begin(perp_avi *p);
/* To the next change of the set. 2 n^2 nz + nz^3 flops or so. */
perp_avi_step perp_avi_advance(perp_avi *p);
/* x and y on the set without e, once; false: singular, and they are as they were. */
bool perp_avi_polish(perp_avi *p);

#endif
