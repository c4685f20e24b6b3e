/* core/callback.h: the residual of a map that is a callback, in no units at all.
 *
 * There are no data to scale by, and F at one point says nothing of F at another: 1 / z is 1e9 at
 * the bound 1e-9 of a price whose equilibrium is 1. So F_i is held against its own size at z,
 *
 *     s_i = sum_j |J_ij| theta_j + |F - J z|_i,    theta_j = max(|z_j|, typical_j),
 *
 * which is what the terms of its linearisation add up to: moving each unknown by a part t of
 * theta, and the constant by as much of itself, changes F_i by t s_i at most. Where F bends on a
 * shorter scale than that, s_i would be too large (1 / z at 1e-12: 1e24), so that it is at most
 * STEEP times what F_i does change by over moves of theta. Then
 *
 *     value = max_i |z_i - P(z_i - theta_i F_i / s_i)| / theta_i,
 *
 * which neither a factor of F_i nor one of z_i, with typical_i, changes. */
#ifndef PERP_CORE_CALLBACK_H
#define PERP_CORE_CALLBACK_H

#include "jacobian.h"

typedef struct perp_callback {
    perp_jacobian map;
    double *lo, *hi;  /* the own bounds, n each: differences and moves stay in between */
    double *theta;    /* the last z judged: theta, */
    double *size;     /* s, */
    double *rounding; /* and what the rounding of z changes F by, at most */
    double *change;   /* scratch */
    double *there;
} perp_callback;

/* In the arena, until it is released; NULL: no memory. The map is a callback. A Jacobian
 * (jacobian.h) and 7 n numbers. */
perp_callback *perp_callback_open(const perp_problem *p, perp_arena *a);

/* w = F(z) and the residual, with bound 0, and, where value is above tol, with its floor: what the
 * noise of F, found by moving z by some units in the last place, and the rounding of z leave.
 * PERP_E_NUMBER: F is undefined at z, or its Jacobian is, and differences of F too. */
perp_status perp_callback_measure(const perp_problem *p, perp_callback *k, const double *z,
                                  double *w, double tol, perp_arena *a, perp_residual *r);

/* ---- for solvers, which have a Jacobian of their own ---- */

/* s, without regard to how F bends, in size; theta to theta. Both have length n. */
void perp_callback_sizes(const perp_map *map, const perp_matrix *J, const double *z,
                         const double *F, double *theta, double *size);

/* |z_i - P(z_i - theta_i F_i / s_i)| / theta_i. */
double perp_callback_part(double z, double F, double theta, double size, double lo, double hi);

#endif
