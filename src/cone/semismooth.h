/* cone/semismooth.h: steps of Newton's method on a scaled cone problem, for cone/newton and
 * cone/prox.
 *
 * F(x, u) is the disc map or the natural map (method/cone_set.h), u = W x + q + shift (x - centre).
 * The step solves (F_x + F_u (W + alpha I)) d = -F: alpha > 0 keeps it regular for W of any rank. A
 * factorisation (jacobian.h) and 9 n numbers beside the system's. */
#ifndef PERP_CONE_SEMISMOOTH_H
#define PERP_CONE_SEMISMOOTH_H

#include "jacobian.h"

typedef struct perp_cone_semismooth {
    perp_cone_system *s;
    perp_cone_map map;
    double shift;         /* of a proximal problem; 0: the problem itself */
    const double *centre; /* its centre */
    double *F, *d, *Wd;   /* the map, the step, and W times the step */
    double *trial, *v;    /* an iterate and its u, without the shift */
    double *by_z, *by_u;  /* derivatives, block after block */
    double *local;        /* scratch for the largest block: four vectors */
    perp_cone_jacobian J;
} perp_cone_semismooth;

/* A status < 0 refuses. */
perp_status perp_cone_semismooth_open(perp_cone_semismooth *t, perp_cone_system *s);
/* |F| at x with the velocities v = W x + q; with derivatives. */
double perp_cone_semismooth_measure(perp_cone_semismooth *t, const double *x, const double *v);
/* d and Wd from the last measure. False: singular. */
bool perp_cone_semismooth_direct(perp_cone_semismooth *t, double alpha);
/* Tries x + part d for part = 1, 1/2, ...: the first where |F| is at most `most` (1 - part / 10^4)
 * becomes the system's x and u, F and derivatives are found there. Returns part; 0: none, and x is
 * as before. *norm is |F| there. */
double perp_cone_semismooth_search(perp_cone_semismooth *t, double most, double *norm);

#endif
