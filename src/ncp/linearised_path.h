/* ncp/linearised_path.h: the piecewise-linear path from an iterate to the solution of its
 * linearisation,
 *
 *     lo <= z + u <= hi  _|_  F(z) + J u + y + t d = 0,    t from 1 to 0,
 *
 * with d such that u = 0 solves it at t = 1 (method/linear_path.h). It is recorded, so that a
 * search can go back along it. */
#ifndef PERP_NCP_LINEARISED_PATH_H
#define PERP_NCP_LINEARISED_PATH_H

#include "method/linear_path.h"
#include "method/semismooth_box.h"
#include "perp/solver.h"

#define PIECEWISE_POINTS 24 /* of a path that are kept; of longer ones every second, fourth, .. */

typedef struct linearised_path {
    int n;
    const perp_semismooth_box *s;
    perp_linear_path trace;
    const int *p, *i;         /* the pattern of J */
    int *diagonal;            /* place of each diagonal entry */
    double *x, *r, *c;        /* diag(r) (J + e I) diag(c), */
    double *q, *lo, *hi;      /* and F, lo - z, hi - z likewise */
    double *work;             /* 2n */
    int points, stride, seen; /* recorded; one of so many breakpoints; so far */
    double *point;            /* z + u at each, */
    double t[PIECEWISE_POINTS + 1];
    double reach; /* 1 - t of the last that counts */
    int end;      /* and its number */
} linearised_path;

/* For the problem that s is open for. False: no memory. */
bool perp_linearised_path_open(linearised_path *w, perp_arena *arena, const perp_semismooth_box *s);

/* Follow the path from s->z, with J + e I for J, at most `most` pivots far, each of them an
 * iteration of the run. SOLUTION: to its end. Otherwise it ends where t was least: PIVOTED is a
 * limit, of `most` or of the run, whose status then says so. */
perp_linear_path_step perp_linearised_path_follow(linearised_path *w, perp_run *run, double e,
                                                  int most);

/* After RAY: y, the z part of the direction in which the path goes on for ever. Where F is affine
 * and monotone it proves that nothing is feasible. False: rounding spoilt it. */
bool perp_linearised_path_ray(linearised_path *w, double *y);

/* The first point of the path with 1 - t = `part` of what was reached, 0 <= part <= 1. */
void perp_linearised_path_at(const linearised_path *w, double part, double *z);

#endif
