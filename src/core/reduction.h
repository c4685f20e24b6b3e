/* core/reduction.h: a body form as a local one, u = W z + q.
 *
 * W = H' P H + R, q = H' (P f - Q b) + w, where v = P (f + H z) - Q b solves M v - G l = f + H z,
 * G'v = -b, through an LU factor of that system, sparse, or dense on a fixed arena. W depends on M,
 * H, G and R alone and is opened once (core/opened.h); it costs a solve for each row of z. */
#ifndef PERP_REDUCTION_H
#define PERP_REDUCTION_H

#include "body_form.h"
#include "linalg/sparse.h"
#include "opened.h"

typedef struct perp_reduction {
    perp_body_form from;
    perp_key key;        /* of what W is */
    perp_matrix W;       /* rows x rows, dense or compressed columns */
    perp_factor *factor; /* of a growing arena */
    const double *dense; /* of a fixed one: LU factors instead */
    const int *pivot;
    perp_matrix H, R; /* CSC; R absent where there is none */
    double *work;     /* velocities + equalities */
} perp_reduction;

/* The key of all that W is made of. */
perp_key perp_reduction_key(const perp_body_form *b);
/* Everything in the arena; `from` and its matrices stay. W is compressed where `sparse`, without
 * the zeros, and q gets `rows` numbers. PERP_E_NUMBER: M is singular, or G's columns depend on each
 * other. */
perp_status perp_reduction_open(const perp_body_form *b, perp_key key, bool sparse, perp_arena *a,
                                double *q, perp_reduction *d, perp_error *e);
/* From z to v and l behind each other. False: they are not finite, or there is no memory. */
bool perp_reduction_back(const perp_reduction *d, const double *z, double *v);
/* The same of f = 0 and b = 0: what z alone does. */
bool perp_reduction_act(const perp_reduction *d, const double *z, double *v);

#endif
