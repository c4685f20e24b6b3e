/* core/callback.h: the residual of a map that is a callback, in no units at all.
 *
 * There are no data to scale by, and F at one point says nothing of F at another: 1 / z is 1e9 at
 * the bound 1e-9 of a price whose equilibrium is 1. So F_i is held against its own size at z,
 *
 *     s_i = sum_j |J_ij| t_j + |F - J z|_i,    t_j = |z_j|, at least tau_j, at most FAR tau_j,
 *
 * tau the typical sizes: what the terms of its linearisation add up to. Two guards. Without the
 * FAR, F_i would get small by z growing: x0 - x1 >= 1 and x1 - x0 >= 1 are "solved" to 1e-10 where
 * both are 1e10. And where F bends within t, slopes say too much of its size (1 / z at 1e-12: 1e24
 * where F is 1e12), so that s_i is at most STEEP times what F_i changes by over moves of t. Then
 *
 *     value = max_i |z_i - P(z_i - theta_i F_i / s_i)| / theta_i,    theta_i = max(|z_i|, tau_i),
 *
 * which neither a factor of F_i nor one of z_i, with tau_i and the bounds, changes. */
#ifndef PERP_CORE_CALLBACK_H
#define PERP_CORE_CALLBACK_H

#include "base/watch.h"
#include "jacobian.h"

typedef struct perp_callback {
    perp_jacobian map;
    const double *lo, *hi;   /* moves stay in between; NULL: map.least, and no upper one */
    double *move;            /* the last z judged: t, */
    double *size;            /* s, */
    double *rounding;        /* and what the rounding of z changes F by, at most */
    const perp_watch *watch; /* of who is to stop: then the floor is left out; NULL: nobody */
    double *change;          /* scratch */
    double *there;
} perp_callback;

/* In the arena, until it is released; NULL: no memory. The map is a callback. A Jacobian
 * (jacobian.h) and 5 n numbers. */
perp_callback *perp_callback_open(const perp_problem *p, perp_arena *a);

/* w = F(z) and the residual, with bound 0, and, where value is above tol, with its floor: what the
 * noise of F, found by moving z by some units in the last place, and the rounding of z leave.
 * PERP_E_NUMBER: F is undefined at z, or its Jacobian is, and differences of F too. */
perp_status perp_callback_measure(const perp_problem *p, perp_callback *k, const double *z,
                                  double *w, double tol, perp_arena *a, perp_residual *r);

/* Counts what a measure takes, at most, in a run of perp_bytes. */
void perp_callback_room(const perp_callback *k, perp_arena *a);

/* ---- for solvers, which have a Jacobian of their own ---- */

/* s, without regard to how F bends, in size, and t in move. Both have length n. */
void perp_callback_sizes(const perp_map *map, const perp_matrix *J, const double *z,
                         const double *F, double *move, double *size);

/* |z_i - P(z_i - theta_i F_i / s_i)| / theta_i. */
double perp_callback_part(const perp_map *map, int i, double z, double F, double size, double lo,
                          double hi);

#endif
