/* method/semismooth_box.h: the semismooth Newton method for lo <= z <= hi _|_ F(z), F affine or
 * not. A linear complementarity problem is the box [0, inf).
 *
 * An iterate with F and its Jacobian J there, the Fischer-Burmeister map G of the box
 * (method/fischer.h) and the merit |G|^2 / 2; directions, and a nonmonotone search along them,
 * which steps back where F or J is undefined. Points are projected on the box before F is asked
 * there, unless the map allows iterates outside. */
#ifndef PERP_METHOD_SEMISMOOTH_BOX_H
#define PERP_METHOD_SEMISMOOTH_BOX_H

#include "linalg/newton_system.h"

/* Where F and J come from. J's values are those of the last call of `jacobian`. Iterates that leave
 * the box take fewer steps on semidefinite affine problems. */
typedef struct perp_box_map {
    perp_matrix J; /* dense, or CSC in canonical form with every diagonal entry there */
    double slack;  /* relative difference of two entries of J that should be the same */
    bool outside;  /* iterates may leave the box: F is defined everywhere */
    void *ctx;
    bool (*eval)(void *ctx, const double *z, double *F); /* false: undefined at z */
    /* J at z, where F is F(z); false: undefined there. NULL: F is affine, and J is there. */
    bool (*jacobian)(void *ctx, const double *z, const double *F);
} perp_box_map;

typedef struct perp_semismooth_box {
    int n;
    perp_box_map map;
    perp_newton_system system;
    const double *lo, *hi;                /* +-INFINITY: none */
    double *z, *F, *G, merit;             /* the iterate */
    double *a, *b;                        /* G' = diag(a) + diag(b) J */
    double *g;                            /* gradient of the merit, G' G */
    double *d;                            /* a direction */
    double *try_z, *try_F, *try_G, *work; /* work: 4n, 8n of a sparse J */
    double *recent;                       /* merits of the last `memory` steps */
    int memory, steps, since;             /* since the merit fell clearly */
    double lowest, mark;
    bool starved; /* no memory for a factorisation */
} perp_semismooth_box;

/* The bounds stay the caller's, n each, and so does what `map` points to. The search looks back to
 * `memory` >= 1 merits. False: no memory, or no time. 14 n numbers, 18 n of a sparse J, and the
 * system's. */
bool perp_semismooth_box_open(perp_semismooth_box *s, perp_arena *arena, const perp_box_map *map,
                              const double *lo, const double *hi, int memory);

/* Begin at z, projected on the box. False: F or its Jacobian is undefined there. */
bool perp_semismooth_box_start(perp_semismooth_box *s, const double *z);
/* The same, or at a point nearby and further inside where F is undefined there. */
bool perp_semismooth_box_start_near(perp_semismooth_box *s, const double *z);

/* |z - P(z - F)| at the iterate. */
double perp_semismooth_box_natural(perp_semismooth_box *s);

/* A reformulation of the problem as equations: the rows of their Newton system
 * (diag(a) + diag(b) J) d = r at the iterate. */
typedef struct perp_semismooth_equations {
    void (*linearise)(const perp_semismooth_box *s, double *a, double *b, double *r);
    bool descends; /* a direction must descend on the merit, or it is of no use */
} perp_semismooth_equations;

/* G, of Fischer and Burmeister; the natural map z - P(z - F), which is min(z, F) on [0, inf), with
 * z held where it is on a bound and F = 0; the same with z released there. */
extern const perp_semismooth_equations perp_semismooth_fb, perp_semismooth_natural,
    perp_semismooth_released;

/* Directions, into d: Newton's for these equations with J + e I; that of Levenberg and Marquardt
 * by conjugate gradients. False: singular, or of no use; see starved. */
bool perp_semismooth_box_direct(perp_semismooth_box *s, const perp_semismooth_equations *equations,
                                double e);
bool perp_semismooth_box_direct_descent(perp_semismooth_box *s);
/* To the minimum of the quadratic model in the box, found to this accuracy by conjugate gradients
 * in at most so many steps: where J is sparse, symmetric and positive definite it tells the bounds
 * that hold without a factorisation. */
bool perp_semismooth_box_direct_model(perp_semismooth_box *s, double accuracy, int steps);

/* Go along d, projected, as far as the merit allows: the longest of the steps 1, 1/2, 1/4, ..
 * 2^-halvings for which it falls enough, below the highest of the last ones. False: none. */
bool perp_semismooth_box_search(perp_semismooth_box *s, int halvings);

/* A Newton step for the Fischer-Burmeister map; with J + e I, e = regularisation and more, where G'
 * is singular or the step leads nowhere; else by Levenberg-Marquardt, which descends wherever the
 * merit is not stationary. False: it is. */
bool perp_semismooth_box_step(perp_semismooth_box *s, int halvings, double regularisation);

/* Go to `point`, projected, if the merit there is at most `highest`. False: it is not, or F or its
 * Jacobian is undefined there, and nothing has changed. */
bool perp_semismooth_box_go(perp_semismooth_box *s, const double *point, double highest);

/* Has the merit not fallen clearly for long? */
bool perp_semismooth_box_is_stuck(const perp_semismooth_box *s);

/* Where the merit of an affine problem is stationary, its gradient may be a proof that no z is
 * feasible: y = -b G with the signs that the bounds allow, without entries below `noise` times the
 * largest. */
void perp_semismooth_box_proof(const perp_semismooth_box *s, double noise, double *y);

#endif
