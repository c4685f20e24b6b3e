/* cone/system.h: a cone problem scaled by its diagonal, as the solvers of the family see it.
 *
 * z = S x with S = W_nn^-1/2 on a normal, one number for each group and each ball, one for each
 * box: x solves the problem with S W S, S q, mu_g S_n / S_g, s_g S_n / S_g and bounds over S, whose
 * diagonal is about 1. W is a dense copy, or compressed columns where it has few entries. */
#ifndef PERP_CONE_SYSTEM_H
#define PERP_CONE_SYSTEM_H

#include "method/cone_local.h"
#include "perp/solver.h"

typedef struct perp_cone_system {
    perp_run *run;
    int n;
    perp_cone_set own, set; /* as given; scaled */
    double *S, *q;          /* scaled q */
    double *dense;          /* S W S, column-major; NULL: */
    perp_matrix sparse;     /* the same in sorted compressed columns */
    double *x, *u;          /* the iterate and S W S x + S q */
    double *map;            /* scratch, n */
    double *z;              /* scratch for the largest block: three vectors */
    int worst;              /* the block with the largest error, of the last estimate */
} perp_cone_system;

/* From run->problem; x from z. A status < 0 refuses. */
perp_status perp_cone_system_open(perp_run *run, const double *z, perp_cone_system *s);
/* u from x. */
void perp_cone_system_refresh(perp_cone_system *s);
/* y += (column j of S W S) times c. */
void perp_cone_system_add_column(const perp_cone_system *s, int j, double c, double *y);
/* The block b of S W S, column-major. */
void perp_cone_system_block(const perp_cone_system *s, int b, double *B);
/* z = S x. */
void perp_cone_system_give(const perp_cone_system *s, double *z);
/* The residual's natural part in the units of the problem, from x and u, over perp_scale. INFINITY:
 * the watch asked to stop. */
double perp_cone_system_estimate(perp_cone_system *s);

#endif
