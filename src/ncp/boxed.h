/* ncp/boxed.h: principal pivoting for lo <= z <= hi _|_ M z + q with symmetric positive
 * semidefinite M, one index at a time, from any start: what Dantzig's method for LCPs becomes with
 * two bounds. */
#ifndef PERP_NCP_BOXED_H
#define PERP_NCP_BOXED_H

#include "../kernel/active.h"
#include "perp/solver.h"

typedef enum perp_boxed_end {
    PERP_BOXED_DONE,
    PERP_BOXED_RAY,        /* z[driven] and, through it, the set grow without an end */
    PERP_BOXED_INDEFINITE, /* M is not semidefinite, as index `driven` shows */
    PERP_BOXED_STUCK,      /* rounding leads it in circles */
    PERP_BOXED_STOPPED,    /* by perp_continue */
    PERP_BOXED_NO_MEMORY
} perp_boxed_end;

typedef struct perp_boxed {
    perp_run *run;
    int n;
    perp_matrix M; /* dense, or canonical CSC */
    const double *q;
    double *lo, *hi; /* the caller's to fill, and to change between two solves */
    double *z, *w;   /* w = M z + q; outside the set z is at a bound, or where w = 0 and M allows no
                        more */
    perp_active a;   /* the set: strictly between the bounds, w = 0 */
    double tiny, small; /* a w that is zero; that may be rounding where M is singular */
    int driven;
    double sign, left;      /* of the driven index: its direction, its diagonal entry less |y|^2 */
    double *v, *y, *x, *to; /* direction, its first half; scratch */
} perp_boxed;

/* z = 0, an empty set, room for all. A refusal has its sentence. */
perp_status perp_boxed_open(perp_boxed *b, perp_run *run);
/* The set becomes what lies strictly between the bounds at b->z, as far as it is independent. */
bool perp_boxed_take(perp_boxed *b);
/* From z and the set as they are, moved into the bounds. */
perp_boxed_end perp_boxed_solve(perp_boxed *b);
/* w = M z + q. */
void perp_boxed_slack(perp_boxed *b);
/* After PERP_BOXED_RAY: the proof that no z has the slack that its bounds ask for. */
perp_status perp_boxed_prove(perp_boxed *b);

#endif
