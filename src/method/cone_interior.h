/* method/cone_interior.h: steps of primal-dual interior points on a product of cones, of any
 * dimensions; arrays in, arrays out. Nesterov and Todd (1998); Mehrotra (1992).
 *
 * Every block of the product (method/cone_set.h) is { z : x = F z + h in Lorentz cones }, one cone
 * for each group of a cone, (mu_g z_n, z_g), a half-line for each bound of a box, one for a ball,
 * (radius, z). Its dual variables y give u = F'y, and x o y = 0 at a solution. The term of de Saxce
 * is made smooth by what is the same at every solution, exactly: with |y_t|^2 / y_0 in place of
 * |u_g|,
 *     F'y = u + (sum_g s_g |y_t|^2 / y_0) n,   x o y = 0,
 * is the law of the blocks: where z_n > 0 a y_g is 0 or on the boundary of its cone, where
 * |y_t| = y_0; where z_n = 0 the left-hand side grows in each y_0 from sum_g (mu_g - s_g) |u_g|
 * without end. The term is a state of its own, `lag`, which Newton's method (kappa = 1) or a
 * delayed one (kappa < 1, an implicit Euler step of a first-order lag: Kelley and Keyes, SIAM J.
 * Numer. Anal. 35, 1998) brings to |y_t|^2 / y_0. With s = 0 none of it is there, and the path is
 * that of a convex problem.
 *
 * What u is, is the equations' matter: of z alone in local form, of velocities beside it in body
 * form. A step solves, for all blocks together,
 *     B dz + du = T c - g,   du the change of u by dz,   B = T P^2 F,
 * T the derivative of F'y - (lag) n by y, P the scaling, c what complementarity asks for and g what
 * the present z and y leave. */
#ifndef PERP_METHOD_CONE_INTERIOR_H
#define PERP_METHOD_CONE_INTERIOR_H

#include "cone_set.h"

/* What a step is solved with. */
typedef struct perp_interior_equations {
    void *ctx;
    bool inverse; /* `factor` wants B^-1 of each block, of columns^2 numbers, column-major; else B.
                     Rows that are fixed have 0 in B^-1 and the identity in B. */
    const double *R; /* added to B, with `inverse`: an R of each block in its place; NULL: none */
    /* u of z. */
    void (*measure)(void *ctx, const double *z, double *u);
    /* False: singular, stopped, or no memory. */
    bool (*factor)(void *ctx, const double *blocks, const bool *fixed);
    /* dz of B dz + du = a; with `inverse` du in the place of a. False as before. */
    bool (*solve)(void *ctx, double *a, double *dz);
    /* A step of this length follows the last solution. */
    void (*advance)(void *ctx, double step);
} perp_interior_equations;

/* One Lorentz cone: x = (scale z_head + shift, z of the rows behind `tail`). */
typedef struct perp_interior_part {
    int block, head, tail; /* local rows */
    int count;             /* of x */
    int at;                /* where x begins */
    double scale, shift, s;
} perp_interior_part;

typedef struct perp_interior {
    const perp_cone_set *set;
    const perp_interior_equations *e;
    int parts, m; /* cones; their rows */
    perp_interior_part *part;
    int *first;                        /* parts of block b are first[b] ... first[b + 1] - 1 */
    bool *fixed;                       /* rows that can have one value only, which z has */
    size_t *place;                     /* of each block in `blocks` */
    double *blocks, *rigid;            /* B or B^-1; B^-1 without R */
    double *z, *dz, *u, *g, *a, *rest; /* rows of z */
    double *x, *y, *dx, *dy, *correction, *w; /* rows of x */
    double *root, *lag;                       /* a part each */
    double *local;                            /* scratch for the largest block */
    int *pivot;
    double m1;         /* x.y / parts as it began */
    double mean;       /* and now */
    double kappa;      /* of the last factorisation */
    double centrality; /* the least eigenvalue of P x, squared, over mean */
    double delay;      /* |lag's distance from |y_t|^2 / y_0|, weighted by x and mean */
    double gap;        /* |g| weighted by z and mean */
    bool lags;         /* `lag` is a state; else it follows y */
} perp_interior;

/* False: no memory. `e` has to stay. */
bool perp_interior_open(perp_interior *t, perp_arena *a, const perp_cone_set *set,
                        const perp_interior_equations *e);
/* On the central path of z alone, with forces and velocities of these sizes; lag = 0. False: the
 * set has no interior. */
void perp_interior_start(perp_interior *t, double force, double velocity);
/* u, g, and all that is measured, at z and y. */
void perp_interior_measure(perp_interior *t);
/* The system at this point. False: a point on the boundary, or the equations fail. */
bool perp_interior_factor(perp_interior *t, double kappa);
/* The step to x o y = sigma mean e, with the correction where `corrects`. */
bool perp_interior_direct(perp_interior *t, double sigma, bool corrects);
/* Mehrotra's correction from the last direction. */
void perp_interior_correct(perp_interior *t);
/* How much of the step stays inside, at most 2. */
double perp_interior_room(const perp_interior *t);
/* x.y / parts after a step, over what it is now. */
double perp_interior_foresee(const perp_interior *t, double step);
void perp_interior_advance(perp_interior *t, double step);

#endif
