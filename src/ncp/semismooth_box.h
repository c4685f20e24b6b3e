/* ncp/semismooth_box.h: pieces of Newton methods for lo <= z <= hi _|_ F(z), F affine or by
 * callback.
 *
 * An iterate inside the box with F and its Jacobian there, the Fischer-Burmeister map G of the box
 * (method/fischer.h) and the merit |G|^2 / 2; directions, and a nonmonotone search along their
 * projection, which steps back where F or its Jacobian is undefined. F is never asked outside the
 * box. */
#ifndef PERP_NCP_SEMISMOOTH_BOX_H
#define PERP_NCP_SEMISMOOTH_BOX_H

#include "core/jacobian.h"
#include "linalg/newton_system.h"

typedef struct semismooth {
    int n;
    perp_jacobian map;
    perp_newton_system system;
    double *lo, *hi;                      /* +-INFINITY: none */
    double *z, *F, *G, merit;             /* the iterate */
    double *a, *b;                        /* G' = diag(a) + diag(b) J */
    double *g;                            /* gradient of the merit, G' G */
    double *d;                            /* a direction */
    double *try_z, *try_F, *try_G, *work; /* work: 4n, 8n of a sparse J */
    double *recent;                       /* merits of the last `memory` steps */
    int memory, steps, since;             /* since the merit fell clearly */
    double lowest, mark;
    bool starved; /* no memory for a factorisation */
    bool lies;    /* the callback's Jacobian is wrong */
} semismooth;

/* For run->problem, an mcp without findex. A refusal is the run's. */
perp_status perp_semismooth_box_open(semismooth *s, perp_run *run, int memory);

/* Begin at z, projected on the box. False: F or its Jacobian is undefined there. */
bool perp_semismooth_box_start(semismooth *s, const double *z);
/* The same, or at a point nearby and further inside where F is undefined there. */
bool perp_semismooth_box_start_near(semismooth *s, const double *z);

/* |z - P(z - F)| at the iterate. */
double perp_semismooth_box_natural(semismooth *s);

/* Newton directions for G with J + e I, and for the natural map; a Levenberg-Marquardt direction by
 * conjugate gradients, and the gradient. False: singular, or of no use; see starved. */
bool perp_semismooth_box_direct_fb(semismooth *s, double e);
bool perp_semismooth_box_direct_natural(semismooth *s);
bool perp_semismooth_box_direct_descent(semismooth *s, double e);
/* To the minimum of the quadratic model in the box, found to this accuracy by conjugate gradients
 * in at most so many steps: where J is sparse, symmetric and positive definite it tells the bounds
 * that hold without a factorisation. */
bool perp_semismooth_box_direct_model(semismooth *s, double accuracy, int steps);

/* Go along d, projected, as far as the merit allows: the longest of the steps 1, 1/2, 1/4, ..
 * 2^-halvings for which it falls enough, below the highest of the last ones. False: none. */
bool perp_semismooth_box_search(semismooth *s, int halvings);
/* Go to P(z + d) whatever the merit says. False: undefined there. */
bool perp_semismooth_box_jump(semismooth *s);

/* Go to `point`, projected, if the merit there is at most `highest`. False: it is not, or F or its
 * Jacobian is undefined there, and nothing has changed. */
bool perp_semismooth_box_go(semismooth *s, const double *point, double highest);

/* Has the merit not fallen clearly for long? */
bool perp_semismooth_box_is_stuck(const semismooth *s);

/* Where a run got stuck: a proof that an affine problem has no feasible point, a callback that
 * misbehaves, or PERP_STALLED; then it may start elsewhere, unless s->lies. */
perp_status perp_semismooth_box_end(semismooth *s, perp_run *run);
/* PERP_STALLED for good, with the sentence. */
perp_status perp_semismooth_box_stall(const semismooth *s, perp_run *run);

#endif
