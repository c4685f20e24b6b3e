/* method/dual_set.h: the dual active-set method of Goldfarb and Idnani, a step at a time.
 *
 * From the minimiser of x'Hx/2 + c'x on a working set whose multipliers have the right signs, one
 * violated constraint after the other is driven to its bound; a constraint whose multiplier reaches
 * zero on the way leaves. H is in the basis alone: Q'HQ = I (working_set.h). With Q = I it is the
 * projection on the feasible set, and the first phase of a primal method. */
#ifndef PERP_METHOD_DUAL_SET_H
#define PERP_METHOD_DUAL_SET_H

#include "working_set.h"

typedef enum perp_dual_step {
    PERP_DUAL_MOVED,
    PERP_DUAL_FEASIBLE,  /* nothing is violated: x is the minimiser */
    PERP_DUAL_INFEASIBLE /* the entering normal depends on the set, and no multiplier blocks */
} perp_dual_step;

typedef struct perp_dual {
    const perp_constraint_rows *rows;
    perp_working_set set;
    double *value;     /* n + m: x, then A'x */
    double *y;         /* n + m multipliers: H x + c = sum y_i a_i; >= 0 at lo, <= 0 at hi */
    signed char *side; /* n + m: 1 in the set at lo, -1 at hi, 0 not in it */
    int entering;      /* the constraint that is driven, or -1 */
    double sign;       /* 1: it is below lo, -1: above hi */
    double size;       /* the largest |x| so far, which rounding is measured by */
    double loose;      /* violation over that size which is let be; 0: rounding alone */
    double *d, *r, *z; /* n each: Q'a, R^-1 of its first part, the direction */
    double *slope;     /* m: A'z */
} perp_dual;

size_t perp_dual_doubles(int n, int m); /* of memory, */
size_t perp_dual_ints(int n, int m);    /* with room for the sides */
/* An empty set; the caller fills set.Q, and x in value. */
void perp_dual_open(perp_dual *s, const perp_constraint_rows *rows, double *doubles, int *ints);
/* A'x for the x in value. */
void perp_dual_measure(perp_dual *s);

/* One change of the set. Costs 2 n m + 6 n^2 flops where x moves. */
perp_dual_step perp_dual_advance(perp_dual *s);

/* After PERP_DUAL_INFEASIBLE: let violations of this size be, and go on. Rows that depend on an
 * ill-conditioned set seem to contradict it by more than rounding. False: it is too large. */
bool perp_dual_loosen(perp_dual *s);

/* Let constraint i join at its side, whatever x is; false: its normal depends on the set, but for
 * `tol` of its length, or for rounding where tol is 0. */
bool perp_dual_join(perp_dual *s, int i, int side, double tol);
/* The set becomes bounds of x, those of the variables where side is 1 (lo) or -1 (hi), and x moves
 * to them; Q becomes a permutation. n^2 numbers are written. */
void perp_dual_hold(perp_dual *s, const signed char *side);
/* Let the constraint at a place leave. */
void perp_dual_leave(perp_dual *s, int at);

/* One step of Newton's method for x and the multipliers of the set; g = H x + c. */
void perp_dual_correct(perp_dual *s, const double *g);

/* After PERP_DUAL_INFEASIBLE: n + m multipliers, whose sum of normals vanishes while the sum of
 * their bounds is positive. */
void perp_dual_proof(perp_dual *s, double *proof);

#endif
