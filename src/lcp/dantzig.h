/* lcp/dantzig.h: what the two rules of Dantzig's method share. */
#ifndef PERP_LCP_DANTZIG_H
#define PERP_LCP_DANTZIG_H

#include "method/active_factor.h"
#include "perp/solver.h"
#include "perp/solvers.h"

#define DANTZIG_DEPENDENT 1e-12 /* what is left of a diagonal entry, over its size: nothing */
#define DANTZIG_INDEFINITE 1e-9 /* and less than minus this: M is not semidefinite */

typedef enum dantzig_ending { DONE, RAY, INDEFINITE_M, STUCK, STOPPED, NO_MEMORY } dantzig_ending;
typedef enum dantzig_state { WAITING, SETTLED, HELD } dantzig_state; /* of an index outside */

typedef struct dantzig {
    perp_run *run;
    const perp_lcp_dantzig_options *options;
    int n;
    perp_matrix M; /* dense, or canonical CSC */
    const double *q;
    double tiny, size; /* of w: see perp_dantzig_noise */
    perp_active_factor a;
    char *state;
    double *z, *w;      /* rule order keeps w of the settled alone up to date */
    double *v, *y, *dw; /* direction, its first half, slope of w */
    double *x, *ray;    /* scratch */
    double *proof;      /* that nothing is feasible */
    double left;        /* of the driven index: its diagonal entry less |y|^2 */
    int reach;          /* rule order: all indices met so far are below */
    double holds;       /* rays that proved nothing */
} dantzig;

/* The driven index, on its way. */
typedef struct dantzig_way {
    double w;
    double size;  /* of the terms that make up `left` */
    bool flat;    /* nothing is left: w does not change with z_i */
    bool arrived; /* w is zero but for rounding */
} dantzig_way;

static inline bool dantzig_outside(const dantzig *d, int i)
{
    return d->a.place[i] < 0;
}

/* z and w of the set. */
void perp_dantzig_find_vertex(dantzig *d);
/* The set becomes what joins of a.list[0 .. count). False: no memory. */
bool perp_dantzig_take_list(dantzig *d, int count);
/* Take negative z out until there are none; the others are settled or wait. False: no memory. */
bool perp_dantzig_repair(dantzig *d);

/* A w_i no more negative than noise is zero; find_size anew when z has changed. */
void perp_dantzig_find_size(dantzig *d);
double perp_dantzig_noise(const dantzig *d, int i);
/* w_i from scratch. */
double perp_dantzig_slack(dantzig *d, int i);

/* Begin to drive i, with w_i as it is. */
dantzig_way perp_dantzig_begin(dantzig *d, int i, double w);
/* As z_i grows by 1, z_a falls by v: find v. Where w_i has arrived already, i joins the set, or,
 * where it depends on the set, z moves along v until an index leaves or z_i is zero. DONE: go on.
 */
dantzig_ending perp_dantzig_aim(dantzig *d, int i, dantzig_way *y);
/* Has i come into the set, or to z_i = w_i = 0? */
bool perp_dantzig_over(const dantzig *d, int i, const dantzig_way *y);
/* The first z to reach zero before t, the lowest index among equals; -1: none. */
int perp_dantzig_block(const dantzig *d, double *t);
void perp_dantzig_move(dantzig *d, int i, double t);
/* The index at place `at`, whose z is zero now, leaves; i joins. False: no memory. */
bool perp_dantzig_leave(dantzig *d, int i, int at);
bool perp_dantzig_settle(dantzig *d, int i);
/* After a change of the set: with option refactor nothing is updated. */
bool perp_dantzig_refactor(dantzig *d, int i);
/* dw = M_.i - M_.a v for the rows in use. */
void perp_dantzig_find_slope(dantzig *d, int i);
/* z_i grows without an end: RAY where that proves that nothing is feasible. Where not, w_i < 0 was
 * rounding: i is held outside, and DONE. */
dantzig_ending perp_dantzig_meet_ray(dantzig *d, int i);

/* Rule order: settle all that wait; *i is where it ended. */
dantzig_ending perp_dantzig_drive_in_order(dantzig *d, int *i);

#endif
