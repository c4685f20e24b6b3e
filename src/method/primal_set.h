/* method/primal_set.h: the primal active-set method for x'Hx/2 + c'x, H symmetric of any inertia.
 *
 * x stays feasible and, once there, stationary on its working set: Zf'(H x + c) = 0. A constraint
 * whose multiplier has the wrong sign is then left along the direction that keeps x stationary on
 * the others, until the multiplier is zero, another constraint blocks and joins, or nothing stops x
 * and the objective has no lower bound. The reduced Hessian Zf'H Zf is positive definite
 * throughout: columns of Z for which it would not be are held by artificial constraints, which
 * leave as others do, with either sign. */
#ifndef PERP_METHOD_PRIMAL_SET_H
#define PERP_METHOD_PRIMAL_SET_H

#include "base/watch.h"
#include "dual_set.h"
#include "reduced_hessian.h"

typedef enum perp_primal_step {
    PERP_PRIMAL_MOVED,
    PERP_PRIMAL_STATIONARY, /* all multipliers are right: y has them */
    PERP_PRIMAL_UNBOUNDED   /* d is a direction without end */
} perp_primal_step;

typedef struct perp_primal {
    perp_dual s; /* x, values, set, sides, multipliers; and the first phase */
    const double *H, *c;
    int ld;
    perp_updated hessian;
    double *g;      /* n: H x + c */
    double *d, *Hd; /* n: the direction */
    double *slope;  /* n + m: d, then A'd */
    double *t;      /* n: hessian'^-1 Zf'H z */
    double *weight; /* n: sqrt(max_i |h_ij|) */
    double *work;   /* 2 n^2 + 2 n */
    bool moving;    /* x is not stationary yet */
    int leaving;    /* the constraint that is being left, or -1: column k of Q is free for it */
    double rate;    /* g'd */
    double curve;   /* d'H d */
    double most;    /* size of the terms of g, so far */
    int refused;    /* multipliers in a row that looked wrong and were not */
    /* Degenerate points: see primal_ratio.c. */
    int level;
    int *depth;              /* n + m */
    double *room;            /* n + m */
    signed char *lean;       /* n + m: the side that a constraint outside the set was last at */
    const perp_watch *watch; /* who asks a factorisation to stop; NULL: nobody */
} perp_primal;

size_t perp_primal_doubles(int n, int m);
size_t perp_primal_ints(int n, int m);
/* The caller then finds a feasible x with the dual method on s, whose Q is the identity: equalities
 * are in the set, or depend on it. H is n x n with leading dimension ld. */
void perp_primal_open(perp_primal *p, const perp_constraint_rows *rows, const double *H, int ld,
                      const double *c, double *doubles, int *ints);
/* Q = I and an empty set. */
void perp_primal_clear(perp_primal *p);
/* From a feasible x and its set: gradient, reduced Hessian, artificial constraints. */
void perp_primal_begin(perp_primal *p);
/* One step. 8 n^2 + 2 n m flops or so. */
perp_primal_step perp_primal_advance(perp_primal *p);
/* x and the multipliers of the set, as exact as the factors allow; A'x anew. */
void perp_primal_polish(perp_primal *p);

static inline bool primal_is_artificial(const perp_primal *p, int i)
{
    return i >= p->s.rows->n + p->s.rows->m;
}

/* ---- parts (primal_ratio.c, primal_step.c) ---- */

typedef struct perp_primal_block {
    int i;         /* the constraint that blocks, or -1 */
    int side;      /* 1 at lo, -1 at hi */
    double length; /* of the step to it */
} perp_primal_block;

/* The first constraint that blocks d before `full`. Where several do at once, the step is not one
 * of x but of the tie's resolution, and its length zero. */
perp_primal_block perp_primal_ratio(perp_primal *p, double full);

#endif
