/* ncp/dantzig_boxes.h: principal pivoting for lo <= z <= hi _|_ M z + q with symmetric positive
 * semidefinite M, one index at a time, from any start: what Dantzig's method for LCPs becomes with
 * two bounds. */
#ifndef PERP_NCP_DANTZIG_BOXES_H
#define PERP_NCP_DANTZIG_BOXES_H

#include "method/active_factor.h"
#include "perp/solver.h"

typedef enum perp_dantzig_boxes_end {
    PERP_DANTZIG_BOXES_DONE,
    PERP_DANTZIG_BOXES_RAY,        /* z[driven] and, through it, the set grow without an end */
    PERP_DANTZIG_BOXES_INDEFINITE, /* M is not semidefinite, as index `driven` shows */
    PERP_DANTZIG_BOXES_STUCK,      /* rounding leads it in circles */
    PERP_DANTZIG_BOXES_STOPPED,    /* by perp_continue */
    PERP_DANTZIG_BOXES_NO_MEMORY
} perp_dantzig_boxes_end;

typedef struct perp_dantzig_boxes {
    perp_run *run;
    int n;
    perp_matrix M; /* dense, or canonical CSC */
    const double *q;
    double *lo, *hi; /* the caller's to fill, and to change between two solves */
    double *z, *w;   /* w = M z + q; outside the set z is at a bound, or where w = 0 and M allows no
                        more */
    perp_active_factor a; /* the set: strictly between the bounds, w = 0 */
    bool rounded;         /* M is symmetric but for rounding, which only a shifted M takes away */
    double *shifted;      /* values of the shifted M; NULL: there is none yet */
    double tiny, small;   /* a w that is zero; that may be rounding where M is singular */
    int driven;
    double sign, left;      /* of the driven index: its direction, its diagonal entry less |y|^2 */
    double size;            /* of the terms that make up left */
    double *v, *y, *x, *to; /* direction, its first half; scratch */
} perp_dantzig_boxes;

/* z = 0, an empty set, room for all. A refusal has its sentence. */
perp_status perp_dantzig_boxes_open(perp_dantzig_boxes *b, perp_run *run);
/* The set becomes what lies strictly between the bounds at b->z, as far as it is independent. */
bool perp_dantzig_boxes_take(perp_dantzig_boxes *b);
/* From z and the set as they are, moved into the bounds. */
perp_dantzig_boxes_end perp_dantzig_boxes_solve(perp_dantzig_boxes *b);
/* M from now on: the symmetric part of `given`, its diagonal times 1 + part, and the set as it is,
 * as far as it is independent. False: no memory. */
bool perp_dantzig_boxes_shift(perp_dantzig_boxes *b, const perp_matrix *given, double part);
/* w = M z + q. */
void perp_dantzig_boxes_slack(perp_dantzig_boxes *b);
/* After PERP_DANTZIG_BOXES_RAY: the proof that no z has the slack that its bounds ask for. */
perp_status perp_dantzig_boxes_prove(perp_dantzig_boxes *b);

#endif
