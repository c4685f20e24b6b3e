/* method/newton.h: pieces of semismooth Newton methods for 0 <= z _|_ M z + q >= 0.
 *
 * An iterate with its slack, the Fischer-Burmeister map G_i = z_i + w_i - |(z_i, w_i)| and the
 * merit |G|^2 / 2; Newton directions for G and for the minimum map, a truncated Levenberg-Marquardt
 * direction that always descends, and a nonmonotone line search. The map is affine, so a search
 * costs one product with M, however many lengths it tries.
 *
 * Inside, the problem is scaled by powers of two: R M S, R q / unit. */
#ifndef PERP_METHOD_NEWTON_H
#define PERP_METHOD_NEWTON_H

#include "linalg/newton_system.h"

typedef struct perp_newton {
    int n;
    perp_matrix M; /* scaled */
    double *q, *r, *s, unit;
    perp_newton_system system;
    double *z, *w, *G, merit; /* the iterate, in scaled units */
    double *a, *b, *g;        /* G'(z) = diag(a) + diag(b) M, and the merit's gradient */
    double *d, *Md;           /* direction */
    double *try_z, *try_w, *try_G;
    double *work;   /* 4 n */
    double *recent; /* merits of the last iterates, a ring */
    int memory, steps;
    double lowest;  /* merit so far */
    double mark;    /* the last that was a clear fall, */
    int since;      /* and the steps made since then */
    double natural; /* of what perp_newton_read gave last */
    bool starved;   /* a factorisation found no memory */
} perp_newton;

/* M is dense or CSC in any order. The merits of the last `memory` >= 1 iterates count. False: no
 * memory, or a sparse M and a fixed arena. */
bool perp_newton_open(perp_newton *k, perp_arena *arena, const perp_matrix *M, const double *q,
                      int memory);

/* Go to z. False: it leaves the range of numbers. */
bool perp_newton_start(perp_newton *k, const double *z);

/* Go to value (1, .., 1) in the scaled problem, where M and q have the size of 1. */
bool perp_newton_start_at(perp_newton *k, double value);

/* The iterate or its positive part, whichever has the smaller |min(z, w)|, which is returned; in
 * the problem's own units. */
double perp_newton_read(perp_newton *k, double *z);

/* Directions, into d. False: there is none (singular, overflow), or it does not descend. */
bool perp_newton_direct_fb(perp_newton *k, double e); /* M + e I in place of M */
bool perp_newton_direct_min(perp_newton *k);          /* need not descend */
bool perp_newton_direct_descent(perp_newton *k, double e);

/* Go along d, by 1, 1/2, .. at most `halvings` times; false: to nowhere. */
bool perp_newton_search(perp_newton *k, int halvings);

/* Has the merit not fallen clearly for many steps? */
bool perp_newton_is_stuck(const perp_newton *k);

/* At a point where the merit is stationary and no G_i positive, y = -b G has M'y <= 0, q'y < 0: no
 * z is feasible. Writes it, in the problem's own units, without entries below `noise` times the
 * largest. */
void perp_newton_proof(const perp_newton *k, double noise, double *y);

#endif
