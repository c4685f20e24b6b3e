/* fc3d/contact_matrix.h: W by canonical block rows, and linear systems with a part of it; what the
 * solvers that factor are made of.
 *
 * A system takes some contacts a of the problem and is, in blocks,
 *     J_ab = A_a W_ab + (B_a where a = b),
 * A and B given by contact. It is solved by a sparse LU of blocks that does not pivot
 * (linalg/block_lu.h), in an order that is found once, and refined; where that does not succeed, by
 * one that does (linalg/sparse.h, on a fixed arena linalg/dense.h). A problem in body form is
 * reduced to the local form first. The block rows and the order are opened once (core/opened.h). */
#ifndef PERP_FC3D_CONTACT_MATRIX_H
#define PERP_FC3D_CONTACT_MATRIX_H

#include "body_to_local.h"
#include "linalg/block_lu.h"

typedef struct perp_contact_matrix {
    int contacts;
    const double *mu, *q;
    struct perp_bsr3_view W;     /* columns ascending, each once, the diagonal there */
    const double *trace;         /* of each contact's own block, positive */
    double mean;                 /* trace(W) / (3 contacts) */
    perp_body_to_local *reduced; /* NULL: the problem is in local form */
    int systems;                 /* factored so far */
    int pivoted;                 /* of them those that had to be pivoted */
    const int *order;            /* of elimination; NULL: no system was factored yet */
    perp_key key;                /* of what W is, whatever its format */

    /* the system that was factored last, between `mark` and `top`; it is made anew in the same
     * memory while its contacts stay the same */
    perp_arena *arena;
    perp_mark mark, top;
    int kept;     /* contacts in it; 0: there is none */
    int *list;    /* which */
    int count;    /* kept, while a factor is held, else 0 */
    bool starved; /* one found no memory */
    const double *A, *B;
    int *place; /* of each contact in it; -1: none */
    int *p, *j; /* its block rows */
    double *x;
    double *rest; /* scratch of a solve: twice 3 numbers a contact */
    perp_block_lu lu;
    bool pivots;         /* lu did not succeed: one of the next two instead */
    double *dense;       /* its LU factors; NULL: it is sparse */
    int *pivot;          /* of the dense one */
    perp_factor *factor; /* of the sparse one */
} perp_contact_matrix;

/* Reads the problem of the run, refuses what nobody can work with: a negative W_NN. */
perp_status perp_contact_matrix_open(perp_run *run, perp_contact_matrix *b);

/* Refuses a W_NN that is negative, but for what rounding makes of 0 (`largest` is the largest entry
 * of W's diagonal), and one of 0 where the contact closes with nothing to open it. */
perp_status perp_contact_check_normal(perp_run *run, int contact, double normal, double qn,
                                      double largest);

/* u = W r + q */
void perp_contact_matrix_velocity(const perp_contact_matrix *b, const double *r, double *u);
/* |r - P_K(r - (u + mu |u_t| n))|; the contact with the largest part in it into `worst`, if not
 * NULL. */
double perp_contact_matrix_error(const perp_contact_matrix *b, const double *r, const double *u,
                                 int *worst);

/* Factor the system of `count` contacts in `list`, ascending; A (NULL: the identity) and B have 9
 * numbers, column-major, for each contact of the problem, and have to stay. False: it is singular
 * or there is no memory. Whatever was held before is given back. Nothing else may be allocated in
 * the run's arena and kept while a factor is held. */
bool perp_contact_matrix_factor(perp_contact_matrix *b, int count, const int *list, const double *A,
                                const double *B);
/* Its solution, in place: 3 numbers for each contact of the list. False: it is singular, or there
 * is no memory. */
bool perp_contact_matrix_solve(perp_contact_matrix *b, double *x);
void perp_contact_matrix_release(perp_contact_matrix *b);
/* Counts what systems of any contacts take, in a run of perp_bytes; elsewhere it does nothing. */
void perp_contact_matrix_room(perp_contact_matrix *b);

/* perp_continue, with the velocities behind r brought up to date where the problem has them. */
bool perp_contact_matrix_continue(perp_run *run, const perp_contact_matrix *b, double *z,
                                  double estimate);
/* How a solver returns: the velocities, and where it did not converge a word on where. */
perp_status perp_contact_matrix_end(perp_run *run, const perp_contact_matrix *b, double *z,
                                    int worst);

#endif
